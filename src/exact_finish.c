/* The one finishing routine of exact reductions: a ratio of big integers, or its square root, rounded
 * once.  It owns nothing else; rounding itself is bignum_round. */
#include <assert.h>

#include "exact.h"

typedef unsigned __int128 wide;

/* floor(sqrt(q)), digit by digit: r holds the root's bits found so far, q the remainder. */
static uint64_t isqrt(wide q) {
    wide r = 0;
    for (int i = 126; i >= 0; i -= 2) {
        wide bit = (wide)1 << i;
        int take = q >= r + bit;
        if (take) q -= r + bit;
        r >>= 1;
        if (take) r += bit;
    }
    return (uint64_t)r;
}

/* q *= 2^shift, a negative shift losing bits; returns 1 if a set bit was lost. */
static int scale(struct bignum *q, int shift) {
    if (shift < 0) return bignum_shift_right(q, -shift);
    bignum_shift_left(q, shift);
    return 0;
}

/* The square root of (q + sticky) * 2^exp2.  The exponent is made even and q 127 or 128 bits long, so
 * that its root has exactly 64. */
static double round_root(struct bignum *q, int sticky, int64_t exp2) {
    int shift = 128 - bignum_bits(q);
    if ((exp2 - shift) % 2) shift--;
    sticky |= scale(q, shift);
    wide square = (wide)q->limb[1] << 64 | q->limb[0];
    uint64_t root = isqrt(square);
    sticky |= (wide)root * root != square;
    bignum_set(q, root);
    return bignum_round(q, sticky, (exp2 - shift) / 2);
}

double exact_ratio(const struct bignum *num, int64_t exp2, uint64_t den1, uint64_t den2, uint64_t den3,
                   int root) {
    assert(den1 != 0 && den2 != 0 && den3 != 0);
    if (num->n == 0) return 0.0;
    /* 322 bits over at most 192 leave a quotient of at least 130.  Bits shifted out first do not change
     * it: floor(floor(num / 2^s) / den) = floor(num / (2^s den)). */
    struct bignum q = *num;
    int shift = 322 - bignum_bits(&q);
    int sticky = scale(&q, shift);
    sticky |= bignum_divide_small(&q, den1) != 0;
    sticky |= bignum_divide_small(&q, den2) != 0;
    sticky |= bignum_divide_small(&q, den3) != 0;
    return root ? round_root(&q, sticky, exp2 - shift) : bignum_round(&q, sticky, exp2 - shift);
}
