/* libnvrtc.so and libnvJitLink.so for tests: a "cubin" is a shared object that the C++ compiler makes
 * of a kernel's text and tests/gpu/emulate.h, for fake_driver.c.  FAKE_NVRTC_CXX: the compiler and its
 * options, g++ -O1. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda_api.h"

#define EXPORTED                                __attribute__((visibility("default")))
#define NVRTC(type, member, symbol, parameters) EXPORTED type symbol parameters;
#include "cuda_api.def"

/* The path counts from the directory that make runs in. */
__asm__(".section .rodata\n"
        "emulate_h:\n"
        ".incbin \"tests/gpu/emulate.h\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char emulate_h[] __attribute__((visibility("hidden")));

enum { OUT_OF_MEMORY = 1, INVALID_INPUT = 3, INTERNAL_ERROR = 11 };

struct file {
    char *bytes; /* with a NUL behind them */
    size_t nbytes;
};

struct _nvrtcProgram {
    char dir[64];
    struct file image, log;
};

static int write_file(const char *dir, const char *name, const char *text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    if (f == NULL) return 0;
    int good = fputs(text, f) >= 0;
    return fclose(f) == 0 && good;
}

static int read_file(const char *dir, const char *name, struct file *out) {
    char path[512];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "rb");
    if (f == NULL) return 0;
    if (fstat(fileno(f), &st) == 0) out->bytes = calloc(1, (size_t)st.st_size + 1);
    if (out->bytes != NULL) out->nbytes = fread(out->bytes, 1, (size_t)st.st_size, f);
    fclose(f);
    return out->bytes != NULL;
}

nvrtc_result nvrtcVersion(int *major, int *minor) {
    *major = 13, *minor = 0;
    return 0;
}

const char *nvrtcGetErrorString(nvrtc_result error) {
    return error == NVRTC_COMPILATION_FAILED ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR";
}

static const int archs[] = {70, 75, 80, 86, 89, 90, 100, 120};

nvrtc_result nvrtcGetNumSupportedArchs(int *narchs) {
    *narchs = sizeof archs / sizeof archs[0];
    return 0;
}

nvrtc_result nvrtcGetSupportedArchs(int *out) {
    memcpy(out, archs, sizeof archs);
    return 0;
}

nvrtc_result nvrtcCreateProgram(nvrtc_program *program, const char *text, const char *name,
                                int nheaders, const char *const *headers, const char *const *names) {
    nvrtc_program p = calloc(1, sizeof *p);
    (void)name;
    if (p == NULL) return OUT_OF_MEMORY;
    strcpy(p->dir, "/tmp/fake_nvrtc_XXXXXX");
    int good = mkdtemp(p->dir) != NULL && write_file(p->dir, "kernel.cpp", text) &&
               write_file(p->dir, "emulate.h", emulate_h);
    for (int k = 0; good && k < nheaders; k++)
        good = write_file(p->dir, names[k], headers[k]);
    *program = p;
    return good ? 0 : INTERNAL_ERROR;
}

nvrtc_result nvrtcDestroyProgram(nvrtc_program *program) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (*program)->dir);
    if (system(command) != 0) fprintf(stderr, "%s failed\n", command);
    free((*program)->image.bytes);
    free((*program)->log.bytes);
    free(*program);
    *program = NULL;
    return 0;
}

/* Of the options only -DNAME means something here. */
nvrtc_result nvrtcCompileProgram(nvrtc_program program, int noptions, const char *const *options) {
    char command[2048], macros[512] = "";
    const char *cxx = getenv("FAKE_NVRTC_CXX");
    for (int k = 0; k < noptions; k++) {
        if (strncmp(options[k], "-D", 2) != 0) continue;
        strncat(macros, " ", sizeof macros - strlen(macros) - 1);
        strncat(macros, options[k], sizeof macros - strlen(macros) - 1);
    }
    snprintf(
        command, sizeof command,
        "cd '%s' && %s -std=c++17 -ffp-contract=off -fno-weak -shared -fPIC%s -I. -include emulate.h "
        "-o kernel.so kernel.cpp >log 2>&1",
        program->dir, cxx != NULL ? cxx : "g++ -O1", macros);
    int status = system(command);
    read_file(program->dir, "log", &program->log);
    if (status != 0) return NVRTC_COMPILATION_FAILED;
    return read_file(program->dir, "kernel.so", &program->image) ? 0 : INTERNAL_ERROR;
}

static nvrtc_result get(const struct file *file, size_t extra, size_t *nbytes, char *bytes) {
    if (file->bytes == NULL) return INVALID_INPUT;
    if (nbytes != NULL) *nbytes = file->nbytes + extra;
    if (bytes != NULL) memcpy(bytes, file->bytes, file->nbytes + extra);
    return 0;
}

nvrtc_result nvrtcGetCUBINSize(nvrtc_program program, size_t *nbytes) {
    return get(&program->image, 0, nbytes, NULL);
}

nvrtc_result nvrtcGetCUBIN(nvrtc_program program, char *cubin) {
    return get(&program->image, 0, NULL, cubin);
}

nvrtc_result nvrtcGetPTXSize(nvrtc_program program, size_t *nbytes) {
    return get(&program->image, 1, nbytes, NULL);
}

nvrtc_result nvrtcGetPTX(nvrtc_program program, char *ptx) {
    return get(&program->image, 1, NULL, ptx);
}

nvrtc_result nvrtcGetProgramLogSize(nvrtc_program program, size_t *nbytes) {
    return get(&program->log, 1, nbytes, NULL);
}

nvrtc_result nvrtcGetProgramLog(nvrtc_program program, char *log) {
    return get(&program->log, 1, NULL, log);
}

/* ---- nvJitLink: what is linked to a kernel is in the text already ---------------------------- */

struct nvJitLink {
    struct file image;
};

#define VERSIONED(symbol)                     __##symbol##_13_0
#define NVJITLINK(member, symbol, parameters) EXPORTED nvjitlink_result VERSIONED(symbol) parameters;
#include "cuda_api.def"

nvjitlink_result __nvJitLinkCreate_13_0(nvjitlink_handle *link, uint32_t noptions,
                                        const char *const *options) {
    (void)noptions, (void)options;
    *link = calloc(1, sizeof **link);
    return *link != NULL ? 0 : OUT_OF_MEMORY;
}

nvjitlink_result __nvJitLinkDestroy_13_0(nvjitlink_handle *link) {
    free((*link)->image.bytes);
    free(*link);
    *link = NULL;
    return 0;
}

nvjitlink_result __nvJitLinkAddData_13_0(nvjitlink_handle link, unsigned type, const void *data,
                                         size_t nbytes, const char *name) {
    (void)type, (void)name;
    if (link->image.bytes != NULL) return 0;
    link->image.bytes = calloc(1, nbytes + 1);
    if (link->image.bytes == NULL) return OUT_OF_MEMORY;
    memcpy(link->image.bytes, data, nbytes);
    link->image.nbytes = nbytes;
    return 0;
}

nvjitlink_result __nvJitLinkComplete_13_0(nvjitlink_handle link) {
    return link->image.bytes != NULL ? 0 : INVALID_INPUT;
}

nvjitlink_result __nvJitLinkGetLinkedCubinSize_13_0(nvjitlink_handle link, size_t *nbytes) {
    return get(&link->image, 0, nbytes, NULL);
}

nvjitlink_result __nvJitLinkGetLinkedCubin_13_0(nvjitlink_handle link, void *cubin) {
    return get(&link->image, 0, NULL, cubin);
}

nvjitlink_result __nvJitLinkGetErrorLogSize_13_0(nvjitlink_handle link, size_t *nbytes) {
    (void)link;
    *nbytes = 0;
    return 0;
}

nvjitlink_result __nvJitLinkGetErrorLog_13_0(nvjitlink_handle link, char *log) {
    (void)link;
    log[0] = 0;
    return 0;
}
