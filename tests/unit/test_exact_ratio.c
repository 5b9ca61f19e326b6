/* exact_ratio and the reductions that it makes of exact sums: mean, var, std, norm2, rms.  Everything
 * is rounded once; expected values are rational numbers worked out by hand, or (marked) by big integers
 * elsewhere. */
#include <float.h>
#include <math.h>

#include "check.h"
#include "exact.h"
#include "exact_help.h"

static double ratio(uint64_t num, int64_t exp2, uint64_t den, int root) {
    struct bignum n;
    bignum_set(&n, num);
    return exact_ratio(&n, exp2, den, 1, 1, root);
}

static double mean_of(const double *v, size_t n) {
    struct exact *x = accumulated(EXACT_SUM, v, n);
    struct bignum mag;
    int neg;
    exact_value(x, &mag, &neg);
    exact_free(x);
    double mean = exact_ratio(&mag, exact_unit(EXACT_SUM), n, 1, 1, 0);
    return neg ? -mean : mean;
}

/* (n S2 - S1^2) / (n (n - ddof) den) or its root, of accumulators of n elements. */
static double variance(struct exact *s1, struct exact *s2, uint64_t n, uint64_t ddof, uint64_t den,
                       int root) {
    struct bignum sum, squares, square;
    int neg;
    exact_value(s1, &sum, &neg);
    exact_value(s2, &squares, &neg);
    bignum_mul(&square, &sum, &sum);
    bignum_mul_small(&squares, n);
    CHECK(bignum_compare(&squares, &square) >= 0);
    bignum_sub(&squares, &square);
    return exact_ratio(&squares, exact_unit(EXACT_SQUARES), n, n - ddof, den, root);
}

static double variance_of(const double *v, size_t n, uint64_t ddof, uint64_t den, int root) {
    struct exact *s1 = accumulated(EXACT_SUM, v, n), *s2 = accumulated(EXACT_SQUARES, v, n);
    double var = variance(s1, s2, n, ddof, den, root);
    exact_free(s1);
    exact_free(s2);
    return var;
}

static void test_halfway_sums(void) {
    static const struct {
        double v[3], sum;
    } cases[] = {
        {{1, 0x1p-53, 0}, 1}, /* ties to even */
        {{1 + 0x1p-52, 0x1p-53, 0}, 1 + 0x1p-51},
        {{1, -0x1p-54, 0}, 1},                             /* below a power of two */
        {{1, 0x1p-53, 0x1p-1074}, 1 + 0x1p-52},            /* as little as there is above */
        {{1 + 0x1p-52, 0x1p-53, -0x1p-1074}, 1 + 0x1p-52}, /* and below a tie */
        {{1, -0x1p-54, -0x1p-1074}, 1 - 0x1p-53},
        {{-1, -0x1p-53, -0x1p-1074}, -1 - 0x1p-52},
        {{DBL_MAX, 0x1p970, -0x1p-1074}, DBL_MAX}, /* the border of Inf */
        {{DBL_MAX, 0x1p970, 0}, INFINITY},
        {{-DBL_MAX, -0x1p970, 0}, -INFINITY},
        {{DBL_MAX, DBL_MAX, -DBL_MAX}, DBL_MAX},             /* Inf only at the end */
        {{DBL_MIN, -0x1p-1074, 0}, 0x1.ffffffffffffep-1023}, /* largest subnormal */
        {{0x1p-1074, 0x1p-1074, 0x1p-1074}, 0x3p-1074},
    };
    for (size_t k = 0; k < COUNT(cases); k++)
        CHECKF(sum_of(cases[k].v, 3) == cases[k].sum, "%a + %a + %a", cases[k].v[0], cases[k].v[1],
               cases[k].v[2]);
}

static void test_means(void) {
    static const double two_largest[] = {DBL_MAX, DBL_MAX}, apart[] = {DBL_MAX, -DBL_MAX};
    static const double three[] = {0x1p-1074, 0x1p-1074, 0x1p-1074};
    static const double half[] = {0x1p-1074, 0}, more[] = {0x3p-1074, 0}, below[] = {-0x3p-1074, 0};
    CHECK(mean_of(two_largest, 2) == DBL_MAX);
    CHECK(same_bits(mean_of(apart, 2), 0.0));
    CHECK(mean_of(three, 3) == 0x1p-1074);
    CHECK(mean_of(half, 2) == 0); /* 1/2 and 3/2 of the smallest: ties to even */
    CHECK(mean_of(more, 2) == 0x1p-1073);
    CHECK(mean_of(below, 2) == -0x1p-1073);
    /* a rounded sum, divided, is 0x1.1bdd34d135707p+54 (by big integers) */
    static const double twice[] = {0x1.fdc5231162428p+54, 0x1.14fa878633075p+53, 0x1.96aa6f3e49162p+53};
    CHECK(mean_of(twice, 3) == 0x1.1bdd34d135706p+54);
}

static void test_variances(void) {
    static const double ends[] = {1 + 1e-6, 1 - 1e-6}, far[] = {1e12 - 1, 1e12, 1e12 + 1};
    double spread = (1 + 1e-6) - (1 - 1e-6); /* exact, so that its square is rounded once */
    CHECK(variance_of(ends, 2, 0, 1, 0) == spread * spread / 4);
    CHECK(variance_of(ends, 2, 1, 1, 0) == spread * spread / 2);
    CHECK(variance_of(far, 3, 0, 1, 0) == 0x1.5555555555555p-1); /* 2/3 */
    CHECK(variance_of(far, 3, 1, 1, 0) == 1);

    double noise[8], constant[1000], large[8];
    for (int i = 0; i < 8; i++) {
        noise[i] = 1e7 + i / 8.0;             /* var of 0 .. 7 is 21/4 */
        large[i] = 0x1p110f + i * (0x1p100f); /* as f32 would overflow its squares */
    }
    CHECK(variance_of(noise, 8, 0, 1, 0) == 21.0 / 4 / 64);
    CHECK(variance_of(noise, 8, 1, 1, 0) == 6.0 / 64);
    CHECK(variance_of(large, 8, 0, 1, 0) == 0x1p200 * 21 / 4);
    for (int i = 0; i < 1000; i++)
        constant[i] = 0.1;
    CHECK(same_bits(variance_of(constant, 1000, 0, 1, 0), 0.0));
    CHECK(same_bits(variance_of(constant, 1000, 1, 1, 1), 0.0));
    CHECK(same_bits(variance_of(constant, 1, 0, 1, 0), 0.0));
    /* DBL_MAX and -DBL_MAX: var overflows, std does not */
    static const double largest[] = {DBL_MAX, -DBL_MAX};
    CHECK(isinf(variance_of(largest, 2, 0, 1, 0)));
    CHECK(variance_of(largest, 2, 0, 1, 1) == DBL_MAX);
    CHECK(isinf(variance_of(largest, 2, 1, 1, 1)));
}

static void test_variance_of_integers(void) {
    static const uint64_t mag[] = {UINT64_C(1) << 60, (UINT64_C(1) << 60) + 1};
    static const uint64_t most[] = {UINT64_MAX, UINT64_MAX};
    static const uint8_t pos[] = {0, 0}, signs[] = {1, 0};
    struct exact *s1 = accumulator(EXACT_SUM), *s2 = accumulator(EXACT_SQUARES);
    exact_add_wide(s1, mag, pos, 2);
    exact_add_wide(s2, mag, pos, 2);
    CHECK(variance(s1, s2, 2, 0, 1, 0) == 0.25);
    CHECK(variance(s1, s2, 2, 0, 1, 1) == 0.5);
    exact_reset(s1);
    exact_reset(s2);
    exact_add_wide(s1, most, signs, 2); /* var = (2^64 - 1)^2 */
    exact_add_wide(s2, most, signs, 2);
    CHECK(variance(s1, s2, 2, 0, 1, 0) == 0x1p128);
    CHECK(variance(s1, s2, 2, 0, 1, 1) == 0x1p64);
    /* 2^63 times -1 and as many 1: num and den with 190 bits */
    exact_reset(s1);
    exact_reset(s2);
    for (uint8_t neg = 0; neg <= 1; neg++) {
        exact_add_repeated_wide(s1, 1, neg, UINT64_C(1) << 62);
        exact_add_repeated_wide(s2, 1, neg, UINT64_C(1) << 62);
    }
    CHECK(variance(s1, s2, UINT64_C(1) << 63, 0, 1, 0) == 1);
    exact_free(s1);
    exact_free(s2);
}

/* std, std1 and sem = sqrt(var1 / n) of {0, 1, third}, where the root of the rounded variance is
 * another number; all by big integers. */
static void test_roots_of_exact_variances(void) {
    static const struct {
        double third;
        uint64_t ddof, den;
        double root;
    } cases[] = {
        {10, 0, 1, 0x1.1fcd6a2cc001fp+2}, {12, 1, 1, 0x1.aa220c42b9ff4p+2},
        {13, 0, 1, 0x1.7a0712bf0c8d6p+2}, {26, 0, 1, 0x1.80e34af437df3p+3},
        {27, 1, 1, 0x1.e9dab9f7a507fp+3}, {29, 0, 1, 0x1.ae1e8e977f538p+3},
        {30, 1, 1, 0x1.10a0714ed3215p+4}, {36, 1, 1, 0x1.4808532579c03p+4},
        {39, 0, 1, 0x1.22756981bddbbp+4}, {9, 1, 3, 0x1.6c8b4e0e81b85p+1},
        {10, 1, 3, 0x1.970399636e23ap+1}, {11, 1, 3, 0x1.c1856f1e69e8p+1},
        {19, 1, 3, 0x1.8b194f0cb77bbp+2}, {35, 1, 3, 0x1.701dad2e22b0p+3},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        const double v[] = {0, 1, cases[k].third};
        uint64_t ddof = cases[k].ddof, den = cases[k].den;
        CHECKF(variance_of(v, 3, ddof, den, 1) == cases[k].root, "root of 0, 1, %g", v[2]);
        CHECKF(sqrt(variance_of(v, 3, ddof, den, 0)) != cases[k].root, "0, 1, %g proves nothing", v[2]);
    }
}

static void test_norms(void) {
    static const double f16[] = {600, 800}, large[] = {1e200, 1e200}, small[] = {1e-200, 1e-200};
    static const double tiny[] = {0x3p-1074, 0x4p-1074}, most[] = {DBL_MAX, DBL_MAX, DBL_MAX};
    CHECK(squares_of(f16, 2, 1, 1) == 1000);
    CHECK(squares_of(large, 2, 1, 1) == 0x1.d8f9811335b57p+664); /* by big integers */
    CHECK(squares_of(small, 2, 1, 1) == 0x1.151f68876f41p-664);
    CHECK(squares_of(large, 2, 2, 1) == 1e200 && squares_of(small, 2, 2, 1) == 1e-200);
    CHECK(isinf(squares_of(large, 2, 1, 0)) && squares_of(small, 2, 1, 0) == 0);
    CHECK(squares_of(tiny, 2, 1, 1) == 0x5p-1074);
    CHECK(squares_of(most, 1, 1, 1) == DBL_MAX && squares_of(most, 3, 3, 1) == DBL_MAX);
    CHECK(isinf(squares_of(most, 2, 1, 1)));
    CHECK(squares_of(tiny, 0, 1, 1) == 0);
}

/* Roots of subnormal squares: k/4 of the smallest subnormal. */
static void test_subnormal_roots(void) {
    CHECK(ratio(1, -2148, 1, 1) == 0x1p-1074);
    CHECK(ratio(1, -2148, 4, 1) == 0);          /* 1/2: a tie to even */
    CHECK(ratio(9, -2148, 4, 1) == 0x1p-1073);  /* 3/2 */
    CHECK(ratio(25, -2148, 4, 1) == 0x1p-1073); /* 5/2 */
    CHECK(ratio(1, -2148, 5, 1) == 0);          /* just below 1/2 */
    CHECK(ratio(1, -2148, 3, 1) == 0x1p-1074);  /* above */
    CHECK(ratio(2, -2148, 1, 1) == 0x1p-1074);  /* 1.41 */
    CHECK(ratio(3, -2148, 1, 1) == 0x1p-1073);  /* 1.73 */
    CHECK(ratio(1, -1075, 1, 0) == 0 && ratio(3, -1075, 1, 0) == 0x1p-1073);
    CHECK(ratio(1, -1074, 2, 0) == 0 && ratio(2, -1074, 3, 0) == 0x1p-1074);
}

static void test_perfect_squares(void) {
    uint64_t seed = 17;
    for (int i = 0; i < 3000; i++) {
        uint64_t r = random_u64(&seed) >> 11 >> i % 53, den = random_u64(&seed) >> i % 64 | 1;
        int64_t e = (int64_t)(random_u64(&seed) % 1800) - 1000;
        struct bignum a, square;
        bignum_set(&a, r);
        bignum_mul(&square, &a, &a);
        CHECKF(exact_ratio(&square, 2 * e, 1, 1, 1, 1) == ldexp((double)r, (int)e), "root of %g^2",
               (double)r);
        /* a common factor of numerator and denominators does not matter, nor does an odd exponent */
        bignum_mul_small(&square, den);
        bignum_mul_small(&square, 2 * (r | 1));
        CHECKF(exact_ratio(&square, 2 * e - 1, den, r | 1, 1, 1) == ldexp((double)r, (int)e),
               "root of %g^2 in both parities", (double)r);
        CHECKF(exact_ratio(&a, e, 1, 1, 1, 0) == ldexp((double)r, (int)e), "%g / 1", (double)r);
    }
}

/* (2^53 + k)^2 for odd k lies on a tie of the root; as little above or below it decides. */
static void test_halfway_roots(void) {
    for (uint64_t k = 1; k < 40; k += 2) {
        const uint64_t root = (UINT64_C(1) << 53) + k, down = root - 1, up = root + 1;
        const double even = (double)(k % 4 == 1 ? down : up);
        struct bignum a, square, more, one;
        bignum_set(&a, root);
        bignum_mul(&square, &a, &a);
        CHECK(exact_ratio(&square, 0, 1, 1, 1, 1) == even);
        bignum_set(&one, 1);
        for (int far = 0; far <= 5000; far += far < 400 ? 20 : 1000) {
            more = square;
            bignum_shift_left(&more, far);
            bignum_add(&more, &one);
            CHECKF(exact_ratio(&more, -far, 1, 1, 1, 1) == (double)up, "2^-%d above %d", far, (int)k);
            bignum_sub(&more, &one);
            bignum_sub(&more, &one);
            CHECKF(exact_ratio(&more, -far, 1, 1, 1, 1) == (double)down, "2^-%d below %d", far, (int)k);
        }
        /* by a denominator of nearly 2^128: (square den + 1) / den */
        more = square;
        bignum_mul_small(&more, UINT64_MAX);
        bignum_mul_small(&more, UINT64_MAX - 2);
        CHECK(exact_ratio(&more, 0, UINT64_MAX, UINT64_MAX - 2, 1, 1) == even);
        bignum_add(&more, &one);
        CHECK(exact_ratio(&more, 0, UINT64_MAX, UINT64_MAX - 2, 1, 1) == (double)up);
    }
}

static void test_halfway_quotients(void) {
    const uint64_t odd = (UINT64_C(1) << 53) + 1;
    const uint64_t den[] = {1, 3, 10, 1000003, UINT64_MAX, (UINT64_C(1) << 63) + 1};
    for (size_t i = 0; i < COUNT(den); i++) {
        for (size_t j = 0; j < COUNT(den); j++) {
            struct bignum num, one;
            bignum_set(&num, odd);
            bignum_set(&one, 1);
            bignum_mul_small(&num, den[i]);
            bignum_mul_small(&num, den[j]);
            CHECK(exact_ratio(&num, -1, den[i], den[j], 1, 0) == 0x1p52);
            bignum_add(&num, &one);
            CHECK(exact_ratio(&num, -1, den[i], den[j], 1, 0) == 0x1p52 + 1);
            bignum_sub(&num, &one);
            bignum_sub(&num, &one);
            CHECK(exact_ratio(&num, -1, den[i], den[j], 1, 0) == 0x1p52);
        }
    }
    /* a remainder that only one of the divisions leaves, below what the quotient keeps */
    for (int at = 0; at < 3; at++) {
        for (int far = 0; far <= 900; far += 20) {
            const uint64_t largest[] = {UINT64_MAX, UINT64_MAX - 2, UINT64_MAX - 4};
            struct bignum num, one;
            bignum_set(&num, odd);
            bignum_set(&one, 1);
            bignum_shift_left(&num, far);
            for (int i = 2; i >= 0; i--) {
                bignum_mul_small(&num, largest[i]);
                if (i == at) bignum_add(&num, &one);
            }
            CHECKF(exact_ratio(&num, -1 - far, largest[0], largest[1], largest[2], 0) == 0x1p52 + 1,
                   "2^-%d and less above a tie", far);
        }
    }
    CHECK(ratio(1, 0, 3, 0) == 1.0 / 3 && ratio(10, 0, UINT64_MAX, 0) == 10.0 / 0x1p64);
    CHECK(ratio(2, 0, 1, 1) == sqrt(2) && ratio(1, 1, 1, 1) == sqrt(2));
    CHECK(ratio(UINT64_MAX, 960, 1, 0) == INFINITY && ratio(UINT64_MAX, 960, 2, 0) == 0x1p1023);
    CHECK(ratio(UINT64_MAX, 1984, 1, 1) == INFINITY && ratio(UINT64_MAX, 1984, 4, 1) == 0x1p1023);
}

/* As many bits as a bignum has, over the largest denominator. */
static void test_largest_numerator(void) {
    struct bignum num, one;
    bignum_set(&num, 1);
    bignum_shift_left(&num, 64 * BIGNUM_LIMBS - 1);
    bignum_set(&one, 1);
    CHECK(exact_ratio(&num, -6143, 1, 1, 1, 0) == 1 && exact_ratio(&num, -6143, 1, 1, 1, 1) == 1);
    CHECK(exact_ratio(&num, -6142, 1, 1, 1, 1) == sqrt(2));
    bignum_sub(&num, &one);
    CHECK(exact_ratio(&num, -6143, 1, 1, 1, 0) == 1);
    CHECK(exact_ratio(&num, -6143 + 128, UINT64_MAX, UINT64_MAX, 1, 0) == 1);
    CHECK(exact_ratio(&num, -6143 + 128, UINT64_MAX, UINT64_MAX, 1, 1) == 1);
    bignum_set(&num, 0);
    CHECK(same_bits(exact_ratio(&num, 0, 7, 7, 1, 1), 0.0));
}

static const struct test tests[] = {
    {"exact_halfway_sums", test_halfway_sums},
    {"exact_means", test_means},
    {"fault_04_variances", test_variances},
    {"fault_04_variance_of_integers", test_variance_of_integers},
    {"fault_04_roots_of_exact_variances", test_roots_of_exact_variances},
    {"fault_05_norms", test_norms},
    {"exact_subnormal_roots", test_subnormal_roots},
    {"exact_perfect_squares", test_perfect_squares},
    {"exact_halfway_roots", test_halfway_roots},
    {"exact_halfway_quotients", test_halfway_quotients},
    {"exact_largest_numerator", test_largest_numerator},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
