/* The kernels under test: those that ONEPASS_CPU names, else the best of this CPU. */
#ifndef ISA_H
#define ISA_H

#include <stdio.h>
#include <stdlib.h>

#include "kernels.h"

static inline const struct kernels *test_kernels(void) {
    const struct kernels *kernels;
    onepass_error err = ONEPASS_ERROR_INIT;
    if (kernels_find(getenv("ONEPASS_CPU"), &kernels, &err) == 0) return kernels;
    fprintf(stderr, "%s\n", err.message);
    exit(3);
}

#endif
