/* Kernels of sums: none calls a sum exact that is not, and usual data are taken by the fast ways. */
#include <float.h>

#include "block_help.h"
#include "block_integers.h"

/* Random blocks of every spread of exponents: what is accepted is exact. */
static void test_random_spreads(void) {
    static double v[1024];
    for (int round = 0; round < 1500; round++) {
        size_t n = 1 + random_u64(&seed) % 1024;
        for (size_t i = 0; i < n; i++)
            v[i] = spread_value(round % 61);
        if (round % 97 == 0) v[random_u64(&seed) % n] = round & 1 ? NAN : INFINITY;
        on_all(v, n, "random spread");
    }
}

/* Everything fits but one term, in each place: the first and the last of a block, of a step, of what is
 * left, and what only the addition of lanes to each other cannot hold. */
static void test_one_term_too_many(void) {
    enum { N = 300 };
    static double v[N];
    for (size_t n = 1; n <= N; n += n < 140 ? 1 : 23)
        for (int place = 0; place < 4; place++) {
            for (size_t i = 0; i < n; i++)
                v[i] = 1;
            size_t at = place == 0 ? 0 : place == 1 ? n - 1 : random_u64(&seed) % n;
            v[at] = place == 3 ? 0x1p53 + 2 : 0x1p-60;
            on_all(v, n, "one term too many");
            v[at] = 0x1p-126;
            on_all(v, n, "one term too small");
            v[random_u64(&seed) % n] = 0x1p30;
            on_all(v, n, "two terms");
        }
}

/* Halfway between two neighbours, where rounding to even hides an error that is cancelled later. */
static void test_halfway_cases(void) {
    enum { N = 512 };
    static double v[N];
    for (int e = -1022; e <= 1000; e += 61)
        for (int k = 0; k < 8; k++) {
            for (size_t i = 0; i < N; i++)
                v[i] = (i / 8 + (size_t)k) % 2 ? ldexp(1, e) : -ldexp(0x1p53 + 2 * uniform(9), e);
            on_all(v, N - (size_t)k, "halfway");
            for (size_t i = 0; i < N; i++)
                v[i] = ldexp(0x1p51 - 1, e > 960 ? 960 : e);
            on_all(v, N - (size_t)k, "2^51 u - u");
            for (size_t i = 0; i < N; i++)
                v[i] = i % 2 ? ldexp(1 + uniform(100), -1074) : -ldexp(1, -1074 + k * 7);
            on_all(v, N - (size_t)k, "subnormals");
        }
}

static void test_all_exponents(void) {
    enum { N = 200 };
    static double v[N];
    for (int round = 0; round < 2000; round++) {
        int middle = (int)uniform(2046), width = 1 + (int)uniform(90);
        for (size_t i = 0; i < N; i++) {
            int e = middle - width / 2 + (int)uniform(width);
            uint64_t bits = random_u64(&seed) & ~(UINT64_C(2047) << 52);
            v[i] = from_bits(bits | (uint64_t)(e < 0 ? 0 : e > 2046 ? 2046 : e) << 52);
            if (round % 3 == 0) v[i] = from_bits(bits >> 60 << 60 | (uint64_t)(e & 1023) << 52);
        }
        on_all(v, N, "all exponents");
    }
}

/* Usual data are taken by the fast ways, whatever flags were raised before. */
static void test_usual_data_are_accepted(void) {
    enum { N = 1000 };
    static double ints[N], normal[N];
    for (size_t i = 0; i < N; i++) {
        ints[i] = uniform(1000) - 500;
        normal[i] = ldexp(uniform(1 << 24) - (1 << 23), -(int)uniform(9) - 20);
    }
    for (size_t k = 0; k < COUNT(names); k++) {
        const struct kernels *kernels = kernels_of(k);
        if (kernels == NULL) continue;
        volatile double third = 3;
        third = 1 / third; /* raises the flag */
        CHECKF(check_kernels(kernels, NATIVE_F32, ints, N, "integers") == 3, "%s: f32", names[k]);
        CHECKF(check_kernels(kernels, NATIVE_F64, ints, N, "integers") == 3, "%s: f64", names[k]);
        CHECKF(check_kernels(kernels, NATIVE_F32, normal, N, "24 bits") == 3, "%s: f32", names[k]);
        CHECKF(check_kernels(kernels, NATIVE_F64, normal, N, "24 bits") == 3, "%s: f64", names[k]);
    }
}

/* Two windows by additions alone: 1000 values in two lanes are 2^9 terms or less of each, so that upper
 * parts have the unit 2^-44 and lower ones go down to 2^-89 of values below 1. */
static void test_windows_to_the_last_bit(void) {
    enum { N = 1000 };
    static double v[N];
    double sums[2 * MAX_LANES];
    const struct kernels *kernels;
    for (int bits = 43; bits <= 46; bits++) {
        for (size_t i = 0; i < N; i++)
            v[i] = 1 - ldexp(1 + 2 * uniform(99), -bits);
        v[0] = 1 - 0x1p-40; /* an odd number of odd ones in one lane */
        on_all(v, N, "odd multiples of a unit");
    }
    CHECK(kernels_find("noflags", &kernels, NULL) == 0);
    for (size_t i = 0; i < N; i++)
        v[i] = 0.5;
    for (int e = -92; e <= -86; e++) {
        struct window_hint hint = {0};
        v[77] = ldexp(1, e);
        int took = kernels->sums->windows[NATIVE_F64]((unsigned char *)v, N, 0, 0, &hint, sums);
        CHECKF(took == (e >= -89), "2^%d: %d", e, took);
        on_all(v, N, "as small as can be");
    }
}

/* Bins of kernels take what exact.c adds before it empties them. */
static void test_headroom_of_bins(void) {
    enum { N = 1 << 14 };
    static unsigned char single[4 * N], twice[8 * N];
    for (size_t i = 0; i < N; i++) {
        put_f64(single + 4 * i, DTYPE_F32, 0, -(double)FLT_MAX);
        put_f64(twice + 8 * i, DTYPE_F64, 0, -0x1.fffffffffffffp-31); /* shifted by all 31 */
    }
    for (size_t k = 0; k < COUNT(names); k++) {
        const struct kernels *kernels = kernels_of(k);
        if (kernels == NULL) continue;
        for (int kind = EXACT_SUM; kind <= EXACT_SQUARES; kind++)
            for (int type = DTYPE_F32; type <= DTYPE_F64; type++) {
                struct exact *got = accumulator(kind), *want = accumulator(kind);
                /* of f64, a copy of the bins gets a quarter */
                int times = type == DTYPE_F64 && kind == EXACT_SUM ? 600 : 200;
                double v = type == DTYPE_F32 ? -(double)FLT_MAX : -0x1.fffffffffffffp-31;
                for (int i = 0; i < times; i++)
                    exact_add_native(got, kernels->integers, (enum dtype)type,
                                     type == DTYPE_F32 ? single : twice, 0, N);
                exact_add_repeated_f64(want, v, (uint64_t)(N * times));
                CHECKF(same_bytes(got, want), "%s: kind %d of %s", names[k], kind,
                       dtype_table[type].name);
                exact_free(got);
                exact_free(want);
            }
    }
}

static void test_flags_work(void) {
    CHECK(block_sums_flags_work());
}

/* Sums of partial sums, some of which vanish when they are scaled by what the largest needs. */
static void test_partial_sums(void) {
    static const double sums[][3] = {
        {0x1p1000, 0x1p-1074, -0x1p1000}, {1, 0x1p-60, 3}, {-0.0, 0, -0.0},
        {DBL_MAX, -DBL_MAX, 0x1p-1074},   {7, -9, 2},      {0x1p-1074, 0, 0}};
    for (size_t k = 0; k < COUNT(sums); k++) {
        struct exact *want = accumulated(EXACT_SUM, sums[k], 3), *got = accumulator(EXACT_SUM);
        exact_add_sums(got, sums[k], 3);
        CHECKF(same_bytes(got, want), "case %zu", k);
        exact_free(got);
        exact_free(want);
    }
}

static const struct test tests[] = {
    {"block_sums_random_spreads", test_random_spreads},
    {"block_sums_one_term_too_many", test_one_term_too_many},
    {"block_sums_halfway_cases", test_halfway_cases},
    {"block_sums_all_exponents", test_all_exponents},
    {"block_sums_usual_data_are_accepted", test_usual_data_are_accepted},
    {"block_sums_headroom_of_bins", test_headroom_of_bins},
    {"block_sums_partial_sums", test_partial_sums},
    {"block_sums_windows_to_the_last_bit", test_windows_to_the_last_bit},
    {"block_sums_flags_work", test_flags_work},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
