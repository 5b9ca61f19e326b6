/* What a block does at its beginning and end: compiled with the kernel, or in collectives.cu if it is
 * linked to that, so that NVRTC has less to do.  All threads of a block call, but for the bits of a
 * value. */
#ifndef SELDOM_CUH
#define SELDOM_CUH

#include "limbs.cuh"

#define NONE 0xffffffffffffffffull

/* The bits of the binary64 of a float, given by its bits, and of an integer, |v| <= 2^53: by integer
 * work, as there may be no fp64 unit to spare. */
extern "C" __device__ u64 seldom_f64_of_f32(unsigned bits);
extern "C" __device__ u64 seldom_f64_of_i64(i64 v);

/* words[0 .. n) = 0 */
extern "C" __device__ void seldom_clear(u64 *words, int n);

/* *word += n of all threads. */
extern "C" __device__ void seldom_add(u64 *word, u64 n);

/* *word = the least, the greatest of it and of all threads' keys; NONE, 0: no key. */
extern "C" __device__ void seldom_least(u64 *word, u64 key);
extern "C" __device__ void seldom_most(u64 *word, u64 key);

/* Of all threads' (high, low, index), index NONE of those that have none: is this one the first in
 * order?  At most one is, as indices differ.  `two_parts`: high is not the same in all. */
extern "C" __device__ bool seldom_first(u64 high, u64 low, u64 index, bool two_parts);

/* ---- definitions ------------------------------------------------------------------------------- */

#if !defined ONEPASS_COLLECTIVES || defined ONEPASS_COLLECTIVES_SOURCE

extern "C" __device__ __noinline__ u64 seldom_f64_of_f32(unsigned bits) {
    unsigned magnitude = bits & 0x7fffffff;
    u64 sign = (u64)(bits >> 31) << 63;
    if (magnitude == 0) return sign;
    if (magnitude >= 0x7f800000) return sign | (u64)0x7ff << 52 | (u64)(magnitude & 0x7fffff) << 29;
    if (magnitude >= 0x00800000) return sign | (((u64)magnitude << 29) + ((u64)896 << 52));
    int shift = __clz((int)magnitude) - 8; /* a subnormal: its leading bit to that of others */
    return sign | (((u64)magnitude << shift << 29) + ((u64)(896 - shift) << 52));
}

extern "C" __device__ __noinline__ u64 seldom_f64_of_i64(i64 v) {
    u64 magnitude = v < 0 ? 0 - (u64)v : (u64)v;
    if (v == 0) return 0;
    int zeros = __clzll((i64)magnitude);
    return (u64)(v < 0) << 63 | ((magnitude << zeros >> 11) + ((u64)(1085 - zeros) << 52));
}

extern "C" __device__ __noinline__ void seldom_clear(u64 *words, int n) {
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < n; k += ONEPASS_THREADS)
        words[k] = 0;
}

extern "C" __device__ __noinline__ void seldom_add(u64 *word, u64 n) {
    n = (u64)block_sum((i64)n);
    if (threadIdx.x == 0 && n != 0) atomicAdd(word, n);
}

extern "C" __device__ __noinline__ void seldom_least(u64 *word, u64 key) {
    key = block_min(key);
    if (threadIdx.x == 0 && key != NONE) atomicMin(word, key);
}

extern "C" __device__ __noinline__ void seldom_most(u64 *word, u64 key) {
    key = block_max(key);
    if (threadIdx.x == 0 && key != 0) atomicMax(word, key);
}

extern "C" __device__ __noinline__ bool seldom_first(u64 high, u64 low, u64 index, bool two_parts) {
    bool in = index != NONE;
    if (two_parts) {
        u64 least_high = block_min(in ? high : NONE);
        in = in && high == least_high;
    }
    u64 least_low = block_min(in ? low : NONE);
    in = in && low == least_low;
    u64 least_index = block_min(in ? index : NONE);
    return in && index == least_index;
}

#endif

#endif
