/* Where a run computes if nobody said it: by an estimate of the time it takes. */
#ifndef CHOICE_H
#define CHOICE_H

#include "run.h"

enum choice_reason {
    CHOICE_ASKED,   /* the caller said it */
    CHOICE_STREAM,  /* an input's length is not known: the CPU */
    CHOICE_SMALL,   /* the CPU takes less than least_seconds, so that no GPU was looked for */
    CHOICE_ESTIMATE /* of cpu_seconds and gpu_seconds */
};

struct choice {
    int gpu; /* on the context's GPUs, which are open then */
    enum choice_reason reason;
    double least_seconds;
    double cpu_seconds, gpu_seconds; /* gpu_seconds 0: there is no GPU, or it is of no use */
};

/* For an opened run.  Opens the driver if a GPU may be worth it and is not open yet. */
void choice_make(struct onepass_context *ctx, const struct run *run, struct choice *out);

#endif
