/* What the files of the naive row share: the steps of its plan. */
#ifndef BENCH_NAIVE_PARTS_H
#define BENCH_NAIVE_PARTS_H

#include "bench_naive.h"
#include "inexact.h"

enum naive_step_kind {
    STEP_NODE,         /* the node's array = op(its arguments' arrays) */
    STEP_SQUARES,      /* the spare array = squares of the node's values */
    STEP_LOGS,         /* their logarithms */
    STEP_DEVIATIONS,   /* values - mean, the mean by what the reduction has summed so far */
    STEP_SQUARE_SPARE, /* squares of the spare array, in place */
    STEP_REDUCE        /* the reduction's accumulators += the node's values where the mask is set */
};

struct naive_step {
    enum naive_step_kind kind;
    int32_t node;
    int32_t mask;     /* -1: every element */
    size_t reduction; /* over all pipelines */
    /* STEP_REDUCE: */
    struct inexact_rule rule;
    int fresh;                 /* the first of its reduction: clears its accumulators */
    int of_spare;              /* the values are the spare array's, and their sum ... */
    enum inexact_loop becomes; /* ... is this loop's total; */
    int skip_nan_of_node;      /* what was NaN before it was prepared does not count */
};

#define MAX_REDUCTION_STEPS 4

struct naive_plan {
    const struct program *program; /* not owned */
    struct naive_step *steps;
    size_t nsteps;
    size_t nreductions;
    int uses_spare;
};

/* Whether some node's array lies in a register. */
int naive_register_used(const struct naive_plan *plan, int storage, int32_t reg);

/* A pass that looks at no values, only at the mask. */
static inline int naive_step_counts(const struct naive_step *s) {
    return s->rule.loops == 0 && s->rule.kept == 0 && !s->rule.skip_nan;
}

#endif
