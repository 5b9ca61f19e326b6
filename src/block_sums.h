/* Exact sums, extremes and counts of one block of values: the loops that read the sticky inexact flag,
 * compiled once per instruction set. */
#ifndef BLOCK_SUMS_H
#define BLOCK_SUMS_H

#include "kernels.h"

struct sum_kernels {
    int lanes;
};

/* Whether additions raise the inexact flag as IEEE 754 says (under valgrind they do not). */
int block_sums_flags_work(void);

#endif
