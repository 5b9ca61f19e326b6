/* The functions of libzstd that onepass uses, found at run time by dlopen: the library may be absent.
 */
#ifndef ZSTD_API_H
#define ZSTD_API_H

#include <stddef.h>

#include "onepass.h"

struct zstd {
    void *library;
    /* As in zstd.h; what is returned is a size, or an error by is_error. */
    size_t (*compress)(void *to, size_t capacity, const void *from, size_t nbytes, int level);
    size_t (*compress_bound)(size_t nbytes);
    size_t (*decompress)(void *to, size_t capacity, const void *from, size_t nbytes);
    unsigned (*is_error)(size_t result);
};

/* 0, or ONEPASS_UNSUPPORTED: the message says what is missing. */
int zstd_open(struct zstd *out, onepass_error *err);
void zstd_close(struct zstd *zstd); /* accepts one that was not opened */

#endif
