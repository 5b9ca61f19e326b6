/* For unit tests of sources: all elements of an input, one extent after another. */
#ifndef GATHER_H
#define GATHER_H

#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "source.h"
#include "temporary.h"

struct gathered {
    int rc; /* of the first step that failed */
    onepass_error err;
    uint64_t nelems, nextents, nbytes;
    double *values;       /* in storage order; NULL: not asked for */
    struct place place;   /* the source's at its end */
    struct source source; /* its public fields at its end */
};

/* Takes the extents of an open source; values are kept if there are at most max_values. */
static void gather_extents(struct source *s, size_t capacity, size_t max_values, struct gathered *g) {
    unsigned char *buffer = malloc(capacity);
    g->values = calloc(max_values + 1, sizeof *g->values);
    struct extent e;
    while ((g->rc = s->ops->next(s, buffer, capacity, NULL, &e, &g->err)) == 0 && e.nelems != 0) {
        size_t itemsize = dtype_table[e.layout.dtype].itemsize;
        if (e.nbytes > capacity || e.first != g->nelems || e.place != &s->place ||
            e.nbytes != (e.nelems - 1) * e.layout.stride_bytes + itemsize) {
            g->rc = ONEPASS_INTERNAL;
            break;
        }
        if (max_values > 0) {
            if (e.fetch == FETCH_RANGE) g->rc = s->ops->fetch(s, &e, buffer, &g->err);
            if (g->rc != 0) break;
            if (g->nelems + e.nelems > max_values) abort();
            kernels_portable.loads->f64[e.layout.dtype](e.layout.swap, buffer, e.layout.stride_bytes,
                                                        (size_t)e.nelems, g->values + g->nelems);
        }
        g->nelems += e.nelems;
        g->nbytes += e.nbytes;
        g->nextents++;
    }
    if (g->rc == 0) g->rc = s->ops->check(s, &g->err);
    if (g->rc == 0 && s->nelems != g->nelems) g->rc = ONEPASS_INTERNAL;
    free(buffer);
}

/* Opens, reads with a buffer of `capacity` bytes, checks and closes. */
static struct gathered gather(const onepass_input *in, size_t capacity, size_t max_values) {
    struct gathered g = {.err = ONEPASS_ERROR_INIT};
    struct source *s = NULL;
    g.rc = source_open(in, NULL, &s, &g.err);
    if (g.rc == 0) {
        gather_extents(s, capacity, max_values, &g);
        g.source = *s;
        g.place = s->place;
    }
    source_close(s);
    return g;
}

static inline onepass_input input(const char *path, const char *dtype) {
    onepass_input in = ONEPASS_INPUT_INIT;
    in.path = path;
    in.dtype = dtype;
    return in;
}

static inline struct gathered gather_path(const char *path, const char *dtype) {
    onepass_input in = input(path, dtype);
    return gather(&in, 64, 64);
}

static inline void free_values(struct gathered *g) {
    free(g->values);
    g->values = NULL;
}

/* The bytes 0, 1, 2, ... again and again. */
static unsigned char counting_bytes[1024];

static inline const char *counting_file(const char *name, size_t nbytes) {
    for (size_t k = 0; k < sizeof counting_bytes; k++)
        counting_bytes[k] = (unsigned char)k;
    return test_file(name, counting_bytes, nbytes);
}

#define GATHERED_ERROR(g, wanted_code, text)                                                           \
    CHECKF((g).rc == (wanted_code) && (g).err.code == (wanted_code) &&                                 \
               strstr((g).err.message, text) != NULL,                                                  \
           "%s: code %d message '%s'", #g, (g).rc, (g).err.message)

#endif
