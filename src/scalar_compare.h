/* What scalar.c compiles for the CPU, and a kernel takes in whole: comparing values of a pipeline
 * exactly, integers of 65 bits, binary64, and one with the other. */
#ifndef SCALAR_COMPARE_H
#define SCALAR_COMPARE_H

#include "scalar.h"

SCALAR_INLINE int compare_u64(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

SCALAR_INLINE int compare_integers(const struct scalar *a, const struct scalar *b) {
    if (a->neg != b->neg) return a->neg ? -1 : 1;
    int magnitude = compare_u64(a->mag, b->mag);
    return a->neg ? -magnitude : magnitude;
}

SCALAR_INLINE int compare_f64(double a, double b) {
    if (isnan(a) || isnan(b)) return SCALAR_UNORDERED;
    return a < b ? -1 : a > b;
}

/* Neither side is rounded: f is split into its integral part, exact below 2^64, and the rest. */
SCALAR_INLINE int compare_integer_f64(const struct scalar *a, double f) {
    if (isnan(f)) return SCALAR_UNORDERED;
    if (f >= 0x1p64) return -1;
    if (f <= -0x1p64) return 1;
    double integral = trunc(f);
    struct scalar whole = {TYPE_INT, integral < 0, (uint64_t)fabs(integral), 0};
    int order = compare_integers(a, &whole);
    if (order != 0) return order;
    return f == integral ? 0 : f > integral ? -1 : 1;
}

SCALAR_FN int scalar_compare(const struct scalar *a, const struct scalar *b) {
    if (a->type == TYPE_INT && b->type == TYPE_INT) return compare_integers(a, b);
    if (a->type == TYPE_F64 && b->type == TYPE_F64) return compare_f64(a->f, b->f);
    if (a->type == TYPE_INT) return compare_integer_f64(a, b->f);
    int order = compare_integer_f64(b, a->f);
    return order == SCALAR_UNORDERED ? order : -order;
}

SCALAR_FN int scalar_order(const struct scalar *a, const struct scalar *b) {
    int order = scalar_compare(a, b);
    if (order == 0 && a->type == TYPE_F64) return !signbit(a->f) - !signbit(b->f);
    return order;
}

#endif
