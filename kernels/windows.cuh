/* Windows: what exact sums of a thread's values are kept in, integers in registers.
 *
 * Let m = 1.5 * 2^52 * u, u a power of two: the window's unit.  If t = v + m, rounded, lies in m's
 * binade [2^52 u, 2^53 u), whose numbers are the multiples of u, then bits(t) - bits(m) is v / u
 * rounded to an integer, of magnitude <= 2^51; that is tested by t's exponent and sign, and holds for
 * magnitudes below 2^51 u - u / 2.  t - m is exact (a multiple of u below 2^52 u), and v - (t - m), the
 * error of a rounded addition, is a binary64, at most u / 2.  That rest goes to the next window, of the
 * unit u' = 2^-51 u: it is at most 2^50 u' and so inside.  A value is exact if the last window leaves
 * no rest. A window is an integer of 64 bits, so it takes WINDOW_TERMS = 2^12 - 1 terms of 2^51.
 *
 * Units are clamped: m is finite (u <= 2^970), and the last window's is a normal number (its unit is at
 * least 2^-1074), as below that bits would not count multiples of the unit.  The last unit is at least
 * 2^-1074 in sum_f64, 2^-1023 where values are a float's, which have no bits as low as that, and
 * 2^-1010 in squares_f64, for reasons given there. */
#ifndef WINDOWS_CUH
#define WINDOWS_CUH

#include "limbs.cuh"

#define WINDOW_TERMS 4095
#define WINDOW_BITS  51
#define TILE_MAX     64 /* elements of a tile */

__device__ inline u64 double_bits(double v) {
    return (u64)__double_as_longlong(v);
}

/* 1.5 * 2^52 * u with the given exponent field, between the lowest and the highest that are allowed. */
__device__ inline double window_anchor(int field, int lowest, int highest) {
    field = field < lowest ? lowest : field > highest ? highest : field;
    return __hiloint2double(field << 20 | 0x80000, 0);
}

/* The exponent field for anchors of a largest value's: 1.0's if there were only zeros or subnormals. */
__device__ inline int anchor_exponent(int exponent) {
    return exponent > 0 ? exponent : 1023;
}

/* The anchor of the window below m's. */
__device__ inline double below(double m) {
    return __hiloint2double(__double2hiint(m) - (WINDOW_BITS << 20), 0);
}

/* Adds v to a window and returns the rest; the upper 12 bits of `out` collect whether v was outside. */
__device__ inline double window_first(double v, double m, u64 &window, unsigned &out) {
    double t = v + m;
    out |= (unsigned)(__double2hiint(t) ^ __double2hiint(m));
    window += double_bits(t) - double_bits(m);
    return v - (t - m);
}

/* The same of a v that is inside. */
__device__ inline double window_next(double v, double m, u64 &window) {
    double t = v + m;
    window += double_bits(t) - double_bits(m);
    return v - (t - m);
}

/* The same; false if there is a rest. */
__device__ inline bool window_last(double v, double m, u64 &window) {
    double t = v + m;
    window += double_bits(t) - double_bits(m);
    return t - m == v;
}

__device__ inline bool inside(unsigned out) {
    return out >> 20 == 0;
}

/* Position of the unit of m's window: u = 2^(field - 1023 - 52). */
__device__ inline int sum_position(double m) {
    return (__double2hiint(m) >> 20) - 1075 + 1074;
}
__device__ inline int squares_position(double m) {
    return (__double2hiint(m) >> 20) - 1075 + 2148;
}

#endif
