/* Reductions over a block: 64-bit integers, the result in all threads.
 *
 * A block has ONEPASS_THREADS threads, all of which call at once.  With ONEPASS_COLLECTIVES they are
 * those of collectives.cu (CUB's), to which the kernel is linked; without, the shuffles here.  Integers
 * only, so both give the same bits.  Each may be called right after another: they keep their memory to
 * themselves, and a barrier stands before it is written again. */
#ifndef BLOCK_CUH
#define BLOCK_CUH

#include "launch.h"

typedef unsigned long long u64;
typedef long long i64;

#define WARP        32
#define BLOCK_WARPS (ONEPASS_THREADS / WARP)
#define ALL_LANES   0xffffffffu

#if ONEPASS_THREADS == 1

/* One thread is the block. */
inline i64 block_sum(i64 v) {
    return v;
}
inline u64 block_min(u64 v) {
    return v;
}
inline u64 block_max(u64 v) {
    return v;
}

#elif defined ONEPASS_COLLECTIVES

extern "C" __device__ i64 onepass_block_sum(i64 v);
extern "C" __device__ u64 onepass_block_min(u64 v);
extern "C" __device__ u64 onepass_block_max(u64 v);

__device__ inline i64 block_sum(i64 v) {
    return onepass_block_sum(v);
}
__device__ inline u64 block_min(u64 v) {
    return onepass_block_min(v);
}
__device__ inline u64 block_max(u64 v) {
    return onepass_block_max(v);
}

#else

struct block_plus {
    __device__ static u64 of(u64 a, u64 b) {
        return a + b;
    }
};
struct block_lesser {
    __device__ static u64 of(u64 a, u64 b) {
        return a < b ? a : b;
    }
};
struct block_greater {
    __device__ static u64 of(u64 a, u64 b) {
        return a > b ? a : b;
    }
};

/* Called at many places, and seldom: neither inlined nor unrolled, which would only cost NVRTC time. */
template <class op> __device__ __noinline__ u64 block_reduce(u64 v) {
    __shared__ u64 of_warp[BLOCK_WARPS];
#pragma unroll 1
    for (int apart = WARP / 2; apart > 0; apart /= 2)
        v = op::of(v, __shfl_xor_sync(ALL_LANES, v, apart));
    __syncthreads(); /* everyone has read what the call before left */
    if (threadIdx.x % WARP == 0) of_warp[threadIdx.x / WARP] = v;
    __syncthreads();
    v = of_warp[0];
#pragma unroll 1
    for (int k = 1; k < BLOCK_WARPS; k++)
        v = op::of(v, of_warp[k]);
    return v;
}

__device__ inline i64 block_sum(i64 v) {
    return (i64)block_reduce<block_plus>((u64)v);
}
__device__ inline u64 block_min(u64 v) {
    return block_reduce<block_lesser>(v);
}
__device__ inline u64 block_max(u64 v) {
    return block_reduce<block_greater>(v);
}

#endif

#endif
