/* Raw data in regular files, and what every file of plain elements has in common: extents that are byte
 * ranges, read by position from any number of threads.
 *
 * Where the elements lie is raw_layout.c's arithmetic; streams are in source_stream.c. */
#include <stdlib.h>

#include "error.h"
#include "source_parts.h"

int range_source_create(const struct source_ops *ops, const struct input_file *f, enum dtype dtype,
                        int big_endian, uint64_t data_offset, uint64_t stride_bytes, uint64_t nelems,
                        struct range_source **out, onepass_error *err) {
    struct range_source *r = calloc(1, sizeof *r);
    if (r == NULL) return error_no_memory(err);
    r->base.ops = ops;
    r->base.dtype = dtype;
    r->base.big_endian = big_endian;
    r->base.nelems_known = 1;
    r->base.nelems = nelems;
    r->base.stride = 1;
    r->base.file_size = f->whole_size;
    r->base.mtime = f->mtime.tv_sec;
    r->layout = layout_make(dtype, big_endian, stride_bytes);
    r->base.total_bytes = layout_nbytes(&r->layout, nelems);
    r->data_offset = data_offset;
    r->file = *f;
    *out = r;
    return 0;
}

int range_source_next(struct source *s, unsigned char *buffer, size_t capacity,
                      const atomic_int *cancel, struct extent *e, onepass_error *err) {
    struct range_source *r = (struct range_source *)s;
    (void)buffer, (void)cancel, (void)err;
    *e = (struct extent){
        .fetch = FETCH_RANGE, .layout = r->layout, .first = r->taken, .place = &s->place};
    if (r->taken == s->nelems) return 0;
    /* A stride larger than the buffer makes extents of one element, and nothing between is read. */
    e->nelems = layout_nelems(&r->layout, capacity, s->nelems - r->taken);
    e->offset_bytes = r->data_offset + r->taken * r->layout.stride_bytes;
    e->nbytes = layout_nbytes(&r->layout, e->nelems);
    r->taken += e->nelems;
    return 0;
}

int range_source_fetch(const struct source *s, const struct extent *e, unsigned char *buffer,
                       onepass_error *err) {
    const struct range_source *r = (const struct range_source *)s;
    return input_file_read_at(&r->file, e->offset_bytes, buffer, e->nbytes, err);
}

int range_source_check(const struct source *s, onepass_error *err) {
    const struct range_source *r = (const struct range_source *)s;
    return input_file_check(&r->file, r->data_offset + s->total_bytes, err);
}

void range_source_close(struct source *s) {
    struct range_source *r = (struct range_source *)s;
    input_file_close(&r->file);
    free(r);
}

static const struct source_ops raw_ops = {
    .name = "raw",
    .next = range_source_next,
    .fetch = range_source_fetch,
    .check = range_source_check,
    .close = range_source_close,
};

int raw_source_open(const struct raw_layout *raw, const struct input_file *f, struct source **out,
                    onepass_error *err) {
    uint64_t nelems;
    struct place place;
    struct range_source *r;
    raw_layout_place(raw, &place);
    int rc = raw_layout_fit(raw, f->size, &nelems, err);
    if (rc == 0) rc = raw_layout_shape(raw, nelems, &place, err);
    if (rc == 0)
        rc = range_source_create(&raw_ops, f, raw->dtype, raw->big_endian, raw->offset_bytes,
                                 raw->stride_bytes, nelems, &r, err);
    if (rc != 0) return rc;
    r->base.place = place;
    r->base.has_layout = raw->given;
    r->base.offset_bytes = raw->offset_bytes;
    r->base.count = nelems;
    r->base.stride = raw->stride;
    if (raw->ndim > 0) r->base.unread_bytes = f->size - raw->offset_bytes - r->base.total_bytes;
    *out = &r->base;
    return 0;
}
