/* The engine: workers take extents from one queue, evaluate them and merge their states. */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdatomic.h>

#include "backend.h"
#include "backend_cuda.h"
#include "devices.h"
#include "onepass.h"
#include "reader.h"
#include "source.h"
#include "state.h"

struct onepass_context {
    const struct kernels *kernels;
    int threads;          /* resolved, >= 1 */
    uint64_t piece_bytes; /* 0: automatic */
    enum reader_kind reader;
    struct device_wish wish;
    enum gpu_sum gpu_sum;
    enum jit_step jit;
    char *cache_dir;          /* NULL: none */
    struct gpus *gpus;        /* NULL: not opened (yet) */
    onepass_error gpus_error; /* why not, where somebody tried */
    void (*progress)(void *user, const onepass_progress *p);
    void *user;
    atomic_int cancel; /* set by onepass_context_cancel, also from signal handlers */
    atomic_int halt;   /* of the run in progress: cancelled, or an error ended it */
};

/* Opens the GPUs that are wished, once; later calls give what the first gave. */
int context_open_gpus(struct onepass_context *ctx, onepass_error *err);

struct engine_report {
    int workers;
    unsigned ways; /* how extents were read: bits of reader.h */
    uint64_t stored_bytes;
};

/* Bytes of an extent that is read through the page cache; past it they are as large, or smaller. */
uint64_t engine_piece_bytes(const struct onepass_context *ctx, const struct backend *backend);

/* Reads all extents of the sources, in order one array after the other, and has the backend evaluate
 * them, into *total (created for the backend's program).  Sets each source's place.base.  err->part
 * says which source failed. */
int engine_run(struct onepass_context *ctx, struct source *const *sources, size_t nsources,
               const struct backend *backend, struct state *total, struct engine_report *report,
               onepass_error *err);

#endif
