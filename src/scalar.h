/* One value of a pipeline: an exact integer of magnitude < 2^64, or a binary64. */
#ifndef SCALAR_H
#define SCALAR_H

#include <stdint.h>

enum value_type { TYPE_INT, TYPE_F64 };

struct scalar {
    uint8_t type; /* enum value_type */
    uint8_t neg;  /* TYPE_INT: 1 for a negative value; never with mag 0 */
    uint64_t mag; /* TYPE_INT */
    double f;     /* TYPE_F64 */
};

/* The value rounded to binary64, nearest even. */
static inline double scalar_f64(const struct scalar *s) {
    if (s->type == TYPE_F64) return s->f;
    return s->neg ? -(double)s->mag : (double)s->mag;
}

/* Exact comparison of two values of any types: -1, 0, 1, or SCALAR_UNORDERED with a NaN. */
#define SCALAR_UNORDERED 2
int scalar_compare(const struct scalar *a, const struct scalar *b);

/* Order of min, max, argmin and argmax: values of one type, none NaN, with -0 before +0. */
int scalar_order(const struct scalar *a, const struct scalar *b);

#endif
