/* What the tests of exact.h share: accumulators of given values and their rounded results. */
#ifndef EXACT_HELP_H
#define EXACT_HELP_H

#include <stdlib.h>

#include "check.h"
#include "exact.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline struct exact *accumulator(enum exact_kind kind) {
    struct exact *x = exact_create(kind);
    if (!x) abort(); /* out of memory: the harness reports the dead program */
    return x;
}

static inline struct exact *accumulated(enum exact_kind kind, const double *v, size_t n) {
    struct exact *x = accumulator(kind);
    exact_add_f64(x, v, n);
    return x;
}

/* The value rounded once. */
static inline double rounded(struct exact *x, enum exact_kind kind) {
    struct bignum mag;
    int neg;
    exact_value(x, &mag, &neg);
    double v = bignum_round(&mag, 0, exact_unit(kind));
    return neg ? -v : v;
}

static inline double sum_of(const double *v, size_t n) {
    struct exact *x = accumulated(EXACT_SUM, v, n);
    double sum = rounded(x, EXACT_SUM);
    exact_free(x);
    return sum;
}

/* root ? sqrt(S2 / den) : S2 / den */
static inline double squares_of(const double *v, size_t n, uint64_t den, int root) {
    struct exact *x = accumulated(EXACT_SQUARES, v, n);
    struct bignum mag;
    int neg;
    exact_value(x, &mag, &neg);
    exact_free(x);
    return exact_ratio(&mag, exact_unit(EXACT_SQUARES), den, 1, 1, root);
}

static inline int same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* x = words * 2^shift, the highest word first, and sign as said. */
static inline int value_is(struct exact *x, int neg, int n, const uint64_t *words, int shift) {
    struct bignum mag, want;
    int got_neg;
    bignum_set(&want, 0);
    for (int i = 0; i < n; i++) {
        struct bignum word;
        bignum_set(&word, words[i]);
        bignum_shift_left(&want, 64);
        bignum_add(&want, &word);
    }
    bignum_shift_left(&want, shift);
    exact_value(x, &mag, &got_neg);
    return got_neg == neg && bignum_compare(&mag, &want) == 0;
}

/* Whether both have the same bytes. */
static inline int same_bytes(struct exact *a, struct exact *b) {
    unsigned char x[EXACT_MAX_STORED], y[EXACT_MAX_STORED];
    size_t n = exact_store(a, x), m = exact_store(b, y);
    return n == m && memcmp(x, y, n) == 0;
}

/* xorshift64*: the same data in every run */
static inline uint64_t random_u64(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

static inline double from_bits(uint64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline void shuffle(double *v, size_t n, uint64_t *state) {
    for (size_t i = n; i > 1; i--) {
        size_t k = random_u64(state) % i;
        double t = v[i - 1];
        v[i - 1] = v[k];
        v[k] = t;
    }
}

#endif
