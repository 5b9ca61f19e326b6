/* What the kinds of sources share with source.c, which opens them. */
#ifndef SOURCE_PARTS_H
#define SOURCE_PARTS_H

#include "input_file.h"
#include "raw_layout.h"
#include "residency.h"
#include "source.h"

/* All of these take *f over when they succeed; when they fail it stays the caller's. */

/* Elements of a regular file, read by position: nelems of them from data_offset (bytes) on. */
struct range_source {
    struct source base;
    struct input_file file;
    uint64_t data_offset;
    uint64_t taken; /* elements given out as extents */
    /* Reading past the page cache, prepared when the engine wishes it: */
    int direct_fd; /* -1: not opened */
    struct residency residency;
    uint64_t page_first, page_period; /* elements k that begin a page: page_first + any * page_period */
};
int range_source_create(const struct source_ops *ops, const struct input_file *f, enum dtype dtype,
                        int big_endian, uint64_t data_offset, uint64_t stride_bytes, uint64_t nelems,
                        struct range_source **out, onepass_error *err);
int range_source_next(struct source *s, unsigned char *buffer, size_t capacity,
                      const atomic_int *cancel, struct extent *e, onepass_error *err);
int range_source_fetch(const struct source *s, const struct extent *e, unsigned char *buffer,
                       onepass_error *err);
int range_source_check(const struct source *s, onepass_error *err);
void range_source_close(struct source *s);

/* Raw data in a regular file. */
int raw_source_open(const struct raw_layout *r, const struct input_file *f, struct source **out,
                    onepass_error *err);

/* .npy, from a file or a stream whose header has not been taken yet. */
int npy_source_open(struct input_file *f, const atomic_int *cancel, struct source **out,
                    onepass_error *err);

/* Elements of a stream. */
int stream_source_open_raw(const struct raw_layout *r, const struct input_file *f, struct source **out,
                           onepass_error *err);
/* The same after a header that promises nelems elements and nothing behind them; the place is the
 * caller's to fill. */
int stream_source_open_npy(enum dtype dtype, int big_endian, uint64_t nelems,
                           const struct input_file *f, struct source **out, onepass_error *err);

#endif
