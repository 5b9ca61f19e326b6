/* What a fresh process pays before its first kernel, in milliseconds from its start to the end of the
 * work named by the first argument.
 *
 *   startup init               the driver is opened and initialised
 *   startup context            and makes a context of the first GPU, as every program that uses it must
 *   startup empty ARCH         NVRTC is opened and compiles an empty kernel, with no option but ARCH
 *   startup empty-as-jit ARCH  the same with the options of jit_nvrtc.c
 *   startup nvrtc ARCH         NVRTC is opened and compiles the text on stdin, with those options
 *   startup jit ARCH           jit.c makes an image of the text on stdin: without a cache, unless
 *                              ONEPASS_CACHE_DIR names one */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_text.h"
#include "error.h"
#include "jit_parts.h"
#include "seconds.h"

static const char EMPTY[] = "extern \"C\" __global__ void empty() {}\n";

static struct cuda_driver driver;

static int init(struct jit *jit, int arch, char *text, onepass_error *err) {
    (void)jit, (void)arch, (void)text;
    int rc = cuda_driver_open(NULL, &driver, err);
    return rc != 0 ? rc : cuda_check(&driver, driver.init(0), "init", err);
}

static int context(struct jit *jit, int arch, char *text, onepass_error *err) {
    cu_context made;
    cu_device device;
    int rc = init(jit, arch, text, err);
    if (rc == 0) rc = cuda_check(&driver, driver.device_get(&device, 0), "device", err);
    if (rc == 0) rc = cuda_check(&driver, driver.primary_ctx_retain(&made, device), "context", err);
    return rc;
}

static int empty(struct jit *jit, int arch, char *text, onepass_error *err) {
    char option[32];
    const char *options[] = {option};
    nvrtc_program program;
    size_t nbytes;
    (void)text;
    int rc = jit_need_nvrtc(jit, err);
    if (rc != 0) return rc;
    snprintf(option, sizeof option, "-arch=sm_%d", arch);
    if (jit->nvrtc.create_program(&program, EMPTY, "empty.cu", 0, NULL, NULL) != 0 ||
        jit->nvrtc.compile_program(program, 1, options) != 0 ||
        jit->nvrtc.get_cubin_size(program, &nbytes) != 0)
        return error_set(err, ONEPASS_NO_DEVICE, "the empty kernel does not compile");
    return 0;
}

static int nvrtc(struct jit *jit, int arch, char *text, onepass_error *err) {
    struct jit_target target;
    struct jit_bytes out;
    int rc = jit_target_of(jit, arch, &target, err);
    return rc != 0 ? rc : jit_nvrtc(jit, text, &target, 1, &out, err);
}

static int empty_as_jit(struct jit *jit, int arch, char *text, onepass_error *err) {
    (void)text;
    return nvrtc(jit, arch, (char *)EMPTY, err);
}

static int whole(struct jit *jit, int arch, char *text, onepass_error *err) {
    struct jit_image image;
    return jit_compile(jit, text, arch, &image, err);
}

static const struct work {
    const char *name;
    int (*does)(struct jit *jit, int arch, char *text, onepass_error *err);
    int reads_text;
} WORK[] = {
    {"init", init, 0},   {"context", context, 0},
    {"empty", empty, 0}, {"empty-as-jit", empty_as_jit, 0},
    {"nvrtc", nvrtc, 1}, {"jit", whole, 1},
};

int main(int argc, char **argv) {
    static char text[1 << 20];
    onepass_error err = ONEPASS_ERROR_INIT;
    struct jit_config config = {.headers = cuda_headers, .cache_dir = getenv("ONEPASS_CACHE_DIR")};
    struct jit *jit;
    size_t k = 0, n = sizeof WORK / sizeof *WORK;
    while (k < n && (argc < 2 || strcmp(argv[1], WORK[k].name) != 0))
        k++;
    if (k == n) {
        fprintf(stderr, "usage: startup init|context|empty|empty-as-jit|nvrtc|jit [ARCH] [<TEXT]\n");
        return 2;
    }
    if (WORK[k].reads_text) text[fread(text, 1, sizeof text - 1, stdin)] = '\0';
    double start = seconds_now();
    int rc = jit_create(&config, &jit, &err);
    if (rc == 0) rc = WORK[k].does(jit, argc > 2 ? atoi(argv[2]) : 90, text, &err);
    if (rc != 0) {
        fprintf(stderr, "startup: %s\n", err.message);
        return 1;
    }
    printf("%.2f\n", 1e3 * (seconds_now() - start));
    return 0; /* what is left open ends with the process */
}
