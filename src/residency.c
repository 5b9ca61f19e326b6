/* cachestat(2), else mincore(2) on a mapping.
 *
 * preadv2(RWF_NOWAIT) would tell too, but starts to read ahead what it does not find.  mincore says
 * "cached" of files that the caller may not write to; those are then read through the page cache. */
#include "residency.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_cachestat
#define SYS_cachestat 451 /* Linux 6.5; the same on every architecture */
#endif

/* Asking costs 27 ns a page (4 KiB folios, measured: 437 us for 64 MiB, which take 2.5 ms to reduce),
 * so a step is sampled, and only one found to be mixed is looked at part by part, in full. */
#define STEP     ((uint64_t)64 << 20)
#define PART     ((uint64_t)1 << 20)
#define NSAMPLES 16
#define SAMPLE   ((uint64_t)16 << 10)

struct cachestat_range {
    uint64_t offset, nbytes;
};

struct cachestat {
    uint64_t cached, dirty, writeback, evicted, recently_evicted; /* pages */
};

static uint64_t page_bytes(void) {
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Cached pages among *npages of a range; -1: unknown.  nbytes <= PART. */
static int64_t count_by_mincore(int fd, uint64_t position, uint64_t nbytes, uint64_t *npages) {
    unsigned char cached[PART / 4096 + 1];
    uint64_t page = page_bytes(), begin = position / page * page;
    size_t span = (size_t)(position + nbytes - begin);
    int64_t count = 0;
    *npages = (span + page - 1) / page;
    void *at = mmap(NULL, span, PROT_READ, MAP_SHARED, fd, (off_t)begin);
    if (at == MAP_FAILED) return -1;
    if (mincore(at, span, cached) != 0)
        count = -1;
    else
        for (uint64_t k = 0; k < *npages; k++)
            count += cached[k] & 1;
    munmap(at, span);
    return count;
}

static int64_t count_pages(int fd, uint64_t position, uint64_t nbytes, uint64_t *npages) {
    uint64_t page = page_bytes();
    struct cachestat_range range = {position, nbytes};
    struct cachestat stat;
    *npages = (position + nbytes - 1) / page - position / page + 1;
    if (syscall(SYS_cachestat, fd, &range, &stat, 0) == 0) return (int64_t)stat.cached;
    return count_by_mincore(fd, position, nbytes, npages);
}

static enum resident verdict(int64_t cached, uint64_t npages) {
    if (cached == 0) return RESIDENT_NONE;
    return cached < 0 || (uint64_t)cached >= npages ? RESIDENT_ALL : RESIDENT_PART;
}

/* All of a range of up to PART. */
static enum resident look_at(int fd, uint64_t position, uint64_t nbytes) {
    uint64_t npages;
    int64_t cached = count_pages(fd, position, nbytes, &npages);
    return verdict(cached, npages);
}

enum resident residency_sample(int fd, uint64_t position, uint64_t nbytes) {
    uint64_t stride = nbytes / NSAMPLES, npages, all = 0;
    int64_t cached = 0;
    if (nbytes == 0) return RESIDENT_ALL;
    if (stride <= SAMPLE) return look_at(fd, position, nbytes);
    for (uint64_t k = 0; k < NSAMPLES; k++) {
        /* The last sample ends where the range does. */
        uint64_t at = k + 1 < NSAMPLES ? k * stride : nbytes - SAMPLE;
        int64_t n = count_pages(fd, position + at, SAMPLE, &npages);
        if (n < 0) return RESIDENT_ALL;
        cached += n;
        all += npages;
    }
    return verdict(cached, all);
}

int residency_is_cold(struct residency *r, uint64_t position, uint64_t *until) {
    if (position >= r->step_end) {
        r->step_end = (position / STEP + 1) * STEP;
        r->step = residency_sample(r->fd, position, least(r->step_end, r->end) - position);
    }
    *until = r->step_end;
    if (r->step != RESIDENT_PART) return r->step == RESIDENT_NONE;
    *until = (position / PART + 1) * PART;
    return look_at(r->fd, position, least(*until, r->end) - position) != RESIDENT_ALL;
}
