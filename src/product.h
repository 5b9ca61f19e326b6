/* Exact-order-independent products: the sum of log2|x| in fixed point, signs and zeros counted.
 *
 * log2 of each significand is computed by shift-and-add (factors 1 + 2^-k, after Briggs; see J.-M.
 * Muller, "Elementary Functions", ch. 8) in 128-bit integers with an absolute error below 2^-111;
 * exponents are exact, and so are logarithms of powers of two.  All sums are integers, so any order and
 * any merging gives the same bits.
 *
 * The product of up to 2^38 elements is within 0.51 ulp, and one of at most 71 significant bits is
 * correctly rounded, ties too.  There is no spurious overflow or underflow.  The error analysis is in
 * product.c. */
#ifndef PRODUCT_H
#define PRODUCT_H

#include <stddef.h>
#include <stdint.h>

#define PRODUCT_STORED 56

struct product {
    uint64_t log2_sum[4]; /* two's complement, 256 bits, units of 2^-128: sum over finite nonzero x */
    uint64_t zeros;       /* +0 and -0 */
    uint64_t signs;       /* sign bits set, -0 and -Inf included, NaN not */
    uint64_t negatives;   /* x < 0, -Inf included */
};

void product_init(struct product *p);
/* NaN is skipped; an infinity only counts in signs and negatives. */
void product_add_f64(struct product *p, const double *v, size_t n);
void product_add_wide(struct product *p, const uint64_t *mag, const uint8_t *neg, size_t n);
void product_add_repeated_f64(struct product *p, double v, uint64_t count);
void product_add_repeated_wide(struct product *p, uint64_t mag, uint8_t neg, uint64_t count);
void product_merge(struct product *dst, const struct product *src);

/* 2^(log2_sum / n), n >= 1: the magnitude of the product (n = 1) or of the geometric mean, of the
 * finite nonzero elements; Inf or 0 beyond binary64's range, rounded once otherwise. */
double product_root(const struct product *p, uint64_t n);

/* Little-endian, the struct's words in order.  load returns the bytes used; or 0, p unchanged, if
 * nbytes is too small or no elements give such a state. */
size_t product_store(const struct product *p, unsigned char out[PRODUCT_STORED]);
size_t product_load(struct product *p, const unsigned char *in, size_t nbytes);

#endif
