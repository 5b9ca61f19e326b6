/* The map ops whose binary64 formula is more than one expression.  All are IEEE binary64, round to
 * nearest, without contraction: fma is used only where it is written. */
#ifndef MAPS_F64_H
#define MAPS_F64_H

#include <math.h>

static inline double op_sign(double a) {
    return a > 0 ? 1.0 : a < 0 ? -1.0 : isnan(a) ? a : 0.0;
}

/* IEEE 754-2019 minimum and maximum: NaN wins, -0 < +0. */
static inline double op_min(double a, double b) {
    if (a < b) return a;
    if (b < a) return b;
    if (a == b) return signbit(a) ? a : b;
    return a + b;
}

static inline double op_max(double a, double b) {
    if (a > b) return a;
    if (b > a) return b;
    if (a == b) return signbit(a) ? b : a;
    return a + b;
}

/* x^3 from the exact square p + e: the last addition is the only rounding that counts.  x is scaled
 * into a range where the low parts are exact, and the result scaled back by a power of two. */
static inline double op_cube(double a) {
    double m = fabs(a);
    double scale = m > 0x1p300 ? 0x1p-100 : m < 0x1p-300 ? 0x1p200 : 1.0;
    double back = m > 0x1p300 ? 0x1p300 : m < 0x1p-300 ? 0x1p-600 : 1.0;
    double x = a * scale, p = x * x, hi = p * x;
    if (!isfinite(hi) || hi == 0) return hi;
    return (hi + (fma(p, x, -hi) + fma(x, x, -p) * x)) * back;
}

/* 1/sqrt(x): the rounding errors of the root (d) and of the quotient (r) are recovered by fma and
 * put back to first order.  x is scaled into a range where the residues are exact. */
static inline double op_rsqrt(double a) {
    if (!(a > 0) || isinf(a)) return 1.0 / sqrt(a);
    double scale = a < 0x1p-900 ? 0x1p200 : 1.0, back = a < 0x1p-900 ? 0x1p100 : 1.0;
    double x = a * scale, s = sqrt(x), d = fma(-s, s, x) / (2 * s);
    double y = 1.0 / s, r = fma(-s, y, 1.0);
    return (y + y * (r - d * y)) * back;
}

/* numpy.mod: the sign of b; a multiple of b gives a zero with b's sign. */
static inline double op_mod(double a, double b) {
    double r = fmod(a, b);
    if (r == 0) return copysign(0.0, b);
    return (r < 0) != (b < 0) ? r + b : r;
}

static inline double op_lgamma(double a) {
    int sign; /* lgamma() would write the global signgam */
    return lgamma_r(a, &sign);
}

/* e = exp(-|x|) carries the error of exp, at most halved by the quotient where it is not the result
 * itself; 1 + e = s + d exactly, and 1/(s + d) = y + y * r to first order. */
static inline double op_sigmoid(double a) {
    double e = exp(-fabs(a)), s = 1.0 + e, d = e - (s - 1.0);
    double y = 1.0 / s, low = y * (fma(-s, y, 1.0) - d * y);
    return a < 0 ? fma(e, y, e * low) : y + low;
}

/* x * 180/pi and x * pi/180 with the constant in two parts (to 2^-106); zeros keep their sign. */
static inline double op_degrees(double a) {
    double lo = a * -0x1.1e7ab456405f9p-49;
    return isfinite(a) && a != 0 ? fma(a, 0x1.ca5dc1a63c1f8p+5, lo) : a;
}

static inline double op_radians(double a) {
    double lo = a * 0x1.5c1d8becdd291p-62;
    return isfinite(a) && a != 0 ? fma(a, 0x1.1df46a2529d39p-6, lo) : a;
}

#endif
