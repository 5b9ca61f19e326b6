/* Contexts: what a run is given besides program and inputs.  engine.c uses them. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "error.h"

#define MAX_PIECE   (UINT64_C(1) << 40)
#define MAX_THREADS 65536

static int read_words(struct onepass_context *ctx, const onepass_config *c, onepass_error *err) {
    int rc = kernels_find(c->cpu, &ctx->kernels, err);
    if (rc == 0) rc = reader_kind_find(c->reader, &ctx->reader, err);
    if (rc == 0) rc = device_wish_parse(c->device, &ctx->wish, err);
    if (rc == 0) rc = gpu_sum_find(c->gpu_sum, &ctx->gpu_sum, err);
    if (rc == 0) rc = jit_step_find(c->jit, &ctx->jit, err);
    if (rc != 0 || c->cache_dir == NULL) return rc;
    ctx->cache_dir = strdup(c->cache_dir);
    return ctx->cache_dir != NULL ? 0 : error_no_memory(err);
}

int onepass_context_create(const onepass_config *config, onepass_context **out, onepass_error *err) {
    onepass_config c = ONEPASS_CONFIG_INIT;
    *out = NULL;
    if (config != NULL) memcpy(&c, config, config->size < sizeof c ? config->size : sizeof c);
    if (c.threads < 0 || c.threads > MAX_THREADS)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "%d threads: 0 (automatic) to %d are possible",
                         c.threads, MAX_THREADS);
    if (c.piece_bytes > MAX_PIECE)
        return error_set(err, ONEPASS_BAD_ARGUMENT, "a piece may have up to 2^40 bytes");
    onepass_context *ctx = calloc(1, sizeof *ctx);
    if (ctx == NULL) return error_no_memory(err);
    ctx->threads = c.threads != 0 ? c.threads : onepass_cpu_count();
    ctx->piece_bytes = c.piece_bytes;
    ctx->progress = c.progress;
    ctx->user = c.user;
    atomic_init(&ctx->cancel, 0);
    atomic_init(&ctx->halt, 0);
    int rc = read_words(ctx, &c, err);
    if (rc == 0 && ctx->wish.kind == DEVICE_CUDA) rc = context_open_gpus(ctx, err);
    if (rc == 0)
        *out = ctx;
    else
        onepass_context_free(ctx);
    return rc;
}

int context_open_gpus(struct onepass_context *ctx, onepass_error *err) {
    struct gpus_config config = {.wish = ctx->wish, .step = ctx->jit, .cache_dir = ctx->cache_dir};
    if (ctx->gpus != NULL) return 0;
    if (ctx->gpus_error.code == 0) {
        ctx->gpus_error = (onepass_error)ONEPASS_ERROR_INIT;
        if (gpus_open(&config, &ctx->gpus, &ctx->gpus_error) == 0) return 0;
    }
    return error_copy(err, &ctx->gpus_error);
}

void onepass_context_free(onepass_context *ctx) {
    if (ctx == NULL) return;
    gpus_free(ctx->gpus);
    free(ctx->cache_dir);
    free(ctx);
}

const char *onepass_context_isa(const onepass_context *ctx) {
    return ctx->kernels->name;
}

void onepass_context_cancel(onepass_context *ctx) {
    atomic_store(&ctx->cancel, 1);
    atomic_store(&ctx->halt, 1);
}
