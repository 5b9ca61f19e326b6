/* The naive row of a benchmark: a program evaluated as arrays are in numpy, one loop over all elements
 * after the other, each op's result in an array of its own. */
#ifndef BENCH_NAIVE_H
#define BENCH_NAIVE_H

#include <stdatomic.h>

#include "kernels.h"
#include "program.h"
#include "source.h"

/* The passes over arrays that a program takes, and what they cost.
 *
 *   - an op is one pass: it reads its arguments' arrays and writes its own; the input is converted to
 *     binary64 as it is read, and constants are no arrays
 *   - a filter is an array of one byte an element
 *   - a reduction takes a pass for each of its statistics: range two, mean one
 *   - sumsq, norm2, rms: squares into an array, their sum; geomean: logarithms, their sum
 *   - var and its kin as numpy's: sum; x - mean into an array; that squared in place; its sum
 * Reductions share nothing.  Arrays are used again when their values are no longer needed. */
struct naive_plan;
int naive_plan_create(const struct program *p, struct naive_plan **out, onepass_error *err);
void naive_plan_free(struct naive_plan *plan); /* accepts NULL */

struct naive_cost {
    uint64_t passes;
    uint64_t memory_bytes;       /* that the arrays take, the input's among them */
    uint64_t intermediate_bytes; /* written to arrays */
    uint64_t moved_bytes;        /* read from and written to arrays */
};
/* Saturating at UINT64_MAX. */
struct naive_cost naive_plan_cost(const struct naive_plan *plan, uint64_t nelems, size_t itemsize);

/* The arrays, with the source's elements in the first. */
struct naive;
int naive_create(const struct naive_plan *plan, const struct kernels *kernels, struct source *source,
                 int threads, const atomic_int *cancel, struct naive **out, onepass_error *err);
void naive_free(struct naive *naive); /* accepts NULL */

/* All passes, in the threads of naive_create; values[k]: reduction k over all pipelines, before posts.
 */
int naive_run(struct naive *naive, double *values, onepass_error *err);

#endif
