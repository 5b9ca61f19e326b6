/* Pipes, FIFOs and devices as sources: elements are read once, in order, into the worker's buffer, by
 * one worker at a time.
 *
 * Short reads are put together in input_file.c, so that an element cut in two never shows here.  A
 * stream with a count ends there: what follows is not read.  A .npy stream must end with its data. */
#include <stdlib.h>

#include "error.h"
#include "input_format.h"
#include "source_parts.h"

struct stream_source {
    struct source base;
    struct input_file file;
    struct raw_layout raw; /* of .npy: dense, with the header's count */
    uint64_t position;     /* bytes read or passed over so far, the offset's included */
    uint64_t gap;          /* bytes to pass over before the next element */
    uint64_t taken;        /* elements */
    int is_npy;
    int ended;
};

/* The stream ended before the elements that were asked for, or where only its end tells. */
static int finish_at_end(struct stream_source *t, onepass_error *err) {
    t->ended = 1;
    if (t->is_npy)
        return error_set(err, ONEPASS_TRUNCATED, "the data end early: %llu of %llu bytes",
                         (unsigned long long)t->position, (unsigned long long)t->base.total_bytes);
    int rc = raw_layout_fit(&t->raw, t->position, &t->base.nelems, err);
    if (rc != 0) return rc;
    t->base.count = t->base.nelems;
    return raw_layout_shape(&t->raw, t->base.nelems, &t->base.place, err);
}

/* All elements that were asked for are there. */
static int finish_at_count(struct stream_source *t, const atomic_int *cancel, onepass_error *err) {
    unsigned char byte;
    size_t got = 0;
    t->ended = 1;
    if (!t->is_npy) return 0;
    int rc = input_file_read(&t->file, &byte, 1, cancel, &got, err);
    if (rc == 0 && got != 0)
        return error_set(err, ONEPASS_LEFT_OVER_BYTES, "there are bytes after the data of the array");
    return rc;
}

/* Passes over what lies before the next element; *missing is set when the stream ends there. */
static int pass_gap(struct stream_source *t, const atomic_int *cancel, int *missing,
                    onepass_error *err) {
    uint64_t skipped;
    int rc = input_file_skip(&t->file, t->gap, cancel, &skipped, err);
    t->position += skipped;
    *missing = skipped < t->gap;
    t->gap -= skipped;
    return rc;
}

static int stream_next(struct source *s, unsigned char *buffer, size_t capacity,
                       const atomic_int *cancel, struct extent *e, onepass_error *err) {
    struct stream_source *t = (struct stream_source *)s;
    uint64_t itemsize = dtype_table[s->dtype].itemsize, stride = t->base.layout.stride_bytes;
    *e = (struct extent){
        .fetch = FETCH_READY, .layout = t->base.layout, .first = t->taken, .place = &s->place};
    if (t->ended) return 0;
    int missing, asked = t->raw.count != ONEPASS_ALL;
    /* The gap behind the last element of a count is not waited for; the offset is. */
    if (asked && t->taken != 0 && t->taken == t->raw.count) return finish_at_count(t, cancel, err);
    int rc = pass_gap(t, cancel, &missing, err);
    if (rc != 0) return rc;
    if (missing) return finish_at_end(t, err);
    uint64_t left = asked ? t->raw.count - t->taken : UINT64_MAX;
    if (left == 0) return finish_at_count(t, cancel, err);

    size_t got, want = layout_nbytes(&t->base.layout, layout_nelems(&t->base.layout, capacity, left));
    rc = input_file_read(&t->file, buffer, want, cancel, &got, err);
    if (rc != 0) return rc;
    t->position += got;
    if (t->taken == 0 && !t->is_npy && itemsize > 1)
        s->is_text = input_format_is_text(buffer, got < INPUT_TEXT_BYTES ? got : INPUT_TEXT_BYTES);
    uint64_t n = got < itemsize ? 0 : (got - itemsize) / stride + 1;
    t->taken += n;
    t->gap = stride - itemsize;
    if (!s->nelems_known) s->nelems = t->taken;
    if (got < want && (rc = finish_at_end(t, err)) != 0) return rc;
    e->nelems = n;
    e->nbytes = layout_nbytes(&t->base.layout, n);
    return 0;
}

static int stream_check(const struct source *s, onepass_error *err) {
    (void)s, (void)err;
    return 0;
}

static void stream_close(struct source *s) {
    struct stream_source *t = (struct stream_source *)s;
    input_file_close(&t->file);
    free(t);
}

static const struct source_ops raw_stream_ops = {
    .name = "raw", .next = stream_next, .check = stream_check, .close = stream_close};
static const struct source_ops npy_stream_ops = {
    .name = "npy", .next = stream_next, .check = stream_check, .close = stream_close};

static int stream_create(const struct source_ops *ops, const struct raw_layout *r,
                         const struct input_file *f, struct stream_source **out, onepass_error *err) {
    struct stream_source *t = calloc(1, sizeof *t);
    if (t == NULL) return error_no_memory(err);
    t->base.ops = ops;
    t->base.dtype = r->dtype;
    t->base.big_endian = r->big_endian;
    t->base.stride = r->stride;
    t->base.layout = layout_make(r->dtype, r->big_endian, r->stride_bytes);
    t->base.nelems_known = r->count != ONEPASS_ALL;
    t->base.nelems = t->base.nelems_known ? r->count : 0;
    t->base.total_bytes = t->base.nelems_known ? layout_nbytes(&t->base.layout, r->count) : UINT64_MAX;
    t->raw = *r;
    t->gap = r->offset_bytes;
    t->file = *f;
    *out = t;
    return 0;
}

int stream_source_open_raw(const struct raw_layout *r, const struct input_file *f, struct source **out,
                           onepass_error *err) {
    struct stream_source *t = NULL;
    int rc = stream_create(&raw_stream_ops, r, f, &t, err);
    if (rc != 0) return rc;
    t->base.has_layout = r->given;
    t->base.offset_bytes = r->offset_bytes;
    t->base.count = t->base.nelems;
    raw_layout_place(r, &t->base.place);
    if (t->base.nelems_known) rc = raw_layout_shape(r, r->count, &t->base.place, err);
    if (rc != 0)
        free(t);
    else
        *out = &t->base;
    return rc;
}

int stream_source_open_npy(enum dtype dtype, int big_endian, uint64_t nelems,
                           const struct input_file *f, struct source **out, onepass_error *err) {
    struct raw_layout r = {.dtype = dtype,
                           .big_endian = big_endian,
                           .count = nelems,
                           .stride = 1,
                           .stride_bytes = dtype_table[dtype].itemsize};
    struct stream_source *t = NULL;
    int rc = stream_create(&npy_stream_ops, &r, f, &t, err);
    if (rc != 0) return rc;
    t->is_npy = 1;
    *out = &t->base;
    return 0;
}
