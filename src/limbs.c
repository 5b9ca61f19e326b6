/* Fixed-point numbers in two's complement of radix 2^32: addition with headroom, carry passes, and the
 * canonical bytes.
 *
 * It does not know units, NaN, or where values come from: see exact.c. */
#include "limbs.h"

#include <assert.h>
#include <string.h>

#define DIGIT UINT32_MAX

void limbs_reset(struct limbs *a, int n) {
    assert(n > 0 && n <= LIMBS_MAX);
    memset(a, 0, sizeof *a);
    a->n = n;
}

/* Room for one more addition of magnitude < 2^32 to every limb. */
static void reserve(struct limbs *a) {
    if (a->adds == LIMBS_HEADROOM) limbs_carry(a);
    a->adds++;
}

void limbs_add(struct limbs *a, unsigned __int128 mag, int neg, int shift) {
    reserve(a);
    int64_t *limb = a->limb + shift / 32;
    int rest = shift % 32;
    uint64_t digit = (uint32_t)((uint64_t)mag << rest);
    for (mag >>= 32 - rest; digit || mag; mag >>= 32) {
        assert(limb < a->limb + a->n);
        *limb += neg ? -(int64_t)digit : (int64_t)digit;
        limb++;
        digit = (uint32_t)mag;
    }
}

void limbs_carry(struct limbs *a) {
    int64_t carry = 0;
    for (int i = 0; i < a->n - 1; i++) {
        int64_t t = a->limb[i] + carry;
        a->limb[i] = t & DIGIT;
        carry = t >> 32; /* rounds towards minus infinity, as gcc and clang define it */
    }
    a->limb[a->n - 1] += carry;
    a->adds = 0;
}

void limbs_merge(struct limbs *dst, struct limbs *src) {
    assert(dst->n == src->n && dst != src);
    limbs_carry(src);
    reserve(dst);
    for (int i = 0; i < src->n; i++)
        dst->limb[i] += src->limb[i];
}

void limbs_magnitude(struct limbs *a, struct bignum *mag, int *neg) {
    limbs_carry(a);
    *neg = a->limb[a->n - 1] < 0;
    /* -value = ~value + 1 */
    uint32_t flip = *neg ? DIGIT : 0;
    uint64_t carry = *neg ? 1 : 0;
    mag->n = 0;
    for (int i = 0; i < a->n; i++) {
        uint64_t digit = ((uint32_t)a->limb[i] ^ flip) + carry;
        carry = digit >> 32;
        if (i % 2 == 0)
            mag->limb[i / 2] = (uint32_t)digit;
        else
            mag->limb[i / 2] |= digit << 32;
        if ((uint32_t)digit) mag->n = i / 2 + 1;
    }
}

static void put_u32(unsigned char *out, uint32_t v) {
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(v >> 8 * i);
}

static uint32_t get_u32(const unsigned char *in) {
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

/* What the digits above one with this value are when it is the last one stored. */
static uint32_t sign_extension(uint32_t digit) {
    return digit >> 31 ? DIGIT : 0;
}

size_t limbs_store(struct limbs *a, unsigned char *out) {
    limbs_carry(a);
    int high = a->n - 1, low = 0;
    while (high > 0 && (uint32_t)a->limb[high] == sign_extension((uint32_t)a->limb[high - 1]))
        high--;
    while (low <= high && a->limb[low] == 0)
        low++;
    if (low > high) low = 0, high = -1; /* zero: no limb, the lowest called 0 */
    put_u32(out, (uint32_t)(high - low + 1));
    put_u32(out + 4, (uint32_t)low);
    for (int i = low; i <= high; i++)
        put_u32(out + 8 + 4 * (i - low), (uint32_t)a->limb[i]);
    return 8 + 4 * (size_t)(high - low + 1);
}

/* Whether n digits at in, n >= 1, are the shortest form of a number: neither the first nor the last can
 * be left out. */
static int is_shortest(const unsigned char *in, uint32_t n) {
    uint32_t top = get_u32(in + 4 * (n - 1));
    if (get_u32(in) == 0) return 0;
    return n == 1 || top != sign_extension(get_u32(in + 4 * (n - 2)));
}

size_t limbs_load(struct limbs *a, const unsigned char *in, size_t nbytes, int max_bits, int has_sign) {
    if (nbytes < 8) return 0;
    uint32_t n = get_u32(in), low = get_u32(in + 4);
    if (n > (uint32_t)a->n || low > (uint32_t)a->n - n || (nbytes - 8) / 4 < n) return 0;
    if (n == 0 ? low != 0 : !is_shortest(in + 8, n)) return 0;

    struct limbs loaded;
    limbs_reset(&loaded, a->n);
    for (uint32_t i = 0; i < n; i++)
        loaded.limb[low + i] = get_u32(in + 8 + 4 * i);
    if (n > 0 && in[8 + 4 * n - 1] >> 7) loaded.limb[low + n - 1] -= INT64_C(1) << 32;
    /* a sign below the highest limb reaches up to it in the carry pass */

    struct bignum mag;
    int neg;
    limbs_magnitude(&loaded, &mag, &neg);
    if (bignum_bits(&mag) > max_bits || (neg && !has_sign)) return 0;
    *a = loaded;
    return 8 + 4 * (size_t)n;
}
