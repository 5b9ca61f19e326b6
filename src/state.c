/* Accumulator states: what they are made of, equal values, and merging.  Adding blocks is
 * accumulate.c's, the bytes of a state are state_serial.c's, the exact sums exact.c's, from states to
 * results finish.c's. */
#include "state.h"

#include <math.h>
#include <stdlib.h>

#include "error.h"
#include "inexact.h"

/* ---- create and free ------------------------------------------------------------------------- */

static int acc_init(struct acc_state *a, int kind) {
    a->kind = (uint8_t)kind;
    if (kind == ACC_S1 || kind == ACC_S2) {
        a->exact = exact_create(kind == ACC_S1 ? EXACT_SUM : EXACT_SQUARES);
        return a->exact == NULL;
    }
    if (kind == ACC_LOG) {
        a->product = malloc(sizeof *a->product);
        if (a->product == NULL) return 1;
        product_init(a->product);
    }
    return 0;
}

int state_create(const struct program *p, const struct kernels *kernels, struct state **out,
                 onepass_error *err) {
    struct state *s = calloc(1, sizeof *s);
    if (s == NULL) return error_no_memory(err);
    s->program = p;
    s->kernels = kernels;
    s->rounded = p->rounded;
    s->scratch = aligned_alloc(64, MAX_STORED * sizeof *s->scratch);
    s->hints = calloc(p->ngroups + 1, sizeof *s->hints);
    s->acc = calloc(p->naccs, sizeof *s->acc);
    s->naccs = s->acc == NULL ? 0 : p->naccs;
    int failed = s->acc == NULL || s->scratch == NULL || s->hints == NULL;
    if (p->inexact) failed |= (s->inexact = inexact_state_create(p, kernels)) == NULL;
    for (size_t k = 0; k < s->naccs; k++)
        failed |= acc_init(&s->acc[k], p->accs[k].kind);
    if (failed) {
        state_free(s);
        return error_no_memory(err);
    }
    s->program_id = state_program_id(p);
    *out = s;
    return 0;
}

void state_free(struct state *s) {
    if (s == NULL) return;
    for (size_t k = 0; k < s->naccs; k++) {
        exact_free(s->acc[k].exact);
        free(s->acc[k].product);
    }
    free(s->acc);
    free(s->scratch);
    free(s->hints);
    inexact_state_free(s->inexact);
    free(s);
}

/* ---- equal values ----------------------------------------------------------------------------- */

/* NaN is never an extreme (it is counted beside), and an end only if it is not passed over. */
int state_is_candidate(const struct accumulator *what, const struct scalar *v) {
    if (v->type == TYPE_INT || !isnan(v->f)) return 1;
    return !kept_is_extreme(what->kind) && !what->skip_nan;
}

static void add_exact_repeated(struct exact *x, const struct scalar *v, uint64_t count) {
    if (v->type == TYPE_INT)
        exact_add_repeated_wide(x, v->mag, v->neg, count);
    else
        exact_add_repeated_f64(x, v->f, count);
}

static void add_product_repeated(struct product *p, const struct scalar *v, uint64_t count) {
    if (v->type == TYPE_INT)
        product_add_repeated_wide(p, v->mag, v->neg, count);
    else
        product_add_repeated_f64(p, v->f, count);
}

void state_add_repeated(struct acc_state *a, const struct accumulator *what, const struct scalar *v,
                        uint64_t count, uint64_t index0) {
    int is_f64 = v->type == TYPE_F64;
    if (count == 0) return;
    switch (what->kind) {
    case ACC_COUNT:
        a->count += count;
        break;
    case ACC_NAN:
        if (!is_f64 || !isnan(v->f)) break;
        a->count += count;
        if (what->keep_index) kept_lowest_index(&a->kept, index0);
        break;
    case ACC_POSINF:
        a->count += is_f64 && v->f == INFINITY ? count : 0;
        break;
    case ACC_NEGINF:
        a->count += is_f64 && v->f == -INFINITY ? count : 0;
        break;
    case ACC_NONZERO:
        a->count += (is_f64 ? v->f != 0 : v->mag != 0) ? count : 0;
        break;
    case ACC_S1:
    case ACC_S2:
        add_exact_repeated(a->exact, v, count);
        break;
    case ACC_LOG:
        add_product_repeated(a->product, v, count);
        break;
    case ACC_LAST:
        index0 += count - 1; /* fall through */
    default:
        if (state_is_candidate(what, v)) kept_offer(&a->kept, what->kind, v, index0);
        break;
    }
}

/* ---- merge ----------------------------------------------------------------------------------- */

static void acc_merge(struct acc_state *dst, struct acc_state *src) {
    dst->count += src->count;
    if (src->exact != NULL) exact_merge(dst->exact, src->exact);
    if (src->product != NULL) product_merge(dst->product, src->product);
    if (!src->kept.valid) return;
    if (dst->kind == ACC_NAN)
        kept_lowest_index(&dst->kept, src->kept.index);
    else
        kept_offer(&dst->kept, dst->kind, &src->kept.value, src->kept.index);
}

void state_merge(struct state *dst, struct state *src) {
    for (size_t k = 0; k < dst->naccs; k++)
        acc_merge(&dst->acc[k], &src->acc[k]);
    if (dst->inexact != NULL) inexact_state_merge(dst->inexact, src->inexact);
    dst->nelems += src->nelems;
    dst->rounded |= src->rounded;
    for (int level = 0; level < NLEVELS; level++)
        dst->levels[level] += src->levels[level];
}
