/* States: merging in any order and any tree gives the same bytes, and damage is noticed. */
#include "state.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "reduce.h"

static const char *const everything =
    "sum,mean,min,max,range,absmax,argmin,argmax,count,nonzero,any,all,nnan,ninf,sumsq,norm1,norm2,"
    "rms,var,std1,sem,prod,geomean,first,last; where(x > 0)|abs|sum,argmin,first,last";

static uint64_t random_state = 88172645463325252u;

static uint64_t random_u64(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(0x9e3779b97f4a7c15);
}

/* Bits at random: every exponent, NaN and infinities among them, and many equal values. */
static void fill_random(double *v, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = random_u64();
        memcpy(&v[i], &bits, sizeof bits);
        if (random_u64() % 4 == 0) v[i] = (double)(random_u64() % 7) - 3;
        if (random_u64() % 16 == 0) v[i] = -0.0;
    }
}

struct bytes {
    unsigned char *p;
    size_t n;
};

static struct bytes store(struct state *s) {
    struct bytes b = {0};
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECKF(state_store(s, &b.p, &b.n, &err) == 0, "%s", err.message);
    return b;
}

static struct state *load(const struct program *p, const struct bytes *b) {
    struct state *s = NULL;
    onepass_error err = ONEPASS_ERROR_INIT;
    CHECK(state_create(p, test_kernels(), &s, &err) == 0);
    CHECKF(state_load(s, b->p, b->n, &err) == 0, "%s", err.message);
    return s;
}

#define MOST_PARTS 9

/* The parts' states through their bytes, merged two at random at a time. */
static struct bytes merged_at_random(const struct reducer *r, const double *v, size_t n) {
    struct state *parts[MOST_PARTS];
    size_t nparts = 1 + random_u64() % MOST_PARTS, at = 0;
    for (size_t k = 0; k < nparts; k++) {
        size_t m = k + 1 == nparts ? n - at : random_u64() % (n - at + 1);
        struct evaluator *ev = reducer_feed(r, DTYPE_F64, v + at, at, m);
        struct bytes b = store(evaluator_state(ev));
        parts[k] = load(r->program, &b);
        free(b.p);
        evaluator_free(ev);
        at += m;
    }
    while (nparts > 1) {
        size_t dst = random_u64() % nparts, src = random_u64() % nparts;
        if (dst == src) continue;
        state_merge(parts[dst], parts[src]);
        state_free(parts[src]);
        parts[src] = parts[--nparts];
    }
    struct bytes b = store(parts[0]);
    state_free(parts[0]);
    return b;
}

static void test_random_trees(void) {
    double v[5000];
    struct reducer r = reducer_open(everything, CLASS_F64, 0);
    for (int round = 0; round < 60; round++) {
        size_t n = random_u64() % 5001;
        fill_random(v, n);
        struct evaluator *ev = reducer_feed(&r, DTYPE_F64, v, 0, n);
        struct bytes whole = store(evaluator_state(ev)), parts = merged_at_random(&r, v, n);
        CHECKF(whole.n == parts.n && memcmp(whole.p, parts.p, whole.n) == 0, "round %d, n %zu", round,
               n);
        free(whole.p);
        free(parts.p);
        evaluator_free(ev);
    }
    reducer_close(&r);
}

static void test_integers_in_random_trees(void) {
    uint64_t v[3000];
    struct reducer r = reducer_open(everything, CLASS_WIDE, 0);
    for (size_t i = 0; i < 3000; i++)
        v[i] = random_u64();
    struct evaluator *ev = reducer_feed(&r, DTYPE_I64, v, 0, 3000);
    struct evaluator *a = reducer_feed(&r, DTYPE_I64, v, 0, 1001);
    struct evaluator *b = reducer_feed(&r, DTYPE_I64, v + 1001, 1001, 1999);
    state_merge(evaluator_state(b), evaluator_state(a)); /* the later part first */
    struct bytes whole = store(evaluator_state(ev)), parts = store(evaluator_state(b));
    CHECK(whole.n == parts.n && memcmp(whole.p, parts.p, whole.n) == 0);
    free(whole.p);
    free(parts.p);
    evaluator_free(ev);
    evaluator_free(a);
    evaluator_free(b);
    reducer_close(&r);
}

static void test_one_flipped_byte(void) {
    double v[] = {1.5, -2, 1e300, 1e-300, 0};
    onepass_error err = ONEPASS_ERROR_INIT;
    struct reducer r = reducer_open("sum, std, argmax, prod, last", CLASS_F64, 0);
    struct evaluator *ev = reducer_feed(&r, DTYPE_F64, v, 0, 5);
    struct bytes b = store(evaluator_state(ev));
    for (size_t k = 0; k < b.n; k++) {
        b.p[k] ^= (unsigned char)(1 << k % 8);
        CHECKF(state_load(evaluator_state(ev), b.p, b.n, &err) == ONEPASS_BAD_STATE, "byte %zu", k);
        b.p[k] ^= (unsigned char)(1 << k % 8);
        CHECKF(state_load(evaluator_state(ev), b.p, k, &err) == ONEPASS_BAD_STATE, "cut at %zu", k);
    }
    CHECK(state_load(evaluator_state(ev), b.p, b.n, &err) == 0);
    free(b.p);
    evaluator_free(ev);
    reducer_close(&r);
}

/* The square of a sum is at most n times the sum of squares: of 1, 1 both are 4. */
static void test_impossible_spread(void) {
    static const double v[][3] = {{1, 1, NAN}, {1, 2, 5}, {-3, -3, -3}, {INFINITY, 1, 1}};
    onepass_error err = ONEPASS_ERROR_INIT;
    struct reducer r = reducer_open("where(x < 9) | std, mean; var1", CLASS_F64, 1);
    for (size_t k = 0; k < 4; k++) {
        struct evaluator *ev = reducer_feed(&r, DTYPE_F64, v[k], 0, 3);
        struct state *s = evaluator_state(ev);
        for (size_t i = 0; i < r.program->naccs; i++) {
            struct bytes good = store(s);
            CHECK(state_load(s, good.p, good.n, &err) == 0);
            if (s->acc[i].kind == ACC_S1) {
                exact_add_repeated_f64(s->acc[i].exact, v[k][1] > 0 ? 7 : -7, 1);
                struct bytes b = store(s);
                CHECKF(state_load(s, b.p, b.n, &err) == ONEPASS_BAD_STATE, "values %zu", k);
                CHECK(strstr(err.message, "sum of squares") != NULL);
                CHECK(state_load(s, good.p, good.n, &err) == 0);
                free(b.p);
            }
            free(good.p);
        }
        evaluator_free(ev);
    }
    reducer_close(&r);
}

/* One element less than there were: the books count the NaN that there was not. */
static void test_impossible_count(void) {
    double v[] = {2, 2, 2};
    onepass_error err = ONEPASS_ERROR_INIT;
    struct reducer r = reducer_open("var", CLASS_F64, 1);
    struct evaluator *ev = reducer_feed(&r, DTYPE_F64, v, 0, 3);
    struct state *s = evaluator_state(ev);
    for (uint64_t nan = 0; nan < 5; nan++) {
        s->acc[r.program->pipelines[0].nan].count = nan;
        struct bytes b = store(s);
        CHECKF(state_load(s, b.p, b.n, &err) == (nan == 0 ? 0 : ONEPASS_BAD_STATE), "%d", (int)nan);
        free(b.p);
    }
    evaluator_free(ev);
    reducer_close(&r);
}

static void test_foreign_state(void) {
    double v[] = {1, 2};
    onepass_error err = ONEPASS_ERROR_INIT;
    struct reducer r = reducer_open("abs | sum", CLASS_F64, 0),
                   other = reducer_open("sum", CLASS_F64, 0);
    struct evaluator *ev = reducer_feed(&r, DTYPE_F64, v, 0, 2);
    struct evaluator *ev2 = reducer_feed(&other, DTYPE_F64, v, 0, 2);
    struct bytes b = store(evaluator_state(ev));
    CHECK(state_load(evaluator_state(ev2), b.p, b.n, &err) == ONEPASS_BAD_STATE);
    CHECK(strstr(err.message, "another pipeline") != NULL);
    free(b.p);
    evaluator_free(ev);
    evaluator_free(ev2);
    reducer_close(&r);
    reducer_close(&other);
}

/* An extent of a constant is its elements one by one, with positions, through maps and where. */
static void test_constant_extents(void) {
    double values[] = {7, -0.0, 0, NAN, INFINITY, -1e-310}, v[3000];
    struct reducer r = reducer_open(everything, CLASS_F64, 0);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        for (size_t i = 0; i < 3000; i++)
            v[i] = values[k];
        struct evaluator *ev = reducer_feed(&r, DTYPE_F64, v, 100, 3000);
        struct evaluator *constant = reducer_feed(&r, DTYPE_F64, v, 0, 0);
        struct place place = {.ndim = 1, .shape = {3100}};
        struct extent e = {.fetch = FETCH_CONSTANT, .first = 100, .nelems = 3000, .place = &place};
        e.layout.dtype = DTYPE_F64;
        e.constant = (struct scalar){TYPE_F64, 0, 0, values[k]};
        evaluator_extent(constant, &e, NULL);
        struct bytes a = store(evaluator_state(ev)), b = store(evaluator_state(constant));
        CHECKF(a.n == b.n && memcmp(a.p, b.p, a.n) == 0, "value %zu", k);
        free(a.p);
        free(b.p);
        evaluator_free(ev);
        evaluator_free(constant);
    }
    reducer_close(&r);
}

/* An integer above 2^53 that a program takes as binary64 is worth a note, stored or filled in. */
static void test_rounded_constants(void) {
    struct reducer r = reducer_open("sum", CLASS_F64, 0);
    for (uint64_t v = (UINT64_C(1) << 53) - 1; v <= (UINT64_C(1) << 53) + 1; v++) {
        struct evaluator *ev = reducer_feed(&r, DTYPE_I64, &v, 0, 0);
        struct place place = {.ndim = 1, .shape = {5}};
        struct extent e = {.fetch = FETCH_CONSTANT, .nelems = 5, .place = &place};
        e.layout.dtype = DTYPE_I64;
        e.constant = (struct scalar){TYPE_INT, 0, v, 0};
        evaluator_extent(ev, &e, NULL);
        CHECK(evaluator_state(ev)->rounded == (v > UINT64_C(1) << 53));
        evaluator_free(ev);
    }
    reducer_close(&r);
}

static const struct test tests[] = {
    {"state_random_trees", test_random_trees},
    {"state_integers_in_random_trees", test_integers_in_random_trees},
    {"state_one_flipped_byte", test_one_flipped_byte},
    {"state_foreign", test_foreign_state},
    {"state_impossible_spread", test_impossible_spread},
    {"state_impossible_count", test_impossible_count},
    {"state_constant_extents", test_constant_extents},
    {"state_rounded_constants", test_rounded_constants},
};

int main(int argc, char **argv) {
    return RUN_TESTS(tests);
}
