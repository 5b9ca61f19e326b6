/* The error function. */
#ifndef ONEMATH_SPECIAL_H
#define ONEMATH_SPECIAL_H
#include "onemath_base.h"
#include "onemath_coef.h"

/* Row j: erf(j/32) and its slope 2/sqrt(pi) exp(-(j/32)^2), each as a double-double. */
OM_TABLE double om_erf_table[] = {OM_ERF_TABLE};

/* Taylor about c = j/32, the nearest to |x|, d = |x| - c:
 *   erf(c + d) = erf(c) + slope d (1 + t1 + t2 + ...),  tn = (-1)^n H_n(c) d^n / (n + 1)!
 * and by Hermite's recurrence tn = -2/(n+1) (c d t(n-1) + (n-1)/n d^2 t(n-2)), t0 = 1.  From 6 it is 1.
 */
OM_FN double om_erf(double x) {
    double a = om_abs(x), b = om_pick(a < 6.0, a, 6.0); /* NaN, too, lest the index be out of range */
    double t = b + 0x1.8p47, c = t - 0x1.8p47, d = b - c, u = c * d, v = d * d;
    om_u64 i = (om_bits(t) & 0xff) * 4;
    double eh = om_erf_table[i], el = om_erf_table[i + 1];
    double sh = om_erf_table[i + 2], sl = om_erf_table[i + 3];
    double t1 = -u, t2 = -(2.0 / 3) * om_fma(u, t1, 0.5 * v);
    double t3 = -(2.0 / 4) * om_fma(u, t2, (2.0 / 3) * v * t1);
    double t4 = -(2.0 / 5) * om_fma(u, t3, (3.0 / 4) * v * t2);
    double t5 = -(2.0 / 6) * om_fma(u, t4, (4.0 / 5) * v * t3);
    double t6 = -(2.0 / 7) * om_fma(u, t5, (5.0 / 6) * v * t4);
    double t7 = -(2.0 / 8) * om_fma(u, t6, (6.0 / 7) * v * t5);
    double t8 = -(2.0 / 9) * om_fma(u, t7, (7.0 / 8) * v * t6);
    double t9 = -(2.0 / 10) * om_fma(u, t8, (8.0 / 9) * v * t7);
    double q = t1 + (t2 + (t3 + (t4 + (t5 + (t6 + (t7 + (t8 + t9)))))));
    double p = sh * d, pl = om_product_error(sh, d, p);
    om_dd r = om_sum(eh, p);
    double y = r.h + (r.l + (el + om_fma(sl, d, om_fma(p, q, pl))));
    y = a < 6.0 ? y : 1.0;
    y = a == a ? y : a;
    return om_flip(y, om_bits(x) & OM_SIGN);
}

#endif
