/* Plain loops over a block of values, as a program without exact sums has them: the yardstick of
 * onepass_bench (plain.h), compiled once per instruction set like the exact ones. */
#ifndef BLOCK_PLAIN_H
#define BLOCK_PLAIN_H

#include <stddef.h>
#include <stdint.h>

/* Independent accumulators of a loop, so that it runs in vectors and not at the latency of one add. */
#define PLAIN_LANES 16

/* What the loops compute; counts are exact in a binary64. */
enum plain_loop {
    PLAIN_SUM,
    PLAIN_SQUARES, /* sum of x * x */
    PLAIN_LOGS,    /* sum of log x: the loop of PLAIN_SUM over the block's logarithms */
    PLAIN_PRODUCT,
    PLAIN_MIN, /* NaN wins, as in numpy */
    PLAIN_MAX,
    PLAIN_NAN,
    PLAIN_INF,
    PLAIN_NONZERO, /* x != 0, NaN included */
    NPLAIN_LOOPS
};

/* Adds v[0 .. n) where mask (NULL: everywhere) is not 0 to lane[0 .. PLAIN_LANES). */
typedef void plain_kernel(size_t n, const double *v, const uint8_t *mask, double *lane);

/* The same sum of elements as they are stored in this machine's byte order, or of their magnitudes. */
typedef void plain_stored_kernel(size_t n, const unsigned char *bytes, int magnitude, double *lane);

struct plain_kernels {
    plain_kernel *loop[NPLAIN_LOOPS];
    plain_stored_kernel *sum_f32, *sum_f64;
};

/* What a lane starts with: 0, 1 of products, infinities of extremes. */
double plain_identity(enum plain_loop loop);

#endif
