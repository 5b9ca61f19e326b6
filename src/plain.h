/* Plain accumulators: what a program without exact ones would add up, in binary64, rounding at every
 * step.  Only onepass_bench uses them, to show what exactness costs and what rounding does.
 *
 * A plain_state stands in a struct state of a program that says `inexact`, in place of the exact
 * accumulators, so that engine and evaluator are the same; bench_naive.c adds whole arrays by them. */
#ifndef PLAIN_H
#define PLAIN_H

#include "block_plain.h"
#include "program.h"

struct block;
struct kernels;

/* Values that are kept with their index. */
enum plain_kept { PLAIN_ARGMIN, PLAIN_ARGMAX, PLAIN_FIRST, PLAIN_LAST, NPLAIN_KEPT };

struct plain {
    uint64_t n; /* elements added */
    double lane[NPLAIN_LOOPS][PLAIN_LANES];
    struct {
        int valid;
        double value;
        uint64_t index;
    } kept[NPLAIN_KEPT];
    /* Sums of blocks, pairwise: part[k] is one of 2^k blocks where bit k of nblocks is set. */
    double part[64];
    uint64_t nblocks;
};

/* How a first program prepares the values of a reduction in an array of its own. */
enum plain_prepare {
    PREPARE_NOTHING,
    PREPARE_SQUARES,
    PREPARE_LOGS,
    PREPARE_DEVIATIONS /* squares of x - mean */
};

/* What a reduction needs, and its value from that. */
struct plain_reduction {
    const char *name; /* as in reductions.def, aliases left out */
    uint32_t loops;   /* bit per enum plain_loop */
    uint32_t kept;    /* bit per enum plain_kept */
    enum plain_prepare prepare;
    double (*finish)(const struct plain *p);
};
/* Of a reduction of reductions.def, aliases included; every one has a row. */
const struct plain_reduction *plain_reduction_of(const struct reduction_info *info);

/* The node that a reduction's values are: the pipeline's, or their magnitudes. */
int32_t plain_value_node(const struct program *p, const struct lowered_pipeline *pipeline,
                         const struct lowered_reduction *r);

/* How blocks are added. */
struct plain_rule {
    uint32_t loops, kept;
    int skip_nan;
    int pairwise; /* PLAIN_SUM of blocks by halves, as numpy's; else lane by lane from first to last */
};

#define PLAIN_SCRATCH 3072 /* values that plain_add wants room for: three blocks */

void plain_init(struct plain *p);
void plain_add(struct plain *p, const struct plain_rule *rule, const struct kernels *kernels,
               const struct block *b, double scratch[PLAIN_SCRATCH]);
void plain_merge(struct plain *dst, const struct plain *src);
/* All lanes of a loop as one value. */
double plain_total(const struct plain *p, enum plain_loop loop);
/* Makes a loop's total what is said: for values that were prepared elsewhere. */
void plain_set(struct plain *p, enum plain_loop loop, double total);

/* out = op(a, b) over n <= MAX_BLOCK values by the kernels of maps; b may be a. */
void plain_map(const struct kernels *kernels, enum op op, size_t n, double *a, double *b, double *out);

/* One struct plain for every group of a program. */
struct plain_state;
struct plain_state *plain_state_create(const struct program *p, const struct kernels *kernels);
void plain_state_free(struct plain_state *s); /* accepts NULL */
void plain_state_add(struct plain_state *s, const struct acc_group *group, const struct block *b);
void plain_state_merge(struct plain_state *dst, const struct plain_state *src);
/* The value of a reduction, before posts. */
double plain_state_finish(const struct plain_state *s, const struct lowered_pipeline *pipeline,
                          const struct lowered_reduction *r);

#endif
