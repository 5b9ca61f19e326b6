/* The seam between engine and backends, with a backend that uses bytes long after it got them, and
 * with one that fails. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "engine.h"
#include "error.h"
#include "reduce.h"
#include "temporary.h"

/* ---- a backend that takes its time ------------------------------------------------------------- */

#define MOST_PENDING 40

/* Extents are evaluated when somebody waits for their bytes, at the end, or when there are too many. */
struct worker {
    const struct late *b;
    struct evaluator *evaluator;
    struct reader_memory memory;
    struct {
        struct extent extent;
        const unsigned char *bytes;
    } pending[MOST_PENDING];
    size_t npending, nallocated;
};

struct late {
    struct backend base;
    size_t nbuffers;
    uint64_t fail_at;     /* the extent with this element fails, */
    int fail_us;          /* after so long, */
    int fail_late;        /* when it is waited for */
    int refuse_from;      /* workers from this number on cannot be made */
    size_t refuse_memory; /* allocations from this number on are refused; 0: none */
    /* seen: */
    atomic_int workers, finished, freed, waits, early_frees;
};

static int evaluate_oldest(struct worker *w, onepass_error *err) {
    const struct extent *e = &w->pending[0].extent;
    int fails = w->b->fail_late && w->b->fail_at - e->first < e->nelems;
    if (!fails) evaluator_extent(w->evaluator, e, w->pending[0].bytes);
    w->npending--;
    memmove(&w->pending[0], &w->pending[1], w->npending * sizeof w->pending[0]);
    if (!fails) return 0;
    return error_set(err, ONEPASS_NO_DEVICE, "late at %llu", (unsigned long long)w->b->fail_at);
}

static unsigned char *late_allocate(void *user, size_t nbytes, int needed) {
    struct worker *w = user;
    (void)needed;
    if (w->b->refuse_memory != 0 && w->nallocated >= w->b->refuse_memory) return NULL;
    w->nallocated++;
    return aligned_alloc(4096, (nbytes + 4095) / 4096 * 4096);
}

static void late_free_memory(void *user, unsigned char *memory) {
    struct worker *w = user;
    struct late *b = (struct late *)w->b;
    if (memory != NULL && w->npending > 0) atomic_fetch_add(&b->early_frees, 1);
    free(memory);
}

/* In the order they came, as in a stream of a GPU. */
static int late_wait(void *user, const unsigned char *bytes, onepass_error *err) {
    struct worker *w = user;
    struct late *b = (struct late *)w->b;
    size_t last = w->npending;
    int rc = 0;
    while (last > 0 && w->pending[last - 1].bytes != bytes)
        last--;
    if (last > 0) atomic_fetch_add(&b->waits, 1);
    while (rc == 0 && last-- > 0)
        rc = evaluate_oldest(w, err);
    return rc;
}

static void late_free(struct worker *w) {
    if (w == NULL) return;
    atomic_fetch_add(&((struct late *)w->b)->freed, 1);
    evaluator_free(w->evaluator);
    free(w);
}

static int late_create(const struct backend *backend, int k, size_t most_bytes, struct worker **out,
                       onepass_error *err) {
    struct late *b = (struct late *)backend;
    if (k >= b->refuse_from) return error_set(err, ONEPASS_NO_DEVICE, "no room for worker %d", k);
    CHECK(most_bytes > 0);
    struct worker *w = calloc(1, sizeof *w);
    if (w == NULL || evaluator_create(backend->program, test_kernels(), &w->evaluator, err) != 0)
        abort();
    atomic_fetch_add(&b->workers, 1);
    w->b = b;
    w->memory = (struct reader_memory){w, b->nbuffers, late_allocate, late_free_memory, late_wait};
    *out = w;
    return 0;
}

static const struct reader_memory *late_memory(struct worker *w) {
    return &w->memory;
}

static int late_extent(struct worker *w, const struct extent *e, const unsigned char *bytes,
                       onepass_error *err) {
    if (!w->b->fail_late && w->b->fail_at - e->first < e->nelems) {
        usleep((useconds_t)w->b->fail_us);
        return error_set(err, ONEPASS_NO_DEVICE, "extent at %llu", (unsigned long long)w->b->fail_at);
    }
    if (w->npending == MOST_PENDING) {
        int rc = evaluate_oldest(w, err);
        if (rc != 0) return rc;
    }
    w->pending[w->npending].extent = *e;
    w->pending[w->npending++].bytes = bytes;
    return 0;
}

static int late_finish(struct worker *w, struct state **state, onepass_error *err) {
    int rc = 0, first = 0;
    atomic_fetch_add(&((struct late *)w->b)->finished, 1);
    *state = evaluator_state(w->evaluator);
    while (w->npending > 0) {
        rc = evaluate_oldest(w, first == 0 ? err : NULL);
        if (first == 0) first = rc;
    }
    return first;
}

static struct late late_backend(const struct program *p, size_t nbuffers) {
    static const struct backend_ops ops = {"late",      late_create, late_memory,
                                           late_extent, late_finish, late_free};
    return (struct late){
        .base = {.ops = &ops, .program = p, .piece_bytes = 65536, .bytes_per_worker = 1},
        .nbuffers = nbuffers,
        .fail_at = UINT64_MAX,
        .refuse_from = 1000};
}

/* ---- running ------------------------------------------------------------------------------------ */

#define NELEMS ((size_t)300000)

static uint32_t values[NELEMS];

struct outcome {
    int rc;
    onepass_error err;
    int workers;
    unsigned char *bytes; /* of the state */
    size_t nbytes;
};

static const char pipeline[] = "sum, count, first, last, argmax, argmin";

static struct outcome run(onepass_context *ctx, const struct backend *backend, const onepass_input *in,
                          size_t nin) {
    struct outcome o = {.err = ONEPASS_ERROR_INIT};
    struct source *sources[3];
    struct state *total = NULL;
    struct engine_report report = {0};
    for (size_t k = 0; k < nin; k++)
        if (source_open(&in[k], NULL, &sources[k], &o.err) != 0) abort();
    if (state_create(backend->program, test_kernels(), &total, NULL) != 0) abort();
    o.rc = engine_run(ctx, sources, nin, backend, total, &report, &o.err);
    o.workers = report.workers;
    if (o.rc == 0) CHECK(state_store(total, &o.bytes, &o.nbytes, NULL) == 0);
    state_free(total);
    for (size_t k = 0; k < nin; k++)
        source_close(sources[k]);
    return o;
}

static onepass_context *context(int threads, uint64_t piece, const char *reader) {
    onepass_config config = ONEPASS_CONFIG_INIT;
    onepass_context *ctx = NULL;
    config.threads = threads;
    config.piece_bytes = piece;
    config.reader = reader;
    if (onepass_context_create(&config, &ctx, NULL) != 0) abort();
    return ctx;
}

static onepass_input file_input(void) {
    onepass_input in = ONEPASS_INPUT_INIT;
    static char path[512];
    if (path[0] == '\0') {
        for (size_t k = 0; k < NELEMS; k++)
            values[k] = (uint32_t)(k * 2654435761u);
        strcpy(path, test_file("x.u32", values, sizeof values));
    }
    in.path = path;
    in.endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 'b' : 'l';
    return in;
}

/* What the CPU gives. */
static struct outcome wanted(const struct program *p, const onepass_input *in, size_t nin) {
    struct backend_cpu cpu;
    onepass_context *ctx = context(1, 0, "pread");
    backend_cpu_init(&cpu, p, test_kernels());
    struct outcome o = run(ctx, &cpu.base, in, nin);
    onepass_context_free(ctx);
    return o;
}

static void check_same(struct outcome *got, const struct outcome *want, const char *what) {
    CHECKF(got->rc == 0, "%s: %s", what, got->err.message);
    CHECKF(got->nbytes == want->nbytes && memcmp(got->bytes, want->bytes, want->nbytes) == 0, "%s",
           what);
    free(got->bytes);
}

static void check_left(const struct late *b, const char *what) {
    CHECKF(b->finished == b->workers && b->freed == b->workers && b->early_frees == 0,
           "%s: %d workers, %d finished, %d freed, %d too early", what, b->workers, b->finished,
           b->freed, b->early_frees);
}

/* ---- tests -------------------------------------------------------------------------------------- */

static void memory_is_waited_for(void) {
    static const char *const readers[] = {NULL, "pread", "direct", "uring"};
    static const uint64_t pieces[] = {0, 4096, 20000, 65536, 1 << 20};
    struct reducer r = reducer_open(pipeline, CLASS_NARROW, 0);
    onepass_input in = file_input();
    struct outcome want = wanted(r.program, &in, 1);
    int waits = 0;
    for (size_t k = 0; k < 4; k++)
        for (size_t p = 0; p < 5; p++)
            for (size_t nbuffers = 1; nbuffers <= 3; nbuffers++)
                for (int threads = 1; threads <= 3; threads += 2) {
                    char what[100];
                    struct late b = late_backend(r.program, nbuffers);
                    onepass_context *ctx = context(threads, pieces[p], readers[k]);
                    struct outcome o = run(ctx, &b.base, &in, 1);
                    onepass_context_free(ctx);
                    snprintf(what, sizeof what, "%s, pieces of %d, %d buffers, %d threads",
                             readers[k] ? readers[k] : "automatic", (int)pieces[p], (int)nbuffers,
                             threads);
                    check_left(&b, what);
                    waits += b.waits;
                    if (k >= 2 && o.rc == ONEPASS_NO_DEVICE) continue; /* not here */
                    check_same(&o, &want, what);
                }
    CHECK(waits > 100);
    free(want.bytes);
    reducer_close(&r);
}

static void buffers_that_are_refused_are_done_without(void) {
    struct reducer r = reducer_open(pipeline, CLASS_NARROW, 0);
    onepass_input in = file_input();
    struct outcome want = wanted(r.program, &in, 1);
    for (size_t allowed = 1; allowed <= 3; allowed++) {
        struct late b = late_backend(r.program, 3);
        onepass_context *ctx = context(2, 4096, "pread");
        b.refuse_memory = allowed;
        struct outcome o = run(ctx, &b.base, &in, 1);
        onepass_context_free(ctx);
        check_same(&o, &want, "refused buffers");
        check_left(&b, "refused buffers");
    }
    free(want.bytes);
    reducer_close(&r);
}

static void *write_values(void *end) {
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t at = 0; at < sizeof values;) {
        ssize_t n =
            write(*(int *)end, bytes + at, sizeof values - at < 5000 ? sizeof values - at : 5000);
        if (n <= 0) abort();
        at += (size_t)n;
    }
    close(*(int *)end);
    return NULL;
}

/* Sources put the bytes of streams into the buffer themselves. */
static void streams_wait_for_memory_too(void) {
    struct reducer r = reducer_open(pipeline, CLASS_NARROW, 0);
    onepass_input file = file_input();
    struct outcome want = wanted(r.program, &file, 1);
    for (size_t nbuffers = 1; nbuffers <= 3; nbuffers++)
        for (int threads = 1; threads <= 4; threads += 3) {
            int ends[2];
            pthread_t writer;
            struct late b = late_backend(r.program, nbuffers);
            onepass_context *ctx = context(threads, 8192, NULL);
            onepass_input in = file;
            if (pipe(ends) != 0 || pthread_create(&writer, NULL, write_values, &ends[1]) != 0) abort();
            in.path = "-";
            in.fd = ends[0];
            in.dtype = "u32";
            struct outcome o = run(ctx, &b.base, &in, 1);
            pthread_join(writer, NULL);
            close(ends[0]);
            onepass_context_free(ctx);
            check_same(&o, &want, "a stream");
            check_left(&b, "a stream");
            CHECK(b.waits > 0);
        }
    free(want.bytes);
    reducer_close(&r);
}

/* The error of the lowest extent is reported, whichever worker had it and however late it comes. */
static void errors_of_extents_do_not_depend_on_threads(void) {
    struct reducer r = reducer_open(pipeline, CLASS_NARROW, 0);
    onepass_input in[2] = {file_input(), file_input()};
    in[0].count = 100000;
    in[1].count = 50000; /* shorter: the fault is in the first input only */
    for (int threads = 1; threads <= 4; threads++)
        for (int late = 0; late < 2; late++) {
            struct late b = late_backend(r.program, 2);
            onepass_context *ctx = context(threads, 4096, "pread");
            b.fail_at = 77777;
            b.fail_late = late;
            b.fail_us = 3000;
            struct outcome o = run(ctx, &b.base, in, 2);
            onepass_context_free(ctx);
            CHECKF(o.rc == ONEPASS_NO_DEVICE && strstr(o.err.message, "at 77777"), "%d threads: %d, %s",
                   threads, o.rc, o.err.message);
            CHECK(late || o.err.part == 0); /* a late one is that of the extent at hand */
            check_left(&b, "after an error");
        }
    reducer_close(&r);
}

/* One that shows only at the end, after the last extent was read: still no number. */
static void an_error_at_the_end(void) {
    struct reducer r = reducer_open(pipeline, CLASS_NARROW, 0);
    onepass_input in = file_input();
    for (int threads = 1; threads <= 3; threads++) {
        struct late b = late_backend(r.program, 3);
        onepass_context *ctx = context(threads, 1 << 20, "pread"); /* two extents: nobody waits */
        b.fail_at = NELEMS - 1;
        b.fail_late = 1;
        struct outcome o = run(ctx, &b.base, &in, 1);
        onepass_context_free(ctx);
        CHECKF(o.rc == ONEPASS_NO_DEVICE && strstr(o.err.message, "late at 299999"), "%s",
               o.err.message);
        check_left(&b, "an error at the end");
    }
    reducer_close(&r);
}

static void workers_that_cannot_be_had(void) {
    struct reducer r = reducer_open(pipeline, CLASS_NARROW, 0);
    onepass_input in = file_input();
    struct outcome want = wanted(r.program, &in, 1);
    for (int refused = 0; refused < 3; refused++) {
        struct late b = late_backend(r.program, 2);
        onepass_context *ctx = context(3, 4096, "pread");
        b.refuse_from = refused;
        struct outcome o = run(ctx, &b.base, &in, 1);
        onepass_context_free(ctx);
        check_left(&b, "refused workers");
        if (refused > 0)
            check_same(&o, &want, "refused workers");
        else
            CHECKF(o.rc == ONEPASS_NO_DEVICE && strstr(o.err.message, "no room for worker"), "%s",
                   o.err.message);
    }
    free(want.bytes);
    reducer_close(&r);
}

static void most_workers_are_the_backends_to_say(void) {
    struct reducer r = reducer_open(pipeline, CLASS_NARROW, 0);
    onepass_input in = file_input();
    struct late b = late_backend(r.program, 2);
    onepass_context *ctx = context(7, 4096, "pread");
    b.base.workers = 2;
    struct outcome o = run(ctx, &b.base, &in, 1);
    CHECK(o.rc == 0 && o.workers >= 1 && o.workers <= 2 && b.workers == o.workers);
    free(o.bytes);
    onepass_context_free(ctx);
    reducer_close(&r);
}

static void cancelled_runs_leave_nothing_behind(void) {
    struct reducer r = reducer_open(pipeline, CLASS_NARROW, 0);
    onepass_input in = file_input();
    for (int threads = 1; threads <= 3; threads += 2) {
        struct late b = late_backend(r.program, 2);
        onepass_context *ctx = context(threads, 4096, "pread");
        onepass_context_cancel(ctx);
        struct outcome o = run(ctx, &b.base, &in, 1);
        CHECK(o.rc == ONEPASS_CANCELLED);
        check_left(&b, "cancelled");
        onepass_context_free(ctx);
    }
    reducer_close(&r);
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"backend_memory_is_waited_for", memory_is_waited_for},
        {"backend_buffers_that_are_refused", buffers_that_are_refused_are_done_without},
        {"backend_streams_wait_for_memory_too", streams_wait_for_memory_too},
        {"backend_errors_of_extents", errors_of_extents_do_not_depend_on_threads},
        {"backend_an_error_at_the_end", an_error_at_the_end},
        {"backend_workers_that_cannot_be_had", workers_that_cannot_be_had},
        {"backend_most_workers", most_workers_are_the_backends_to_say},
        {"backend_cancelled_runs", cancelled_runs_leave_nothing_behind},
    };
    int status = RUN_TESTS(tests);
    test_cleanup();
    return status;
}
