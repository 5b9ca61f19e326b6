/* om_lgamma: log|gamma(x)|, within 1 ulp; near the zeros at negative x within 2^-52.
 *
 * One expression for every positive x, A (log x - B) + D, all in double-double:
 *   x >= 5     Stirling: A = x - 1/2, B = 1, D = (log 2 pi - 1)/2 + Binet's series in 1/x
 *   0.75 .. 5  A = 0, D = (x - 1)(x - 2) G(x), so that the zeros at 1 and 2 keep their accuracy
 *   < 0.75     A = -1, B = 0, D = log gamma(1 + x), by the same G
 * G is a polynomial in t = (y - 2)/(y + 2), y = x or 1 + x.
 *
 * Other elements are rare, negative ones (by reflection), zero, subnormal and huge ones: a loop takes
 * om_lgamma for all, then om_lgamma_rare where om_lgamma_is_rare says so. */
#ifndef ONEMATH_GAMMA_H
#define ONEMATH_GAMMA_H

#include "onemath_base.h"
#include "onemath_log.h"
#include "onemath_special_coef.h"
#include "onemath_trig.h"

#define OM_LGAMMA_HUGE 0x1p1000
#define OM_LGAMMA_FAR  5.0
#define OM_LGAMMA_NEAR 0.75

/* G at t + tl; the terms up to t^2 in double-double */
OM_FN om_dd om_lgamma_factor(double t, double tl) {
    double y = t * t, yl = om_product_error(t, t, y), v = y * y;
    double a = om_fma(v, om_fma(v, om_fma(v, OM_G26, OM_G22), OM_G18), OM_G14);
    double b = om_fma(v, om_fma(v, OM_G23, OM_G19), OM_G15);
    double c = om_fma(v, om_fma(v, OM_G24, OM_G20), OM_G16);
    double d = om_fma(v, om_fma(v, OM_G25, OM_G21), OM_G17);
    a = om_fma(v, om_fma(v, a, OM_G10), OM_G6);
    b = om_fma(v, om_fma(v, om_fma(v, b, OM_G11), OM_G7), OM_G3);
    c = om_fma(v, om_fma(v, om_fma(v, c, OM_G12), OM_G8), OM_G4);
    d = om_fma(v, om_fma(v, om_fma(v, d, OM_G13), OM_G9), OM_G5);
    double p = OM_G1 * t, q = OM_G2 * y;
    double slope = om_fma(y, om_fma(t, OM_GSLOPE3, OM_GSLOPE2), om_fma(t, OM_GSLOPE1, OM_GSLOPE0));
    double low = om_product_error(OM_G1, t, p) + om_product_error(OM_G2, y, q) +
                 om_fma(OM_G2, yl, om_fma(slope, tl, OM_GL));
    double rest = y * om_fma(t, om_fma(y, d, b), y * om_fma(y, a, c));
    om_dd g = om_fast_sum(OM_GH, p), r = om_fast_sum(g.h, q), s = om_fast_sum(r.h, rest);
    return om_make(s.h, s.l + (r.l + (g.l + low)));
}

/* (log 2 pi - 1)/2 + 1/(12 x) - ..., i = 1/x, x >= OM_LGAMMA_FAR */
OM_FN om_dd om_lgamma_series(double i) {
    double w = i * i, v = w * w;
    double e = om_fma(v, om_fma(v, om_fma(v, OM_BINET6, OM_BINET4), OM_BINET2), OM_BINET0);
    double o = om_fma(v, om_fma(v, om_fma(v, OM_BINET7, OM_BINET5), OM_BINET3), OM_BINET1);
    om_dd s = om_fast_sum(OM_STIRLINGH, i * om_fma(w, o, e));
    return om_make(s.h, s.l + OM_STIRLINGL);
}

/* log gamma(x), x normal and positive */
OM_FN om_dd om_lgamma_dd(double x) {
    int far = x >= OM_LGAMMA_FAR, near = x < OM_LGAMMA_NEAR;
    /* y - 1, y - 2, y + 2: exact where they serve, because z < 1 or z - 1 is */
    double z = om_pick(near, x, x - 1.0);
    om_dd w = om_fast_sum(-1.0, z), v = om_fast_sum(3.0, z);
    double i = 1.0 / om_pick(far, x, v.h), t = w.h * i;
    om_dd g = om_lgamma_factor(t, ((om_fma(-t, v.h, w.h) + w.l) - t * v.l) * i);
    double q = z * w.h;
    g = om_mul(om_make(q, om_product_error(z, w.h, q) + z * w.l), g);
    om_dd s = om_lgamma_series(i), a = om_sum(x, -0.5);
    g = om_make(om_pick(far, s.h, g.h), om_pick(far, s.l, g.l));
    a.h = om_pick(far, a.h, om_pick(near, -1.0, 0.0));
    a.l = om_pick(far, a.l, 0.0);
    double k, f = om_split(x, &k) - 1.0;
    om_dd p = om_mul(a, om_plus(om_pick(far, -1.0, 0.0), om_log_core(om_make(f, 0), k)));
    s = om_sum(p.h, g.h);
    return om_make(s.h, s.l + (p.l + g.l));
}

/* every element that is not rare; something else for those */
OM_FN double om_lgamma(double x) {
    om_dd s = om_lgamma_dd(x);
    return s.h + s.l;
}

/* By the bits, because SSE2 makes no 64-bit integers of comparisons; NaN is not rare. */
OM_FN om_u64 om_lgamma_is_rare(double x) {
    om_u64 u = om_bits(x), nan = om_bits(OM_INF) - om_bits(om_abs(x)); /* negative if so */
    om_u64 small = (u - om_bits(0x1p-1022)) | u, large = om_bits(OM_LGAMMA_HUGE) - u;
    return ((small | large) & ~nan) >> 63;
}

/* x (log x - 1), to which nothing else adds; scaled, because the product may overflow where the sum
 * with its low part does not */
OM_FN double om_lgamma_huge(double x) {
    double k, f = om_split(x, &k) - 1.0;
    om_dd p = om_mul(om_make(x * 0x1p-10, 0), om_plus(-1.0, om_log_core(om_make(f, 0), k)));
    return x < OM_INF ? (p.h + p.l) * 0x1p10 : x;
}

/* log|a sin(pi a)|, 2^-60 <= a < 2^52 and not whole; r = a - the nearest whole number */
OM_FN om_dd om_log_a_sin_pi_a(double a, double r) {
    double v = om_abs(r);
    int steep = v <= 0.25;
    v = steep ? v : 0.5 - v;
    double h = v * OM_PIH;
    om_dd angle = om_make(h, om_product_error(v, OM_PIH, h) + v * OM_PIL);
    om_dd s = steep ? om_sin_core(angle) : om_cos_core(angle);
    double p = a * s.h;
    s = om_fast_sum(p, om_product_error(a, s.h, p) + a * s.l);
    double k, m = om_split(s.h, &k);
    double scale = om_double(om_bits(m) - om_bits(s.h) + 0x3FF0000000000000ull);
    return om_log_core(om_sum(m - 1.0, s.l * scale), k);
}

/* a rare element; where it is negative, log(pi) - log|a sin(pi a)| - log gamma(a), a = -x */
OM_SLOW double om_lgamma_rare(double x) {
    double a = om_abs(x);
    if (x > OM_LGAMMA_HUGE) return om_lgamma_huge(x);
    if (a < 0x1p-60) return -om_log(a);
    if (a >= 0x1p52) return OM_INF;
    double r = a - ((a + 0x1p52) - 0x1p52);
    if (r == 0) return OM_INF;
    om_dd l = om_log_a_sin_pi_a(a, r), g = om_lgamma_dd(a);
    om_dd s = om_sum(l.h, g.h), u = om_sum(OM_LOG_PIH, -s.h);
    return u.h + (u.l + (OM_LOG_PIL - (s.l + (l.l + g.l))));
}

#endif
