/* The CPU's block evaluator: one worker's registers and state. */
#ifndef EVALUATOR_H
#define EVALUATOR_H

#include "program.h"
#include "source.h"
#include "state.h"

struct evaluator;

int evaluator_create(const struct program *p, const struct kernels *kernels, struct evaluator **out,
                     onepass_error *err);
void evaluator_free(struct evaluator *ev); /* accepts NULL */

/* Evaluate and accumulate an extent; bytes hold its stored elements (not used by FETCH_CONSTANT). */
void evaluator_extent(struct evaluator *ev, const struct extent *e, const unsigned char *bytes);

/* The worker's state, owned by the evaluator. */
struct state *evaluator_state(struct evaluator *ev);

#endif
