/* Sums, extremes and counts of blocks: whatever the instruction set, the type, the length, the
 * alignment and the values, a state has the bytes that adding one element at a time gives, and no
 * kernel calls a sum exact that is not.  One element at a time is a constant extent, which no kernel of
 * sums sees. */
#include "block_sums.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

#include "block_integers.h"
#include "exact_help.h"
#include "reduce.h"

static const char *const names[] = {"portable", "noflags", "avx2", "avx512"};

/* The k-th instruction set's kernels, NULL if this CPU cannot run them. */
static const struct kernels *kernels_of(size_t k) {
    const struct kernels *kernels;
    return kernels_find(names[k], &kernels, NULL) == 0 ? kernels : NULL;
}

/* ---- states ---------------------------------------------------------------------------------- */

struct sample {
    enum dtype type;
    int swap;
    const unsigned char *bytes;
    size_t n;
};

static struct evaluator *evaluator_of(const struct program *p, const struct kernels *kernels) {
    struct evaluator *ev = NULL;
    onepass_error err = ONEPASS_ERROR_INIT;
    if (evaluator_create(p, kernels, &ev, &err) != 0) abort();
    return ev;
}

static struct evaluator *by_blocks(const struct reducer *r, const struct kernels *kernels,
                                   const struct sample *x) {
    struct evaluator *ev = evaluator_of(r->program, kernels);
    struct place place = {.ndim = 1, .shape = {x->n}};
    struct extent e = {.fetch = FETCH_RANGE, .nelems = x->n, .place = &place};
    e.layout.dtype = x->type;
    e.layout.swap = x->swap;
    e.layout.stride_bytes = dtype_table[x->type].itemsize;
    evaluator_extent(ev, &e, x->bytes);
    return ev;
}

static struct evaluator *one_by_one(const struct reducer *r, const struct sample *x) {
    struct evaluator *ev = evaluator_of(r->program, &kernels_portable);
    struct place place = {.ndim = 1, .shape = {x->n}};
    size_t itemsize = dtype_table[x->type].itemsize;
    for (size_t i = 0; i < x->n; i++) {
        struct extent e = {.fetch = FETCH_CONSTANT, .first = i, .nelems = 1, .place = &place};
        double v;
        kernels_portable.loads->f64[x->type](x->swap, x->bytes + i * itemsize, itemsize, 1, &v);
        if (dtype_table[x->type].class == CLASS_F64)
            e.constant = (struct scalar){TYPE_F64, 0, 0, v};
        else
            e.constant = (struct scalar){TYPE_INT, v < 0, (uint64_t)fabs(v), 0};
        evaluator_extent(ev, &e, NULL);
    }
    return ev;
}

static int same_states(struct state *a, struct state *b) {
    unsigned char *x, *y;
    size_t n, m;
    onepass_error err = ONEPASS_ERROR_INIT;
    if (state_store(a, &x, &n, &err) != 0 || state_store(b, &y, &m, &err) != 0) abort();
    int same = n == m && memcmp(x, y, n) == 0;
    free(x);
    free(y);
    return same;
}

/* Checks a sample on all instruction sets; adds the blocks of each level to levels, when not NULL. */
static void check_sample(const char *pipeline, int skip_nan, const struct sample *x, const char *what,
                         uint64_t levels[COUNT(names)][NLEVELS]) {
    struct reducer r = reducer_open(pipeline, dtype_table[x->type].class, skip_nan);
    struct evaluator *want = one_by_one(&r, x);
    for (size_t k = 0; k < COUNT(names); k++) {
        const struct kernels *kernels = kernels_of(k);
        if (kernels == NULL) continue;
        struct evaluator *ev = by_blocks(&r, kernels, x);
        struct state *s = evaluator_state(ev);
        CHECKF(same_states(s, evaluator_state(want)), "%s: %s of %zu %s%s, %s", names[k], pipeline,
               x->n, dtype_table[x->type].name, x->swap ? ", swapped" : "", what);
        for (int level = 0; levels != NULL && level < NLEVELS; level++)
            levels[k][level] += s->levels[level];
        evaluator_free(ev);
    }
    evaluator_free(want);
    reducer_close(&r);
}

static const char *const pipelines[] = {
    "sum,sumsq,min,max,argmin,argmax,nonzero,first,last,nnan",
    "abs|sum,sumsq,min,argmax",
    "sum",
    "abs|sum,max",
    "sumsq",
    "neg|min,max,first",
    "count",
    "where(x > 0)|sum,sumsq,min,max,argmin,argmax,nonzero,nnan",
};

/* ---- what samples hold ----------------------------------------------------------------------- */

static uint64_t seed = 2024;

static double uniform(int below) {
    return (double)(random_u64(&seed) % (uint64_t)below);
}

/* Whole numbers of 24 bits times powers of two of so many exponents. */
static double spread_value(int spread) {
    return ldexp(uniform(1 << 24) - (1 << 23), (int)uniform(spread + 1) - 20);
}

static void put_f64(unsigned char *at, enum dtype type, int swap, double v) {
    float single = (float)v;
    size_t itemsize = dtype_table[type].itemsize;
    unsigned char bytes[8];
    if (type == DTYPE_F32)
        memcpy(bytes, &single, sizeof single);
    else
        memcpy(bytes, &v, sizeof v);
    for (size_t i = 0; i < itemsize; i++)
        at[i] = bytes[swap ? itemsize - 1 - i : i];
}

static void fill_bits(unsigned char *at, size_t nbytes) {
    for (size_t i = 0; i < nbytes; i++)
        at[i] = (unsigned char)(random_u64(&seed) >> 40);
}

/* Values that have gone wrong somewhere: x. */
static const double specials[] = {NAN,       INFINITY,   -INFINITY, -0.0,       0.0,      0x1p-149,
                                  -0x1p-149, 0x1p-1074,  FLT_MAX,   -FLT_MAX,   DBL_MAX,  -DBL_MAX,
                                  0x1p1020,  -0x1p-1022, 0x1p-126,  0x1.8p1023, 0x1p-500, 0x1p-60};

/* ---- tests of states ------------------------------------------------------------------------- */

#define MOST 4200

static void test_every_length(void) {
    static unsigned char memory[8 * MOST + 64];
    static const size_t lengths[] = {127, 128, 129, 255, 257, 1023, 1024, 1025, 2049, 4095, 4096, 4097};
    for (int type = 0; type < NDTYPES; type++) {
        if (dtype_table[type].class == CLASS_WIDE) continue;
        for (size_t k = 0; k < 68 + COUNT(lengths); k++) {
            size_t n = k < 68 ? k : lengths[k - 68], offset = random_u64(&seed) % 9;
            struct sample x = {(enum dtype)type, k % 3 == 0, memory + offset, n};
            fill_bits(memory, sizeof memory);
            if (type == DTYPE_F32 || type == DTYPE_F64)
                for (size_t i = 0; k % 4 != 0 && i < n; i++)
                    put_f64(memory + offset + i * dtype_table[type].itemsize, x.type, x.swap,
                            spread_value((int)k % 61));
            check_sample(pipelines[k % COUNT(pipelines)], (int)(k / 8) % 2, &x, "some length", NULL);
            check_sample(pipelines[0], 0, &x, "some length", NULL);
        }
    }
}

/* One odd value in every lane and in what is left of a block, alone and beside another. */
static void test_specials_in_every_lane(void) {
    enum { N = 150 };
    static unsigned char bytes[8 * N];
    for (int type = DTYPE_F32; type <= DTYPE_F64; type++)
        for (size_t at = 0; at < N; at++) {
            size_t itemsize = dtype_table[type].itemsize, k = random_u64(&seed) % COUNT(specials);
            struct sample x = {(enum dtype)type, 0, bytes, 128 + at % 23};
            for (size_t i = 0; i < N; i++)
                put_f64(bytes + i * itemsize, x.type, 0, spread_value((int)at % 8));
            put_f64(bytes + at % x.n * itemsize, x.type, 0, specials[at % COUNT(specials)]);
            check_sample(pipelines[at % COUNT(pipelines)], at & 1, &x, "one special", NULL);
            put_f64(bytes + random_u64(&seed) % x.n * itemsize, x.type, 0, specials[k]);
            check_sample(pipelines[at % 2], 0, &x, "two specials", NULL);
        }
}

/* What is left of a block after its last whole step ends in an odd value. */
static void test_specials_at_the_end(void) {
    enum { N = 80 };
    static unsigned char bytes[8 * N];
    for (int type = DTYPE_F32; type <= DTYPE_F64; type++)
        for (size_t n = 1; n <= N; n++)
            for (size_t k = 0; k < 4; k++) {
                struct sample x = {(enum dtype)type, 0, bytes, n};
                for (size_t i = 0; i < n; i++)
                    put_f64(bytes + i * dtype_table[type].itemsize, x.type, 0, 1 + uniform(9));
                put_f64(bytes + (n - 1) * dtype_table[type].itemsize, x.type, 0, specials[k]);
                check_sample(pipelines[k % 2], 0, &x, "a special at the end", NULL);
                check_sample(pipelines[n % COUNT(pipelines)], 1, &x, "a special at the end", NULL);
            }
}

/* Blocks of all kinds in a row: what a block was like says nothing of the next. */
static void fill_changing(unsigned char *bytes, enum dtype type, size_t n) {
    size_t itemsize = dtype_table[type].itemsize;
    int kind = 0;
    for (size_t i = 0; i < n; i++) {
        if (i % 1024 == 0) kind = (int)(random_u64(&seed) % 9);
        double v = spread_value(kind == 1 ? 20 : kind == 2 ? 45 : kind == 3 ? 60 : 4);
        if (kind == 4) v = from_bits(random_u64(&seed));
        if (kind == 5 && random_u64(&seed) % 3 == 0) v = NAN;
        if (kind == 6) v = ldexp(v, -140);
        if (kind == 7) v = ldexp(v / 3, 100);
        if (kind == 8 && random_u64(&seed) % 512 == 0) v = INFINITY;
        put_f64(bytes + i * itemsize, type, 0, v);
    }
}

static void test_changing_blocks(void) {
    enum { N = 12 * 4096 + 77 };
    static unsigned char bytes[8 * N];
    for (int round = 0; round < 4; round++)
        for (int type = DTYPE_F32; type <= DTYPE_F64; type++) {
            struct sample x = {(enum dtype)type, 0, bytes, N};
            fill_changing(bytes, x.type, N);
            check_sample(pipelines[round], round & 1, &x, "changing blocks", NULL);
            check_sample(pipelines[7], round & 1, &x, "changing blocks", NULL);
        }
}

/* Narrow values are taken by plain additions, wider ones by windows, all exponents by bins. */
static void test_levels_are_entered(void) {
    enum { N = 3 * 4096 };
    static unsigned char bytes[8 * N];
    for (int type = DTYPE_F32; type <= DTYPE_F64; type++) {
        uint64_t levels[COUNT(names)][NLEVELS] = {{0}};
        for (int level = 0; level < NLEVELS; level++) {
            struct sample x = {(enum dtype)type, 0, bytes, N};
            for (size_t i = 0; i < N; i++) {
                double v = spread_value(level == 0 ? 3 : 36);
                if (level == 2) v = ldexp(v, (int)(i % 120) - 60);
                put_f64(bytes + i * dtype_table[type].itemsize, x.type, 0, v);
            }
            uint64_t before = levels[0][level];
            check_sample("sum", 0, &x, "one level", levels);
            CHECKF(levels[0][level] > before, "level %d", level);
        }
        for (size_t k = 0; k < COUNT(names); k++)
            for (int level = 0; level < NLEVELS && kernels_of(k) != NULL; level++)
                CHECKF(levels[k][level] > 0, "%s: no block at level %d", names[k], level);
    }
}

/* Equal values count once each: NaN that a mask leaves out, zeros of both signs, and the first index.
 */
static void test_masked_and_equal_values(void) {
    enum { N = 5000 };
    static unsigned char bytes[8 * N];
    static const double values[] = {NAN, -1, -0.0, 0.0, 2, 2, -1, INFINITY};
    for (int type = DTYPE_F32; type <= DTYPE_F64; type++)
        for (size_t few = 2; few <= COUNT(values); few++) {
            struct sample x = {(enum dtype)type, 0, bytes, N};
            for (size_t i = 0; i < N; i++)
                put_f64(bytes + i * dtype_table[type].itemsize, x.type, 0,
                        values[random_u64(&seed) % few]);
            for (size_t k = 0; k < COUNT(pipelines); k++)
                check_sample(pipelines[k], (int)few & 1, &x, "few values", NULL);
            check_sample("where(x < 0)|nnan,sum,max,argmax,count", 0, &x, "few values", NULL);
            check_sample("where(isnan(x))|nnan,sum,min,count,sumsq", 1, &x, "few values", NULL);
        }
}

/* ---- tests of kernels ------------------------------------------------------------------------ */

/* Whether the sums that a kernel called exact are those of the elements. */
static int sums_are(enum exact_kind kind, const double *sums, size_t nsums, int64_t high, int unit,
                    const double *v, size_t n) {
    struct exact *want = accumulated(kind, v, n), *got = accumulator(kind);
    exact_add_sums(got, sums, nsums);
    exact_add_integer(got, high, unit);
    int same = same_bytes(want, got);
    exact_free(want);
    exact_free(got);
    return same;
}

/* Both sums and the squares of a block of values of a type; what is accepted must be right.  Returns
 * how many of the four were. */
static int check_kernels(const struct kernels *kernels, enum native_float type, const double *v,
                         size_t n, const char *what) {
    const struct sum_kernels *k = kernels->sums;
    static unsigned char bytes[8 * MOST];
    double sums[4 * MAX_LANES];
    struct window_hint hint = {0};
    struct block_stats st;
    size_t itemsize = type == NATIVE_F32 ? 4 : 8, lanes = (size_t)k->lanes;
    int accepted = 0;
    for (size_t i = 0; i < n; i++)
        put_f64(bytes + i * itemsize, type == NATIVE_F32 ? DTYPE_F32 : DTYPE_F64, 0, v[i]);
    if (k->plain[type](bytes, n, 0, 0, sums)) {
        accepted++;
        CHECKF(sums_are(EXACT_SUM, sums, lanes, 0, 0, v, n), "%s: plain, %s", kernels->name, what);
    }
    if (k->windows[type](bytes, n, 0, 0, &hint, sums)) {
        accepted++;
        CHECKF(sums_are(EXACT_SUM, sums, 2 * lanes, 0, 0, v, n), "%s: windows, %s", kernels->name,
               what);
    }
    if (type == NATIVE_F64) {
        int exact = k->squares(bytes, n, sums);
        accepted += exact;
        CHECKF(!exact || sums_are(EXACT_SQUARES, sums, 4 * lanes, 0, 0, v, n), "%s: squares, %s",
               kernels->name, what);
        return accepted;
    }
    memset(&hint, 0, sizeof hint);
    k->stats(bytes, n, 0, 0, &hint, &st);
    accepted += st.sum_exact + st.squares_exact;
    CHECKF(!st.sum_exact || sums_are(EXACT_SUM, st.sums, lanes, 0, 0, v, n), "%s: stats, %s",
           kernels->name, what);
    CHECKF(!st.squares_exact || sums_are(EXACT_SQUARES, st.low, lanes, st.high, st.unit, v, n),
           "%s: squares, %s", kernels->name, what);
    return accepted;
}

static void on_all(const double *v, size_t n, const char *what) {
    static float single[MOST];
    static double rounded_values[MOST];
    for (size_t i = 0; i < n; i++) {
        single[i] = (float)v[i];
        rounded_values[i] = (double)single[i];
    }
    for (size_t k = 0; k < COUNT(names); k++) {
        if (kernels_of(k) == NULL) continue;
        check_kernels(kernels_of(k), NATIVE_F64, v, n, what);
        check_kernels(kernels_of(k), NATIVE_F32, rounded_values, n, what);
    }
}

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
        CHECKF(check_kernels(kernels, NATIVE_F32, ints, N, "integers") == 4, "%s: f32", names[k]);
        CHECKF(check_kernels(kernels, NATIVE_F64, ints, N, "integers") == 3, "%s: f64", names[k]);
        CHECKF(check_kernels(kernels, NATIVE_F32, normal, N, "24 bits") == 4, "%s: f32", names[k]);
        CHECKF(check_kernels(kernels, NATIVE_F64, normal, N, "24 bits") == 3, "%s: f64", names[k]);
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
        const struct sum_kernels *sums = kernels_of(k)->sums;
        sums->extremes[NATIVE_F32](single, 5, 0, &e);
        CHECK(e.min == -2 && e.max == 7.5);
        sums->extremes[NATIVE_F64](twice, 5, 1, &e);
        CHECK(e.min == 0 && e.max == 7.5);
        sums->extremes[NATIVE_F64](twice + 16, 1, 0, &e);
        CHECK(e.min == INFINITY && e.max == -INFINITY);
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
    {"block_sums_every_length", test_every_length},
    {"block_sums_specials_in_every_lane", test_specials_in_every_lane},
    {"block_sums_specials_at_the_end", test_specials_at_the_end},
    {"block_sums_changing_blocks", test_changing_blocks},
    {"block_sums_levels_are_entered", test_levels_are_entered},
    {"block_sums_masked_and_equal_values", test_masked_and_equal_values},
    {"block_sums_random_spreads", test_random_spreads},
    {"block_sums_one_term_too_many", test_one_term_too_many},
    {"block_sums_halfway_cases", test_halfway_cases},
    {"block_sums_all_exponents", test_all_exponents},
    {"block_sums_usual_data_are_accepted", test_usual_data_are_accepted},
    {"block_sums_extremes", test_extremes_of_blocks},
    {"block_sums_headroom_of_bins", test_headroom_of_bins},
    {"block_sums_partial_sums", test_partial_sums},
    {"block_sums_flags_work", test_flags_work},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
