/* The environment: one table of names and the one call of getenv. */
#include "environment.h"

#include <stdlib.h>

static const char *const names[NVARIABLES] = {
    [VARIABLE_THREADS] = "ONEPASS_THREADS",
    [VARIABLE_DEVICE] = "ONEPASS_DEVICE",
    [VARIABLE_CPU] = "ONEPASS_CPU",
    [VARIABLE_READER] = "ONEPASS_READER",
    [VARIABLE_CACHE_DIR] = "ONEPASS_CACHE_DIR",
    [VARIABLE_XDG_CACHE_HOME] = "XDG_CACHE_HOME",
    [VARIABLE_HOME] = "HOME",
    [VARIABLE_SLURM_CPUS] = "SLURM_CPUS_PER_TASK",
    [VARIABLE_NO_COLOR] = "NO_COLOR",
    [VARIABLE_TERM] = "TERM",
    [VARIABLE_COLUMNS] = "COLUMNS",
};

const char *environment_name(enum variable v) {
    return names[v];
}

const char *environment_get(enum variable v) {
    const char *value = getenv(names[v]);
    return value && *value ? value : NULL;
}

const char *environment_cache_dir(struct textbuf *out) {
    static const struct {
        enum variable variable;
        const char *below;
    } places[] = {{VARIABLE_CACHE_DIR, ""},
                  {VARIABLE_XDG_CACHE_HOME, "/onepass"},
                  {VARIABLE_HOME, "/.cache/onepass"}};
    for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++) {
        const char *dir = environment_get(places[k].variable);
        if (!dir || dir[0] != '/') continue; /* relative ones depend on where one stands */
        textbuf_format(out, "%s%s", dir, places[k].below);
        return out->failed ? NULL : textbuf_text(out);
    }
    return NULL;
}
