/* Sums of binary32 values and of their squares, and extremes, in one trip, where an instruction can
 * round without raising the inexact flag.  Included by the kernels of statistics only.
 *
 * A running sum t of squares starts at some t0 and takes each square rounded: t' = t + d^2, quietly.
 * What it took is delta = t' - t, what it left d^2 - delta, which is added to a sum of errors.  All but
 * the quiet additions raises the flag unless it is exact.  If it stays down, then, whatever t0 is and
 * however t' was rounded, every delta is what t grew by, every square is delta and what it left, and
 * those are added without loss; so the squares' sum is t - t0 + errors.  Infinities and NaN show in the
 * sums.
 *
 * How often it stays down is another matter.  With t0 >= d^2 delta is exact (Dekker's fast two-sum),
 * and so is what is left: at most |d^2| and a multiple of its last bit, or d^2 itself, of 48 bits.  It
 * is at most half of t's last bit, so that errors have 53 bits to grow to; t0 far above the sum would
 * waste some of those. */
#ifndef BLOCK_ONE_TRIP_H
#define BLOCK_ONE_TRIP_H

#include "block_stats.h"
#include "block_survey.h"

#ifdef LANES_HAVE_QUIET_FMA

#define TRIP_VECTORS 2 /* of binary32, a step */
#define TRIP_STEP    (TRIP_VECTORS * HALVES)

/* Each half of a vector has sums of its own. */
struct trip_lanes {
    vd values[2], squares[2], errors[2];
};

struct trip_extremes {
    vf min[TRIP_VECTORS], max[TRIP_VECTORS];
};

/* Additions by the multipliers: adders and converters are what a step is bound by. */
INLINED void trip_add(vd d, int half, struct trip_lanes *s) {
    vd t = vd_quiet_fma(d, d, s->squares[half]), delta = t - s->squares[half];
    s->squares[half] = t;
    s->errors[half] += vd_fma(d, d, -delta);
    s->values[half] = vd_fma(d, vd_all(1), s->values[half]);
}

/* What is left of a block has zeros behind it in p, and NaN in q; a whole step is the same in both. */
INLINED void trip_step(int magnitude, int drop_nan, const unsigned char *p, const unsigned char *q,
                       struct trip_lanes *s, struct trip_extremes *e) {
    for (int k = 0; k < TRIP_VECTORS; k++) {
        vf v = vf_and(vf_load(q + k * HALVES * 4), keep32(magnitude));
        e->min[k] = vf_min(v, e->min[k]);
        e->max[k] = vf_max(v, e->max[k]);
        for (int half = 0; half < 2; half++)
            trip_add(value(NATIVE_F32, drop_nan, keep64(magnitude), p + (2 * k + half) * LANES * 4),
                     half, s);
    }
}

/* Both halves in the first, by the same rule. */
INLINED void trip_fold(struct trip_lanes *s, vd start) {
    vd t = vd_quiet_fma(s->squares[0], vd_all(1), s->squares[1]), delta = t - s->squares[0];
    s->values[0] += s->values[1];
    s->errors[0] += s->errors[1];
    s->errors[0] += s->squares[1] - delta;
    s->squares[0] = t - (start + start);
}

INLINED int trip_store(const struct trip_lanes *s, const struct trip_extremes *e,
                       struct one_trip *out) {
    vd zero = (s->values[0] - s->values[0]) + (s->squares[0] - s->squares[0]) +
              (s->errors[0] - s->errors[0]); /* NaN where one is not finite */
    double bad[LANES];
    int finite = 1;
    memcpy(out->values, &s->values[0], sizeof zero);
    memcpy(out->squares, &s->squares[0], sizeof zero);
    memcpy(out->errors, &s->errors[0], sizeof zero);
    memcpy(bad, &zero, sizeof zero);
    for (int i = 0; i < LANES; i++)
        finite &= bad[i] == 0;
    out->extremes.min = vf_least(vf_min(e->min[0], e->min[1]));
    out->extremes.max = vf_greatest(vf_max(e->max[0], e->max[1]));
    return finite;
}

/* Four times what the largest square is thought to be below. */
INLINED double trip_start(double largest) {
    int top = exponent_above(largest);
    return power(2 * (top < -148 ? -148 : top) + 2);
}

INLINED int one_trip(const unsigned char *p, size_t n, int magnitude, int drop_nan, double largest,
                     struct one_trip *out) {
    vd start = vd_all(trip_start(largest));
    struct trip_lanes s = {.values = {{0}}, .squares = {start, start}, .errors = {{0}}};
    struct trip_extremes e;
    struct rest zeros, nans;
    const unsigned char *end = zeros.bytes;
    for (int k = 0; k < TRIP_VECTORS; k++) {
        e.min[k] = vf_all(INFINITY);
        e.max[k] = -e.min[k];
    }
    fill_rest(&zeros, NATIVE_F32, p, n, TRIP_STEP, 0);
    fill_rest(&nans, NATIVE_F32, p, n, TRIP_STEP, 1);
    lanes_clear_flags(&p, &end);
    for (size_t i = 0; i + TRIP_STEP <= n; i += TRIP_STEP)
        trip_step(magnitude, drop_nan, p + i * 4, p + i * 4, &s, &e);
    if (n % TRIP_STEP != 0) trip_step(magnitude, drop_nan, end, nans.bytes, &s, &e);
    trip_fold(&s, start);
    lanes_done(&s.values[0]);
    if (lanes_raised(&s.squares[0], &s.errors[0])) return 0;
    return trip_store(&s, &e, out);
}

static int one_trip_f32(const unsigned char *p, size_t n, int magnitude, int drop_nan, double largest,
                        struct one_trip *out) {
    if (magnitude && drop_nan) return one_trip(p, n, 1, 1, largest, out);
    if (magnitude) return one_trip(p, n, 1, 0, largest, out);
    if (drop_nan) return one_trip(p, n, 0, 1, largest, out);
    return one_trip(p, n, 0, 0, largest, out);
}

#else
#define one_trip_f32 NULL
#endif

#endif
