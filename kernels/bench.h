/* C functions of bench.cu.  Pointers are device memory of the current device's primary context; times
 * are medians in seconds, by events.  An error ends the program with a message. */
#ifndef KERNELS_BENCH_H
#define KERNELS_BENCH_H

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_NORMAL, BENCH_LOGNORMAL, BENCH_HOLES, BENCH_RANDOM_BITS };

/* n elements of a series, binary32 or binary64: N(0,1), exp(4 N(0,1)), N(0,1) with 30 % NaN, any finite
 * bits.  To be freed by bench_free. */
void *bench_data(int is_f64, int series, unsigned long long n);
void bench_free(void *x);
void bench_to_host(void *to, const void *x, unsigned long long nbytes);

/* CUB's TransformReduce of |x| with a binary64 accumulator; *sum is what it gave. */
double bench_cub(const void *x, int is_f64, unsigned long long n, int runs, double *sum);

/* nbytes of pinned memory to the device, in pieces over two streams. */
double bench_copy(unsigned long long nbytes, unsigned long long piece);

#ifdef __cplusplus
}
#endif
#endif
