/* Exact sums of one block of native binary32 or binary64 elements at any alignment: the loops that read
 * the sticky inexact flag, compiled once per instruction set.
 *
 * Sums come as `lanes` or more binary64 partial sums whose exact sum is the block's.  Each way of
 * making them knows whether it was exact, and says so; all of them add values that are added nowhere
 * else, so that a block that one way cannot take is handed to the next as it is:
 *
 *   plain    additions that did not raise the inexact flag, or cannot have been inexact by the largest
 *            and the smallest exponent of the block (level 0)
 *   windows  each value split at a multiple of a unit, both parts added as above (level 1)
 *
 * What no way takes goes to the bins of exact.h (level 2).  An exact block held no Inf, and no NaN
 * unless that is dropped. */
#ifndef BLOCK_SUMS_H
#define BLOCK_SUMS_H

#include "kernels.h"

#define MAX_LANES 8 /* of any instruction set */

enum native_float { NATIVE_F32, NATIVE_F64, NATIVE_FLOATS };

/* What a kernel remembers of a block for the next, which is probably like it: a guess that it checks.
 * All zero at first. */
struct window_hint {
    int known;
    int exponent; /* values are below 2^exponent */
};

struct block_extremes {
    double min, max; /* of what is not NaN; +Inf and -Inf when nothing is; zeros of either sign */
};

/* Every kernel: n >= 0 elements at p, or their magnitudes.  drop_nan: NaN counts as 0. */
struct sum_kernels {
    int lanes;
    /* out: `lanes` sums.  Returns whether they are exact. */
    int (*plain[NATIVE_FLOATS])(const unsigned char *p, size_t n, int magnitude, int drop_nan,
                                double *out);
    /* out: 2 * lanes sums. */
    int (*windows[NATIVE_FLOATS])(const unsigned char *p, size_t n, int magnitude, int drop_nan,
                                  struct window_hint *hint, double *out);
};

/* Whether flags are raised as IEEE 754 says (under valgrind they are not). */
int block_sums_flags_work(void);

#endif
