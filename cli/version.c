/* --version: line 1 is for programs, the rest for reports of bugs. */
#include "version.h"

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
    textbuf_format(out, "cpu: built for %s, portable code\n", machine());
    textbuf_string(out, "cuda: not in this build\n");
    if (verbose) textbuf_format(out, "compiler: %s\nschema: %s\n", __VERSION__, ONEPASS_SCHEMA);
}
