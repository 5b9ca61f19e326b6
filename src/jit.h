/* From the text of a kernel to a loadable image: ahead of time, from a disk cache, by NVRTC with
 * nvJitLink, with the driver's linker, or alone.  No global state: a struct jit belongs to a context.
 *
 *   a  an image made at build time
 *   b  NVRTC -> relocatable cubin, linked with the collectives by nvJitLink
 *   c  the same, linked by the driver
 *   d  NVRTC alone, with the reductions of block.cuh
 * All give the same bits.  For b and c, and only there, JIT_COLLECTIVES_MACRO is defined. */
#ifndef JIT_H
#define JIT_H

#include <stddef.h>

#include "cuda_api.h"
#include "cuda_text.h"
#include "onepass.h"

#define JIT_COLLECTIVES_MACRO "ONEPASS_COLLECTIVES"

enum jit_step { JIT_AUTO, JIT_AOT, JIT_NVJITLINK, JIT_DRIVER, JIT_NVRTC };

/* The step of a name ("a" .. "d"; NULL: automatic), ONEPASS_BAD_ARGUMENT of another. */
int jit_step_find(const char *name, enum jit_step *step, onepass_error *err);
/* "a" .. "d"; "auto". */
const char *jit_step_name(enum jit_step step);

struct jit_image {
    void *bytes; /* a cubin or PTX for module_load_data; the caller's, to be freed by free() */
    size_t nbytes;
    enum jit_step step; /* that made it, also where it came from the cache */
    int cached;
};

struct jit_embedded;

struct jit_config {
    const struct cuda_driver *driver; /* for step c; NULL: without */
    int (*before_driver)(void *user,
                         onepass_error *err); /* makes the device's context current; or NULL */
    void *user;                               /* its argument */
    const struct cuda_header *headers;        /* that texts may include: cuda_headers */
    const char *cache_dir;                    /* NULL: no cache */
    enum jit_step step;                       /* forced, or JIT_AUTO */
    const char *library_dir;             /* of NVRTC and nvJitLink, for tests; NULL: the usual places */
    const struct jit_embedded *embedded; /* for tests; NULL: what this build made ahead of time */
};

/* What config points to, but for its texts, must outlive the jit. */
struct jit;
int jit_create(const struct jit_config *config, struct jit **out, onepass_error *err);
void jit_free(struct jit *jit); /* accepts NULL */

/* An image of `text` (NUL-terminated) for a device of compute capability arch (90: 9.0).  Any thread;
 * step c needs the device's context to be current in it, once before_driver has been called.
 * ONEPASS_NO_DEVICE: none of the steps that were allowed works; the message says what each lacked. */
int jit_compile(struct jit *jit, const char *text, int arch, struct jit_image *out, onepass_error *err);
/* The same by a step behind `after` (JIT_AUTO: any), whose image the driver does not take.  What the cache
 * has is of a step behind JIT_AOT; behind others it is not asked, and given the new image.  With a forced
 * step there is none behind it. */
int jit_compile_after(struct jit *jit, const char *text, int arch, enum jit_step after,
                      struct jit_image *out, onepass_error *err);

/* What there is, for --version and --explain: one line, no newline; the jit's. */
const char *jit_describe(struct jit *jit);

#endif
