/* Where a run computes if nobody said it: by an estimate of the time it takes. */
#ifndef CHOICE_H
#define CHOICE_H

#include "run.h"

struct choice {
    int gpu;                         /* on the context's GPUs, which are open then */
    int estimated;                   /* the seconds below say why */
    double cpu_seconds, gpu_seconds; /* gpu_seconds 0: there is no GPU, or it is of no use */
};

/* For an opened run.  Opens the driver if a GPU may be worth it and is not open yet. */
void choice_make(struct onepass_context *ctx, const struct run *run, struct choice *out);

#endif
