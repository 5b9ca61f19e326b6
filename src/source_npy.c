/* numpy's .npy files and streams: the header, then plain elements to the very end.
 *
 * The header's text is npy_header.c's; reading the elements is the range source's (source_raw.c) or the
 * stream's (source_stream.c). */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "npy_header.h"
#include "source_parts.h"

/* The next part of the header, [offset, offset + nbytes). */
static int take_bytes(struct input_file *f, uint64_t offset, unsigned char *buffer, size_t nbytes,
                      const atomic_int *cancel, onepass_error *err) {
    size_t got = 0;
    if (f->is_stream) {
        int rc = input_file_read(f, buffer, nbytes, cancel, &got, err);
        if (rc != 0 || got == nbytes) return rc;
    } else if (offset + nbytes <= f->size) {
        return input_file_read_at(f, offset, buffer, nbytes, err);
    }
    return error_set(err, ONEPASS_TRUNCATED, "the file ends within the .npy header");
}

static int read_header(struct input_file *f, const atomic_int *cancel, struct npy_header *h,
                       size_t *nbytes, onepass_error *err) {
    unsigned char preamble[NPY_PREAMBLE];
    int rc = take_bytes(f, 0, preamble, NPY_PREAMBLE, cancel, err);
    if (rc == 0) rc = npy_header_length(preamble, nbytes, err);
    if (rc != 0) return rc;
    unsigned char *header = malloc(*nbytes);
    if (header == NULL) return error_no_memory(err);
    memcpy(header, preamble, NPY_PREAMBLE);
    rc = take_bytes(f, NPY_PREAMBLE, header + NPY_PREAMBLE, *nbytes - NPY_PREAMBLE, cancel, err);
    if (rc == 0) rc = npy_header_parse(header, *nbytes, h, err);
    free(header);
    return rc;
}

static const struct source_ops npy_ops = {
    .name = "npy",
    .next = range_source_next,
    .fetch = range_source_fetch,
    .check = range_source_check,
    .close = range_source_close,
};

static int open_file(const struct npy_header *h, size_t header_bytes, const struct input_file *f,
                     struct source **out, onepass_error *err) {
    uint64_t itemsize = dtype_table[h->dtype].itemsize;
    uint64_t promised = h->nelems * itemsize, there = f->size - header_bytes;
    if (there < promised)
        return error_set(err, ONEPASS_TRUNCATED, "the data end early: %llu of %llu bytes",
                         (unsigned long long)there, (unsigned long long)promised);
    if (there > promised)
        return error_set(err, ONEPASS_LEFT_OVER_BYTES,
                         "%llu bytes are left over after the data of the array",
                         (unsigned long long)(there - promised));
    struct range_source *r;
    int rc = range_source_create(&npy_ops, f, h->dtype, h->big_endian, header_bytes, itemsize,
                                 h->nelems, &r, err);
    if (rc == 0) *out = &r->base;
    return rc;
}

int npy_source_open(struct input_file *f, const atomic_int *cancel, struct source **out,
                    onepass_error *err) {
    struct npy_header h;
    size_t header_bytes;
    int rc = read_header(f, cancel, &h, &header_bytes, err);
    if (rc != 0) return rc;
    if (f->is_stream)
        rc = stream_source_open_npy(h.dtype, h.big_endian, h.nelems, f, out, err);
    else
        rc = open_file(&h, header_bytes, f, out, err);
    if (rc != 0) return rc;
    struct place *place = &(*out)->place;
    place->ndim = h.ndim;
    memcpy(place->shape, h.shape, sizeof place->shape);
    place->fortran = h.fortran_order && h.ndim >= 2; /* else both orders are one */
    return 0;
}
