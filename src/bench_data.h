/* The data of a benchmark without a file: made from a seed and the element's number, in memory that
 * reads like a file. */
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include <stdatomic.h>

#include "dtype.h"
#include "onepass.h"

#define BENCH_SEED 1

/* Elements first, first + 1, ... of the series: of floating-point types
 *   (u0 + ... + u11) / 2^32 - 6, near N(0,1), exact in binary64 and then rounded to the type to nearest
 *   even, where u(2j) and u(2j+1) are the low and the high 32 bits of hash(seed, 6 * number + j);
 * of others the low bits of hash(seed, number), one bit of bool.  hash is the output function of
 * splitmix64 (Steele, Lea & Flood 2014) of seed * 0x9e3779b97f4a7c15 + i. */
void bench_data_make(enum dtype type, int swap, uint64_t seed, uint64_t first, size_t n,
                     unsigned char *out);

/* nelems of them in a file without a name; *fd is the caller's to close, -1 on failure. */
int bench_data_file(enum dtype type, int swap, uint64_t nelems, int threads, const atomic_int *cancel,
                    int *fd, onepass_error *err);

#endif
