/* yardstick LOOP THREADS FILE: what a plain loop makes of a file, for comparison with onepass.
 *
 * Reads like onepass (pread of 1 MiB pieces into a reused buffer on huge pages, T threads that take
 * the next piece) and adds without any care for rounding: binary64 accumulators in independent lanes.
 * The Makefile compiles it once per instruction set of onepass, so that both have the same
 * instructions, and with flags that let the compiler do its best (tests/bench/README).  Prints one JSON
 * object: the seconds from before the first thread starts until all have ended, and the results.  No
 * loop handles NaN apart from the blend.  `yardstick cached 1 FILE` prints the part of FILE that is in
 * the page cache. */
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

enum { PIECE_BYTES = 1 << 20, HUGE_PAGE = 2 << 20, MAX_THREADS = 1024 };

/* Elements a step: enough independent sums to hide the latency of an addition, few enough to stay in
 * registers.  The statistics have four accumulators for each of their VECTORS of WIDTH values. */
#ifdef __AVX512F__
enum { LANES = 32, WIDTH = 8, VECTORS = 4 };
#elif defined(__AVX2__)
enum { LANES = 32, WIDTH = 4, VECTORS = 2 };
#else
enum { LANES = 16, WIDTH = 2, VECTORS = 2 };
#endif
typedef double vector __attribute__((vector_size(8 * WIDTH)));
#ifdef __AVX512F__
#define vector_min _mm512_min_pd
#define vector_max _mm512_max_pd
#elif defined(__AVX2__)
#define vector_min _mm256_min_pd
#define vector_max _mm256_max_pd
#elif defined(__SSE2__)
#define vector_min _mm_min_pd
#define vector_max _mm_max_pd
#else
static vector vector_min(vector a, vector b) {
    return (vector){fmin(a[0], b[0]), fmin(a[1], b[1])};
}
static vector vector_max(vector a, vector b) {
    return (vector){fmax(a[0], b[0]), fmax(a[1], b[1])};
}
#endif

struct totals {
    double sum, sumsq, min, max;
};

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "yardstick: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- loading ----------------------------------------------------------------------------------- */

static double from_f32be(uint32_t bits) {
    bits = __builtin_bswap32(bits);
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* |x| of f32 bits, 0 for NaN; by integers, since the flags may promise that there is no NaN. */
static double blend_f32(uint32_t bits) {
    int32_t magnitude = (int32_t)(bits & 0x7fffffff);
    bits = (uint32_t)(magnitude & -(magnitude <= 0x7f800000));
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* n finite halves; the shifted bits are those of a float that is 2^112 times too small. */
static void widen_f16(const uint16_t *x, float *out, int n) {
#ifdef __F16C__
    for (int k = 0; k < n; k += 8)
        _mm256_storeu_ps(out + k, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(x + k))));
#else
    for (int k = 0; k < n; k++) {
        uint32_t bits = (uint32_t)(x[k] & 0x8000) << 16 | (uint32_t)(x[k] & 0x7fff) << 13;
        float value;
        memcpy(&value, &bits, sizeof(value));
        out[k] = value * 0x1p112f;
    }
#endif
}

/* ---- loops: n elements, a multiple of LANES, are added to *t ----------------------------------- */

#define ABS_SUM(name, type, load)                                                                      \
    static void name(const void *data, size_t n, struct totals *t) {                                   \
        const type *x = data;                                                                          \
        double s[LANES] = {0};                                                                         \
        for (size_t i = 0; i < n; i += LANES)                                                          \
            for (int k = 0; k < LANES; k++)                                                            \
                s[k] += fabs((double)load(x[i + (size_t)k]));                                          \
        for (int k = 0; k < LANES; k++)                                                                \
            t->sum += s[k];                                                                            \
    }
ABS_SUM(abs_f32, float, )
ABS_SUM(abs_f64, double, )
ABS_SUM(abs_i16, int16_t, )
ABS_SUM(abs_f32be, uint32_t, from_f32be)
ABS_SUM(blend, uint32_t, blend_f32)

static void abs_f16(const void *data, size_t n, struct totals *t) {
    const uint16_t *x = data;
    double s[LANES] = {0};
    for (size_t i = 0; i < n; i += LANES) {
        float block[LANES];
        widen_f16(x + i, block, LANES);
        for (int k = 0; k < LANES; k++)
            s[k] += fabs((double)block[k]);
    }
    for (int k = 0; k < LANES; k++)
        t->sum += s[k];
}

/* sum, sum of squares, min and max; compilers of today make poor minima of the loops above. */
#define STATS(name, type)                                                                              \
    static void name(const void *data, size_t n, struct totals *t) {                                   \
        const type *x = data;                                                                          \
        vector s[VECTORS] = {{0}}, q[VECTORS] = {{0}}, lo[VECTORS], hi[VECTORS];                       \
        for (int k = 0; k < VECTORS; k++) {                                                            \
            lo[k] = s[0] + t->min;                                                                     \
            hi[k] = s[0] + t->max;                                                                     \
        }                                                                                              \
        for (size_t i = 0; i < n; i += VECTORS * WIDTH)                                                \
            for (int k = 0; k < VECTORS; k++) {                                                        \
                vector v;                                                                              \
                for (int j = 0; j < WIDTH; j++)                                                        \
                    v[j] = (double)x[i + (size_t)(k * WIDTH + j)];                                     \
                s[k] += v;                                                                             \
                q[k] += v * v;                                                                         \
                lo[k] = vector_min(v, lo[k]);                                                          \
                hi[k] = vector_max(v, hi[k]);                                                          \
            }                                                                                          \
        for (int k = 0; k < VECTORS * WIDTH; k++) {                                                    \
            t->sum += s[k / WIDTH][k % WIDTH];                                                         \
            t->sumsq += q[k / WIDTH][k % WIDTH];                                                       \
            t->min = fmin(t->min, lo[k / WIDTH][k % WIDTH]);                                           \
            t->max = fmax(t->max, hi[k / WIDTH][k % WIDTH]);                                           \
        }                                                                                              \
    }
STATS(stats_f32, float)
STATS(stats_f64, double)

static void copy(const void *data, size_t n, struct totals *t) {
    (void)data;
    t->sum += (double)n;
}

static const struct loop {
    const char *name;
    void (*add)(const void *data, size_t nelems, struct totals *t);
    size_t nbytes; /* of an element */
} LOOPS[] = {
    {"copy", copy, 1},       {"abs_f32", abs_f32, 4},     {"abs_f64", abs_f64, 8},
    {"abs_f16", abs_f16, 2}, {"abs_i16", abs_i16, 2},     {"abs_f32be", abs_f32be, 4},
    {"blend_f32", blend, 4}, {"stats_f32", stats_f32, 4}, {"stats_f64", stats_f64, 8},
};

/* ---- reading ----------------------------------------------------------------------------------- */

struct job {
    const struct loop *loop;
    int fd;
    size_t file_bytes;
    _Atomic size_t next;
};

struct worker {
    struct job *job;
    struct totals totals;
    pthread_t thread;
};

static void read_piece(int fd, char *buffer, size_t nbytes, size_t at) {
    while (nbytes > 0) {
        ssize_t got = pread(fd, buffer, nbytes, (off_t)at);
        if (got <= 0) fail("read");
        buffer += got;
        at += (size_t)got;
        nbytes -= (size_t)got;
    }
}

static void *work(void *argument) {
    struct worker *w = argument;
    struct job *job = w->job;
    char *buffer = aligned_alloc(HUGE_PAGE, HUGE_PAGE);
    if (!buffer) fail("memory");
    madvise(buffer, HUGE_PAGE, MADV_HUGEPAGE);
    for (size_t at; (at = atomic_fetch_add(&job->next, PIECE_BYTES)) < job->file_bytes;) {
        size_t left = job->file_bytes - at, nbytes = left < PIECE_BYTES ? left : PIECE_BYTES;
        read_piece(job->fd, buffer, nbytes, at);
        job->loop->add(buffer, nbytes / job->loop->nbytes, &w->totals);
    }
    free(buffer);
    return NULL;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(struct job *job, int nthreads) {
    static struct worker workers[MAX_THREADS];
    struct totals all = {0, 0, DBL_MAX, -DBL_MAX};
    double start = now();
    for (int k = 0; k < nthreads; k++) {
        workers[k] = (struct worker){.job = job, .totals = {0, 0, DBL_MAX, -DBL_MAX}};
        errno = pthread_create(&workers[k].thread, NULL, work, &workers[k]);
        if (errno) fail("thread");
    }
    for (int k = 0; k < nthreads; k++) {
        const struct totals *t = &workers[k].totals;
        pthread_join(workers[k].thread, NULL);
        all.sum += t->sum;
        all.sumsq += t->sumsq;
        all.min = t->min < all.min ? t->min : all.min;
        all.max = t->max > all.max ? t->max : all.max;
    }
    printf("{\"seconds\":%.9f,\"sum\":\"%.17g\",\"sumsq\":\"%.17g\"", now() - start, all.sum,
           all.sumsq);
    if (strncmp(job->loop->name, "stats", 5) == 0)
        printf(",\"min\":\"%.17g\",\"max\":\"%.17g\"", all.min, all.max);
    printf("}\n");
}

/* The part of the file that mincore says is in memory. */
static double cached_part(int fd, size_t nbytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), npages = (nbytes + page - 1) / page, present = 0;
    unsigned char *resident = malloc(npages);
    void *map = mmap(NULL, nbytes, PROT_READ, MAP_SHARED, fd, 0);
    if (!resident || map == MAP_FAILED || mincore(map, nbytes, resident) != 0) fail("mincore");
    for (size_t k = 0; k < npages; k++)
        present += resident[k] & 1;
    munmap(map, nbytes);
    free(resident);
    return (double)present / (double)npages;
}

int main(int argc, char **argv) {
    struct job job = {.fd = -1};
    int nthreads = argc == 4 ? atoi(argv[2]) : 0;
    if (nthreads < 1 || nthreads > MAX_THREADS) {
        fprintf(stderr, "usage: yardstick LOOP THREADS FILE\n");
        return 2;
    }
    job.fd = open(argv[3], O_RDONLY | O_CLOEXEC);
    off_t end = job.fd < 0 ? -1 : lseek(job.fd, 0, SEEK_END);
    if (end < 0) fail(argv[3]);
    job.file_bytes = (size_t)end;
    if (end == 0 || job.file_bytes % (LANES * sizeof(double)) != 0) {
        fprintf(stderr, "yardstick: %s: the size is no multiple of %zu\n", argv[3],
                LANES * sizeof(double));
        return 2;
    }
    if (strcmp(argv[1], "cached") == 0) {
        printf("{\"cached\":%.6f}\n", cached_part(job.fd, job.file_bytes));
        return 0;
    }
    for (size_t k = 0; k < sizeof(LOOPS) / sizeof(LOOPS[0]); k++)
        if (strcmp(argv[1], LOOPS[k].name) == 0) job.loop = &LOOPS[k];
    if (!job.loop) {
        fprintf(stderr, "yardstick: no loop %s\n", argv[1]);
        return 2;
    }
    run(&job, nthreads);
    return 0;
}
