/* cachestat(2), else mincore(2) on a mapping.
 *
 * preadv2(RWF_NOWAIT) would tell too, but starts to read ahead what it does not find.  mincore says
 * "cached" of files that the caller may not write to; those are then read through the page cache. */
#include "residency.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef SYS_cachestat
#define SYS_cachestat 451 /* Linux 6.5; the same on every architecture */
#endif

/* Asking costs 27 ns a page (4 KiB folios, measured: 437 us for 64 MiB, which take 2.5 ms to reduce),
 * so a step is sampled, and only one found to be mixed is looked at part by part, in full. */
#define PART     ((uint64_t)1 << 20)
#define NPARTS   64
#define STEP     (NPARTS * PART)
#define NSAMPLES 16
#define SAMPLE   ((uint64_t)16 << 10)

#define OVERLAYFS_MAGIC 0x794c7630

enum resident { RESIDENT_NONE, RESIDENT_PART, RESIDENT_ALL };

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

static int64_t count_pages(const struct residency *r, uint64_t position, uint64_t nbytes,
                           uint64_t *npages) {
    uint64_t page = page_bytes();
    struct cachestat_range range = {position, nbytes};
    struct cachestat stat;
    *npages = (position + nbytes - 1) / page - position / page + 1;
    if (!r->by_mapping && syscall(SYS_cachestat, r->fd, &range, &stat, 0) == 0)
        return (int64_t)stat.cached;
    return count_by_mincore(r->fd, position, nbytes, npages);
}

static enum resident verdict(int64_t cached, uint64_t npages) {
    if (cached == 0) return RESIDENT_NONE;
    return cached < 0 || (uint64_t)cached >= npages ? RESIDENT_ALL : RESIDENT_PART;
}

/* All of a range of up to PART. */
static enum resident look_at(const struct residency *r, uint64_t position, uint64_t nbytes) {
    uint64_t npages;
    int64_t cached = count_pages(r, position, nbytes, &npages);
    return verdict(cached, npages);
}

static enum resident sample(const struct residency *r, uint64_t position, uint64_t nbytes) {
    uint64_t stride = nbytes / NSAMPLES, npages, all = 0;
    int64_t cached = 0;
    if (stride <= SAMPLE) return look_at(r, position, nbytes);
    for (uint64_t k = 0; k < NSAMPLES; k++) {
        /* The last sample ends where the range does. */
        uint64_t at = k + 1 < NSAMPLES ? k * stride : nbytes - SAMPLE;
        int64_t n = count_pages(r, position + at, SAMPLE, &npages);
        if (n < 0) return RESIDENT_ALL;
        cached += n;
        all += npages;
    }
    return verdict(cached, all);
}

/* The parts of a step that are not all cached, as bits. */
static uint64_t look_at_step(const struct residency *r, uint64_t step) {
    uint64_t begin = step * STEP, end = least(begin + STEP, r->end), cold = 0;
    if (begin >= r->end) return 0;
    enum resident all = sample(r, begin, end - begin);
    if (all != RESIDENT_PART) return all == RESIDENT_NONE ? UINT64_MAX : 0;
    for (uint64_t at = begin; at < end; at += PART)
        if (look_at(r, at, least(PART, end - at)) != RESIDENT_ALL)
            cold |= UINT64_C(1) << (at - begin) / PART;
    return cold;
}

void residency_init(struct residency *r, int fd, uint64_t begin, uint64_t end) {
    struct statfs fs;
    /* An overlay's file has no pages of its own; a mapping of it is one of the file below. */
    int by_mapping = fstatfs(fd, &fs) == 0 && (uint32_t)fs.f_type == OVERLAYFS_MAGIC;
    *r = (struct residency){.fd = fd, .by_mapping = by_mapping, .end = end, .step = begin / STEP};
    r->cold = look_at_step(r, r->step);
    r->next_cold = look_at_step(r, r->step + 1);
}

int residency_is_cold(struct residency *r, uint64_t position, uint64_t *until) {
    uint64_t step = position / STEP;
    if (step != r->step) {
        r->cold = step == r->step + 1 ? r->next_cold : look_at_step(r, step);
        r->next_cold = look_at_step(r, step + 1);
        r->step = step;
    }
    int part = (int)(position % STEP / PART), is_cold = r->cold >> part & 1;
    while (part < NPARTS && (int)(r->cold >> part & 1) == is_cold)
        part++;
    *until = step * STEP + (uint64_t)part * PART;
    return is_cold;
}
