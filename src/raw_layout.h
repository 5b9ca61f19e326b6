/* Where the elements of raw data lie: element k at offset + k * stride * itemsize.  Pure arithmetic, no
 * file; the same for files, whose size is known, and streams, whose end tells. */
#ifndef RAW_LAYOUT_H
#define RAW_LAYOUT_H

#include <stdint.h>

#include "dtype.h"
#include "onepass.h"
#include "source.h"

struct raw_layout {
    enum dtype dtype;
    int big_endian;
    uint64_t offset_bytes;
    uint64_t count;  /* elements asked for, by --count or a whole shape; ONEPASS_ALL: what is there */
    uint64_t stride; /* elements, >= 1 */
    uint64_t stride_bytes;
    int ndim;                        /* 0: no shape given */
    int64_t shape[ONEPASS_MAX_DIMS]; /* one may be -1 */
    int given;                       /* offset, count or stride was */
};

/* Whether the input says anything that only raw data need to be told; the word for it, or NULL. */
const char *raw_layout_said(const onepass_input *in);

/* What the options say, for elements of a type.  Errors are those that need no look at the input. */
int raw_layout_read(struct raw_layout *r, const onepass_input *in, enum dtype dtype, int big_endian,
                    onepass_error *err);

/* How many elements an input of `nbytes` (all of it, what lies before the offset included) holds for
 * this layout.  Left-over bytes and whatever reaches past the end are errors. */
int raw_layout_fit(const struct raw_layout *r, uint64_t nbytes, uint64_t *nelems, onepass_error *err);

/* The place of an array whose length is not known yet, and its shape once it is.  The latter writes the
 * shape only, so that extents given out before may go on using the place. */
void raw_layout_place(const struct raw_layout *r, struct place *place);
int raw_layout_shape(const struct raw_layout *r, uint64_t nelems, struct place *place,
                     onepass_error *err);

/* Elements that fit into capacity >= itemsize bytes, at most `left` > 0 of them; at least 1. */
uint64_t layout_nelems(const struct layout *l, size_t capacity, uint64_t left);
/* Bytes from the first of n elements to the end of the last; saturates at UINT64_MAX. */
uint64_t layout_nbytes(const struct layout *l, uint64_t n);
/* The layout of densely or sparsely stored elements on this machine. */
struct layout layout_make(enum dtype dtype, int big_endian, uint64_t stride_bytes);

#endif
