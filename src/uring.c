/* io_uring by its system calls.
 *
 * Two rings of memory are shared with the kernel: this thread alone writes the tail of the one and the
 * head of the other, with release, and reads what the kernel wrote with acquire. */
#include "uring.h"

#include <errno.h>

#if URING_BUILT_IN

#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Numbers of the generic table, the same on every architecture. */
#ifndef __NR_io_uring_setup
#define __NR_io_uring_setup 425
#define __NR_io_uring_enter 426
#endif

static void *map(struct uring *u, size_t nbytes, off_t what) {
    return mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, u->fd, what);
}

static int map_rings(struct uring *u, const struct io_uring_params *p) {
    size_t sq = p->sq_off.array + p->sq_entries * sizeof(unsigned);
    size_t cq = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);
    u->rings_bytes = sq > cq ? sq : cq;
    u->entries_bytes = p->sq_entries * sizeof(struct io_uring_sqe);
    u->rings = map(u, u->rings_bytes, IORING_OFF_SQ_RING);
    if (u->rings == MAP_FAILED) return errno;
    u->entries = map(u, u->entries_bytes, IORING_OFF_SQES);
    if (u->entries == MAP_FAILED) {
        int failed = errno;
        munmap(u->rings, u->rings_bytes);
        return failed;
    }
    unsigned char *at = u->rings;
    u->sq_tail = (unsigned *)(at + p->sq_off.tail);
    u->sq_mask = *(unsigned *)(at + p->sq_off.ring_mask);
    u->sq_array = (unsigned *)(at + p->sq_off.array);
    u->cq_head = (unsigned *)(at + p->cq_off.head);
    u->cq_tail = (unsigned *)(at + p->cq_off.tail);
    u->cq_mask = *(unsigned *)(at + p->cq_off.ring_mask);
    u->results = at + p->cq_off.cqes;
    return 0;
}

int uring_open(struct uring *u, unsigned nreads) {
    struct io_uring_params p;
    memset(&p, 0, sizeof p);
    u->fd = (int)syscall(__NR_io_uring_setup, nreads, &p);
    if (u->fd < 0) return errno;
    /* Both rings in one mapping: Linux 5.4. */
    int failed = p.features & IORING_FEAT_SINGLE_MMAP ? map_rings(u, &p) : ENOSYS;
    if (failed != 0) close(u->fd);
    return failed;
}

void uring_close(struct uring *u) {
    munmap(u->entries, u->entries_bytes);
    munmap(u->rings, u->rings_bytes);
    close(u->fd);
}

int uring_read(struct uring *u, int fd, void *buffer, uint32_t nbytes, uint64_t offset, uint64_t tag) {
    unsigned tail = *u->sq_tail, slot = tail & u->sq_mask;
    struct io_uring_sqe *sqe = (struct io_uring_sqe *)u->entries + slot;
    memset(sqe, 0, sizeof *sqe);
    sqe->opcode = IORING_OP_READ;
    sqe->fd = fd;
    sqe->addr = (uintptr_t)buffer;
    sqe->len = nbytes;
    sqe->off = offset;
    sqe->user_data = tag;
    u->sq_array[slot] = slot;
    __atomic_store_n(u->sq_tail, tail + 1, __ATOMIC_RELEASE);
    long n;
    do
        n = syscall(__NR_io_uring_enter, u->fd, 1, 0, 0, NULL, (size_t)0);
    while (n < 0 && errno == EINTR);
    if (n == 1) return 0;
    int failed = n < 0 ? errno : EAGAIN;
    __atomic_store_n(u->sq_tail, tail, __ATOMIC_RELEASE); /* the kernel has not taken it */
    return failed;
}

int uring_wait(struct uring *u, uint64_t *tag, int32_t *result) {
    unsigned head = *u->cq_head;
    while (__atomic_load_n(u->cq_tail, __ATOMIC_ACQUIRE) == head)
        if (syscall(__NR_io_uring_enter, u->fd, 0, 1, IORING_ENTER_GETEVENTS, NULL, (size_t)0) < 0 &&
            errno != EINTR)
            return errno;
    const struct io_uring_cqe *cqe = (const struct io_uring_cqe *)u->results + (head & u->cq_mask);
    *tag = cqe->user_data;
    *result = cqe->res;
    __atomic_store_n(u->cq_head, head + 1, __ATOMIC_RELEASE);
    return 0;
}

#else

int uring_open(struct uring *u, unsigned nreads) {
    (void)u, (void)nreads;
    return ENOSYS;
}

void uring_close(struct uring *u) {
    (void)u;
}

int uring_read(struct uring *u, int fd, void *buffer, uint32_t nbytes, uint64_t offset, uint64_t tag) {
    (void)u, (void)fd, (void)buffer, (void)nbytes, (void)offset, (void)tag;
    return ENOSYS;
}

int uring_wait(struct uring *u, uint64_t *tag, int32_t *result) {
    (void)u, (void)tag, (void)result;
    return ENOSYS;
}

#endif
