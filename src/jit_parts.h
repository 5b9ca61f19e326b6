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

/* Of an image; more is a damaged file. */
#define JIT_MAX_IMAGE (UINT64_C(64) << 20)

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

/* SHA-256 of what a text compiles to machine code (cuda_text_code), of all that it may include, and of
 * all options: what an image is known by. */
void jit_key(const struct jit *jit, const char *text, unsigned char key[SHA256_BYTES]);

/* ---- jit_nvrtc.c ---- */

/* 0 once NVRTC, or nvJitLink of its major version, is open. */
int jit_need_nvrtc(struct jit *jit, onepass_error *err);
int jit_need_nvjitlink(struct jit *jit, onepass_error *err);

/* The best that NVRTC has for a device of compute capability arch. */
int jit_target_of(struct jit *jit, int arch, struct jit_target *out, onepass_error *err);

/* What NVRTC is given beside a text; collectives: which is to be linked with them. */
enum { JIT_MAX_OPTIONS = 12 };
struct jit_options {
    const char *all[JIT_MAX_OPTIONS]; /* arch is the first */
    int n;
    char arch[32];
};
void jit_options_for(const struct jit *jit, const struct jit_target *target, int collectives,
                     struct jit_options *out);
/* All that there are but for the arch, whatever the compiler and the target. */
void jit_options_hash(struct sha256 *s);

/* A program of the text and what it may include, to be destroyed. */
int jit_program_create(const struct jit *jit, const char *text, nvrtc_program *out, onepass_error *err);

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
