// What onepass is measured against on a GPU: CUB's device-wide reductions, which round, and a plain
// copy. Compiled by nvcc; C functions over the primary context, so that the product's kernels see the
// same memory.  A CUDA error ends the program: there is nothing to measure then.
#include "bench.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <vector>

#define CHECK(call)                                                                                    \
    do {                                                                                               \
        cudaError_t status = (call);                                                                   \
        if (status != cudaSuccess) {                                                                   \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                       \
            std::exit(1);                                                                              \
        }                                                                                              \
    } while (0)

typedef unsigned long long u64;

// ---- data --------------------------------------------------------------------------------------

static __device__ u64 hash(u64 seed, u64 i) {
    u64 z = seed * 0x9e3779b97f4a7c15ull + i;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

// Box and Muller; which bits exactly is of no interest, since the same memory is read by all.
static __device__ double normal(u64 seed, u64 i) {
    u64 h = hash(seed, i), g = hash(seed + 1, i);
    double u = ((h >> 11) + 1) * 0x1p-53, v = (g >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cospi(2 * v);
}

template <typename T> static __device__ T of_bits(u64 bits);
template <> __device__ float of_bits<float>(u64 bits) {
    unsigned b = (unsigned)bits;
    return __uint_as_float((b & 0x7f800000u) == 0x7f800000u ? b ^ 0x40000000u : b);
}
template <> __device__ double of_bits<double>(u64 b) {
    return __longlong_as_double((b << 1) >> 53 == 0x7ff ? b ^ (1ull << 62) : b);
}

template <typename T> static __global__ void fill(T *x, u64 n, int series) {
    u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += stride) {
        double v = normal(7, i);
        if (series == BENCH_LOGNORMAL) v = exp(4 * v);
        if (series == BENCH_HOLES && hash(11, i) % 10 < 3) v = nan("");
        x[i] = series == BENCH_RANDOM_BITS ? of_bits<T>(hash(13, i)) : (T)v;
    }
}

extern "C" void *bench_data(int is_f64, int series, u64 n) {
    void *x;
    CHECK(cudaMalloc(&x, n * (is_f64 ? 8 : 4) + 16));
    if (is_f64)
        fill<<<4096, 256>>>((double *)x, n, series);
    else
        fill<<<4096, 256>>>((float *)x, n, series);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return x;
}

extern "C" void bench_free(void *x) {
    CHECK(cudaFree(x));
}

extern "C" void bench_to_host(void *to, const void *x, u64 nbytes) {
    CHECK(cudaMemcpy(to, x, nbytes, cudaMemcpyDeviceToHost));
}

// ---- reductions --------------------------------------------------------------------------------

template <typename F> static double median_seconds(int runs, F run) {
    cudaEvent_t begin, end;
    std::vector<float> ms(runs);
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    run();
    for (float &m : ms) {
        CHECK(cudaEventRecord(begin));
        run();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&m, begin, end));
    }
    CHECK(cudaGetLastError());
    std::sort(ms.begin(), ms.end());
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return ms[runs / 2] * 1e-3;
}

template <typename T> struct magnitude {
    __device__ double operator()(T v) const {
        return fabs((double)v);
    }
};

template <typename T> static double sum_of_magnitudes(const T *x, u64 n, int runs, double *sum) {
    void *scratch = nullptr;
    size_t nbytes = 0;
    double *out;
    auto reduce = [&] {
        CHECK(cub::DeviceReduce::TransformReduce(scratch, nbytes, x, out, (long long)n, cuda::std::plus<>{},
                                                 magnitude<T>{}, 0.0));
    };
    CHECK(cudaMalloc(&out, sizeof *out));
    reduce();
    CHECK(cudaMalloc(&scratch, nbytes));
    double seconds = median_seconds(runs, reduce);
    CHECK(cudaMemcpy(sum, out, sizeof *sum, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(scratch));
    CHECK(cudaFree(out));
    return seconds;
}

extern "C" double bench_cub(const void *x, int is_f64, u64 n, int runs, double *sum) {
    return is_f64 ? sum_of_magnitudes((const double *)x, n, runs, sum)
                  : sum_of_magnitudes((const float *)x, n, runs, sum);
}

// ---- copies ------------------------------------------------------------------------------------

extern "C" double bench_copy(u64 nbytes, u64 piece) {
    char *from, *to;
    cudaStream_t streams[2];
    CHECK(cudaHostAlloc(&from, nbytes, cudaHostAllocDefault));
    CHECK(cudaMalloc(&to, nbytes));
    for (u64 i = 0; i < nbytes; i += 4096)
        from[i] = 1;
    for (cudaStream_t &s : streams)
        CHECK(cudaStreamCreate(&s));
    double seconds = median_seconds(5, [&] {
        for (cudaStream_t &s : streams)
            CHECK(cudaStreamSynchronize(s));
        for (u64 at = 0, k = 0; at < nbytes; at += piece, k++)
            CHECK(cudaMemcpyAsync(to + at, from + at, std::min(piece, nbytes - at),
                                  cudaMemcpyHostToDevice, streams[k & 1]));
        for (cudaStream_t &s : streams)
            CHECK(cudaStreamSynchronize(s));
    });
    for (cudaStream_t &s : streams)
        CHECK(cudaStreamDestroy(s));
    CHECK(cudaFreeHost(from));
    CHECK(cudaFree(to));
    return seconds;
}
