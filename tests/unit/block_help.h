/* What the tests of block kernels share: instruction sets, values, and what is checked of a kernel's
 * sums: none is called exact that is not. */
#ifndef BLOCK_HELP_H
#define BLOCK_HELP_H

#include <math.h>

#include "block_stats.h"
#include "dtype.h"
#include "exact_help.h"

#define MOST 4200 /* elements of a block, and some */

static const char *const names[] = {"portable", "noflags", "avx2", "avx512"};

/* The k-th instruction set's kernels, NULL if this CPU cannot run them. */
static inline const struct kernels *kernels_of(size_t k) {
    const struct kernels *kernels;
    return kernels_find(names[k], &kernels, NULL) == 0 ? kernels : NULL;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t seed = 2024;

static inline double uniform(int below) {
    return (double)(random_u64(&seed) % (uint64_t)below);
}

/* Whole numbers of 24 bits times powers of two of so many exponents. */
static inline double spread_value(int spread) {
    return ldexp(uniform(1 << 24) - (1 << 23), (int)uniform(spread + 1) - 20);
}

static inline void put_f64(unsigned char *at, enum dtype type, int swap, double v) {
    float single = (float)v;
    size_t itemsize = dtype_table[type].itemsize;
    unsigned char bytes[8];
    if (type == DTYPE_F32)
        memcpy(bytes, &single, sizeof single);
    else
        memcpy(bytes, &v, sizeof v);
    for (size_t i = 0; i < itemsize; i++)
        at[i] = bytes[swap ? itemsize - 1 - i : i];
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Whether the sums that a kernel called exact are those of the elements. */
static inline int sums_are(const double *sums, size_t nsums, const double *v, size_t n) {
    struct exact *want = accumulated(EXACT_SUM, v, n), *got = accumulator(EXACT_SUM);
    exact_add_sums(got, sums, nsums);
    int same = same_bytes(want, got);
    exact_free(want);
    exact_free(got);
    return same;
}

/* The same of one or two sums with windows. */
static inline int windows_are(enum exact_kind kind, const struct window_sum *sums, size_t nsums,
                              size_t lanes, const double *v, size_t n) {
    struct exact *want = accumulated(kind, v, n), *got = accumulator(kind);
    for (size_t k = 0; k < nsums; k++) {
        exact_add_sums(got, sums[k].low, lanes);
        for (int w = 0; w < WINDOWS; w++)
            exact_add_integer(got, sums[k].high[w], sums[k].unit[w]);
    }
    int same = same_bytes(want, got);
    exact_free(want);
    exact_free(got);
    return same;
}

static inline int extremes_are(const struct block_extremes *e, const double *v, size_t n) {
    double min = INFINITY, max = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        min = v[i] < min ? v[i] : min;
        max = v[i] > max ? v[i] : max;
    }
    return e->min == min && e->max == max;
}

static inline int has_nan(const double *v, size_t n) {
    int found = 0;
    for (size_t i = 0; i < n; i++)
        found |= isnan(v[i]) != 0;
    return found;
}

/* Statistics of binary32 in one trip, whose guess is `largest`; whether they were accepted. */
static inline int check_trip(const struct kernels *kernels, const unsigned char *bytes, int magnitude,
                             int drop_nan, double largest, const double *v, size_t n,
                             const char *what) {
    const struct stats_kernels *k = kernels->stats;
    struct one_trip t;
    struct window_sum squares[2] = {{.low = {0}}};
    if (!k->one_trip(bytes, n, magnitude, drop_nan, largest, &t)) return 0;
    memcpy(squares[0].low, t.squares, sizeof t.squares);
    memcpy(squares[1].low, t.errors, sizeof t.errors);
    CHECKF(extremes_are(&t.extremes, v, n), "%s: one trip's extremes, %s", kernels->name, what);
    CHECKF(drop_nan || !has_nan(v, n), "%s: one trip took NaN, %s", kernels->name, what);
    CHECKF(sums_are(t.values, (size_t)k->lanes, v, n), "%s: one trip's values, %s", kernels->name,
           what);
    CHECKF(windows_are(EXACT_SQUARES, squares, 2, (size_t)k->lanes, v, n), "%s: one trip's squares, %s",
           kernels->name, what);
    return 1;
}

/* Guesses that are right, useless, and in between. */
static inline void check_trips(const struct kernels *kernels, const unsigned char *bytes, int magnitude,
                               int drop_nan, const double *v, size_t n, const char *what) {
    static const double guesses[] = {0, 0x1p-149, 0x1p-70, 0x1p-9, 0x1p60, 0x1.fffffep127};
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        if (fabs(v[i]) > largest && !isinf(v[i])) largest = fabs(v[i]);
    check_trip(kernels, bytes, magnitude, drop_nan, largest, v, n, what);
    for (size_t k = 0; k < COUNT(guesses); k++)
        check_trip(kernels, bytes, magnitude, drop_nan, guesses[k], v, n, what);
}

/* One way of making statistics of a block whose elements (magnitudes, if such are wanted) are v. */
static inline int check_stats(const struct kernels *kernels, enum native_float type,
                              const unsigned char *bytes, int magnitude, int drop_nan, const double *v,
                              size_t n, const char *what) {
    const struct stats_kernels *k = kernels->stats;
    size_t lanes = (size_t)k->lanes, nsums = type == NATIVE_F64 ? 2 : 1;
    struct block_stats st;
    struct block_extremes e;
    int nan = has_nan(v, n);
    if (type == NATIVE_F32 && k->one_trip != NULL)
        check_trips(kernels, bytes, magnitude, drop_nan, v, n, what);
    k->stats[type](bytes, n, magnitude, drop_nan, &st);
    k->extremes[type](bytes, n, magnitude, &e);
    CHECKF(extremes_are(&st.extremes, v, n) && extremes_are(&e, v, n), "%s: extremes, %s",
           kernels->name, what);
    CHECKF(!(nan && !drop_nan && st.exact), "%s: NaN called exact, %s", kernels->name, what);
    CHECKF(!st.has_nan || (nan && !drop_nan), "%s: no NaN, %s", kernels->name, what);
    if (!st.exact) return 0;
    CHECKF(windows_are(EXACT_SUM, &st.sums[SUM_VALUES], 1, lanes, v, n), "%s: values, %s",
           kernels->name, what);
    CHECKF(windows_are(EXACT_SQUARES, &st.sums[SUM_SQUARES], nsums, lanes, v, n), "%s: squares, %s",
           kernels->name, what);
    return 1;
}

/* All sums of a block of values of a type; what is accepted must be right.  Returns how many of plain
 * sums, windows and statistics were. */
static inline int check_kernels(const struct kernels *kernels, enum native_float type, const double *v,
                                size_t n, const char *what) {
    const struct sum_kernels *k = kernels->sums;
    static unsigned char bytes[8 * MOST];
    static double magnitudes[MOST];
    double sums[2 * MAX_LANES];
    struct window_hint hint = {0};
    size_t itemsize = type == NATIVE_F32 ? 4 : 8, lanes = (size_t)k->lanes;
    int accepted = 0;
    for (size_t i = 0; i < n; i++) {
        put_f64(bytes + i * itemsize, type == NATIVE_F32 ? DTYPE_F32 : DTYPE_F64, 0, v[i]);
        magnitudes[i] = fabs(v[i]);
    }
    if (k->plain[type](bytes, n, 0, 0, sums)) {
        accepted++;
        CHECKF(sums_are(sums, lanes, v, n), "%s: plain, %s", kernels->name, what);
    }
    if (k->windows[type](bytes, n, 0, 0, &hint, sums)) {
        accepted++;
        CHECKF(sums_are(sums, 2 * lanes, v, n), "%s: windows, %s", kernels->name, what);
    }
    check_stats(kernels, type, bytes, 1, 0, magnitudes, n, what);
    check_stats(kernels, type, bytes, 0, 1, v, n, what);
    return accepted + check_stats(kernels, type, bytes, 0, 0, v, n, what);
}

static inline void on_all(const double *v, size_t n, const char *what) {
    static double single[MOST];
    for (size_t i = 0; i < n; i++)
        single[i] = (double)(float)v[i];
    for (size_t k = 0; k < COUNT(names); k++) {
        if (kernels_of(k) == NULL) continue;
        check_kernels(kernels_of(k), NATIVE_F64, v, n, what);
        check_kernels(kernels_of(k), NATIVE_F32, single, n, what);
    }
}

#endif
