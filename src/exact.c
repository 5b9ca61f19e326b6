/* Exact accumulators: values go into 128-bit integer bins by exponent, bins into limbs.
 *
 * This file owns the bins and what one value adds to them.  Carrying, merging and the stored bytes are
 * limbs.c; dividing, roots and rounding are exact_finish.c.
 *
 * A binary64 of exponent field e and fraction f is s * 2^(max(e, 1) - 1) units of 2^-1074, with the
 * significand s = f, plus 2^52 if e > 0.  Its square is s^2 * 2^(2 max(e, 1) - 2) units of 2^-2148. */
#include "exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "block_integers.h"
#include "limbs.h"

typedef unsigned __int128 wide;
typedef __int128 wide_signed;

#define NBINS      2048
#define NOT_FINITE 2047 /* exponent field of NaN and Inf: a bin that nobody reads */
#define FRACTION   ((UINT64_C(1) << 52) - 1)

/* Terms that the bins take before they are flushed.  Bins are read in two's complement and a square is
 * below 2^106, so that 2^21 of them would still fit; of a sum 2^74 significands would. */
#define SQUARES_TERMS (1 << 20)

/* The same for the bins of kernels: 24 bits and 48 in 63, and 42. */
#define SINGLE_TERMS   (UINT64_C(1) << 39)
#define SINGLE_SQUARES (1 << 15)
#define DOUBLE_TERMS   (1 << 21)

struct exact {
    enum exact_kind kind;
    uint64_t binned; /* terms in the bins since the last flush */
    struct limbs limbs;
    wide bin[NBINS]; /* by exponent field; unsigned, as the unread one may wrap */

    uint64_t singles, doubles; /* terms in the bins of kernels */
    uint64_t single[BINS_F32]; /* of elements, or their squares */
    uint64_t two[BINS_F64];    /* of elements */
};

static const struct {
    int nlimbs;
    int unit;     /* exponent of the lowest bit */
    int max_bits; /* magnitude of 2^64 terms: 2^(1024 + 64) or 2^(2048 + 64) in units */
    int has_sign;
} kinds[] = {
    [EXACT_SUM] = {EXACT_SUM_LIMBS, -1074, 1024 + 64 + 1074, 1},
    [EXACT_SQUARES] = {EXACT_SQUARES_LIMBS, -2148, 2048 + 64 + 2148, 0},
};

struct exact *exact_create(enum exact_kind kind) {
    struct exact *x = malloc(sizeof *x);
    if (!x) return NULL;
    x->kind = kind;
    exact_reset(x);
    return x;
}

void exact_free(struct exact *x) {
    free(x);
}

void exact_reset(struct exact *x) {
    x->binned = 0;
    limbs_reset(&x->limbs, kinds[x->kind].nlimbs);
    memset(x->bin, 0, sizeof x->bin);
    x->singles = x->doubles = 0;
    memset(x->single, 0, sizeof x->single);
    memset(x->two, 0, sizeof x->two);
}

int exact_unit(enum exact_kind kind) {
    return kinds[kind].unit;
}

/* ---- binary64 ---------------------------------------------------------------------------------- */

struct parts {
    uint64_t significand;
    int exponent; /* field */
    int neg;
};

static inline struct parts take_apart(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    int exponent = (int)(bits >> 52 & 2047);
    uint64_t implicit = (uint64_t)(exponent != 0) << 52;
    return (struct parts){(bits & FRACTION) | implicit, exponent, (int)(bits >> 63)};
}

static inline void add_value(wide *bin, double v) {
    struct parts p = take_apart(v);
    int64_t sign = -(int64_t)p.neg;
    int64_t term = ((int64_t)p.significand ^ sign) - sign;
    bin[p.exponent] += (wide)(wide_signed)term;
}

static inline void add_square(wide *bin, double v) {
    struct parts p = take_apart(v);
    bin[p.exponent] += (wide)p.significand * p.significand;
}

static void add_values(wide *bin, const double *v, size_t n) {
    for (size_t i = 0; i < n; i++)
        add_value(bin, v[i]);
}

static void add_squares(wide *bin, const double *v, size_t n) {
    for (size_t i = 0; i < n; i++)
        add_square(bin, v[i]);
}

/* Position of a bin's lowest bit, in units. */
static int bin_shift(enum exact_kind kind, int exponent) {
    int shift = exponent > 0 ? exponent - 1 : 0;
    return kind == EXACT_SUM ? shift : 2 * shift;
}

static void flush_doubles(struct exact *x) {
    if (x->binned == 0) return;
    for (int e = 0; e < NOT_FINITE; e++) {
        if (x->bin[e] == 0) continue;
        int neg = (wide_signed)x->bin[e] < 0; /* squares stay below 2^126 */
        limbs_add(&x->limbs, neg ? -x->bin[e] : x->bin[e], neg, bin_shift(x->kind, e));
    }
    memset(x->bin, 0, sizeof x->bin);
    x->binned = 0;
}

void exact_add_integer(struct exact *x, wide_signed sum, int exponent) {
    if (sum == 0) return;
    limbs_add(&x->limbs, sum < 0 ? -(wide)sum : (wide)sum, sum < 0, exponent - exact_unit(x->kind));
}

static void flush_singles(struct exact *x) {
    if (x->singles == 0) return;
    for (int e = 0; e < 255; e++) {
        wide_signed sum = 0;
        for (int copy = 0; copy < BIN_COPIES; copy++)
            sum += (int64_t)x->single[e * BIN_COPIES + copy];
        int exponent = (e > 0 ? e : 1) - 150; /* of the lowest bit */
        exact_add_integer(x, sum, x->kind == EXACT_SUM ? exponent : 2 * exponent);
    }
    memset(x->single, 0, sizeof x->single);
    x->singles = 0;
}

/* Exponent field 0 stands for 1, so that the sum of the lowest 32 is even. */
static void flush_two(struct exact *x) {
    if (x->doubles == 0) return;
    for (int group = 0; group < 64; group++) {
        wide_signed sum = 0;
        for (int copy = 0; copy < BIN_COPIES; copy++) {
            const uint64_t *halves = x->two + (group * BIN_COPIES + copy) * 2;
            sum += (int64_t)halves[0] + (wide_signed)(int64_t)halves[1] * ((int64_t)1 << BIN_HALF);
        }
        exact_add_integer(x, group == 0 ? sum / 2 : sum, group == 0 ? -1074 : 32 * group - 1075);
    }
    memset(x->two, 0, sizeof x->two);
    x->doubles = 0;
}

/* The bins of a sum take 2^74 terms: more than can ever come. */
void exact_add_f64(struct exact *x, const double *v, size_t n) {
    if (x->kind == EXACT_SUM) {
        add_values(x->bin, v, n);
        x->binned += n;
        return;
    }
    for (size_t done = 0, part; done < n; done += part) {
        if (x->binned == SQUARES_TERMS) flush_doubles(x);
        part = SQUARES_TERMS - x->binned;
        if (part > n - done) part = n - done;
        add_squares(x->bin, v + done, part);
        x->binned += part;
    }
}

/* ---- native elements ----------------------------------------------------------------------------- */

static void add_singles(struct exact *x, const struct integer_kernels *kernels, const unsigned char *p,
                        int magnitude, size_t n) {
    if (x->singles + n > (x->kind == EXACT_SUM ? SINGLE_TERMS : SINGLE_SQUARES)) flush_singles(x);
    if (x->kind == EXACT_SUM)
        kernels->bin_f32(p, n, magnitude, x->single);
    else
        kernels->bin_squares_f32(p, n, x->single);
    x->singles += n;
}

static void add_doubles(struct exact *x, const struct integer_kernels *kernels, const unsigned char *p,
                        int magnitude, size_t n) {
    if (x->kind == EXACT_SUM && kernels->bin_f64 != NULL) {
        if (x->doubles + n > DOUBLE_TERMS) flush_two(x);
        kernels->bin_f64(p, n, magnitude, x->two);
        x->doubles += n;
        return;
    }
    double part[64];
    for (size_t m; n > 0; p += 8 * m, n -= m) {
        m = n < 64 ? n : 64;
        memcpy(part, p, 8 * m);
        for (size_t i = 0; magnitude && i < m; i++)
            part[i] = fabs(part[i]);
        exact_add_f64(x, part, m);
    }
}

void exact_add_native(struct exact *x, const struct integer_kernels *kernels, enum dtype type,
                      const unsigned char *p, int magnitude, size_t n) {
    size_t most = 1 << 14, itemsize = dtype_table[type].itemsize;
    for (size_t m; n > 0; p += m * itemsize, n -= m) {
        m = n < most ? n : most;
        (type == DTYPE_F32 ? add_singles : add_doubles)(x, kernels, p, magnitude, m);
    }
}

/* ---- partial sums -------------------------------------------------------------------------------- */

#define TOTAL_BITS 58 /* of one term of an int64 total: 32 terms fit */
#define MOST_TERMS 32
#define MOST_SCALE 1000

/* All in one, where they are integers below 2^58 of a common unit, which lanes of a block mostly are.
 */
static int add_total(struct exact *x, const double *sums, size_t n) {
    int64_t total = 0, bits, largest = 0;
    int exact = 1;
    double factor;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &sums[i], sizeof bits);
        bits &= INT64_MAX;
        largest = bits > largest ? bits : largest;
    }
    if (largest == 0) return 1;
    int scale = TOTAL_BITS + 1022 - (int)(largest >> 52);
    if (n > MOST_TERMS || scale > MOST_SCALE || scale < -MOST_SCALE) return 0;
    bits = (int64_t)(scale + 1023) << 52;
    memcpy(&factor, &bits, sizeof factor);
    for (size_t i = 0; i < n; i++) {
        double scaled = sums[i] * factor;
        int64_t term = (int64_t)scaled;
        exact &= (double)term == scaled && (term != 0) == (sums[i] != 0); /* may have underflowed */
        total += term;
    }
    if (exact) exact_add_integer(x, total, -scale);
    return exact;
}

void exact_add_sums(struct exact *x, const double *sums, size_t n) {
    if (add_total(x, sums, n)) return;
    for (size_t i = 0; i < n; i++) {
        struct parts p = take_apart(sums[i]);
        int64_t term = p.neg ? -(int64_t)p.significand : (int64_t)p.significand;
        exact_add_integer(x, term, (p.exponent > 0 ? p.exponent : 1) - 1075);
    }
}

/* ---- equal values -------------------------------------------------------------------------------- */

/* limbs += (neg ? -1 : 1) * term * count * 2^shift: a product of up to 192 bits, in two halves. */
static void add_product(struct limbs *limbs, wide term, int neg, uint64_t count, int shift) {
    limbs_add(limbs, (wide)(uint64_t)term * count, neg, shift);
    limbs_add(limbs, (term >> 64) * count, neg, shift + 64);
}

void exact_add_repeated_f64(struct exact *x, double v, uint64_t count) {
    struct parts p = take_apart(v);
    if (p.exponent == NOT_FINITE) return;
    int shift = bin_shift(x->kind, p.exponent);
    if (x->kind == EXACT_SUM)
        add_product(&x->limbs, p.significand, p.neg, count, shift);
    else
        add_product(&x->limbs, (wide)p.significand * p.significand, 0, count, shift);
}

/* ---- integers ---------------------------------------------------------------------------------- */

/* 65-bit terms; a call has fewer than 2^62 of them. */
static void add_integers(struct limbs *limbs, int shift, const uint64_t *mag, const uint8_t *neg,
                         size_t n) {
    wide_signed sum = 0;
    for (size_t i = 0; i < n; i++) {
        wide_signed term = mag[i];
        sum += neg[i] ? -term : term;
    }
    limbs_add(limbs, sum < 0 ? -(wide)sum : (wide)sum, sum < 0, shift);
}

/* 128-bit squares, summed in 192 bits. */
static void add_integer_squares(struct limbs *limbs, int shift, const uint64_t *mag, size_t n) {
    wide sum = 0;
    uint64_t carries = 0;
    for (size_t i = 0; i < n; i++) {
        wide square = (wide)mag[i] * mag[i];
        sum += square;
        carries += sum < square;
    }
    limbs_add(limbs, sum, 0, shift);
    limbs_add(limbs, carries, 0, shift + 128);
}

void exact_add_wide(struct exact *x, const uint64_t *mag, const uint8_t *neg, size_t n) {
    int shift = -exact_unit(x->kind);
    if (x->kind == EXACT_SUM)
        add_integers(&x->limbs, shift, mag, neg, n);
    else
        add_integer_squares(&x->limbs, shift, mag, n);
}

void exact_add_repeated_wide(struct exact *x, uint64_t mag, uint8_t neg, uint64_t count) {
    int shift = -exact_unit(x->kind);
    if (x->kind == EXACT_SUM)
        add_product(&x->limbs, mag, neg, count, shift);
    else
        add_product(&x->limbs, (wide)mag * mag, 0, count, shift);
}

/* ---- the whole --------------------------------------------------------------------------------- */

static void flush(struct exact *x) {
    flush_doubles(x);
    flush_singles(x);
    flush_two(x);
}

void exact_merge(struct exact *dst, struct exact *src) {
    flush(src);
    limbs_merge(&dst->limbs, &src->limbs);
}

void exact_value(struct exact *x, struct bignum *mag, int *neg) {
    flush(x);
    limbs_magnitude(&x->limbs, mag, neg);
}

size_t exact_store(struct exact *x, unsigned char *out) {
    flush(x);
    return limbs_store(&x->limbs, out);
}

size_t exact_load(struct exact *x, const unsigned char *in, size_t nbytes) {
    struct limbs loaded = x->limbs;
    size_t used = limbs_load(&loaded, in, nbytes, kinds[x->kind].max_bits, kinds[x->kind].has_sign);
    if (used == 0) return 0;
    exact_reset(x);
    x->limbs = loaded;
    return used;
}
