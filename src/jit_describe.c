/* What a jit has to work with, in a line. */
#include <stdlib.h>

#include "jit_aot.h"
#include "jit_cache.h"
#include "jit_parts.h"

static void add_libraries(struct jit *jit, struct text *t) {
    onepass_error err = ONEPASS_ERROR_INIT;
    if (jit_need_nvrtc(jit, &err) != 0) {
        text_add(t, "%s", err.message);
        return;
    }
    text_add(t, "NVRTC %d.%d", jit->nvrtc.major, jit->nvrtc.minor);
    if (jit_need_nvjitlink(jit, &err) != 0)
        text_add(t, ", %s", err.message);
    else if (jit->nvjitlink.minor < 0)
        text_add(t, ", nvJitLink %d", jit->nvjitlink.major);
    else
        text_add(t, ", nvJitLink %d.%d", jit->nvjitlink.major, jit->nvjitlink.minor);
}

static void add_collectives(const struct jit *jit, struct text *t) {
    const struct jit_collectives *c = jit->config.embedded->collectives;
    text_add(t, c->arch ? "; collectives for" : "; no collectives");
    for (; c->arch; c++)
        text_add(t, " %s_%d", c->ptx ? "compute" : "sm", c->arch);
}

static void add_images(const struct jit *jit, struct text *t) {
    const struct jit_embedded *e = jit->config.embedded;
    size_t nbytes = (size_t)(e->aot_end - e->aot), n = jit_aot_count(e->aot, nbytes);
    if (!n) {
        text_add(t, "; no images made ahead of time");
        return;
    }
    text_add(t, "; %zu image%s made ahead of time for", n, n > 1 ? "s" : "");
    for (int arch = 0; (arch = jit_aot_next_arch(e->aot, nbytes, arch)) != 0;)
        text_add(t, " sm_%d", arch);
}

static void add_cache(const struct jit *jit, struct text *t) {
    const char *refused = jit->cache_dir ? jit_cache_refused(jit->cache_dir) : NULL;
    if (!jit->cache_dir)
        text_add(t, "; no cache");
    else if (refused)
        text_add(t, "; no cache: %s %s", jit->cache_dir, refused);
    else
        text_add(t, "; cache in %s", jit->cache_dir);
}

const char *jit_describe(struct jit *jit) {
    struct text t = {NULL, 0, 0, 0};
    add_libraries(jit, &t);
    add_collectives(jit, &t);
    add_images(jit, &t);
    add_cache(jit, &t);
    pthread_mutex_lock(&jit->lock); /* what was handed out stays */
    if (!jit->description.bytes)
        jit->description = t;
    else
        free(t.bytes);
    pthread_mutex_unlock(&jit->lock);
    return jit->description.failed ? "" : jit->description.bytes;
}
