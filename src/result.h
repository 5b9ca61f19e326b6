/* From a run's merged state to the result that its caller gets. */
#ifndef RESULT_H
#define RESULT_H

#include "run.h"

/* Finishes `state` (which finishing normalises); seconds, stored_bytes and threads are the caller's to
 * fill.  *out is to be freed by onepass_result_free. */
int result_make(const struct run *run, struct state *state, onepass_result **out, onepass_error *err);

/* *x through the posts of a pipeline. */
int result_posts(const struct onepass_program *ast, const struct ast_pipeline *p, double *x,
                 onepass_error *err);

#endif
