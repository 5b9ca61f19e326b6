/* The engine: workers take extents from one queue over all sources, fetch and evaluate them, and merge
 * their states when the queue is empty.
 *
 * Owns threads, buffers, cancelling, progress and which of several errors is reported.  It knows
 * nothing of formats (sources) or programs (evaluators).  Two locks: `taking` is held while a source
 * gives out an extent, which can wait for a stream; `lock` only for moments, so that progress never
 * waits. */
#include "engine.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "error.h"
#include "evaluator.h"

#define PAGE          4096
#define TICK_NS       100000000 /* between two calls of progress */
#define INLINE_PIECES 4 /* up to so few pieces of so few bytes, threads cost more than they save */
#define INLINE_BYTES  (1024 * 1024)

struct engine {
    struct onepass_context *ctx;
    struct source *const *sources;
    size_t nsources;
    const struct program *program;
    struct state *total;
    size_t buffer_bytes;
    uint64_t pieces;      /* extents to come, UINT64_MAX: unknown */
    uint64_t total_bytes; /* likewise */
    struct timespec began, ticked;

    pthread_mutex_t taking;
    size_t current;    /* source that gives out extents */
    uint64_t sequence; /* number of the next extent over all sources: orders errors */
    int started;       /* current source's base is set */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    int running, workers; /* threads alive; those ever started */
    int failed;
    uint64_t failed_sequence;
    onepass_error error;

    atomic_int stop, drained; /* an error ended the run; nothing is left to take */
    atomic_uint_fast64_t taken, covered, stored,
        nelems; /* extents; bytes passed, bytes read; elements */
};

struct job {
    struct extent extent;
    struct source *source;
    size_t part;
    uint64_t sequence;
};

/* ---- errors ----------------------------------------------------------------------------------- */

/* Keeps the error of the lowest extent: extents are taken in order and those taken are finished, so
 * that the error reported is the same for any number of threads. */
static void fail(struct engine *g, const struct job *j, const onepass_error *err) {
    pthread_mutex_lock(&g->lock);
    if (!g->failed || j->sequence < g->failed_sequence) {
        g->failed = 1;
        g->failed_sequence = j->sequence;
        g->error = *err;
        g->error.part = j->part;
    }
    pthread_mutex_unlock(&g->lock);
    atomic_store(&g->stop, 1);
    atomic_store(&g->drained, 1);
}

/* ---- the queue -------------------------------------------------------------------------------- */

/* A source's indices begin where those of the source before end; a stream's length is known only when
 * all its extents have been taken, which is why sources are taken one after the other. */
static int start_source(struct engine *g, onepass_error *err) {
    uint64_t base = 0;
    if (g->started) return 0;
    if (g->current > 0) {
        const struct source *before = g->sources[g->current - 1];
        if (__builtin_add_overflow(before->place.base, before->nelems, &base))
            return error_set(err, ONEPASS_UNSUPPORTED, "the inputs have more than 2^64 elements");
    }
    g->sources[g->current]->place.base = base;
    g->started = 1;
    return 0;
}

/* The next extent, with nelems 0 at the end of all; called with `taking` held. */
static int take_next(struct engine *g, unsigned char *buffer, struct job *j, onepass_error *err) {
    for (; g->current < g->nsources; g->current++, g->started = 0) {
        struct source *s = j->source = g->sources[j->part = g->current];
        size_t itemsize = dtype_table[s->dtype].itemsize, capacity = g->buffer_bytes;
        if (capacity > g->ctx->piece_bytes) capacity = (size_t)g->ctx->piece_bytes;
        if (capacity < itemsize) capacity = itemsize;
        int rc = start_source(g, err);
        if (rc == 0) rc = s->ops->next(s, buffer, capacity, &g->ctx->cancel, &j->extent, err);
        if (rc != 0 || j->extent.nelems != 0) return rc;
    }
    return 0;
}

/* 1: *j is to be done; 0: nothing is left, or the run is over. */
static int take(struct engine *g, unsigned char *buffer, struct job *j) {
    onepass_error err = ONEPASS_ERROR_INIT;
    pthread_mutex_lock(&g->taking);
    memset(&j->extent, 0, sizeof j->extent);
    int rc = 0, more = !atomic_load(&g->stop);
    if (more) {
        j->sequence = g->sequence++;
        j->part = g->current < g->nsources ? g->current : 0;
        rc = atomic_load(&g->ctx->cancel) ? error_set(&err, ONEPASS_CANCELLED, "cancelled")
                                          : take_next(g, buffer, j, &err);
        more = rc == 0 && j->extent.nelems != 0;
        if (!more) atomic_store(&g->drained, 1);
    }
    pthread_mutex_unlock(&g->taking);
    if (rc != 0) fail(g, j, &err);
    return more;
}

/* ---- progress --------------------------------------------------------------------------------- */

static int64_t since(const struct timespec *then, const struct timespec *now) {
    return (int64_t)(now->tv_sec - then->tv_sec) * 1000000000 + (now->tv_nsec - then->tv_nsec);
}

/* In the calling thread only. */
static void tick(struct engine *g) {
    struct timespec now;
    if (g->ctx->progress == NULL) return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (since(&g->ticked, &now) < TICK_NS) return;
    g->ticked = now;
    onepass_progress p = {sizeof p, atomic_load(&g->covered), g->total_bytes, atomic_load(&g->nelems),
                          (double)since(&g->began, &now) / 1e9};
    if (p.done_bytes > p.total_bytes)
        p.done_bytes = p.total_bytes; /* behind the last strided element */
    g->ctx->progress(g->ctx->user, &p);
}

/* ---- workers ---------------------------------------------------------------------------------- */

static void count(struct engine *g, const struct extent *e) {
    atomic_fetch_add_explicit(&g->nelems, e->nelems, memory_order_relaxed);
    if (e->fetch == FETCH_CONSTANT) return;
    atomic_fetch_add_explicit(&g->covered, e->nelems * e->layout.stride_bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&g->stored, e->nbytes, memory_order_relaxed);
}

/* One more extent was taken: one more worker may find something to do. */
static void announce(struct engine *g) {
    atomic_fetch_add(&g->taken, 1);
    pthread_mutex_lock(&g->lock);
    if (g->workers < g->ctx->threads) pthread_cond_signal(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

static void work_off(struct engine *g, struct evaluator *ev, unsigned char *buffer, int is_inline) {
    struct job j;
    onepass_error err = ONEPASS_ERROR_INIT;
    while (take(g, buffer, &j)) {
        if (!is_inline && g->pieces == UINT64_MAX) announce(g);
        int rc = 0;
        if (j.extent.fetch == FETCH_RANGE) rc = j.source->ops->fetch(j.source, &j.extent, buffer, &err);
        if (rc != 0) {
            fail(g, &j, &err);
            return;
        }
        evaluator_extent(ev, &j.extent, buffer);
        count(g, &j.extent);
        if (is_inline) tick(g);
    }
}

static void work(struct engine *g, int is_inline) {
    onepass_error err = ONEPASS_ERROR_INIT;
    struct evaluator *ev = NULL;
    struct job none = {.sequence = 0};
    unsigned char *buffer = aligned_alloc(PAGE, g->buffer_bytes);
    int rc = buffer == NULL ? error_no_memory(&err)
                            : evaluator_create(g->program, g->ctx->kernels, &ev, &err);
    if (rc != 0)
        fail(g, &none, &err);
    else
        work_off(g, ev, buffer, is_inline);
    if (rc == 0 && !atomic_load(&g->stop)) {
        pthread_mutex_lock(&g->lock);
        state_merge(g->total, evaluator_state(ev));
        pthread_mutex_unlock(&g->lock);
    }
    evaluator_free(ev);
    free(buffer);
}

static void *run_worker(void *engine) {
    struct engine *g = engine;
    work(g, 0);
    pthread_mutex_lock(&g->lock);
    g->running--;
    pthread_cond_signal(&g->changed);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

/* ---- the calling thread ----------------------------------------------------------------------- */

/* Signals are the host program's: its handlers run in its own threads. */
static int start_thread(struct engine *g, pthread_t *thread) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int rc = pthread_create(thread, NULL, run_worker, g);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return rc;
}

/* Where the number of pieces is unknown, a worker is added for each extent taken, so that a short pipe
 * does not start a hundred threads. */
static int wants_worker(const struct engine *g, int limit) {
    if (g->workers >= limit || atomic_load(&g->drained)) return 0;
    return g->pieces != UINT64_MAX || (uint64_t)g->workers <= atomic_load(&g->taken);
}

static void wait_for_change(struct engine *g) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TICK_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&g->changed, &g->lock, &until);
}

/* Runs workers to the end.  A thread that cannot be had is done without; the first one's work falls to
 * the calling thread. */
static void supervise(struct engine *g, pthread_t *threads, int limit) {
    pthread_mutex_lock(&g->lock);
    do {
        while (wants_worker(g, limit)) {
            if (start_thread(g, &threads[g->workers]) != 0) {
                limit = g->workers;
                break;
            }
            g->workers++;
            g->running++;
        }
        if (g->running == 0) break;
        wait_for_change(g);
        pthread_mutex_unlock(&g->lock);
        tick(g);
        pthread_mutex_lock(&g->lock);
    } while (g->running > 0);
    pthread_mutex_unlock(&g->lock);
    for (int k = 0; k < g->workers; k++)
        pthread_join(threads[k], NULL);
    if (g->workers == 0) {
        g->workers = 1;
        work(g, 1);
    }
}

/* Sizes that decide about threads and buffers. */
static int measure(struct engine *g, onepass_error *err) {
    uint64_t piece = g->ctx->piece_bytes, largest = 0;
    int can_wait = 0;
    for (size_t k = 0; k < g->nsources; k++) {
        const struct source *s = g->sources[k];
        uint64_t nbytes = s->total_bytes;
        can_wait |= s->ops->fetch == NULL;
        if (nbytes > largest) largest = nbytes;
        g->total_bytes = nbytes > UINT64_MAX - g->total_bytes ? UINT64_MAX : g->total_bytes + nbytes;
        uint64_t pieces = nbytes == UINT64_MAX ? nbytes : nbytes / piece + 1;
        g->pieces = pieces > UINT64_MAX - g->pieces ? UINT64_MAX : g->pieces + pieces;
    }
    if (can_wait) g->pieces = UINT64_MAX;
    uint64_t nbytes = piece < largest ? piece : largest;
    nbytes = (nbytes + PAGE - 1) / PAGE * PAGE;
    if (nbytes == 0) nbytes = PAGE;
    if (nbytes > PTRDIFF_MAX) return error_no_memory(err);
    g->buffer_bytes = (size_t)nbytes;
    return 0;
}

static int run_workers(struct engine *g, onepass_error *err) {
    int limit = g->ctx->threads;
    if ((uint64_t)limit > g->pieces) limit = (int)g->pieces;
    /* A stream is left to a thread whenever somebody wants to see progress while it waits. */
    int waits = g->pieces == UINT64_MAX && g->ctx->progress != NULL;
    int small = g->pieces <= INLINE_PIECES && g->total_bytes <= INLINE_BYTES;
    if (small || (limit == 1 && !waits)) {
        g->workers = 1;
        work(g, 1);
        return 0;
    }
    pthread_t *threads = calloc((size_t)limit, sizeof *threads);
    if (threads == NULL) return error_no_memory(err);
    supervise(g, threads, limit);
    free(threads);
    return 0;
}

/* What only shows afterwards: files that are not as they were. */
static int check_sources(struct engine *g, onepass_error *err) {
    for (size_t k = 0; k < g->nsources; k++) {
        int rc = g->sources[k]->ops->check(g->sources[k], err);
        if (rc == 0) continue;
        error_part(err, k);
        return rc;
    }
    return 0;
}

static int init_locks(struct engine *g, onepass_error *err) {
    pthread_condattr_t attr;
    if (pthread_condattr_init(&attr) != 0) return error_no_memory(err);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    int rc = pthread_cond_init(&g->changed, &attr);
    pthread_condattr_destroy(&attr);
    if (rc != 0) return error_no_memory(err);
    pthread_mutex_init(&g->lock, NULL); /* these two cannot fail on Linux */
    pthread_mutex_init(&g->taking, NULL);
    return 0;
}

int engine_run(struct onepass_context *ctx, struct source *const *sources, size_t nsources,
               const struct program *program, struct state *total, struct engine_report *report,
               onepass_error *err) {
    struct engine g = {
        .ctx = ctx, .sources = sources, .nsources = nsources, .program = program, .total = total};
    int rc = measure(&g, err);
    if (rc == 0) rc = init_locks(&g, err);
    if (rc != 0) return rc;
    clock_gettime(CLOCK_MONOTONIC, &g.began);
    g.ticked = g.began;
    rc = run_workers(&g, err);
    if (rc == 0 && g.failed) rc = error_copy(err, &g.error);
    if (rc == 0) rc = check_sources(&g, err);
    report->workers = g.workers;
    report->stored_bytes = atomic_load(&g.stored);
    pthread_mutex_destroy(&g.taking);
    pthread_mutex_destroy(&g.lock);
    pthread_cond_destroy(&g.changed);
    return rc;
}
