/* Arguments for the map ops made from an index, and the order-free hash of their results.
 *
 * Both are fixed by integer arithmetic, exact conversions and single IEEE operations, so that every
 * compiler and machine makes the same; tests/math/hashes depends on each line. */
#ifndef MATH_INPUTS_H
#define MATH_INPUTS_H

#include <stdint.h>
#include <string.h>

static inline double bits_to_double(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t double_to_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* splitmix64's step and output function. */
static inline uint64_t scramble(uint64_t z) {
    z += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

#define SIGN_BIT  (UINT64_C(1) << 63)
#define FRACTION  UINT64_C(0xFFFFFFFFFFFFF)
#define BIAS      1023
#define QUIET_NAN UINT64_C(0x7FF8000000000000)

/* 1.f * 2^exponent with the sign of u. */
static inline double power_and_fraction(uint64_t u, int64_t exponent) {
    return bits_to_double((u & SIGN_BIT) | (uint64_t)(BIAS + exponent) << 52 | (u & FRACTION));
}

/* Zeros, infinities, NaN, ones, extremes, and whole numbers of up to 14 bits. */
static inline double special_input(uint64_t u) {
    static const uint64_t magnitudes[] = {0,
                                          UINT64_C(0x7FF0000000000000),
                                          QUIET_NAN,
                                          UINT64_C(0x3FF0000000000000) /* 1 */,
                                          UINT64_C(0x7FEFFFFFFFFFFFFF) /* largest */,
                                          UINT64_C(0x0010000000000000) /* smallest normal */};
    unsigned which = (u >> 40) % 16;
    if (which < sizeof magnitudes / sizeof *magnitudes)
        return bits_to_double((u & SIGN_BIT) | magnitudes[which]);
    if (which < 10) return (double)((int64_t)(u >> 50) - 8192);
    return 709.0 +
           (bits_to_double(UINT64_C(0x3FF0000000000000) | (u & FRACTION)) - 1.0); /* e^x at its end */
}

/* Argument number `which` (0, 1, 2) of element i: eight classes, all combinations of which come up
 * among 512 neighbouring elements. */
static inline double math_input(uint64_t i, unsigned which) {
    uint64_t u = scramble(scramble(i) + which + 1);
    double unit = bits_to_double(UINT64_C(0x3FF0000000000000) | (u & FRACTION)) - 1.0; /* [0, 1) */
    switch (i >> 3 * which & 7) {
    case 0: /* any bits */
        return bits_to_double(u);
    case 1:
        return 20.0 * unit - 10.0;
    case 2:
        return 1500.0 * unit - 750.0;
    case 3:
        return power_and_fraction(u, (int64_t)((u >> 52) % 64) - 60);
    case 4: /* subnormal, zero */
        return bits_to_double((u & SIGN_BIT) | (u & FRACTION) >> (u >> 53) % 52);
    case 5: /* about 1 */
        return 1.0 + (0.5 - unit) * bits_to_double((BIAS - (u >> 52) % 53) << 52);
    case 6:
        return power_and_fraction(u, (int64_t)((u >> 52) % 64));
    default:
        return special_input(u);
    }
}

/* What element i with result y adds to the hash; every NaN counts as one value. */
static inline uint64_t hash_term(uint64_t i, double y) {
    uint64_t bits = y == y ? double_to_bits(y) : QUIET_NAN;
    return scramble(bits + i * UINT64_C(0xD1342543DE82EF95));
}

#endif
