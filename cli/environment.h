/* The environment variables that are read, all of them; nothing else in the program calls getenv.
 * None of them changes a number or a format of the results. */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include "textbuf.h"

enum variable {
    VARIABLE_THREADS,
    VARIABLE_DEVICE,
    VARIABLE_CPU,
    VARIABLE_READER,
    VARIABLE_CACHE_DIR,
    VARIABLE_XDG_CACHE_HOME,
    VARIABLE_HOME,
    VARIABLE_SLURM_CPUS,
    VARIABLE_NO_COLOR,
    VARIABLE_TERM,
    VARIABLE_COLUMNS,
    NVARIABLES
};

const char *environment_name(enum variable v);

/* The value, NULL when unset or empty: empty means unset everywhere. */
const char *environment_get(enum variable v);

/* Where compiled kernels are kept: ONEPASS_CACHE_DIR, else onepass under XDG_CACHE_HOME, else under
 * .cache of HOME; NULL where none of them is an absolute path.  The text is out's. */
const char *environment_cache_dir(struct textbuf *out);

#endif
