/* Reads that the kernel works on while the caller does something else: io_uring, reading only.
 *
 * Raw system calls and the kernel's own header: what is needed is one operation, and in Debian 12's
 * liburing its interesting part lies in the header, so that it could be linked but not be loaded when
 * needed.  A ring belongs to one thread. */
#ifndef URING_H
#define URING_H

#include <stddef.h>
#include <stdint.h>

#define URING_BUILT_IN 0
#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/io_uring.h>)
#undef URING_BUILT_IN
#define URING_BUILT_IN 1
#endif
#endif

struct uring {
    int fd;
    unsigned *sq_tail, *sq_array, sq_mask; /* what is to be read */
    unsigned *cq_head, *cq_tail, cq_mask;  /* what was read */
    void *rings, *entries;                 /* mappings */
    size_t rings_bytes, entries_bytes;
    const void *results;
};

/* A ring for so many reads at once.  0, or an errno: ENOSYS (the kernel or the build has none), EPERM
 * (forbidden by a filter of system calls or by kernel.io_uring_disabled), ENOMEM ... */
int uring_open(struct uring *u, unsigned nreads);
/* No read may be under way. */
void uring_close(struct uring *u);

/* Starts to read nbytes at offset into buffer.  0, or an errno and nothing was started. */
int uring_read(struct uring *u, int fd, void *buffer, uint32_t nbytes, uint64_t offset, uint64_t tag);

/* Waits for any of the reads: its tag, and what pread would have returned, or -errno.  0 or an errno.
 */
int uring_wait(struct uring *u, uint64_t *tag, int32_t *result);

#endif
