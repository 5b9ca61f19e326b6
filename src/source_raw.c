/* Raw data in regular files, and what every file of plain elements has in common: extents that are byte
 * ranges, read by position from any number of threads; those that are not in the page cache, past it.
 *
 * Where the elements lie is raw_layout.c's arithmetic; streams are in source_stream.c. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

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
    r->base.layout = layout_make(dtype, big_endian, stride_bytes);
    r->base.total_bytes = layout_nbytes(&r->base.layout, nelems);
    r->data_offset = data_offset;
    r->direct_fd = -1;
    r->file = *f;
    *out = r;
    return 0;
}

/* ---- extents --------------------------------------------------------------------------------- */

static uint64_t position_of(const struct range_source *r, uint64_t k) {
    return r->file.start + r->data_offset + k * r->base.layout.stride_bytes;
}

/* Which elements begin a page, if any do: extents that end there never read a page twice. */
static void find_pages(struct range_source *r) {
    uint64_t stride = r->base.layout.stride_bytes, k = 0;
    r->page_period = 1;
    while (r->page_period * stride % DIRECT_PAGE != 0)
        r->page_period++;
    while (k < r->page_period && position_of(r, k) % DIRECT_PAGE != 0)
        k++;
    r->page_first = k < r->page_period ? k : UINT64_MAX;
}

/* Gives the wish up, or says why it cannot be had. */
static int refuse(struct range_source *r, int errno_value, onepass_error *err) {
    int forced = r->base.direct.forced;
    r->base.direct.nbytes = 0;
    return forced ? error_system(err, ONEPASS_NO_DEVICE, errno_value, "cannot read with O_DIRECT") : 0;
}

static int prepare_direct(struct range_source *r, onepass_error *err) {
    const struct direct_wish *wish = &r->base.direct;
    find_pages(r);
    if (wish->forced) {
        r->direct_fd = input_file_open_direct(&r->file);
        return r->direct_fd < 0 ? refuse(r, errno, err) : 0;
    }
    /* Nothing to gain where every extent would read a page of its neighbour's. */
    if (r->page_first == UINT64_MAX || r->base.layout.stride_bytes > wish->nbytes / r->page_period)
        r->base.direct.nbytes = 0;
    else
        residency_init(&r->residency, r->file.fd, position_of(r, 0),
                       position_of(r, 0) + r->base.total_bytes);
    return 0;
}

/* Whether the next extent is direct, and where that may change. */
static int choose_direct(struct range_source *r, int *is_direct, uint64_t *until, onepass_error *err) {
    const struct direct_wish *wish = &r->base.direct;
    *is_direct = 0;
    *until = UINT64_MAX;
    int rc = wish->nbytes != 0 && r->taken == 0 ? prepare_direct(r, err) : 0;
    if (rc != 0 || wish->nbytes == 0) return rc;
    *is_direct = wish->forced || residency_is_cold(&r->residency, position_of(r, r->taken), until);
    if (!*is_direct || r->direct_fd >= 0) return 0;
    r->direct_fd = input_file_open_direct(&r->file);
    if (r->direct_fd >= 0) return 0;
    *is_direct = 0;
    return refuse(r, errno, err);
}

/* Of n elements those before the last page that begins with an element. */
static uint64_t whole_pages(const struct range_source *r, uint64_t n) {
    uint64_t k = r->taken, period = r->page_period;
    uint64_t next = k < r->page_first ? r->page_first - k : period - (k - r->page_first) % period;
    return n < next ? n : next + (n - next) / period * period;
}

int range_source_next(struct source *s, unsigned char *buffer, size_t capacity,
                      const atomic_int *cancel, struct extent *e, onepass_error *err) {
    struct range_source *r = (struct range_source *)s;
    uint64_t left = s->nelems - r->taken, stride = r->base.layout.stride_bytes, until;
    int is_direct;
    (void)buffer, (void)cancel;
    *e = (struct extent){
        .fetch = FETCH_RANGE, .layout = r->base.layout, .first = r->taken, .place = &s->place};
    if (left == 0) return 0;
    int rc = choose_direct(r, &is_direct, &until, err);
    if (rc != 0) return rc;
    e->position = position_of(r, r->taken);
    /* A stride larger than the buffer makes extents of one element, and nothing between is read. */
    if (is_direct) {
        e->fetch = FETCH_DIRECT;
        e->direct_fd = r->direct_fd;
        e->nelems = layout_nelems(&r->base.layout, s->direct.nbytes, left);
        if (e->nelems < left) e->nelems = whole_pages(r, e->nelems);
    } else {
        uint64_t before = (until - e->position - 1) / stride + 1; /* elements that begin before it */
        e->nelems = layout_nelems(&r->base.layout, capacity, left < before ? left : before);
    }
    e->offset_bytes = r->data_offset + r->taken * stride;
    e->nbytes = layout_nbytes(&r->base.layout, e->nelems);
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
    if (r->direct_fd >= 0) close(r->direct_fd);
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
    struct range_source *r = NULL;
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
