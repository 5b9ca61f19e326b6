/* The arithmetic of --offset, --count, --stride and --shape.
 *
 * Everything is checked for overflow: the numbers come from users and from untrusted headers. */
#include "raw_layout.h"

#include <string.h>

#include "error.h"

typedef unsigned long long ull; /* what %llu takes */

static const char *plural(uint64_t n) {
    return n == 1 ? "" : "s";
}

const char *raw_layout_said(const onepass_input *in) {
    const struct {
        int said;
        const char *word;
    } what[] = {
        {in->dtype != NULL, "element type"}, {in->endian != 0, "byte order"},
        {in->has_offset, "offset"},          {in->count != ONEPASS_ALL, "count"},
        {in->stride != 0, "stride"},         {in->ndim != 0, "shape"},
    };
    for (size_t k = 0; k < sizeof what / sizeof *what; k++)
        if (what[k].said) return what[k].word;
    return NULL;
}

/* Product of the dimensions, a single -1 left out; *unknown says that there is one. */
static int shape_product(const int64_t *shape, int ndim, uint64_t *product, int *unknown,
                         onepass_error *err) {
    int zero = 0, overflow = 0;
    *product = 1;
    *unknown = 0;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] < -1 || (shape[d] == -1 && (*unknown)++ != 0))
            return error_set(err, ONEPASS_BAD_ARGUMENT,
                             "shape: dimensions are 0 or more, and at most one may be -1");
        if (shape[d] == -1) continue;
        zero |= shape[d] == 0;
        overflow |= __builtin_mul_overflow(*product, (uint64_t)shape[d], product);
    }
    if (zero) *product = 0;
    if (overflow && !zero)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "shape: more than 2^64 elements");
    if (zero && *unknown)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "shape: -1 beside a 0 could be anything");
    return 0;
}

static int read_shape(struct raw_layout *r, const onepass_input *in, onepass_error *err) {
    if (in->ndim < 0 || in->ndim > ONEPASS_MAX_DIMS)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "shape: 1 to %d dimensions are possible",
                         ONEPASS_MAX_DIMS);
    r->ndim = in->ndim;
    memcpy(r->shape, in->shape, sizeof r->shape);
    if (r->ndim == 0) return 0;
    if (r->stride > 1)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "a shape and a stride above 1 exclude each other");
    uint64_t product;
    int unknown;
    int rc = shape_product(r->shape, r->ndim, &product, &unknown, err);
    if (rc != 0) return rc;
    if (!unknown && r->count != ONEPASS_ALL && r->count != product)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "the shape has %llu elements, the count says %llu",
                         (ull)product, (ull)r->count);
    if (!unknown) r->count = product;
    return 0;
}

int raw_layout_read(struct raw_layout *r, const onepass_input *in, enum dtype dtype, int big_endian,
                    onepass_error *err) {
    memset(r, 0, sizeof *r);
    r->dtype = dtype;
    r->big_endian = big_endian;
    r->offset_bytes = in->has_offset ? in->offset_bytes : 0;
    r->count = in->count;
    r->stride = in->stride == 0 ? 1 : in->stride;
    r->given = in->has_offset || in->count != ONEPASS_ALL || in->stride != 0;
    uint64_t itemsize = dtype_table[dtype].itemsize;
    /* Positions are off_t. */
    if (r->stride > INT64_MAX / itemsize)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "the stride may be up to %llu elements of %s",
                         (ull)(INT64_MAX / itemsize), dtype_table[dtype].name);
    r->stride_bytes = r->stride * itemsize;
    return read_shape(r, in, err);
}

/* Elements of the stride's pattern among `whole` adjacent ones: the last needs no full stride behind.
 */
static uint64_t strided(uint64_t whole, uint64_t stride) {
    return whole == 0 ? 0 : (whole - 1) / stride + 1;
}

int raw_layout_fit(const struct raw_layout *r, uint64_t nbytes, uint64_t *nelems, onepass_error *err) {
    const struct dtype_info *type = &dtype_table[r->dtype];
    if (r->offset_bytes > nbytes)
        return error_set(err, ONEPASS_PAST_END, "offset %llu is past the end: there %s %llu byte%s",
                         (ull)r->offset_bytes, nbytes == 1 ? "is" : "are", (ull)nbytes, plural(nbytes));
    uint64_t available = nbytes - r->offset_bytes, left = available % type->itemsize;
    uint64_t there = strided(available / type->itemsize, r->stride);
    *nelems = r->count == ONEPASS_ALL ? there : r->count;
    if (*nelems > there)
        return error_set(
            err, ONEPASS_PAST_END,
            "%s %llu%s reaches past the end: there %s %llu element%s of %s (%llu byte%s%s)",
            r->ndim == 0 ? "count" : "a shape of", (ull)r->count, r->ndim == 0 ? "" : " elements",
            there == 1 ? "is" : "are", (ull)there, plural(there), type->name, (ull)available,
            plural(available), r->offset_bytes != 0 ? " from the offset on" : "");
    if (r->count != ONEPASS_ALL || left == 0) return 0;
    error_set(err, ONEPASS_LEFT_OVER_BYTES, "%llu bytes of %s: %llu left-over byte%s", (ull)available,
              type->name, (ull)left, plural(left));
    if (r->ndim == 0)
        error_hint(err, "--count %llu takes the whole elements only", (ull)there);
    else
        error_hint(err, "a size in place of -1 may end before the file does");
    return ONEPASS_LEFT_OVER_BYTES;
}

void raw_layout_place(const struct raw_layout *r, struct place *place) {
    memset(place, 0, sizeof *place);
    place->ndim = r->ndim == 0 ? 1 : r->ndim;
    place->step = r->stride;
}

int raw_layout_shape(const struct raw_layout *r, uint64_t nelems, struct place *place,
                     onepass_error *err) {
    place->shape[0] = nelems;
    if (r->ndim == 0) return 0;
    uint64_t product;
    int unknown;
    int rc = shape_product(r->shape, r->ndim, &product, &unknown, err);
    if (rc != 0) return rc;
    if (unknown && nelems % product != 0)
        return error_set(err, ONEPASS_SHAPE_MISMATCH,
                         "%llu elements do not fill a shape whose known dimensions make %llu",
                         (ull)nelems, (ull)product);
    for (int d = 0; d < r->ndim; d++)
        place->shape[d] = r->shape[d] == -1 ? nelems / product : (uint64_t)r->shape[d];
    return 0;
}

uint64_t layout_nelems(const struct layout *l, size_t capacity, uint64_t left) {
    uint64_t itemsize = dtype_table[l->dtype].itemsize;
    uint64_t n = (capacity - itemsize) / l->stride_bytes + 1;
    return n < left ? n : left;
}

uint64_t layout_nbytes(const struct layout *l, uint64_t n) {
    uint64_t span;
    if (n == 0) return 0;
    if (__builtin_mul_overflow(n - 1, l->stride_bytes, &span) ||
        __builtin_add_overflow(span, dtype_table[l->dtype].itemsize, &span))
        return UINT64_MAX;
    return span;
}

struct layout layout_make(enum dtype dtype, int big_endian, uint64_t stride_bytes) {
    int host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    struct layout l = {dtype, dtype_table[dtype].itemsize > 1 && big_endian != host_is_big,
                       stride_bytes};
    return l;
}
