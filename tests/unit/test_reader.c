/* Reading past the page cache: the same numbers however a file is read, and everything that a system
 * can refuse or do by halves. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "engine.h"
#include "residency.h"
#include "temporary.h"
#include "uring.h"

/* ---- a system that misbehaves ------------------------------------------------------------------- */

#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

static struct {
    int cold;           /* cachestat sees nothing in the page cache */
    int no_cachestat;   /* there is none */
    int no_ring;        /* errno of io_uring_setup; 0: it works */
    int no_direct_open; /* errno of open with O_DIRECT */
    int direct_error; /* errno of every direct read, by pread or by the ring, from direct_error_at on */
    uint64_t direct_error_at;
    uint32_t direct_limit; /* most bytes a direct read gives; 0: as many as asked */
    int broken_ring;       /* takes reads, does none of them and says EBADF */
    int direct_reads, rings;
} system_;

/* A ring belongs to one thread. */
static _Thread_local unsigned char *rings;
static _Thread_local struct io_uring_sqe *entries;
static _Thread_local struct io_uring_params params;

/* The read that is being handed to the kernel. */
static void spoil_entry(void) {
    unsigned tail = *(unsigned *)(rings + params.sq_off.tail);
    struct io_uring_sqe *sqe = &entries[(tail - 1) & *(unsigned *)(rings + params.sq_off.ring_mask)];
    __atomic_fetch_add(&system_.direct_reads, 1, __ATOMIC_RELAXED);
    if (system_.direct_limit != 0 && sqe->len > system_.direct_limit) sqe->len = system_.direct_limit;
    if (system_.direct_error == 0 || sqe->off < system_.direct_error_at) return;
    if (system_.direct_error == EIO) sqe->fd = -1; /* EBADF: as final an error as any */
    if (system_.direct_error == EINVAL) sqe->off = 1, sqe->len = 1;
}

/* Where it was to go: that memory is never freed, and no leak. */
static int hold_entry(void) {
    static uint64_t target;
    unsigned tail = *(unsigned *)(rings + params.sq_off.tail);
    target = entries[(tail - 1) & *(unsigned *)(rings + params.sq_off.ring_mask)].addr;
    return target != 0;
}

/* In place of libc's for the whole program. */
long syscall(long number, ...) {
    static long (*real)(long, ...);
    long a[6];
    va_list list;
    va_start(list, number);
    for (int k = 0; k < 6; k++)
        a[k] = va_arg(list, long);
    va_end(list);
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    if (number == SYS_cachestat && system_.no_cachestat) {
        errno = ENOSYS;
        return -1;
    }
    if (number == SYS_cachestat && system_.cold) {
        memset((void *)a[2], 0, 5 * sizeof(uint64_t));
        return 0;
    }
    if (number == __NR_io_uring_setup && system_.no_ring != 0) {
        errno = system_.no_ring;
        return -1;
    }
    if (number == __NR_io_uring_enter && system_.broken_ring) {
        errno = EBADF;
        return a[1] == 1 ? hold_entry() : -1;
    }
    if (number == __NR_io_uring_enter && a[1] == 1 && (system_.direct_limit || system_.direct_error))
        spoil_entry();
    long result = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (number == __NR_io_uring_setup && result >= 0) {
        params = *(struct io_uring_params *)a[1];
        __atomic_fetch_add(&system_.rings, 1, __ATOMIC_RELAXED);
    }
    return result;
}

void *mmap(void *at, size_t nbytes, int protection, int flags, int fd, off_t offset) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "mmap");
    void *p = real(at, nbytes, protection, flags, fd, offset);
    if (fd >= 0 && (flags & MAP_POPULATE) && offset == IORING_OFF_SQ_RING) rings = p;
    if (fd >= 0 && (flags & MAP_POPULATE) && offset == IORING_OFF_SQES) entries = p;
    return p;
}

static int is_direct(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_DIRECT) != 0;
}

ssize_t pread(int fd, void *buffer, size_t nbytes, off_t offset) {
    if (is_direct(fd)) {
        __atomic_fetch_add(&system_.direct_reads, 1, __ATOMIC_RELAXED);
        if (system_.direct_limit != 0 && nbytes > system_.direct_limit) nbytes = system_.direct_limit;
        if (system_.direct_error != 0 && (uint64_t)offset >= system_.direct_error_at) {
            errno = system_.direct_error;
            return -1;
        }
    }
    return syscall(SYS_pread64, (long)fd, buffer, nbytes, offset);
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list list;
        va_start(list, flags);
        mode = (mode_t)va_arg(list, int);
        va_end(list);
    }
    if ((flags & O_DIRECT) && system_.no_direct_open != 0) {
        errno = system_.no_direct_open;
        return -1;
    }
    return (int)syscall(SYS_openat, (long)AT_FDCWD, path, (long)flags, (long)mode);
}

/* ---- running ------------------------------------------------------------------------------------ */

#define NELEMS ((UINT64_C(9) << 18) + 5) /* a little more than 9 MiB of u32 */

static char path[512];
static uint32_t *values;

static void make_file(void) {
    values = malloc(NELEMS * sizeof *values);
    if (values == NULL) abort();
    for (uint64_t k = 0; k < NELEMS; k++)
        values[k] = (uint32_t)(k * 2654435761u);
    strcpy(path, test_file("x.u32", values, NELEMS * sizeof *values));
}

struct ran {
    int rc;
    onepass_error err;
    char reader[20];
    int threads;
    uint64_t stored;
    char sum[40], last[40];
};

/* "sum, last" of the file. */
static struct ran run(const char *reader, int threads, uint64_t piece, const onepass_input *in) {
    struct ran r = {.err = ONEPASS_ERROR_INIT};
    onepass_config config = ONEPASS_CONFIG_INIT;
    onepass_context *ctx = NULL;
    onepass_program *program = NULL;
    onepass_result *result = NULL;
    config.reader = reader;
    config.threads = threads;
    config.piece_bytes = piece;
    if (onepass_context_create(&config, &ctx, &r.err) != 0) abort();
    if (onepass_program_parse("sum, last", 9, &program, &r.err) != 0) abort();
    r.rc = onepass_run(ctx, program, in, 1, NULL, &result, &r.err);
    if (r.rc == 0) {
        r.threads = result->threads;
        r.stored = result->stored_bytes;
        strncpy(r.reader, result->reader, sizeof r.reader - 1);
        strncpy(r.sum, result->pipelines[0].values[0].text, sizeof r.sum - 1);
        strncpy(r.last, result->pipelines[0].values[1].text, sizeof r.last - 1);
    }
    onepass_result_free(result);
    onepass_program_free(program);
    onepass_context_free(ctx);
    return r;
}

static onepass_input whole_file(void) {
    onepass_input in = ONEPASS_INPUT_INIT;
    in.path = path;
    in.dtype = "u32";
    in.endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 'b' : 'l';
    return in;
}

/* What elements first, first + stride, ... must give, `count` of them. */
static void check_ran(const struct ran *r, uint64_t first, uint64_t stride, uint64_t count,
                      const char *what) {
    char sum[40], last[40];
    uint64_t total = 0;
    for (uint64_t k = 0; k < count; k++)
        total += values[first + k * stride];
    snprintf(sum, sizeof sum, "%llu", (unsigned long long)total);
    snprintf(last, sizeof last, "%u", values[first + (count - 1) * stride]);
    CHECKF(r->rc == 0, "%s: %s", what, r->err.message);
    CHECKF(strcmp(r->sum, sum) == 0 && strcmp(r->last, last) == 0, "%s: %s, %s for %s, %s", what,
           r->sum, r->last, sum, last);
}

static void check_whole(const struct ran *r, const char *reader, const char *what) {
    check_ran(r, 0, 1, NELEMS, what);
    CHECKF(strcmp(r->reader, reader) == 0, "%s: read by %s", what, r->reader);
    CHECKF(r->stored == 4 * NELEMS, "%s: %llu bytes", what, (unsigned long long)r->stored);
}

/* Whether the test's directory takes O_DIRECT, and the kernel a ring. */
static int direct_works, ring_works;

static void probe(void) {
    struct uring u;
    onepass_input in = whole_file();
    direct_works = run("direct", 1, 0, &in).rc == 0;
    ring_works = direct_works && uring_open(&u, 1) == 0;
    if (ring_works) uring_close(&u);
    ring_works = ring_works && run("uring", 1, 0, &in).rc == 0; /* Linux 5.6: reads */
}

#define NEEDS(what, name)                                                                              \
    if (!(what)) {                                                                                     \
        SKIP("no " name " here");                                                                      \
        return;                                                                                        \
    }

static void calm(void) {
    memset(&system_, 0, sizeof system_);
}

/* ---- tests -------------------------------------------------------------------------------------- */

static void every_reader_gives_the_same(void) {
    static const char *const readers[] = {NULL, "pread", "direct", "uring"};
    static const uint64_t pieces[] = {0, 20000, 65536, 1 << 20, 3000001, 64 << 20};
    for (size_t r = 0; r < 4; r++) {
        if ((r == 2 && !direct_works) || (r == 3 && !ring_works)) continue;
        for (int cold = 0; cold < 2; cold++)
            for (int threads = 1; threads <= 4; threads += 3)
                for (size_t p = 0; p < 6; p++) {
                    char what[100];
                    calm();
                    system_.cold = cold;
                    onepass_input in = whole_file();
                    struct ran ran = run(readers[r], threads, pieces[p], &in);
                    snprintf(what, sizeof what, "%s, %d threads, pieces of %d, cold %d",
                             readers[r] ? readers[r] : "automatic", threads, (int)pieces[p], cold);
                    const char *cold_reader = ring_works ? "uring" : direct_works ? "direct" : "pread";
                    const char *names[] = {cold && (p == 0 || pieces[p] >= 65536) ? cold_reader
                                                                                  : "pread",
                                           "pread", "direct", "uring"};
                    check_whole(&ran, names[r], what);
                }
    }
    calm();
}

/* Elements that no page begins with, headers, strides: the bytes of two extents share a page. */
static void offsets_and_strides(void) {
    static const char *const readers[] = {"direct", "uring", NULL};
    static const uint64_t offsets[] = {0, 128, 4092, 70000};
    static const uint64_t strides[] = {1, 3, 1024, 5000};
    for (size_t r = 0; r < 3; r++) {
        if ((r == 0 && !direct_works) || (r == 1 && !ring_works)) continue;
        for (size_t o = 0; o < 4; o++)
            for (size_t s = 0; s < 4; s++)
                for (uint64_t piece = 0; piece <= 8192; piece += 8192) {
                    char what[100];
                    onepass_input in = whole_file();
                    system_.cold = 1;
                    in.has_offset = 1;
                    in.offset_bytes = offsets[o];
                    in.stride = strides[s];
                    uint64_t first = offsets[o] / 4, count = (NELEMS - first - 1) / strides[s] + 1;
                    if (piece != 0) in.count = count = count < 5000 ? count : 5000;
                    struct ran ran = run(readers[r], 2, piece, &in);
                    snprintf(what, sizeof what, "%s, offset %d, stride %d, pieces of %d",
                             readers[r] ? readers[r] : "automatic", (int)offsets[o], (int)strides[s],
                             (int)piece);
                    check_ran(&ran, first, strides[s], count, what);
                }
    }
    calm();
}

static void elements_across_pages(void) {
    onepass_input in = whole_file();
    in.has_offset = 1;
    in.offset_bytes = 4097;
    in.count = 1000000;
    in.dtype = "u32";
    struct ran want = run("pread", 1, 0, &in);
    CHECK(want.rc == 0);
    system_.cold = 1;
    struct ran got = run(NULL, 2, 0, &in); /* every extent would read a page twice */
    CHECKF(got.rc == 0 && strcmp(got.sum, want.sum) == 0 && strcmp(got.reader, "pread") == 0, "%s %s",
           got.reader, got.err.message);
    for (int ring = 0; ring < 2; ring++) {
        if (ring ? !ring_works : !direct_works) continue;
        got = run(ring ? "uring" : "direct", 2, 5000, &in);
        CHECKF(got.rc == 0 && strcmp(got.sum, want.sum) == 0, "%s %s", got.reader, got.err.message);
    }
    calm();
}

static void what_is_refused_is_done_without(void) {
    static const int refusals[] = {EPERM, ENOSYS, ENOMEM, EINVAL};
    NEEDS(direct_works, "O_DIRECT");
    onepass_input in = whole_file();
    for (size_t k = 0; k < 4; k++) {
        calm();
        system_.cold = 1;
        system_.no_ring = refusals[k];
        struct ran r = run(NULL, 2, 0, &in);
        check_whole(&r, "direct", "no ring");
        r = run("uring", 2, 0, &in);
        CHECKF(r.rc == ONEPASS_NO_DEVICE && r.err.sys_errno == refusals[k] &&
                   strstr(r.err.message, "io_uring"),
               "%d: %s", r.rc, r.err.message);
    }
    calm();
    system_.cold = 1;
    system_.no_direct_open = EINVAL;
    struct ran r = run(NULL, 2, 0, &in);
    check_whole(&r, "pread", "no O_DIRECT");
    CHECK(system_.rings == 0);
    for (int ring = 0; ring < 2; ring++) {
        r = run(ring ? "uring" : "direct", 2, 0, &in);
        CHECKF(r.rc == ONEPASS_NO_DEVICE && strstr(r.err.message, "O_DIRECT"), "%s", r.err.message);
    }
    calm();
}

static int count_descriptors(void) {
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

/* As a file system does that takes the flag and not the reads. */
static void refused_when_it_comes_to_reading(void) {
    NEEDS(direct_works, "O_DIRECT");
    onepass_input in = whole_file();
    for (int ring = 0; ring <= ring_works; ring++) {
        calm();
        system_.cold = 1;
        system_.no_ring = ring ? 0 : EPERM;
        system_.direct_error = EINVAL;
        int before = count_descriptors();
        struct ran r = run(NULL, 1, 0, &in);
        check_whole(&r, "pread", "reads refused");
        CHECK(count_descriptors() == before);
        CHECK(system_.direct_reads > 0 && system_.direct_reads <= 17); /* not again and again */
        r = run(ring ? "uring" : "direct", 1, 0, &in);
        CHECKF(r.rc == ONEPASS_NO_DEVICE && strstr(r.err.message, "O_DIRECT"), "%s", r.err.message);
    }
    calm();
}

static void short_direct_reads(void) {
    static const uint32_t limits[] = {512, 4096, 65536, 1000000};
    NEEDS(direct_works, "O_DIRECT");
    for (int ring = 0; ring <= ring_works; ring++)
        for (size_t k = 0; k < 4; k++) {
            onepass_input in = whole_file();
            in.has_offset = 1;
            in.offset_bytes = 800; /* the first read may give nothing of the first extent */
            system_.direct_limit = limits[k] / 512 * 512;
            struct ran r = run(ring ? "uring" : "direct", 1, 0, &in);
            check_ran(&r, 200, 1, NELEMS - 200, "short reads");
        }
    calm();
}

static void an_error_of_the_disk(void) {
    NEEDS(direct_works, "O_DIRECT");
    onepass_input in = whole_file();
    for (int ring = 0; ring <= ring_works; ring++)
        for (int threads = 1; threads <= (ring ? 1 : 4); threads += 3) {
            calm();
            system_.cold = 1;
            system_.no_ring = ring ? 0 : EPERM;
            system_.direct_error = EIO;
            system_.direct_error_at = 5 << 20;
            struct ran r = run(NULL, threads, 0, &in);
            CHECKF(r.rc == ONEPASS_READ_FAILED && r.err.sys_errno == (ring ? EBADF : EIO), "%d: %s",
                   r.rc, r.err.message);
            CHECKF(strncmp(r.err.message, "cannot read: ", 13) == 0, "%s", r.err.message);
        }
    calm();
}

/* What a broken ring may still write to is not freed; it stays known here. */
static unsigned char *given[4];
static size_t ngiven;

static unsigned char *give(void *user, size_t nbytes, int needed) {
    (void)user, (void)needed;
    return ngiven < 4 ? given[ngiven++] = aligned_alloc(4096, (nbytes + 4095) / 4096 * 4096) : NULL;
}

static void take_back(void *user, unsigned char *memory) {
    (void)user;
    for (size_t k = 0; k < ngiven; k++)
        if (given[k] == memory) given[k] = NULL;
    free(memory);
}

static int never_in_use(void *user, const unsigned char *bytes, onepass_error *err) {
    (void)user, (void)bytes, (void)err;
    return 0;
}

/* No read of a ring fails by itself: the first extent stands for all. */
static void a_ring_that_breaks(void) {
    static const struct reader_memory memory = {NULL, 1, give, take_back, never_in_use};
    static const uint64_t sequences[] = {7, 3, 9};
    NEEDS(ring_works, "io_uring");
    struct reader_sizes sizes = {READER_AUTO, 65536, 65536, 3};
    struct reader *r;
    struct piece *p;
    onepass_error err = ONEPASS_ERROR_INIT;
    int ready, fd = open(path, O_RDONLY | O_DIRECT);
    CHECK(fd >= 0 && reader_create(&sizes, &memory, &r, NULL) == 0);
    system_.broken_ring = 1;
    for (int k = 0; k < 3; k++) {
        p = reader_room(r);
        p->sequence = sequences[k];
        p->extent = (struct extent){.fetch = FETCH_DIRECT, .direct_fd = fd, .nbytes = 4096};
        CHECK(reader_begin(r, p, &ready, &err) == 0 && !ready);
    }
    CHECK(reader_wait(r, &p, &err) == ONEPASS_READ_FAILED && err.sys_errno == EBADF);
    CHECKF(p != NULL && p->sequence == 3, "%llu", p ? (unsigned long long)p->sequence : 0);
    CHECK(reader_wait(r, &p, &err) == 0 && p == NULL);
    reader_free(r);
    close(fd);
    calm();
}

/* Opened, cut, then read. */
static void a_file_that_shrinks(void) {
    static const enum reader_kind kinds[] = {READER_PREAD, READER_DIRECT, READER_URING};
    for (size_t k = 0; k < 3; k++) {
        if ((k == 1 && !direct_works) || (k == 2 && !ring_works)) continue;
        onepass_input in = whole_file();
        struct source *s;
        struct state *total;
        struct program *lowered;
        struct engine_report report;
        struct backend_cpu cpu;
        onepass_program *program;
        onepass_error err = ONEPASS_ERROR_INIT;
        onepass_context *ctx;
        CHECK(onepass_context_create(NULL, &ctx, NULL) == 0);
        ctx->reader = kinds[k];
        in.path = test_file("shrinks.u32", values, NELEMS * sizeof *values);
        CHECK(source_open(&in, NULL, &s, NULL) == 0 && truncate(in.path, 6 << 20) == 0);
        CHECK(onepass_program_parse("sum", 3, &program, NULL) == 0);
        CHECK(program_lower(program, CLASS_NARROW, 0, &lowered, NULL) == 0);
        CHECK(state_create(lowered, ctx->kernels, &total, NULL) == 0);
        backend_cpu_init(&cpu, lowered, ctx->kernels);
        CHECKF(engine_run(ctx, &s, 1, &cpu.base, total, &report, &err) == ONEPASS_CHANGED,
               "reader %d: %s", (int)k, err.message);
        CHECKF(strstr(err.message, "it ends at byte 6291456 of") != NULL, "%s", err.message);
        state_free(total);
        program_free(lowered);
        onepass_program_free(program);
        source_close(s);
        onepass_context_free(ctx);
    }
}

/* ---- what is in the page cache --------------------------------------------------------------------
 */

static void cached_and_not(void) {
    struct residency r;
    uint64_t until;
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && fsync(fd) == 0);
    for (int by_mincore = 0; by_mincore < 2; by_mincore++) {
        char byte[4096];
        calm();
        system_.no_cachestat = by_mincore;
        CHECK(pread(fd, byte, 1, 0) == 1);
        for (uint64_t k = 0; k < 4 * NELEMS; k += sizeof byte)
            CHECK(pread(fd, byte, sizeof byte, (off_t)k) > 0);
        residency_init(&r, fd, 0, 4 * NELEMS);
        CHECK(residency_is_cold(&r, 0, &until) == 0 && until == 64 << 20);
        CHECK(posix_fadvise(fd, 3 << 20, 4 << 20, POSIX_FADV_DONTNEED) == 0);
        residency_init(&r, fd, 0, 4 * NELEMS);
        if (r.cold == 0) {
            SKIP("this file system does not let go of cached pages");
            break;
        }
        /* Pages come and go in groups of up to 2 MiB, which may reach across the ends. */
        CHECK(residency_is_cold(&r, 0, &until) == 0 && until >= 3 << 20 && until <= 4 << 20);
        CHECK(residency_is_cold(&r, 5 << 20, &until) == 1 && until >= 6 << 20 && until <= 7 << 20);
        CHECK(residency_is_cold(&r, 8 << 20, &until) == 0 && until == 64 << 20);
        CHECK(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0);
        residency_init(&r, fd, 4000, 4 * NELEMS);
        CHECK(residency_is_cold(&r, 4000, &until) == 1 && until == 64 << 20);
    }
    close(fd);
    calm();
}

/* One range is cached: each byte is read once, its own way. */
static void half_a_file_is_cached(void) {
    NEEDS(ring_works, "io_uring");
    struct residency r;
    onepass_input in = whole_file();
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && fsync(fd) == 0 && posix_fadvise(fd, 4 << 20, 0, POSIX_FADV_DONTNEED) == 0);
    residency_init(&r, fd, 0, 4 * NELEMS);
    if (r.cold == 0)
        SKIP("this file system does not let go of cached pages");
    else
        for (int threads = 1; threads < 4; threads++) {
            struct ran ran = run(NULL, threads, 0, &in);
            check_whole(&ran, r.cold == UINT64_MAX ? "uring" : "mixed", "half a file");
        }
    close(fd);
}

int main(int argc, char **argv) {
    static const struct test tests[] = {
        {"reader_every_reader_gives_the_same", every_reader_gives_the_same},
        {"reader_offsets_and_strides", offsets_and_strides},
        {"reader_elements_across_pages", elements_across_pages},
        {"reader_what_is_refused_is_done_without", what_is_refused_is_done_without},
        {"reader_refused_when_it_comes_to_reading", refused_when_it_comes_to_reading},
        {"reader_short_direct_reads", short_direct_reads},
        {"reader_an_error_of_the_disk", an_error_of_the_disk},
        {"reader_a_ring_that_breaks", a_ring_that_breaks},
        {"fault_25_a_file_that_shrinks_past_the_cache", a_file_that_shrinks},
        {"residency_cached_and_not", cached_and_not},
        {"reader_half_a_file_is_cached", half_a_file_is_cached},
    };
    make_file();
    probe();
    int status = RUN_TESTS(tests);
    free(values);
    test_cleanup();
    return status;
}
