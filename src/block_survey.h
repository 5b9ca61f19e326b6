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

/* ---- binary32 -------------------------------------------------------------------------------- */

struct survey_f32 {
    vf min[SURVEYED], max[SURVEYED], smallest[SURVEYED];
};

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

INLINED double smallest_float(const vf x[SURVEYED]) {
    vf least = vf_min(vf_min(x[0], x[1]), vf_min(x[2], x[3]));
    float v[HALVES];
    memcpy(v, &least, sizeof v);
    for (int n = HALVES / 2; n > 0; n /= 2)
        for (int k = 0; k < n; k++)
            v[k] = v[k + n] < v[k] ? v[k + n] : v[k];
    return v[0];
}

INLINED struct survey survey_f32(int exponents, const unsigned char *p, size_t n, int magnitude) {
    enum { FLOATS = SURVEYED * HALVES };
    struct survey_f32 s;
    struct survey out = {.zeros = 52 - 23};
    struct rest rest;
    fill_rest(&rest, NATIVE_F32, p, n, FLOATS, 1);
    for (int k = 0; k < SURVEYED; k++) {
        s.min[k] = s.smallest[k] = vf_all(INFINITY);
        s.max[k] = -s.min[k];
    }
    for (size_t i = 0; i + FLOATS <= n; i += FLOATS)
        survey_f32_step(exponents, magnitude, p + i * 4, &s);
    if (n % FLOATS != 0) survey_f32_step(exponents, magnitude, rest.bytes, &s);
    for (int k = 0; k < SURVEYED; k++)
        s.max[k] = -s.max[k];
    out.extremes.min = smallest_float(s.min);
    out.extremes.max = -smallest_float(s.max);
    out.smallest = smallest_float(s.smallest);
    return out;
}

/* ---- binary64 -------------------------------------------------------------------------------- */

struct survey_f64 {
    vd min[SURVEYED], max[SURVEYED], smallest[SURVEYED];
    vl bits[SURVEYED];
};

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

INLINED double smallest_double(const vd x[SURVEYED]) {
    vd least = vd_min(vd_min(x[0], x[1]), vd_min(x[2], x[3]));
    double v[LANES];
    memcpy(v, &least, sizeof v);
    for (int n = LANES / 2; n > 0; n /= 2)
        for (int k = 0; k < n; k++)
            v[k] = v[k + n] < v[k] ? v[k + n] : v[k];
    return v[0];
}

INLINED int zeros_at_the_end(const vl bits[SURVEYED]) {
    vl some = bits[0] | bits[1] | bits[2] | bits[3];
    uint64_t v[LANES], any = UINT64_C(1) << 52; /* the implicit one */
    memcpy(v, &some, sizeof v);
    for (int i = 0; i < LANES; i++)
        any |= v[i];
    return __builtin_ctzll(any);
}

INLINED struct survey survey_f64(int exponents, const unsigned char *p, size_t n, int magnitude) {
    enum { DOUBLES = SURVEYED * LANES };
    struct survey_f64 s = {.bits = {{0}}};
    struct survey out;
    struct rest rest;
    fill_rest(&rest, NATIVE_F64, p, n, DOUBLES, 1);
    for (int k = 0; k < SURVEYED; k++) {
        s.min[k] = s.smallest[k] = vd_all(INFINITY);
        s.max[k] = -s.min[k];
    }
    for (size_t i = 0; i + DOUBLES <= n; i += DOUBLES)
        survey_f64_step(exponents, magnitude, p + i * 8, &s);
    if (n % DOUBLES != 0) survey_f64_step(exponents, magnitude, rest.bytes, &s);
    for (int k = 0; k < SURVEYED; k++)
        s.max[k] = -s.max[k];
    out.extremes.min = smallest_double(s.min);
    out.extremes.max = -smallest_double(s.max);
    out.smallest = smallest_double(s.smallest);
    out.zeros = zeros_at_the_end(s.bits);
    return out;
}

INLINED struct survey survey_block(int type, const unsigned char *p, size_t n, int magnitude) {
    return type == NATIVE_F32 ? survey_f32(1, p, n, magnitude) : survey_f64(1, p, n, magnitude);
}

#endif
