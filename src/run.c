/* onepass_run: open the inputs, lower the program for them, let the engine read, finish. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "fp_guard.h"
#include "result.h"
#include "seconds.h"

int run_open(struct run *run, const struct onepass_context *ctx, const onepass_program *program,
             const onepass_input *inputs, size_t ninputs, const onepass_options *options,
             onepass_error *err) {
    memset(run, 0, sizeof *run);
    run->ctx = ctx;
    run->same_dtype = 1;
    run->class = CLASS_NARROW;
    if (ninputs == 0) return error_set(err, ONEPASS_BAD_ARGUMENT, "no input");
    if (options != NULL && options->size < sizeof *options)
        return error_set(err, ONEPASS_BAD_ARGUMENT,
                         "the options were not begun as ONEPASS_OPTIONS_INIT");
    run->sources = calloc(ninputs, sizeof *run->sources);
    if (run->sources == NULL) return error_no_memory(err);
    int rc = 0;
    for (size_t k = 0; rc == 0 && k < ninputs; k++) {
        rc = source_open(&inputs[k], &ctx->cancel, &run->sources[k], err);
        if (rc != 0) {
            error_part(err, k);
            break;
        }
        run->nsources++;
        enum dtype type = run->sources[k]->dtype;
        run->same_dtype &= type == run->sources[0]->dtype;
        run->class = class_join(run->class, dtype_table[type].class);
    }
    if (rc == 0)
        rc = program_lower(program, run->class, options != NULL && options->skip_nan, &run->program,
                           err);
    if (rc != 0) run_close(run);
    return rc;
}

void run_close(struct run *run) {
    for (size_t k = 0; k < run->nsources; k++)
        source_close(run->sources[k]);
    free(run->sources);
    program_free(run->program);
    memset(run, 0, sizeof *run);
}

const char *run_dtype_name(const struct run *run) {
    return run->same_dtype ? dtype_table[run->sources[0]->dtype].name : "mixed";
}

static int run_once(onepass_context *ctx, const onepass_program *program, const onepass_input *inputs,
                    size_t ninputs, const onepass_options *options, onepass_result **out,
                    onepass_error *err) {
    struct run run;
    struct state *state = NULL;
    struct engine_report report = {0};
    double start = seconds_now();
    int rc = run_open(&run, ctx, program, inputs, ninputs, options, err);
    if (rc != 0) return rc;
    rc = state_create(run.program, ctx->kernels, &state, err);
    if (rc == 0) rc = engine_run(ctx, run.sources, run.nsources, run.program, state, &report, err);
    if (rc == 0) rc = result_make(&run, state, out, err);
    if (rc == 0) {
        (*out)->threads = report.workers;
        (*out)->isa = ctx->kernels->name;
        (*out)->reader = reader_ways_name(report.ways);
        memcpy((*out)->levels, state->levels, sizeof(*out)->levels);
        (*out)->stored_bytes = report.stored_bytes;
        (*out)->seconds = seconds_now() - start;
    }
    state_free(state);
    run_close(&run);
    return rc;
}

int onepass_run(onepass_context *ctx, const onepass_program *program, const onepass_input *inputs,
                size_t ninputs, const onepass_options *options, onepass_result **out,
                onepass_error *err) {
    fenv_t host;
    int rc = fp_guard_enter(&host, err);
    if (rc != 0) return rc;
    rc = run_once(ctx, program, inputs, ninputs, options, out, err);
    fp_guard_leave(&host);
    return rc;
}
