/* Making the data of a benchmark. */
#include "bench_data.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"
#include "team.h"

#define PORTION 65536 /* elements that a thread makes at a time */

/* ---- elements -------------------------------------------------------------------------------- */

static uint64_t hash(uint64_t seed, uint64_t i) {
    uint64_t z = seed * UINT64_C(0x9e3779b97f4a7c15) + i;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double normal(uint64_t seed, uint64_t number) {
    uint64_t sum = 0;
    for (uint64_t j = 0; j < 6; j++) {
        uint64_t h = hash(seed, 6 * number + j);
        sum += (h & UINT32_MAX) + (h >> 32);
    }
    return (double)((int64_t)sum - (INT64_C(6) << 32)) * 0x1p-32;
}

/* A finite v of a magnitude below 8 to a format of 16 bits, to nearest even.  The hidden bit adds one
 * to the exponent, and so does a carry out of the fraction. */
static uint16_t narrow(double v, int fraction_bits, int bias) {
    int exponent, least = 1 - bias - fraction_bits;
    frexp(v, &exponent); /* |v| < 2^exponent */
    int ulp = exponent - 1 - fraction_bits;
    if (v == 0 || ulp < least) ulp = least;
    unsigned units = (unsigned)rint(ldexp(fabs(v), -ulp));
    unsigned bits = ((unsigned)(ulp - least) << fraction_bits) + units;
    return (uint16_t)((signbit(v) ? 0x8000u : 0) | bits);
}

static uint64_t element(enum dtype type, uint64_t seed, uint64_t number) {
    uint64_t bits64;
    uint32_t bits32;
    if (type == DTYPE_BOOL) return hash(seed, number) & 1;
    if (dtype_table[type].class != CLASS_F64) return hash(seed, number);
    double v = normal(seed, number);
    float f = (float)v;
    if (type == DTYPE_F16) return narrow(v, 10, 15);
    if (type == DTYPE_BF16) return narrow(v, 7, 127);
    memcpy(&bits64, &v, sizeof bits64);
    memcpy(&bits32, &f, sizeof bits32);
    return type == DTYPE_F32 ? bits32 : bits64;
}

static void put(uint64_t bits, unsigned itemsize, int swap, unsigned char *out) {
    uint16_t b16 = (uint16_t)bits;
    uint32_t b32 = (uint32_t)bits;
    if (swap) {
        b16 = __builtin_bswap16(b16), b32 = __builtin_bswap32(b32);
        bits = __builtin_bswap64(bits);
    }
    if (itemsize == 1) *out = (unsigned char)b16;
    if (itemsize == 2) memcpy(out, &b16, sizeof b16);
    if (itemsize == 4) memcpy(out, &b32, sizeof b32);
    if (itemsize == 8) memcpy(out, &bits, sizeof bits);
}

void bench_data_make(enum dtype type, int swap, uint64_t seed, uint64_t first, size_t n,
                     unsigned char *out) {
    unsigned itemsize = dtype_table[type].itemsize;
    for (size_t k = 0; k < n; k++)
        put(element(type, seed, first + k), itemsize, swap && itemsize > 1, out + k * itemsize);
}

/* ---- the file -------------------------------------------------------------------------------- */

struct maker {
    enum dtype type;
    int swap;
    uint64_t nelems;
    unsigned char *out;
    const atomic_int *cancel;
    atomic_uint_fast64_t next;
};

static void *make_portions(void *argument) {
    struct maker *m = argument;
    while (!atomic_load(m->cancel)) {
        uint64_t first = atomic_fetch_add(&m->next, PORTION);
        if (first >= m->nelems) break;
        uint64_t n = m->nelems - first < PORTION ? m->nelems - first : PORTION;
        bench_data_make(m->type, m->swap, BENCH_SEED, first, (size_t)n,
                        m->out + first * dtype_table[m->type].itemsize);
    }
    return NULL;
}

/* In up to `threads` threads, the caller's among them; fewer will do where no more can be had. */
static int make_all(struct maker *m, int threads, onepass_error *err) {
    pthread_t *others = calloc((size_t)threads, sizeof *others);
    if (others == NULL) return error_no_memory(err);
    int nothers = team_start(others, threads - 1, make_portions, m, 0);
    make_portions(m);
    team_join(others, nothers);
    free(others);
    return atomic_load(m->cancel) ? error_set(err, ONEPASS_CANCELLED, "cancelled") : 0;
}

int bench_data_file(enum dtype type, int swap, uint64_t nelems, int threads, const atomic_int *cancel,
                    int *fd, onepass_error *err) {
    size_t nbytes = (size_t)nelems * dtype_table[type].itemsize;
    struct maker m = {.type = type, .swap = swap, .nelems = nelems, .cancel = cancel};
    *fd = memfd_create("onepass-bench", MFD_CLOEXEC);
    if (*fd < 0) return error_system(err, ONEPASS_NO_MEMORY, errno, "memory for the data");
    int rc = ftruncate(*fd, (off_t)nbytes);
    m.out = rc == 0 ? mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0) : MAP_FAILED;
    if (m.out == MAP_FAILED) {
        rc = error_system(err, ONEPASS_NO_MEMORY, errno, "memory for the data");
    } else {
        rc = make_all(&m, threads, err);
        munmap(m.out, nbytes);
    }
    if (rc != 0) close(*fd), *fd = -1;
    return rc;
}
