/* The engine on sources made up here: extents in memory, constants, errors on demand. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "engine.h"
#include "error.h"
#include "reduce.h"
#include "temporary.h"

/* ---- synthetic sources ------------------------------------------------------------------------ */

/* Elements are u32, element k of source s has the value (start + k) * 2654435761 mod 2^32. */
struct synthetic {
    struct source base;
    enum fetch fetch;
    uint64_t taken, start;
    uint64_t constant_extents; /* FETCH_CONSTANT: so many of 2^40 elements each */
    uint64_t fail_fetch;       /* element whose extent cannot be fetched; UINT64_MAX: none */
    uint64_t fail_next;        /* element before which no extent can be had */
    int slow_us;               /* per extent */
    int slow_failure_us;       /* before a failing fetch returns */
    int waits;                 /* `next` waits until the run is over, 20 s at most */
    int check_fails;
    onepass_context *cancel_at_end; /* cancelled when half of the extents are taken */
    atomic_int *taking;             /* extents being given out at once */
    uint64_t largest;               /* extent seen */
};

static uint32_t value_of(uint64_t k) {
    return (uint32_t)(k * 2654435761u);
}

static void fill(const struct synthetic *s, const struct extent *e, unsigned char *buffer) {
    for (uint64_t k = 0; k < e->nelems; k++) {
        uint32_t v = value_of(s->start + e->first + k);
        memcpy(buffer + 4 * k, &v, 4);
    }
}

static int synthetic_next(struct source *base, unsigned char *buffer, size_t capacity,
                          const atomic_int *cancel, struct extent *e, onepass_error *err) {
    struct synthetic *s = (struct synthetic *)base;
    CHECK(s->taking == NULL || atomic_fetch_add(s->taking, 1) == 0); /* one thread at a time */
    struct layout layout = {.dtype = base->dtype, .stride_bytes = 4};
    *e = (struct extent){.fetch = s->fetch, .layout = layout, .first = s->taken, .place = &base->place};
    uint64_t left = base->nelems - s->taken;
    e->nelems = s->fetch == FETCH_CONSTANT ? UINT64_C(1) << 40 : capacity / 4;
    if (e->nelems > left) e->nelems = left;
    e->nbytes = s->fetch == FETCH_CONSTANT ? 0 : 4 * e->nelems;
    e->constant = (struct scalar){.type = TYPE_INT, .mag = 3};
    if (e->nelems > s->largest) s->largest = e->nelems;
    s->taken += e->nelems;
    if (s->fetch == FETCH_READY) fill(s, e, buffer);
    if (s->slow_us != 0) usleep((useconds_t)s->slow_us);
    for (int k = 0; s->waits && k < 2000 && !atomic_load(cancel); k++)
        usleep(10000);
    if (s->waits && atomic_load(cancel)) return error_set(err, ONEPASS_CANCELLED, "cancelled");
    if (s->cancel_at_end != NULL && s->taken > base->nelems / 2)
        onepass_context_cancel(s->cancel_at_end);
    if (s->taking != NULL) atomic_fetch_sub(s->taking, 1);
    if (e->nelems != 0 && s->fail_next - e->first < e->nelems)
        return error_set(err, ONEPASS_BAD_HEADER, "next at %llu", (unsigned long long)s->fail_next);
    return 0;
}

static int synthetic_fetch(const struct source *base, const struct extent *e, unsigned char *buffer,
                           onepass_error *err) {
    const struct synthetic *s = (const struct synthetic *)base;
    if (s->fail_fetch - e->first < e->nelems) {
        usleep((useconds_t)s->slow_failure_us);
        return error_set(err, ONEPASS_READ_FAILED, "fetch at %llu", (unsigned long long)s->fail_fetch);
    }
    fill(s, e, buffer);
    return 0;
}

static int synthetic_check(const struct source *base, onepass_error *err) {
    const struct synthetic *s = (const struct synthetic *)base;
    return s->check_fails ? error_set(err, ONEPASS_CHANGED, "changed") : 0;
}

static void synthetic_close(struct source *base) {
    (void)base;
}

static const struct source_ops range_ops = {"test", synthetic_next, synthetic_fetch, synthetic_check,
                                            synthetic_close};
static const struct source_ops stream_ops = {"test", synthetic_next, NULL, synthetic_check,
                                             synthetic_close};

static struct synthetic synthetic(enum fetch fetch, uint64_t start, uint64_t nelems) {
    struct synthetic s = {
        .fetch = fetch, .start = start, .fail_fetch = UINT64_MAX, .fail_next = UINT64_MAX};
    s.base.ops = fetch == FETCH_READY ? &stream_ops : &range_ops;
    s.base.place.ndim = 1;
    s.base.place.shape[0] = nelems;
    s.base.dtype = DTYPE_U32;
    s.base.nelems = nelems;
    s.base.nelems_known = fetch != FETCH_READY;
    s.base.total_bytes = fetch == FETCH_READY ? UINT64_MAX : fetch == FETCH_RANGE ? 4 * nelems : 0;
    return s;
}

/* ---- running ---------------------------------------------------------------------------------- */

struct outcome {
    int rc;
    onepass_error err;
    struct engine_report report;
    uint64_t nelems, count, first_index, last_index, argmax_index;
    uint32_t first, last, max;
    struct bignum sum;
};

static const struct acc_state *accumulator(const struct state *s, enum accumulator_kind kind) {
    for (size_t k = 0; k < s->naccs; k++)
        if (s->acc[k].kind == kind) return &s->acc[k];
    abort();
}

static void read_state(const struct state *s, struct outcome *o) {
    int neg;
    const struct acc_state *argmax = accumulator(s, ACC_ARGMAX), *first = accumulator(s, ACC_FIRST),
                           *last = accumulator(s, ACC_LAST);
    o->nelems = s->nelems;
    o->count = accumulator(s, ACC_COUNT)->count;
    o->first_index = first->kept.index;
    o->last_index = last->kept.index;
    o->argmax_index = argmax->kept.index;
    o->first = (uint32_t)scalar_f64(&first->kept.value);
    o->last = (uint32_t)scalar_f64(&last->kept.value);
    o->max = (uint32_t)scalar_f64(&argmax->kept.value);
    exact_value(accumulator(s, ACC_S1)->exact, &o->sum, &neg);
    bignum_shift_right(&o->sum, -exact_unit(EXACT_SUM)); /* integers: nothing is lost */
}

static struct outcome run_in(onepass_context *ctx, struct source **sources, size_t nsources) {
    struct outcome o = {.err = ONEPASS_ERROR_INIT};
    struct reducer r = reducer_open("sum, count, first, last, argmax", CLASS_NARROW, 0);
    struct state *total = NULL;
    struct backend_cpu cpu;
    backend_cpu_init(&cpu, r.program, test_kernels());
    if (state_create(r.program, test_kernels(), &total, &o.err) != 0) abort();
    o.rc = engine_run(ctx, sources, nsources, &cpu.base, total, &o.report, &o.err);
    if (o.rc == 0) read_state(total, &o);
    state_free(total);
    reducer_close(&r);
    return o;
}

static struct outcome run(int threads, uint64_t piece_bytes, struct source **sources, size_t nsources) {
    onepass_config config = ONEPASS_CONFIG_INIT;
    onepass_context *ctx;
    config.threads = threads;
    config.piece_bytes = piece_bytes;
    if (onepass_context_create(&config, &ctx, NULL) != 0) abort();
    struct outcome o = run_in(ctx, sources, nsources);
    onepass_context_free(ctx);
    return o;
}

/* What elements start .. start + n of a synthetic array must give, with indices from 0 on. */
static void check_outcome(const struct outcome *o, uint64_t start, uint64_t n, const char *what) {
    uint64_t sum = 0, argmax = 0;
    for (uint64_t k = 0; k < n; k++) {
        sum += value_of(start + k);
        if (value_of(start + k) > value_of(start + argmax)) argmax = k;
    }
    CHECKF(o->rc == 0, "%s: %s", what, o->err.message);
    CHECKF(o->nelems == n && o->count == n, "%s: %llu elements", what, (unsigned long long)o->nelems);
    CHECKF(bignum_bits(&o->sum) <= 64 && (n == 0 || o->sum.limb[0] == sum), "%s", what);
    if (n == 0) return;
    CHECKF(o->first == value_of(start) && o->first_index == 0, "%s", what);
    CHECKF(o->last == value_of(start + n - 1) && o->last_index == n - 1, "%s", what);
    CHECKF(o->max == value_of(start + argmax) && o->argmax_index == argmax, "%s", what);
}

/* ---- tests ------------------------------------------------------------------------------------ */

static void any_threads_and_pieces_give_the_same(void) {
    static const int threads[] = {1, 2, 3, 7, 16};
    static const uint64_t pieces[] = {1, 4, 12, 1020, 4096, 65536, 1 << 20};
    static const uint64_t sizes[] = {0, 1, 2, 1023, 1024, 1025, 5000};
    for (size_t t = 0; t < 5; t++)
        for (size_t p = 0; p < 7; p++)
            for (size_t n = 0; n < 7; n++)
                for (int ready = 0; ready < 2; ready++) {
                    char what[100];
                    struct synthetic s = synthetic(ready ? FETCH_READY : FETCH_RANGE, 17, sizes[n]);
                    struct source *sources[] = {&s.base};
                    struct outcome o = run(threads[t], pieces[p], sources, 1);
                    snprintf(what, sizeof what, "%d threads, pieces of %d, n %d", threads[t],
                             (int)pieces[p], (int)sizes[n]);
                    check_outcome(&o, 17, sizes[n], what);
                    CHECKF(o.report.workers >= 1 && o.report.workers <= threads[t], "%s", what);
                    CHECKF(o.report.stored_bytes == 4 * sizes[n], "%s", what);
                    CHECKF(4 * s.largest <= (pieces[p] < 4 ? 4 : pieces[p]), "%s", what);
                }
}

static void sources_follow_one_another(void) {
    /* Five inputs, of which one is empty and two are streams, as one array. */
    static const uint64_t lengths[] = {1000, 0, 4097, 1, 3000};
    static const int is_stream[] = {0, 1, 1, 0, 1};
    for (int threads = 1; threads <= 8; threads *= 2) {
        struct synthetic s[5];
        struct source *sources[5];
        uint64_t start = 0;
        for (int k = 0; k < 5; k++) {
            s[k] = synthetic(is_stream[k] ? FETCH_READY : FETCH_RANGE, start, lengths[k]);
            start += lengths[k];
            sources[k] = &s[k].base;
        }
        struct outcome o = run(threads, 100, sources, 5);
        check_outcome(&o, 0, start, "five sources");
        CHECK(s[0].base.place.base == 0 && s[1].base.place.base == 1000 &&
              s[2].base.place.base == 1000);
        CHECK(s[3].base.place.base == 5097 && s[4].base.place.base == 5098);
    }
}

static void one_thread_at_a_time_takes_extents(void) {
    atomic_int taking = 0;
    struct synthetic s = synthetic(FETCH_RANGE, 0, 2000);
    struct source *sources[] = {&s.base};
    s.taking = &taking;
    s.slow_us = 20;
    struct outcome o = run(8, 16, sources, 1);
    check_outcome(&o, 0, 2000, "one at a time");
    CHECK(o.report.workers > 1 && o.report.workers <= 8);
}

static void fault_16_constants_of_2_40_elements(void) {
    const uint64_t n = (UINT64_C(1) << 40) * 1000 + 7;
    struct synthetic a = synthetic(FETCH_CONSTANT, 0, n), b = synthetic(FETCH_RANGE, 0, 10);
    struct source *sources[] = {&a.base, &b.base};
    struct outcome o = run(3, 4, sources, 2);
    uint64_t sum = 3 * n;
    for (int k = 0; k < 10; k++)
        sum += value_of((uint64_t)k);
    CHECKF(o.rc == 0, "%s", o.err.message);
    CHECK(o.nelems == n + 10 && o.count == n + 10 && o.sum.n == 1 && o.sum.limb[0] == sum);
    CHECK(o.first == 3 && o.last == value_of(9) && o.last_index == n + 9 && b.base.place.base == n);
    CHECK(o.argmax_index >= n && o.report.stored_bytes == 40);
}

static void fault_16_more_than_2_64_elements(void) {
    struct synthetic a = synthetic(FETCH_CONSTANT, 0, UINT64_C(1) << 43);
    struct synthetic b = synthetic(FETCH_RANGE, 0, 10);
    struct source *sources[] = {&a.base, &b.base};
    a.base.nelems = UINT64_MAX - 5; /* said, not reduced: taking starts near the end */
    a.taken = a.base.nelems - 3;
    struct outcome o = run(1, 4, sources, 2);
    CHECK(o.rc == 0); /* 2^64 - 6 and 10 exceed nothing but the index of the last */
    a.taken = a.base.nelems - 3;
    struct synthetic c = synthetic(FETCH_RANGE, 0, 10);
    struct source *three[] = {&a.base, &b.base, &c.base};
    b.taken = 0;
    o = run(1, 4, three, 3);
    CHECK(o.rc == ONEPASS_UNSUPPORTED && o.err.part == 2);
}

/* The error of the lowest extent is reported, however late it comes. */
static void errors_do_not_depend_on_threads(void) {
    for (int threads = 1; threads <= 8; threads *= 2)
        for (int round = 0; round < 3; round++) {
            struct synthetic a = synthetic(FETCH_RANGE, 0, 1000),
                             b = synthetic(FETCH_RANGE, 1000, 1000);
            struct source *sources[] = {&a.base, &b.base};
            a.fail_fetch = 999;
            b.fail_next = 0;
            a.slow_failure_us = 5000;
            struct outcome o = run(threads, 64, sources, 2);
            CHECKF(o.rc == ONEPASS_READ_FAILED && strcmp(o.err.message, "fetch at 999") == 0,
                   "%d threads: %s", threads, o.err.message);
            CHECK(o.err.part == 0 && o.err.code == ONEPASS_READ_FAILED);
            a = synthetic(FETCH_RANGE, 0, 1000);
            b = synthetic(FETCH_RANGE, 1000, 1000);
            b.fail_next = 500;
            b.fail_fetch = 700;
            o = run(threads, 64, sources, 2);
            CHECKF(o.rc == ONEPASS_BAD_HEADER && strcmp(o.err.message, "next at 500") == 0,
                   "%d threads: %s", threads, o.err.message);
            CHECK(o.err.part == 1);
        }
}

static void an_error_stops_the_others(void) {
    struct synthetic s = synthetic(FETCH_RANGE, 0, UINT64_C(1) << 40); /* would take hours */
    struct source *sources[] = {&s.base};
    s.fail_fetch = 100000;
    struct outcome o = run(4, 4096, sources, 1); /* how many more are taken, the scheduler decides */
    CHECK(o.rc == ONEPASS_READ_FAILED && s.taken > 100000 && s.taken < s.base.nelems);
}

/* A stream that nobody writes to is not waited for when another input has failed. */
static void an_error_ends_waiting(void) {
    struct synthetic a = synthetic(FETCH_RANGE, 0, 1000), b = synthetic(FETCH_READY, 1000, 1000);
    struct source *sources[] = {&a.base, &b.base};
    a.fail_fetch = 999;
    a.slow_failure_us = 100000;
    b.waits = 1;
    struct outcome o = run(2, 64, sources, 2);
    CHECK(o.rc == ONEPASS_READ_FAILED && o.err.part == 0);
    CHECK(b.taken <= 16); /* it gave up at the first wait, else all would have been given out */
}

static void a_source_that_changed_is_an_error(void) {
    struct synthetic a = synthetic(FETCH_RANGE, 0, 10), b = synthetic(FETCH_RANGE, 10, 10);
    struct source *sources[] = {&a.base, &b.base};
    b.check_fails = 1;
    struct outcome o = run(2, 4, sources, 2);
    CHECK(o.rc == ONEPASS_CHANGED && o.err.part == 1);
    o.err.code = 0;
    struct state *total;
    struct reducer r = reducer_open("sum", CLASS_NARROW, 0);
    struct onepass_context ctx = {.kernels = test_kernels(), .threads = 1, .piece_bytes = 64};
    struct backend_cpu cpu;
    a.taken = b.taken = 0;
    backend_cpu_init(&cpu, r.program, test_kernels());
    CHECK(state_create(r.program, test_kernels(), &total, NULL) == 0);
    CHECK(engine_run(&ctx, sources, 2, &cpu.base, total, &o.report, NULL) ==
          ONEPASS_CHANGED); /* no *err */
    state_free(total);
    reducer_close(&r);
}

static void cancelling_ends_a_run(void) {
    for (int threads = 1; threads <= 4; threads *= 2) {
        onepass_config config = ONEPASS_CONFIG_INIT;
        onepass_context *ctx;
        config.threads = threads;
        config.piece_bytes = 400;
        if (onepass_context_create(&config, &ctx, NULL) != 0) abort();
        struct synthetic s = synthetic(FETCH_RANGE, 0, 100000);
        struct source *sources[] = {&s.base};
        s.cancel_at_end = ctx;
        struct outcome o = run_in(ctx, sources, 1);
        CHECK(o.rc == ONEPASS_CANCELLED && o.err.code == ONEPASS_CANCELLED);
        CHECK(s.taken > 50000 && s.taken < 60000);
        s = synthetic(FETCH_RANGE, 0, 10); /* and later ones on this context */
        o = run_in(ctx, sources, 1);
        CHECK(o.rc == ONEPASS_CANCELLED && s.taken == 0);
        onepass_context_free(ctx);
    }
}

struct witness {
    pthread_t thread;
    int calls, bad;
    onepass_progress last;
};

static void witness(void *user, const onepass_progress *p) {
    struct witness *w = user;
    w->calls++;
    w->bad |= !pthread_equal(w->thread, pthread_self()) || p->size != sizeof *p;
    w->bad |= p->done_bytes < w->last.done_bytes || p->nelems < w->last.nelems ||
              p->seconds < w->last.seconds;
    w->bad |= p->done_bytes > p->total_bytes;
    w->last = *p;
}

static void progress_comes_from_the_calling_thread(void) {
    for (int threads = 1; threads <= 4; threads += 3)
        for (int ready = 0; ready < 2; ready++) {
            struct witness w = {.thread = pthread_self()};
            onepass_config config = ONEPASS_CONFIG_INIT;
            onepass_context *ctx;
            config.threads = threads;
            config.piece_bytes = 4000;
            config.progress = witness;
            config.user = &w;
            if (onepass_context_create(&config, &ctx, NULL) != 0) abort();
            struct synthetic s = synthetic(ready ? FETCH_READY : FETCH_RANGE, 0, 20000);
            struct source *sources[] = {&s.base};
            s.slow_us = 20000; /* 20 extents: 0.4 s */
            struct outcome o = run_in(ctx, sources, 1);
            check_outcome(&o, 0, 20000, "with progress");
            CHECKF(w.calls >= 1 && w.calls <= 8 && !w.bad, "%d calls, bad %d", w.calls, w.bad);
            CHECK(w.last.nelems > 0 && w.last.nelems <= 20000);
            CHECK(w.last.total_bytes == (ready ? UINT64_MAX : 80000));
            onepass_context_free(ctx);
        }
}

static void small_inputs_start_no_thread(void) {
    struct synthetic s = synthetic(FETCH_RANGE, 0, 1000);
    struct source *sources[] = {&s.base};
    struct outcome o = run(16, 0, sources, 1);
    check_outcome(&o, 0, 1000, "small");
    CHECK(o.report.workers == 1);
    s = synthetic(FETCH_READY, 0,
                  1000); /* a stream of one extent: one worker, one that finds the end */
    o = run(16, 0, sources, 1);
    check_outcome(&o, 0, 1000, "short stream");
    CHECK(o.report.workers <= 2);
}

static void threads_that_cannot_be_had_are_done_without(void) {
    pthread_attr_t old, huge;
    struct synthetic s = synthetic(FETCH_RANGE, 0, 100000);
    struct source *sources[] = {&s.base};
    CHECK(pthread_getattr_default_np(&old) == 0 && pthread_getattr_default_np(&huge) == 0);
    pthread_attr_setstacksize(&huge, (size_t)1 << 50); /* more than there are addresses */
    if (pthread_setattr_default_np(&huge) != 0) {
        SKIP("the default stack cannot be made too large");
        return;
    }
    struct outcome o = run(4, 400, sources, 1);
    pthread_setattr_default_np(&old);
    check_outcome(&o, 0, 100000, "without threads");
    CHECK(o.report.workers == 1);
}

static void files_through_the_engine(void) {
    static uint32_t values[50000];
    for (uint64_t k = 0; k < 50000; k++)
        values[k] = value_of(k);
    onepass_input in = ONEPASS_INPUT_INIT;
    in.path = test_file("x.u32", values, sizeof values);
    in.endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 'b' : 'l';
    for (int threads = 1; threads <= 4; threads += 3)
        for (uint64_t piece = 5; piece < 1 << 20; piece *= 67) {
            struct source *sources[2];
            onepass_input two[2] = {in, in};
            two[0].count = 20001;
            two[1].has_offset = 1;
            two[1].offset_bytes = 4 * 20001;
            CHECK(source_open(&two[0], NULL, &sources[0], NULL) == 0);
            CHECK(source_open(&two[1], NULL, &sources[1], NULL) == 0);
            struct outcome o = run(threads, piece, sources, 2);
            check_outcome(&o, 0, 50000, "a file in two parts");
            CHECK(o.report.stored_bytes == sizeof values);
            source_close(sources[0]);
            source_close(sources[1]);
        }
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"engine_any_threads_and_pieces_give_the_same", any_threads_and_pieces_give_the_same},
        {"engine_sources_follow_one_another", sources_follow_one_another},
        {"engine_one_thread_at_a_time_takes_extents", one_thread_at_a_time_takes_extents},
        {"fault_16_constants_of_2_40_elements", fault_16_constants_of_2_40_elements},
        {"fault_16_more_than_2_64_elements", fault_16_more_than_2_64_elements},
        {"engine_errors_do_not_depend_on_threads", errors_do_not_depend_on_threads},
        {"engine_an_error_stops_the_others", an_error_stops_the_others},
        {"engine_an_error_ends_waiting", an_error_ends_waiting},
        {"engine_a_source_that_changed_is_an_error", a_source_that_changed_is_an_error},
        {"engine_cancelling_ends_a_run", cancelling_ends_a_run},
        {"engine_progress_comes_from_the_calling_thread", progress_comes_from_the_calling_thread},
        {"engine_small_inputs_start_no_thread", small_inputs_start_no_thread},
        {"engine_threads_that_cannot_be_had", threads_that_cannot_be_had_are_done_without},
        {"engine_files", files_through_the_engine},
    };
    int status = RUN_TESTS(tests);
    test_cleanup();
    return status;
}
