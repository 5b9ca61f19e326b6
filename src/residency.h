/* Whether bytes of a file lie in the page cache: those are copied from there, the others are read past
 * it (O_DIRECT).  Reading cached bytes from the disk instead would cost four to seven times as much. */
#ifndef RESIDENCY_H
#define RESIDENCY_H

#include <stdint.h>

/* A file that is read from its beginning to its end, looked at one step of 64 MiB before it is read:
 * near the end of a cached range the kernel reads ahead, and would make all that follows look cached.
 */
struct residency {
    int fd;
    int by_mapping;           /* mincore is asked, not cachestat */
    uint64_t end;             /* bytes from here on are of no interest */
    uint64_t step;            /* number of the step last asked about */
    uint64_t cold, next_cold; /* its and the next one's MiB that are not cached: bits */
};

/* For bytes [begin, end) of the file. */
void residency_init(struct residency *r, int fd, uint64_t begin, uint64_t end);

/* 1: the bytes at position are worth a direct read.  *until: where the answer may change.  Positions do
 * not decrease from call to call.  What cannot be found out counts as cached. */
int residency_is_cold(struct residency *r, uint64_t position, uint64_t *until);

#endif
