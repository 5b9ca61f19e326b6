/* Inexact accumulators: what a program without exact ones would add up, in binary64, rounding at every
 * step.  Only onepass_bench uses them, to show what exactness costs and what rounding does.
 *
 * An inexact_state stands in a struct state of a program that says `inexact`, in place of the exact
 * accumulators, so that engine and evaluator are the same; bench_naive.c adds whole arrays by them. */
#ifndef INEXACT_H
#define INEXACT_H

#include "block_inexact.h"
#include "program.h"

struct block;
struct kernels;

/* Values that are kept with their index. */
enum inexact_kept { INEXACT_ARGMIN, INEXACT_ARGMAX, INEXACT_FIRST, INEXACT_LAST, NINEXACT_KEPT };

struct inexact {
    uint64_t n; /* elements added */
    double lane[NINEXACT_LOOPS][INEXACT_LANES];
    struct {
        int valid;
        double value;
        uint64_t index;
    } kept[NINEXACT_KEPT];
    /* Sums of blocks, pairwise: part[k] is one of 2^k blocks where bit k of nblocks is set. */
    double part[64];
    uint64_t nblocks;
};

/* How a first program prepares the values of a reduction in an array of its own. */
enum inexact_prepare {
    PREPARE_NOTHING,
    PREPARE_SQUARES,
    PREPARE_LOGS,
    PREPARE_DEVIATIONS /* squares of x - mean */
};

/* What a reduction needs, and its value from that. */
struct inexact_reduction {
    const char *name; /* as in reductions.def, aliases left out */
    uint32_t loops;   /* bit per enum inexact_loop */
    uint32_t kept;    /* bit per enum inexact_kept */
    enum inexact_prepare prepare;
    double (*finish)(const struct inexact *p);
};
/* Of a reduction of reductions.def, aliases included; every one has a row. */
const struct inexact_reduction *inexact_reduction_of(const struct reduction_info *info);

/* The node that a reduction's values are: the pipeline's, or their magnitudes. */
int32_t inexact_value_node(const struct program *p, const struct lowered_pipeline *pipeline,
                           const struct lowered_reduction *r);

/* How blocks are added. */
struct inexact_rule {
    uint32_t loops, kept;
    int skip_nan;
    int pairwise; /* INEXACT_SUM of blocks by halves, as numpy's; else lane by lane from first to last
                   */
};

#define INEXACT_SCRATCH 3072 /* values that inexact_add wants room for: three blocks */

void inexact_init(struct inexact *p);
void inexact_add(struct inexact *p, const struct inexact_rule *rule, const struct kernels *kernels,
                 const struct block *b, double scratch[INEXACT_SCRATCH]);
void inexact_merge(struct inexact *dst, const struct inexact *src);
/* All lanes of a loop as one value. */
double inexact_total(const struct inexact *p, enum inexact_loop loop);
/* Makes a loop's total what is said: for values that were prepared elsewhere. */
void inexact_set(struct inexact *p, enum inexact_loop loop, double total);

/* out = op(a, b) over n <= MAX_BLOCK values by the kernels of maps; b may be a. */
void inexact_map(const struct kernels *kernels, enum op op, size_t n, double *a, double *b,
                 double *out);

/* One struct inexact for every group of a program. */
struct inexact_state;
struct inexact_state *inexact_state_create(const struct program *p, const struct kernels *kernels);
void inexact_state_free(struct inexact_state *s); /* accepts NULL */
void inexact_state_add(struct inexact_state *s, const struct acc_group *group, const struct block *b);
void inexact_state_merge(struct inexact_state *dst, const struct inexact_state *src);
/* The value of a reduction, before posts. */
double inexact_state_finish(const struct inexact_state *s, const struct lowered_pipeline *pipeline,
                            const struct lowered_reduction *r);

#endif
