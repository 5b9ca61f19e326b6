/* onepass_bench: one program measured in several ways on the same data, by the same threads and the
 * same kernels for maps, the ways taking turns.
 *
 *   naive          bench_naive.c, arrays in memory
 *   fused inexact  the engine of onepass_run with inexact accumulators (inexact.h)
 *   onepass exact  onepass_run itself
 *
 * Owns the order of runs and the report; further rows go into the table below. */
#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_data.h"
#include "bench_naive.h"
#include "engine.h"
#include "error.h"
#include "fp_guard.h"
#include "inexact.h"
#include "memory_available.h"
#include "result.h"
#include "run.h"
#include "seconds.h"

#define MOST_RUNS 10000

struct bench;

/* Fills b->values (naive, inexact) or b->result. */
typedef int run_row(struct bench *b, onepass_error *err);
static run_row run_naive, run_fused, run_exact;

enum { ROW_NAIVE, ROW_FUSED, ROW_EXACT, NROWS };
static const struct {
    const char *name, *reads;
    run_row *run;
} row_table[NROWS] = {
    [ROW_NAIVE] = {"naive", "memory", run_naive},
    [ROW_FUSED] = {"fused inexact", "file", run_fused},
    [ROW_EXACT] = {"onepass exact", "file", run_exact},
};

/* What was seen of a row. */
struct measured {
    double *seconds;    /* by run */
    char **keys;        /* by run: the values (bench_key) */
    double *last;       /* values of the last run */
    const char *reader; /* of the last run */
};

struct whole_report {
    onepass_bench_report pub; /* first: what the caller holds */
    struct arena arena;
    onepass_result *result;
};

struct bench {
    onepass_context *ctx;
    const onepass_program *program;
    onepass_bench_options options;
    onepass_options run_options;
    onepass_input input;
    void (*progress)(void *user,
                     const onepass_progress *p); /* the context's, taken from it meanwhile */
    double start;
    int fd; /* of data that were made, else -1 */
    enum dtype dtype;
    int swap;
    uint64_t nelems, nbytes;
    struct program *lowered;
    struct naive_plan *plan;
    struct naive_cost cost;
    struct naive *naive;
    size_t nvalues;
    double *values;
    const char *reader; /* what the run at hand read by */
    struct measured measured[NROWS];
    struct whole_report *report;
};

/* ---- the data -------------------------------------------------------------------------------- */

/* Data that are to be made: how many of what. */
static int describe_made(struct bench *b, onepass_error *err) {
    int big_endian = -1;
    const char *type = b->input.dtype != NULL ? b->input.dtype : "f32";
    int rc = dtype_parse(type, strlen(type), &b->dtype, &big_endian, err);
    if (rc != 0) return rc;
    b->input.path = "-"; /* and not a name, whose extension could say more */
    b->input.dtype = type;
    rc = onepass_input_check(&b->input, err);
    if (rc != 0) return rc;
    if (big_endian < 0) big_endian = b->input.endian == 'b';
    b->swap = big_endian == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    size_t itemsize = dtype_table[b->dtype].itemsize;
    b->nelems = b->options.nbytes / itemsize;
    b->nbytes = b->nelems * itemsize;
    if (b->nelems > 0) return 0;
    return error_set(err, ONEPASS_BAD_ARGUMENT, "%llu bytes hold no element of %s",
                     (unsigned long long)b->options.nbytes, dtype_table[b->dtype].name);
}

static int describe_file(struct bench *b, onepass_error *err) {
    struct source *s;
    if (strcmp(b->input.path, "-") == 0)
        return error_set(err, ONEPASS_BAD_ARGUMENT,
                         "a benchmark reads its data many times, which standard input cannot be");
    int rc = source_open(&b->input, &b->ctx->cancel, &s, err);
    if (rc != 0) return rc;
    if (s->ops->fetch == NULL)
        rc = error_set(err, ONEPASS_NOT_READABLE,
                       "is no regular file, and a benchmark reads its data many times");
    b->dtype = s->dtype;
    b->nelems = s->nelems;
    b->nbytes = s->nelems * dtype_table[s->dtype].itemsize;
    source_close(s);
    return rc;
}

/* Data that were made lie behind a descriptor, whose position every run moves. */
static int rewind_data(struct bench *b, onepass_error *err) {
    if (b->fd < 0 || lseek(b->fd, 0, SEEK_SET) == 0) return 0;
    return error_system(err, ONEPASS_READ_FAILED, errno, "cannot read");
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int run_naive(struct bench *b, onepass_error *err) {
    b->reader = "memory";
    return naive_run(b->naive, b->values, err);
}

static int run_fused(struct bench *b, onepass_error *err) {
    struct run run;
    struct state *state = NULL;
    struct backend_cpu backend;
    struct engine_report report;
    int rc = run_open(&run, b->ctx, b->program, &b->input, 1, &b->run_options, err);
    if (rc != 0) return rc;
    run.program->inexact = 1;
    backend_cpu_init(&backend, run.program, b->ctx->kernels);
    rc = state_create(run.program, b->ctx->kernels, &state, err);
    if (rc == 0) rc = engine_run(b->ctx, run.sources, 1, &backend.base, state, &report, err);
    if (rc == 0) b->reader = reader_ways_name(report.ways);
    size_t k = 0;
    for (size_t i = 0; rc == 0 && i < b->program->npipelines; i++) {
        const struct lowered_pipeline *p = &run.program->pipelines[i];
        for (size_t j = 0; j < p->nreductions; j++)
            b->values[k++] = inexact_state_finish(state->inexact, p, &p->reductions[j]);
    }
    state_free(state);
    run_close(&run);
    return rc;
}

static int run_exact(struct bench *b, onepass_error *err) {
    onepass_result_free(b->report->result);
    b->report->result = NULL;
    int rc = onepass_run(b->ctx, b->program, &b->input, 1, &b->run_options, &b->report->result, err);
    if (rc == 0) b->reader = b->report->result->reader;
    return rc;
}

/* ---- values of a run ------------------------------------------------------------------------- */

/* The exact values of the last run of onepass, pipeline after pipeline. */
static const onepass_value *own_value(const struct bench *b, size_t k) {
    const onepass_result *r = b->report->result;
    size_t i = 0;
    for (; k >= r->pipelines[i].nvalues; i++)
        k -= r->pipelines[i].nvalues;
    return &r->pipelines[i].values[k];
}

static int apply_posts(struct bench *b, onepass_error *err) {
    size_t k = 0;
    for (size_t i = 0; i < b->program->npipelines; i++)
        for (size_t j = 0; j < b->program->pipelines[i].nreductions; j++) {
            int rc = result_posts(b->program, &b->program->pipelines[i], &b->values[k++], err);
            if (rc != 0) return rc;
        }
    return 0;
}

/* The values as a text; those of inexact accumulators printed as the exact ones would be. */
static int make_key(struct bench *b, int row, char **key, onepass_error *err) {
    struct arena arena = {0};
    onepass_value *values = calloc(b->nvalues + 1, sizeof *values);
    for (size_t k = 0; values != NULL && k < b->nvalues; k++) {
        const onepass_value *exact = own_value(b, k);
        values[k] = row == ROW_EXACT ? *exact : bench_value(&arena, exact, b->values[k]);
    }
    *key = values == NULL || arena.failed ? NULL : bench_key(values, b->nvalues);
    free(values);
    arena_free(&arena);
    return *key == NULL ? error_no_memory(err) : 0;
}

static void tick(const struct bench *b, uint64_t done) {
    uint64_t total = (uint64_t)(b->options.runs + b->options.warmup) * NROWS;
    if (b->progress == NULL) return;
    onepass_progress p = {sizeof p, done * b->nbytes, total * b->nbytes, done * b->nelems,
                          seconds_now() - b->start};
    b->progress(b->ctx->user, &p);
}

/* run < 0: not to be measured. */
static int run_one(struct bench *b, int row, int run, onepass_error *err) {
    struct measured *m = &b->measured[row];
    int rc = rewind_data(b, err);
    double start = seconds_now();
    if (rc == 0) rc = row_table[row].run(b, err);
    double seconds = seconds_now() - start;
    if (rc == 0 && row != ROW_EXACT) rc = apply_posts(b, err);
    if (rc != 0 || run < 0) return rc;
    m->seconds[run] = seconds;
    m->reader = b->reader;
    memcpy(m->last, b->values, b->nvalues * sizeof *m->last);
    return make_key(b, row, &m->keys[run], err);
}

/* The rows take turns, so that a change of the machine meets all of them.  The exact one goes first
 * once more, unmeasured: the others' values are printed like its values. */
static int run_rows(struct bench *b, onepass_error *err) {
    int rc = run_one(b, ROW_EXACT, -1, err);
    uint64_t done = 0;
    for (int run = -b->options.warmup; rc == 0 && run < b->options.runs; run++)
        for (int row = 0; rc == 0 && row < NROWS; row++) {
            tick(b, done++);
            rc = run_one(b, row, run, err);
        }
    return rc;
}

/* ---- before the first run -------------------------------------------------------------------- */

static uint64_t megabytes(uint64_t nbytes) {
    return nbytes / 1000000 + (nbytes % 1000000 != 0);
}

/* Better now than by the kernel's hand in the middle. */
static int check_memory(const struct bench *b, int is_made, onepass_error *err) {
    uint64_t needed, room = memory_available("/proc/meminfo", "/proc/self/cgroup", "/sys/fs/cgroup");
    if (__builtin_add_overflow(b->cost.memory_bytes, b->nbytes, &needed)) needed = UINT64_MAX;
    if (b->cost.moved_bytes < UINT64_MAX && needed <= room - room / 16) return 0;
    error_set(
        err, ONEPASS_NO_MEMORY,
        "the data and the arrays of the naive row take %llu MB, and %llu MB of memory are available",
        (unsigned long long)megabytes(needed), (unsigned long long)megabytes(room));
    error_hint(err, is_made ? "a smaller --size, or fewer stages" : "--count takes a part of the file");
    return ONEPASS_NO_MEMORY;
}

static int fill_naive(struct bench *b, onepass_error *err) {
    struct source *s;
    int rc = rewind_data(b, err);
    if (rc == 0) rc = source_open(&b->input, &b->ctx->cancel, &s, err);
    if (rc != 0) return rc;
    rc = naive_create(b->plan, b->ctx->kernels, s, b->ctx->threads, &b->ctx->cancel, &b->naive, err);
    source_close(s);
    return rc;
}

static int allocate(struct bench *b, onepass_error *err) {
    size_t nruns = (size_t)b->options.runs;
    int failed = (b->values = calloc(b->nvalues + 1, sizeof *b->values)) == NULL;
    for (int row = 0; row < NROWS; row++) {
        struct measured *m = &b->measured[row];
        failed |= (m->seconds = calloc(nruns, sizeof *m->seconds)) == NULL;
        failed |= (m->keys = calloc(nruns, sizeof *m->keys)) == NULL;
        failed |= (m->last = calloc(b->nvalues + 1, sizeof *m->last)) == NULL;
    }
    failed |= (b->report = calloc(1, sizeof *b->report)) == NULL;
    return failed ? error_no_memory(err) : 0;
}

static int prepare(struct bench *b, int is_made, onepass_error *err) {
    int rc = is_made ? describe_made(b, err) : describe_file(b, err);
    if (rc == 0)
        rc = program_lower(b->program, dtype_table[b->dtype].class, b->options.skip_nan, &b->lowered,
                           err);
    if (rc == 0) rc = naive_plan_create(b->lowered, &b->plan, err);
    if (rc != 0) return rc;
    b->cost = naive_plan_cost(b->plan, b->nelems, dtype_table[b->dtype].itemsize);
    rc = check_memory(b, is_made, err);
    if (rc == 0 && is_made)
        rc = bench_data_file(b->dtype, b->swap, b->nelems, b->ctx->threads, &b->ctx->cancel, &b->fd,
                             err);
    b->input.fd = b->fd;
    return rc == 0 ? fill_naive(b, err) : rc;
}

/* ---- after the last run ---------------------------------------------------------------------- */

/* What one thread of portable code gives. */
static int make_reference(struct bench *b, char **key, onepass_error *err) {
    struct onepass_context *ctx = b->ctx;
    const struct kernels *kernels = ctx->kernels, *portable;
    onepass_result *last = b->report->result;
    int threads = ctx->threads;
    enum device_kind device = ctx->wish.kind;
    int rc = kernels_find("portable", &portable, NULL);
    if (rc != 0) rc = kernels_find("noflags", &portable, err);
    if (rc == 0) rc = rewind_data(b, err);
    if (rc != 0) return rc;
    ctx->kernels = portable, ctx->threads = 1, ctx->wish.kind = DEVICE_CPU;
    b->report->result = NULL;
    rc = run_exact(b, err);
    ctx->kernels = kernels, ctx->threads = threads, ctx->wish.kind = device;
    if (rc == 0) rc = make_key(b, ROW_EXACT, key, err);
    onepass_result_free(b->report->result);
    b->report->result = last;
    return rc;
}

static int make_row(struct bench *b, int row, onepass_bench_row *out, onepass_error *err) {
    struct arena *arena = &b->report->arena;
    const struct measured *m = &b->measured[row];
    size_t nruns = (size_t)b->options.runs;
    double *seconds = arena_alloc(arena, nruns * sizeof *seconds);
    onepass_value *values = arena_alloc(arena, (b->nvalues + 1) * sizeof *values);
    uint64_t *ulps = arena_alloc(arena, (b->nvalues + 1) * sizeof *ulps);
    if (seconds == NULL || values == NULL || ulps == NULL) return error_no_memory(err);
    int is_naive = row == ROW_NAIVE;
    out->size = sizeof *out;
    out->name = row_table[row].name, out->reads = row_table[row].reads;
    out->reader = m->reader;
    out->passes = is_naive ? b->cost.passes : 1;
    out->intermediate_bytes = is_naive ? b->cost.intermediate_bytes : 0;
    out->moved_bytes = is_naive ? b->cost.moved_bytes : b->nbytes;
    memcpy(seconds, m->seconds, nruns * sizeof *seconds);
    for (size_t k = 0; k < b->nvalues; k++) {
        const onepass_value *exact = own_value(b, k);
        values[k] = row == ROW_EXACT ? *exact : bench_value(arena, exact, m->last[k]);
        ulps[k] = bench_ulps(values[k].value, exact->value);
    }
    out->seconds = seconds, out->values = values, out->ulps = ulps;
    out->ndistinct = bench_count_distinct(m->keys, nruns);
    int rc = bench_spread(seconds, nruns, &out->median_seconds, &out->spread, err);
    out->bytes_per_second = (double)b->nbytes / out->median_seconds;
    return rc;
}

static int make_report(struct bench *b, int is_made, onepass_error *err) {
    struct whole_report *w = b->report;
    onepass_bench_row *rows = arena_alloc(&w->arena, NROWS * sizeof *rows);
    char *reference = NULL;
    int rc = rows == NULL ? error_no_memory(err) : make_reference(b, &reference, err);
    for (int row = 0; rc == 0 && row < NROWS; row++) {
        rc = make_row(b, row, &rows[row], err);
        rows[row].speedup = rows[ROW_NAIVE].median_seconds / rows[row].median_seconds;
    }
    if (rc == 0)
        w->pub = (onepass_bench_report){
            .size = sizeof w->pub,
            .nrows = NROWS,
            .rows = rows,
            .nvalues = b->nvalues,
            .runs = b->options.runs,
            .warmup = b->options.warmup,
            .threads = b->ctx->threads,
            .nbytes = b->nbytes,
            .made = is_made,
            .seed = BENCH_SEED,
            .series = dtype_table[b->dtype].class == CLASS_F64 ? "normal" : "random bits",
            .result = w->result,
            .fault = bench_fault(&w->arena, b->measured[ROW_EXACT].keys, (size_t)b->options.runs,
                                 reference, rows[ROW_EXACT].values, b->nvalues)};
    free(reference);
    return rc == 0 && w->arena.failed ? error_no_memory(err) : rc;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void bench_end(struct bench *b) {
    for (int row = 0; row < NROWS; row++) {
        for (int run = 0; b->measured[row].keys != NULL && run < b->options.runs; run++)
            free(b->measured[row].keys[run]);
        free(b->measured[row].keys);
        free(b->measured[row].seconds);
        free(b->measured[row].last);
    }
    naive_free(b->naive);
    naive_plan_free(b->plan);
    program_free(b->lowered);
    free(b->values);
    if (b->fd >= 0) close(b->fd);
}

static int check_options(const onepass_bench_options *o, onepass_error *err) {
    if (o->size < sizeof *o)
        return error_set(err, ONEPASS_BAD_ARGUMENT,
                         "the options were not begun as ONEPASS_BENCH_OPTIONS_INIT");
    if (o->runs < 1 || o->runs > MOST_RUNS || o->warmup < 0 || o->warmup > MOST_RUNS)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "a benchmark has 1 to %d runs", MOST_RUNS);
    return 0;
}

int onepass_bench(onepass_context *ctx, const onepass_program *program, const onepass_input *input,
                  const onepass_bench_options *options, onepass_bench_report **out,
                  onepass_error *err) {
    fenv_t host;
    *out = NULL;
    int rc = check_options(options, err), is_made = input->path == NULL;
    if (rc == 0) rc = fp_guard_enter(&host, err);
    if (rc != 0) return rc;
    struct bench b = {.ctx = ctx,
                      .program = program,
                      .options = *options,
                      .run_options = ONEPASS_OPTIONS_INIT,
                      .input = *input,
                      .progress = ctx->progress,
                      .start = seconds_now(),
                      .fd = -1,
                      .nvalues = onepass_program_ncolumns(program)};
    b.run_options.skip_nan = options->skip_nan;
    ctx->progress = NULL; /* it would be measured too */
    rc = allocate(&b, err);
    if (rc == 0) rc = prepare(&b, is_made, err);
    if (rc == 0) rc = run_rows(&b, err);
    if (rc == 0) rc = make_report(&b, is_made, err);
    ctx->progress = b.progress;
    bench_end(&b);
    fp_guard_leave(&host);
    if (rc != 0)
        onepass_bench_report_free(b.report != NULL ? &b.report->pub : NULL);
    else
        *out = &b.report->pub;
    return rc;
}

void onepass_bench_report_free(onepass_bench_report *report) {
    if (report == NULL) return;
    struct whole_report *w = (struct whole_report *)report;
    onepass_result_free(w->result);
    arena_free(&w->arena);
    free(w);
}
