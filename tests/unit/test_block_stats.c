/* Kernels of statistics: what windows take and leave is exact to the last term that fits, and wide data
 * are still taken. */
#include "block_help.h"

enum { N = 4096 };

static double random_significand(enum native_float type) {
    uint64_t low = random_u64(&seed) >> (type == NATIVE_F32 ? 41 : 12);
    return 1 + ldexp((double)(low | 1), type == NATIVE_F32 ? -23 : -52);
}

/* What windows down to the unit leave of v. */
static double left_of(double v, double unit) {
    return v - nearbyint(v / unit) * unit;
}

/* A value of [2^e, 2^(e + 1)) of which, or of whose rounded square, windows leave nearly half a unit:
 * the most that there can be, always of one sign. */
static double leaning(enum native_float type, int squares, int e, double unit) {
    double d = 0;
    for (int tries = 0; tries < 100; tries++) {
        d = ldexp(random_significand(type), e);
        if (left_of(squares ? d * d : d, unit) > 0.42 * unit) break;
    }
    return d;
}

/* Windows that reach down from the largest value, 1 - 2^-24, and lower parts that all lean to one side:
 * there are exponents of the other values from which on these no longer fit. */
static void test_lower_parts_add_up(void) {
    static double v[N];
    for (int squares = 0; squares <= 1; squares++)
        for (int nwindows = 1; nwindows <= 2; nwindows++)
            for (int e = 8; e < 54; e++) {
                enum native_float type = e % 2 ? NATIVE_F32 : NATIVE_F64;
                double unit = ldexp(1, nwindows == 1 ? -51 : -103);
                for (size_t i = 0; i < N; i++)
                    v[i] = leaning(type, squares, -e, unit);
                v[random_u64(&seed) % N] = 1 - 0x1p-24;
                on_all(v, N, "lower parts");
            }
}

/* Sums of lower parts that need 53 bits, and 54: 2^52 of 2^53 units less one. */
static void test_last_bit_of_lower_parts(void) {
    static double v[N];
    for (int nwindows = 0; nwindows <= 2; nwindows++)
        for (int bits = 36; bits < 48; bits++) {
            int half = nwindows * -52; /* half a unit of the last window */
            for (size_t i = 0; i < N; i++)
                v[i] = ldexp(1, half) - ldexp(1, half - bits);
            v[random_u64(&seed) % N] = 1 - 0x1p-24;
            on_all(v, N, "the last bit");
        }
}

/* The most that integers take: all terms as large as they can be. */
static void test_full_windows(void) {
    static double v[N];
    for (int e = -400; e <= 460; e += 43)
        for (int sign = 0; sign < 2; sign++) {
            for (size_t i = 0; i < N; i++)
                v[i] = ldexp(sign ? -(1 - 0x1p-53) : 1 - 0x1p-24, e);
            on_all(v, N, "full windows");
            v[random_u64(&seed) % N] = ldexp(1, e - 1 - (int)uniform(40));
            on_all(v, N, "full windows but one");
        }
}

/* Halfway between multiples of a window's unit, and next to that. */
static void test_ties_of_windows(void) {
    static double v[N];
    for (int nwindows = 1; nwindows <= 2; nwindows++)
        for (int root = 0; root < 2; root++) {
            for (size_t i = 0; i < N; i++) {
                double tie = ldexp(1 + 2 * uniform(1 << 10), nwindows * -52);
                v[i] = root ? sqrt(tie) : tie * (1 + (uniform(3) - 1) * 0x1p-52);
                if (random_u64(&seed) % 2) v[i] = -v[i];
            }
            v[random_u64(&seed) % N] = 1 - 0x1p-24;
            for (size_t n = N; n > 0; n /= 3)
                on_all(v, n, "ties");
        }
}

/* Errors of squares and products near the ends of their range. */
static void test_ends_of_the_range(void) {
    static double v[N];
    for (int e = 425; e < 436; e++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int middle = sign * (sign > 0 ? e + 48 : e);
            for (size_t i = 0; i < N; i++)
                v[i] = ldexp(random_significand(NATIVE_F64), middle + (int)uniform(12));
            on_all(v, N, "the ends of the range");
        }
}

/* Powers of two, whose sums fit since their significands end in zeros, beside what has none, in one
 * vector of each four only. */
static void test_zeros_at_the_end(void) {
    static double v[N];
    for (size_t lanes = 2; lanes <= MAX_LANES; lanes *= 2)
        for (size_t odd = 0; odd <= 4; odd++) {
            for (size_t i = 0; i < N; i++)
                v[i] = i / lanes % 4 == odd ? random_significand(NATIVE_F64) : ldexp(1, (int)(i % 61));
            on_all(v, N, "zeros at the end");
        }
}

static void test_nothing_but(void) {
    static const double values[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 1, 0x1p-149, 0x1p-1074};
    static double v[N];
    for (size_t k = 0; k < COUNT(values); k++)
        for (size_t n = 0; n <= 70; n++) {
            for (size_t i = 0; i < n; i++)
                v[i] = values[k];
            on_all(v, n, "equal values");
        }
}

/* So wide that plain sums fail, and one window for squares; and wider than any. */
static void test_wide_data_are_accepted(void) {
    static const struct {
        enum native_float type;
        int spread, accepted;
    } cases[] = {{NATIVE_F32, 12, 1}, {NATIVE_F32, 22, 1}, {NATIVE_F32, 44, 1}, {NATIVE_F32, 60, 0},
                 {NATIVE_F64, 12, 1}, {NATIVE_F64, 18, 1}, {NATIVE_F64, 42, 1}, {NATIVE_F64, 60, 0}};
    static double v[N];
    for (size_t c = 0; c < COUNT(cases); c++)
        for (size_t k = 0; k < COUNT(names); k++) {
            static unsigned char bytes[8 * N];
            struct block_stats st;
            enum native_float type = cases[c].type;
            if (kernels_of(k) == NULL) continue;
            for (size_t i = 0; i < N; i++) {
                v[i] = ldexp(random_significand(type), -(int)(i % (size_t)(cases[c].spread + 1)));
                put_f64(bytes + i * (type == NATIVE_F32 ? 4 : 8),
                        type == NATIVE_F32 ? DTYPE_F32 : DTYPE_F64, 0, v[i]);
            }
            kernels_of(k)->stats->stats[type](bytes, N, 0, 0, &st);
            CHECKF(st.exact == cases[c].accepted, "%s: case %zu", names[k], c);
            CHECKF(!st.exact || st.plain == (c == 0), "%s: case %zu", names[k], c);
            check_kernels(kernels_of(k), type, v, N, "wide data");
        }
}

/* ---- one trip -------------------------------------------------------------------------------- */

/* Whether one trip takes N elements, if the instruction set has such trips (else: as wanted). */
static int trip_takes(const struct kernels *kernels, int drop_nan, double largest, const double *v,
                      int wanted, const char *what) {
    static unsigned char bytes[4 * N];
    if (kernels == NULL || kernels->stats->one_trip == NULL) return wanted;
    for (size_t i = 0; i < N; i++)
        put_f64(bytes + i * 4, DTYPE_F32, 0, v[i]);
    return check_trip(kernels, bytes, 0, drop_nan, largest, v, N, what);
}

/* 511 and 2^-44 are 53 bits, 511 and 2^-45 are 54: in the lane with the small value. */
static void test_last_bit_of_values_in_one_trip(void) {
    static double v[N];
    for (int e = 30; e < 60; e++)
        for (size_t k = 0; k < COUNT(names); k++) {
            for (size_t i = 0; i < N; i++)
                v[i] = 1;
            v[random_u64(&seed) % N] = ldexp(e % 2 ? -1 : 1, -e);
            int wanted = e <= 44;
            CHECKF(trip_takes(kernels_of(k), 0, 1, v, wanted, "the last bit") == wanted, "%s: 2^-%d",
                   names[k], e);
        }
}

/* Values cancel.  1 + 2^-23 squared ends in 2^-46, which sums of squares above 64 leave; about 2^-39 of
 * it and the square of a small value have 53 bits or more. */
static void test_last_bit_of_errors_in_one_trip(void) {
    static double v[N];
    for (int e = 36; e < 60; e++)
        for (size_t k = 0; k < COUNT(names); k++) {
            for (size_t i = 0; i < N; i++)
                v[i] = (i / 64 % 2 ? -1 : 1) * (1 + 0x1p-23);
            v[random_u64(&seed) % N] = ldexp(1, -e);
            int wanted = e <= 44;
            if (e > 44 && e < 48) continue; /* depends on where the small value is */
            CHECKF(trip_takes(kernels_of(k), 0, 1, v, wanted, "errors") == wanted, "%s: 2^-%d",
                   names[k], e);
        }
}

/* What is usual, of [2^-8, 2), is taken, where its squares are at most four times those of the guess,
 * or the guess is too high by a few powers of two; what is wide, or not finite, is not. */
static void test_what_one_trip_takes(void) {
    static double v[N];
    for (size_t k = 0; k < COUNT(names); k++)
        for (int e = -1; e <= 12; e++) {
            for (size_t i = 0; i < N; i++)
                v[i] = ldexp(random_significand(NATIVE_F32), -(int)(i % 9));
            CHECKF(trip_takes(kernels_of(k), 0, ldexp(1, e), v, 1, "usual") == 1, "%s: guess 2^%d",
                   names[k], e);
            v[random_u64(&seed) % N] = e % 2 ? NAN : e % 4 ? INFINITY : -INFINITY;
            CHECKF(trip_takes(kernels_of(k), 0, 1, v, 0, "specials") == 0, "%s", names[k]);
            int wanted = e % 2 != 0;
            CHECKF(trip_takes(kernels_of(k), 1, 1, v, wanted, "dropped") == wanted, "%s", names[k]);
            for (size_t i = 0; i < N; i++)
                v[i] = ldexp(random_significand(NATIVE_F32), -(int)(i % 61));
            CHECKF(trip_takes(kernels_of(k), 0, 1, v, 0, "wide") == 0, "%s", names[k]);
        }
}

/* Terms of all magnitudes in a few places, so that sums stay exact whatever the guess is. */
static void test_few_terms_in_one_trip(void) {
    static double v[N];
    for (int e = -149; e < 128; e++)
        for (size_t n = 1; n < 80; n += 1 + random_u64(&seed) % 13) {
            for (size_t i = 0; i < n; i++)
                v[i] = 0;
            v[random_u64(&seed) % n] = ldexp(1, e);
            v[random_u64(&seed) % n] = ldexp(-1, e);
            on_all(v, n, "few terms");
        }
}

static void test_extremes_of_blocks(void) {
    static const double values[] = {3, -2, NAN, 7.5, -0.0};
    unsigned char single[20], twice[40];
    struct block_extremes e;
    for (size_t i = 0; i < 5; i++) {
        put_f64(single + 4 * i, DTYPE_F32, 0, values[i]);
        put_f64(twice + 8 * i, DTYPE_F64, 0, values[i]);
    }
    for (size_t k = 0; k < COUNT(names); k++) {
        if (kernels_of(k) == NULL) continue;
        const struct stats_kernels *stats = kernels_of(k)->stats;
        stats->extremes[NATIVE_F32](single, 5, 0, &e);
        CHECK(e.min == -2 && e.max == 7.5);
        stats->extremes[NATIVE_F64](twice, 5, 1, &e);
        CHECK(e.min == 0 && e.max == 7.5);
        stats->extremes[NATIVE_F64](twice + 16, 1, 0, &e);
        CHECK(e.min == INFINITY && e.max == -INFINITY);
    }
}

static const struct test tests[] = {
    {"block_stats_lower_parts_add_up", test_lower_parts_add_up},
    {"block_stats_last_bit_of_lower_parts", test_last_bit_of_lower_parts},
    {"block_stats_full_windows", test_full_windows},
    {"block_stats_ties_of_windows", test_ties_of_windows},
    {"block_stats_ends_of_the_range", test_ends_of_the_range},
    {"block_stats_zeros_at_the_end", test_zeros_at_the_end},
    {"block_stats_nothing_but", test_nothing_but},
    {"block_stats_wide_data_are_accepted", test_wide_data_are_accepted},
    {"block_stats_last_bit_of_values_in_one_trip", test_last_bit_of_values_in_one_trip},
    {"block_stats_last_bit_of_errors_in_one_trip", test_last_bit_of_errors_in_one_trip},
    {"block_stats_what_one_trip_takes", test_what_one_trip_takes},
    {"block_stats_few_terms_in_one_trip", test_few_terms_in_one_trip},
    {"block_stats_extremes", test_extremes_of_blocks},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
