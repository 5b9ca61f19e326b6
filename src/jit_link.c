/* Linking a kernel with the collectives, by nvJitLink or by the driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "jit_parts.h"

/* The cubin of the same arch, else PTX that is not newer; NULL: none. */
static const struct jit_collectives *collectives_for(const struct jit *jit,
                                                     const struct jit_target *target) {
    const struct jit_collectives *best = NULL;
    for (const struct jit_collectives *c = jit->config.embedded->collectives; c->arch; c++) {
        if (!c->ptx && !target->ptx && c->arch == target->arch) return c;
        if (c->ptx && c->arch <= target->arch && (!best || c->arch > best->arch)) best = c;
    }
    return best;
}

/* Linkers want PTX with its NUL; jit_embedded.c puts one behind every file. */
static size_t nbytes_of(const struct jit_collectives *c) {
    return (size_t)(c->end - c->bytes) + (c->ptx ? 1 : 0);
}

/* NVRTC's part, made once for both ways to link. */
static int need_relocatable(struct jit *jit, struct jit_request *r, onepass_error *err) {
    if (!r->compiled) {
        r->compiled = 1;
        r->err = (onepass_error)ONEPASS_ERROR_INIT;
        if (jit_target_of(jit, r->arch, &r->target, &r->err) == 0)
            jit_nvrtc(jit, r->text, &r->target, 1, &r->relocatable, &r->err);
    }
    return r->err.code ? error_copy(err, &r->err) : 0;
}

/* What is checked before NVRTC spends time. */
static int need_collectives(struct jit *jit, const struct jit_request *r,
                            const struct jit_collectives **out, onepass_error *err) {
    struct jit_target target;
    int status = jit_target_of(jit, r->arch, &target, err);
    if (status) return status;
    int toolkit = jit->config.embedded->toolkit;
    if (toolkit / 1000 > jit->nvrtc.major) /* older linkers do not read newer objects */
        return error_set(err, ONEPASS_NO_DEVICE, "the collectives are CUDA %d.%d's, NVRTC is %d.%d",
                         toolkit / 1000, toolkit % 1000 / 10, jit->nvrtc.major, jit->nvrtc.minor);
    *out = collectives_for(jit, &target);
    if (*out) return 0;
    return error_set(err, ONEPASS_NO_DEVICE,
                     "this build has no collectives for compute capability %d.%d", target.arch / 10,
                     target.arch % 10);
}

static int copy_bytes(const void *bytes, size_t nbytes, struct jit_bytes *out, onepass_error *err) {
    out->bytes = malloc(nbytes ? nbytes : 1);
    if (!out->bytes) return error_no_memory(err);
    memcpy(out->bytes, bytes, nbytes);
    out->nbytes = nbytes;
    return 0;
}

/* ---- nvJitLink ------------------------------------------------------------------------------- */

static int nvjitlink_failed(const struct nvjitlink *n, nvjitlink_handle link, nvjitlink_result result,
                            onepass_error *err) {
    size_t nbytes = 0;
    char *log = NULL;
    if (link && n->get_log_size(link, &nbytes) == 0 && nbytes > 1) log = calloc(1, nbytes + 1);
    if (log && n->get_log(link, log) == 0 && log[0])
        error_set(err, ONEPASS_NO_DEVICE, "nvJitLink: %.*s", (int)strcspn(log, "\n"), log);
    else
        error_set(err, ONEPASS_NO_DEVICE, "nvJitLink: error %u", result);
    free(log);
    return ONEPASS_NO_DEVICE;
}

static int nvjitlink_run(const struct nvjitlink *n, nvjitlink_handle link,
                         const struct jit_bytes *kernel, const struct jit_collectives *c,
                         struct jit_bytes *out, onepass_error *err) {
    nvjitlink_result result =
        n->add_data(link, NVJITLINK_CUBIN, kernel->bytes, kernel->nbytes, "kernel");
    if (!result)
        result = n->add_data(link, c->ptx ? NVJITLINK_PTX : NVJITLINK_CUBIN, c->bytes, nbytes_of(c),
                             "collectives");
    if (!result) result = n->complete(link);
    if (!result) result = n->get_cubin_size(link, &out->nbytes);
    if (result) return nvjitlink_failed(n, link, result, err);
    out->bytes = malloc(out->nbytes ? out->nbytes : 1);
    if (!out->bytes) return error_no_memory(err);
    result = n->get_cubin(link, out->bytes);
    if (!result) return 0;
    free(out->bytes);
    out->bytes = NULL;
    return nvjitlink_failed(n, link, result, err);
}

/* Opening it takes 10 ms, in which NVRTC compiles. */
static void *open_meanwhile(void *jit) {
    jit_need_nvjitlink(jit, NULL);
    return NULL;
}

static int compile_and_open(struct jit *jit, struct jit_request *r, onepass_error *err) {
    pthread_t opener;
    int opening = pthread_create(&opener, NULL, open_meanwhile, jit) == 0;
    int status = need_relocatable(jit, r, err);
    if (opening) pthread_join(opener, NULL);
    return status ? status : jit_need_nvjitlink(jit, err);
}

int jit_step_nvjitlink(struct jit *jit, struct jit_request *r, struct jit_bytes *out,
                       onepass_error *err) {
    const struct jit_collectives *c = NULL;
    int status = need_collectives(jit, r, &c, err);
    if (!status) status = compile_and_open(jit, r, err);
    if (status) return status;
    if (r->target.ptx)
        return error_set(err, ONEPASS_NO_DEVICE, "nvJitLink knows no compute capability %d.%d",
                         r->arch / 10, r->arch % 10);
    char arch[32];
    snprintf(arch, sizeof(arch), "-arch=sm_%d", r->target.arch);
    const char *options[] = {arch};
    nvjitlink_handle link = NULL;
    nvjitlink_result result = jit->nvjitlink.create(&link, 1, options);
    status = result ? nvjitlink_failed(&jit->nvjitlink, NULL, result, err)
                    : nvjitlink_run(&jit->nvjitlink, link, &r->relocatable, c, out, err);
    if (link) jit->nvjitlink.destroy(&link);
    return status;
}

/* ---- the driver ------------------------------------------------------------------------------ */

static int driver_run(const struct cuda_driver *d, cu_link link, const struct jit_request *r,
                      const struct jit_collectives *c, struct jit_bytes *out, onepass_error *err) {
    void *cubin = NULL; /* the link's */
    size_t nbytes = 0;
    cu_result result =
        d->link_add_data(link, r->target.ptx ? CU_LINK_PTX : CU_LINK_CUBIN, r->relocatable.bytes,
                         r->relocatable.nbytes, "kernel", 0, NULL, NULL);
    if (!result) /* the driver does not write to it */
        result =
            d->link_add_data(link, c->ptx ? CU_LINK_PTX : CU_LINK_CUBIN, (void *)(uintptr_t)c->bytes,
                             nbytes_of(c), "collectives", 0, NULL, NULL);
    if (!result) result = d->link_complete(link, &cubin, &nbytes);
    if (result) return cuda_check(d, result, "the driver's linker", err);
    return copy_bytes(cubin, nbytes, out, err);
}

int jit_step_driver(struct jit *jit, struct jit_request *r, struct jit_bytes *out, onepass_error *err) {
    const struct cuda_driver *d = jit->config.driver;
    const struct jit_collectives *c = NULL;
    if (!d) return error_set(err, ONEPASS_NO_DEVICE, "no NVIDIA driver");
    int status = need_collectives(jit, r, &c, err);
    if (!status) status = need_relocatable(jit, r, err);
    if (!status && jit->config.before_driver) status = jit->config.before_driver(jit->config.user, err);
    if (status) return status;
    cu_link link = NULL;
    status = cuda_check(d, d->link_create(0, NULL, NULL, &link), "the driver's linker", err);
    if (status) return status;
    status = driver_run(d, link, r, c, out, err);
    d->link_destroy(link);
    return status;
}
