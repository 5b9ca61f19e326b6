/* The environment: one table of names and the one call of getenv. */
#include "environment.h"

#include <stdlib.h>

static const char *const names[NVARIABLES] = {
    [VARIABLE_THREADS] = "ONEPASS_THREADS",
    [VARIABLE_DEVICE] = "ONEPASS_DEVICE",
    [VARIABLE_CPU] = "ONEPASS_CPU",
    [VARIABLE_READER] = "ONEPASS_READER",
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
