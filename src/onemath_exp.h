/* exp, exp2, exp10, expm1, sinh, cosh, tanh, sigmoid.
 *
 * All have one core: x = k ln 2 + r, |r| < 0.3467, and e^r = 1 + r + r^2/2 + r^3 E(r), E of degree 9,
 * with the first terms in double-double. */
#ifndef ONEMATH_EXP_H
#define ONEMATH_EXP_H
#include "onemath_base.h"
#include "onemath_coef.h"

/* e^x = 2^k (1 + p); k is in the low 12 bits, modulo 2^12. */
typedef struct {
    om_dd p;
    om_u64 k;
} om_exp_parts;

/* 2^k e^(r + rl), |r| < 0.3467.  rl reaches 2^-43 (k ln 2's low part), so that it multiplies all of
 * e^r. */
OM_FN om_exp_parts om_exp_poly(double r, double rl, om_u64 k) {
    double z = r * r, zl = om_product_error(r, r, z);
    double even = om_fma(z, om_fma(z, om_fma(z, om_fma(z, OM_E8, OM_E6), OM_E4), OM_E2), OM_E0);
    double odd = om_fma(z, om_fma(z, om_fma(z, om_fma(z, OM_E9, OM_E7), OM_E5), OM_E3), OM_E1);
    om_dd a = om_fast_sum(r, 0.5 * z);
    double cubic = z * r * om_fma(r, odd, even);
    om_exp_parts s;
    s.p = om_make(a.h, a.l + (cubic + om_fma(rl, a.h + cubic, om_fma(0.5, zl, rl))));
    s.k = k;
    return s;
}

/* e^(x + xl), |x| < 2^20.  x - k ln2.h is exact: ln2.h is a multiple of 2^-53 and x, where k is not 0,
 * one of 2^-54, and the difference is below 1/2. */
OM_FN om_exp_parts om_exp_core(double x, double xl) {
    double t = om_fma(x, OM_LOG2E, OM_ROUND), k = t - OM_ROUND;
    return om_exp_poly(om_fma(-k, OM_LN2H, x), om_fma(-k, OM_LN2L, xl), om_bits(t));
}

/* 2^k (1 + p), k in -1077 .. 1025; x has the sign of k.  In two steps, so that neither 2^k nor what
 * precedes a subnormal result leaves the normal range. */
OM_FN double om_exp_finish(om_exp_parts s, double x) {
    om_dd b = om_fast_sum(1.0, s.p.h);
    om_u64 lift = x < 0 ? 128 : -1ull;
    return (b.h + (b.l + s.p.l)) * om_double((s.k + 1023 + lift) << 52) * (x < 0 ? 0x1p-128 : 2.0);
}

OM_FN double om_exp(double x) {
    x = x > 710.0 ? 710.0 : x;
    x = x < -746.0 ? -746.0 : x;
    return om_exp_finish(om_exp_core(x, 0), x);
}

OM_FN double om_exp2(double x) {
    x = om_pick(x > 1025.0, 1025.0, x);
    x = om_pick(x < -1076.0, -1076.0, x);
    double t = x + OM_ROUND, f = x - (t - OM_ROUND), r = f * OM_LN2H;
    return om_exp_finish(om_exp_poly(r, om_product_error(f, OM_LN2H, r) + f * OM_LN2L, om_bits(t)), x);
}

/* 10^x = 2^k 10^f, f = x - k log10 2: the part with the high half of log10 2 is exact, as in
 * om_exp_core. */
OM_FN double om_exp10(double x) {
    x = x > 308.5 ? 308.5 : x;
    x = x < -324.0 ? -324.0 : x;
    double t = om_fma(x, OM_LOG2_10, OM_ROUND), k = t - OM_ROUND;
    double f = om_fma(-k, OM_LG2H, x), r = f * OM_LN10H;
    double low = om_product_error(f, OM_LN10H, r) + om_fma(f, OM_LN10L, -k * (OM_LG2L * OM_LN10H));
    return om_exp_finish(om_exp_poly(r, low, om_bits(t)), x);
}

/* (e^x - 1) / 4, -50 < x < 710.7: a quarter, lest it overflow. */
OM_FN om_dd om_expm1_dd(double x) {
    om_exp_parts s = om_exp_core(x, 0);
    double scale = om_double((s.k + 1021) << 52);
    om_dd c = om_sum(scale, -0.25), u = om_sum(c.h, scale * s.p.h);
    return om_make(u.h, u.l + c.l + scale * s.p.l);
}

OM_FN double om_expm1(double x) {
    double b = x > 710.0 ? 710.0 : x;
    b = b < -45.0 ? -45.0 : b;
    om_dd u = om_expm1_dd(b);
    return om_abs(x) < 0x1p-60 ? x : 4.0 * (u.h + u.l);
}

/* t / (t + 1/2), t = (e^2|x| - 1) / 4; 1 from 22. */
OM_FN double om_tanh(double x) {
    double a = om_abs(x);
    a = a > 22.0 ? 22.0 : a;
    om_dd t = om_expm1_dd(2.0 * a);
    t = om_fast_sum(t.h, t.l);
    om_dd q = om_div(t, om_plus(0.5, t));
    double y = q.h + q.l;
    return om_flip(a < 0x1p-60 ? a : y, om_bits(x) & OM_SIGN);
}

/* 2 (t + t / (4t + 1)), t = (e^|x| - 1) / 4; the quotient is 1/4 where t is out of its range. */
OM_FN double om_sinh(double x) {
    double a = om_abs(x);
    om_dd t = om_expm1_dd(a > 710.6 ? 710.6 : a);
    t = om_fast_sum(t.h, t.l);
    int far = t.h > 0x1p120;
    om_dd n = om_make(om_pick(far, 0x1p120, t.h), om_pick(far, 0.0, t.l));
    om_dd q = om_div(n, om_plus(1.0, om_make(4.0 * n.h, 4.0 * n.l)));
    om_dd s = om_fast_sum(t.h, q.h);
    double y = 2.0 * (s.h + (s.l + (t.l + q.l)));
    return om_flip(a < 0x1p-60 ? a : y, om_bits(x) & OM_SIGN);
}

/* 2 (p + 1 / 16p), p = e^|x| / 4. */
OM_FN double om_cosh(double x) {
    double a = om_abs(x);
    om_exp_parts s = om_exp_core(a > 710.6 ? 710.6 : a, 0);
    om_dd b = om_fast_sum(1.0, s.p.h);
    double scale = om_double((s.k + 1021) << 52);
    om_dd p = om_fast_sum(scale * b.h, scale * (b.l + s.p.l));
    om_dd q = om_div(om_make(0.0625, 0), p), r = om_fast_sum(p.h, q.h);
    return 2.0 * (r.h + (r.l + (p.l + q.l)));
}

/* 1 / (1 + e) for x >= 0 and e / (1 + e) below, e = e^-|x| = 2^k n.  The quotient is taken of n, which
 * is normal, and scaled after; 2^k as in om_exp_finish. */
OM_FN double om_sigmoid(double x) {
    double a = om_abs(x);
    om_exp_parts s = om_exp_core(-(a > 746.0 ? 746.0 : a), 0);
    om_dd b = om_fast_sum(1.0, s.p.h), n = om_fast_sum(b.h, b.l + s.p.l);
    double scale = om_double((s.k + 1023 + 128) << 52), unit = scale * 0x1p-128;
    om_dd d = om_plus(1.0, om_make(n.h * unit, n.l * unit));
    int below = x < 0;
    om_dd q = om_div(om_make(om_pick(below, n.h, 1.0), om_pick(below, n.l, 0.0)), d);
    return (q.h + q.l) * om_pick(below, scale, 1.0) * om_pick(below, 0x1p-128, 1.0);
}

#endif
