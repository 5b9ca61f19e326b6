/* What the files of the jit share: the request that a step serves, and the libraries.  Only for jit*.c,
 * their tests and tools/aot.c. */
#ifndef JIT_PARTS_H
#define JIT_PARTS_H

#include <pthread.h>

#include "jit.h"
#include "jit_embedded.h"
#include "sha256.h"
#include "text.h"

/* A library is opened at its first use; what failed once has failed. */
struct jit_library {
    pthread_mutex_t lock; /* of the opening */
    int tried;
    onepass_error err; /* code 0: it is open */
};

struct jit {
    struct jit_config config; /* its texts are the jit's own */
    char *cache_dir, *library_dir;
    unsigned char headers[SHA256_BYTES]; /* of all that texts may include */
    struct jit_library has_nvrtc, has_nvjitlink;
    struct nvrtc nvrtc;
    struct nvjitlink nvjitlink;
    pthread_mutex_t lock; /* of the description */
    struct text description;
};

struct jit_bytes {
    void *bytes; /* to be freed by free() */
    size_t nbytes;
};

/* What NVRTC compiles to for a device: a cubin that runs on it, or PTX that its driver compiles. */
struct jit_target {
    int arch;
    int ptx;
};

/* What jit_compile was asked for, and what steps b and c have in common. */
struct jit_request {
    const char *text;
    int arch;
    int compiled; /* relocatable, or its error, is there */
    struct jit_target target;
    struct jit_bytes relocatable;
    onepass_error err;
};

/* SHA-256 of a text and all that it may include: what an image is known by. */
void jit_key(const struct jit *jit, const char *text, unsigned char key[SHA256_BYTES]);

/* ---- jit_nvrtc.c ---- */

/* 0 once NVRTC, or nvJitLink of its major version, is open. */
int jit_need_nvrtc(struct jit *jit, onepass_error *err);
int jit_need_nvjitlink(struct jit *jit, onepass_error *err);

/* The best that NVRTC has for a device of compute capability arch. */
int jit_target_of(struct jit *jit, int arch, struct jit_target *out, onepass_error *err);

/* Options that are the same for all texts, NULL after the last. */
extern const char *const jit_options[];

/* collectives: to be linked with them. */
int jit_nvrtc(struct jit *jit, const char *text, const struct jit_target *target, int collectives,
              struct jit_bytes *out, onepass_error *err);

/* ---- the steps: 0 and an image, or why not ---- */

int jit_step_aot(struct jit *jit, struct jit_request *r, struct jit_bytes *out, onepass_error *err);
int jit_step_nvjitlink(struct jit *jit, struct jit_request *r, struct jit_bytes *out,
                       onepass_error *err);
int jit_step_driver(struct jit *jit, struct jit_request *r, struct jit_bytes *out, onepass_error *err);
int jit_step_nvrtc(struct jit *jit, struct jit_request *r, struct jit_bytes *out, onepass_error *err);

#endif
