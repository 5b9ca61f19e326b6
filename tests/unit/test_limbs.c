/* limbs.c: headroom and carries in sight of the limbs themselves, and stored bytes that are no number
 * of ours. */
#include "limbs.h"

#include "check.h"

/* Limbs as `adds` additions of `digit` to each of them leave them. */
static void fill(struct limbs *a, int n, int64_t digit, uint32_t adds) {
    limbs_reset(a, n);
    for (int i = 0; i < n - 2; i++)
        a->limb[i] = digit * adds;
    a->adds = adds;
}

/* |a| = (2^32 - 1) * (1 + 2^32 + 2^64 + ...) * count = (2^(32 (n - 2)) - 1) * count, and its sign. */
static int is_filled(struct limbs *a, int neg, uint64_t count) {
    struct bignum got, want, subtract;
    int got_neg;
    bignum_set(&want, count);
    bignum_shift_left(&want, 32 * (a->n - 2));
    bignum_set(&subtract, count);
    bignum_sub(&want, &subtract);
    limbs_magnitude(a, &got, &got_neg);
    return got_neg == neg && bignum_compare(&got, &want) == 0;
}

static int within_headroom(const struct limbs *a) {
    const int64_t most = (INT64_C(1) << 62);
    for (int i = 0; i < a->n; i++)
        if (a->limb[i] > most || a->limb[i] < -most) return 0;
    return 1;
}

/* Around the addition before which a carry pass is due, by limbs_add and by limbs_merge: a limb that
 * was not carried would stand above 2^62. */
static void test_headroom(void) {
    enum { N = 72 };
    for (int neg = 0; neg <= 1; neg++) {
        struct limbs a, b, full;
        const uint32_t before = LIMBS_HEADROOM - 3;
        fill(&a, N, neg ? -(int64_t)UINT32_MAX : (int64_t)UINT32_MAX, before);
        b = a;
        for (uint64_t k = 1; k <= 8; k++) {
            for (int shift = 0; shift < 32 * (N - 2); shift += 32)
                limbs_add(&a, UINT32_MAX, neg, shift);
            CHECKF(within_headroom(&a), "limbs_add, %d more", (int)k);
            struct limbs copy = a;
            CHECKF(is_filled(&copy, neg, before + k), "value after %d more", (int)k);

            struct limbs one;
            fill(&one, N, neg ? -(int64_t)UINT32_MAX : (int64_t)UINT32_MAX, 1);
            limbs_merge(&b, &one);
            CHECKF(within_headroom(&b), "limbs_merge, %d more", (int)k);
            copy = b;
            CHECKF(is_filled(&copy, neg, before + k), "value after %d merges", (int)k);
        }
        /* both as full as they may be */
        fill(&a, N, neg ? -(int64_t)UINT32_MAX : (int64_t)UINT32_MAX, LIMBS_HEADROOM);
        full = a;
        limbs_merge(&a, &full);
        CHECK(within_headroom(&a) && is_filled(&a, neg, UINT64_C(2) * LIMBS_HEADROOM));
    }
}

/* 128 bits at every shift, there and back: the digits of 2^128 - 1 fall on five limbs. */
static void test_every_shift(void) {
    const unsigned __int128 most = ~(unsigned __int128)0;
    struct limbs a;
    limbs_reset(&a, LIMBS_MAX);
    for (int shift = 0; shift <= 32 * LIMBS_MAX - 200; shift++) {
        struct bignum mag, want, one;
        int neg;
        limbs_add(&a, most, 1, shift);
        limbs_magnitude(&a, &mag, &neg);
        bignum_set(&want, 1);
        bignum_shift_left(&want, 128);
        bignum_set(&one, 1);
        bignum_sub(&want, &one);
        bignum_shift_left(&want, shift);
        CHECKF(neg && bignum_compare(&mag, &want) == 0, "(1 - 2^128) << %d", shift);
        limbs_add(&a, most, 0, shift);
        limbs_magnitude(&a, &mag, &neg);
        CHECKF(!neg && mag.n == 0, "and back, %d", shift);
    }
}

struct stored {
    const char *name;
    size_t nbytes; /* those below; the rest are zero */
    unsigned char bytes[8 + 4 * 73];
};

#define BITS 2162 /* of the largest magnitude in these tests */

static const struct stored numbers[] = {
    {"0", 8, {0}},
    {"1", 12, {1, 0, 0, 0, 0, 0, 0, 0, 1}},
    {"-1", 12, {1, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}},
    {"2^31", 16, {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0}},
    {"-2^31", 12, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80}},
    {"2^32", 12, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
    {"-1 - 2^32", 16, {2, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff}},
    {"2^2161", 12, {1, 0, 0, 0, 67, 0, 0, 0, 0, 0, 2, 0}},
};

static const struct stored rubbish[] = {
    {"ends in the lengths", 7, {0}},
    {"ends in a limb", 11, {1, 0, 0, 0, 0, 0, 0, 0, 1}},
    {"ends before the last limb", 12, {2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}},
    {"zero that starts somewhere", 8, {0, 0, 0, 0, 1, 0, 0, 0}},
    {"zero with a limb", 12, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"lowest limb 0", 16, {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}},
    {"highest limb 0", 16, {2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}},
    {"highest limb -1", 16, {2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0x80, 0xff, 0xff, 0xff, 0xff}},
    {"lowest limb past the end", 12, {1, 0, 0, 0, 72, 0, 0, 0, 1}},
    {"last limb past the end", 16, {2, 0, 0, 0, 71, 0, 0, 0, 1, 0, 0, 0, 1}},
    {"lowest limb wraps", 16, {2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 1}},
    {"too many limbs", 8 + 4 * 73, {73, 0, 0, 0, 0, 0, 0, 0, 1, [8 + 4 * 72] = 1}},
    {"length wraps", 28, {0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 1}},
    {"2^2162", 12, {1, 0, 0, 0, 67, 0, 0, 0, 0, 0, 4, 0}},
};

static void test_stored_numbers(void) {
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        const struct stored *s = &numbers[k];
        struct limbs a;
        unsigned char out[8 + 4 * LIMBS_MAX];
        limbs_reset(&a, 72);
        limbs_add(&a, 99, 0, 5);
        CHECKF(limbs_load(&a, s->bytes, sizeof s->bytes, BITS, 1) == s->nbytes, "%s is read", s->name);
        CHECKF(limbs_store(&a, out) == s->nbytes && memcmp(out, s->bytes, s->nbytes) == 0,
               "%s is stored as it was", s->name);
        CHECKF(limbs_load(&a, s->bytes, s->nbytes - 1, BITS, 1) == 0, "%s, a byte short", s->name);
        int is_negative = s->name[0] == '-';
        CHECKF((limbs_load(&a, s->bytes, s->nbytes, BITS, 0) == 0) == is_negative, "%s without signs",
               s->name);
    }
    struct limbs a;
    limbs_reset(&a, 72);
    limbs_load(&a, numbers[6].bytes, sizeof numbers[6].bytes, BITS, 1);
    limbs_add(&a, ((unsigned __int128)1 << 32) + 1, 0, 0);
    unsigned char out[8 + 4 * LIMBS_MAX];
    CHECK(limbs_store(&a, out) == 8); /* -1 - 2^32 + 2^32 + 1 */
}

static void test_stored_rubbish(void) {
    for (size_t k = 0; k < sizeof rubbish / sizeof rubbish[0]; k++) {
        const struct stored *s = &rubbish[k];
        struct limbs a;
        unsigned char before[8 + 4 * LIMBS_MAX], after[8 + 4 * LIMBS_MAX];
        limbs_reset(&a, 72);
        limbs_add(&a, 99, 1, 5);
        size_t n = limbs_store(&a, before);
        CHECKF(limbs_load(&a, s->bytes, s->nbytes, BITS, 1) == 0, "%s", s->name);
        CHECKF(limbs_store(&a, after) == n && memcmp(before, after, n) == 0, "%s changed something",
               s->name);
    }
}

static const struct test tests[] = {
    {"limbs_headroom", test_headroom},
    {"limbs_every_shift", test_every_shift},
    {"limbs_stored_numbers", test_stored_numbers},
    {"limbs_stored_rubbish", test_stored_rubbish},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
