/* Exact accumulators: sums and sums of squares of any binary64 and 65-bit integer values, without any
 * rounding, whatever the order, and their single rounding at the end.
 *
 * Representation.  A fixed-point number in two's complement of radix 2^32: value = sum of limb[i] *
 * 2^(32 i) * 2^unit, limb signed 64-bit, so that each has headroom for 2^30 additions between carry
 * passes (limbs.h).  unit is -1074 for sums (72 limbs: 2^-1074 .. 2^1024 and 2^64 terms and the sign)
 * and -2148 for sums of squares (144 limbs).  After normalising, every limb but the highest is in
 * [0, 2^32), which makes the representation unique: equal values have equal bytes, however they came
 * together.
 *
 * The portable method adds each value's significand to an integer bin of its exponent (a "small
 * superaccumulator" in the sense of R. Neal, "Fast exact summation using small and large
 * superaccumulators", arXiv:1505.05571).  Bins are 128 bits wide: of a sum, 2^64 terms of 53 bits and a
 * sign fit without any flush; of squares, 106 bits each, 2^20 terms are counted and flushed to limbs.
 * What kernels add as it is stored goes to 64-bit bins (block_integers.h): one by exponent of a
 * binary32, two halves of a binary64 by 32 exponents each.
 *
 * NaN and infinities are not accumulated: functions skip them; whoever calls counts them.  All values
 * that an accumulator ever took in, by adding, merging and loading, are at most 2^64 - 1. */
#ifndef EXACT_H
#define EXACT_H

#include <stddef.h>
#include <stdint.h>

#include "bignum.h"
#include "kernels.h"

enum exact_kind { EXACT_SUM, EXACT_SQUARES };

#define EXACT_SUM_LIMBS     72
#define EXACT_SQUARES_LIMBS 144
#define EXACT_MAX_STORED    (8 + 4 * EXACT_SQUARES_LIMBS + 8)

struct exact; /* one accumulator with its bins (about 46 KiB); one thread at a time */

struct exact *exact_create(enum exact_kind kind); /* NULL: out of memory; value 0 */
void exact_free(struct exact *x);                 /* accepts NULL */
void exact_reset(struct exact *x);                /* value 0 again */

/* Add n values (their squares for EXACT_SQUARES).  NaN and Inf are skipped. */
void exact_add_f64(struct exact *x, const double *v, size_t n);
/* The same of n native elements at p (any alignment), DTYPE_F32 or DTYPE_F64, or their magnitudes. */
void exact_add_native(struct exact *x, const struct integer_kernels *kernels, enum dtype type,
                      const unsigned char *p, int magnitude, size_t n);
/* Partial sums that someone else made of values, or for EXACT_SQUARES of squares: n finite ones. */
void exact_add_sums(struct exact *x, const double *sums, size_t n);
/* The same of one integer times 2^exponent. */
void exact_add_integer(struct exact *x, __int128 sum, int exponent);
/* Integers (neg ? -mag : mag). */
void exact_add_wide(struct exact *x, const uint64_t *mag, const uint8_t *neg, size_t n);
/* Add `count` times the one value, by one multiplication. */
void exact_add_repeated_f64(struct exact *x, double v, uint64_t count);
void exact_add_repeated_wide(struct exact *x, uint64_t mag, uint8_t neg, uint64_t count);

/* dst += src, of the same kind and distinct; src is normalised on the way, its value unchanged. */
void exact_merge(struct exact *dst, struct exact *src);

/* |value| in units of 2^exact_unit(kind), and its sign (0 for zero).  Normalises x. */
void exact_value(struct exact *x, struct bignum *mag, int *neg);
int exact_unit(enum exact_kind kind); /* -1074 or -2148 */

/* Serialised form, little-endian, the same bytes for the same value: number of limbs stored (u32),
 * lowest limb stored (u32), limbs (u32 each, two's complement of the whole, sign in the last).  Limbs
 * are stored from the lowest that is not 0 up to the last that the sign does not imply; zero has none.
 * store returns the bytes written (<= EXACT_MAX_STORED).  load replaces x's value and returns the
 * bytes used; or 0, x unchanged, if they are not such a form, not the shortest, or a value that no
 * 2^64 terms of the kind have. */
size_t exact_store(struct exact *x, unsigned char *out);
size_t exact_load(struct exact *x, const unsigned char *in, size_t nbytes);

/* The one finishing routine: num * 2^exp2 / (den1 * den2 * den3), or its square root, rounded once to
 * binary64, nearest even, also into subnormals; Inf beyond.  Each den >= 1 (sem needs three).
 * q = floor(num * 2^2k / den) and r = isqrt(q) carry at least 64 significant bits, and everything lost
 * goes into one sticky bit, so that the result is the correctly rounded one. */
double exact_ratio(const struct bignum *num, int64_t exp2, uint64_t den1, uint64_t den2, uint64_t den3,
                   int root);

#endif
