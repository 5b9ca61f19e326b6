/* Blocks added to states: whatever the instruction set, the type, the length, the alignment and the
 * values, a state has the bytes that adding one element at a time gives.  One element at a time is a
 * constant extent, which no kernel of sums sees. */
#include <float.h>

#include "block_help.h"
#include "reduce.h"

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

static void fill_bits(unsigned char *at, size_t nbytes) {
    for (size_t i = 0; i < nbytes; i++)
        at[i] = (unsigned char)(random_u64(&seed) >> 40);
}

/* Values that have gone wrong somewhere: x. */
static const double specials[] = {NAN,       INFINITY,   -INFINITY, -0.0,       0.0,      0x1p-149,
                                  -0x1p-149, 0x1p-1074,  FLT_MAX,   -FLT_MAX,   DBL_MAX,  -DBL_MAX,
                                  0x1p1020,  -0x1p-1022, 0x1p-126,  0x1.8p1023, 0x1p-500, 0x1p-60};

/* ---- tests of states ------------------------------------------------------------------------- */

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

/* Whole blocks that one trip takes, one after the other and between such that it must leave to two:
 * nothing of a trip that failed is added, and what comes after it is taken. */
static void fill_block(unsigned char *bytes, int kind, size_t n) {
    static const double odd[] = {NAN, INFINITY, -INFINITY, -0.0, 0x1p-149, -0x1p-126, FLT_MAX, 0x1p-70};
    size_t at = random_u64(&seed) % n, odds = random_u64(&seed) % COUNT(odd);
    for (size_t i = 0; i < n; i++) {
        double v = spread_value(kind == 1 ? 60 : kind == 2 ? 25 : 3);
        if (kind == 3) v = i % 2 ? 0.0 : -0.0;
        if (kind == 4) v = ldexp(uniform(1 << 10), -149);
        if (kind == 5) v = ldexp(v, (int)(at % 140) - 70);
        if (kind >= 6 && i == at) v = odd[odds];
        put_f64(bytes + i * 4, DTYPE_F32, 0, v);
    }
}

static void test_one_trip_and_two(void) {
    enum { BLOCK = MAX_STORED, N = 24 * BLOCK + 77 };
    static unsigned char bytes[4 * N];
    for (int round = 0; round < 6; round++) {
        struct sample x = {DTYPE_F32, 0, bytes, N};
        for (size_t at = 0; at < N; at += BLOCK) {
            int narrow = random_u64(&seed) % 3 != 0;
            fill_block(bytes + at * 4, narrow ? 0 : (int)uniform(9), N - at < BLOCK ? N - at : BLOCK);
        }
        check_sample(pipelines[round % 2], round / 2 & 1, &x, "one trip and two", NULL);
        check_sample("sumsq,min,nnan", round / 2 & 1, &x, "one trip and two", NULL);
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

static const struct test tests[] = {
    {"block_states_every_length", test_every_length},
    {"block_states_specials_in_every_lane", test_specials_in_every_lane},
    {"block_states_specials_at_the_end", test_specials_at_the_end},
    {"block_states_changing_blocks", test_changing_blocks},
    {"block_states_one_trip_and_two", test_one_trip_and_two},
    {"block_states_levels_are_entered", test_levels_are_entered},
    {"block_states_masked_and_equal_values", test_masked_and_equal_values},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
