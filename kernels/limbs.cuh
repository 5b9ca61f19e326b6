/* Fixed-point numbers in shared or device memory that any thread may add to: what windows are flushed
 * to, and where single values go that fit no window.
 *
 * Value = sum of (i64)limb[k] * 2^(32 k), in units of 2^-1074 (sums) or 2^-2148 (sums of squares): the
 * unit of every binary64, and of every square of one.  Additions are 64-bit integer atomics, which
 * wrap, so that no order matters.  A *term* adds less than 2^32 in magnitude to any one limb; with at
 * most 2^30 terms between two carry passes no limb leaves 63 bits: elements and flushes of a block for
 * limbs in shared memory, twice the merged numbers (limbs_merge) for those in device memory.
 *
 * The largest value's highest bit is 2098 units up (4196 for squares), in limb 65 (131); with 2^64 of
 * them, and the sign, limb 67 (133), so that SUM_LIMBS and SQUARES_LIMBS leave room. */
#ifndef LIMBS_CUH
#define LIMBS_CUH

#include "block.cuh"

#define LIMB_MASK 0xffffffffull

/* ---- called seldom: compiled with the kernel, or in collectives.cu if it is linked to that ------- */

/* magnitude * 2^position units, negated where `negative`; magnitude < 2^63: one term. */
extern "C" __device__ void limbs_add_magnitude(u64 *limbs, u64 magnitude, bool negative, int position);

/* v^2, v finite, in units of 2^-2148: one term. */
extern "C" __device__ void limbs_add_square(u64 *limbs, double v);

/* A window (exact.cuh) of all threads of a block, which all call; its unit is 2^position of the limbs'.
 * Two terms. */
extern "C" __device__ void window_flush(u64 window, int position, u64 *limbs);

/* One carry pass, by all threads of a block; the value stays the same, and every limb but the highest
 * comes between -2^31 and 2^32 + 2^31.  Others may add at the same time, but of several blocks only one
 * may carry: two could take the same amount twice. */
extern "C" __device__ void limbs_carry(u64 *limbs, int n);

/* to += from, by all threads of a block; from is carried and no longer added to: two terms. */
extern "C" __device__ void limbs_merge(u64 *to, const u64 *from, int n);

/* ---- single values ------------------------------------------------------------------------------ */

__device__ inline void limb_add(u64 *limb, u64 v) {
    if (v) atomicAdd(limb, v);
}

/* A significand and where its lowest bit is, in units of 2^-1074. */
struct limb_value {
    u64 significand; /* < 2^53 */
    int position;
};

__device__ inline limb_value limbs_take_apart(double v) {
    u64 bits = (u64)__double_as_longlong(v);
    int exponent = (int)(bits >> 52 & 2047);
    u64 fraction = bits & ((1ull << 52) - 1);
    limb_value out = {fraction, 0};
    if (exponent > 0) {
        out.significand |= 1ull << 52;
        out.position = exponent - 1;
    }
    return out;
}

/* v * 2^position units, |v| < 2^63: one term. */
__device__ inline void limbs_add_integer(u64 *limbs, i64 v, int position) {
    limbs_add_magnitude(limbs, v < 0 ? 0 - (u64)v : (u64)v, v < 0, position);
}

/* v, finite: one term. */
__device__ inline void limbs_add(u64 *limbs, double v) {
    limb_value x = limbs_take_apart(v);
    limbs_add_magnitude(limbs, x.significand, __double_as_longlong(v) < 0, x.position);
}

/* ---- definitions of what is called seldom ------------------------------------------------------- */

#if !defined ONEPASS_COLLECTIVES || defined ONEPASS_COLLECTIVES_SOURCE

extern "C" __device__ __noinline__ void limbs_add_magnitude(u64 *limbs, u64 magnitude, bool negative,
                                                            int position) {
    int shift = position & 31;
    u64 sign = negative ? ~0ull : 0; /* (d ^ sign) - sign is -d */
    u64 low = (magnitude & LIMB_MASK) << shift, high = (magnitude >> 32) << shift; /* < 2^63, < 2^62 */
    u64 middle = (low >> 32) + high;                                               /* < 2^63 */
    limbs += position >> 5;
    limb_add(limbs, ((low & LIMB_MASK) ^ sign) - sign);
    limb_add(limbs + 1, ((middle & LIMB_MASK) ^ sign) - sign);
    limb_add(limbs + 2, (middle >> 32 ^ sign) - sign);
}

/* The significand is a + 2^32 b with b < 2^21; the square's digits in radix 2^32 are made of a^2 (64
 * bits), 2ab (54) and b^2 (42), no sum of which leaves 64 bits, and then shifted like any number. */
extern "C" __device__ __noinline__ void limbs_add_square(u64 *limbs, double v) {
    limb_value x = limbs_take_apart(v);
    int shift = 2 * x.position & 31;
    u64 a = x.significand & LIMB_MASK, b = x.significand >> 32, ab = 2 * a * b;
    u64 second = (a * a >> 32) + (ab & LIMB_MASK);
    u64 third = (second >> 32) + (ab >> 32) + (b * b & LIMB_MASK);
    u64 fourth = (third >> 32) + (b * b >> 32);
    limbs += 2 * x.position >> 5;
    u64 digit = (a * a & LIMB_MASK) << shift;
    limb_add(limbs, digit & LIMB_MASK);
    digit = ((second & LIMB_MASK) << shift) + (digit >> 32);
    limb_add(limbs + 1, digit & LIMB_MASK);
    digit = ((third & LIMB_MASK) << shift) + (digit >> 32);
    limb_add(limbs + 2, digit & LIMB_MASK);
    digit = (fourth << shift) + (digit >> 32); /* fourth < 2^11 */
    limb_add(limbs + 3, digit & LIMB_MASK);
    limb_add(limbs + 4, digit >> 32);
}

/* Halves first: 256 threads' are less than 2^40 in magnitude. */
extern "C" __device__ __noinline__ void window_flush(u64 window, int position, u64 *limbs) {
    i64 low = block_sum((i64)(window & LIMB_MASK));
    i64 high = block_sum((i64)window >> 32);
    if (threadIdx.x > 0) return;
    limbs_add_integer(limbs, low, position);
    limbs_add_integer(limbs, high, position + 32);
}

/* What a limb holds above 32 bits is taken from it and given to the next, each by an atomic. */
extern "C" __device__ __noinline__ void limbs_carry(u64 *limbs, int n) {
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < n - 1; k += ONEPASS_THREADS) {
        i64 above = (i64)atomicAdd(&limbs[k], 0ull) >> 32;
        if (above == 0) continue;
        atomicAdd(&limbs[k], 0 - ((u64)above << 32));
        atomicAdd(&limbs[k + 1], (u64)above);
    }
}

extern "C" __device__ __noinline__ void limbs_merge(u64 *to, const u64 *from, int n) {
#pragma unroll 1
    for (int k = (int)threadIdx.x; k < n; k += ONEPASS_THREADS)
        limb_add(&to[k], from[k]);
}

#endif

#endif
