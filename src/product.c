/* Products as sums of log2|x| in 256-bit fixed point: the logarithm of a significand, the exponential
 * of the mean, and the state between them.  Integer operations only, so that every machine has the same
 * bits.
 *
 * It does not decide what a product with NaN, Inf, zeros or negatives is; it only counts them.
 *
 * Notation: a fraction F of 128 bits is the number F / 2^128; one unit is 2^-128.
 *
 * Error of log2 (log2_fraction, product_log.h).  m in (1, 2) is held as y = m / 2, exactly, and
 * multiplied by those factors 1 + 2^-k, k = 1 .. 22, that leave it below 1.  After step k, 1/y < 1 +
 * 2^-k: a factor is left out only where it would reach 1, and (1 + 2^-k)^2 > 1 + 2^-(k-1) by 2^-2k, far
 * more than truncations lose.  Then log2 m = 1 - sum of log2(1 + 2^-k) taken - log2(1/y), and with u =
 * 1 - y < 2^-22 log2(1/y) = (u + u^2/2 + u^3/3 + u^4/4 + ...) / ln 2. Absolute errors: 22 truncations
 * of y >= 1/2 by less than a unit, 22 * 2^-127 / ln 2 < 2^-122; 22 table entries to half a unit, <
 * 2^-124; the series from u^5/5 on, < 2^-111.7; its evaluation to a few units, < 2^-125.  Together
 * below 2^-111.  A significand of 1 is treated apart and exact.
 *
 * Error of the exponential (exp2_fraction).  The same factors are taken off the exponent f in [0, 1)
 * while they fit, so that 2^f = y * e^w with y their product and w = rest * ln 2 < 2^-22.  Relative
 * errors: 22 truncations of y >= 1 at 2^-126, < 2^-121; the table, < 2^-124; e^w from w^4/24 on,
 * < 2^-92.5; its evaluation, < 2^-124.  Together below 2^-92.
 *
 * The product of N elements thus has a relative error below N * 2^-111 * ln 2 + 2^-92, for N = 2^38
 * below 2^-73.  It is first rounded to 70 bits after the leading one: an exact product of so few bits
 * comes out exact then (24 is 24), and a tie is seen as one.  That adds 2^-71 at most, and the final
 * rounding to nearest is within 1/2 + 2^-17 ulp. */
#include "product.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "bignum.h"
#include "product_log.h"

typedef __int128 wide_signed;

_Static_assert(PRODUCT_STEPS == 22, "the error analysis is of 22 factors");

/* sum += whole + fraction */
static void add_to_sum(uint64_t sum[4], wide_signed whole, wide fraction) {
    wide low = join(sum[1], sum[0]) + fraction;
    wide high = join(sum[3], sum[2]) + (wide)whole + (low < fraction);
    sum[0] = (uint64_t)low;
    sum[1] = (uint64_t)(low >> 64);
    sum[2] = (uint64_t)high;
    sum[3] = (uint64_t)(high >> 64);
}

/* sum += count * logs; logs is of one element. */
static void add_multiple(uint64_t sum[4], const struct logs *logs, uint64_t count) {
    wide low = (uint64_t)logs->fraction * (wide)count;
    wide high = (logs->fraction >> 64) * count;
    wide_signed whole = (wide_signed)logs->whole * count;
    add_to_sum(sum, whole + (wide_signed)(high >> 64), high << 64);
    add_to_sum(sum, 0, low);
}

/* ---- state ------------------------------------------------------------------------------------- */

#define SIGNIFICAND ((UINT64_C(1) << 52) - 1)

void product_init(struct product *p) {
    memset(p, 0, sizeof *p);
}

static void count_signs(struct product *p, int neg, int zero, uint64_t count) {
    if (neg) p->signs += count;
    if (neg && !zero) p->negatives += count;
    if (zero) p->zeros += count;
}

/* Count v's sign and zero; add log2|v| to logs if it is finite and not 0. */
static void take_f64(struct product *p, struct logs *logs, double v, uint64_t count) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    int exponent = (int)(bits >> 52 & 2047);
    uint64_t mag = (bits & SIGNIFICAND) | (uint64_t)(exponent != 0) << 52;
    if (isnan(v)) return;
    count_signs(p, (int)(bits >> 63), mag == 0, count);
    if (exponent == 2047 || mag == 0) return;
    add_log(logs, mag, __builtin_clzll(mag), (exponent ? exponent : 1) - 1075);
}

static void take_wide(struct product *p, struct logs *logs, uint64_t mag, int neg, uint64_t count) {
    count_signs(p, neg && mag, mag == 0, count);
    if (mag) add_log(logs, mag, __builtin_clzll(mag), 0);
}

void product_add_f64(struct product *p, const double *v, size_t n) {
    struct logs logs = {0, 0, 0};
    for (size_t i = 0; i < n; i++)
        take_f64(p, &logs, v[i], 1);
    add_to_sum(p->log2_sum, (wide_signed)logs.whole + (wide_signed)logs.carries, logs.fraction);
}

void product_add_wide(struct product *p, const uint64_t *mag, const uint8_t *neg, size_t n) {
    struct logs logs = {0, 0, 0};
    for (size_t i = 0; i < n; i++)
        take_wide(p, &logs, mag[i], neg[i], 1);
    add_to_sum(p->log2_sum, (wide_signed)logs.whole + (wide_signed)logs.carries, logs.fraction);
}

void product_add_repeated_f64(struct product *p, double v, uint64_t count) {
    struct logs logs = {0, 0, 0};
    take_f64(p, &logs, v, count);
    add_multiple(p->log2_sum, &logs, count);
}

void product_add_repeated_wide(struct product *p, uint64_t mag, uint8_t neg, uint64_t count) {
    struct logs logs = {0, 0, 0};
    take_wide(p, &logs, mag, neg, count);
    add_multiple(p->log2_sum, &logs, count);
}

void product_merge(struct product *dst, const struct product *src) {
    const uint64_t *s = src->log2_sum;
    add_to_sum(dst->log2_sum, (wide_signed)join(s[3], s[2]), join(s[1], s[0]));
    dst->zeros += src->zeros;
    dst->signs += src->signs;
    dst->negatives += src->negatives;
}

/* ---- exponential ------------------------------------------------------------------------------- */

#define EXP_BITS  126 /* of exp2_fraction's result after the point: one bit is left for 2 */
#define KEPT_BITS 70  /* of them after which the result is as good as exact */

/* e^w - 1 of a fraction w < 2^-22: w + w^2/2 + w^3/6. */
static wide expm1_series(wide w) {
    return w + multiply(w, multiply(w, FRACTION_OF(2) + multiply(w, FRACTION_OF(6))));
}

/* 2^f in units of 2^-EXP_BITS, of a fraction f. */
static wide exp2_fraction(wide f) {
    wide y = (wide)1 << EXP_BITS;
    for (int k = 1; k <= PRODUCT_STEPS; k++) {
        wide log = join(product_log2[k][0], product_log2[k][1]);
        if (f < log) continue;
        f -= log;
        y += y >> k;
    }
    wide w = multiply(f, join(product_ln2[0], product_ln2[1]));
    return y + multiply(y, expm1_series(w));
}

/* quotient = floor(sum / n), both in two's complement.  For a negative sum, floor(sum / n) is the
 * complement of floor((-1 - sum) / n), and -1 - sum the complement of sum. */
static void divide_sum(uint64_t quotient[4], const uint64_t sum[4], uint64_t n) {
    uint64_t flip = sum[3] >> 63 ? UINT64_MAX : 0, remainder = 0;
    for (int i = 3; i >= 0; i--) {
        wide t = join(remainder, sum[i] ^ flip);
        quotient[i] = (uint64_t)(t / n) ^ flip;
        remainder = (uint64_t)(t % n);
    }
}

double product_root(const struct product *p, uint64_t n) {
    uint64_t mean[4];
    assert(n != 0);
    divide_sum(mean, p->log2_sum, n);
    wide_signed whole = (wide_signed)join(mean[3], mean[2]);
    if (whole >= 1024) return INFINITY;
    if (whole < -1076) return 0.0; /* below a quarter of the smallest subnormal */

    wide y = exp2_fraction(join(mean[1], mean[0]));
    int excess = EXP_BITS - KEPT_BITS;
    y = (y + ((wide)1 << (excess - 1))) >> excess;
    struct bignum num;
    num.limb[0] = (uint64_t)y;
    num.limb[1] = (uint64_t)(y >> 64);
    num.n = 2; /* y >= 2^KEPT_BITS */
    return bignum_round(&num, 0, (int64_t)whole - KEPT_BITS);
}

/* ---- stored form ------------------------------------------------------------------------------- */

#define WORDS (PRODUCT_STORED / 8)

size_t product_store(const struct product *p, unsigned char out[PRODUCT_STORED]) {
    uint64_t words[WORDS] = {p->log2_sum[0], p->log2_sum[1], p->log2_sum[2], p->log2_sum[3],
                             p->zeros,       p->signs,       p->negatives};
    for (int i = 0; i < PRODUCT_STORED; i++)
        out[i] = (unsigned char)(words[i / 8] >> 8 * (i % 8));
    return PRODUCT_STORED;
}

/* 2^64 logarithms of magnitude <= 1074 sum up to less than 2^75; a negative value that is not < 0 is
 * -0, so a zero. */
static int is_possible(const struct product *p) {
    wide_signed whole = (wide_signed)join(p->log2_sum[3], p->log2_sum[2]);
    wide_signed limit = (wide_signed)1 << 75;
    return whole >= -limit && whole < limit && p->negatives <= p->signs &&
           p->signs - p->negatives <= p->zeros;
}

size_t product_load(struct product *p, const unsigned char *in, size_t nbytes) {
    uint64_t words[WORDS] = {0};
    if (nbytes < PRODUCT_STORED) return 0;
    for (int i = 0; i < PRODUCT_STORED; i++)
        words[i / 8] |= (uint64_t)in[i] << 8 * (i % 8);
    struct product loaded = {{words[0], words[1], words[2], words[3]}, words[4], words[5], words[6]};
    if (!is_possible(&loaded)) return 0;
    *p = loaded;
    return PRODUCT_STORED;
}
