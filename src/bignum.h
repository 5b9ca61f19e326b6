/* Unsigned big integers of bounded size, for finishing exact sums and for numbers as text.
 *
 * Value = sum of limb[i] * 2^(64 i), i < n, with limb[n-1] != 0 (n = 0 is zero).  6144 bits hold every
 * intermediate here: N*S2 (4736 bits), S1^2, and 800 digits * 10^330.  A caller that can exceed this
 * is in error; functions assert the bound.  No function allocates or fails. */
#ifndef BIGNUM_H
#define BIGNUM_H

#include <stddef.h>
#include <stdint.h>

#define BIGNUM_LIMBS 96

struct bignum {
    int n;
    uint64_t limb[BIGNUM_LIMBS];
};

void bignum_set(struct bignum *a, uint64_t v);
int bignum_bits(const struct bignum *a); /* position of the highest set bit + 1; 0 for 0 */
int bignum_compare(const struct bignum *a, const struct bignum *b); /* <0, 0, >0 */
void bignum_add(struct bignum *a, const struct bignum *b);          /* a += b */
void bignum_sub(struct bignum *a, const struct bignum *b);          /* a -= b, needs a >= b */
void bignum_mul(struct bignum *out, const struct bignum *a, const struct bignum *b); /* out distinct */
void bignum_mul_small(struct bignum *a, uint64_t m);                                 /* a *= m */
uint64_t bignum_divide_small(struct bignum *a, uint64_t d); /* a /= d, returns the remainder */
void bignum_shift_left(struct bignum *a, int bits);
int bignum_shift_right(struct bignum *a, int bits); /* returns 1 if a set bit was lost */

/* (num + sticky) * 2^exp2 rounded once to binary64, nearest even, also into subnormals; overflow gives
 * Inf.  sticky != 0: the true value lies strictly between num and num + 1 (in units of 2^exp2); then
 * num has at least 54 bits, or 2^exp2 is at most half the smallest subnormal, so that the unit lies
 * below the last place of the result. */
double bignum_round(const struct bignum *num, int sticky, int64_t exp2);

#endif
