/* Elements of every type that are hard on something, the same in every run. */
#ifndef SAME_DATA_H
#define SAME_DATA_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "dtype.h"

enum data_kind {
    DATA_NORMAL,    /* N(0, 1), for integers of a hundred times that */
    DATA_LOGNORMAL, /* of exponents far apart, both signs */
    DATA_BITS,      /* random, NaN and infinities among them */
    DATA_FINITE,    /* random, but for those */
    DATA_ZEROS,     /* of both signs, and a few ones */
    DATA_SUBNORMAL, /* and the least normal ones */
    DATA_LIMITS,    /* the largest of both signs, infinities, NaN, 0, 1 */
    DATA_CANCEL,    /* large ones that cancel, and small ones */
    DATA_NAN,       /* three of ten are NaN, the others N(0, 1) */
    DATA_TIES,      /* -3 .. 3 */
    DATA_SHIFTED,   /* N(0, 1) times 1e-20 to begin with, then times 1e20 */
    DATA_EXACT,     /* 1.5 all over */
    DATA_SPREAD,    /* of all bits, 1 of 16 smaller than the others, by 2^0 to 2^100 */
    DATA_GROWN,     /* 1, and then as much more as windows around 1 take, again and again */
    NDATA
};

static const char *const data_names[NDATA] = {"normal",    "lognormal", "bits",   "finite", "zeros",
                                              "subnormal", "limits",    "cancel", "nan",    "ties",
                                              "shifted",   "exact",     "spread", "grown"};

static uint64_t data_state;

static uint64_t data_u64(void) {
    data_state ^= data_state << 13;
    data_state ^= data_state >> 7;
    data_state ^= data_state << 17;
    return data_state * UINT64_C(0x9e3779b97f4a7c15);
}

static double data_normal(void) {
    double sum = -6;
    for (int k = 0; k < 12; k++)
        sum += (double)(data_u64() >> 11) * 0x1p-53;
    return sum;
}

static uint64_t data_f64_bits(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* Significand and exponent bits of the floating point types. */
static int data_fraction_bits(enum dtype type) {
    return type == DTYPE_F16 ? 10 : type == DTYPE_BF16 ? 7 : type == DTYPE_F32 ? 23 : 52;
}

static int data_is_signed(enum dtype type) {
    return type == DTYPE_I8 || type == DTYPE_I16 || type == DTYPE_I32 || type == DTYPE_I64;
}

/* v cut to the type's bits; too large is infinite, too small a zero. */
static uint64_t data_cut(enum dtype type, double v) {
    int fraction = data_fraction_bits(type), nbits = 8 * (int)dtype_table[type].itemsize;
    int bias = (1 << (nbits - 2 - fraction)) - 1;
    uint64_t bits = data_f64_bits(v), sign = bits >> 63 << (nbits - 1);
    int exponent = (int)(bits >> 52 & 2047) - 1023 + bias;
    uint64_t top = (uint64_t)(2 * bias + 1) << fraction;
    if (type == DTYPE_F64) return bits;
    if (isnan(v)) return top | 1;
    if (exponent > 2 * bias) return sign | top;
    if (exponent < 1) return sign;
    return sign | (uint64_t)exponent << fraction | (bits << 12 >> (64 - fraction));
}

static uint64_t data_integer(enum dtype type, double v) {
    if (data_is_signed(type)) return (uint64_t)(int64_t)fmin(fmax(v, -0x1p62), 0x1p62);
    return (uint64_t)fmin(fabs(v), 0x1p63);
}

/* What is special in a type, of both signs. */
static uint64_t data_limit(enum dtype type, int which) {
    int nbits = 8 * (int)dtype_table[type].itemsize, fraction;
    uint64_t sign = UINT64_C(1) << (nbits - 1), top;
    if (dtype_table[type].class != CLASS_F64) {
        const uint64_t of[] = {sign, sign - 1, 0, 1, UINT64_MAX, sign + 1, UINT64_MAX - 1, 2};
        return of[which & 7];
    }
    fraction = data_fraction_bits(type);
    top = (sign - 1) >> fraction << fraction;
    const uint64_t of[] = {top,     top | sign, top - 1, (top - 1) | sign,
                           top | 1, sign,       0,       data_cut(type, 1)};
    return of[which & 7];
}

static double data_value(enum data_kind kind, uint64_t i, uint64_t n) {
    switch (kind) {
    case DATA_LOGNORMAL:
        return ldexp(data_normal(), (int)(data_u64() % 81) - 40);
    case DATA_ZEROS:
        return data_u64() % 50 == 0 ? 1 : data_u64() % 2 ? -0.0 : 0.0;
    case DATA_CANCEL:
        return i % 3 == 2 ? ldexp(data_normal(), -30) : i % 3 == 1 ? -0x1.8p60 : 0x1.8p60;
    case DATA_NAN:
        return data_u64() % 10 < 3 ? (double)NAN : data_normal();
    case DATA_TIES:
        return (double)(data_u64() % 7) - 3;
    case DATA_SHIFTED:
        return data_normal() * (i < n / 3 ? 1e-20 : 1e20);
    case DATA_EXACT:
        return 1.5;
    case DATA_SPREAD:
        return ldexp((double)(data_u64() >> 11 | 1), data_u64() % 16 ? -52 : -52 - (int)(100 * i / n));
    default:
        return data_normal();
    }
}

/* The bits of element i of n. */
static uint64_t data_element(enum dtype type, enum data_kind kind, uint64_t i, uint64_t n) {
    int is_float = dtype_table[type].class == CLASS_F64, nbits = 8 * (int)dtype_table[type].itemsize;
    uint64_t bits = data_u64();
    if (kind == DATA_BITS || (kind == DATA_FINITE && !is_float)) return bits;
    if (kind == DATA_LIMITS) return data_limit(type, (int)(bits >> 40));
    if (kind == DATA_FINITE) /* the top exponent loses a bit */
        return (bits >> data_fraction_bits(type) & 1)
                   ? bits & ~(UINT64_C(1) << (nbits - 2))
                   : bits & ~(UINT64_C(1) << data_fraction_bits(type));
    if (kind == DATA_SUBNORMAL && is_float)
        return (bits & (UINT64_C(1) << (nbits - 1))) |
               (bits >> 8 & ((UINT64_C(4) << data_fraction_bits(type)) - 1));
    double v = data_value(kind, i, n);
    if (kind == DATA_GROWN) v = i == 0 ? 1 : ldexp(1.9375 + 0x1p-10 * v, type == DTYPE_F64 ? 8 : 22);
    if (is_float) return data_cut(type, v);
    return data_integer(type, kind == DATA_NORMAL || kind == DATA_NAN ? 100 * v : v);
}

/* n elements, stride bytes apart, with rubbish between; swap: bytes in the other order. */
static void data_fill(unsigned char *out, enum dtype type, int swap, uint64_t stride,
                      enum data_kind kind, uint64_t n) {
    size_t itemsize = dtype_table[type].itemsize;
    data_state = 88172645463325252u + (uint64_t)type * 1000 + (uint64_t)kind;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t bits = data_element(type, kind, i, n);
        unsigned char *p = out + i * stride;
        for (size_t b = 0; b < itemsize; b++)
            p[swap ? itemsize - 1 - b : b] = (unsigned char)(bits >> 8 * b);
        if (i + 1 < n) memset(p + itemsize, 0xEE, stride - itemsize);
    }
}

#endif
