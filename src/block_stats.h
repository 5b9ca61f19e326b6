/* Exact sums of values and of their squares, and extremes, of one block of native binary32 or binary64
 * elements at any alignment, compiled once per instruction set.  No flags: a survey of the block's
 * exponents (block_survey.h) says beforehand how many windows make every addition exact. */
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

/* Every kernel: n >= 0 elements at p, or their magnitudes.  drop_nan: NaN counts as 0. */
struct stats_kernels {
    int lanes;
    void (*stats[NATIVE_FLOATS])(const unsigned char *p, size_t n, int magnitude, int drop_nan,
                                 struct block_stats *out);
    void (*extremes[NATIVE_FLOATS])(const unsigned char *p, size_t n, int magnitude,
                                    struct block_extremes *out);
};

#endif
