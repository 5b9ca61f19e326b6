/* The map ops whose binary64 formula is more than one expression and no function of onemath.h.  All
 * follow the rules of onemath_base.h, so that their loops vectorise everywhere and their bits are the
 * same on every machine. */
#ifndef MAPS_F64_H
#define MAPS_F64_H

#include "onemath.h"

OM_FN double op_sign(double a) {
    return om_pick(a > 0, 1.0, om_pick(a < 0, -1.0, om_pick(a == 0, 0.0, a)));
}

/* IEEE 754-2019 minimum and maximum: NaN wins, -0 < +0.  Equal values differ in the sign of zero at
 * most; where b is NaN the comparison gives b. */
OM_FN double op_min(double a, double b) {
    double less = a < b ? a : b, equal = om_double(om_bits(a) | om_bits(b));
    return om_pick(a == b, equal, om_pick(a != a, a, less));
}

OM_FN double op_max(double a, double b) {
    double more = a > b ? a : b, equal = om_double(om_bits(a) & om_bits(b));
    return om_pick(a == b, equal, om_pick(a != a, a, more));
}

/* The nearest integer to |a|, ties to even: from 2^52 doubles are integers. */
OM_FN double op_nearest(double a) {
    double m = om_abs(a);
    return om_pick(m < 0x1p52, (m + 0x1p52) - 0x1p52, m);
}

OM_FN double op_round(double a) {
    return om_flip(op_nearest(a), om_bits(a) & OM_SIGN);
}

OM_FN double op_floor(double a) {
    double r = op_round(a);
    return r - om_pick(r > a, 1.0, 0.0);
}

/* Through floor the zero of -1 < a < 0 gets its sign. */
OM_FN double op_ceil(double a) {
    return -op_floor(-a);
}

OM_FN double op_trunc(double a) {
    return om_flip(op_floor(om_abs(a)), om_bits(a) & OM_SIGN);
}

/* a times a constant in two parts (to 2^-106); infinities and zeros stay, with their sign. */
OM_FN double op_scaled(double a, double high, double low) {
    double y = om_fma(a, high, a * low);
    return om_pick((om_abs(a) < OM_INF) & (a != 0), y, a);
}

/* 180/pi and pi/180 */
OM_FN double op_degrees(double a) {
    return op_scaled(a, 0x1.ca5dc1a63c1f8p+5, -0x1.1e7ab456405f9p-49);
}

OM_FN double op_radians(double a) {
    return op_scaled(a, 0x1.1df46a2529d39p-6, 0x1.5c1d8becdd291p-62);
}

#endif
