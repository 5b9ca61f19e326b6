/* Benchmarks: what the rows declare, and that they compute what the exact one does. */
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "bench_data.h"
#include "bench_naive.h"
#include "check.h"
#include "evaluator.h"
#include "inexact.h"
#include "memory_available.h"
#include "team.h"
#include "temporary.h"

/* In place of libc's for the whole program. */
static int no_barrier;

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned n) {
    static int (*real)(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned);
    if (no_barrier) return EAGAIN;
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "pthread_barrier_init");
    return real(barrier, attr, n);
}

static const char *const isas[] = {"portable", "avx2", "avx512", NULL};

/* ---- helpers ---- */

static onepass_bench_report *bench_with(const char *pipeline, const onepass_input *input, int threads,
                                        const char *isa, const onepass_bench_options *options,
                                        onepass_error *err) {
    onepass_program *program = NULL;
    onepass_context *context = NULL;
    onepass_bench_report *report = NULL;
    onepass_config config = ONEPASS_CONFIG_INIT;
    config.threads = threads;
    config.cpu = isa;
    int rc = onepass_program_parse(pipeline, strlen(pipeline), &program, err);
    if (rc == 0) rc = onepass_context_create(&config, &context, err);
    if (rc == 0) rc = onepass_bench(context, program, input, options, &report, err);
    onepass_context_free(context);
    onepass_program_free(program);
    return rc == 0 ? report : NULL;
}

static onepass_bench_options few_runs(void) {
    onepass_bench_options o = ONEPASS_BENCH_OPTIONS_INIT;
    o.runs = 2, o.warmup = 0;
    return o;
}

/* All rows give the exact value of every reduction, to within some ulp. */
static void check_values(const char *pipeline, const onepass_input *input, int threads, const char *isa,
                         int skip_nan, uint64_t ulps) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_bench_options o = few_runs();
    o.skip_nan = skip_nan;
    onepass_bench_report *r = bench_with(pipeline, input, threads, isa, &o, &err);
    CHECKF(r != NULL, "%s: %s", pipeline, err.message);
    if (r == NULL) return;
    CHECKF(r->fault == NULL, "%s: %s", pipeline, r->fault);
    for (size_t row = 0; row < r->nrows; row++)
        for (size_t k = 0; k < r->nvalues; k++) {
            const onepass_bench_row *b = &r->rows[row];
            CHECKF(b->ulps[k] <= ulps, "%s, %d threads, %s, %s: %s is %s, %llu ulps off", pipeline,
                   threads, isa ? isa : "best", b->name, b->values[k].column, b->values[k].text,
                   (unsigned long long)b->ulps[k]);
            CHECK(b->ndistinct >= 1 && b->ndistinct <= 2 && b->seconds[0] > 0);
        }
    onepass_bench_report_free(r);
}

static onepass_input input_of(const char *path, const char *dtype) {
    onepass_input in = ONEPASS_INPUT_INIT;
    in.path = path;
    in.dtype = dtype;
    return in;
}

/* Small integers, so that no sum of them rounds; with_nan: every seventh is NaN. */
static float *small_numbers(size_t n, int with_nan) {
    float *v = malloc((n + 1) * sizeof *v);
    for (size_t k = 0; k < n; k++)
        v[k] = with_nan && k % 7 == 3 ? NAN : (float)((k * 37 + 11) % 101) - 50;
    return v;
}

/* ---- inexact accumulators ---- */

static double reference(enum inexact_loop loop, const double *v, const uint8_t *mask, size_t n) {
    double sum = inexact_identity(loop);
    for (size_t k = 0; k < n; k++) {
        double x = v[k];
        if (mask != NULL && !mask[k]) continue;
        if (loop == INEXACT_SUM || loop == INEXACT_LOGS) sum += x;
        if (loop == INEXACT_SQUARES) sum += x * x;
        if (loop == INEXACT_PRODUCT) sum *= x;
        if (loop == INEXACT_MIN && !(sum <= x)) sum = isnan(sum) ? sum : x;
        if (loop == INEXACT_MAX && !(sum >= x)) sum = isnan(sum) ? sum : x;
        if (loop == INEXACT_NAN) sum += isnan(x);
        if (loop == INEXACT_INF) sum += isinf(x) != 0;
        if (loop == INEXACT_NONZERO) sum += x != 0;
    }
    return sum;
}

static int same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* Every loop, length, instruction set, with and without a mask; powers of two keep products exact. */
static void test_loops(void) {
    double v[70];
    uint8_t mask[70];
    for (int odd = 0; odd < 3; odd++)
        for (size_t n = 0; n < 70; n++) {
            for (size_t k = 0; k < n; k++)
                v[k] = k % 5 == 4 ? 2 : k % 5 == 1 ? -0.5 : 1, mask[k] = k % 3 != 1;
            if (odd == 1 && n > 2) v[n / 2] = NAN;
            if (odd == 2 && n > 2) v[n - 1] = -INFINITY, v[0] = 0;
            for (int i = 0; isas[i] != NULL; i++) {
                const struct kernels *kernels;
                if (kernels_find(isas[i], &kernels, NULL) != 0) continue;
                const struct inexact_kernels *inexact = kernels->inexact;
                for (int loop = 0; loop < NINEXACT_LOOPS * 2; loop++) {
                    enum inexact_loop which = (enum inexact_loop)(loop / 2);
                    const uint8_t *m = loop % 2 ? mask : NULL;
                    struct inexact p;
                    inexact_init(&p);
                    inexact->loop[which](n, v, m, p.lane[which]);
                    double got = inexact_total(&p, which), wanted = reference(which, v, m, n);
                    CHECKF(same(got, wanted), "%s: loop %d of %zu, %d: %g, not %g", isas[i], loop, n,
                           odd, got, wanted);
                }
            }
        }
}

static void test_every_reduction(void) {
    for (size_t k = 0; k < nreductions; k++)
        CHECKF(inexact_reduction_of(&reduction_table[k]) != NULL, "%s", reduction_table[k].name);
}

/* ---- rows ---- */

static const char *const exact_pipelines[] = {
    "sum, mean, min, max, range, absmax, argmin, argmax, count, nonzero, any, all, nnan, ninf",
    "sumsq, norm1, norminf, first, last",
    "abs|sum",
    "where(x > 3) | x * 2 | sum, count, argmax, first",
    "where(x > 1000) | sum, count, any, all",
    "x > 0 && x < 20 | sum",
    "isnan | sum",
    "7 | sum, max",
    "abs|sum|x * 2 + 1; square|sum; where(x < 0)|min, last",
    "x|x * x + 1|sum|sqrt"};

static void check_all(const onepass_input *in, int threads, const char *isa) {
    for (size_t k = 0; k < sizeof exact_pipelines / sizeof *exact_pipelines; k++)
        for (int skip_nan = 0; skip_nan < 2; skip_nan++)
            check_values(exact_pipelines[k], in, threads, isa, skip_nan, 0);
}

static void test_sizes_and_threads(void) {
    static const size_t sizes[] = {1, 15, 16, 17, 1023, 1024, 1025, 5000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        float *v = small_numbers(sizes[k], 0);
        onepass_input in = input_of(test_file("v.f32", v, sizes[k] * sizeof *v), NULL);
        check_all(&in, 1 + (int)k % 3, NULL);
        free(v);
    }
}

static void test_isas_and_nan(void) {
    float *v = small_numbers(3000, 1);
    onepass_input in = input_of(test_file("v.f32", v, 3000 * sizeof *v), NULL);
    for (int i = 0; isas[i] != NULL; i++) {
        const struct kernels *kernels;
        if (kernels_find(isas[i], &kernels, NULL) == 0) check_all(&in, 2, isas[i]);
    }
    in.offset_bytes = 4, in.has_offset = 1, in.stride = 3;
    check_all(&in, 2, NULL);
    in.dtype = "i16", in.offset_bytes = 0, in.stride = 2;
    check_all(&in, 1, NULL);
    in.dtype = "u8", in.endian = 0, in.stride = 0;
    check_all(&in, 3, NULL);
    free(v);
}

/* 64-bit integers are rounded to binary64, and all that these small ones give is exact. */
static void test_wide(void) {
    int64_t v[2000];
    for (int64_t k = 0; k < 2000; k++)
        v[k] = (k * 53) % 997 - 400;
    onepass_input in = input_of(test_file("v.i64", v, sizeof v), NULL);
    check_all(&in, 2, NULL);
}

/* Deviations and logarithms round a little everywhere. */
static void test_rounded(void) {
    float *v = small_numbers(5000, 0);
    onepass_input in = input_of(test_file("v.f32", v, 5000 * sizeof *v), NULL);
    check_values("var, std, var1, std1, sem, norm2, rms", &in, 2, NULL, 0, 16);
    check_values("x + 60 | geomean", &in, 2, NULL, 0, 64);
    check_values("x / 64 + 1.5 | log | mean; sqrt|mean", &in, 2, NULL, 0, 4000);
    free(v);
}

/* Only what is NaN in the values is passed over, and not what deviations and logarithms make NaN. */
static void test_skipped_before_prepared(void) {
    static const double values[][5] = {{1, 2, INFINITY, 3, 3},
                                       {1, 2, NAN, 3, 4},
                                       {-1, 4, NAN, 1, 2},
                                       {NAN, -INFINITY, 2, 1, INFINITY}};
    for (size_t k = 0; k < 4; k++) {
        onepass_input in = input_of(test_file("v.f64", values[k], sizeof values[k]), NULL);
        check_values("var, std1, geomean, norm2", &in, 1, NULL, 1, 2);
        check_values("where(x != 2)|var, geomean, norm2", &in, 1, NULL, 1, 2);
    }
}

/* Where rounding matters the inexact rows show it: the textbook's variance cancels. */
static void test_cancellation(void) {
    double v[4096];
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_bench_options o = few_runs();
    for (int k = 0; k < 4096; k++)
        v[k] = 1e9 + k % 2;
    onepass_input in = input_of(test_file("v.f64", v, sizeof v), NULL);
    onepass_bench_report *r = bench_with("var", &in, 1, NULL, &o, &err);
    CHECKF(r != NULL, "%s", err.message);
    if (r == NULL) return;
    CHECK(r->rows[0].values[0].value == 0.25 && r->rows[0].ulps[0] == 0);
    CHECK(r->rows[1].values[0].value != 0.25 && r->rows[1].ulps[0] > 1000);
    CHECK(r->rows[2].values[0].value == 0.25 && r->rows[2].ulps[0] == 0);
    onepass_bench_report_free(r);
}

/* Indices are those of C order, also where elements are stored along the first dimension. */
static void test_fortran(void) {
    static const char header[] = "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }";
    unsigned char file[128 + 12 * sizeof(float)];
    float v[12] = {5, 5, 9, 5, -2, 5,
                   5, 5, 5, 9, 5,  -2}; /* [2,0] and [0,3] are 9; [1,1] and [2,3] are -2 */
    memset(file, ' ', sizeof file);
    memcpy(file, "\x93NUMPY\1\0\x76\0", 10);
    memcpy(file + 10, header, sizeof header - 1);
    file[127] = '\n';
    memcpy(file + 128, v, sizeof v);
    onepass_input in = input_of(test_file("v.npy", file, sizeof file), NULL);
    check_values("argmin, argmax, first, last, sum", &in, 1, NULL, 0, 0);
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_bench_options o = few_runs();
    onepass_bench_report *r = bench_with("argmin, argmax", &in, 1, NULL, &o, &err);
    CHECKF(r != NULL, "%s", err.message);
    if (r == NULL) return;
    CHECK(r->rows[0].values[0].value == 5 && r->rows[0].values[1].value == 3);
    onepass_bench_report_free(r);
}

/* The values of an extent by inexact accumulators: stored ones, or with bytes NULL `constant`. */
static void inexact_values_of(struct program *p, const struct kernels *kernels, struct extent *e,
                              const unsigned char *bytes, double *values) {
    struct evaluator *ev;
    CHECK(evaluator_create(p, kernels, &ev, NULL) == 0);
    e->fetch = bytes != NULL ? FETCH_RANGE : FETCH_CONSTANT;
    evaluator_extent(ev, e, bytes);
    for (size_t k = 0; k < p->pipelines[0].nreductions; k++)
        values[k] = inexact_state_finish(evaluator_state(ev)->inexact, &p->pipelines[0],
                                         &p->pipelines[0].reductions[k]);
    evaluator_free(ev);
}

/* An extent of a constant is its elements one by one. */
static void test_constant_extent(void) {
    static const char text[] = "where(x > -5)|x * 3|sum,count,argmin,last,nnan,sumsq";
    static const double constants[] = {0.1, -7, NAN, 2};
    static double v[2500];
    onepass_program *program;
    struct program *p;
    const struct kernels *kernels;
    CHECK(onepass_program_parse(text, strlen(text), &program, NULL) == 0);
    CHECK(program_lower(program, CLASS_F64, 0, &p, NULL) == 0 &&
          kernels_find(NULL, &kernels, NULL) == 0);
    p->inexact = 1;
    for (int c = 0; c < 4; c++) {
        double stored[6], filled[6];
        struct place place = {.ndim = 1, .shape = {3000}, .base = 7};
        struct extent e = {.layout = {DTYPE_F64, 0, sizeof *v}, .place = &place, .first = 500};
        e.nelems = 2500;
        e.constant = (struct scalar){TYPE_F64, 0, 0, constants[c]};
        for (int k = 0; k < 2500; k++)
            v[k] = constants[c];
        inexact_values_of(p, kernels, &e, (const unsigned char *)v, stored);
        inexact_values_of(p, kernels, &e, NULL, filled);
        for (int k = 0; k < 6; k++)
            CHECKF(same(stored[k], filled[k]), "%g: value %d is %g, not %g", constants[c], k, filled[k],
                   stored[k]);
        CHECK(filled[1] == (c == 0 || c == 3 ? 2500 : 0) && (c != 3 || filled[0] == 15000));
    }
    program_free(p);
    onepass_program_free(program);
}

/* ---- what rows declare ---- */

/* Bytes an element for f32. */
static void test_costs(void) {
    static const struct {
        const char *pipeline;
        uint64_t passes, memory, intermediate, moved;
    } cases[] = {
        {"sum", 1, 4, 0, 4},
        {"min, max", 2, 4, 0, 8},
        {"abs|sum", 2, 12, 8, 20},           /* 4 > 8, 8 */
        {"abs|sqrt|sum", 3, 20, 16, 36},     /* 4 > 8, 8 > 8, 8 */
        {"abs|sqrt|log|sum", 4, 20, 24, 52}, /* the first array again */
        {"x*x|sum", 2, 12, 8, 20},
        {"x > 0|sum", 2, 12, 8, 20}, /* a constant is no array */
        {"where(x > 0)|sum", 3, 13, 9, 4 + 8 + 8 + 1 + 4 + 1},
        {"where(x > 0)|count", 3, 13, 9, 4 + 8 + 8 + 1 + 1},
        {"count", 0, 4, 0, 0},
        {"sumsq", 2, 12, 8, 20},
        {"std", 4, 12, 16, 4 + 12 + 16 + 8}, /* sum; x - mean; squared in place; sum */
        {"geomean", 2, 12, 8, 20},
        {"range", 2, 4, 0, 8},
        {"norm1", 2, 12, 8, 20},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        onepass_program *program = NULL;
        struct program *lowered = NULL;
        struct naive_plan *plan = NULL;
        CHECK(onepass_program_parse(cases[k].pipeline, strlen(cases[k].pipeline), &program, NULL) == 0);
        CHECK(program_lower(program, CLASS_F64, 0, &lowered, NULL) == 0);
        CHECK(naive_plan_create(lowered, &plan, NULL) == 0);
        struct naive_cost c = naive_plan_cost(plan, 1000, 4);
        CHECKF(c.passes == cases[k].passes && c.memory_bytes == 1000 * cases[k].memory &&
                   c.intermediate_bytes == 1000 * cases[k].intermediate &&
                   c.moved_bytes == 1000 * cases[k].moved,
               "%s: %llu passes, %llu, %llu, %llu", cases[k].pipeline, (unsigned long long)c.passes,
               (unsigned long long)c.memory_bytes, (unsigned long long)c.intermediate_bytes,
               (unsigned long long)c.moved_bytes);
        c = naive_plan_cost(plan, UINT64_MAX / 2, 4);
        CHECK(c.memory_bytes == UINT64_MAX); /* and not what is left of the product */
        naive_plan_free(plan);
        program_free(lowered);
        onepass_program_free(program);
    }
}

static void test_report(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_bench_options o = ONEPASS_BENCH_OPTIONS_INIT;
    onepass_input in = ONEPASS_INPUT_INIT;
    o.runs = 3, o.nbytes = 40003;
    onepass_bench_report *r = bench_with("abs|sum, max", &in, 2, NULL, &o, &err);
    CHECKF(r != NULL, "%s", err.message);
    if (r == NULL) return;
    CHECK(r->nrows == 3 && r->nvalues == 2 && r->runs == 3 && r->warmup == 1 && r->threads == 2);
    CHECK(r->made && r->nbytes == 40000 && r->result->n == 10000);
    CHECK(strcmp(r->result->dtype, "f32") == 0 && r->fault == NULL);
    const onepass_bench_row *naive = &r->rows[0], *fused = &r->rows[1], *exact = &r->rows[2];
    CHECK(naive->passes == 3 && naive->intermediate_bytes == 80000 && naive->moved_bytes == 280000);
    CHECK(fused->passes == 1 && fused->intermediate_bytes == 0 && fused->moved_bytes == 40000);
    CHECK(exact->passes == 1 && exact->moved_bytes == 40000 && exact->ndistinct == 1);
    CHECK(naive->speedup == 1 && exact->speedup == naive->median_seconds / exact->median_seconds);
    CHECK(exact->bytes_per_second == 40000 / exact->median_seconds);
    CHECK(exact->ulps[0] == 0 && strcmp(exact->values[1].column, "max") == 0);
    onepass_bench_report_free(r);
}

static void test_refused(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_bench_options o = few_runs();
    onepass_input in = ONEPASS_INPUT_INIT;
    o.nbytes = 3;
    CHECK(bench_with("sum", &in, 1, NULL, &o, &err) == NULL && err.code == ONEPASS_BAD_ARGUMENT);
    o.nbytes = UINT64_C(1) << 50;
    CHECK(bench_with("sum", &in, 1, NULL, &o, &err) == NULL && err.code == ONEPASS_NO_MEMORY);
    o.nbytes = 4096;
    in.dtype = "f33";
    CHECK(bench_with("sum", &in, 1, NULL, &o, &err) == NULL && err.code == ONEPASS_BAD_ARGUMENT);
    in.dtype = "f32be", in.endian = 'l';
    CHECK(bench_with("sum", &in, 1, NULL, &o, &err) == NULL && err.code == ONEPASS_BAD_ARGUMENT);
    in = input_of("-", "f32");
    CHECK(bench_with("sum", &in, 1, NULL, &o, &err) == NULL && err.code == ONEPASS_BAD_ARGUMENT);
    in = input_of("/dev/null", "f32");
    CHECK(bench_with("sum", &in, 1, NULL, &o, &err) == NULL && err.code == ONEPASS_NOT_READABLE);
    in = input_of(test_path("none.f32"), NULL);
    CHECK(bench_with("sum", &in, 1, NULL, &o, &err) == NULL && err.code == ONEPASS_OPEN_FAILED);
    o.runs = 0;
    CHECK(bench_with("sum", &in, 1, NULL, &o, &err) == NULL && err.code == ONEPASS_BAD_ARGUMENT);
}

static int nticks;
static onepass_context *ticking;
static uint64_t last_done;

static void count_tick(void *user, const onepass_progress *p) {
    (void)user;
    CHECK(p->total_bytes == 3 * 6 * 4000 && p->done_bytes == (uint64_t)nticks * 4000);
    last_done = p->done_bytes;
    if (++nticks == 11) onepass_context_cancel(ticking);
}

/* Progress between runs, and never from within one; cancelling ends a benchmark at once. */
static void test_progress_and_cancel(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_bench_options o = ONEPASS_BENCH_OPTIONS_INIT;
    onepass_config config = ONEPASS_CONFIG_INIT;
    onepass_input in = ONEPASS_INPUT_INIT;
    onepass_program *program = NULL;
    onepass_bench_report *report = NULL;
    config.progress = count_tick;
    o.runs = 4, o.warmup = 2, o.nbytes = 4000;
    CHECK(onepass_program_parse("sum", 3, &program, &err) == 0);
    CHECK(onepass_context_create(&config, &ticking, &err) == 0);
    CHECK(onepass_bench(ticking, program, &in, &o, &report, &err) == ONEPASS_CANCELLED);
    CHECK(report == NULL && nticks == 11 && last_done == 40000);
    onepass_context_free(ticking);
    onepass_program_free(program);
}

/* Descriptors that are closed twice may be somebody else's by then. */
static void test_no_descriptor_is_left(void) {
    atomic_int cancel = 1;
    onepass_error err = ONEPASS_ERROR_INIT;
    int fd = 0, lowest = dup(0);
    close(lowest);
    CHECK(bench_data_file(DTYPE_F32, 0, 100000, 2, &cancel, &fd, &err) == ONEPASS_CANCELLED);
    CHECK(fd == -1);
    int again = dup(0);
    CHECK(again == lowest);
    close(again);
}

/* Nobody waits on a barrier that there is not. */
static void test_without_barrier(void) {
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_bench_options o = few_runs();
    onepass_input in = ONEPASS_INPUT_INIT;
    o.nbytes = 100000;
    no_barrier = 1;
    CHECK(bench_with("abs|sum", &in, 3, NULL, &o, &err) == NULL && err.code == ONEPASS_NO_MEMORY);
    no_barrier = 0;
}

static void *look_at_signals(void *blocked) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    *(int *)blocked = 1 + sigismember(&mask, SIGINT) * sigismember(&mask, SIGUSR1);
    return NULL;
}

/* A host program's handlers run in its own threads. */
static void test_team(void) {
    pthread_t threads[3];
    int blocked[4] = {0}, own;
    int n = team_start(threads, 3, look_at_signals, blocked, sizeof *blocked);
    team_join(threads, n);
    look_at_signals(&own);
    CHECK(n == 3 && own == 1);
    CHECK(blocked[0] == 2 && blocked[1] == 2 && blocked[2] == 2 && blocked[3] == 0);
}

/* ---- many runs ---- */

static void test_spread(void) {
    double median, spread, v[] = {4, 1, 3, 2, 100};
    CHECK(bench_spread(v, 5, &median, &spread, NULL) == 0 && median == 3 && spread == 1.0 / 3);
    CHECK(bench_spread(v, 4, &median, &spread, NULL) == 0 && median == 2.5 && spread == 0.3);
    CHECK(bench_spread(v, 1, &median, &spread, NULL) == 0 && median == 4 && isnan(spread));
    CHECK(v[0] == 4); /* the runs keep their order */
}

static void test_ulps(void) {
    CHECK(bench_ulps(1, 1) == 0 && bench_ulps(0.0, -0.0) == 0 && bench_ulps(NAN, NAN) == 0);
    CHECK(bench_ulps(INFINITY, INFINITY) == 0 && bench_ulps(1, 1 + 0x1p-52) == 1);
    CHECK(bench_ulps(0x1p-1074, -0x1p-1074) == 2 && bench_ulps(2, 2 - 0x1p-52) == 1);
    CHECK(bench_ulps(1, NAN) == ONEPASS_NO_ULPS && bench_ulps(-INFINITY, 1) == ONEPASS_NO_ULPS);
    CHECK(bench_ulps(INFINITY, -INFINITY) == ONEPASS_NO_ULPS);
    CHECK(bench_ulps(0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023) == 0xffdffffffffffffe);
}

static void test_verdict(void) {
    struct arena arena = {0};
    const onepass_value values[] = {{.column = "sum", .text = "2"}, {.column = "2:max", .text = "1.5"}};
    char *keys[] = {"2\n1.5\n", "2\n1.5\n", "2\n1.25\n", "20\n1.5\n"};
    CHECK(bench_fault(&arena, keys, 2, "2\n1.5\n", values, 2) == NULL);
    const char *fault = bench_fault(&arena, keys, 4, "2\n1.5\n", values, 2);
    CHECK(fault &&
          strcmp(fault, "2:max is 1.25 in run 3, but 1.5 by one thread of portable code") == 0);
    fault = bench_fault(&arena, keys + 3, 1, "2\n1.5\n", values, 2);
    CHECK(fault && strcmp(fault, "sum is 20 in run 1, but 2 by one thread of portable code") == 0);
    CHECK(bench_count_distinct(keys, 4) == 3 && bench_count_distinct(keys, 2) == 1);
    char *key = bench_key(values, 2);
    CHECK(key && strcmp(key, "2\n1.5\n") == 0);
    free(key);
    arena_free(&arena);
}

/* Inexact values print as the exact ones do where they can. */
static void test_value_texts(void) {
    struct arena arena = {0};
    const onepass_value integer = {.kind = ONEPASS_INTEGER, .type = "integer"};
    const onepass_value narrow = {.kind = ONEPASS_REAL, .type = "f32"};
    CHECK(strcmp(bench_value(&arena, &integer, -9007199254740994).text, "-9007199254740994") == 0);
    CHECK(strcmp(bench_value(&arena, &integer, 0x1p64).text, "1.8446744073709552e+19") == 0);
    CHECK(strcmp(bench_value(&arena, &integer, 0.5).type, "f64") == 0);
    CHECK(bench_value(&arena, &integer, NAN).hex == NULL);
    CHECK(strcmp(bench_value(&arena, &narrow, (double)0.1f).text, "0.1") == 0);
    CHECK(strcmp(bench_value(&arena, &narrow, 0.1).text, "0.1") == 0);
    CHECK(strcmp(bench_value(&arena, &narrow, 0.1 + 0x1p-55).text, "0.10000000000000003") == 0);
    arena_free(&arena);
}

/* ---- memory ---- */

static void write_text(const char *name, const char *text) {
    test_file(name, text, strlen(text));
}

static void test_memory(void) {
    char root[512], info[512], membership[512];
    snprintf(info, sizeof info, "%s", test_path("meminfo"));
    snprintf(membership, sizeof membership, "%s", test_path("cgroup"));
    snprintf(root, sizeof root, "%s", test_path("root"));
    write_text("meminfo", "MemTotal:  32000 kB\nMemAvailable:   20000 kB\nBuffers: 1 kB\n");
    write_text("cgroup", "0::/job/step\n");
    CHECK(memory_available(info, membership, root) == 20000 * 1024);
    CHECK(memory_available("/nonexistent", "/nonexistent", root) == UINT64_MAX);
    mkdir(root, 0700), mkdir(test_path("root/job"), 0700), mkdir(test_path("root/job/step"), 0700);
    write_text("root/job/memory.max", "5000000\n");
    write_text("root/job/memory.current", "4000000\n");
    CHECK(memory_available(info, membership, root) == 1000000);
    write_text("root/job/memory.stat", "anon 1\ninactive_file 300000\nactive_file 200000\nfile 9\n");
    CHECK(memory_available(info, membership, root) == 1500000);
    write_text("root/job/step/memory.max", "max\n");
    CHECK(memory_available(info, membership, root) == 1500000);
    write_text("root/job/memory.current", "9000000\n");
    CHECK(memory_available(info, membership, root) == 0);
    /* version 1 */
    write_text("cgroup", "9:cpu,cpuacct:/a\n4:memory:/b\n");
    mkdir(test_path("root/memory"), 0700), mkdir(test_path("root/memory/b"), 0700);
    write_text("root/memory/b/memory.limit_in_bytes", "3000\n");
    write_text("root/memory/b/memory.usage_in_bytes", "1000\n");
    CHECK(memory_available(info, membership, root) == 2000);
}

static const struct test tests[] = {
    {"inexact_loops", test_loops},
    {"inexact_knows_every_reduction", test_every_reduction},
    {"bench_sizes_and_threads", test_sizes_and_threads},
    {"bench_isas_and_nan", test_isas_and_nan},
    {"bench_wide_integers", test_wide},
    {"bench_rounded", test_rounded},
    {"bench_nan_skipped_before_prepared", test_skipped_before_prepared},
    {"bench_constant_extent", test_constant_extent},
    {"bench_cancellation_shows", test_cancellation},
    {"bench_fortran_indices", test_fortran},
    {"bench_costs", test_costs},
    {"bench_report", test_report},
    {"bench_refused", test_refused},
    {"bench_progress_and_cancel", test_progress_and_cancel},
    {"bench_no_descriptor_is_left", test_no_descriptor_is_left},
    {"bench_without_barrier", test_without_barrier},
    {"team_blocks_signals", test_team},
    {"bench_spread", test_spread},
    {"bench_ulps", test_ulps},
    {"bench_verdict", test_verdict},
    {"bench_value_texts", test_value_texts},
    {"memory_available", test_memory},
};

int main(int argc, char **argv) {
    int rc = RUN_TESTS(tests);
    test_cleanup();
    return rc;
}
