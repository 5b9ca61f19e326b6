/* Which passes the naive row takes, and what they cost. */
#include <stdlib.h>

#include "bench_naive_parts.h"
#include "error.h"
#include "registers.h"

static void add_step(struct naive_plan *plan, struct naive_step step) {
    plan->steps[plan->nsteps++] = step;
}

/* Nodes that some reduction wants, directly or by way of others. */
static void mark_nodes(const struct program *p, uint8_t *wanted) {
    for (size_t i = 0; i < p->ast->npipelines; i++) {
        const struct lowered_pipeline *pipeline = &p->pipelines[i];
        if (pipeline->mask >= 0) wanted[pipeline->mask] = 1;
        for (size_t j = 0; j < pipeline->nreductions; j++)
            wanted[inexact_value_node(p, pipeline, &pipeline->reductions[j])] = 1;
    }
    for (size_t k = p->nnodes; k-- > 0;)
        for (int i = 0; wanted[k] && i < 3; i++)
            if (p->nodes[k].arg[i] >= 0) wanted[p->nodes[k].arg[i]] = 1;
}

static void add_nodes(struct naive_plan *plan, const uint8_t *wanted) {
    for (size_t k = 0; k < plan->program->nnodes; k++) {
        int kind = plan->program->nodes[k].kind;
        if (!wanted[k] || kind == NODE_INPUT || kind == NODE_CONSTANT) continue;
        add_step(plan, (struct naive_step){.kind = STEP_NODE, .node = (int32_t)k});
    }
}

/* Values prepared in the spare array, and their sum. */
static void add_prepared(struct naive_plan *plan, struct naive_step step,
                         enum inexact_prepare prepare) {
    plan->uses_spare = 1;
    if (prepare == PREPARE_DEVIATIONS) {
        step.kind = STEP_REDUCE, step.rule.loops = 1u << INEXACT_SUM, step.fresh = 1;
        add_step(plan, step);
        step.kind = STEP_DEVIATIONS;
        add_step(plan, step);
        step.kind = STEP_SQUARE_SPARE;
        add_step(plan, step);
    } else {
        step.kind = prepare == PREPARE_LOGS ? STEP_LOGS : STEP_SQUARES;
        add_step(plan, step);
    }
    step.kind = STEP_REDUCE, step.rule.loops = 1u << INEXACT_SUM;
    step.fresh = 1, step.of_spare = 1;
    step.skip_nan_of_node = step.rule.skip_nan, step.rule.skip_nan = 0; /* not Inf - Inf */
    step.becomes = prepare == PREPARE_LOGS ? INEXACT_LOGS : INEXACT_SQUARES;
    add_step(plan, step);
}

/* One pass a statistic; those that only count take one where there is something to look at. */
static void add_statistics(struct naive_plan *plan, struct naive_step step,
                           const struct inexact_reduction *inexact) {
    step.kind = STEP_REDUCE, step.fresh = 1;
    for (int loop = 0; loop < NINEXACT_LOOPS; loop++) {
        if (!(inexact->loops >> loop & 1)) continue;
        step.rule.loops = 1u << loop;
        add_step(plan, step);
        step.fresh = 0;
    }
    step.rule.loops = 0, step.rule.kept = inexact->kept;
    if (step.fresh) add_step(plan, step);
}

static void add_reduction(struct naive_plan *plan, const struct lowered_pipeline *pipeline,
                          const struct lowered_reduction *r) {
    const struct program *p = plan->program;
    const struct inexact_reduction *inexact = inexact_reduction_of(r->info);
    struct naive_step step = {.node = inexact_value_node(p, pipeline, r),
                              .mask = pipeline->mask,
                              .reduction = plan->nreductions++};
    step.rule.skip_nan = p->skip_nan;
    step.rule.pairwise = 1;
    if (inexact->prepare != PREPARE_NOTHING)
        add_prepared(plan, step, inexact->prepare);
    else
        add_statistics(plan, step, inexact);
}

int naive_plan_create(const struct program *p, struct naive_plan **out, onepass_error *err) {
    size_t most = p->nnodes;
    for (size_t i = 0; i < p->ast->npipelines; i++)
        most += p->pipelines[i].nreductions * MAX_REDUCTION_STEPS;
    struct naive_plan *plan = calloc(1, sizeof *plan);
    uint8_t *wanted = calloc(p->nnodes + 1, 1);
    if (plan != NULL) plan->steps = calloc(most + 1, sizeof *plan->steps);
    if (plan == NULL || wanted == NULL || plan->steps == NULL) {
        free(wanted);
        naive_plan_free(plan);
        return error_no_memory(err);
    }
    plan->program = p;
    mark_nodes(p, wanted);
    add_nodes(plan, wanted);
    for (size_t i = 0; i < p->ast->npipelines; i++)
        for (size_t j = 0; j < p->pipelines[i].nreductions; j++)
            add_reduction(plan, &p->pipelines[i], &p->pipelines[i].reductions[j]);
    free(wanted);
    *out = plan;
    return 0;
}

void naive_plan_free(struct naive_plan *plan) {
    if (plan == NULL) return;
    free(plan->steps);
    free(plan);
}

/* ---- costs, in bytes an element -------------------------------------------------------------- */

static uint64_t node_bytes(const struct program *p, int32_t node, size_t itemsize) {
    if (node < 0 || p->nodes[node].kind == NODE_CONSTANT) return 0;
    return p->nodes[node].kind == NODE_INPUT ? itemsize : lane_bytes[p->nodes[node].storage];
}

static uint64_t argument_bytes(const struct program *p, const struct node *n, size_t itemsize) {
    uint64_t nbytes = node_bytes(p, n->arg[0], itemsize);
    if (n->arg[1] != n->arg[0]) nbytes += node_bytes(p, n->arg[1], itemsize);
    if (n->arg[2] != n->arg[0] && n->arg[2] != n->arg[1]) nbytes += node_bytes(p, n->arg[2], itemsize);
    return nbytes;
}

static uint64_t read_bytes(const struct naive_plan *plan, const struct naive_step *s, size_t itemsize) {
    const struct program *p = plan->program;
    if (s->kind == STEP_NODE) return argument_bytes(p, &p->nodes[s->node], itemsize);
    if (s->kind == STEP_SQUARE_SPARE) return sizeof(double);
    uint64_t value = node_bytes(p, s->node, itemsize);
    if (s->kind != STEP_REDUCE) return value;
    if (s->of_spare) value = sizeof(double) + (s->skip_nan_of_node ? value : 0);
    if (naive_step_counts(s)) value = 0;
    return value + node_bytes(p, s->mask, itemsize);
}

static uint64_t written_bytes(const struct naive_plan *plan, const struct naive_step *s) {
    if (s->kind == STEP_REDUCE) return 0;
    if (s->kind != STEP_NODE) return sizeof(double);
    return lane_bytes[plan->program->nodes[s->node].storage];
}

static uint64_t array_bytes(const struct naive_plan *plan, size_t itemsize) {
    uint64_t nbytes = itemsize + (plan->uses_spare ? sizeof(double) : 0);
    for (int s = 0; s < NSTORAGES; s++)
        for (int32_t reg = 0; reg < plan->program->nregs[s]; reg++)
            nbytes += naive_register_used(plan, s, reg) ? lane_bytes[s] : 0;
    return nbytes;
}

int naive_register_used(const struct naive_plan *plan, int storage, int32_t reg) {
    for (size_t k = 0; k < plan->nsteps; k++) {
        if (plan->steps[k].kind != STEP_NODE) continue;
        const struct node *n = &plan->program->nodes[plan->steps[k].node];
        if (n->storage == storage && n->reg == reg) return 1;
    }
    return 0;
}

static uint64_t times(uint64_t nbytes, uint64_t nelems) {
    uint64_t product;
    return __builtin_mul_overflow(nbytes, nelems, &product) ? UINT64_MAX : product;
}

struct naive_cost naive_plan_cost(const struct naive_plan *plan, uint64_t nelems, size_t itemsize) {
    uint64_t moved = 0, written = 0;
    struct naive_cost cost = {0};
    for (size_t k = 0; k < plan->nsteps; k++) {
        const struct naive_step *s = &plan->steps[k];
        written += written_bytes(plan, s);
        moved += written_bytes(plan, s) + read_bytes(plan, s, itemsize);
        cost.passes += written_bytes(plan, s) + read_bytes(plan, s, itemsize) > 0;
    }
    cost.memory_bytes = times(array_bytes(plan, itemsize), nelems);
    cost.intermediate_bytes = times(written, nelems);
    cost.moved_bytes = times(moved, nelems);
    return cost;
}
