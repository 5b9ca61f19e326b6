/* Adding blocks to inexact accumulators, and merging those.  The loops are block_inexact.c's, from
 * accumulators to values inexact_finish.c's. */
#include "inexact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "maps.h"
#include "state.h"

/* ---- lanes ----------------------------------------------------------------------------------- */

double inexact_identity(enum inexact_loop loop) {
    if (loop == INEXACT_MIN) return INFINITY;
    if (loop == INEXACT_MAX) return -INFINITY;
    return loop == INEXACT_PRODUCT ? 1.0 : 0.0;
}

static double join(enum inexact_loop loop, double a, double b) {
    if (loop == INEXACT_MIN) return b < a || b != b ? b : a;
    if (loop == INEXACT_MAX) return b > a || b != b ? b : a;
    return loop == INEXACT_PRODUCT ? a * b : a + b;
}

static void clear_lanes(enum inexact_loop loop, double *lane) {
    for (int k = 0; k < INEXACT_LANES; k++)
        lane[k] = inexact_identity(loop);
}

/* By halves. */
static double join_lanes(enum inexact_loop loop, const double *lane) {
    double l[INEXACT_LANES];
    memcpy(l, lane, sizeof l);
    for (int width = INEXACT_LANES / 2; width > 0; width /= 2)
        for (int k = 0; k < width; k++)
            l[k] = join(loop, l[k], l[k + width]);
    return l[0];
}

void inexact_init(struct inexact *p) {
    memset(p, 0, sizeof *p);
    for (int loop = 0; loop < NINEXACT_LOOPS; loop++)
        clear_lanes(loop, p->lane[loop]);
}

void inexact_set(struct inexact *p, enum inexact_loop loop, double total) {
    clear_lanes(loop, p->lane[loop]);
    p->lane[loop][0] = total;
    if (loop == INEXACT_SUM) p->nblocks = 0;
}

double inexact_total(const struct inexact *p, enum inexact_loop loop) {
    double total = join_lanes(loop, p->lane[loop]);
    for (int k = 0; loop == INEXACT_SUM && k < 64; k++)
        if (p->nblocks >> k & 1) total += p->part[k];
    return total;
}

/* The sum of one more block: two sums of equally many blocks become one, like carries. */
static void push_part(struct inexact *p, double sum) {
    int k = 0;
    for (; p->nblocks >> k & 1; k++)
        sum += p->part[k];
    p->part[k] = sum;
    p->nblocks++;
}

/* ---- kept values ----------------------------------------------------------------------------- */

/* NaN is more extreme than every number, as in numpy; of equals the lowest index counts. */
static int is_better(enum inexact_kept kind, double value, uint64_t index, double kept, uint64_t at) {
    if (kind == INEXACT_FIRST) return index < at;
    if (kind == INEXACT_LAST) return index > at;
    if (isnan(value) || isnan(kept)) return isnan(value) && (!isnan(kept) || index < at);
    if (value == kept) return index < at;
    return kind == INEXACT_ARGMIN ? value < kept : value > kept;
}

static void offer(struct inexact *p, enum inexact_kept kind, double value, uint64_t index) {
    if (p->kept[kind].valid && !is_better(kind, value, index, p->kept[kind].value, p->kept[kind].index))
        return;
    p->kept[kind].valid = 1;
    p->kept[kind].value = value;
    p->kept[kind].index = index;
}

static void keep_end(struct inexact *p, enum inexact_kept kind, const struct block *b) {
    for (size_t k = 0; k < b->n; k++) {
        size_t i = kind == INEXACT_LAST ? b->n - 1 - k : k;
        if (b->mask != NULL && !b->mask[i]) continue;
        offer(p, kind, b->f64[i], block_index(b, i));
        if (b->counts_up) return;
    }
}

/* Most blocks hold nothing better than what is kept: their extreme is found by the vector loop. */
static void keep_extreme(struct inexact *p, enum inexact_kept kind,
                         const struct inexact_kernels *inexact, const struct block *b) {
    enum inexact_loop loop = kind == INEXACT_ARGMIN ? INEXACT_MIN : INEXACT_MAX;
    double lane[INEXACT_LANES];
    clear_lanes(loop, lane);
    inexact->loop[loop](b->n, b->f64, b->mask, lane);
    double extreme = join_lanes(loop, lane);
    if (p->kept[kind].valid && !is_better(kind, extreme, 0, p->kept[kind].value, 1)) return;
    for (size_t i = 0; i < b->n; i++) {
        int same = isnan(extreme) ? isnan(b->f64[i]) : b->f64[i] == extreme;
        if (same && (b->mask == NULL || b->mask[i])) offer(p, kind, extreme, block_index(b, i));
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

void inexact_map(const struct kernels *kernels, enum op op, size_t n, double *a, double *b,
                 double *out) {
    struct node node = {.kind = (uint8_t)op, .type = TYPE_F64, .storage = STORE_F64};
    struct operand arg[3] = {{.f64 = a}, {.f64 = b}, {0}}, result = {.f64 = out};
    map_node(kernels->maps, &node, n, arg, &result);
}

static void skip_nan(struct block *b, uint8_t *mask) {
    for (size_t i = 0; i < b->n; i++)
        mask[i] = (b->mask == NULL || b->mask[i]) & (b->f64[i] == b->f64[i]);
    b->mask = mask;
}

static void add_sum(struct inexact *p, const struct inexact_kernels *inexact, int pairwise,
                    const struct block *b) {
    double lane[INEXACT_LANES];
    if (!pairwise) {
        inexact->loop[INEXACT_SUM](b->n, b->f64, b->mask, p->lane[INEXACT_SUM]);
        return;
    }
    clear_lanes(INEXACT_SUM, lane);
    inexact->loop[INEXACT_SUM](b->n, b->f64, b->mask, lane);
    push_part(p, join_lanes(INEXACT_SUM, lane));
}

static void add_lanes(struct inexact *p, const struct inexact_rule *rule, const struct kernels *kernels,
                      const struct block *b, const uint8_t *with_nan, double *scratch) {
    const struct inexact_kernels *inexact = kernels->inexact;
    size_t n = b->n;
    for (size_t i = 0; b->mask != NULL && i < b->n; i++)
        n -= b->mask[i] == 0;
    p->n += n;
    for (int loop = 0; loop < NINEXACT_LOOPS; loop++) {
        if (!(rule->loops >> loop & 1)) continue;
        const double *v = b->f64;
        if (loop == INEXACT_LOGS) {
            inexact_map(kernels, OP_LOG, b->n, (double *)b->f64, (double *)b->f64, scratch);
            v = scratch;
        }
        if (loop == INEXACT_SUM)
            add_sum(p, inexact, rule->pairwise, b);
        else
            inexact->loop[loop](b->n, v, loop == INEXACT_NAN ? with_nan : b->mask, p->lane[loop]);
    }
    for (int kind = 0; kind < NINEXACT_KEPT; kind++) {
        if (!(rule->kept >> kind & 1)) continue;
        if (kind == INEXACT_FIRST || kind == INEXACT_LAST)
            keep_end(p, kind, b);
        else
            keep_extreme(p, kind, inexact, b);
    }
}

/* The one loop that is all there is to do for `sum` and `abs|sum` of native f32 and f64. */
static int add_stored_sum(struct inexact *p, const struct inexact_rule *rule,
                          const struct kernels *kernels, const struct block *b) {
    int is_sum = rule->loops == 1u << INEXACT_SUM && rule->kept == 0 && !rule->pairwise;
    if (!is_sum || rule->skip_nan || b->stored == NULL || b->swap || b->mask != NULL) return 0;
    if (b->dtype != DTYPE_F32 && b->dtype != DTYPE_F64) return 0;
    inexact_stored_kernel *sum =
        b->dtype == DTYPE_F32 ? kernels->inexact->sum_f32 : kernels->inexact->sum_f64;
    sum(b->n, b->stored, b->magnitude, p->lane[INEXACT_SUM]);
    p->n += b->n;
    return 1;
}

void inexact_add(struct inexact *p, const struct inexact_rule *rule, const struct kernels *kernels,
                 const struct block *b, double scratch[INEXACT_SCRATCH]) {
    _Static_assert(INEXACT_SCRATCH == 3 * MAX_BLOCK, "values, logarithms, mask");
    if (add_stored_sum(p, rule, kernels, b)) return;
    for (size_t at = 0; at < b->n; at += MAX_BLOCK) {
        struct block part = {.n = b->n - at < MAX_BLOCK ? b->n - at : MAX_BLOCK,
                             .index0 = b->index0 + at,
                             .index = b->index != NULL ? b->index + at : NULL,
                             .counts_up = b->counts_up,
                             .mask = b->mask != NULL ? b->mask + at : NULL};
        const uint8_t *with_nan = part.mask;
        part.f64 = block_values(b, kernels, at, part.n, scratch);
        if (rule->skip_nan) skip_nan(&part, (uint8_t *)(scratch + 2 * MAX_BLOCK));
        add_lanes(p, rule, kernels, &part, with_nan, scratch + MAX_BLOCK);
    }
}

void inexact_merge(struct inexact *dst, const struct inexact *src) {
    dst->n += src->n;
    for (int loop = 0; loop < NINEXACT_LOOPS; loop++)
        for (int k = 0; k < INEXACT_LANES; k++)
            dst->lane[loop][k] = join(loop, dst->lane[loop][k], src->lane[loop][k]);
    double parts = 0;
    for (int k = 0; k < 64; k++)
        if (src->nblocks >> k & 1) parts += src->part[k];
    dst->lane[INEXACT_SUM][0] += parts;
    for (int kind = 0; kind < NINEXACT_KEPT; kind++)
        if (src->kept[kind].valid) offer(dst, kind, src->kept[kind].value, src->kept[kind].index);
}

/* ---- states ---------------------------------------------------------------------------------- */

struct inexact_state {
    const struct program *program; /* not owned */
    const struct kernels *kernels;
    struct inexact_rule *rules; /* by group */
    uint8_t *used;              /* by group: some reduction is over it, not the books alone */
    struct inexact *groups;
    double *scratch;
};

static size_t group_of(const struct program *p, int32_t value, int32_t mask) {
    size_t k = 0;
    while (k < p->ngroups && (p->groups[k].value != value || p->groups[k].mask != mask))
        k++;
    return k;
}

static void choose_rules(struct inexact_state *s) {
    const struct program *p = s->program;
    for (size_t i = 0; i < p->ast->npipelines; i++) {
        const struct lowered_pipeline *pipeline = &p->pipelines[i];
        for (size_t j = 0; j < pipeline->nreductions; j++) {
            const struct lowered_reduction *r = &pipeline->reductions[j];
            const struct inexact_reduction *inexact = inexact_reduction_of(r->info);
            size_t k = group_of(p, inexact_value_node(p, pipeline, r), pipeline->mask);
            s->rules[k].loops |= inexact->loops;
            s->rules[k].kept |= inexact->kept;
            s->rules[k].skip_nan = p->skip_nan;
            s->used[k] = 1;
        }
    }
}

struct inexact_state *inexact_state_create(const struct program *p, const struct kernels *kernels) {
    struct inexact_state *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->program = p;
    s->kernels = kernels;
    s->rules = calloc(p->ngroups + 1, sizeof *s->rules);
    s->used = calloc(p->ngroups + 1, 1);
    s->groups = calloc(p->ngroups + 1, sizeof *s->groups);
    s->scratch = malloc(INEXACT_SCRATCH * sizeof *s->scratch);
    if (s->rules == NULL || s->used == NULL || s->groups == NULL || s->scratch == NULL) {
        inexact_state_free(s);
        return NULL;
    }
    for (size_t k = 0; k < p->ngroups; k++)
        inexact_init(&s->groups[k]);
    choose_rules(s);
    return s;
}

void inexact_state_free(struct inexact_state *s) {
    if (s == NULL) return;
    free(s->rules);
    free(s->used);
    free(s->groups);
    free(s->scratch);
    free(s);
}

void inexact_state_add(struct inexact_state *s, const struct acc_group *group, const struct block *b) {
    size_t k = (size_t)(group - s->program->groups);
    if (s->used[k]) inexact_add(&s->groups[k], &s->rules[k], s->kernels, b, s->scratch);
}

void inexact_state_merge(struct inexact_state *dst, const struct inexact_state *src) {
    for (size_t k = 0; k < dst->program->ngroups; k++)
        inexact_merge(&dst->groups[k], &src->groups[k]);
}

double inexact_state_finish(const struct inexact_state *s, const struct lowered_pipeline *pipeline,
                            const struct lowered_reduction *r) {
    int32_t value = inexact_value_node(s->program, pipeline, r);
    size_t k = group_of(s->program, value, pipeline->mask);
    return inexact_reduction_of(r->info)->finish(&s->groups[k]);
}
