/* onepass_run: open the inputs, lower the program for them, let the engine read, finish. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choice.h"
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

/* ---- where it is computed ------------------------------------------------------------------------ */

struct computing {
    struct backend_cpu cpu;
    struct backend_cuda *cuda; /* NULL: the CPU computes */
};

void run_name_gpus(const struct gpus *g, char *out, size_t capacity) {
    size_t used = 0;
    for (size_t k = 0; k < g->n && used < capacity; k++) {
        int n = snprintf(out + used, capacity - used, "%s%d", k ? "," : "cuda:", g->gpu[k].info.number);
        used += n > 0 ? (size_t)n : 0;
    }
}

static void describe_cpu(struct run *run) {
    snprintf(run->device, sizeof run->device, "cpu");
    snprintf(run->isa, sizeof run->isa, "%s", run->ctx->kernels->name);
}

static void describe_gpus(struct run *run) {
    const struct gpus *g = run->ctx->gpus;
    run_name_gpus(g, run->device, sizeof run->device);
    snprintf(run->isa, sizeof run->isa, "sm_%d%d", g->gpu[0].info.major, g->gpu[0].info.minor);
}

/* A GPU that nobody asked for by name and that cannot compute this is done without. */
static int begin_cuda(struct onepass_context *ctx, struct run *run, struct computing *c,
                      onepass_error *err) {
    onepass_error why = ONEPASS_ERROR_INIT;
    struct backend_cuda_config config = {.gpus = ctx->gpus,
                                         .program = run->program,
                                         .kernels = ctx->kernels,
                                         .sources = run->sources,
                                         .nsources = run->nsources,
                                         .sum = ctx->gpu_sum};
    gpus_trim(ctx->gpus);
    int rc = backend_cuda_create(&config, &c->cuda, &why);
    if (rc == 0) {
        describe_gpus(run);
        return 0;
    }
    if (rc != ONEPASS_NO_DEVICE || ctx->wish.kind == DEVICE_CUDA) return error_copy(err, &why);
    snprintf(run->notes[run->nnotes++], sizeof run->notes[0],
             "computed on the CPU, a GPU was not usable: %.190s", why.message);
    return 0;
}

static int begin(struct onepass_context *ctx, struct run *run, struct computing *c,
                 onepass_error *err) {
    struct choice choice;
    choice_make(ctx, run, &choice);
    backend_cpu_init(&c->cpu, run->program, ctx->kernels);
    describe_cpu(run);
    return choice.gpu ? begin_cuda(ctx, run, c, err) : 0;
}

/* What is worth a note about how it went. */
static void note_pinning(struct run *run, struct gpus *g) {
    if (g->refused_bytes == 0) return;
    snprintf(run->notes[run->nnotes++], sizeof run->notes[0],
             "%llu bytes of buffers could not be pinned: copies to the GPU were slower",
             (unsigned long long)g->refused_bytes);
    g->refused_bytes = 0;
}

static int compute(struct onepass_context *ctx, struct run *run, struct state *state,
                   struct engine_report *report, onepass_error *err) {
    struct computing c = {.cuda = NULL};
    int rc = begin(ctx, run, &c, err);
    if (rc != 0) return rc;
    const struct backend *backend = c.cuda != NULL ? backend_cuda_base(c.cuda) : &c.cpu.base;
    rc = engine_run(ctx, run->sources, run->nsources, backend, state, report, err);
    if (c.cuda != NULL) {
        run->jit = jit_step_name(backend_cuda_step(c.cuda));
        note_pinning(run, ctx->gpus);
    }
    backend_cuda_free(c.cuda);
    return rc;
}

static int run_once(onepass_context *ctx, const onepass_program *program, const onepass_input *inputs,
                    size_t ninputs, const onepass_options *options, onepass_result **out,
                    onepass_error *err) {
    struct run run;
    struct state *state = NULL;
    struct engine_report report = {0};
    double start = seconds_now();
    if (ctx->wish.kind == DEVICE_CUDA) gpus_start(ctx->gpus); /* while inputs are opened */
    int rc = run_open(&run, ctx, program, inputs, ninputs, options, err);
    if (rc != 0) return rc;
    rc = state_create(run.program, ctx->kernels, &state, err);
    if (rc == 0) rc = compute(ctx, &run, state, &report, err);
    if (rc == 0) rc = result_make(&run, state, out, err);
    if (rc == 0) {
        (*out)->threads = report.workers;
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
