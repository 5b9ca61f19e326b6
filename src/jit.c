/* The chain of steps: which are allowed, the cache before those that compile, and what to say when none
 * works. */
#include "jit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "jit_aot.h"
#include "jit_cache.h"
#include "jit_parts.h"
#include "text.h"

/* In the order in which they are tried. */
static const struct step {
    enum jit_step step;
    const char *name;
    int (*make)(struct jit *jit, struct jit_request *r, struct jit_bytes *out, onepass_error *err);
} STEPS[] = {
    {JIT_AOT, "a", jit_step_aot},
    {JIT_NVJITLINK, "b", jit_step_nvjitlink},
    {JIT_DRIVER, "c", jit_step_driver},
    {JIT_NVRTC, "d", jit_step_nvrtc},
};
enum { NSTEPS = sizeof(STEPS) / sizeof(STEPS[0]) };

int jit_step_find(const char *name, enum jit_step *step, onepass_error *err) {
    *step = JIT_AUTO;
    if (!name) return 0;
    for (int k = 0; k < NSTEPS; k++)
        if (strcmp(name, STEPS[k].name) == 0) {
            *step = STEPS[k].step;
            return 0;
        }
    error_set(err, ONEPASS_BAD_ARGUMENT, "no step '%s' from kernel text to machine code", name);
    error_hint(err,
               "a (made at build time), b (NVRTC and nvJitLink), c (NVRTC and the driver's linker) "
               "or d (NVRTC alone)");
    return ONEPASS_BAD_ARGUMENT;
}

const char *jit_step_name(enum jit_step step) {
    for (int k = 0; k < NSTEPS; k++)
        if (STEPS[k].step == step) return STEPS[k].name;
    return "auto";
}

static void hash_headers(struct jit *jit) {
    struct sha256 s;
    sha256_begin(&s);
    for (const struct cuda_header *h = jit->config.headers; h && h->name; h++) {
        sha256_text(&s, h->name);
        sha256_text(&s, h->text);
    }
    sha256_end(&s, jit->headers);
}

static int copy_text(const char *text, char **out) {
    *out = text ? strdup(text) : NULL;
    return text && !*out;
}

int jit_create(const struct jit_config *config, struct jit **out, onepass_error *err) {
    *out = NULL;
    struct jit *jit = calloc(1, sizeof(*jit));
    if (!jit) return error_no_memory(err);
    jit->config = *config;
    if (!jit->config.embedded) jit->config.embedded = &jit_embedded;
    int failed = copy_text(config->cache_dir, &jit->cache_dir);
    failed |= copy_text(config->library_dir, &jit->library_dir);
    /* With default attributes these cannot fail here. */
    pthread_mutex_init(&jit->lock, NULL);
    pthread_mutex_init(&jit->has_nvrtc.lock, NULL);
    pthread_mutex_init(&jit->has_nvjitlink.lock, NULL);
    if (failed) {
        jit_free(jit);
        return error_no_memory(err);
    }
    hash_headers(jit);
    *out = jit;
    return 0;
}

void jit_free(struct jit *jit) {
    if (!jit) return;
    nvrtc_close(&jit->nvrtc);
    nvjitlink_close(&jit->nvjitlink);
    pthread_mutex_destroy(&jit->lock);
    pthread_mutex_destroy(&jit->has_nvrtc.lock);
    pthread_mutex_destroy(&jit->has_nvjitlink.lock);
    free(jit->cache_dir);
    free(jit->library_dir);
    free(jit->description.bytes);
    free(jit);
}

void jit_key(const struct jit *jit, const char *text, unsigned char key[SHA256_BYTES]) {
    struct sha256 s;
    sha256_begin(&s);
    sha256_add(&s, jit->headers, SHA256_BYTES);
    sha256_text(&s, cuda_text_code(text));
    jit_options_hash(&s);
    sha256_end(&s, key);
}

/* The compiler's version is not in it: to ask for it would cost more than all of a hit.  An entry knows
 * its compiler's file instead.  Linkers are given the arch, and nothing else that could change. */
static void cache_key(const struct jit *jit, const struct jit_request *r,
                      unsigned char key[SHA256_BYTES]) {
    struct sha256 s;
    jit_key(jit, r->text, key);
    sha256_begin(&s);
    sha256_add(&s, key, SHA256_BYTES);
    sha256_text(&s, ONEPASS_VERSION);
    sha256_u64(&s, (uint64_t)r->arch);
    sha256_u64(&s, (uint64_t)jit->config.step);
    sha256_u64(&s, jit->config.driver ? (uint64_t)jit->config.driver->version : 0);
    for (const struct jit_collectives *c = jit->config.embedded->collectives; c->arch; c++) {
        if (!c->ptx && c->arch / 10 != r->arch / 10) continue; /* not for this device */
        sha256_u64(&s, (uint64_t)(c->end - c->bytes));
        sha256_add(&s, c->bytes, (size_t)(c->end - c->bytes));
    }
    sha256_end(&s, key);
}

static int from_cache(struct jit *jit, const unsigned char *key, struct jit_image *out) {
    out->cached = jit->cache_dir && jit_cache_get(jit->cache_dir, key, out);
    return out->cached;
}

/* Where NVRTC was found. */
static void to_cache(struct jit *jit, const unsigned char *key, const struct jit_image *image) {
    Dl_info info;
    void *function;
    if (!jit->cache_dir) return;
    memcpy(&function, &jit->nvrtc.compile_program, sizeof(function));
    char *path = dladdr(function, &info) && info.dli_fname ? realpath(info.dli_fname, NULL) : NULL;
    jit_cache_put(jit->cache_dir, key, image, path);
    free(path);
}

/* Tries a step; its refusal is added to `why`. */
static int try_step(struct jit *jit, const struct step *s, struct jit_request *r, struct jit_image *out,
                    struct text *why) {
    struct jit_bytes made = {NULL, 0};
    onepass_error err = ONEPASS_ERROR_INIT;
    int status = s->make(jit, r, &made, &err);
    if (status == 0) {
        out->bytes = made.bytes;
        out->nbytes = made.nbytes;
        out->step = s->step;
        return 0;
    }
    text_add(why, "%s%s: %s", why->n ? "; " : "", s->name, err.message);
    return status == ONEPASS_NO_MEMORY || why->failed ? ONEPASS_NO_MEMORY : ONEPASS_NO_DEVICE;
}

static int is_allowed(const struct jit *jit, enum jit_step step, enum jit_step after) {
    return step > after && (jit->config.step == JIT_AUTO || jit->config.step == step);
}

/* Steps b, c and d, and the cache of what they make. */
static int compile(struct jit *jit, struct jit_request *r, enum jit_step after, struct jit_image *out,
                   struct text *why) {
    unsigned char key[SHA256_BYTES];
    int status = ONEPASS_NO_DEVICE;
    cache_key(jit, r, key);
    if (after <= JIT_AOT && from_cache(jit, key, out)) return 0;
    for (int k = 1; k < NSTEPS && status == ONEPASS_NO_DEVICE; k++)
        if (is_allowed(jit, STEPS[k].step, after)) status = try_step(jit, &STEPS[k], r, out, why);
    if (status == 0) to_cache(jit, key, out);
    return status;
}

int jit_compile(struct jit *jit, const char *text, int arch, struct jit_image *out,
                onepass_error *err) {
    return jit_compile_after(jit, text, arch, JIT_AUTO, out, err);
}

int jit_compile_after(struct jit *jit, const char *text, int arch, enum jit_step after,
                      struct jit_image *out, onepass_error *err) {
    struct jit_request r = {text, arch, 0, {0, 0}, {NULL, 0}, ONEPASS_ERROR_INIT};
    struct text why = {NULL, 0, 0, 0};
    int status = ONEPASS_NO_DEVICE;
    memset(out, 0, sizeof(*out));
    if (is_allowed(jit, JIT_AOT, after)) status = try_step(jit, &STEPS[0], &r, out, &why);
    if (status == ONEPASS_NO_DEVICE && jit->config.step != JIT_AOT)
        status = compile(jit, &r, after, out, &why);
    if (status == ONEPASS_NO_DEVICE)
        error_set(err, status, "no machine code for the kernel: %s",
                  why.bytes ? why.bytes : "no step is left");
    else if (status)
        error_no_memory(err);
    free(r.relocatable.bytes);
    free(why.bytes);
    return status;
}
