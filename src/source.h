/* Sources and extents: every format is only an index of where elements lie.
 *
 * A source opens one input, understands its metadata and yields extents; the engine's workers fetch
 * and evaluate them in any order.  Extents cover each element of the array exactly once. */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "dtype.h"
#include "onepass.h"
#include "scalar.h"

/* Where elements stand in the logical array.  Elements come in *storage order*, numbered from 0; the
 * *index* of an element is its C-order number, which differs for Fortran-ordered arrays. */
struct place {
    int ndim;
    uint64_t shape[ONEPASS_MAX_DIMS];
    int fortran;   /* storage order runs along the first dimension */
    uint64_t base; /* added to every index: elements of the inputs before (concatenation) */
    uint64_t step; /* coordinate = index * step, for the one dimension of strided raw data; 0: 1 */
};

/* How the elements of an extent lie in its bytes. */
struct layout {
    enum dtype dtype;
    int swap;              /* stored in the other byte order than this machine's */
    uint64_t stride_bytes; /* from one element to the next, >= itemsize */
};

enum fetch {
    FETCH_RANGE,   /* the worker reads nbytes at offset_bytes through source->ops->fetch */
    FETCH_DIRECT,  /* the same, and direct_fd and position say how to read past the page cache */
    FETCH_READY,   /* `next` has put the bytes into the worker's buffer (streams) */
    FETCH_CONSTANT /* every element is `constant`; no bytes */
};

struct extent {
    enum fetch fetch;
    uint64_t offset_bytes, nbytes; /* stored bytes, (nelems - 1) * stride_bytes + itemsize of them */
    int direct_fd;                 /* open with O_DIRECT, the source's; the bytes are those from */
    uint64_t position;             /* `position` on, and any number of whole pages may be read */
    struct layout layout;
    struct scalar constant; /* of the dtype's class: TYPE_INT for integers */
    uint64_t first;         /* storage-order number of its first element */
    uint64_t nelems;
    const struct place *place; /* the source's */
};

struct source;

struct source_ops {
    const char *name; /* "raw", "npy" */
    /* The next extent: whole elements, nbytes <= capacity (the size of buffer, at least one element).
     * Called by one thread at a time.  FETCH_READY extents put their bytes into buffer (waiting for
     * a stream in steps, so that *cancel is noticed).  0: good; *e with nelems 0 is the end. */
    int (*next)(struct source *s, unsigned char *buffer, size_t capacity, const atomic_int *cancel,
                struct extent *e, onepass_error *err);
    /* Read a FETCH_RANGE or FETCH_DIRECT extent's bytes, or some of them (offset_bytes and nbytes say
     * which), through the page cache.  Called by any number of threads at once.  A file that ends early
     * is an error (ONEPASS_CHANGED).  NULL where `next` can wait for a stream. */
    int (*fetch)(const struct source *s, const struct extent *e, unsigned char *buffer,
                 onepass_error *err);
    /* After the last extent: an error if the file is not as it was when it was opened. */
    int (*check)(const struct source *s, onepass_error *err);
    void (*close)(struct source *s); /* frees s too */
};

/* Whether extents may be FETCH_DIRECT: the engine's to set before it takes the first. */
struct direct_wish {
    size_t nbytes; /* most of an extent; 0: none is direct */
    int forced;    /* all are, else those that are not in the page cache */
};

/* What is common to all; each kind of source embeds it first. */
struct source {
    const struct source_ops *ops;
    struct direct_wish direct;
    struct place place;   /* ndim and shape; of a stream: ndim 1, shape[0] set at its end */
    struct layout layout; /* of all its extents */
    enum dtype dtype;
    int big_endian;
    int nelems_known;       /* 0: a stream whose length only its end tells */
    uint64_t nelems;        /* of a stream: seen so far, final at its end */
    uint64_t total_bytes;   /* from the first element to the last, UINT64_MAX: unknown */
    uint64_t unread_bytes;  /* of a file: behind the last element of a shape that was given */
    int is_text;            /* its first bytes are such as a text has; of a stream known at its end */
    const char *overridden; /* the type that the name says and the caller did not mean, or NULL */
    /* for the result; of a stream final at its end */
    int has_layout; /* raw data with offset, count or stride given */
    uint64_t offset_bytes, count, stride;
    uint64_t file_size; /* of a regular file, else 0; mtime likewise */
    int64_t mtime;
};

/* Open an input as whatever its content, then its name and options, say it is.  May wait for the first
 * bytes of a stream, until *cancel is set (NULL: for ever). */
int source_open(const onepass_input *input, const atomic_int *cancel, struct source **out,
                onepass_error *err);
void source_close(struct source *s); /* accepts NULL */

/* index[k] = C-order index of storage-order element first + k, k < n. */
void place_indices(const struct place *place, uint64_t first, size_t n, uint64_t *index);
/* coords[0 .. ndim) of an index from which base was subtracted. */
void place_coords(const struct place *place, uint64_t index, uint64_t *coords);

#endif
