/* log, log2, log10, log1p, asinh, acosh, atanh, pow.
 *
 * All have one core: x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)), s = f / (1 + f/2) in double-double
 * from one division, and log(1 + f) = 2 artanh(s/2) = s + s^3 L(s^2). */
#ifndef ONEMATH_LOG_H
#define ONEMATH_LOG_H
#include "onemath_base.h"
#include "onemath_coef.h"
#include "onemath_exp.h"

#define OM_SQRT_HALF 0x3FE6A09E667F3BCDull

/* log(2^k (1 + f)).  k OM_LN2T is exact: that constant has 42 bits and k at most 11. */
OM_FN om_dd om_log_core(om_dd f, double k) {
    om_dd d = om_fast_sum(1.0, 0.5 * f.h), s = om_div(f, om_make(d.h, d.l + 0.5 * f.l));
    double z = s.h * s.h, y = z * z;
    double even = om_fma(y, om_fma(y, om_fma(y, OM_L6, OM_L4), OM_L2), OM_L0);
    double odd = om_fma(y, om_fma(y, om_fma(y, OM_L7, OM_L5), OM_L3), OM_L1);
    om_dd r = om_fast_sum(k * OM_LN2T, s.h);
    return om_make(r.h, r.l + om_fma(s.h * z, om_fma(z, odd, even), om_fma(k, OM_LN2R, s.l)));
}

/* x > 0, normal: k and the mantissa in [sqrt(1/2), sqrt(2)).  For other x two numbers of no meaning. */
OM_FN double om_split(double x, double *k) {
    om_u64 e = (om_bits(x) + 0x3FF0000000000000ull - OM_SQRT_HALF) >> 52;
    *k = om_double(0x4330000000000000ull | e) - (0x1p52 + 1023);
    return om_double(om_bits(x) - ((e - 1023) << 52));
}

/* The same for subnormal x, too. */
OM_FN double om_split_any(double x, double *k) {
    double small = x < 0x1p-1022 ? 54 : 0;
    double m = om_split(x < 0x1p-1022 ? x * 0x1p54 : x, k);
    *k -= small;
    return m;
}

/* What any logarithm is at infinity, NaN, 0 and below; else y. */
OM_FN double om_log_ends(double x, double y) {
    y = x < OM_INF ? y : x;
    return x > 0 ? y : (x == 0 ? -OM_INF : OM_NAN);
}

OM_FN double om_log(double x) {
    double k, m = om_split_any(x, &k);
    om_dd r = om_log_core(om_make(m - 1.0, 0), k);
    return om_log_ends(x, r.h + r.l);
}

/* k unit + c log(m): c = 1/ln 2 or 1/ln 10, unit + unit_l = c ln 2, and k unit is exact. */
OM_FN double om_log_base(double x, om_dd c, double unit, double unit_l) {
    double k, m = om_split_any(x, &k);
    om_dd r = om_log_core(om_make(m - 1.0, 0), 0.0);
    double p = r.h * c.h, pl = om_product_error(r.h, c.h, p) + om_fma(r.h, c.l, r.l * c.h);
    om_dd s = om_fast_sum(k * unit, p);
    return om_log_ends(x, s.h + (s.l + om_fma(k, unit_l, pl)));
}

OM_FN double om_log2(double x) {
    return om_log_base(x, om_make(OM_LOG2EH, OM_LOG2EL), 1.0, 0.0);
}

OM_FN double om_log10(double x) {
    return om_log_base(x, om_make(OM_LOG10EH, OM_LOG10EL), OM_LG2T, OM_LG2R);
}

/* 1 + f = 2^k (1 + g), f > -1; returns g.  Above 2^100 the low part no longer counts, and 2^-k would
 * leave the normal range. */
OM_FN om_dd om_log1p_args(om_dd f, double *k) {
    om_dd u = om_sum(1.0, f.h);
    double m = om_split(u.h, k), scale = om_double(om_bits(m) - om_bits(u.h) + 0x3FF0000000000000ull);
    return om_sum(m - 1.0, u.h > 0x1p100 ? 0.0 : (u.l + f.l) * scale);
}

OM_FN om_dd om_log1p_dd(om_dd f) {
    double k;
    om_dd g = om_log1p_args(f, &k);
    return om_log_core(g, k);
}

OM_FN double om_log1p(double x) {
    om_dd r = om_log1p_dd(om_make(x, 0));
    double y = r.h + r.l;
    y = x < OM_INF ? y : x;
    y = x > -1.0 ? y : (x == -1.0 ? -OM_INF : OM_NAN);
    return om_abs(x) < 0x1p-60 ? x : y;
}

/* log1p(2a / (1 - a)) / 2, a = |x|. */
OM_FN double om_atanh(double x) {
    double a = om_abs(x);
    om_dd f = om_div(om_make(2.0 * a, 0), om_fast_sum(1.0, -a));
    om_dd r = om_log1p_dd(om_fast_sum(f.h, f.l));
    double y = 0.5 * (r.h + r.l);
    y = a < 1.0 ? y : (a == 1.0 ? OM_INF : OM_NAN);
    return om_flip(a < 0x1p-60 ? a : y, om_bits(x) & OM_SIGN);
}

/* log1p(f), or log(2a) where a > 2^60: there asinh and acosh are that to the last bit. */
OM_FN om_dd om_log1p_or_twice(om_dd f, double a) {
    double near_k, far_k, m = om_split(a, &far_k);
    om_dd g = om_log1p_args(f, &near_k);
    int far = a > 0x1p60;
    g = om_make(om_pick(far, m - 1.0, g.h), om_pick(far, 0.0, g.l));
    return om_log_core(g, om_pick(far, far_k + 1.0, near_k));
}

/* log1p(a + a^2 / (1 + sqrt(1 + a^2))), a = |x|; a - a^3/6 near 0. */
OM_FN double om_asinh(double x) {
    double a = om_abs(x), b = a > 0x1p60 ? 1.0 : a, p = b * b;
    om_dd u = om_make(p, om_product_error(b, b, p));
    om_dd q = om_div(u, om_plus(1.0, om_sqrt_dd(om_plus(1.0, u)))), f = om_sum(b, q.h);
    om_dd r = om_log1p_or_twice(om_fast_sum(f.h, f.l + q.l), a);
    double y = r.h + r.l;
    y = a < OM_INF ? y : a;
    return om_flip(a < 0x1p-30 ? om_fma(a * a, a * (-1.0 / 6), a) : y, om_bits(x) & OM_SIGN);
}

/* log1p(t + sqrt(2t + t^2)), t = x - 1, 2t + t^2 = t (x + 1). */
OM_FN double om_acosh(double x) {
    double b = x > 0x1p60 ? 2.0 : x;
    b = b < 1.0 ? 1.0 : b;
    om_dd t = om_sum(b, -1.0), w = om_mul(t, om_sum(b, 1.0));
    om_dd s = om_sqrt_dd(om_fast_sum(w.h, w.l)), f = om_sum(s.h, t.h);
    om_dd r = om_log1p_or_twice(om_fast_sum(f.h, f.l + (s.l + t.l)), x);
    double y = r.h + r.l;
    y = x < OM_INF ? y : x;
    return x < 1.0 ? OM_NAN : y;
}

/* ---- pow --------------------------------------------------------------------------------------- */

/* log x to about 2^-68, x > 0 and finite: as om_log_core with the terms s^3/12 + s^5/80 in
 * double-double. */
OM_FN om_dd om_log_dd(double x) {
    double k, m = om_split_any(x, &k), f = m - 1.0;
    om_dd s = om_div(om_make(f, 0), om_fast_sum(1.0, 0.5 * f)), z = om_mul(s, s);
    double y = z.h * z.h;
    double even = om_fma(y, om_fma(y, om_fma(y, OM_LP6, OM_LP4), OM_LP2), OM_LP0);
    double odd = om_fma(y, om_fma(y, OM_LP5, OM_LP3), OM_LP1);
    om_dd a = om_fast_sum(OM_1O80H, z.h * om_fma(z.h, odd, even));
    a.l += OM_1O80L;
    a = om_mul(a, z);
    om_dd c = om_fast_sum(OM_1O12H, a.h);
    c.l += a.l + OM_1O12L;
    c = om_mul(om_mul(c, z), s); /* log(1 + f) = s + c */
    om_dd r = om_fast_sum(k * OM_LN2T, s.h), w = om_sum(r.h, c.h);
    return om_fast_sum(w.h, r.l + w.l + (s.l + c.l + k * OM_LN2R));
}

/* |x|^y = e^(y log|x|); the result is not a number for x < 0 and y no integer, and negative for odd y.
 */
OM_FN double om_pow(double x, double y) {
    double a = om_abs(x), b = om_abs(y), half = 0.5 * b;
    om_dd l = om_log_dd(a);
    double lh = a == 0 ? -OM_INF : a < OM_INF ? l.h : a; /* 0, infinity, NaN */
    double p = y * lh, pl = om_product_error(y, lh, p) + y * l.l;
    int far = om_abs(p) > 745.5;
    p = p > 710.0 ? 710.0 : p;
    p = p < -746.0 ? -746.0 : p;
    pl = far ? 0.0 : pl;
    p = a == 1.0 ? 0.0 : p;
    pl = a == 1.0 ? 0.0 : pl;
    double r = om_exp_finish(om_exp_core(p, pl), p);
    double nearest = b < 0x1p52 ? (b + 0x1p52) - 0x1p52 : b;
    double nearest_half = half < 0x1p52 ? (half + 0x1p52) - 0x1p52 : half;
    int whole = nearest == b, odd = whole & (nearest_half != half);
    r = om_pick(odd, om_flip(r, om_bits(x) & OM_SIGN), r);
    r = ((x < 0) & (a < OM_INF) & !whole) ? OM_NAN : r;
    r = y == 0 ? 1.0 : r;
    return x == 1.0 ? 1.0 : r;
}

#endif
