/* Whether bytes of a file lie in the page cache: those are copied from there, the others are read past
 * it (O_DIRECT).  Reading cached bytes from the disk instead would cost four to seven times as much. */
#ifndef RESIDENCY_H
#define RESIDENCY_H

#include <stdint.h>

enum resident { RESIDENT_NONE, RESIDENT_PART, RESIDENT_ALL };

/* A file looked at from its beginning to its end, in steps. */
struct residency {
    int fd;
    uint64_t end;      /* bytes from here on are of no interest */
    uint64_t step_end; /* 0 at first */
    enum resident step;
};

/* How much of [position, position + nbytes) is cached, by samples.  What cannot be found out counts as
 * all. */
enum resident residency_sample(int fd, uint64_t position, uint64_t nbytes);

/* 1: the bytes at position are worth a direct read.  *until: where the answer may change.  Positions do
 * not decrease from call to call. */
int residency_is_cold(struct residency *r, uint64_t position, uint64_t *until);

#endif
