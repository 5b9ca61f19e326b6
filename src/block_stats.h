/* Exact sums of values and of their squares, and extremes, of one block of native binary32 or binary64
 * elements at any alignment, compiled once per instruction set.  A survey of the block's exponents
 * (block_survey.h) says beforehand how many windows make every addition exact, without flags; a single
 * trip (block_one_trip.h) asks the inexact flag afterwards. */
#ifndef BLOCK_STATS_H
#define BLOCK_STATS_H

#include "block_sums.h"

#define WINDOWS     2
#define STATS_TERMS 4096 /* of a block at most: integers hold their sums */

/* high[0] 2^unit[0] + high[1] 2^unit[1] + `lanes` binary64 sums. */
struct window_sum {
    __int128 high[WINDOWS];
    int unit[WINDOWS];
    double low[MAX_LANES];
};

/* A square of binary64 is its rounded value and an error, which binary32 has not. */
enum stats_sum { SUM_VALUES, SUM_SQUARES, SUM_ERRORS, NSUMS };

struct block_stats {
    int exact;   /* whether sums and squares are there */
    int plain;   /* whether that of values needed no window */
    int has_nan; /* no sums, since NaN was not to be dropped */
    struct block_extremes extremes;
    struct window_sum sums[NSUMS];
};

/* Sums of binary32 of one trip, `lanes` of binary64 each: of values, of squares as they were rounded,
 * and of what that left of them. */
struct one_trip {
    struct block_extremes extremes;
    double values[MAX_LANES], squares[MAX_LANES], errors[MAX_LANES];
};

/* Every kernel: n >= 0 elements at p, or their magnitudes.  drop_nan: NaN counts as 0. */
struct stats_kernels {
    int lanes;
    void (*stats[NATIVE_FLOATS])(const unsigned char *p, size_t n, int magnitude, int drop_nan,
                                 struct block_stats *out);
    void (*extremes[NATIVE_FLOATS])(const unsigned char *p, size_t n, int magnitude,
                                    struct block_extremes *out);
    /* Of binary32, if additions raise the inexact flag (block_sums_flags_work); NULL: there is none.
     * largest: about the largest magnitude.  Returns whether all sums are exact, which those of narrow
     * data mostly are; if not, *out is undefined. */
    int (*one_trip)(const unsigned char *p, size_t n, int magnitude, int drop_nan, double largest,
                    struct one_trip *out);
};

#endif
