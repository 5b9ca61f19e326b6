/* Fixed-point numbers in two's complement of radix 2^32 with headroom: where exact.c's bins are flushed
 * to, what is merged and what is serialised.  Only exact.c uses this header, and the tests.
 *
 * Value = sum of limb[i] * 2^(32 i), i < n, in units that the owner knows.  Limbs are signed 64-bit, so
 * that additions need no carries: a limb takes at most LIMBS_HEADROOM additions of magnitude < 2^32
 * between carry passes.  limbs_add and limbs_merge count and make the pass when it is due.
 *
 * After a carry pass every limb but the highest is in [0, 2^32), and the highest has the sign; that
 * form is unique, so equal values have equal limbs, however they came together. */
#ifndef LIMBS_H
#define LIMBS_H

#include <stddef.h>
#include <stdint.h>

#include "bignum.h"

#define LIMBS_MAX      144
#define LIMBS_HEADROOM (1 << 30)

struct limbs {
    int n;
    uint32_t adds; /* additions to any limb since the last carry pass */
    int64_t limb[LIMBS_MAX];
};

void limbs_reset(struct limbs *a, int n); /* 0, of n <= LIMBS_MAX limbs */

/* a += (neg ? -mag : mag) * 2^shift; the caller knows that the sum stays in range. */
void limbs_add(struct limbs *a, unsigned __int128 mag, int neg, int shift);

void limbs_carry(struct limbs *a);
void limbs_merge(struct limbs *dst, struct limbs *src); /* dst += src of the same n; src is carried */

/* |a| and its sign, 0 for zero.  a is carried. */
void limbs_magnitude(struct limbs *a, struct bignum *mag, int *neg);

/* The serialised form of exact.h.  load takes values of at most max_bits bits of magnitude, negative
 * ones only if has_sign; it returns 0 and leaves `a` alone if the bytes are no such form. */
size_t limbs_store(struct limbs *a, unsigned char *out);
size_t limbs_load(struct limbs *a, const unsigned char *in, size_t nbytes, int max_bits, int has_sign);

#endif
