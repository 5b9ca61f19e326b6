/* One trip over a block for its extremes and its exponents, from which kernels know how to add its
 * values exactly.  Included by kernels only. */
#ifndef BLOCK_SURVEY_H
#define BLOCK_SURVEY_H

#include "block_elements.h"

/* Of what is not NaN.  smallest: the least nonzero magnitude, Inf where there is none; zeros: how many
 * bits at the end of every significand are 0, or fewer. */
struct survey {
    struct block_extremes extremes;
    double smallest;
    int zeros;
};

INLINED double largest_magnitude(const struct survey *s) {
    double low = fabs(s->extremes.min), high = fabs(s->extremes.max);
    if (s->extremes.min > s->extremes.max) return 0; /* nothing but NaN */
    return low > high ? low : high;
}

/* All values are multiples of 2^unit_exponent. */
INLINED int unit_exponent(int type, const struct survey *s) {
    int least = type == NATIVE_F32 ? -149 : -1074, e = exponent_above(s->smallest) - 1;
    int unit = (e < -1022 ? -1022 : e) - 52 + s->zeros;
    return unit < least ? least : unit;
}

#define SURVEYED 4 /* vectors a step */

/* Of each of a step's vectors.  Only binary64 needs bits. */
struct survey_f32 {
    vf min[SURVEYED], max[SURVEYED], smallest[SURVEYED];
};
struct survey_f64 {
    vd min[SURVEYED], max[SURVEYED], smallest[SURVEYED];
    vl bits[SURVEYED];
};

/* ---- steps ----------------------------------------------------------------------------------- */

INLINED void survey_f32_step(int exponents, int magnitude, const unsigned char *p,
                             struct survey_f32 *s) {
    for (int k = 0; k < SURVEYED; k++) {
        vf v = vf_load(p + k * HALVES * 4), m = vf_and(v, keep32(1));
        if (magnitude) v = m;
        s->min[k] = vf_min(v, s->min[k]);
        s->max[k] = vf_max(v, s->max[k]);
        if (exponents) s->smallest[k] = vf_min_nonzero(m, s->smallest[k]);
    }
}

INLINED void survey_f64_step(int exponents, int magnitude, const unsigned char *p,
                             struct survey_f64 *s) {
    for (int k = 0; k < SURVEYED; k++) {
        vd v = vd_load(p + k * LANES * 8), m = vd_and(v, keep64(1));
        if (magnitude) v = m;
        s->min[k] = vd_min(v, s->min[k]);
        s->max[k] = vd_max(v, s->max[k]);
        if (exponents) s->smallest[k] = vd_min_nonzero(m, s->smallest[k]);
        if (exponents) s->bits[k] |= (vl)v;
    }
}

/* ---- zeros at the end of significands -------------------------------------------------------- */

INLINED int zeros_f32(const struct survey_f32 *s) {
    (void)s;
    return 52 - 23;
}

INLINED int zeros_f64(const struct survey_f64 *s) {
    vl some = s->bits[0] | s->bits[1] | s->bits[2] | s->bits[3];
    uint64_t v[LANES], any = UINT64_C(1) << 52; /* the implicit one */
    memcpy(v, &some, sizeof v);
    for (int i = 0; i < LANES; i++)
        any |= v[i];
    return __builtin_ctzll(any);
}

/* ---- surveys --------------------------------------------------------------------------------- */

/* least_TYPE: of vectors without NaN.  survey_TYPE: of a block. */
#define SURVEY(type, native, scalar, vector)                                                           \
    INLINED double least_##type(const vector x[SURVEYED]) {                                            \
        vector least = vector##_min(vector##_min(x[0], x[1]), vector##_min(x[2], x[3]));               \
        scalar v[sizeof(vector) / sizeof(scalar)];                                                     \
        memcpy(v, &least, sizeof v);                                                                   \
        for (size_t n = sizeof v / sizeof *v / 2; n > 0; n /= 2)                                       \
            for (size_t k = 0; k < n; k++)                                                             \
                v[k] = v[k + n] < v[k] ? v[k + n] : v[k];                                              \
        return v[0];                                                                                   \
    }                                                                                                  \
                                                                                                       \
    INLINED struct survey survey_##type(int exponents, const unsigned char *p, size_t n,               \
                                        int magnitude) {                                               \
        enum { ITEMS = SURVEYED * sizeof(vector) / sizeof(scalar) };                                   \
        struct survey_##type s = {.min = {{0}}};                                                       \
        struct survey out;                                                                             \
        struct rest rest;                                                                              \
        fill_rest(&rest, native, p, n, ITEMS, 1);                                                      \
        for (int k = 0; k < SURVEYED; k++) {                                                           \
            s.min[k] = s.smallest[k] = vector##_all(INFINITY);                                         \
            s.max[k] = -s.min[k];                                                                      \
        }                                                                                              \
        for (size_t i = 0; i + ITEMS <= n; i += ITEMS)                                                 \
            survey_##type##_step(exponents, magnitude, p + i * sizeof(scalar), &s);                    \
        if (n % ITEMS != 0) survey_##type##_step(exponents, magnitude, rest.bytes, &s);                \
        for (int k = 0; k < SURVEYED; k++)                                                             \
            s.max[k] = -s.max[k];                                                                      \
        out.extremes.min = least_##type(s.min);                                                        \
        out.extremes.max = -least_##type(s.max);                                                       \
        out.smallest = least_##type(s.smallest);                                                       \
        out.zeros = zeros_##type(&s);                                                                  \
        return out;                                                                                    \
    }

SURVEY(f32, NATIVE_F32, float, vf)
SURVEY(f64, NATIVE_F64, double, vd)

INLINED struct survey survey_block(int type, const unsigned char *p, size_t n, int magnitude) {
    return type == NATIVE_F32 ? survey_f32(1, p, n, magnitude) : survey_f64(1, p, n, magnitude);
}

#endif
