/* From merged accumulators to results, by NUMBERS.md section 2 (onepass-pipeline(7), Numbers): each
 * finish_* is one reduction of reductions.def.  All real results are rounded once, by exact_ratio or
 * product_root; no intermediate is a binary64. */
#include "finish.h"

#include <math.h>

#include "exact.h"

/* ---- setting results ------------------------------------------------------------------------- */

static void set_real(struct finished *out, double v) {
    out->is_integer = 0;
    out->real = v;
}

static void set_integer(struct finished *out, uint64_t v) {
    out->is_integer = 1;
    bignum_set(&out->mag, v);
    out->neg = 0;
}

static void set_warned(struct finished *out, double v, enum finish_warning why) {
    set_real(out, v);
    out->warning = why;
}

/* A magnitude that exact_ratio or product_root rounded: Inf there means overflow. */
static void set_rounded(struct finished *out, double magnitude, int neg) {
    set_warned(out, neg ? -magnitude : magnitude, isinf(magnitude) ? WARN_OVERFLOW : WARN_NONE);
}

static void set_scalar(struct finished *out, const struct scalar *v) {
    if (v->type == TYPE_INT) {
        set_integer(out, v->mag);
        out->neg = v->neg;
    } else {
        set_real(out, v->f);
    }
}

/* ---- what NaN, infinities and emptiness decide, before any arithmetic ------------------------ */

static int has_nan(const struct finish_input *in) {
    return in->nan > 0 && !in->skip_nan;
}

static int has_inf(const struct finish_input *in) {
    return in->posinf > 0 || in->neginf > 0;
}

/* These return 1 when the result is decided. */
static int decided_by_nan(const struct finish_input *in, struct finished *out) {
    if (!has_nan(in)) return 0;
    set_real(out, NAN);
    return 1;
}

static int decided_by_empty(const struct finish_input *in, struct finished *out) {
    if (in->n > 0) return 0;
    set_warned(out, NAN, WARN_EMPTY);
    return 1;
}

/* Sums of signed values. */
static int decided_by_signed_inf(const struct finish_input *in, struct finished *out) {
    if (!has_inf(in)) return 0;
    int both = in->posinf > 0 && in->neginf > 0;
    set_real(out, both ? NAN : in->posinf > 0 ? INFINITY : -INFINITY);
    return 1;
}

/* Sums of magnitudes and squares; var and its kin instead have no value. */
static int decided_by_inf(const struct finish_input *in, struct finished *out, double value) {
    if (!has_inf(in)) return 0;
    set_real(out, value);
    return 1;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The accumulator's value as a result: every digit of an integer, else rounded once. */
static void set_sum(const struct finish_input *in, struct acc_state *acc, enum exact_kind kind,
                    struct finished *out) {
    exact_value(acc->exact, &out->mag, &out->neg);
    if (in->integer) {
        bignum_shift_right(&out->mag, -exact_unit(kind)); /* whole: nothing is lost */
        out->is_integer = 1;
    } else {
        set_rounded(out, exact_ratio(&out->mag, exact_unit(kind), 1, 1, 1, 0), out->neg);
    }
}

void finish_sum(const struct finish_input *in, struct finished *out) {
    if (decided_by_nan(in, out) || decided_by_signed_inf(in, out)) return;
    set_sum(in, in->acc[ACC_S1], EXACT_SUM, out);
}

void finish_mean(const struct finish_input *in, struct finished *out) {
    if (decided_by_empty(in, out) || decided_by_nan(in, out) || decided_by_signed_inf(in, out)) return;
    exact_value(in->acc[ACC_S1]->exact, &out->mag, &out->neg);
    set_rounded(out, exact_ratio(&out->mag, exact_unit(EXACT_SUM), in->n, 1, 1, 0), out->neg);
}

void finish_norm1(const struct finish_input *in, struct finished *out) {
    if (decided_by_nan(in, out) || decided_by_inf(in, out, INFINITY)) return;
    set_sum(in, in->acc[ACC_SABS], EXACT_SUM, out);
}

void finish_sumsq(const struct finish_input *in, struct finished *out) {
    if (decided_by_nan(in, out) || decided_by_inf(in, out, INFINITY)) return;
    set_sum(in, in->acc[ACC_S2], EXACT_SQUARES, out);
}

/* sqrt(S2 / n) */
static void root_of_squares(const struct finish_input *in, uint64_t n, struct finished *out) {
    exact_value(in->acc[ACC_S2]->exact, &out->mag, &out->neg);
    set_rounded(out, exact_ratio(&out->mag, exact_unit(EXACT_SQUARES), n, 1, 1, 1), 0);
}

void finish_norm2(const struct finish_input *in, struct finished *out) {
    if (decided_by_nan(in, out) || decided_by_inf(in, out, INFINITY)) return;
    root_of_squares(in, 1, out);
}

void finish_rms(const struct finish_input *in, struct finished *out) {
    if (decided_by_empty(in, out) || decided_by_nan(in, out) || decided_by_inf(in, out, INFINITY))
        return;
    root_of_squares(in, in->n, out);
}

/* ---- variance -------------------------------------------------------------------------------- */

/* (n*S2 - S1^2) / (n * (n - ddof) * den), or its root.  The numerator is in units of 2^-2148. */
static void spread(const struct finish_input *in, uint64_t ddof, uint64_t den, int root,
                   struct finished *out) {
    struct bignum sum, square;
    int neg;
    if (decided_by_empty(in, out)) return;
    if (in->n <= ddof) {
        set_warned(out, NAN, WARN_TOO_FEW);
        return;
    }
    if (decided_by_nan(in, out) || decided_by_inf(in, out, NAN)) return;
    exact_value(in->acc[ACC_S1]->exact, &sum, &neg);
    exact_value(in->acc[ACC_S2]->exact, &out->mag, &neg);
    bignum_mul_small(&out->mag, in->n);
    bignum_mul(&square, &sum, &sum);
    bignum_sub(&out->mag, &square);
    double r = exact_ratio(&out->mag, exact_unit(EXACT_SQUARES), in->n, in->n - ddof, den, root);
    set_rounded(out, r, 0);
}

void finish_var(const struct finish_input *in, struct finished *out) {
    spread(in, 0, 1, 0, out);
}

void finish_std(const struct finish_input *in, struct finished *out) {
    spread(in, 0, 1, 1, out);
}

void finish_var1(const struct finish_input *in, struct finished *out) {
    spread(in, 1, 1, 0, out);
}

void finish_std1(const struct finish_input *in, struct finished *out) {
    spread(in, 1, 1, 1, out);
}

void finish_sem(const struct finish_input *in, struct finished *out) {
    spread(in, 1, in->n, 1, out);
}

/* ---- extremes -------------------------------------------------------------------------------- */

static void set_kept(const struct finish_input *in, int kind, struct finished *out) {
    out->kept_value = 1;
    if (decided_by_empty(in, out) || decided_by_nan(in, out)) return;
    set_scalar(out, &in->acc[kind]->kept.value);
}

void finish_min(const struct finish_input *in, struct finished *out) {
    set_kept(in, ACC_MIN, out);
}

void finish_max(const struct finish_input *in, struct finished *out) {
    set_kept(in, ACC_MAX, out);
}

static void integer_difference(const struct scalar *a, const struct scalar *b, struct finished *out) {
    struct bignum other;
    bignum_set(&out->mag, a->mag);
    bignum_set(&other, b->mag);
    out->is_integer = 1;
    out->neg = 0; /* a >= b */
    if (a->neg != b->neg) {
        bignum_add(&out->mag, &other);
    } else if (a->neg) {
        bignum_sub(&other, &out->mag);
        out->mag = other;
    } else {
        bignum_sub(&out->mag, &other);
    }
}

void finish_range(const struct finish_input *in, struct finished *out) {
    if (decided_by_empty(in, out) || decided_by_nan(in, out)) return;
    const struct scalar *lo = &in->acc[ACC_MIN]->kept.value, *hi = &in->acc[ACC_MAX]->kept.value;
    if (in->integer) {
        integer_difference(hi, lo, out);
        return;
    }
    double difference = hi->f - lo->f;
    int overflow = isinf(difference) && !has_inf(in);
    set_warned(out, difference, overflow ? WARN_OVERFLOW : WARN_NONE);
}

static struct scalar magnitude(const struct scalar *v) {
    struct scalar m = {v->type, 0, v->mag, fabs(v->f)};
    return m;
}

void finish_absmax(const struct finish_input *in, struct finished *out) {
    out->kept_value = 1;
    if (decided_by_nan(in, out)) return;
    if (in->n == 0) {
        struct scalar zero = {in->integer ? TYPE_INT : TYPE_F64, 0, 0, 0.0};
        set_scalar(out, &zero);
        return;
    }
    struct scalar lo = magnitude(&in->acc[ACC_MIN]->kept.value);
    struct scalar hi = magnitude(&in->acc[ACC_MAX]->kept.value);
    set_scalar(out, scalar_order(&lo, &hi) > 0 ? &lo : &hi);
}

static void set_arg(const struct finish_input *in, int kind, struct finished *out) {
    if (decided_by_empty(in, out)) return;
    out->index = has_nan(in) ? in->nan_index : in->acc[kind]->kept.index;
    out->has_index = 1;
    set_integer(out, out->index);
}

void finish_argmin(const struct finish_input *in, struct finished *out) {
    set_arg(in, ACC_ARGMIN, out);
}

void finish_argmax(const struct finish_input *in, struct finished *out) {
    set_arg(in, ACC_ARGMAX, out);
}

static void set_end(const struct finish_input *in, int kind, struct finished *out) {
    out->kept_value = 1;
    if (!decided_by_empty(in, out)) set_scalar(out, &in->acc[kind]->kept.value);
}

void finish_first(const struct finish_input *in, struct finished *out) {
    set_end(in, ACC_FIRST, out);
}

void finish_last(const struct finish_input *in, struct finished *out) {
    set_end(in, ACC_LAST, out);
}

/* ---- counts ---------------------------------------------------------------------------------- */

void finish_count(const struct finish_input *in, struct finished *out) {
    set_integer(out, in->n);
}

/* NaN is true, unless it is skipped. */
static uint64_t nonzero_among(const struct finish_input *in) {
    return in->acc[ACC_NONZERO]->count - (in->skip_nan ? in->nan : 0);
}

void finish_nonzero(const struct finish_input *in, struct finished *out) {
    set_integer(out, nonzero_among(in));
}

void finish_any(const struct finish_input *in, struct finished *out) {
    set_integer(out, nonzero_among(in) > 0);
}

void finish_all(const struct finish_input *in, struct finished *out) {
    set_integer(out, nonzero_among(in) == in->n);
}

void finish_nnan(const struct finish_input *in, struct finished *out) {
    set_integer(out, in->nan);
}

void finish_ninf(const struct finish_input *in, struct finished *out) {
    set_integer(out, in->posinf + in->neginf);
}

/* ---- products -------------------------------------------------------------------------------- */

void finish_prod(const struct finish_input *in, struct finished *out) {
    const struct product *p = in->acc[ACC_LOG]->product;
    int neg = (p->signs & 1) && !(in->integer && p->zeros > 0); /* integers know no -0 */
    if (decided_by_nan(in, out)) return;
    if (p->zeros > 0)
        set_real(out, has_inf(in) ? NAN : neg ? -0.0 : 0.0);
    else if (has_inf(in))
        set_real(out, neg ? -INFINITY : INFINITY);
    else
        set_rounded(out, product_root(p, 1), neg);
}

void finish_geomean(const struct finish_input *in, struct finished *out) {
    const struct product *p = in->acc[ACC_LOG]->product;
    if (decided_by_empty(in, out) || decided_by_nan(in, out)) return;
    if (p->negatives > 0 || (p->zeros > 0 && has_inf(in)))
        set_real(out, NAN);
    else if (p->zeros > 0)
        set_real(out, 0.0);
    else if (has_inf(in))
        set_real(out, INFINITY);
    else
        set_rounded(out, product_root(p, in->n), 0);
}
