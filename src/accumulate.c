/* Adding a block of values to the accumulators of a group.
 *
 * Values stay in the type they are stored in: counts, extremes and integer sums by integer loops
 * (block_integers.h), sums of floating point by the cheapest level that takes the block exactly
 * (block_sums.h), which a hint remembers for the next block.  A sum that was exact by plain additions
 * has met no NaN and no infinity, so that counting those costs nothing. */
#include <math.h>
#include <string.h>

#include "block_integers.h"
#include "block_stats.h"
#include "inexact.h"
#include "state.h"

#define LONGEST_WAIT 127 /* blocks; of the form 2^k - 1 */

/* A block as kernels see it: native elements one after the other, all of which count. */
struct view {
    const struct kernels *kernels;
    const unsigned char *p;
    size_t n, itemsize;
    enum dtype type; /* of native elements */
    int magnitude;
};

/* What is known of a block, or not yet. */
struct findings {
    int no_nan, no_infinity;
    int has_extremes;
    struct block_extremes extremes;
};

/* ---- views ----------------------------------------------------------------------------------- */

static enum dtype native_dtype(enum dtype type) {
    if (type == DTYPE_F16 || type == DTYPE_BF16) return DTYPE_F32;
    return type == DTYPE_BOOL ? DTYPE_U8 : type;
}

static struct view view_of_stored(const struct state *s, const struct block *b) {
    const struct integer_kernels *k = s->kernels->integers;
    struct view v = {.kernels = s->kernels, .p = b->stored, .n = b->n, .magnitude = b->magnitude};
    v.type = native_dtype(b->dtype);
    v.itemsize = dtype_table[v.type].itemsize;
    void (*make)(const unsigned char *, size_t, void *) = (b->swap ? k->swapped : k->native)[b->dtype];
    if (make != NULL) {
        make(b->stored, b->n, s->scratch);
        v.p = (const unsigned char *)s->scratch;
    }
    return v;
}

static struct view view_of_values(const struct state *s, const struct block *b) {
    return (struct view){.kernels = s->kernels,
                         .p = (const unsigned char *)b->f64,
                         .n = b->n,
                         .itemsize = sizeof *b->f64,
                         .type = DTYPE_F64};
}

static struct view view_of(const struct state *s, const struct block *b) {
    return b->stored != NULL ? view_of_stored(s, b) : view_of_values(s, b);
}

static enum native_float native_float(const struct view *v) {
    return v->type == DTYPE_F32 ? NATIVE_F32 : NATIVE_F64;
}

/* ---- values in binary64 ---------------------------------------------------------------------- */

const double *block_values(const struct block *b, const struct kernels *kernels, size_t at, size_t n,
                           double *scratch) {
    if (b->stored != NULL) {
        size_t itemsize = dtype_table[b->dtype].itemsize;
        kernels->loads->f64[b->dtype](b->swap, b->stored + at * itemsize, itemsize, n, scratch);
        for (size_t i = 0; b->magnitude && i < n; i++)
            scratch[i] = fabs(scratch[i]);
        return scratch;
    }
    if (b->storage == STORE_F64) return b->f64 + at;
    for (size_t i = 0; i < n; i++)
        scratch[i] = b->neg[at + i] ? -(double)b->mag[at + i] : (double)b->mag[at + i];
    return scratch;
}

/* ---- single lanes ---------------------------------------------------------------------------- */

static double lane_f64(const struct state *s, const struct block *b, size_t i) {
    double v;
    size_t itemsize = dtype_table[b->dtype].itemsize;
    if (b->stored == NULL) return b->f64[i];
    s->kernels->loads->f64[b->dtype](b->swap, b->stored + i * itemsize, itemsize, 1, &v);
    return b->magnitude ? fabs(v) : v;
}

static struct scalar scalar_of(enum value_type type, double v) {
    struct scalar s = {type, 0, 0, 0};
    if (type == TYPE_INT)
        s.mag = (uint64_t)fabs(v), s.neg = v < 0;
    else
        s.f = v;
    return s;
}

static struct scalar lane_value(const struct state *s, const struct block *b, size_t i) {
    if (b->storage == STORE_WIDE) return (struct scalar){TYPE_INT, b->neg[i], b->mag[i], 0};
    return scalar_of(b->type, lane_f64(s, b, i));
}

/* ---- sums of floating point -------------------------------------------------------------------- */

/* Parts of a sum have units of their own. */
static void add_parts(const struct sum_kernels *k, struct exact *x, const double *sums, int nparts) {
    for (int i = 0; i < nparts; i++)
        exact_add_sums(x, sums + i * k->lanes, (size_t)k->lanes);
}

static int sum_at_level(const struct view *v, int level, int drop_nan, struct group_hint *hint,
                        struct exact *x) {
    const struct sum_kernels *k = v->kernels->sums;
    double sums[2 * MAX_LANES];
    int type = native_float(v), exact;
    if (level == 0)
        exact = k->plain[type](v->p, v->n, v->magnitude, drop_nan, sums);
    else
        exact = k->windows[type](v->p, v->n, v->magnitude, drop_nan, &hint->sums, sums);
    if (exact) add_parts(k, x, sums, level + 1);
    return exact;
}

static void sum_by_bins(const struct view *v, struct exact *x) {
    exact_add_native(x, v->kernels->integers, v->type, v->p, v->magnitude, v->n);
}

/* The level to begin with: sometimes a lower one than what the last block took. */
static int first_level(struct group_hint *hint) {
    if (hint->level == 0) return 0;
    if (hint->left > 0) {
        hint->left--;
        return hint->level;
    }
    return hint->level - 1;
}

/* Waits twice as long each time that the lower level was tried in vain. */
static void remember_level(struct group_hint *hint, int began, int took) {
    if (took > began) {
        hint->wait = took == hint->level && hint->wait < LONGEST_WAIT ? (uint8_t)(2 * hint->wait + 1)
                                                                      : hint->wait;
        hint->left = hint->wait;
    } else if (took < hint->level) {
        hint->wait = 0;
        hint->left = 0;
    }
    hint->level = (uint8_t)took;
}

static void add_sum(struct state *s, const struct view *v, struct group_hint *hint, struct exact *x,
                    struct findings *f) {
    int began = first_level(hint), level = began, drop = hint->drop_nan;
    while (level < 2 && !sum_at_level(v, level, drop, hint, x)) {
        int has_nan = !drop && v->kernels->integers->count_nan[v->type](v->p, v->n) > 0;
        if (has_nan)
            drop = 1;
        else
            level++;
    }
    if (level == 2) sum_by_bins(v, x);
    if (level < 2) f->no_infinity = 1;
    if (level < 2 && !drop) f->no_nan = 1;
    remember_level(hint, began, level);
    hint->drop_nan = (uint8_t)drop;
    s->levels[level]++;
}

/* ---- sums of squares --------------------------------------------------------------------------- */

static void add_window_sum(struct exact *x, const struct stats_kernels *k,
                           const struct window_sum *sum) {
    for (int w = 0; w < WINDOWS; w++)
        exact_add_integer(x, sum->high[w], sum->unit[w]);
    exact_add_sums(x, sum->low, (size_t)k->lanes);
}

/* Sum, squares and extremes in two trips; sets *f. */
static void add_two_trips(struct state *s, const struct view *v, struct group_hint *hint,
                          struct exact *s1, struct exact *s2, struct findings *f) {
    const struct stats_kernels *k = v->kernels->stats;
    struct block_stats st;
    _Static_assert(MAX_STORED <= STATS_TERMS, "a block is one of stats");
    k->stats[native_float(v)](v->p, v->n, v->magnitude, hint->drop_nan, &st);
    if (st.has_nan) {
        hint->drop_nan = 1;
        k->stats[native_float(v)](v->p, v->n, v->magnitude, 1, &st);
    }
    *f = (struct findings){st.exact && !hint->drop_nan, st.exact, 1, st.extremes};
    s->levels[st.exact ? 1 : 2]++;
    if (st.exact) {
        add_window_sum(s2, k, &st.sums[SUM_SQUARES]);
        if (v->type == DTYPE_F64) add_window_sum(s2, k, &st.sums[SUM_ERRORS]);
    } else {
        sum_by_bins(v, s2);
    }
    if (s1 != NULL && st.exact) {
        add_window_sum(s1, k, &st.sums[SUM_VALUES]);
        s->levels[st.plain ? 0 : 1]++;
    } else if (s1 != NULL) {
        add_sum(s, v, hint, s1, f);
    }
}

/* The same in one trip, if the block is as those before it were; returns whether it was.  Nothing of a
 * failed trip is added. */
static int add_one_trip(struct state *s, const struct view *v, struct group_hint *hint,
                        struct exact *s1, struct exact *s2, struct findings *f) {
    const struct stats_kernels *k = v->kernels->stats;
    size_t lanes = (size_t)k->lanes;
    struct one_trip t;
    if (v->type != DTYPE_F32 || k->one_trip == NULL) return 0;
    if (hint->trip_left > 0) {
        hint->trip_left--;
        return 0;
    }
    if (!k->one_trip(v->p, v->n, v->magnitude, hint->drop_nan, hint->largest, &t)) {
        hint->trip_left = hint->trip_wait;
        if (hint->trip_wait < LONGEST_WAIT) hint->trip_wait = (uint8_t)(2 * hint->trip_wait + 1);
        return 0;
    }
    hint->trip_wait = 0;
    *f = (struct findings){!hint->drop_nan, 1, 1, t.extremes};
    exact_add_sums(s2, t.squares, lanes);
    exact_add_sums(s2, t.errors, lanes);
    if (s1 != NULL) exact_add_sums(s1, t.values, lanes);
    s->levels[1]++;
    s->levels[0] += s1 != NULL;
    return 1;
}

static void remember_largest(const struct block_extremes *e, struct group_hint *hint) {
    double largest = fmax(fabs(e->min), fabs(e->max));
    if (isfinite(largest)) hint->largest = largest;
}

static void add_stats(struct state *s, const struct view *v, struct group_hint *hint, struct exact *s1,
                      struct exact *s2, struct findings *f) {
    if (!add_one_trip(s, v, hint, s1, s2, f)) add_two_trips(s, v, hint, s1, s2, f);
    remember_largest(&f->extremes, hint);
}

/* ---- extremes -------------------------------------------------------------------------------- */

static int has_zero_of_sign(const struct view *v, int neg) {
    uint64_t bits = neg ? (v->type == DTYPE_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63) : 0;
    if (v->magnitude || (v->type != DTYPE_F32 && v->type != DTYPE_F64)) return !neg;
    return v->kernels->integers->count_bits[v->type](v->p, v->n, bits) > 0;
}

/* An extreme that is a zero may be of either sign, in which -0 < +0. */
static double signed_zero(const struct view *v, int kind) {
    int preferred = kept_is_highest(kind) ? 0 : 1;
    int neg = has_zero_of_sign(v, preferred) ? preferred : !preferred;
    return neg ? -0.0 : 0.0;
}

static void offer_with_index(struct state *s, struct kept *k, int kind, const struct block *b,
                             const struct scalar *value) {
    for (size_t i = 0; i < b->n; i++) {
        struct scalar v = lane_value(s, b, i);
        if ((v.type == TYPE_F64 && isnan(v.f)) || scalar_order(&v, value) != 0) continue;
        kept_offer(k, kind, value, block_index(b, i));
        if (b->counts_up) return;
    }
}

static void offer_extreme(struct state *s, int kind, struct kept *k, const struct block *b,
                          const struct view *v, const struct block_extremes *e) {
    double value = kept_is_highest(kind) ? e->max : e->min;
    uint64_t lowest = b->counts_up ? block_index(b, 0) : 0;
    struct scalar candidate = scalar_of(b->type, value);
    if (value == 0 && b->type == TYPE_F64) {
        candidate.f = kept_is_highest(kind) ? 0.0 : -0.0; /* the best that it can be */
        if (!kept_is_better(k, kind, &candidate, lowest)) return;
        candidate.f = signed_zero(v, kind);
    }
    if (!kept_is_better(k, kind, &candidate, lowest)) return;
    if (kept_has_index(kind))
        offer_with_index(s, k, kind, b, &candidate);
    else
        kept_offer(k, kind, &candidate, 0);
}

static int wants_extremes(const struct acc_group *g) {
    return g->acc[ACC_MIN] >= 0 || g->acc[ACC_MAX] >= 0 || g->acc[ACC_ARGMIN] >= 0 ||
           g->acc[ACC_ARGMAX] >= 0;
}

static void offer_extremes(struct state *s, const struct acc_group *g, const struct block *b,
                           const struct view *v, const struct block_extremes *e) {
    if (e->min > e->max) return; /* nothing but NaN */
    for (int kind = ACC_MIN; kind <= ACC_ARGMAX; kind++)
        if (g->acc[kind] >= 0) offer_extreme(s, kind, &s->acc[g->acc[kind]].kept, b, v, e);
}

static void add_extremes(struct state *s, const struct acc_group *g, const struct block *b,
                         const struct view *v, struct findings *f) {
    if (!f->has_extremes) {
        v->kernels->stats->extremes[native_float(v)](v->p, v->n, v->magnitude, &f->extremes);
        f->no_infinity |= f->extremes.max < INFINITY && f->extremes.min > -INFINITY;
    }
    offer_extremes(s, g, b, v, &f->extremes);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static uint64_t *counter(struct state *s, const struct acc_group *g, int kind) {
    return g->acc[kind] < 0 ? NULL : &s->acc[g->acc[kind]].count;
}

static void add_to(uint64_t *count, size_t n) {
    if (count != NULL) *count += n;
}

static void add_nan_index(struct state *s, const struct acc_group *g, const struct block *b) {
    int32_t k = g->acc[ACC_NAN];
    if (k < 0 || !s->program->accs[k].keep_index) return;
    struct kept *kept = &s->acc[k].kept;
    if (kept->valid && b->counts_up && kept->index <= block_index(b, 0)) return;
    for (size_t i = 0; i < b->n; i++) {
        if (!isnan(lane_f64(s, b, i))) continue;
        kept_lowest_index(kept, block_index(b, i));
        if (b->counts_up) return;
    }
}

static void add_books(struct state *s, const struct acc_group *g, const struct block *b,
                      const struct view *v, const struct findings *f) {
    struct float_counts c = {0, 0, 0};
    if (f->no_nan && f->no_infinity) return;
    if (f->no_infinity)
        c.nan = v->kernels->integers->count_nan[v->type](v->p, v->n);
    else
        v->kernels->integers->count_special[v->type](v->p, v->n, &c);
    if (v->magnitude) c.posinf += c.neginf, c.neginf = 0;
    add_to(counter(s, g, ACC_NAN), c.nan);
    add_to(counter(s, g, ACC_POSINF), c.posinf);
    add_to(counter(s, g, ACC_NEGINF), c.neginf);
    if (c.nan > 0) add_nan_index(s, g, b);
    if (c.nan == 0) s->hints[g - s->program->groups].drop_nan = 0;
}

/* ---- blocks by type of value ------------------------------------------------------------------- */

static struct exact *sum_of(struct state *s, const struct acc_group *g, int kind) {
    return g->acc[kind] < 0 ? NULL : s->acc[g->acc[kind]].exact;
}

static void add_floats(struct state *s, const struct acc_group *g, const struct block *b,
                       const struct view *v) {
    struct group_hint *hint = &s->hints[g - s->program->groups];
    struct findings f = {0};
    struct exact *s1 = sum_of(s, g, ACC_S1), *s2 = sum_of(s, g, ACC_S2);
    if (s2 != NULL)
        add_stats(s, v, hint, s1, s2, &f);
    else if (s1 != NULL)
        add_sum(s, v, hint, s1, &f);
    if (wants_extremes(g)) add_extremes(s, g, b, v, &f);
    if (b->type == TYPE_F64) add_books(s, g, b, v, &f);
}

static void add_small_integers(struct state *s, const struct acc_group *g, const struct block *b,
                               const struct view *v) {
    const struct integer_kernels *k = v->kernels->integers;
    struct exact *s1 = sum_of(s, g, ACC_S1), *s2 = sum_of(s, g, ACC_S2);
    if (s1 != NULL) exact_add_integer(s1, k->sum[v->type](v->p, v->n, v->magnitude), 0);
    if (s2 != NULL) exact_add_integer(s2, (__int128)k->squares[v->type](v->p, v->n), 0);
    s->levels[0] += (s1 != NULL) + (s2 != NULL);
    if (wants_extremes(g) && v->n > 0) {
        int64_t min, max;
        k->extremes[v->type](v->p, v->n, v->magnitude, &min, &max);
        struct block_extremes e = {(double)min, (double)max};
        offer_extremes(s, g, b, v, &e);
    }
}

static void add_wide(struct state *s, const struct acc_group *g, const struct block *b) {
    size_t nonzero = 0;
    struct exact *s1 = sum_of(s, g, ACC_S1), *s2 = sum_of(s, g, ACC_S2);
    if (s1 != NULL) exact_add_wide(s1, b->mag, b->neg, b->n);
    if (s2 != NULL) exact_add_wide(s2, b->mag, b->neg, b->n);
    s->levels[0] += (s1 != NULL) + (s2 != NULL);
    for (size_t i = 0; g->acc[ACC_NONZERO] >= 0 && i < b->n; i++)
        nonzero += b->mag[i] != 0;
    add_to(counter(s, g, ACC_NONZERO), nonzero);
    for (int kind = ACC_MIN; kind <= ACC_ARGMAX; kind++) {
        if (g->acc[kind] < 0) continue;
        for (size_t i = 0; i < b->n; i++) {
            struct scalar v = lane_value(s, b, i);
            kept_offer(&s->acc[g->acc[kind]].kept, kind, &v, block_index(b, i));
        }
    }
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* The first or the last lane that counts, or all of them where indices do not count up. */
static void add_end(struct state *s, int kind, int32_t acc, const struct block *b) {
    const struct accumulator *what = &s->program->accs[acc];
    struct kept *k = &s->acc[acc].kept;
    uint64_t best = block_index(b, kind == ACC_LAST ? b->n - 1 : 0);
    if (b->counts_up && k->valid && (kind == ACC_FIRST ? k->index < best : k->index > best)) return;
    for (size_t j = 0; j < b->n; j++) {
        size_t i = kind == ACC_LAST ? b->n - 1 - j : j;
        struct scalar v = lane_value(s, b, i);
        if (!state_is_candidate(what, &v)) continue;
        kept_offer(k, kind, &v, block_index(b, i));
        if (b->counts_up) return;
    }
}

/* ---- logarithms ------------------------------------------------------------------------------ */

static void add_logarithms(struct state *s, struct product *p, const struct block *b) {
    if (b->storage == STORE_WIDE) {
        product_add_wide(p, b->mag, b->neg, b->n);
        return;
    }
    product_add_f64(p, block_values(b, s->kernels, 0, b->n, s->scratch), b->n);
}

/* ---- all ------------------------------------------------------------------------------------- */

static int only_counts(const struct acc_group *g) {
    for (int kind = 0; kind < NACCUMULATORS; kind++)
        if (kind != ACC_COUNT && g->acc[kind] >= 0) return 0;
    return 1;
}

void state_add(struct state *s, const struct acc_group *g, const struct block *b) {
    const struct integer_kernels *k = s->kernels->integers;
    if (s->inexact != NULL) {
        inexact_state_add(s->inexact, g, b);
        return;
    }
    add_to(counter(s, g, ACC_COUNT), b->mask == NULL ? b->n : k->count_mask(b->mask, b->n));
    if (only_counts(g)) return;
    if (g->acc[ACC_FIRST] >= 0) add_end(s, ACC_FIRST, g->acc[ACC_FIRST], b);
    if (g->acc[ACC_LAST] >= 0) add_end(s, ACC_LAST, g->acc[ACC_LAST], b);
    if (b->storage == STORE_WIDE) {
        add_wide(s, g, b);
    } else {
        struct view v = view_of(s, b);
        if (g->acc[ACC_NONZERO] >= 0) add_to(counter(s, g, ACC_NONZERO), k->nonzero[v.type](v.p, v.n));
        if (v.type == DTYPE_F32 || v.type == DTYPE_F64)
            add_floats(s, g, b, &v);
        else
            add_small_integers(s, g, b, &v);
    }
    if (g->acc[ACC_LOG] >= 0) add_logarithms(s, s->acc[g->acc[ACC_LOG]].product, b);
}
