/* The engine: workers take extents from one queue over all sources, fetch and evaluate them, and merge
 * their states when the queue is empty.
 *
 * Owns threads, buffers, cancelling, progress and which of several errors is reported.  It knows
 * nothing of formats (sources) or of programs and where they run (backends).  Two locks: `taking` is
 * held while a source gives out an extent, which can wait for a stream; `lock` while a worker is
 * started or its state merged, never while one waits or computes. */
#include "engine.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "error.h"
#include "input_file.h"
#include "team.h"

#define TICK_NS 100000000 /* between two calls of progress */

/* Past the page cache: so many bytes under way over all workers, in reads of so many. */
#define DIRECT_IN_FLIGHT ((uint64_t)16 << 20)
#define DIRECT_PIECE     ((uint64_t)1 << 20)
#define DIRECT_SMALLEST  ((uint64_t)64 << 10)
#define DIRECT_LARGEST   ((uint64_t)64 << 20)
#define MOST_SLOTS       16
#define DIRECT_FROM      ((uint64_t)4 << 20) /* smaller inputs are read before a ring is made */

struct engine {
    struct onepass_context *ctx;
    struct source *const *sources;
    size_t nsources;
    const struct backend *backend;
    struct state *total;
    struct reader_sizes sizes;
    int limit;            /* most workers */
    uint64_t piece;       /* most bytes of an extent that is not direct */
    uint64_t pieces;      /* extents to come, UINT64_MAX: unknown */
    uint64_t total_bytes; /* likewise */
    struct timespec began, ticked;

    pthread_mutex_t taking;
    size_t current;    /* source that gives out extents */
    uint64_t sequence; /* number of the next extent over all sources: orders errors */
    uint64_t given;    /* elements in the extents so far */
    int started;       /* current source's base is set */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    int running, workers; /* threads alive; those ever started */
    unsigned ways;
    int failed;
    uint64_t failed_sequence;
    onepass_error error;
    onepass_error refused; /* why a worker could not be made; no error while another works */

    atomic_int numbered;      /* workers that were tried */
    atomic_int stop, drained; /* an error ended the run; nothing is left to take */
    atomic_uint_fast64_t taken, covered, stored,
        nelems; /* extents; bytes passed, bytes read; elements */
};

/* ---- errors ----------------------------------------------------------------------------------- */

/* Keeps the error of the lowest extent: extents are taken in order and those taken are finished, so
 * that the error reported is the same for any number of threads. */
static void fail(struct engine *g, const struct piece *j, const onepass_error *err) {
    pthread_mutex_lock(&g->lock);
    if (!g->failed || j->sequence < g->failed_sequence) {
        g->failed = 1;
        g->failed_sequence = j->sequence;
        g->error = *err;
        g->error.part = j->part;
    }
    pthread_mutex_unlock(&g->lock);
    atomic_store(&g->stop, 1);
    atomic_store(&g->ctx->halt, 1); /* for who waits for a stream */
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
static int take_next(struct engine *g, unsigned char *buffer, struct piece *j, onepass_error *err) {
    for (; g->current < g->nsources; g->current++, g->started = 0) {
        struct source *s = j->source = g->sources[j->part = g->current];
        size_t itemsize = dtype_table[s->dtype].itemsize, capacity = g->sizes.buffer_bytes;
        if (capacity > g->piece) capacity = (size_t)g->piece;
        if (capacity < itemsize) capacity = itemsize;
        int rc = start_source(g, err);
        if (rc == 0) rc = s->ops->next(s, buffer, capacity, &g->ctx->halt, &j->extent, err);
        if (rc != 0 || j->extent.nelems != 0) return rc;
    }
    return 0;
}

/* 1: *j is to be done; 0: nothing is left, or the run is over. */
static int take(struct engine *g, unsigned char *buffer, struct piece *j) {
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
        g->given += j->extent.nelems;
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
    if (g->workers < g->limit) pthread_cond_signal(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

/* A worker of the backend, its reader, and the last extent that it was given. */
struct duty {
    struct worker *worker;
    struct reader *reader;
    struct piece last;
};

/* Takes an extent and gets it read; *j is NULL when there is none, and while it is on its way.  That
 * the buffer cannot be had again is an error of the last extent. */
static int begin_next(struct engine *g, struct duty *d, struct piece **j, int *more,
                      onepass_error *err) {
    struct piece *p = *j;
    unsigned char *buffer;
    int ready;
    *j = &d->last;
    *more = 0;
    int rc = reader_buffer(d->reader, &buffer, err);
    if (rc != 0) return rc;
    *j = NULL;
    *more = take(g, buffer, p);
    if (!*more) return 0;
    if (g->pieces == UINT64_MAX) announce(g);
    rc = reader_begin(d->reader, p, &ready, err);
    if (rc != 0 || ready) *j = p;
    return rc;
}

static int evaluate(struct engine *g, struct duty *d, const struct piece *j, onepass_error *err) {
    d->last = *j;
    int rc = g->backend->ops->extent(d->worker, &j->extent, j->bytes, err);
    if (rc == 0) count(g, &j->extent);
    return rc;
}

/* Fills the reader with extents before it waits for one.  After an error those under way are still
 * waited for: the first of them may have failed too. */
static void work_off(struct engine *g, struct duty *d, int is_inline) {
    onepass_error err = ONEPASS_ERROR_INIT;
    int more = 1, begins;
    struct piece *j;
    do {
        j = more ? reader_room(d->reader) : NULL;
        begins = j != NULL;
        int rc = begins ? begin_next(g, d, &j, &more, &err) : reader_wait(d->reader, &j, &err);
        if (rc == 0 && j != NULL && !atomic_load(&g->stop)) rc = evaluate(g, d, j, &err);
        if (rc != 0) fail(g, j, &err);
        if (is_inline) tick(g);
    } while (begins || j != NULL); /* until there is nothing to wait for */
}

/* What the worker accumulated, once that is complete.  Errors that show only now are its last
 * extent's. */
static void hand_in(struct engine *g, struct duty *d) {
    onepass_error err = ONEPASS_ERROR_INIT;
    struct state *state;
    int rc = g->backend->ops->finish(d->worker, &state, &err);
    if (rc != 0) fail(g, &d->last, &err);
    pthread_mutex_lock(&g->lock);
    g->ways |= reader_ways(d->reader);
    if (rc == 0 && !atomic_load(&g->stop)) state_merge(g->total, state);
    pthread_mutex_unlock(&g->lock);
}

static size_t most_bytes(const struct engine *g) {
    size_t direct = g->sizes.direct_bytes, buffer = g->sizes.buffer_bytes;
    return direct > buffer ? direct : buffer;
}

/* A worker for which there is no memory is done without; finish_alone() does what none of them did. */
static void work(struct engine *g, int is_inline) {
    const struct backend_ops *ops = g->backend->ops;
    onepass_error err = ONEPASS_ERROR_INIT;
    struct duty d = {.last = {.sequence = UINT64_MAX}};
    int rc = ops->create(g->backend, atomic_fetch_add(&g->numbered, 1), most_bytes(g), &d.worker, &err);
    if (rc == 0) rc = reader_create(&g->sizes, ops->memory(d.worker), &d.reader, &err);
    if (rc == 0) {
        work_off(g, &d, is_inline);
        hand_in(g, &d);
    } else {
        pthread_mutex_lock(&g->lock);
        g->refused = err;
        pthread_mutex_unlock(&g->lock);
    }
    reader_free(d.reader);
    ops->free(d.worker);
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

/* Starts the threads that are wanted.  One that cannot be had is done without. */
static void start_workers(struct engine *g, pthread_t *threads, int *limit) {
    while (wants_worker(g, *limit)) {
        if (team_start(&threads[g->workers], 1, run_worker, g, 0) == 0) {
            *limit = g->workers;
            break;
        }
        g->workers++;
        g->running++;
    }
}

/* Runs up to `limit` threads to their end.  The calling thread works too, except in a run that can wait
 * for a stream; there it looks after progress, and after more threads. */
static void supervise(struct engine *g, pthread_t *threads, int limit, int can_wait) {
    pthread_mutex_lock(&g->lock);
    start_workers(g, threads, &limit);
    int takes_part = !can_wait || g->workers == 0;
    if (takes_part) {
        pthread_mutex_unlock(&g->lock);
        work(g, 1);
        pthread_mutex_lock(&g->lock);
        limit = 0;
    }
    while (g->running > 0) {
        wait_for_change(g);
        pthread_mutex_unlock(&g->lock);
        tick(g);
        pthread_mutex_lock(&g->lock);
        start_workers(g, threads, &limit);
    }
    pthread_mutex_unlock(&g->lock);
    team_join(threads, g->workers);
    g->workers += takes_part;
}

/* What workers that found no memory have left: the others' is free again. */
static void finish_alone(struct engine *g) {
    if (!atomic_load(&g->drained)) work(g, 1);
    if (!atomic_load(&g->drained)) {
        struct piece none = {.sequence = UINT64_MAX};
        fail(g, &none, &g->refused);
    }
}

/* ---- sizes ------------------------------------------------------------------------------------ */

static uint64_t sum_or_unknown(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t clamp(uint64_t v, uint64_t low, uint64_t high) {
    return v < low ? low : v > high ? high : v;
}

/* The bytes, the extents, and whether some source can keep a worker waiting. */
static uint64_t add_up(struct engine *g) {
    uint64_t largest = 0;
    int can_wait = 0;
    for (size_t k = 0; k < g->nsources; k++) {
        const struct source *s = g->sources[k];
        uint64_t nbytes = s->total_bytes;
        can_wait |= s->ops->fetch == NULL;
        if (nbytes > largest) largest = nbytes;
        g->total_bytes = sum_or_unknown(g->total_bytes, nbytes);
        g->pieces = sum_or_unknown(g->pieces, nbytes == UINT64_MAX ? nbytes : nbytes / g->piece + 1);
    }
    if (can_wait) g->pieces = UINT64_MAX;
    return largest;
}

/* Those that set the size of pieces say how finely the work is to be shared. */
static int workers_wanted(const struct engine *g) {
    const struct backend *b = g->backend;
    int most = g->ctx->threads;
    if (b->workers != 0 && b->workers < most) most = b->workers;
    if (g->pieces == UINT64_MAX) return most;
    return (int)clamp(g->ctx->piece_bytes != 0 ? g->pieces : g->total_bytes / b->bytes_per_worker, 1,
                      (uint64_t)most);
}

/* Direct reads: as many as keep a fast disk busy over all workers, and each worker at least two, so
 * that one is read while another is reduced. */
static void wish_direct(struct engine *g, uint64_t workers) {
    uint64_t set = g->ctx->piece_bytes, nbytes = DIRECT_IN_FLIGHT / workers / 2;
    enum reader_kind kind = g->ctx->reader;
    int forced = kind == READER_DIRECT || kind == READER_URING;
    g->sizes.nslots = 1;
    if (kind == READER_PREAD || (!forced && set != 0 && set < DIRECT_SMALLEST)) return;
    nbytes = clamp(nbytes / DIRECT_PAGE * DIRECT_PAGE, DIRECT_SMALLEST, DIRECT_PIECE);
    if (set != 0) nbytes = clamp(set, sizeof(uint64_t), DIRECT_LARGEST);
    g->sizes.nslots = (size_t)clamp(DIRECT_IN_FLIGHT / workers / nbytes, 2, MOST_SLOTS);
    if (nbytes > g->sizes.buffer_bytes) nbytes = g->sizes.buffer_bytes; /* it takes one too */
    g->sizes.direct_bytes = (size_t)nbytes;
    for (size_t k = 0; k < g->nsources; k++)
        if (forced || g->sources[k]->total_bytes >= DIRECT_FROM)
            g->sources[k]->direct = (struct direct_wish){(size_t)nbytes, forced};
}

uint64_t engine_piece_bytes(const struct onepass_context *ctx, const struct backend *backend) {
    return ctx->piece_bytes != 0 ? ctx->piece_bytes : backend->piece_bytes;
}

/* Sizes that decide about threads and buffers. */
static int measure(struct engine *g, onepass_error *err) {
    g->piece = engine_piece_bytes(g->ctx, g->backend);
    uint64_t largest = add_up(g), nbytes = g->piece < largest ? g->piece : largest;
    nbytes = (nbytes + DIRECT_PAGE - 1) / DIRECT_PAGE * DIRECT_PAGE;
    if (nbytes == 0) nbytes = DIRECT_PAGE;
    if (nbytes > PTRDIFF_MAX) return error_no_memory(err);
    g->sizes.kind = g->ctx->reader;
    g->sizes.buffer_bytes = (size_t)nbytes;
    g->limit = workers_wanted(g);
    wish_direct(g, (uint64_t)g->limit);
    return 0;
}

static int run_workers(struct engine *g, onepass_error *err) {
    int can_wait = g->pieces == UINT64_MAX, nthreads = g->limit - !can_wait;
    /* A stream is left to a thread whenever somebody wants to see progress while it waits. */
    if (g->limit == 1 && g->ctx->progress == NULL) nthreads = 0;
    pthread_t *threads = calloc((size_t)nthreads + 1, sizeof *threads);
    if (threads == NULL) return error_no_memory(err);
    supervise(g, threads, nthreads, can_wait);
    finish_alone(g);
    free(threads);
    return 0;
}

/* What only shows afterwards: files that are not as they were, and whether nothing got lost here. */
static int check_sources(struct engine *g, onepass_error *err) {
    if (g->given != atomic_load(&g->nelems))
        return error_set(err, ONEPASS_INTERNAL, "%llu elements were to be reduced, %llu were",
                         (unsigned long long)g->given, (unsigned long long)atomic_load(&g->nelems));
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
               const struct backend *backend, struct state *total, struct engine_report *report,
               onepass_error *err) {
    struct engine g = {
        .ctx = ctx, .sources = sources, .nsources = nsources, .backend = backend, .total = total};
    int rc = measure(&g, err);
    if (rc == 0) rc = init_locks(&g, err);
    if (rc != 0) return rc;
    atomic_store(&ctx->halt, 0);
    if (atomic_load(&ctx->cancel)) atomic_store(&ctx->halt, 1);
    clock_gettime(CLOCK_MONOTONIC, &g.began);
    g.ticked = g.began;
    rc = run_workers(&g, err);
    if (rc == 0 && g.failed) rc = error_copy(err, &g.error);
    if (rc == 0) rc = check_sources(&g, err);
    report->workers = g.workers;
    report->ways = g.ways;
    report->stored_bytes = atomic_load(&g.stored);
    pthread_mutex_destroy(&g.taking);
    pthread_mutex_destroy(&g.lock);
    pthread_cond_destroy(&g.changed);
    return rc;
}
