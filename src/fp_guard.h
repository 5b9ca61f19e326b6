/* The floating-point environment of whoever calls the library may round upwards, or flush subnormals
 * (a host built with -ffast-math).  Public functions that compute do so in the default environment,
 * which workers inherit from the thread that creates them, and give the host's back. */
#ifndef FP_GUARD_H
#define FP_GUARD_H

#include <fenv.h>

#include "error.h"

static inline int fp_guard_enter(fenv_t *host, onepass_error *err) {
    if (fegetenv(host) == 0 && fesetenv(FE_DFL_ENV) == 0) return 0;
    return error_set(err, ONEPASS_INTERNAL, "the floating-point environment cannot be set");
}

static inline void fp_guard_leave(const fenv_t *host) {
    fesetenv(host);
}

#endif
