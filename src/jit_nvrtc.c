/* NVRTC: which of its targets serves a device, and compiling a text with the embedded headers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "jit_parts.h"

/* fmad: a product and a sum must not become one operation on the GPU alone.  int128: products. */
static const char *const ALWAYS[] = {"-std=c++17", "--fmad=false", "--device-int128", NULL};

/* Leaves out what kernels do not use, textures and calls of the run-time library: 32 to 38 ms become 22
 * to 28 for an empty kernel.  Older versions may refuse it. */
static const char *const SINCE_13[] = {"-minimal", NULL};

static const char *const WITH_COLLECTIVES[] = {"-rdc=true", "-D" JIT_COLLECTIVES_MACRO, NULL};

enum { MAX_HEADERS = 64, MAX_ARCHS = 128 };

static void open_nvrtc(struct jit *jit) {
    const struct cuda_driver *driver = jit->config.driver;
    nvrtc_open(jit->library_dir, driver ? driver->version : 0, &jit->nvrtc, &jit->has_nvrtc.err);
}

static void open_nvjitlink(struct jit *jit) {
    nvjitlink_open(jit->library_dir, jit->nvrtc.major, &jit->nvjitlink, &jit->has_nvjitlink.err);
}

static int need(struct jit *jit, struct jit_library *has, void (*open)(struct jit *),
                onepass_error *err) {
    pthread_mutex_lock(&has->lock);
    if (!has->tried) {
        has->tried = 1;
        has->err = (onepass_error)ONEPASS_ERROR_INIT;
        open(jit);
    }
    pthread_mutex_unlock(&has->lock);
    return has->err.code ? error_copy(err, &has->err) : 0;
}

int jit_need_nvrtc(struct jit *jit, onepass_error *err) {
    return need(jit, &jit->has_nvrtc, open_nvrtc, err);
}

int jit_need_nvjitlink(struct jit *jit, onepass_error *err) {
    int status = jit_need_nvrtc(jit, err);
    return status ? status : need(jit, &jit->has_nvjitlink, open_nvjitlink, err);
}

/* "WHAT: NVRTC's text of the error" */
static int failed(const struct jit *jit, nvrtc_result result, const char *what, onepass_error *err) {
    const char *text = jit->nvrtc.get_error_string(result);
    return error_set(err, ONEPASS_NO_DEVICE, "%s: %s", what, text ? text : "unknown error");
}

int jit_target_of(struct jit *jit, int arch, struct jit_target *out, onepass_error *err) {
    int archs[MAX_ARCHS], narchs = 0, status = jit_need_nvrtc(jit, err);
    if (status) return status;
    nvrtc_result result = jit->nvrtc.get_num_archs(&narchs);
    if (!result && narchs > MAX_ARCHS)
        return error_set(err, ONEPASS_NO_DEVICE, "NVRTC has %d targets", narchs);
    if (!result) result = jit->nvrtc.get_archs(archs);
    if (result) return failed(jit, result, "targets of NVRTC", err);
    int best = 0, oldest = 0;
    for (int k = 0; k < narchs; k++) {
        if (archs[k] <= arch && archs[k] > best) best = archs[k];
        if (!oldest || archs[k] < oldest) oldest = archs[k];
    }
    if (!best)
        return error_set(err, ONEPASS_NO_DEVICE,
                         "NVRTC %d.%d compiles for compute capability %d.%d and newer, not for %d.%d",
                         jit->nvrtc.major, jit->nvrtc.minor, oldest / 10, oldest % 10, arch / 10,
                         arch % 10);
    /* A cubin runs on later devices of its own major version only. */
    *out = (struct jit_target){best, best / 10 != arch / 10};
    return 0;
}

/* The first line of the log that tells of an error, or its first line. */
static int compile_error(const struct jit *jit, nvrtc_program program, nvrtc_result result,
                         onepass_error *err) {
    size_t nbytes = 0;
    char *log = NULL;
    if (jit->nvrtc.get_log_size(program, &nbytes) == 0 && nbytes > 1) log = calloc(1, nbytes + 1);
    if (!log || jit->nvrtc.get_log(program, log) != 0) {
        free(log);
        return failed(jit, result, "NVRTC", err);
    }
    const char *line = strstr(log, "error");
    if (!line) line = log;
    while (line > log && line[-1] != '\n')
        line--;
    error_set(err, ONEPASS_NO_DEVICE, "NVRTC: %.*s", (int)strcspn(line, "\n"), line);
    free(log);
    return ONEPASS_NO_DEVICE;
}

static int get_image(const struct jit *jit, nvrtc_program program, int ptx, struct jit_bytes *out,
                     onepass_error *err) {
    const struct nvrtc *n = &jit->nvrtc;
    nvrtc_result result =
        ptx ? n->get_ptx_size(program, &out->nbytes) : n->get_cubin_size(program, &out->nbytes);
    if (result) return failed(jit, result, "size of NVRTC's image", err);
    out->bytes = malloc(out->nbytes ? out->nbytes : 1);
    if (!out->bytes) return error_no_memory(err);
    result = ptx ? n->get_ptx(program, out->bytes) : n->get_cubin(program, out->bytes);
    if (!result) return 0;
    free(out->bytes);
    out->bytes = NULL;
    return failed(jit, result, "NVRTC's image", err);
}

static void add_options(struct jit_options *o, const char *const *more) {
    for (; *more; more++)
        o->all[o->n++] = *more;
}

void jit_options_for(const struct jit *jit, const struct jit_target *target, int collectives,
                     struct jit_options *out) {
    snprintf(out->arch, sizeof(out->arch), "-arch=%s_%d", target->ptx ? "compute" : "sm", target->arch);
    out->all[0] = out->arch;
    out->n = 1;
    add_options(out, ALWAYS);
    if (jit->nvrtc.major >= 13) add_options(out, SINCE_13);
    if (collectives) add_options(out, WITH_COLLECTIVES);
}

void jit_options_hash(struct sha256 *s) {
    static const char *const *const TABLES[] = {ALWAYS, SINCE_13, WITH_COLLECTIVES};
    for (size_t k = 0; k < sizeof(TABLES) / sizeof(TABLES[0]); k++) {
        for (const char *const *option = TABLES[k]; *option; option++)
            sha256_text(s, *option);
        sha256_text(s, ""); /* the end of one */
    }
}

static int compile(const struct jit *jit, nvrtc_program program, const struct jit_target *target,
                   int collectives, struct jit_bytes *out, onepass_error *err) {
    struct jit_options options;
    jit_options_for(jit, target, collectives, &options);
    nvrtc_result result = jit->nvrtc.compile_program(program, options.n, options.all);
    if (result) return compile_error(jit, program, result, err);
    return get_image(jit, program, target->ptx, out, err);
}

int jit_program_create(const struct jit *jit, const char *text, nvrtc_program *out,
                       onepass_error *err) {
    const char *names[MAX_HEADERS], *texts[MAX_HEADERS];
    int nheaders = 0;
    const struct cuda_header *h = jit->config.headers;
    for (; h && h->name; h++, nheaders++) {
        if (nheaders == MAX_HEADERS) return error_set(err, ONEPASS_INTERNAL, "too many headers");
        names[nheaders] = h->name;
        texts[nheaders] = h->text;
    }
    nvrtc_result result = jit->nvrtc.create_program(out, text, "onepass.cu", nheaders, texts, names);
    return result ? failed(jit, result, "NVRTC", err) : 0;
}

int jit_nvrtc(struct jit *jit, const char *text, const struct jit_target *target, int collectives,
              struct jit_bytes *out, onepass_error *err) {
    nvrtc_program program = NULL;
    int status = jit_program_create(jit, text, &program, err);
    if (status) return status;
    status = compile(jit, program, target, collectives, out, err);
    jit->nvrtc.destroy_program(&program);
    return status;
}

int jit_step_nvrtc(struct jit *jit, struct jit_request *r, struct jit_bytes *out, onepass_error *err) {
    struct jit_target target;
    int status = jit_target_of(jit, r->arch, &target, err);
    return status ? status : jit_nvrtc(jit, r->text, &target, 0, out, err);
}
