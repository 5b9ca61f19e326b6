/* Unsigned big integers of bounded size: schoolbook arithmetic in 64-bit limbs, and the one place where
 * an exact value is rounded to binary64.
 *
 * Speed matters little here (a few hundred limb operations per result), so every routine is the plain
 * one.  It does not own signs, fractions or square roots: see exact_finish.c. */
#include "bignum.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef unsigned __int128 wide;

static void trim(struct bignum *a) {
    while (a->n > 0 && a->limb[a->n - 1] == 0)
        a->n--;
}

/* Append a carry as the new highest limb. */
static void push(struct bignum *a, uint64_t carry) {
    if (carry == 0) return;
    assert(a->n < BIGNUM_LIMBS);
    a->limb[a->n++] = carry;
}

void bignum_set(struct bignum *a, uint64_t v) {
    a->n = v != 0;
    a->limb[0] = v;
}

int bignum_bits(const struct bignum *a) {
    if (a->n == 0) return 0;
    return 64 * a->n - __builtin_clzll(a->limb[a->n - 1]);
}

int bignum_compare(const struct bignum *a, const struct bignum *b) {
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (int i = a->n - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

void bignum_add(struct bignum *a, const struct bignum *b) {
    uint64_t carry = 0;
    while (a->n < b->n)
        a->limb[a->n++] = 0;
    for (int i = 0; i < a->n && (i < b->n || carry); i++) {
        wide t = (wide)a->limb[i] + (i < b->n ? b->limb[i] : 0) + carry;
        a->limb[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    push(a, carry);
}

void bignum_sub(struct bignum *a, const struct bignum *b) {
    uint64_t borrow = 0;
    assert(bignum_compare(a, b) >= 0);
    for (int i = 0; i < a->n && (i < b->n || borrow); i++) {
        wide t = (wide)a->limb[i] - (i < b->n ? b->limb[i] : 0) - borrow;
        a->limb[i] = (uint64_t)t;
        borrow = (uint64_t)(t >> 64) & 1;
    }
    trim(a);
}

void bignum_mul(struct bignum *out, const struct bignum *a, const struct bignum *b) {
    assert(out != a && out != b && a->n + b->n <= BIGNUM_LIMBS + 1);
    memset(out->limb, 0, sizeof out->limb);
    out->n = 0;
    if (a->n == 0 || b->n == 0) return;
    for (int i = 0; i < a->n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->n; j++) {
            wide t = (wide)a->limb[i] * b->limb[j] + out->limb[i + j] + carry;
            out->limb[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        out->n = i + b->n;
        push(out, carry);
    }
    trim(out);
}

void bignum_mul_small(struct bignum *a, uint64_t m) {
    uint64_t carry = 0;
    for (int i = 0; i < a->n; i++) {
        wide t = (wide)a->limb[i] * m + carry;
        a->limb[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    push(a, carry);
    trim(a);
}

uint64_t bignum_divide_small(struct bignum *a, uint64_t d) {
    uint64_t remainder = 0;
    assert(d != 0);
    for (int i = a->n - 1; i >= 0; i--) {
        wide t = (wide)remainder << 64 | a->limb[i];
        a->limb[i] = (uint64_t)(t / d);
        remainder = (uint64_t)(t % d);
    }
    trim(a);
    return remainder;
}

void bignum_shift_left(struct bignum *a, int bits) {
    int limbs = bits / 64, rest = bits % 64;
    assert(bits >= 0);
    if (a->n == 0 || bits == 0) return;
    uint64_t high = rest ? a->limb[a->n - 1] >> (64 - rest) : 0;
    assert(a->n + limbs <= BIGNUM_LIMBS);
    for (int i = a->n - 1; i >= 0; i--) {
        uint64_t below = rest && i > 0 ? a->limb[i - 1] >> (64 - rest) : 0;
        a->limb[i + limbs] = a->limb[i] << rest | below;
    }
    memset(a->limb, 0, (size_t)limbs * sizeof a->limb[0]);
    a->n += limbs;
    push(a, high);
}

/* Whether a bit below position `bits` is set. */
static int any_below(const struct bignum *a, int64_t bits) {
    for (int i = 0; i < a->n && i < (bits + 63) / 64; i++) {
        int64_t kept = bits - 64 * (int64_t)i;
        uint64_t low = kept >= 64 ? a->limb[i] : a->limb[i] & ((UINT64_C(1) << kept) - 1);
        if (low) return 1;
    }
    return 0;
}

/* Bits [from, from + 64) of a, from >= 0. */
static uint64_t bits_from(const struct bignum *a, int64_t from) {
    int64_t i = from / 64;
    int rest = (int)(from % 64);
    uint64_t low = i < a->n ? a->limb[i] : 0;
    uint64_t high = i + 1 < a->n ? a->limb[i + 1] : 0;
    return rest ? low >> rest | high << (64 - rest) : low;
}

int bignum_shift_right(struct bignum *a, int bits) {
    assert(bits >= 0);
    int lost = any_below(a, bits);
    int n = bits / 64 < a->n ? a->n - bits / 64 : 0;
    for (int i = 0; i < n; i++)
        a->limb[i] = bits_from(a, bits + 64 * (int64_t)i);
    a->n = n;
    trim(a);
    return lost;
}

/* A binary64 of magnitude q * 2^ulp, q <= 2^53.  The implicit bit of q adds one to the exponent field,
 * which also carries a q that was rounded up to 2^53, from subnormal to normal, and to Inf. */
static double compose(uint64_t q, int64_t ulp) {
    uint64_t bits = ((uint64_t)(ulp + 1074) << 52) + q;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

double bignum_round(const struct bignum *num, int sticky, int64_t exp2) {
    int nbits = bignum_bits(num);
    int64_t lead = exp2 + nbits - 1; /* exponent of the leading bit */
    if (nbits == 0) {
        assert(!sticky || exp2 < -1074);
        return 0.0;
    }
    if (lead > 1023) return INFINITY;
    int64_t ulp = lead - 52 > -1074 ? lead - 52 : -1074;
    int64_t drop = ulp - exp2; /* bits of num below the last place */
    assert(!sticky || drop > 0);
    if (drop <= 0) return compose(bits_from(num, 0) << -drop, ulp);
    uint64_t q = bits_from(num, drop);
    int half = (int)(bits_from(num, drop - 1) & 1);
    int below = sticky || any_below(num, drop - 1);
    q += half && (below || (q & 1));
    return compose(q, ulp);
}
