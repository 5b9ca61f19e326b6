/* bignum.c: arithmetic against identities that need no other big integers, and the rounding to binary64
 * at every kind of border.  Rounding is also seen through test_exact.c and test_exact_ratio.c. */
#include "bignum.h"

#include <float.h>
#include <math.h>

#include "check.h"

/* 2^bits - 1 */
static struct bignum ones(int bits) {
    struct bignum a, one;
    bignum_set(&a, 1);
    bignum_set(&one, 1);
    bignum_shift_left(&a, bits);
    bignum_sub(&a, &one);
    return a;
}

static struct bignum power_of_two(int bits) {
    struct bignum a;
    bignum_set(&a, 1);
    bignum_shift_left(&a, bits);
    return a;
}

/* Whether a is the number with these words, the highest first. */
static int is(const struct bignum *a, int n, const uint64_t *words) {
    if (a->n != n) return 0;
    for (int i = 0; i < n; i++)
        if (a->limb[n - 1 - i] != words[i]) return 0;
    return 1;
}

static double round_words(uint64_t high, uint64_t low, int sticky, int64_t exp2) {
    struct bignum a, b;
    bignum_set(&a, high);
    bignum_shift_left(&a, 64);
    bignum_set(&b, low);
    bignum_add(&a, &b);
    return bignum_round(&a, sticky, exp2);
}

static double round_u64(uint64_t v, int sticky, int64_t exp2) {
    return round_words(0, v, sticky, exp2);
}

static void test_size(void) {
    struct bignum a, b;
    bignum_set(&a, 0);
    CHECK(a.n == 0 && bignum_bits(&a) == 0);
    bignum_set(&a, UINT64_MAX);
    CHECK(a.n == 1 && bignum_bits(&a) == 64);
    for (int bits = 0; bits < 64 * BIGNUM_LIMBS; bits++) {
        a = power_of_two(bits);
        CHECKF(bignum_bits(&a) == bits + 1 && a.n == bits / 64 + 1, "2^%d", bits);
    }
    a = power_of_two(128), b = ones(128);
    CHECK(bignum_compare(&a, &b) > 0 && bignum_compare(&b, &a) < 0 && bignum_compare(&a, &a) == 0);
    b = power_of_two(128), b.limb[0] = 1;
    CHECK(bignum_compare(&a, &b) < 0);
}

static void test_carry_and_borrow(void) {
    struct bignum one;
    bignum_set(&one, 1);
    for (int bits = 1; bits < 64 * BIGNUM_LIMBS; bits += 31) {
        struct bignum a = ones(bits), b = power_of_two(bits), zero = b;
        CHECKF(bignum_bits(&a) == bits, "2^%d - 1 has so many bits", bits);
        bignum_add(&a, &one);
        CHECKF(bignum_compare(&a, &b) == 0, "a carry through %d bits", bits);
        bignum_sub(&a, &one);
        bignum_add(&one, &a); /* the shorter one first */
        CHECKF(bignum_compare(&one, &b) == 0, "1 + (2^%d - 1)", bits);
        bignum_set(&one, 1);
        bignum_sub(&zero, &b);
        CHECKF(zero.n == 0, "2^%d - 2^%d", bits, bits);
    }
}

/* (2^a - 1)(2^b - 1) + 2^a + 2^b = 2^(a + b) + 1: every carry of a product runs. */
static void test_product_of_ones(void) {
    for (int a = 1; a <= 3070; a += 61) {
        for (int b = 1; b <= 3070; b += 307) {
            struct bignum x = ones(a), y = ones(b), got, want = power_of_two(a + b), t;
            bignum_mul(&got, &x, &y);
            t = power_of_two(a);
            bignum_add(&got, &t);
            t = power_of_two(b);
            bignum_add(&got, &t);
            bignum_set(&t, 1);
            bignum_add(&want, &t);
            CHECKF(bignum_compare(&got, &want) == 0, "(2^%d - 1)(2^%d - 1)", a, b);
        }
    }
    struct bignum zero, x = ones(70), got;
    bignum_set(&zero, 0);
    bignum_mul(&got, &x, &zero);
    CHECK(got.n == 0);
}

/* 25! = 15511210043330985984000000, and 700! (5613 bits) divided back. */
static void test_factorials(void) {
    const uint64_t factorial_25[] = {UINT64_C(0x0cd4a0), UINT64_C(0x619fb0907bc00000)};
    struct bignum a;
    bignum_set(&a, 1);
    for (uint64_t k = 2; k <= 700; k++) {
        bignum_mul_small(&a, k);
        if (k == 25) CHECK(is(&a, 2, factorial_25));
    }
    CHECK(bignum_bits(&a) == 5613);
    for (uint64_t k = 700; k >= 2; k--) {
        struct bignum odd = a, rest;
        bignum_set(&rest, k - 1);
        bignum_add(&odd, &rest);
        CHECKF(bignum_divide_small(&odd, k) == k - 1, "(700!/... + %d) mod %d", (int)k - 1, (int)k);
        CHECKF(bignum_divide_small(&a, k) == 0, "%d divides", (int)k);
        CHECKF(bignum_compare(&a, &odd) == 0, "the same quotient of %d", (int)k);
    }
    const uint64_t one = 1;
    CHECK(is(&a, 1, &one));
    bignum_mul_small(&a, 0);
    CHECK(a.n == 0);
}

static void test_shifts(void) {
    for (int bits = 0; bits <= 300; bits++) {
        struct bignum a = ones(200), want = ones(200 - (bits < 200 ? bits : 200));
        bignum_shift_left(&a, bits);
        CHECKF(bignum_bits(&a) == 200 + bits, "200 bits << %d", bits);
        CHECKF(bignum_shift_right(&a, bits) == 0, "nothing is lost on the way back by %d", bits);
        CHECKF(bignum_bits(&a) == 200, "back by %d", bits);
        CHECKF(bignum_shift_right(&a, bits) == (bits > 0), "a bit is lost in >> %d", bits);
        CHECKF(bignum_compare(&a, &want) == 0, "200 bits >> %d", bits);
    }
    struct bignum a = power_of_two(130);
    CHECK(bignum_shift_right(&a, 130) == 0 && a.n == 1 && a.limb[0] == 1);
    CHECK(bignum_shift_right(&a, 1) == 1 && a.n == 0);
    CHECK(bignum_shift_right(&a, 5000) == 0);
}

static void test_round_exact(void) {
    CHECK(round_u64(0, 0, 5) == 0.0);
    for (int e = -1074; e <= 1023; e++) {
        CHECKF(round_u64(1, 0, e) == ldexp(1, e), "2^%d", e);
        CHECKF(round_words(1, 0, 0, e - 64) == ldexp(1, e), "2^64 * 2^%d", e - 64);
    }
    CHECK(round_u64((UINT64_C(1) << 53) - 1, 0, 971) == DBL_MAX);
    CHECK(round_u64((UINT64_C(1) << 52) - 1, 0, -1074) == DBL_MIN - 0x1p-1074);
}

/* Significands 2^53 + 0 .. 7 eighths of a last place, even and odd. */
static void test_round_to_even(void) {
    const uint64_t even = UINT64_C(1) << 52, odd = even + 1;
    for (uint64_t eighths = 0; eighths < 8; eighths++) {
        double up_even = (double)(eighths > 4), up_odd = (double)(eighths >= 4);
        CHECKF(round_u64(even * 8 + eighths, 0, -3) == (double)even + up_even, "%d/8", (int)eighths);
        CHECKF(round_u64(odd * 8 + eighths, 0, -3) == (double)odd + up_odd, "odd, %d/8", (int)eighths);
        double sticky_even = (double)(eighths >= 4);
        CHECKF(round_u64(even * 8 + eighths, 1, -3) == (double)even + sticky_even, "more than %d/8",
               (int)eighths);
    }
    /* a bit far below a tie breaks it */
    struct bignum a = power_of_two(6000), b;
    bignum_set(&b, 1);
    bignum_shift_left(&b, 6000 - 53);
    bignum_add(&a, &b);
    CHECK(bignum_round(&a, 0, -6000) == 1.0);
    CHECK(bignum_round(&a, 1, -6000) == 1.0 + DBL_EPSILON);
    bignum_set(&b, 1);
    bignum_add(&a, &b);
    CHECK(bignum_round(&a, 0, -6000) == 1.0 + DBL_EPSILON);
}

static void test_round_carries(void) {
    CHECK(round_u64((UINT64_C(1) << 54) - 1, 0, -54) == 1.0);     /* to the next binade */
    CHECK(isinf(round_u64((UINT64_C(1) << 54) - 1, 0, 970)));     /* DBL_MAX and half */
    CHECK(round_u64((UINT64_C(1) << 55) - 3, 0, 969) == DBL_MAX); /* and a quarter */
    CHECK(round_u64((UINT64_C(1) << 55) - 3, 1, 969) == DBL_MAX);
    CHECK(isinf(round_u64(1, 0, 1024)) && isinf(round_u64(1, 0, INT64_C(1) << 40)));
    CHECK(round_u64((UINT64_C(1) << 53) - 1, 0, -1075) == DBL_MIN); /* subnormal to normal */
    CHECK(round_u64((UINT64_C(1) << 54) - 3, 0, -1076) == DBL_MIN - 0x1p-1074);
}

static void test_round_subnormal(void) {
    CHECK(round_u64(1, 0, -1075) == 0.0); /* a tie to even */
    CHECK(round_u64(1, 1, -1075) == 0x1p-1074);
    CHECK(round_u64(3, 0, -1075) == 0x1p-1073);
    CHECK(round_u64(5, 0, -1075) == 0x1p-1073);
    CHECK(round_u64(5, 1, -1075) == 0x3p-1074);
    CHECK(round_words(1, 0, 0, -1075 - 64) == 0.0);
    CHECK(round_words(1, 1, 0, -1075 - 64) == 0x1p-1074);
    CHECK(round_words(0, UINT64_MAX, 0, -1075 - 64) == 0.0);
    CHECK(round_words(0, UINT64_MAX, 1, -1075 - 64) == 0.0);
    CHECK(round_u64(UINT64_MAX, 1, -1074 - 11) == 0x1p-1021); /* rounded in the normal range */
    CHECK(round_u64(1, 1, -(INT64_C(1) << 40)) == 0.0);
    CHECK(round_u64(0, 1, -1075) == 0.0);
}

static const struct test tests[] = {
    {"bignum_size", test_size},
    {"bignum_carry_and_borrow", test_carry_and_borrow},
    {"bignum_product_of_ones", test_product_of_ones},
    {"bignum_factorials", test_factorials},
    {"bignum_shifts", test_shifts},
    {"bignum_round_exact", test_round_exact},
    {"bignum_round_to_even", test_round_to_even},
    {"bignum_round_carries", test_round_carries},
    {"bignum_round_subnormal", test_round_subnormal},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
