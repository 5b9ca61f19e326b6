/* What the tests of numbers as text share: random bits, bits of numbers, and reading a whole text. */
#ifndef NUMBER_HELP_H
#define NUMBER_HELP_H

#include "check.h"
#include "number.h"

/* SplitMix64, by Sebastiano Vigna. */
static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline double from_bits(uint64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

static inline uint64_t to_bits(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof(bits));
    return bits;
}

static inline double parse_whole(const char *text, size_t nbytes) {
    struct scalar s;
    int overflow, negative = nbytes > 0 && text[0] == '-';
    size_t used = number_parse(text + negative, nbytes - (size_t)negative, &s, &overflow);
    CHECKF(used == nbytes - (size_t)negative, "'%.60s': %zu of %zu bytes used", text, used, nbytes);
    double v = scalar_f64(&s);
    return negative ? -v : v;
}

#endif
