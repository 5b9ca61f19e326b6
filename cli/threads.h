/* How many worker threads: --threads, else ONEPASS_THREADS, else what this process may use. */
#ifndef THREADS_H
#define THREADS_H

#include "options.h"

/* For onepass_config; 0 leaves the choice to the library. */
int threads_choose(const struct options *o);

#endif
