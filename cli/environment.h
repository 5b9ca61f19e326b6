/* The environment variables that are read, all of them; nothing else in the program calls getenv.
 * None of them changes a number or a format of the results. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

enum variable {
    VARIABLE_THREADS,
    VARIABLE_DEVICE,
    VARIABLE_CPU,
    VARIABLE_READER,
    VARIABLE_SLURM_CPUS,
    VARIABLE_NO_COLOR,
    VARIABLE_TERM,
    VARIABLE_COLUMNS,
    NVARIABLES
};

const char *environment_name(enum variable v);

/* The value, NULL when unset or empty: empty means unset everywhere. */
const char *environment_get(enum variable v);

#endif
