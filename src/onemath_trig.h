/* sin, cos, tan, and asin, acos, atan, atan2.
 *
 * sin, cos, tan: x = q pi/2 + r.  Up to 2^37 the reduction takes pi/2 in three doubles and is
 * branch-free; from there it is Payne and Hanek's, in integers and slow (OM_SLOW).  The choice depends
 * on the element alone: a loop does all elements the short way, and a second one those with
 * om_big_angle again. */
#ifndef ONEMATH_TRIG_H
#define ONEMATH_TRIG_H
#include "onemath_base.h"
#include "onemath_coef.h"

/* x = r + q pi/2, |r| <= pi/4; q modulo 4 in the low bits. */
typedef struct {
    om_dd r;
    om_u64 q;
} om_angle;

#define OM_BIG_ANGLE 0x1p37

/* Is the long reduction needed?  Not for infinities and NaN.  By bits, because gcc makes
 * no 64-bit integers of comparisons with SSE2; positive doubles are in the order of theirs. */
OM_FN om_u64 om_big_angle(double x) {
    om_u64 a = om_bits(om_abs(x));
    om_u64 near = a - om_bits(OM_BIG_ANGLE), finite = a - om_bits(OM_INF); /* negative if so */
    return (~near & finite) >> 63;
}

/* 0 <= x < OM_BIG_ANGLE (Cody and Waite, by fma).  x - k pi/2.1 is exact for any k: both are multiples
 * of 2^-53 where k is not 0, and the difference is below 1.  k pi/2.2 is taken as an exact
 * double-double. */
OM_FN om_angle om_reduce(double x) {
    om_angle r;
    double t = om_fma(x, OM_2OPI, OM_ROUND), k = t - OM_ROUND;
    double a = om_fma(-k, OM_PIO21, x), p = k * OM_PIO22;
    om_dd h = om_sum(a, -p);
    r.r = om_make(h.h, om_fma(-k, OM_PIO23, h.l - om_product_error(k, OM_PIO22, p)));
    r.q = om_bits(t);
    return r;
}

/* a * b: the low 64 bits, and the high ones in *high. */
OM_FN om_u64 om_mul64(om_u64 a, om_u64 b, om_u64 *high) {
    om_u64 al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    om_u64 m = ah * bl + (al * bl >> 32), n = al * bh + (m & 0xffffffffu);
    *high = ah * bh + (m >> 32) + (n >> 32);
    return a * b;
}

/* The 64 bits before the point of 2/pi, which are 0, and those after it. */
OM_TABLE om_u64 om_2opi_words[22] = {0, OM_2OPI_WORDS, 0};

/* OM_BIG_ANGLE <= x < infinity.  x = m 2^e, m an integer; of 2/pi the bits of weight above 2^(1-e) give
 * multiples of 4 quadrants, and 192 bits from there leave an error of 2^-137 quadrants, where the
 * smallest fraction of a quadrant that a double has is about 2^-62. */
OM_FN om_angle om_reduce_long(double x) {
    om_u64 m = (om_bits(x) & 0xFFFFFFFFFFFFFull) | 0x10000000000000ull;
    om_u64 at = (om_bits(x) >> 52) - 1075 - 2 + 64, w[3], h0, h1, h2;
    for (int i = 0; i < 3; i++) {
        const om_u64 *v = om_2opi_words + (at >> 6) + i;
        w[i] = at & 63 ? v[0] << (at & 63) | v[1] >> (64 - (at & 63)) : v[0];
    }
    om_u64 p2 = om_mul64(m, w[2], &h2), p1 = om_mul64(m, w[1], &h1), p0 = om_mul64(m, w[0], &h0);
    p1 += h2;
    p0 += h1 + (p1 < h2);
    om_angle r;
    r.q = p0 >> 62;
    p0 = p0 << 2 | p1 >> 62; /* the fraction of a quadrant */
    p1 = p1 << 2 | p2 >> 62;
    p2 <<= 2;
    om_u64 above = p0 >> 63; /* 1: the next quadrant is nearer */
    r.q += above;
    p0 ^= 0 - above, p1 ^= 0 - above, p2 ^= 0 - above;
    om_dd s = om_fast_sum((double)(p1 >> 32) * 0x1p-96,
                          (double)(p1 & 0xffffffffu) * 0x1p-128 + (double)(p2 >> 32) * 0x1p-160);
    om_dd t = om_fast_sum((double)(p0 & 0xffffffffu) * 0x1p-64, s.h);
    s = om_make(t.h, t.l + s.l);
    t = om_fast_sum((double)(p0 >> 32) * 0x1p-32, s.h);
    s = om_mul(om_fast_sum(t.h, t.l + s.l), om_make(OM_PIO21, OM_PIO22));
    r.r = om_make(om_flip(s.h, above << 63), om_flip(s.l, above << 63));
    return r;
}

/* sin r, |r| <= pi/4: r + S0 r^3 in double-double, then r^5 (...). */
OM_FN om_dd om_sin_core(om_dd r) {
    double z = r.h * r.h, zl = om_product_error(r.h, r.h, z), y = z * z, p = z * r.h,
           pl = om_product_error(z, r.h, p);
    double odd = om_fma(y, om_fma(y, OM_S5, OM_S3), OM_S1);
    double even = om_fma(y, om_fma(y, OM_S6, OM_S4), OM_S2);
    double m = p * OM_S0, ml = om_product_error(p, OM_S0, m);
    double tail =
        om_fma(p * z, om_fma(z, even, odd), om_fma(-0.5 * z, r.l, r.l)); /* r.l cos r, nearly */
    om_dd s = om_fast_sum(r.h, m);
    return om_make(s.h, s.l + (ml + om_fma(OM_S0, om_fma(r.h, zl, pl), tail)));
}

/* cos r: 1 - r^2/2 in double-double, then r^4 (...), less r.l sin r. */
OM_FN om_dd om_cos_core(om_dd r) {
    double z = r.h * r.h, zl = om_product_error(r.h, r.h, z), y = z * z, p = z * r.h;
    double even = om_fma(y, om_fma(y, OM_C4, OM_C2), OM_C0);
    double odd = om_fma(y, om_fma(y, OM_C5, OM_C3), OM_C1);
    double low = om_fma(om_fma(z, 2 * OM_C0, -0.5), zl, -(r.h + p * OM_S0) * r.l);
    om_dd w = om_fast_sum(1.0, -0.5 * z);
    return om_make(w.h, w.l + om_fma(y, om_fma(z, odd, even), low));
}

OM_FN double om_sin_of(om_angle a, om_u64 sign) {
    om_dd s = om_sin_core(a.r), c = om_cos_core(a.r);
    double y = om_pick_even(a.q, s.h + s.l, c.h + c.l);
    return om_flip(y, (a.q << 62 & OM_SIGN) ^ sign);
}

OM_FN double om_cos_of(om_angle a, om_u64 sign) {
    a.q += 1;
    return om_sin_of(a, sign);
}

/* sin r / cos r, or -cos r / sin r in odd quadrants. */
OM_FN double om_tan_of(om_angle a, om_u64 sign) {
    om_dd s = om_sin_core(a.r), c = om_cos_core(a.r), n, d;
    n.h = om_pick_even(a.q, s.h, c.h), n.l = om_pick_even(a.q, s.l, c.l);
    d.h = om_pick_even(a.q, c.h, s.h), d.l = om_pick_even(a.q, c.l, s.l);
    om_dd t = om_div(n, om_fast_sum(d.h, d.l));
    return om_flip(t.h + t.l, (a.q << 63) ^ sign);
}

/* om_F_short: all but big angles, without a branch; om_F_long: big angles; om_F: any. */
#define OM_TRIG(name, sign_of)                                                                         \
    OM_FN double om_##name##_short(double x) {                                                         \
        return om_##name##_of(om_reduce(om_abs(x)), sign_of(x));                                       \
    }                                                                                                  \
    OM_SLOW double om_##name##_long(double x) {                                                        \
        return om_##name##_of(om_reduce_long(om_abs(x)), sign_of(x));                                  \
    }                                                                                                  \
    OM_FN double om_##name(double x) {                                                                 \
        return om_big_angle(x) ? om_##name##_long(x) : om_##name##_short(x);                           \
    }
#define OM_ODD(x)  (om_bits(x) & OM_SIGN)
#define OM_EVEN(x) 0
OM_TRIG(sin, OM_ODD)
OM_TRIG(cos, OM_EVEN)
OM_TRIG(tan, OM_ODD)
#undef OM_TRIG
#undef OM_ODD
#undef OM_EVEN

/* ---- inverse ----------------------------------------------------------------------------------- */

/* atan(n / d), n and d >= 0 and not both 0.  With the smaller over the larger, t = (n - c d) / (d + c
 * n) for c of {0, 13/32, 1}, the one that makes |t| < 0.207: all in double-double, so that asin and
 * acos lose nothing.  atan(c) + t + t^3 A(t^2) is taken from pi/2 if n and d were exchanged. */
OM_FN om_dd om_atan_core(om_dd n, om_dd d) {
    om_choice swap = om_less(d.h, n.h);
    om_dd a, b, p, u, v;
    a.h = om_choose(swap, d.h, n.h), a.l = om_choose(swap, d.l, n.l);
    b.h = om_choose(swap, n.h, d.h), b.l = om_choose(swap, n.l, d.l);
    om_choice one = om_less(0.6682 * b.h, a.h), mid = om_less(0.1988 * b.h, a.h);
    double c = om_choose(one, 1.0, om_choose(mid, 0.40625, 0.0));
    double ch = om_choose(one, OM_PIO4H, om_choose(mid, OM_ATCH, 0.0));
    double cl = om_choose(one, OM_PIO4L, om_choose(mid, OM_ATCL, 0.0));
    p.h = c * b.h, p.l = om_product_error(c, b.h, p.h);
    u = om_sum(a.h, -p.h);
    u.l += om_fma(-c, b.l, a.l - p.l);
    p.h = c * a.h, p.l = om_product_error(c, a.h, p.h);
    v = om_fast_sum(b.h, p.h);
    v.l += om_fma(c, a.l, b.l + p.l);
    om_dd t = om_div(u, v);
    double z = t.h * t.h, y = z * z;
    double even = om_fma(y, om_fma(y, om_fma(y, om_fma(y, OM_A8, OM_A6), OM_A4), OM_A2), OM_A0);
    double odd = om_fma(y, om_fma(y, om_fma(y, OM_A7, OM_A5), OM_A3), OM_A1);
    t.l = om_fma(z * t.h, om_fma(z, odd, even), t.l);
    /* pi/2.1 - atan(c).h is exact: both are multiples of 2^-52. */
    om_u64 sign = om_bits(om_choose(swap, -0.0, 0.0));
    om_dd r = om_fast_sum(om_choose(swap, OM_PIO21, 0.0) + om_flip(ch, sign), om_flip(t.h, sign));
    r.l += (om_choose(swap, OM_PIO22, 0.0) + om_flip(cl, sign)) + om_flip(t.l, sign);
    return r;
}

/* r, or pi - r where `left` is OM_SIGN. */
OM_FN double om_from_pi(om_dd r, om_u64 left) {
    om_choice far = om_is_negative(left);
    double pi_h = om_choose(far, 2.0 * OM_PIO21, 0.0), pi_l = om_choose(far, 2.0 * OM_PIO22, 0.0);
    om_dd s = om_fast_sum(pi_h, om_flip(r.h, left));
    return s.h + (s.l + (pi_l + om_flip(r.l, left)));
}

OM_FN double om_atan(double x) {
    double a = om_abs(x);
    om_dd r = om_atan_core(om_make(a > 0x1p64 ? 0x1p64 : a, 0), om_make(1.0, 0));
    return om_flip(r.h + r.l, om_bits(x) & OM_SIGN);
}

/* sqrt(1 - a^2), 0 <= a <= 1. */
OM_FN om_dd om_one_minus_square(double a) {
    double p = a * a;
    om_dd w = om_fast_sum(1.0, -p);
    return om_sqrt_dd(om_fast_sum(w.h, w.l - om_product_error(a, a, p)));
}

OM_FN double om_asin(double x) {
    double a = om_abs(x), b = om_pick(a > 1.0, 1.0, a);
    om_dd r = om_atan_core(om_make(b, 0), om_one_minus_square(b));
    double y = r.h + r.l;
    return om_flip(a > 1.0 ? OM_NAN : y, om_bits(x) & OM_SIGN);
}

OM_FN double om_acos(double x) {
    double a = om_abs(x), b = om_pick(a > 1.0, 1.0, a);
    om_dd r = om_atan_core(om_one_minus_square(b), om_make(b, 0));
    double y = om_from_pi(r, om_bits(x) & OM_SIGN);
    return a > 1.0 ? OM_NAN : y;
}

/* The angle of (x, y).  Both are scaled out of the ranges where quotients or their residues would leave
 * the normal numbers; infinities and zeros are replaced by points with the same angle. */
OM_FN double om_atan2(double y, double x) {
    double a = om_abs(y), b = om_abs(x), top = a > b ? a : b;
    double scale = om_pick(top < 0x1p500, 0x1p500, om_pick(top > 0x1p1000, 0x1p-60, 1.0));
    int a_inf = a == OM_INF, b_inf = b == OM_INF, zero = top == 0;
    double n = om_pick(a_inf, 1.0, om_pick(b_inf, 0.0, a * scale));
    double d = om_pick(b_inf | zero, 1.0, om_pick(a_inf, 0.0, b * scale));
    double z = om_from_pi(om_atan_core(om_make(n, 0), om_make(d, 0)), om_bits(x) & OM_SIGN);
    z = a == a ? z : a;
    z = b == b ? z : b;
    return om_flip(z, om_bits(y) & OM_SIGN);
}

#endif
