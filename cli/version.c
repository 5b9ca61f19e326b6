/* --version: line 1 is for programs, the rest for reports of bugs. */
#include "version.h"

#include "environment.h"
#include "onepass.h"

#ifdef ONEPASS_COMMIT
#define COMMIT ONEPASS_COMMIT
#else
#define COMMIT ""
#endif

const char *version_commit(void) {
    return COMMIT[0] ? COMMIT : NULL;
}

static const char *machine(void) {
#if defined(__x86_64__)
    return "x86-64";
#elif defined(__aarch64__)
    return "aarch64";
#else
    return "an unnamed machine";
#endif
}

/* "cpu: x86-64 with kernels for avx512, avx2, portable, noflags; here avx2" */
static void add_cpu(struct textbuf *out) {
    onepass_config config = ONEPASS_CONFIG_INIT;
    onepass_error err = ONEPASS_ERROR_INIT;
    onepass_context *ctx = NULL;
    const char *isa;
    config.cpu = environment_get(VARIABLE_CPU);
    textbuf_format(out, "cpu: %s with kernels for", machine());
    for (size_t k = 0; (isa = onepass_isa(k)) != NULL; k++)
        textbuf_format(out, "%s %s", k ? "," : "", isa);
    if (onepass_context_create(&config, &ctx, &err) == 0)
        textbuf_format(out, "; here %s%s\n", onepass_context_isa(ctx),
                       config.cpu ? ", as ONEPASS_CPU says" : "");
    else
        textbuf_format(out, "; here none: %s\n", err.message);
    onepass_context_free(ctx);
}

/* "cuda: kernels made ahead of time for 8.0 9.0, others by NVRTC"; nothing is opened for it. */
static void add_cuda(struct textbuf *out) {
    int arch;
    textbuf_string(out, "cuda: kernels");
    for (size_t k = 0; (arch = onepass_cuda_arch(k)) != 0; k++)
        textbuf_format(out, "%s %d.%d", k ? "" : " made ahead of time for", arch / 10, arch % 10);
    textbuf_format(out, "%s by NVRTC, when they are needed\n", onepass_cuda_arch(0) ? ", others" : "");
}

#if defined(__clang__)
#define COMPILER __VERSION__ /* "Clang 14.0.6", or "Debian Clang 14.0.6" */
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

void version_add(struct textbuf *out, int quiet, int verbose) {
    if (quiet) {
        textbuf_format(out, "%s\n", onepass_version());
        return;
    }
    textbuf_format(out, "onepass %s\n", onepass_version());
    if (version_commit()) textbuf_format(out, "commit: %s\n", version_commit());
    textbuf_string(out, "features:");
    const char *feature;
    size_t nfeatures = 0;
    for (; (feature = onepass_feature(nfeatures)) != NULL; nfeatures++)
        textbuf_format(out, " %c%s", onepass_has(feature) == 1 ? '+' : '-', feature);
    textbuf_string(out, nfeatures ? "\n" : " none\n");
    add_cpu(out);
    add_cuda(out);
    if (verbose) textbuf_format(out, "compiler: %s\nschema: %s\n", COMPILER, ONEPASS_SCHEMA);
}
