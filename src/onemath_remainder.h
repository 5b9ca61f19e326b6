/* om_fmod: C's remainder, exact, with the sign of x; om_mod: numpy.mod, with the sign of y.
 *
 * For |x| < 2^52 |y| the quotient rounded twice, to binary64 and to a whole number n, is off by less
 * than 1: x - n y lies in (-|y|, |y|) and is a multiple of the last place of the smaller operand, so
 * fma gives it exactly, and so is the one correction by y.
 * Larger quotients are rare: a loop takes om_fmod for all, then om_fmod_rare where om_fmod_is_rare says
 * so.  That divides by y 2^j first, 51 bits of the quotient at a time. */
#ifndef ONEMATH_REMAINDER_H
#define ONEMATH_REMAINDER_H

#include "onemath_base.h"

#define OM_SMALL_QUOTIENT 0x1p52

/* a mod b, 0 <= a < 2^52 b, from r = a - n b, n = om_near_quotient; NaN where a is infinite or b is 0
 */
OM_FN double om_near_quotient(double a, double b) {
    return (a / b + 0x1p52) - 0x1p52;
}
OM_FN double om_nonnegative(double r, double b) {
    return om_pick(r < 0, r + b, r);
}

/* Positive doubles are in the order of their bits, which SSE2 can subtract, but not compare. */
OM_FN om_u64 om_fmod_is_rare(double x, double y) {
    om_u64 a = om_bits(om_abs(x)), b = om_bits(om_abs(y));
    om_u64 small = a - om_bits(om_abs(y) * OM_SMALL_QUOTIENT); /* negative if so, as the others */
    om_u64 finite = a - om_bits(OM_INF), divides = 0 - b;
    return (~small & finite & divides) >> 63;
}

/* every pair that is not rare; something else for those */
OM_FN double om_fmod(double x, double y) {
    double a = om_abs(x), b = om_abs(y);
    double r = om_nonnegative(om_fma(-om_near_quotient(a, b), b, a), b);
    int infinite = b == OM_INF, finite = a < OM_INF;
    r = om_pick(infinite & finite, a, r);
    return om_flip(r, om_bits(x) & OM_SIGN);
}

/* The loop below ends only if r is right: no flag that is looked at afterwards serves here. */
OM_FN double om_remainder_step(double a, double b) {
    return om_nonnegative(om_fma_any(-om_near_quotient(a, b), b, a), b);
}

/* a rare pair */
OM_SLOW double om_fmod_rare(double x, double y) {
    double a = om_abs(x), b = om_abs(y), back = 1.0;
    while (a >= b * OM_SMALL_QUOTIENT) {
        int small = b < 0x1p-900;
        if (small && a < 0x1p-800) { /* once: after that b is not small */
            a *= 0x1p200, b *= 0x1p200, back = 0x1p-200;
            small = 0;
        }
        /* b 2^j with a / (b 2^j) between 2^50 and 2^52; j > 0, because the quotient is large */
        om_u64 significand = om_bits(small ? b * 0x1p200 : b) & 0xFFFFFFFFFFFFFull;
        om_u64 exponent = (om_bits(a) >> 52) - 51;
        a = om_remainder_step(a, om_double(exponent << 52 | significand));
    }
    return om_flip(om_remainder_step(a, b) * back, om_bits(x) & OM_SIGN);
}

/* From r = om_fmod(x, y) to the remainder with the sign of y; r + y is rounded once */
OM_FN double om_mod_of(double r, double y) {
    int other_side = (r < 0) != (y < 0);
    double s = om_pick(other_side, r + y, r);
    return om_pick(r == 0, om_flip(0.0, om_bits(y) & OM_SIGN), s);
}
OM_FN double om_mod(double x, double y) {
    return om_mod_of(om_fmod(x, y), y);
}
OM_FN om_u64 om_mod_is_rare(double x, double y) {
    return om_fmod_is_rare(x, y);
}
OM_FN double om_mod_rare(double x, double y) {
    return om_mod_of(om_fmod_rare(x, y), y);
}

#endif
