/* What this build calls itself, and what it was built with. */
#include <string.h>

#include "jit_aot.h"
#include "jit_embedded.h"
#include "onepass.h"
#include "uring.h"

const char *onepass_version(void) {
    return ONEPASS_VERSION;
}

/* ---- optional features --------------------------------------------------------------------------- */

struct feature {
    const char *name;
    int built_in;
};

static const struct feature FEATURES[] = {
    {"hdf5", 0},
    {"zstd", 0},
    {"zlib", 0},
    {"lz4", 0},
    {"blosc", 0},
    {"cuda", 1},
    {"uring", URING_BUILT_IN},
};
#define NFEATURES (sizeof(FEATURES) / sizeof(FEATURES[0]))

int onepass_has(const char *feature) {
    for (size_t k = 0; k < NFEATURES; k++)
        if (strcmp(FEATURES[k].name, feature) == 0) return FEATURES[k].built_in;
    return -1;
}

const char *onepass_feature(size_t k) {
    return k < NFEATURES ? FEATURES[k].name : NULL;
}

/* ---- kernels made ahead of time ---------------------------------------------------------------------
 */

static int next_arch(int above) {
    return jit_aot_next_arch(jit_embedded.aot, (size_t)(jit_embedded.aot_end - jit_embedded.aot),
                             above);
}

int onepass_cuda_arch(size_t k) {
    int arch = next_arch(0);
    while (k-- > 0 && arch != 0)
        arch = next_arch(arch);
    return arch;
}
