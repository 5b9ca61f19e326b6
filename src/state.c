/* Accumulator states: adding blocks of values, and merging.  The bytes of a state are
 * state_serial.c's, the exact sums exact.c's, from states to results finish.c's. */
#include "state.h"

#include <math.h>
#include <stdlib.h>

#include "error.h"
#include "plain.h"

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
    s->scratch = malloc(MAX_STORED * sizeof *s->scratch);
    s->acc = calloc(p->naccs, sizeof *s->acc);
    s->naccs = s->acc == NULL ? 0 : p->naccs;
    int failed = s->acc == NULL || s->scratch == NULL;
    if (p->inexact) failed |= (s->plain = plain_state_create(p, kernels)) == NULL;
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
    plain_state_free(s->plain);
    free(s);
}

/* ---- counters -------------------------------------------------------------------------------- */

static uint64_t lane_index(const struct block *b, size_t lane) {
    return b->index != NULL ? b->index[lane] : b->index0 + lane;
}

static int lane_taken(const struct block *b, size_t lane) {
    return b->mask == NULL || b->mask[lane];
}

static void add_count(struct acc_state *a, const struct accumulator *what, const struct block *b) {
    (void)what;
    if (b->mask == NULL) {
        a->count += b->n;
        return;
    }
    for (size_t i = 0; i < b->n; i++)
        a->count += b->mask[i];
}

static void keep_lowest(struct kept *k, uint64_t index) {
    if (k->valid && k->index <= index) return;
    k->valid = 1;
    k->index = index;
}

static void add_nan(struct acc_state *a, const struct accumulator *what, const struct block *b) {
    size_t found = 0;
    if (b->type == TYPE_INT) return;
    for (size_t i = 0; i < b->n; i++)
        found += isnan(b->f64[i]) && lane_taken(b, i);
    a->count += found;
    for (size_t i = 0; found > 0 && what->keep_index && i < b->n; i++)
        if (isnan(b->f64[i]) && lane_taken(b, i)) keep_lowest(&a->kept, lane_index(b, i));
}

static void add_infinities(struct acc_state *a, const struct accumulator *what, const struct block *b) {
    double infinity = what->kind == ACC_POSINF ? INFINITY : -INFINITY;
    size_t found = 0;
    if (b->type == TYPE_INT) return;
    for (size_t i = 0; i < b->n; i++)
        found += b->f64[i] == infinity && lane_taken(b, i);
    a->count += found;
}

static void add_nonzero(struct acc_state *a, const struct accumulator *what, const struct block *b) {
    (void)what;
    size_t found = 0;
    for (size_t i = 0; i < b->n; i++)
        found += (b->storage == STORE_WIDE ? b->mag[i] != 0 : b->f64[i] != 0) && lane_taken(b, i);
    a->count += found;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_exact(struct acc_state *a, const struct accumulator *what, const struct block *b) {
    (void)what;
    if (b->storage == STORE_WIDE)
        exact_add_wide(a->exact, b->mag, b->neg, b->mask, b->n);
    else
        exact_add_f64(a->exact, b->f64, b->mask, b->n);
}

static void add_product(struct acc_state *a, const struct accumulator *what, const struct block *b) {
    (void)what;
    if (b->storage == STORE_WIDE)
        product_add_wide(a->product, b->mag, b->neg, b->mask, b->n);
    else
        product_add_f64(a->product, b->f64, b->mask, b->n);
}

/* ---- kept values ----------------------------------------------------------------------------- */

static struct scalar lane_value(const struct block *b, size_t i) {
    struct scalar s = {b->type, 0, 0, 0};
    if (b->storage == STORE_WIDE)
        s.mag = b->mag[i], s.neg = b->neg[i];
    else if (b->type == TYPE_INT)
        s.mag = (uint64_t)fabs(b->f64[i]), s.neg = b->f64[i] < 0;
    else
        s.f = b->f64[i];
    return s;
}

/* One candidate against what is kept; the order is total with the index, so any order of candidates
 * keeps the same one. */
static void offer(struct kept *k, int kind, const struct scalar *v, uint64_t index) {
    int better = !k->valid;
    if (!better && kind == ACC_FIRST) {
        better = index < k->index;
    } else if (!better && kind == ACC_LAST) {
        better = index > k->index;
    } else if (!better) {
        int order = scalar_order(v, &k->value);
        if (kind == ACC_MAX || kind == ACC_ARGMAX) order = -order;
        int indexed = kind == ACC_ARGMIN || kind == ACC_ARGMAX;
        better = order < 0 || (order == 0 && indexed && index < k->index);
    }
    if (!better) return;
    k->valid = 1;
    k->value = *v;
    k->index = kind == ACC_MIN || kind == ACC_MAX ? 0 : index;
}

static int is_extreme(int kind) {
    return kind == ACC_MIN || kind == ACC_MAX || kind == ACC_ARGMIN || kind == ACC_ARGMAX;
}

/* NaN is never an extreme (it is counted beside), and an end only if it is not passed over. */
static int is_candidate(const struct accumulator *what, const struct scalar *v) {
    if (v->type == TYPE_INT || !isnan(v->f)) return 1;
    return !is_extreme(what->kind) && !what->skip_nan;
}

/* Most blocks hold nothing better than what is kept, which a loop of comparisons finds sooner.  Equal
 * values count as better where the index, or the sign of a zero, decides.  NaN is never worse. */
static int block_is_worse(const struct kept *k, int kind, const struct block *b) {
    if (!k->valid || !is_extreme(kind) || b->storage != STORE_F64) return 0;
    double best = scalar_f64(&k->value), side = kind == ACC_MIN || kind == ACC_ARGMIN ? 1 : -1;
    int equal_counts = kind == ACC_ARGMIN || kind == ACC_ARGMAX || best == 0;
    size_t worse = 0;
    best *= side;
    if (equal_counts)
        for (size_t i = 0; i < b->n; i++)
            worse += b->f64[i] * side > best;
    else
        for (size_t i = 0; i < b->n; i++)
            worse += b->f64[i] * side >= best;
    return worse == b->n;
}

static void add_kept(struct acc_state *a, const struct accumulator *what, const struct block *b) {
    if (block_is_worse(&a->kept, what->kind, b)) return;
    for (size_t i = 0; i < b->n; i++) {
        if (!lane_taken(b, i)) continue;
        struct scalar v = lane_value(b, i);
        if (is_candidate(what, &v)) offer(&a->kept, what->kind, &v, lane_index(b, i));
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef void adder(struct acc_state *, const struct accumulator *, const struct block *);

static adder *const adders[NACCUMULATORS] = {
    [ACC_COUNT] = add_count,       [ACC_NAN] = add_nan,         [ACC_POSINF] = add_infinities,
    [ACC_NEGINF] = add_infinities, [ACC_NONZERO] = add_nonzero, [ACC_S1] = add_exact,
    [ACC_S2] = add_exact,          [ACC_LOG] = add_product,     [ACC_MIN] = add_kept,
    [ACC_MAX] = add_kept,          [ACC_ARGMIN] = add_kept,     [ACC_ARGMAX] = add_kept,
    [ACC_FIRST] = add_kept,        [ACC_LAST] = add_kept,
};

/* The stored elements as binary64. */
static void load_stored(const struct state *s, struct block *b) {
    b->f64 = s->scratch;
    s->kernels->loads->f64[b->dtype](b->swap, b->stored, dtype_table[b->dtype].itemsize, b->n,
                                     s->scratch);
    for (size_t i = 0; b->magnitude && i < b->n; i++)
        s->scratch[i] = fabs(s->scratch[i]);
}

void state_add(struct state *s, const struct acc_group *group, const struct block *block) {
    struct block b = *block;
    if (s->plain != NULL) {
        plain_state_add(s->plain, group, block);
        return;
    }
    if (b.stored != NULL) load_stored(s, &b);
    for (int kind = 0; kind < NACCUMULATORS; kind++) {
        int32_t k = group->acc[kind];
        if (k >= 0) adders[kind](&s->acc[k], &s->program->accs[k], &b);
    }
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
        if (what->keep_index) keep_lowest(&a->kept, index0);
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
        if (is_candidate(what, v)) offer(&a->kept, what->kind, v, index0);
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
        keep_lowest(&dst->kept, src->kept.index);
    else
        offer(&dst->kept, dst->kind, &src->kept.value, src->kept.index);
}

void state_merge(struct state *dst, struct state *src) {
    for (size_t k = 0; k < dst->naccs; k++)
        acc_merge(&dst->acc[k], &src->acc[k]);
    if (dst->plain != NULL) plain_state_merge(dst->plain, src->plain);
    dst->nelems += src->nelems;
    dst->rounded |= src->rounded;
    for (int level = 0; level < NLEVELS; level++)
        dst->levels[level] += src->levels[level];
}
