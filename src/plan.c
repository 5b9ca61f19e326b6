/* onepass_explain: the plan of a run as text.  Reads metadata only. */
#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "error.h"
#include "fp_guard.h"
#include "number.h"
#include "run.h"
#include "text.h"

#define MOST_INPUTS_SHOWN 8

static const char *const accumulator_names[NACCUMULATORS] = {
    [ACC_COUNT] = "count",     [ACC_NAN] = "nan",     [ACC_POSINF] = "posinf", [ACC_NEGINF] = "neginf",
    [ACC_NONZERO] = "nonzero", [ACC_S1] = "sum",      [ACC_S2] = "sumsq",      [ACC_SABS] = "sumabs",
    [ACC_LOG] = "sumlog2",     [ACC_MIN] = "min",     [ACC_MAX] = "max",       [ACC_ARGMIN] = "argmin",
    [ACC_ARGMAX] = "argmax",   [ACC_FIRST] = "first", [ACC_LAST] = "last",
};

static const char *const class_names[] = {
    [CLASS_F64] = "binary64",
    [CLASS_NARROW] = "integer, exact in binary64",
    [CLASS_WIDE] = "integer, sign and 64-bit magnitude",
};

/* ---- inputs ---------------------------------------------------------------------------------- */

static void add_shape(struct text *t, const struct source *s) {
    if (!s->nelems_known) {
        text_add(t, "[to the end of the stream]");
        return;
    }
    text_add(t, "[");
    for (int k = 0; k < s->place.ndim; k++)
        text_add(t, "%s%llu", k ? ", " : "", (unsigned long long)s->place.shape[k]);
    text_add(t, "]%s", s->place.fortran ? " in Fortran order" : "");
}

static void add_input(struct text *t, const struct source *s, const char *path) {
    text_add(t, "input     %s: %s, %s %s-endian, shape ", path, s->ops->name,
             dtype_table[s->dtype].name, s->big_endian ? "big" : "little");
    add_shape(t, s);
    if (s->total_bytes != UINT64_MAX)
        text_add(t, ", %llu bytes to read", (unsigned long long)s->total_bytes);
    text_add(t, "\n");
}

static void add_inputs(struct text *t, const struct run *run, const onepass_input *inputs) {
    for (size_t k = 0; k < run->nsources && k < MOST_INPUTS_SHOWN; k++)
        add_input(t, run->sources[k], inputs[k].path);
    if (run->nsources > MOST_INPUTS_SHOWN)
        text_add(t, "          and %zu more\n", run->nsources - MOST_INPUTS_SHOWN);
    if (run->nsources > 1) text_add(t, "          concatenated in this order\n");
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void add_scalar(struct text *t, const struct scalar *v) {
    char number[NUMBER_TEXT];
    if (v->type == TYPE_INT) {
        text_add(t, "%s%llu", v->neg ? "-" : "", (unsigned long long)v->mag);
        return;
    }
    number_format(v->f, FLOAT_F64, number);
    text_add(t, "%s", number);
}

static void add_node_text(struct text *t, const struct program *p, size_t k) {
    const struct node *node = &p->nodes[k];
    text_add(t, "  %%%zu = ", k);
    switch (node->kind) {
    case NODE_INPUT:
        text_add(t, "load");
        break;
    case NODE_CONSTANT:
        add_scalar(t, &node->value);
        break;
    case NODE_TO_F64:
    case NODE_TO_TRUTH:
        text_add(t, "to_binary64 %%%d", (int)node->arg[0]);
        break;
    case NODE_MASK:
        text_add(t, "keep where %%%d", (int)node->arg[1]);
        if (node->arg[0] >= 0) text_add(t, " and %%%d", (int)node->arg[0]);
        break;
    default:
        text_add(t, "%s", op_table[node->kind].name);
        for (int i = 0; i < op_table[node->kind].nargs; i++)
            text_add(t, " %%%d", (int)node->arg[i]);
    }
    const char *type = node->type == TYPE_F64 ? "binary64" : "integer";
    text_add(t, node->storage == STORE_MASK ? "  (mask)\n" : "  (%s)\n", type);
}

static void add_accumulator_text(struct text *t, const struct program *p, size_t k) {
    const struct accumulator *a = &p->accs[k];
    text_add(t, "  #%zu = %s", k, accumulator_names[a->kind]);
    if (a->value >= 0) text_add(t, " of %%%d", (int)a->value);
    if (a->mask >= 0) text_add(t, " where %%%d", (int)a->mask);
    text_add(t, "\n");
}

/* ---- results --------------------------------------------------------------------------------- */

static void add_results(struct text *t, const struct program *p) {
    size_t column = 0;
    for (size_t i = 0; i < p->ast->npipelines; i++) {
        for (size_t k = 0; k < p->pipelines[i].nreductions; k++, column++) {
            const struct lowered_reduction *r = &p->pipelines[i].reductions[k];
            text_add(t, "  %s from #%d", p->ast->columns[column], (int)p->pipelines[i].count);
            for (int kind = 0; kind < NACCUMULATORS; kind++)
                if (r->acc[kind] >= 0) text_add(t, " #%d", (int)r->acc[kind]);
            text_add(t, "\n");
        }
    }
}

/* ---- device ---------------------------------------------------------------------------------- */

/* Hundredths of seconds, without a locale's decimal point. */
static void add_seconds(struct text *t, double seconds) {
    uint64_t ms = (uint64_t)(seconds * 1e3 + 0.5);
    text_add(t, "%llu.%c%c s", (unsigned long long)(ms / 1000), (char)('0' + ms / 100 % 10),
             (char)('0' + ms / 10 % 10));
}

static void add_estimate(struct text *t, const struct run *run, const struct choice *choice) {
    text_add(t, "by an estimate: about ");
    add_seconds(t, choice->cpu_seconds);
    text_add(t, " on the CPU");
    if (choice->gpu_seconds > 0) {
        text_add(t, ", ");
        add_seconds(t, choice->gpu_seconds);
        text_add(t, " on the GPU");
    } else {
        text_add(t, "; no GPU can be used: %s", run->ctx->gpus_error.message);
    }
}

/* Why it is computed there. */
static void add_reason(struct text *t, const struct run *run, const struct choice *choice) {
    if (choice->reason == CHOICE_ASKED) return;
    text_add(t, "          ");
    if (choice->reason == CHOICE_STREAM)
        text_add(t, "the CPU reads streams: it is their writers that take the time");
    if (choice->reason == CHOICE_SMALL) {
        text_add(t, "by an estimate: less than ");
        add_seconds(t, choice->least_seconds);
        text_add(t, " on the CPU, for which no GPU is looked for");
    }
    if (choice->reason == CHOICE_ESTIMATE) add_estimate(t, run, choice);
    text_add(t, "\n");
}

static void add_device(struct text *t, const struct run *run, const struct choice *choice) {
    const struct onepass_context *ctx = run->ctx;
    struct backend_cpu cpu;
    char gpus[200];
    backend_cpu_init(&cpu, run->program, ctx->kernels);
    if (choice->gpu) {
        int most = BACKEND_CUDA_WORKERS * (int)ctx->gpus->n;
        if (ctx->threads < most) most = ctx->threads;
        run_name_gpus(ctx->gpus, gpus, sizeof gpus);
        text_add(t, "device    %s, %s, fed by up to %d thread%s\n", gpus, ctx->gpus->gpu[0].info.name,
                 most, most > 1 ? "s" : "");
    } else {
        text_add(t, "device    cpu, %s, up to %d thread%s, pieces of %llu bytes\n", ctx->kernels->name,
                 ctx->threads, ctx->threads > 1 ? "s" : "",
                 (unsigned long long)engine_piece_bytes(ctx, &cpu.base));
    }
    add_reason(t, run, choice);
    if (choice->gpu) text_add(t, "kernels   %s\n", jit_describe(ctx->gpus->jit));
}

static void add_plan(struct text *t, const struct run *run, const struct choice *choice,
                     const onepass_input *inputs) {
    const struct program *p = run->program;
    add_inputs(t, run, inputs);
    text_add(t, "elements  %s as %s\n", run_dtype_name(run), class_names[run->class]);
    text_add(t, "passes    1: every byte is read once, nothing is written\n");
    add_device(t, run, choice);
    for (size_t k = 0; k < p->ast->npipelines; k++)
        text_add(t, "pipeline  %s\n", p->ast->pipelines[k].text);
    text_add(t, "values\n");
    for (size_t k = 0; k < p->nnodes; k++)
        add_node_text(t, p, k);
    text_add(t, "accumulators\n");
    for (size_t k = 0; k < p->naccs; k++)
        add_accumulator_text(t, p, k);
    text_add(t, "results (NaN and infinities: #%d #%d #%d and their like)\n", (int)p->pipelines[0].nan,
             (int)p->pipelines[0].posinf, (int)p->pipelines[0].neginf);
    add_results(t, p);
}

int onepass_explain(onepass_context *ctx, const onepass_program *program, const onepass_input *inputs,
                    size_t ninputs, const onepass_options *options, char **out, onepass_error *err) {
    struct run run;
    struct choice choice;
    struct text t = {0};
    fenv_t host;
    int rc = fp_guard_enter(&host, err);
    if (rc != 0) return rc;
    rc = run_open(&run, ctx, program, inputs, ninputs, options, err);
    fp_guard_leave(&host);
    if (rc != 0) return rc;
    choice_make(ctx, &run, &choice);
    add_plan(&t, &run, &choice, inputs);
    run_close(&run);
    if (t.failed) {
        free(t.bytes);
        return error_no_memory(err);
    }
    *out = t.bytes;
    return 0;
}

int onepass_explain_cuda(onepass_context *ctx, const onepass_program *program,
                         const onepass_input *inputs, size_t ninputs, const onepass_options *options,
                         char **out, onepass_error *err) {
    struct run run;
    fenv_t host;
    int rc = fp_guard_enter(&host, err);
    if (rc != 0) return rc;
    rc = run_open(&run, ctx, program, inputs, ninputs, options, err);
    fp_guard_leave(&host);
    if (rc != 0) return rc;
    struct backend_cuda_config config = {.gpus = ctx->gpus,
                                         .program = run.program,
                                         .kernels = ctx->kernels,
                                         .sources = run.sources,
                                         .nsources = run.nsources,
                                         .sum = ctx->gpu_sum};
    rc = backend_cuda_texts(&config, out, err);
    run_close(&run);
    return rc;
}
