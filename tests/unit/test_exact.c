/* exact.c: what is added is in the accumulator, all of it, for every exponent, sign, count and
 * integer, with headroom to spare.  Expected values follow from integer reasoning.  Merging and stored
 * bytes: test_exact_merge.c; ratios and roots: test_exact_ratio.c. */
#include "exact.h"

#include <float.h>
#include <math.h>

#include "check.h"
#include "exact_help.h"

static void test_cancellation(void) {
    static const double cancelling[] = {1e16, 1, -1e16, 1};
    static const double small[] = {0x1p53, 1, 1, 0};
    struct exact *x = accumulator(EXACT_SUM);
    for (int i = 0; i < 1000; i++)
        exact_add_f64(x, cancelling, COUNT(cancelling));
    CHECK(rounded(x, EXACT_SUM) == 2000);
    exact_free(x);
    CHECK(sum_of(small, COUNT(small)) == 0x1p53 + 2);
}

/* A rounded linspace(-100, 100): all values are multiples of 2^-47, since the addition of -100 is
 * either exact or ends above 50; so integers hold their true sum, which is not 0. */
static void test_shuffled_linspace(void) {
    enum { N = 10007 };
    static double v[N];
    __int128 sum = 0;
    uint64_t seed = 1;
    for (int i = 0; i < N; i++) {
        v[i] = -100 + i * (200.0 / (N - 1));
        double scaled = ldexp(v[i], 47);
        CHECKF(scaled == rint(scaled), "%a is a multiple of 2^-47", v[i]);
        sum += (int64_t)scaled;
    }
    CHECK(sum != 0);
    unsigned __int128 mag = sum < 0 ? -(unsigned __int128)sum : (unsigned __int128)sum;
    const uint64_t words[] = {(uint64_t)(mag >> 64), (uint64_t)mag};
    for (int round = 0; round < 3; round++) {
        shuffle(v, N, &seed);
        struct exact *x = accumulated(EXACT_SUM, v, N);
        CHECK(value_is(x, sum < 0, 2, words, 1074 - 47));
        exact_free(x);
    }
}

/* n times DBL_MAX: the bins of every significand bit set. */
static void test_headroom_of_bins(void) {
    enum { BLOCK = 4096, BLOCKS = 2048 };
    static double v[BLOCK];
    const uint64_t significand = (UINT64_C(1) << 53) - 1;
    for (int i = 0; i < BLOCK; i++)
        v[i] = -DBL_MAX;
    struct exact *sum = accumulator(EXACT_SUM), *squares = accumulator(EXACT_SQUARES);
    for (int i = 0; i < BLOCKS; i++) {
        exact_add_f64(sum, v, BLOCK);
        exact_add_f64(squares, v, BLOCK);
    }
    CHECK(value_is(sum, 1, 1, &significand, 2045 + 23));
    /* (2^53 - 1)^2 = 2^106 - 2^54 + 1 */
    const uint64_t square[] = {(UINT64_C(1) << 42) - 1, -(UINT64_C(1) << 54) + 1};
    CHECK(value_is(squares, 0, 2, square, 2 * 2045 + 23));
    exact_free(sum);
    exact_free(squares);
}

/* One call of more terms than the squares' bins take, against many small ones: a call goes on where it
 * stood. */
static void test_long_calls(void) {
    enum { N = (1 << 21) + 4711, PART = 999 };
    static double v[N];
    uint64_t seed = 31;
    for (int i = 0; i < N; i++)
        v[i] = from_bits(random_u64(&seed));
    for (int kind = EXACT_SUM; kind <= EXACT_SQUARES; kind++) {
        struct exact *once = accumulator(kind), *parts = accumulator(kind);
        exact_add_f64(once, v, N);
        exact_add_f64(once, NULL, 0);
        for (size_t at = 0; at < N; at += PART) {
            size_t n = N - at < PART ? N - at : PART;
            struct exact *part = accumulated(kind, v + at, n);
            exact_merge(parts, part);
            exact_free(part);
        }
        CHECK(same_bytes(once, parts));
        exact_free(once);
        exact_free(parts);
    }
}

/* 2^33 times 0x7f7fffff, the largest f32, (2^24 - 1) 2^104: in one step, in 2^20, and in the bins. */
static void test_headroom_of_largest_f32(void) {
    const double largest = FLT_MAX;
    const uint64_t significand = (1 << 24) - 1;
    struct exact *x = accumulator(EXACT_SUM);
    exact_add_repeated_f64(x, largest, UINT64_C(1) << 33);
    CHECK(value_is(x, 0, 1, &significand, 1074 + 104 + 33));
    exact_reset(x);
    for (int i = 0; i < 1 << 20; i++)
        exact_add_repeated_f64(x, -largest, 1 << 13);
    CHECK(value_is(x, 1, 1, &significand, 1074 + 104 + 33));
    exact_reset(x);
    static double block[1024];
    for (int i = 0; i < 1024; i++)
        block[i] = largest;
    for (int i = 0; i < 1 << 13; i++)
        exact_add_f64(x, block, 1024);
    CHECK(value_is(x, 0, 1, &significand, 1074 + 104 + 23));
    exact_free(x);
}

/* Blocks of 2^51 u - u, the largest value of a window of 51 bits, at every position u. */
static void test_largest_of_a_window(void) {
    static double block[1024];
    const double largest = 0x1p51 - 1;
    struct exact *x = accumulator(EXACT_SUM);
    for (int u = -1074; u <= 962; u += 3) {
        for (int i = 0; i < 1024; i++)
            block[i] = ldexp(largest, u);
        exact_reset(x);
        exact_add_f64(x, block, 1024);
        CHECKF(rounded(x, EXACT_SUM) == ldexp(largest, u + 10), "u = 2^%d", u);
    }
    exact_free(x);
}

/* Every power of two, every largest significand, the negative of each, and a subnormal that is left. */
static void test_whole_range_cancels(void) {
    enum { N = 4 * 2046 };
    static double v[N + 1];
    uint64_t seed = 7;
    for (int round = 0; round < 4; round++) {
        for (uint64_t e = 1; e <= 2046; e++) {
            double *four = v + 4 * (e - 1);
            four[0] = from_bits(e << 52);
            four[1] = from_bits((e << 52) + (UINT64_C(1) << 52) - 1);
            four[2] = -four[0];
            four[3] = -four[1];
        }
        const double left = from_bits(random_u64(&seed) >> 12);
        v[N] = left;
        shuffle(v, N + 1, &seed);
        CHECKF(same_bits(sum_of(v, N + 1), left), "%a is left", left);
    }
}

static void test_single_values(void) {
    uint64_t seed = 11;
    struct exact *sum = accumulator(EXACT_SUM), *squares = accumulator(EXACT_SQUARES);
    for (int i = 0; i < 20000; i++) {
        double v = from_bits(random_u64(&seed));
        if (!isfinite(v)) continue;
        exact_add_f64(sum, &v, 1);
        exact_add_f64(squares, &v, 1);
        CHECKF(rounded(sum, EXACT_SUM) == v, "%a", v);
        struct bignum mag;
        int neg;
        exact_value(squares, &mag, &neg);
        CHECKF(exact_ratio(&mag, -2148, 1, 1, 1, 1) == fabs(v), "sqrt(%a^2)", v);
        v = -v; /* back to 0 */
        exact_add_f64(sum, &v, 1);
        exact_reset(squares);
        if (i % 100 == 0) CHECKF(value_is(sum, 0, 0, NULL, 0), "%a - %a", v, v);
    }
    exact_free(sum);
    exact_free(squares);
}

static void test_zeros(void) {
    static const double negative[] = {-0.0, -0.0}, both[] = {-0.0, 0.0}, ones[] = {1, -1};
    CHECK(same_bits(sum_of(negative, 2), 0.0));
    CHECK(same_bits(sum_of(both, 2), 0.0));
    CHECK(same_bits(sum_of(ones, 2), 0.0));
    CHECK(same_bits(sum_of(NULL, 0), 0.0));
    CHECK(same_bits(squares_of(negative, 2, 1, 1), 0.0));
}

static void test_not_finite(void) {
    enum { N = 300 };
    double v[N], kept[N];
    uint64_t seed = 3;
    size_t nkept = 0;
    for (int i = 0; i < N; i++) {
        v[i] = from_bits(random_u64(&seed));
        if (i % 5 == 0) v[i] = i % 2 ? NAN : i % 3 ? INFINITY : -INFINITY;
        if (isfinite(v[i])) kept[nkept++] = v[i];
    }
    for (int kind = EXACT_SUM; kind <= EXACT_SQUARES; kind++) {
        struct exact *want = accumulated(kind, kept, nkept), *x = accumulator(kind);
        exact_add_f64(x, v, N);
        CHECK(same_bytes(x, want));
        exact_add_repeated_f64(x, NAN, 5);
        exact_add_repeated_f64(x, -INFINITY, 5);
        exact_add_repeated_f64(x, 3.5, 0);
        CHECK(same_bytes(x, want));
        exact_free(x);
        exact_free(want);
    }
}

/* 2^40 equal values add up to 2^40 times one, which for a power of two is exact. */
static void test_constant_extents(void) {
    const uint64_t count = UINT64_C(1) << 40, three = 3;
    static const double values[] = {0.1, -2.5, 0x1p-1074, 0x1.fffffffffffffp-1022, 1e-300, -1e290};
    struct exact *x = accumulator(EXACT_SUM), *squares = accumulator(EXACT_SQUARES);
    for (size_t i = 0; i < COUNT(values); i++) {
        exact_reset(x);
        exact_add_repeated_f64(x, values[i], count);
        CHECKF(rounded(x, EXACT_SUM) == ldexp(values[i], 40), "2^40 times %a", values[i]);
        exact_reset(squares);
        exact_add_repeated_f64(squares, values[i], count);
        struct bignum mag;
        int neg;
        exact_value(squares, &mag, &neg);
        CHECKF(exact_ratio(&mag, -2148 - 40, 1, 1, 1, 1) == fabs(values[i]), "rms of %a", values[i]);
    }
    exact_reset(x);
    exact_add_repeated_wide(x, 3, 1, count);
    CHECK(value_is(x, 1, 1, &three, 1074 + 40));
    exact_free(x);
    exact_free(squares);
}

/* The product of the largest count and the largest value; and one at a time comes to the same. */
static void test_repeated(void) {
    const uint64_t most = UINT64_MAX;
    /* (2^64 - 1)^2 = 2^128 - 2^65 + 1; times (2^64 - 1): 2^192 - 3 2^128 + 3 2^64 - 1 */
    const uint64_t square[] = {most - 1, 1}, cube[] = {most - 2, 2, most};
    struct exact *sum = accumulator(EXACT_SUM), *squares = accumulator(EXACT_SQUARES);
    exact_add_repeated_wide(sum, most, 1, most);
    CHECK(value_is(sum, 1, 2, square, 1074));
    exact_add_repeated_wide(squares, most, 1, most);
    CHECK(value_is(squares, 0, 3, cube, 2148));
    exact_reset(sum);
    exact_add_repeated_f64(sum, DBL_MAX, most);
    exact_add_repeated_f64(sum, DBL_MAX, 1);
    const uint64_t significand = (UINT64_C(1) << 53) - 1;
    CHECK(value_is(sum, 0, 1, &significand, 2045 + 64));
    for (int kind = EXACT_SUM; kind <= EXACT_SQUARES; kind++) {
        uint64_t seed = 5;
        for (int i = 0; i < 40; i++) {
            double v = from_bits(random_u64(&seed));
            uint64_t mag = random_u64(&seed) >> i;
            const uint8_t neg = (uint8_t)(i % 2);
            struct exact *once = accumulator(kind), *each = accumulator(kind);
            exact_add_repeated_f64(once, v, 100);
            exact_add_repeated_wide(once, mag, neg, 100);
            for (int k = 0; k < 100; k++) {
                exact_add_f64(each, &v, 1);
                exact_add_wide(each, &mag, &neg, 1);
            }
            CHECKF(same_bytes(once, each), "100 times %a", v);
            exact_free(once);
            exact_free(each);
        }
    }
    exact_free(sum);
    exact_free(squares);
}

static double wide_sum(const uint64_t *mag, const uint8_t *neg, size_t n) {
    struct exact *x = accumulator(EXACT_SUM);
    exact_add_wide(x, mag, neg, n);
    double sum = rounded(x, EXACT_SUM);
    exact_free(x);
    return sum;
}

static void test_integers_do_not_wrap(void) {
    static const double ints[] = {INT32_MAX, INT32_MAX, INT32_MAX};
    static double bytes[300];
    CHECK(sum_of(ints, 3) == 6442450941.0);
    for (int i = 0; i < 300; i++)
        bytes[i] = 255;
    CHECK(sum_of(bytes, 300) == 76500);
    CHECK(squares_of(bytes, 300, 1, 0) == 255 * 76500.0);

    static const uint64_t mag[] = {UINT64_C(1) << 63, UINT64_C(1) << 63, UINT64_C(1) << 63, 1};
    static const uint8_t neg[] = {1, 1, 1, 0}, pos[4] = {0};
    struct exact *x = accumulator(EXACT_SUM), *squares = accumulator(EXACT_SQUARES);
    exact_add_wide(x, mag, neg, 4); /* 3 INT64_MIN + 1 */
    const uint64_t three_halves[] = {1, (UINT64_C(1) << 63) - 1};
    CHECK(value_is(x, 1, 2, three_halves, 1074));
    exact_add_wide(x, mag, pos, 3);
    const uint64_t one = 1;
    CHECK(value_is(x, 0, 1, &one, 1074));
    CHECK(wide_sum(mag, pos, 2) == 0x1p64);

    exact_add_wide(squares, mag, neg, 4); /* 3 2^126 + 1 */
    const uint64_t square[] = {UINT64_C(3) << 62, 1};
    CHECK(value_is(squares, 0, 2, square, 2148));
    static uint64_t most[1000];
    memset(most, 0xff, sizeof most);
    static const uint8_t signs[1000] = {1, 0, 1};
    exact_reset(squares);
    exact_add_wide(squares, most, signs, 1000);
    struct exact *repeated = accumulator(EXACT_SQUARES);
    exact_add_repeated_wide(repeated, UINT64_MAX, 1, 1000);
    CHECK(same_bytes(squares, repeated));
    exact_free(x);
    exact_free(squares);
    exact_free(repeated);
}

static void test_integers_above_2_53(void) {
    const uint64_t odd = (UINT64_C(1) << 53) + 1, mag[] = {odd, odd, odd};
    static const uint8_t neg[] = {0, 1, 0};
    struct exact *x = accumulator(EXACT_SUM);
    exact_add_wide(x, mag, neg, 3);
    CHECK(value_is(x, 0, 1, &odd, 1074));
    /* (2^53 + 1)^2 = 2^106 + 2^54 + 1 */
    struct exact *squares = accumulator(EXACT_SQUARES);
    exact_add_wide(squares, mag, neg, 1);
    const uint64_t square[] = {UINT64_C(1) << 42, (UINT64_C(1) << 54) + 1};
    CHECK(value_is(squares, 0, 2, square, 2148));
    /* integers and binary64 meet in one accumulator */
    const double minus = -0x1p53;
    exact_add_f64(x, &minus, 1);
    CHECK(rounded(x, EXACT_SUM) == 1);
    exact_free(x);
    exact_free(squares);
}

static const struct test tests[] = {
    {"fault_03_cancellation", test_cancellation},
    {"fault_03_shuffled_linspace", test_shuffled_linspace},
    {"fault_08_integers_do_not_wrap", test_integers_do_not_wrap},
    {"fault_08_integers_above_2_53", test_integers_above_2_53},
    {"exact_headroom_of_bins", test_headroom_of_bins},
    {"exact_long_calls", test_long_calls},
    {"exact_headroom_of_largest_f32", test_headroom_of_largest_f32},
    {"exact_largest_of_a_window", test_largest_of_a_window},
    {"exact_whole_range_cancels", test_whole_range_cancels},
    {"exact_single_values", test_single_values},
    {"exact_zeros", test_zeros},
    {"exact_not_finite", test_not_finite},
    {"exact_constant_extents", test_constant_extents},
    {"exact_repeated", test_repeated},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
