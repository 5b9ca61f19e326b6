/* Exact sums of a thread's values in windows; those that are never inexact are in exact_integers.cuh.
 *
 * What the members are and who calls them when is in README.  Everything here is exact or says that it
 * was not; it is compiled with --fmad=false, rounds to nearest and knows no flush to zero.  A tile with
 * an infinity is never exact: it makes the sums of sum_f32, squares_f32 and t of the others an infinity
 * or NaN, which is outside of the first window, and its exponent is above all of integer_sum_f32's.
 *
 * Where windows lie, for values < 2^E of which `exponent` is the largest's (E = exponent - 1022): a
 * value is exact if it is below the largest and its lowest bit is not below the last window's unit.
 *                windows  first unit  largest value    lowest bit of a value  so all bits fit from
 *   sum_f32         2     2^(E-29)    2^(E+22)         2^(E-80)               2^(E-57)
 *     in a tile                       2^(E+16)         (and 23 exponents apart)
 *   sum_f64         3     2^(E-43)    2^(E+8)          2^(E-145)              2^(E-93)
 *     in a tile                       2^(E+8)          2^(E-94)               2^(E-42)
 *   squares_f32     3     2^(2E-41)   2^(E+5)          2^(E-71)               2^(E-48)
 *     in a tile                       2^(E+2)          2^(E-44)               2^(E-21)
 *   squares_f64     4     2^(2E-47)   2^(E+2)          2^(E-100)              2^(E-48)
 *     in a tile                       2^(E+2)          2^(E-74)               2^(E-22)
 * A tile of squares_f32 has a power of two from 2^(E-20) on only: see there. */
#ifndef EXACT_CUH
#define EXACT_CUH

#include "exact_integers.cuh"

/* ---- values that are exact in a float ---------------------------------------------------------- */

/* Twice the bits less one, sign dropped: its least is the smallest nonzero magnitude's. */
__device__ inline unsigned magnitude_key(float v) {
    return 2 * __float_as_uint(v) - 1;
}

/* A tile's values are added in binary64, four sums in turn.  With the largest's exponent field emax and
 * the smallest nonzero's emin, all are multiples of 2^(emin - 150), and sums of up to 64 are below
 * 2^(emax - 126 + 6): within 53 bits, and so exact whatever the order, if emax - emin <= 53 - 24 - 6.
 * (A field of 0 counts as 1: subnormals are multiples of 2^-149.) */
struct sum_f32 {
    enum { has_again = 1, terms = 1 };
    u64 w0, w1;
    double s0, s1, s2, s3;
    float most;
    unsigned least;
    u64 t0, t1;
    unsigned out;
    bool exact;

    __device__ static double anchor(int exponent) {
        return window_anchor(anchor_exponent(exponent) + 24, 103, 2045);
    }
    __device__ void begin() {
        w0 = w1 = 0;
    }
    __device__ void tile() {
        s0 = s1 = s2 = s3 = -0.0; /* -0.0 + v is v: no addition */
        most = 0;
        least = ~0u;
    }
    __device__ void add(float v, double) {
        double sum = s0 + v;
        s0 = s1, s1 = s2, s2 = s3, s3 = sum;
        most = fmaxf(most, fabsf(v));
        unsigned key = magnitude_key(v);
        least = key < least ? key : least;
    }
    __device__ bool commit(double m) {
        int emax = (int)(__float_as_uint(most) >> 23), emin = (int)((least + 1) >> 24);
        if (emin == 0) emin = 1;
        begin_again();
        double rest = window_first((s0 + s1) + (s2 + s3), m, t0, out);
        exact = window_last(rest, below(m), t1) & (emax - emin <= 53 - 24 - 6);
        return commit_again();
    }
    __device__ void again() {
        begin_again();
    }
    __device__ void add_again(float v, double m) {
        double rest = window_first(v, m, t0, out);
        exact &= window_last(rest, below(m), t1);
    }
    __device__ bool commit_again() {
        bool good = exact & inside(out);
        if (good) w0 += t0, w1 += t1;
        return good;
    }
    __device__ void flush(double m, u64 *limbs) {
        window_flush(w0, sum_position(m), limbs);
        window_flush(w1, sum_position(below(m)), limbs);
        begin();
    }

  private:
    __device__ void begin_again() {
        t0 = t1 = 0;
        out = 0;
        exact = true;
    }
};

/* d^2 is a 48-bit integer times 2^(2e - 300) for an exponent field e >= 1, never subnormal.  It is
 * split at the first window's unit: t = d^2 + m rounded once (fma), high = t - m a multiple of u, and
 * the rest d^2 - high, by fma, exact: at most u / 2, and no more bits than d^2 has if high is not 0, as
 * then d^2 >= u / 2. Tile: high parts are >= 0 and multiples of u, so their sum is exact while it is
 * below 2^53 u, and stays above once it is not (rounding is monotone); that it is below 2^51 u is
 * tested, which also rejects any d^2 beyond the window.  The sum of up to 64 rests is at most 32 u:
 * exact if all are multiples of 2^-48 u, which the smallest nonzero value says; so two windows take it
 * without a rest. Its exponent is read from magnitude_key >> 24, one too small for powers of two, and 0
 * for subnormals, which are multiples of more: the test never passes what it should not. */
struct squares_f32 {
    enum { has_again = 1, terms = 1 };
    u64 w0, w1, w2;
    double high0, high1, rest0, rest1;
    unsigned least;
    u64 t0, t1, t2;
    unsigned out;
    bool exact;

    __device__ static double anchor(int exponent) {
        return window_anchor(2 * anchor_exponent(exponent) - 1010, 154, 2045);
    }
    __device__ void begin() {
        w0 = w1 = w2 = 0;
    }
    __device__ void tile() {
        high0 = high1 = rest0 = rest1 = -0.0;
        least = ~0u;
    }
    __device__ void add(float v, double m) {
        double d = v, high = fma(d, d, m) - m;
        double rest = fma(d, d, -high);
        double high_sum = high0 + high, rest_sum = rest0 + rest;
        high0 = high1, high1 = high_sum;
        rest0 = rest1, rest1 = rest_sum;
        unsigned key = magnitude_key(v);
        least = key < least ? key : least;
    }
    __device__ bool commit(double m) {
        int unit = (__double2hiint(m) >> 20) - 1075, lowest = 2 * (int)(least >> 24) - 300;
        begin_again();
        window_first(high0 + high1, m, t0, out);
        window_next(window_next(rest0 + rest1, m, t0), below(m), t1);
        exact = lowest >= unit - 48;
        return commit_again();
    }
    __device__ void again() {
        begin_again();
    }
    __device__ void add_again(float v, double m) {
        double d = v, t = fma(d, d, m);
        out |= (unsigned)(__double2hiint(t) ^ __double2hiint(m));
        t0 += double_bits(t) - double_bits(m);
        double rest = window_next(fma(d, d, -(t - m)), below(m), t1);
        exact &= window_last(rest, below(below(m)), t2);
    }
    __device__ bool commit_again() {
        bool good = exact & inside(out);
        if (good) w0 += t0, w1 += t1, w2 += t2;
        return good;
    }
    __device__ void flush(double m, u64 *limbs) {
        window_flush(w0, squares_position(m), limbs);
        window_flush(w1, squares_position(below(m)), limbs);
        window_flush(w2, squares_position(below(below(m))), limbs);
        begin();
    }

  private:
    __device__ void begin_again() {
        t0 = t1 = t2 = 0;
        out = 0;
        exact = true;
    }
};

/* Without binary64 instructions, for cards that are poor in them.  A value is an integer of 24 bits
 * times 2^(e - 150); shifted by e - e0 for 0 <= e - e0 < 28 it is a term of at most 2^51 in units of
 * 2^(e0 - 150), and multiplying by a power of two does shift, sign and addition at once.  Tiles go to
 * the first window; element by element there are two more, 28 exponents down each.  The anchor is that
 * unit, as a binary64 that is only ever taken apart; E - 4 of the largest value is its first exponent
 * but 27. */
struct integer_sum_f32 {
    enum { has_again = 1, terms = 1, exponents = 28 };
    i64 w0, w1, w2;
    i64 t0, t1, t2;
    bool exact;

    __device__ static double anchor(int exponent) {
        int first = anchor_exponent(exponent) - (1023 - 127) + 4 - (exponents - 1);
        first = first < 1 ? 1 : first > 254 - (exponents - 1) ? 254 - (exponents - 1) : first;
        return __hiloint2double((first - 150 + 1023) << 20, 0);
    }
    __device__ void begin() {
        w0 = w1 = w2 = 0;
    }
    __device__ void tile() {
        t0 = t1 = t2 = 0;
        exact = true;
    }
    __device__ void add(float v, double m) {
        unsigned twice = 2 * __float_as_uint(v);
        int shift = (int)(twice >> 24) - first_exponent(m);
        t0 += shifted(significand(v, 0x800000), shift);
        exact &= (unsigned)shift < exponents || twice == 0; /* no subnormals: first_exponent > 0 */
    }
    __device__ bool commit(double) {
        return commit_again();
    }
    __device__ void again() {
        tile();
    }
    __device__ void add_again(float v, double m) {
        unsigned exponent = 2 * __float_as_uint(v) >> 24;
        int s = significand(v, exponent ? 0x800000 : 0);
        int shift = (int)(exponent ? exponent : 1) - first_exponent(m);
        t0 += shifted(s, shift);
        t1 += shifted(s, shift + exponents);
        t2 += shifted(s, shift + 2 * exponents);
        exact &= (unsigned)(shift + 2 * exponents) < 3 * exponents || s == 0;
    }
    __device__ bool commit_again() {
        if (exact) w0 += t0, w1 += t1, w2 += t2;
        return exact;
    }
    __device__ void flush(double m, u64 *limbs) {
        int position = first_exponent(m) - 150 + 1074;
        window_flush((u64)w0, position, limbs);
        window_flush((u64)w1, position - exponents, limbs);
        window_flush((u64)w2, position - 2 * exponents, limbs);
        begin();
    }

  private:
    __device__ static int first_exponent(double m) {
        return (__double2hiint(m) >> 20) - 1023 + 150;
    }
    __device__ static int significand(float v, int implicit) {
        int bits = (int)__float_as_uint(v), s = (bits & 0x7fffff) | implicit;
        return bits < 0 ? -s : s;
    }
    /* 0 where s belongs to another window, or nowhere. */
    __device__ static i64 shifted(int s, int shift) {
        int factor = (unsigned)shift < exponents ? 1 << (shift & 31) : 0;
        return (i64)s * factor;
    }
};

/* ---- binary64 ---------------------------------------------------------------------------------- */

/* n * bits(m), modulo 2^64; the lower half of bits(m) is 0. */
__device__ inline u64 magic_bits(double m, unsigned n) {
    return (u64)(n * (unsigned)__double2hiint(m)) << 32;
}

/* Two windows take nearly everything; values whose bits go further down take a third, in the second
 * try.  Bits of t and q are added whole: the magic numbers' are taken off a tile's sums, modulo 2^64,
 * and `count`, a constant where a tile is unrolled, says how often.  So an add needs no other, and two
 * of them are one instruction a half. */
struct sum_f64 {
    enum { has_again = 1, terms = 1 };
    u64 w0, w1, w2;
    u64 t0, t1, t2;
    unsigned out, count;
    bool exact;

    __device__ static double anchor(int exponent) {
        return window_anchor(anchor_exponent(exponent) + 10, 103, 2045);
    }
    __device__ void begin() {
        w0 = w1 = w2 = 0;
    }
    __device__ void tile() {
        t0 = t1 = t2 = 0;
        out = count = 0;
        exact = true;
    }
    __device__ void add(double v, double m) {
        double t = v + m, rest = v - (t - m), q = rest + below(m);
        out |= (unsigned)(__double2hiint(t) ^ __double2hiint(m));
        exact &= q - below(m) == rest;
        t0 += double_bits(t);
        t1 += double_bits(q);
        count++;
    }
    __device__ bool commit(double m) {
        t0 -= magic_bits(m, count);
        t1 -= magic_bits(below(m), count);
        return commit_again();
    }
    __device__ void again() {
        tile();
    }
    __device__ void add_again(double v, double m) {
        double rest = window_next(window_first(v, m, t0, out), below(m), t1);
        exact &= window_last(rest, below(below(m)), t2);
    }
    __device__ bool commit_again() {
        bool good = exact & inside(out);
        if (good) w0 += t0, w1 += t1, w2 += t2;
        return good;
    }
    __device__ void flush(double m, u64 *limbs) {
        window_flush(w0, sum_position(m), limbs);
        window_flush(w1, sum_position(below(m)), limbs);
        window_flush(w2, sum_position(below(below(m))), limbs);
        begin();
    }
};

/* d^2 = p + e with p = d * d rounded and e by fma, exact if neither leaves the range of binary64:
 * 2^-960 < |p| < 2^1020.  p goes to the windows from the first on, e to those from the second on: with
 * p < 2^51 u it is at most half a unit of p's last place, 2^-3 u = 2^48 u'.  A window's term is then a
 * rest of p's, at most half its unit's 2^51, plus e's part, at most that: within one term's 2^51.
 * Units are clamped so that the range holds for all that is accepted: p < 2^51 u <= 2^1019; and p,
 * being a multiple of the third window's unit, >= 2^-959, unless it is 0, which must come of d = 0. */
struct squares_f64 {
    enum { has_again = 1, terms = 1 };
    u64 w0, w1, w2, w3;
    u64 t0, t1, t2, t3;
    unsigned out, count;
    bool exact;

    __device__ static double anchor(int exponent) {
        return window_anchor(2 * anchor_exponent(exponent) - 1016, 218, 2043);
    }
    __device__ void begin() {
        w0 = w1 = w2 = w3 = 0;
    }
    __device__ void tile() {
        t0 = t1 = t2 = t3 = 0;
        out = count = 0;
        exact = true;
    }
    __device__ void add(double d, double m) {
        double p = d * d, e = fma(d, d, -p), m1 = below(m), m2 = below(m1);
        double t = p + m, rest = p - (t - m), q = rest + m1, r = e + m1, low = e - (r - m1),
               s = low + m2;
        out |= (unsigned)(__double2hiint(t) ^ __double2hiint(m));
        exact &= (p != 0) | (d == 0);
        exact &= q - m1 == rest;
        exact &= s - m2 == low;
        t0 += double_bits(t);
        t1 += double_bits(q) + double_bits(r);
        t2 += double_bits(s);
        count++;
    }
    __device__ bool commit(double m) {
        double m1 = below(m);
        t0 -= magic_bits(m, count);
        t1 -= magic_bits(m1, 2 * count);
        t2 -= magic_bits(below(m1), count);
        return commit_again();
    }
    __device__ void again() {
        tile();
    }
    __device__ void add_again(double d, double m) {
        double p = d * d, e = fma(d, d, -p), m1 = below(m), m2 = below(m1);
        exact &= (p != 0) | (d == 0);
        exact &= window_last(window_next(window_first(p, m, t0, out), m1, t1), m2, t2);
        exact &= window_last(window_next(window_next(e, m1, t1), m2, t2), below(m2), t3);
    }
    __device__ bool commit_again() {
        bool good = exact & inside(out);
        if (good) w0 += t0, w1 += t1, w2 += t2, w3 += t3;
        return good;
    }
    __device__ void flush(double m, u64 *limbs) {
        double m1 = below(m), m2 = below(m1);
        window_flush(w0, squares_position(m), limbs);
        window_flush(w1, squares_position(m1), limbs);
        window_flush(w2, squares_position(m2), limbs);
        window_flush(w3, squares_position(below(m2)), limbs);
        begin();
    }
};

#endif
