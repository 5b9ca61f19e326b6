/* product.c: products and geometric means against exact integer products, and the logarithms against
 * known digits.  Constants marked "digits" were worked out by big integers elsewhere. */
#include "product.h"

#include <float.h>
#include <math.h>

#include "bignum.h"
#include "check.h"
#include "exact_help.h"
#include "product_table.h"

static struct product product_of(const double *v, size_t n) {
    struct product p;
    product_init(&p);
    product_add_f64(&p, v, n);
    return p;
}

static double root_of(const double *v, size_t n, uint64_t root) {
    struct product p = product_of(v, n);
    return product_root(&p, root);
}

static struct product repeated(double v, uint64_t count) {
    struct product p;
    product_init(&p);
    product_add_repeated_f64(&p, v, count);
    return p;
}

static int same(const struct product *a, const struct product *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static void test_small(void) {
    static const double four[] = {1, 2, 3, 4}, signs[] = {-1, 2, -3, -4}, tenth[] = {0.1, 10};
    CHECK(root_of(four, 4, 1) == 24);
    CHECK(root_of(NULL, 0, 1) == 1);
    struct product p = product_of(signs, 4);
    CHECK(product_root(&p, 1) == 24 && p.signs == 3 && p.negatives == 3 && p.zeros == 0);
    CHECK(root_of(tenth, 2, 1) == 1);
    double factorial = 1, v[22];
    for (int k = 1; k <= 22; k++) { /* 22! has 51 bits beside its 19 factors of 2 */
        v[k - 1] = k;
        factorial *= k;
        CHECKF(root_of(v, (size_t)k, 1) == factorial, "%d!", k);
    }
}

static void test_digits(void) {
    double v[171];
    for (int k = 0; k < 171; k++)
        v[k] = k + 1;
    CHECK(root_of(v, 100, 1) == 0x1.b30964ec395dcp+524);
    CHECK(root_of(v, 170, 1) == 0x1.4ab7864418639p+1019);
    CHECK(isinf(root_of(v, 171, 1)));
    CHECK(root_of(v, 10, 10) == 0x1.21d6b0d9fac88p+2);
    struct product p = repeated(1.1, 1000), q = repeated(0.1, 320);
    CHECK(product_root(&p, 1) == 0x1.6aec8cd64aba1p+137);
    CHECK(product_root(&q, 1) == 0x7e8p-1074);
    p = repeated(1 + 0x1p-52, UINT64_C(1) << 38); /* the most elements that are promised */
    q = repeated(1 - 0x1p-53, UINT64_C(1) << 38);
    CHECK(product_root(&p, 1) == 0x1.00040008000abp+0);
    CHECK(product_root(&q, 1) == 0x1.fffc0003fffd5p-1);
}

/* All products of two 64-bit integers against the 128-bit product rounded by bignum_round: any bits,
 * and exact ties of the final rounding. */
static void test_integers(void) {
    uint64_t seed = 23;
    for (int i = 0; i < 4000; i++) {
        uint64_t mag[2] = {random_u64(&seed) >> i % 64 | 1, random_u64(&seed) >> i / 64 | 1};
        if (i % 4 == 0) { /* an odd product of 54 bits: a tie */
            mag[0] = 3;
            mag[1] = (UINT64_C(1) << 52) + (random_u64(&seed) >> 14) + 1;
            mag[1] |= 1;
        }
        static const uint8_t neg[] = {1, 0};
        struct product p;
        product_init(&p);
        product_add_wide(&p, mag, neg, 2);
        struct bignum exact;
        bignum_set(&exact, mag[0]);
        bignum_mul_small(&exact, mag[1]);
        CHECK(i % 4 || (bignum_bits(&exact) == 54 && (exact.limb[0] & 1)));
        CHECKF(product_root(&p, 1) == bignum_round(&exact, 0, 0), "%llu * %llu",
               (unsigned long long)mag[0], (unsigned long long)mag[1]);
        CHECK(p.signs == 1 && p.negatives == 1);
    }
}

/* Powers of two have exact logarithms, so ties of subnormal results are seen. */
static void test_powers_of_two(void) {
    for (int e = -1074; e <= 1023; e++) {
        const double v[] = {ldexp(1, e), 0x1p3, 0x1p-3};
        struct product p = product_of(v, 3);
        CHECKF(p.log2_sum[0] == 0 && p.log2_sum[1] == 0 && (int64_t)p.log2_sum[2] == e, "2^%d", e);
        CHECKF(product_root(&p, 1) == v[0], "2^%d", e);
    }
    static const double half[] = {0x1p-1000, 0x1p-75}, three_halves[] = {0x3p-1000, 0x1p-75};
    static const double five_halves[] = {0x1p-1000, 0x5p-75},
                        more[] = {0x1.0000000000001p-1000, 0x1p-75};
    CHECK(root_of(half, 2, 1) == 0);
    CHECK(root_of(three_halves, 2, 1) == 0x1p-1073);
    CHECK(root_of(five_halves, 2, 1) == 0x1p-1073);
    CHECK(root_of(more, 2, 1) == 0x1p-1074);
}

static void test_range(void) {
    static const double back[] = {1e300, 1e300, 1e300, 1e-300, 1e-300, 1e-290}; /* digits */
    static const double most[] = {DBL_MAX, 1, 2}, least[] = {0x1p-1074, 0x1p-1074, 0x1p1023, 0x1p1023};
    CHECK(root_of(back, 6, 1) == 0x1.2a05f20000001p+33);
    CHECK(root_of(most, 2, 1) == DBL_MAX && isinf(root_of(most, 3, 1)));
    CHECK(root_of(least, 1, 1) == 0x1p-1074 && root_of(least, 2, 1) == 0);
    CHECK(root_of(least, 4, 1) == 0x1p-102);
    struct product p = repeated(DBL_MAX, UINT64_MAX), q = repeated(0x1p-1074, UINT64_MAX);
    CHECK(isinf(product_root(&p, 1)) && product_root(&p, UINT64_MAX) == DBL_MAX);
    CHECK(product_root(&q, 1) == 0 && product_root(&q, UINT64_MAX) == 0x1p-1074);
    product_merge(&p, &q); /* -50 (2^64 - 1), nearly */
    CHECK(product_root(&p, UINT64_MAX) == 0x1p-50 * (1 - 0x1p-53));
}

static void test_geometric_means(void) {
    static const double two_eight[] = {2, 8}, halves[] = {0.5, 0.125}, v[] = {0.5, 2, 10};
    CHECK(root_of(two_eight, 2, 2) == 4);
    CHECK(root_of(halves, 2, 2) == 0.25);
    CHECK(root_of(v, 1, 3) == 0x1.965fea53d6e3dp-1); /* digits, of cube roots */
    CHECK(root_of(v + 1, 1, 3) == 0x1.428a2f98d728bp+0);
    CHECK(root_of(v + 2, 1, 3) == 0x1.13c484138704fp+1);
    CHECK(root_of(v + 1, 1, UINT64_MAX) == 1);
    CHECK(root_of(halves, 1, UINT64_MAX) == 1);
    static const double equal[] = {3, 0.1, 1e-310, 7e307, 1 - 0x1p-53, 1 + 0x1p-52};
    static const uint64_t counts[] = {1, 3, 1000, UINT64_C(1) << 40, UINT64_MAX};
    for (size_t i = 0; i < COUNT(equal); i++) {
        for (size_t k = 0; k < COUNT(counts); k++) {
            struct product p = repeated(equal[i], counts[k]);
            CHECKF(product_root(&p, counts[k]) == equal[i], "mean of %g times %g", (double)counts[k],
                   equal[i]);
        }
    }
}

/* log2 of single integers to 128 bits after the point, by big integers; the analysis promises 2^-111.
 */
static void test_logarithms(void) {
    static const struct {
        uint64_t mag, whole, high, low;
    } cases[] = {
        {1, 0, 0, 0},
        {3, 1, UINT64_C(0x95c01a39fbd6879f), UINT64_C(0xa00b120a068badd1)},
        {5, 2, UINT64_C(0x5269e12f346e2bf9), UINT64_C(0x24afdbfd36bf6d33)},
        {7, 2, UINT64_C(0xceaecfea80859b33), UINT64_C(0x2ac903a413e5a847)},
        {10, 3, UINT64_C(0x5269e12f346e2bf9), UINT64_C(0x24afdbfd36bf6d33)},
        {(UINT64_C(1) << 53) - 1, 52, UINT64_C(0xfffffffffffff475), UINT64_C(0x5c4d6a3e80c61989)},
        {UINT64_MAX, 63, UINT64_C(0xfffffffffffffffe), UINT64_C(0x8eab89ad47d01e88)},
        {(UINT64_C(1) << 63) + 1, 63, 2, UINT64_C(0xe2a8eca5705fc2ec)},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct product p;
        product_init(&p);
        product_add_repeated_wide(&p, cases[k].mag, 0, 1);
        unsigned __int128 got = (unsigned __int128)p.log2_sum[1] << 64 | p.log2_sum[0];
        unsigned __int128 want = (unsigned __int128)cases[k].high << 64 | cases[k].low;
        unsigned __int128 error = got > want ? got - want : want - got;
        CHECKF(p.log2_sum[2] == cases[k].whole && p.log2_sum[3] == 0 && error < 1 << 17, "log2 of %llu",
               (unsigned long long)cases[k].mag);
    }
}

/* Bits of log2(1 + 2^-k) by squaring: x^2 >= 2 says that the next bit is 1.  Squaring doubles errors,
 * so 144 squarings of 320-bit fractions leave more than 144 bits right. */
static void log2_by_squaring(int k, struct bignum *log) {
    enum { FRACTION = 320, BITS = 144 };
    struct bignum x, square, tail;
    bignum_set(&x, 1);
    bignum_shift_left(&x, FRACTION);
    bignum_set(&tail, 1);
    bignum_shift_left(&tail, FRACTION - k);
    bignum_add(&x, &tail);
    bignum_set(log, 0);
    bignum_set(&tail, 1);
    for (int i = 0; i < BITS; i++) {
        bignum_mul(&square, &x, &x);
        bignum_shift_right(&square, FRACTION);
        bignum_shift_left(log, 1);
        if (bignum_bits(&square) > FRACTION + 1) {
            bignum_add(log, &tail);
            bignum_shift_right(&square, 1);
        }
        x = square;
    }
    bignum_set(&tail, 1); /* to nearest, and 128 bits */
    bignum_shift_left(&tail, BITS - 128 - 1);
    bignum_add(log, &tail);
    bignum_shift_right(log, BITS - 128);
}

static void test_table(void) {
    for (int k = 1; k <= PRODUCT_STEPS; k++) {
        struct bignum log;
        log2_by_squaring(k, &log);
        CHECKF(log.limb[1] == product_log2[k][0] && log.limb[0] == product_log2[k][1],
               "log2(1 + 2^-%d)", k);
    }
    /* ln 2 (1 / ln 2) = 1, to a unit or two */
    struct bignum ln2, log2e, product, most;
    bignum_set(&ln2, product_ln2[0]);
    bignum_shift_left(&ln2, 64);
    bignum_set(&product, product_ln2[1]);
    bignum_add(&ln2, &product);
    bignum_set(&log2e, 1);
    for (int i = 0; i < 2; i++) {
        bignum_shift_left(&log2e, 64);
        bignum_set(&product, product_log2e[i]);
        bignum_add(&log2e, &product);
    }
    bignum_mul(&product, &ln2, &log2e);
    bignum_set(&most, 2);
    bignum_shift_left(&most, 128);
    bignum_add(&product, &most);
    bignum_shift_right(&product, 130);
    CHECK(product.n == 2 && product.limb[1] == UINT64_C(1) << 62 && product.limb[0] == 0);
}

static void test_counting(void) {
    static const double v[] = {0.0, -0.0, -3, NAN, -NAN, INFINITY, -INFINITY};
    struct product p, q;
    product_init(&p);
    product_init(&q);
    product_add_f64(&p, v, COUNT(v));
    CHECK(p.zeros == 2 && p.signs == 3 && p.negatives == 2 && product_root(&p, 1) == 3);
    for (size_t i = 0; i < COUNT(v); i++)
        product_add_repeated_f64(&q, v[i], 1);
    CHECK(same(&p, &q));

    static const uint64_t mag[] = {0, 6, UINT64_MAX};
    static const uint8_t neg[] = {1, 1, 1};
    product_init(&p);
    product_init(&q);
    product_add_wide(&p, mag, neg, 3);
    CHECK(p.zeros == 1 && p.signs == 2 && p.negatives == 2 && product_root(&p, 1) == 0x6p64);
    for (size_t i = 0; i < 3; i++)
        product_add_repeated_wide(&q, mag[i], neg[i], 1);
    CHECK(same(&p, &q));
}

/* Any split, any order, one multiplication or many additions: the same bytes. */
static void test_split_and_merged(void) {
    enum { N = 3000 };
    static double v[N];
    uint64_t seed = 99;
    for (int i = 0; i < N; i++) /* any bits, and some zeros of both signs */
        v[i] = i % 50 ? from_bits(random_u64(&seed)) : i % 100 ? -0.0 : 0.0;
    struct product whole = product_of(v, N);
    for (int round = 0; round < 20; round++) {
        struct product part[2];
        product_init(&part[0]);
        product_init(&part[1]);
        shuffle(v, N, &seed);
        for (size_t at = 0, n; at < N; at += n) {
            unsigned char bytes[PRODUCT_STORED];
            n = 1 + random_u64(&seed) % 400;
            if (n > N - at) n = N - at;
            struct product piece = product_of(v + at, n), loaded;
            product_store(&piece, bytes);
            CHECK(product_load(&loaded, bytes, sizeof bytes) == sizeof bytes);
            product_merge(&part[random_u64(&seed) % 2], &loaded);
        }
        product_merge(&part[0], &part[1]);
        CHECKF(same(&whole, &part[0]), "round %d", round);
    }
    for (int i = 0; i < 50; i++) {
        struct product once = repeated(v[i], 77), each;
        product_init(&each);
        for (int k = 0; k < 77; k++)
            product_add_f64(&each, &v[i], 1);
        CHECKF(same(&once, &each), "77 times %a", v[i]);
    }
}

static void test_stored_bytes(void) {
    static const double v[] = {-0x1p-258, -0.0, 0.0}; /* the sum is -258 = ...fefe */
    static const unsigned char want[PRODUCT_STORED] = {
        [16] = 0xfe, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff,        0xff, 0xff, 0xff, 0xff, 2,    0,    0,    0,    0,    0,
        0,           0,    2,    0,    0,    0,    0,    0,    0,    0,    1};
    unsigned char bytes[PRODUCT_STORED];
    struct product p = product_of(v, 3), back;
    CHECK(product_store(&p, bytes) == PRODUCT_STORED && memcmp(bytes, want, sizeof want) == 0);
    CHECK(product_load(&back, bytes, PRODUCT_STORED) == PRODUCT_STORED && same(&p, &back));
    CHECK(product_load(&back, bytes, PRODUCT_STORED - 1) == 0);
    static const struct {
        const char *what;
        struct product state;
    } rubbish[] = {
        {"more negatives than signs", {{0}, UINT64_MAX, 2, 3}},
        {"more negative zeros than zeros", {{0}, 1, 4, 2}},
        {"a sum of 2^75", {{0, 0, 0, 1 << 11}, 0, 0, 0}},
        {"a sum below -2^75", {{0, 0, UINT64_MAX, UINT64_MAX - (1 << 11)}, 0, 0, 0}},
    };
    for (size_t k = 0; k < COUNT(rubbish); k++) {
        product_store(&rubbish[k].state, bytes);
        CHECKF(product_load(&back, bytes, sizeof bytes) == 0 && same(&p, &back), "%s", rubbish[k].what);
    }
    /* the least that there is: 2^64 - 1 times the smallest subnormal */
    p = repeated(0x1p-1074, UINT64_MAX);
    product_store(&p, bytes);
    CHECK(product_load(&back, bytes, sizeof bytes) == sizeof bytes && same(&p, &back));
}

static const struct test tests[] = {
    {"product_small", test_small},
    {"product_digits", test_digits},
    {"product_integers", test_integers},
    {"product_powers_of_two", test_powers_of_two},
    {"product_range", test_range},
    {"product_geometric_means", test_geometric_means},
    {"product_logarithms", test_logarithms},
    {"product_table", test_table},
    {"product_counting", test_counting},
    {"product_split_and_merged", test_split_and_merged},
    {"product_stored_bytes", test_stored_bytes},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
