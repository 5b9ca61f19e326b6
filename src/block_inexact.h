/* Inexact loops over a block of values, as a program without exact sums has them: the yardstick of
 * onepass_bench (inexact.h), compiled once per instruction set like the exact ones. */
#ifndef BLOCK_INEXACT_H
#define BLOCK_INEXACT_H

#include <stddef.h>
#include <stdint.h>

/* Independent accumulators of a loop, so that it runs in vectors and not at the latency of one add. */
#define INEXACT_LANES 16

/* What the loops compute; counts are exact in a binary64. */
enum inexact_loop {
    INEXACT_SUM,
    INEXACT_SQUARES, /* sum of x * x */
    INEXACT_LOGS,    /* sum of log x: the loop of INEXACT_SUM over the block's logarithms */
    INEXACT_PRODUCT,
    INEXACT_MIN, /* NaN wins, as in numpy */
    INEXACT_MAX,
    INEXACT_NAN,
    INEXACT_INF,
    INEXACT_NONZERO, /* x != 0, NaN included */
    NINEXACT_LOOPS
};

/* Adds v[0 .. n) where mask (NULL: everywhere) is not 0 to lane[0 .. INEXACT_LANES). */
typedef void inexact_kernel(size_t n, const double *v, const uint8_t *mask, double *lane);

/* The same sum of elements as they are stored in this machine's byte order, or of their magnitudes. */
typedef void inexact_stored_kernel(size_t n, const unsigned char *bytes, int magnitude, double *lane);

struct inexact_kernels {
    inexact_kernel *loop[NINEXACT_LOOPS];
    inexact_stored_kernel *sum_f32, *sum_f64;
};

/* What a lane starts with: 0, 1 of products, infinities of extremes. */
double inexact_identity(enum inexact_loop loop);

#endif
