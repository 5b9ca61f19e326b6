/* Powers with small or broken exponents: cbrt, hypot, rsqrt, cube. */
#ifndef ONEMATH_ROOT_H
#define ONEMATH_ROOT_H
#include "onemath_base.h"
#include "onemath_coef.h"

/* |x| = 2^3k m, 1 <= m < 8.  r = m^(-1/3) by a polynomial over [1, 2) and one step of third order (its
 * error goes to the cube), y = m r^2, and a last step with the residue m - y^3 in double-double. */
OM_FN double om_cbrt(double x) {
    double a = om_abs(x), small = a < 0x1p-1022 ? 0x1p54 : 1.0;
    /* The exponent plus a multiple of 3; a third of it by a product that is right up to 2^13. */
    om_u64 u = om_bits(a * small), e = (u >> 52) + (a < 0x1p-1022 ? 3072 - 54 : 3072);
    om_u64 k = e * 21846 >> 16, j = e - 3 * k;
    double m = om_double((u & 0xFFFFFFFFFFFFFull) | 0x3FF0000000000000ull), z = m * m;
    double r = om_fma(z * z, om_fma(z, OM_R6, om_fma(m, OM_R5, OM_R4)),
                      om_fma(z, om_fma(m, OM_R3, OM_R2), om_fma(m, OM_R1, OM_R0)));
    r *= j == 0 ? 1.0 : j == 1 ? OM_CB1 : OM_CB2;
    m *= j == 0 ? 1.0 : j == 1 ? 2.0 : 4.0;
    double h = om_fma(-m * r, r * r, 1.0);
    r = om_fma(r * h, om_fma(h, 2.0 / 9, 1.0 / 3), r);
    double y = m * (r * r), y2 = y * y, y2l = om_product_error(y, y, y2);
    double y3 = y2 * y, y3l = om_product_error(y2, y, y3) + y2l * y;
    y = om_fma((m - y3) - y3l, r * r * (1.0 / 3), y);
    y *= om_double((k - 1024 - 341 + 1023) << 52);
    y = ((a > 0) & (a < OM_INF)) ? y : a;
    return om_flip(y, om_bits(x) & OM_SIGN);
}

/* The root of a double-double sum of squares, scaled where they or their residues would leave the
 * normal numbers.  Infinite if one argument is, even where the other is NaN. */
OM_FN double om_hypot(double x, double y) {
    double a = om_abs(x), b = om_abs(y), big = a > b ? a : b, less = a > b ? b : a;
    double scale = big > 0x1p500 ? 0x1p-600 : 1.0, back = big > 0x1p500 ? 0x1p600 : 1.0;
    scale = big < 0x1p-450 ? 0x1p600 : scale;
    back = big < 0x1p-450 ? 0x1p-600 : back;
    big *= scale;
    less *= scale;
    double p = big * big, q = less * less;
    om_dd w = om_fast_sum(p, q);
    om_dd r = om_sqrt_dd(
        om_make(w.h, w.l + (om_product_error(big, big, p) + om_product_error(less, less, q))));
    double z = (r.h + r.l) * back;
    z = a == a ? z : a;
    z = b == b ? z : b;
    z = a == OM_INF ? a : z;
    return b == OM_INF ? b : z;
}

/* 1/sqrt(x): s the root and d its error, y = 1/s and r its residue; 1/(s + d) = y + y (r - d y) to
 * first order.  x is scaled into a range where the residues are exact. */
OM_FN double om_rsqrt(double x) {
    int small = x < 0x1p-900;
    double b = x * om_pick(small, 0x1p200, 1.0), s = om_sqrt(b), y = 1.0 / s;
    double d = om_fma(-s, s, b) * (0.5 * y), r = om_fma(-s, y, 1.0);
    double z = om_fma(y, om_fma(-d, y, r), y) * om_pick(small, 0x1p100, 1.0);
    double ends =
        om_pick(x == 0, om_flip(OM_INF, om_bits(x) & OM_SIGN), om_pick(x == OM_INF, 0.0, OM_NAN));
    return om_pick((x > 0) & (x < OM_INF), z, ends);
}

/* x^3 from the exact square p + e.  |x| is scaled into a range where the low parts are exact, and the
 * result back by a power of two. */
OM_FN double om_cube(double x) {
    double a = om_abs(x);
    int large = a > 0x1p300, small = a < 0x1p-300;
    double b = a * om_pick(large, 0x1p-100, om_pick(small, 0x1p200, 1.0));
    double back = om_pick(large, 0x1p300, om_pick(small, 0x1p-600, 1.0));
    double p = b * b, e = om_product_error(b, b, p), h = p * b;
    double y = (h + (om_product_error(p, b, h) + e * b)) * back;
    return om_flip(om_pick(h < OM_INF, y, h), om_bits(x) & OM_SIGN);
}

#endif
