/* Contexts: what a run is given besides program and inputs.  engine.c uses them. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "error.h"

#define MAX_PIECE   (UINT64_C(1) << 40)
#define MAX_THREADS 65536

int onepass_context_create(const onepass_config *config, onepass_context **out, onepass_error *err) {
    onepass_config c = ONEPASS_CONFIG_INIT;
    *out = NULL;
    if (config != NULL) memcpy(&c, config, config->size < sizeof c ? config->size : sizeof c);
    if (c.threads < 0 || c.threads > MAX_THREADS)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "%d threads: 0 (automatic) to %d are possible",
                         c.threads, MAX_THREADS);
    if (c.piece_bytes > MAX_PIECE)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "a piece may have up to 2^40 bytes");
    const struct kernels *kernels;
    enum reader_kind reader;
    int rc = kernels_find(c.cpu, &kernels, err);
    if (rc == 0) rc = reader_kind_find(c.reader, &reader, err);
    if (rc != 0) return rc;
    onepass_context *ctx = calloc(1, sizeof *ctx);
    if (ctx == NULL) return error_no_memory(err);
    ctx->kernels = kernels;
    ctx->threads = c.threads != 0 ? c.threads : onepass_cpu_count();
    ctx->piece_bytes = c.piece_bytes;
    ctx->reader = reader;
    ctx->progress = c.progress;
    ctx->user = c.user;
    atomic_init(&ctx->cancel, 0);
    atomic_init(&ctx->halt, 0);
    *out = ctx;
    return 0;
}

void onepass_context_free(onepass_context *ctx) {
    free(ctx);
}

const char *onepass_context_isa(const onepass_context *ctx) {
    return ctx->kernels->name;
}

void onepass_context_cancel(onepass_context *ctx) {
    atomic_store(&ctx->cancel, 1);
    atomic_store(&ctx->halt, 1);
}
