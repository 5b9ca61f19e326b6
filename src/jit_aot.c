/* Finding and unpacking images made at build time. */
#include "jit_aot.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "jit_parts.h"
#include "zstd_api.h"

static uint64_t u64_at(const unsigned char *p) {
    uint64_t v = 0;
    for (int k = 7; k >= 0; k--)
        v = v << 8 | p[k];
    return v;
}

size_t jit_aot_count(const unsigned char *file, size_t nbytes) {
    if (nbytes < JIT_AOT_HEAD_BYTES || memcmp(file, JIT_AOT_MAGIC, 8) != 0) return 0;
    uint64_t n = u64_at(file + 8);
    return n <= (nbytes - JIT_AOT_HEAD_BYTES) / JIT_AOT_ENTRY_BYTES ? (size_t)n : 0;
}

int jit_aot_entry(const unsigned char *file, size_t nbytes, size_t k, struct jit_aot_entry *out,
                  onepass_error *err) {
    const unsigned char *p = file + JIT_AOT_HEAD_BYTES + k * JIT_AOT_ENTRY_BYTES;
    uint64_t offset = u64_at(p + 40), nstored = u64_at(p + 48), plain = u64_at(p + 56);
    *out = (struct jit_aot_entry){p, (int)u64_at(p + 32), offset, nstored, plain};
    if (offset > nbytes || nstored > nbytes - offset || nstored > plain || plain > JIT_MAX_IMAGE)
        return error_set(err, ONEPASS_BAD_HEADER, "the images made ahead of time are damaged");
    return 0;
}

int jit_aot_next_arch(const unsigned char *file, size_t nbytes, int above) {
    size_t n = jit_aot_count(file, nbytes);
    struct jit_aot_entry e;
    int next = 0;
    for (size_t k = 0; k < n; k++)
        if (jit_aot_entry(file, nbytes, k, &e, NULL) == 0 && e.arch > above && (!next || e.arch < next))
            next = e.arch;
    return next;
}

static int unpack(const unsigned char *stored, const struct jit_aot_entry *e, void *to,
                  onepass_error *err) {
    struct zstd zstd;
    if (e->nstored == e->nbytes) {
        memcpy(to, stored, e->nbytes);
        return 0;
    }
    int status = zstd_open(&zstd, err);
    if (status) return status;
    size_t n = zstd.decompress(to, e->nbytes, stored, e->nstored);
    if (zstd.is_error(n) || n != e->nbytes)
        status = error_set(err, ONEPASS_BAD_HEADER, "the image made ahead of time is damaged");
    zstd_close(&zstd);
    return status;
}

int jit_aot_find(const unsigned char *file, size_t nbytes, const unsigned char key[SHA256_BYTES],
                 int arch, void **out, size_t *out_bytes, onepass_error *err) {
    struct jit_aot_entry e, best = {NULL, 0, 0, 0, 0};
    size_t n = jit_aot_count(file, nbytes);
    if (!n) return error_set(err, ONEPASS_NO_DEVICE, "this build has no images made ahead of time");
    for (size_t k = 0; k < n; k++) {
        int status = jit_aot_entry(file, nbytes, k, &e, err);
        if (status) return status;
        /* A cubin runs on later devices of its own major version. */
        int runs = e.arch <= arch && e.arch / 10 == arch / 10;
        if (runs && e.arch > best.arch && memcmp(e.key, key, SHA256_BYTES) == 0) best = e;
    }
    if (!best.key)
        return error_set(err, ONEPASS_NO_DEVICE, "not made ahead of time for compute capability %d.%d",
                         arch / 10, arch % 10);
    *out = malloc(best.nbytes ? best.nbytes : 1);
    if (!*out) return error_no_memory(err);
    *out_bytes = best.nbytes;
    int status = unpack(file + best.offset, &best, *out, err);
    if (status) {
        free(*out);
        *out = NULL;
    }
    return status;
}

int jit_step_aot(struct jit *jit, struct jit_request *r, struct jit_bytes *out, onepass_error *err) {
    const struct jit_embedded *e = jit->config.embedded;
    const struct cuda_driver *d = jit->config.driver;
    unsigned char key[SHA256_BYTES];
    if (d && d->version / 1000 < e->toolkit / 1000)
        return error_set(
            err, ONEPASS_NO_DEVICE, "made by CUDA %d.%d, which is too new for the driver's %d.%d",
            e->toolkit / 1000, e->toolkit % 1000 / 10, d->version / 1000, d->version % 1000 / 10);
    jit_key(jit, r->text, key);
    return jit_aot_find(e->aot, (size_t)(e->aot_end - e->aot), key, r->arch, &out->bytes, &out->nbytes,
                        err);
}
