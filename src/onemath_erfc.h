/* om_erfc: the complementary error function, within 1 ulp, subnormal results included.
 *
 * erfc(a) = exp(-a^2) W(t) / (1 + 9/8 a) for a = |x|, t = (a - 4)/(a + 4).  The polynomial W holds
 * (1 + 9/8 a) exp(a^2) erfc(a), which falls slowly from 1 to 0.63: one polynomial serves all a.  a^2
 * goes to exp as a double-double. For x < 0 the result is 2 - erfc(a). */
#ifndef ONEMATH_ERFC_H
#define ONEMATH_ERFC_H

#include "onemath_base.h"
#include "onemath_exp.h"
#include "onemath_special_coef.h"

#define OM_ERFC_ZERO 28.0 /* from 27.22602 on the result rounds to 0 */
#define OM_ERFC_TWO  8.0  /* from 5.86359 on 2 - erfc rounds to 2 */

/* (1 + 9/8 a) exp(a^2) erfc(a), 0 <= a <= OM_ERFC_ZERO; the terms up to t^2 in double-double */
OM_FN om_dd om_erfc_scaled(double a) {
    om_dd n = om_fast_sum(-4.0, a), d = om_fast_sum(4.0, a); /* exact for every a */
    double i = 1.0 / d.h, t = n.h * i, tl = ((om_fma(-t, d.h, n.h) + n.l) - t * d.l) * i;
    double y = t * t, yl = om_product_error(t, t, y), v = y * y;
    double e = om_fma(v, om_fma(v, OM_ERFC24, OM_ERFC20), OM_ERFC16);
    double f = om_fma(v, om_fma(v, OM_ERFC21, OM_ERFC17), OM_ERFC13);
    double g = om_fma(v, om_fma(v, OM_ERFC22, OM_ERFC18), OM_ERFC14);
    double h = om_fma(v, om_fma(v, OM_ERFC23, OM_ERFC19), OM_ERFC15);
    e = om_fma(v, om_fma(v, om_fma(v, e, OM_ERFC12), OM_ERFC8), OM_ERFC4);
    f = om_fma(v, om_fma(v, f, OM_ERFC9), OM_ERFC5);
    g = om_fma(v, om_fma(v, g, OM_ERFC10), OM_ERFC6);
    h = om_fma(v, om_fma(v, om_fma(v, h, OM_ERFC11), OM_ERFC7), OM_ERFC3);
    double p = OM_ERFC1 * t, q = OM_ERFC2 * y;
    double slope =
        om_fma(y, om_fma(t, OM_ERFCSLOPE3, OM_ERFCSLOPE2), om_fma(t, OM_ERFCSLOPE1, OM_ERFCSLOPE0));
    double low = om_product_error(OM_ERFC1, t, p) + om_product_error(OM_ERFC2, y, q);
    low += om_fma(OM_ERFC2, yl, om_fma(slope, tl, OM_ERFCL));
    double rest = y * om_fma(t, om_fma(y, f, h), y * om_fma(y, g, e));
    om_dd r = om_fast_sum(OM_ERFCH, p), s = om_fast_sum(r.h, q), u = om_fast_sum(s.h, rest);
    return om_make(u.h, u.l + (s.l + (r.l + low)));
}

OM_FN double om_erfc(double x) {
    double a = om_abs(x), end = om_pick(x < 0, OM_ERFC_TWO, OM_ERFC_ZERO);
    a = om_pick(a < end, a, end);
    double p = a * a;
    om_exp_parts s = om_exp_core(-p, -om_product_error(a, a, p));
    om_dd b = om_fast_sum(1.0, s.p.h), d = om_sum(1.0, 1.125 * a);
    d = om_fast_sum(d.h, d.l + om_product_error(1.125, a, 1.125 * a));
    om_dd r = om_mul(om_make(b.h, b.l + s.p.l), om_div(om_erfc_scaled(a), d));
    /* 2^k in two steps, so that subnormals come out right */
    double up = om_double((s.k + 1023 + 128) << 52), down = 0x1p-128;
    double y = (r.h + r.l) * up * down;
    om_dd far = om_fast_sum(2.0, -(r.h * up * down));
    y = om_pick(x < 0, far.h + (far.l - r.l * up * down), y);
    return om_pick(x == x, y, x);
}

#endif
