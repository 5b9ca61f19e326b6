/* The buffers of one worker, and how extents come into them: copied out of the page cache into one
 * small buffer, or read past it into several large ones, many at a time. */
#ifndef READER_H
#define READER_H

#include "onepass.h"
#include "source.h"

enum reader_kind { READER_AUTO, READER_PREAD, READER_DIRECT, READER_URING };

/* The kind of a name ("pread", "direct", "uring"; NULL: automatic), ONEPASS_BAD_ARGUMENT of another. */
int reader_kind_find(const char *name, enum reader_kind *kind, onepass_error *err);

/* Memory that a reader reads into, where it is not ordinary: a GPU copies out of pinned pages while
 * the next extent is read.  Used by the reader's thread only. */
struct reader_memory {
    void *user;
    size_t nbuffers; /* extents through the page cache go to so many buffers by turns, >= 1 */
    /* Whole pages; NULL: no memory.  What is not `needed` the reader does without. */
    unsigned char *(*allocate)(void *user, size_t nbytes, int needed);
    void (*free)(void *user, unsigned char *memory);       /* accepts NULL */
    /* Until nobody uses the extent any more whose bytes these were. */
    int (*wait)(void *user, const unsigned char *bytes, onepass_error *err);
};

struct reader_sizes {
    enum reader_kind kind;
    size_t buffer_bytes; /* most of an extent that is not direct, >= direct_bytes */
    size_t direct_bytes; /* most of one that is; 0: there are none.  It may come into the buffer */
    size_t nslots;       /* direct extents that are read at once, >= 1 */
};

/* An extent that a worker has taken, and its bytes once they are there. */
struct piece {
    struct source *source;
    struct extent extent;
    size_t part;       /* number of the source */
    uint64_t sequence; /* of the extent over all sources */
    const unsigned char *bytes;
};

/* Ways that were taken, for the report: bits. */
enum { READ_STREAM = 1, READ_PREAD = 2, READ_DIRECT = 4, READ_URING = 8 };

/* "pread", "direct", "io_uring", "stream", "mixed"; "none" where nothing was read. */
const char *reader_ways_name(unsigned ways);

struct reader;
/* memory NULL: ordinary memory, one buffer; else it outlives the reader. */
int reader_create(const struct reader_sizes *sizes, const struct reader_memory *memory,
                  struct reader **out, onepass_error *err);
void reader_free(struct reader *r); /* accepts NULL; nothing may be under way */

/* Where the next extent's bytes go if it is FETCH_READY, buffer_bytes of room; waits until it is free.
 */
int reader_buffer(struct reader *r, unsigned char **out, onepass_error *err);

/* Room for one more extent; NULL: all are being read, wait for one. */
struct piece *reader_room(struct reader *r);

/* Gets the bytes of that piece's extent, or starts to (*ready 0), after reader_buffer.  A piece that is
 * ready has to be used, or handed to who is waited for, before the next begins. */
int reader_begin(struct reader *r, struct piece *p, int *ready, onepass_error *err);

/* Waits for one that was started; *done is NULL if none is under way.  The result is that of its
 * reading.  It stays the caller's until the next call of any of these. */
int reader_wait(struct reader *r, struct piece **done, onepass_error *err);

unsigned reader_ways(const struct reader *r);

#endif
