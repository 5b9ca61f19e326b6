/* Running the pipelines over all inputs. */
#ifndef BATCH_H
#define BATCH_H

#include "onepass.h"
#include "options.h"

struct batch {
    const struct options *options;
    const onepass_program *program;
    const char *const *inputs;
    size_t ninputs;
    char *const *argv;
    onepass_context *context;
};

/* Options that do not fit the pipeline, found before anything is opened: an exit status after a
 * message, or 0. */
int batch_check(const struct batch *b);

/* Reduces and reports; the exit status, after messages. */
int batch_run(const struct batch *b);

/* Prints the plan instead. */
int batch_explain(const struct batch *b);

/* The library's view of an input as the options describe it. */
onepass_input batch_input(const struct options *o, const char *name);
/* Of n of them: the caller's, to be freed by free(); NULL when memory runs out. */
onepass_input *batch_inputs(const struct options *o, const char *const *names, size_t n);

/* The error of a run said on standard error; its exit status. */
int batch_error(const char *name, const onepass_error *err);

#endif
