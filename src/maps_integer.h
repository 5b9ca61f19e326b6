/* The ops that keep integers exact, on one value each: sign and 64-bit magnitude, never a negative
 * zero.  Comparisons take values of any type. */
#ifndef MAPS_INTEGER_H
#define MAPS_INTEGER_H

#include "scalar.h"
#if defined(__CUDACC__) || defined(ONEPASS_EMULATED)
#include "scalar_compare.h"
#endif

typedef struct scalar integer_op(struct scalar a, struct scalar b, struct scalar c);

SCALAR_INLINE struct scalar int_of(uint64_t v) {
    struct scalar s = {TYPE_INT, 0, v, 0};
    return s;
}

SCALAR_INLINE struct scalar int_same(struct scalar a, struct scalar b, struct scalar c) {
    (void)b, (void)c;
    return a;
}

SCALAR_INLINE struct scalar int_false(struct scalar a, struct scalar b, struct scalar c) {
    (void)a, (void)b, (void)c;
    return int_of(0);
}

SCALAR_INLINE struct scalar int_true(struct scalar a, struct scalar b, struct scalar c) {
    (void)a, (void)b, (void)c;
    return int_of(1);
}

SCALAR_INLINE struct scalar int_abs(struct scalar a, struct scalar b, struct scalar c) {
    (void)b, (void)c;
    a.neg = 0;
    return a;
}

SCALAR_INLINE struct scalar int_neg(struct scalar a, struct scalar b, struct scalar c) {
    (void)b, (void)c;
    a.neg = a.mag != 0 && !a.neg;
    return a;
}

SCALAR_INLINE struct scalar int_sign(struct scalar a, struct scalar b, struct scalar c) {
    (void)b, (void)c;
    a.mag = a.mag != 0;
    return a;
}

SCALAR_INLINE struct scalar int_relu(struct scalar a, struct scalar b, struct scalar c) {
    (void)b, (void)c;
    return a.neg ? int_of(0) : a;
}

SCALAR_INLINE struct scalar int_min(struct scalar a, struct scalar b, struct scalar c) {
    (void)c;
    return scalar_compare(&a, &b) <= 0 ? a : b;
}

SCALAR_INLINE struct scalar int_max(struct scalar a, struct scalar b, struct scalar c) {
    (void)c;
    return scalar_compare(&a, &b) >= 0 ? a : b;
}

SCALAR_INLINE struct scalar int_clamp(struct scalar a, struct scalar lo, struct scalar hi) {
    return int_min(int_max(a, lo, hi), hi, hi);
}

/* The condition is any value; NaN is true. */
SCALAR_INLINE struct scalar int_select(struct scalar a, struct scalar b, struct scalar c) {
    return (a.type == TYPE_INT ? a.mag != 0 : a.f != 0) ? b : c;
}

/* int_less and its like: 1 where the order of a and b is one of those named.  Unordered is only
 * "unequal". */
#define COMPARISON(name, condition)                                                                    \
    SCALAR_INLINE struct scalar name(struct scalar a, struct scalar b, struct scalar c) {              \
        int order = scalar_compare(&a, &b);                                                            \
        (void)c;                                                                                       \
        return int_of(condition);                                                                      \
    }
COMPARISON(int_less, order == -1)
COMPARISON(int_less_equal, order == -1 || order == 0)
COMPARISON(int_greater, order == 1)
COMPARISON(int_greater_equal, order == 1 || order == 0)
COMPARISON(int_equal, order == 0)
COMPARISON(int_unequal, order != 0)
#undef COMPARISON

#endif
