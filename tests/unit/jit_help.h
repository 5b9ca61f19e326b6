/* For tests of the jit: a kernel, its header, collectives made on the spot, and cubins told apart. */
#ifndef JIT_HELP_H
#define JIT_HELP_H

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "jit_parts.h"

enum { ARCH = 90, EM_GPU = 190 };

static const struct cuda_header test_headers[] = {
    {"twice.cuh", "__device__ inline long long twice(long long v) { return 2 * v; }\n"},
    {NULL, NULL},
};

static const char KERNEL[] = "#include \"twice.cuh\"\n"
                             "#ifdef ONEPASS_COLLECTIVES\n"
                             "extern \"C\" __device__ long long test_block_sum(long long);\n"
                             "#else\n"
                             "__device__ long long test_block_sum(long long v) {\n"
                             "    for (int k = 16; k; k >>= 1) v += __shfl_down_sync(~0u, v, k);\n"
                             "    return v;\n"
                             "}\n"
                             "#endif\n"
                             "extern \"C\" __global__ void test_kernel(long long *out) {\n"
                             "    long long s = test_block_sum(twice(out[threadIdx.x]));\n"
                             "    if (threadIdx.x == 0) *out = s;\n"
                             "}\n";

static const char COLLECTIVES[] = "extern \"C\" __device__ long long test_block_sum(long long v) {\n"
                                  "    __shared__ long long part[8];\n"
                                  "    for (int k = 16; k; k >>= 1) v += __shfl_down_sync(~0u, v, k);\n"
                                  "    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;\n"
                                  "    __syncthreads();\n"
                                  "    for (int k = 1; k < 8; k++) v += part[k];\n"
                                  "    return v;\n"
                                  "}\n";

/* A jit with the test's header; step: "a" .. "d" or NULL; NULL if it cannot be. */
static inline struct jit *make_jit(struct jit_config config, const char *step) {
    struct jit *jit = NULL;
    config.headers = test_headers;
    if (jit_step_find(step, &config.step, NULL) != 0 || jit_create(&config, &jit, NULL) != 0) abort();
    return jit;
}

/* NULL, or why tests that compile are skipped. */
static inline const char *no_nvrtc(void) {
    static onepass_error err = ONEPASS_ERROR_INIT;
    struct jit *jit = make_jit((struct jit_config){0}, NULL);
    int status = jit_need_nvrtc(jit, &err);
    jit_free(jit);
    return status ? err.message : NULL;
}

/* Ends a test as skipped where there is none. */
#define NEEDS_NVRTC()                                                                                  \
    do {                                                                                               \
        const char *why_not = no_nvrtc();                                                              \
        if (why_not != NULL) {                                                                         \
            SKIP(why_not);                                                                             \
            return;                                                                                    \
        }                                                                                              \
    } while (0)

/* Collectives as a build with a toolkit would embed them: a cubin of ARCH, or PTX; kept for good. */
static inline const struct jit_embedded *test_embedded(int ptx) {
    static struct jit_collectives tables[2][2];
    static struct jit_embedded embedded[2];
    struct jit_bytes made = {NULL, 0};
    struct jit_target target = {ptx ? 75 : ARCH, ptx};
    if (embedded[ptx].collectives) return &embedded[ptx];
    struct jit *jit = make_jit((struct jit_config){0}, NULL);
    if (jit_need_nvrtc(jit, NULL) != 0 || jit_nvrtc(jit, COLLECTIVES, &target, 1, &made, NULL) != 0)
        abort();
    jit_free(jit);
    unsigned char *bytes = made.bytes; /* of PTX, with the NUL that jit_embedded.c puts behind files */
    tables[ptx][0] = (struct jit_collectives){target.arch, ptx, bytes, bytes + made.nbytes - ptx};
    embedded[ptx].collectives = tables[ptx];
    return &embedded[ptx];
}

/* ET_EXEC of a cubin that can be loaded, ET_REL of one that is to be linked; -1: no cubin. */
static inline int cubin_type(const void *bytes, size_t nbytes) {
    Elf64_Ehdr h;
    if (nbytes < sizeof h || memcmp(bytes, ELFMAG, SELFMAG) != 0) return -1;
    memcpy(&h, bytes, sizeof h);
    return h.e_machine == EM_GPU ? h.e_type : -1;
}

#endif
