/* One value of a pipeline: an exact integer of magnitude < 2^64, or a binary64. */
#ifndef SCALAR_H
#define SCALAR_H

#ifdef __CUDACC_RTC__ /* has no headers of the system's */
typedef unsigned char uint8_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif

/* Kernels have everything inline. */
#if defined(__CUDACC__)
#define SCALAR_INLINE static __host__ __device__ __forceinline__
#define SCALAR_FN     SCALAR_INLINE
#elif defined(ONEPASS_EMULATED)
#define SCALAR_INLINE static inline
#define SCALAR_FN     SCALAR_INLINE
#else
#define SCALAR_INLINE static inline
#define SCALAR_FN
#endif

enum value_type { TYPE_INT, TYPE_F64 };

struct scalar {
    uint8_t type; /* enum value_type */
    uint8_t neg;  /* TYPE_INT: 1 for a negative value; never with mag 0 */
    uint64_t mag; /* TYPE_INT */
    double f;     /* TYPE_F64 */
};

/* The value rounded to binary64, nearest even. */
SCALAR_INLINE double scalar_f64(const struct scalar *s) {
    if (s->type == TYPE_F64) return s->f;
    return s->neg ? -(double)s->mag : (double)s->mag;
}

/* Exact comparison of two values of any types: -1, 0, 1, or SCALAR_UNORDERED with a NaN. */
#define SCALAR_UNORDERED 2
SCALAR_FN int scalar_compare(const struct scalar *a, const struct scalar *b);

/* Order of min, max, argmin and argmax: values of one type, none NaN, with -0 before +0. */
SCALAR_FN int scalar_order(const struct scalar *a, const struct scalar *b);

#endif
