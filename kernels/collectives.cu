/* What kernels are linked to that NVRTC compiles at run time: the block reductions of block.cuh by CUB,
 * whose headers would take it a second, and what of limbs.cuh and seldom.cuh is called seldom.  Compiled at build
 * time.
 *
 * Each reduction has static shared memory of its own.  The first barrier of a call holds back its
 * writes until all threads have read the result of the call before; the second stands before the result
 * is read. */
#include <cub/block/block_reduce.cuh>

#define ONEPASS_COLLECTIVES
#define ONEPASS_COLLECTIVES_SOURCE
#include "seldom.cuh"

struct lesser {
    __device__ u64 operator()(u64 a, u64 b) const {
        return a < b ? a : b;
    }
};
struct greater {
    __device__ u64 operator()(u64 a, u64 b) const {
        return a > b ? a : b;
    }
};
struct plus {
    __device__ u64 operator()(u64 a, u64 b) const {
        return a + b;
    }
};

template <class op> __device__ static u64 reduce(u64 v) {
    using block = cub::BlockReduce<u64, ONEPASS_THREADS>;
    __shared__ typename block::TempStorage storage;
    __shared__ u64 result;
    __syncthreads();
    v = block(storage).Reduce(v, op{}); /* valid in thread 0 */
    if (threadIdx.x == 0) result = v;
    __syncthreads();
    return result;
}

extern "C" __device__ i64 onepass_block_sum(i64 v) {
    return (i64)reduce<plus>((u64)v);
}
extern "C" __device__ u64 onepass_block_min(u64 v) {
    return reduce<lesser>(v);
}
extern "C" __device__ u64 onepass_block_max(u64 v) {
    return reduce<greater>(v);
}
