/* The CPU's block evaluator: loads a block of an extent, evaluates every node of the program over it in
 * registers that stay in cache, and hands the results to the accumulators. */
#include "evaluator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "block_integers.h"
#include "compact.h"
#include "error.h"
#include "maps.h"
#include "registers.h"

#define REGISTER_ALIGN 64

/* How a program runs over one kind of layout: groups of accumulators whose value is the input, or its
 * magnitude, take contiguous elements as they are stored; nodes that only they want are not run. */
struct layout_plan {
    uint8_t *as_stored; /* by group */
    uint8_t *run;       /* by node */
    int runs_nodes;     /* some */
    int indexes_dense;  /* some group wants indices of lanes that passed a mask */
};

struct evaluator {
    const struct program *program; /* what the state belongs to */
    struct program *p;             /* what is evaluated: the same, compacted */
    const struct kernels *kernels;
    struct state *state;
    struct layout_plan plans[2];     /* by whether elements can be taken as they are stored */
    size_t *npassed;                 /* by mask's node: lanes that pass it in this block */
    struct operand *regs[NSTORAGES]; /* by storage and register number */
    unsigned char *memory;           /* of all registers */
    uint64_t *index;                 /* of the block's lanes, where they do not count up */
    uint64_t *dense_index;           /* of those that pass a mask, */
    int32_t dense_of;                /* this one; -1: none in this block yet */
};

static void point_register(struct operand *r, enum storage storage, unsigned char *at) {
    memset(r, 0, sizeof *r);
    if (storage == STORE_F64) r->f64 = (double *)at;
    if (storage == STORE_WIDE) r->mag = (uint64_t *)at, r->neg = at + MAX_BLOCK * sizeof(uint64_t);
    if (storage == STORE_MASK) r->mask = at;
}

static int allocate_registers(struct evaluator *ev) {
    const struct program *p = ev->p;
    size_t nbytes = 0, nregs = 0;
    for (int s = 0; s < NSTORAGES; s++) {
        nbytes += (size_t)p->nregs[s] * lane_bytes[s] * MAX_BLOCK;
        nregs += (size_t)p->nregs[s];
    }
    struct operand *regs = calloc(nregs + 1, sizeof *regs);
    ev->regs[0] = regs;
    ev->memory = aligned_alloc(REGISTER_ALIGN, nbytes + MAX_BLOCK);
    ev->index = malloc(2 * MAX_BLOCK * sizeof *ev->index);
    ev->npassed = calloc(p->nnodes + 1, sizeof *ev->npassed);
    if (regs == NULL || ev->memory == NULL || ev->index == NULL || ev->npassed == NULL)
        return ONEPASS_NO_MEMORY;
    ev->dense_index = ev->index + MAX_BLOCK;
    unsigned char *at = ev->memory;
    for (int s = 0; s < NSTORAGES; s++) {
        ev->regs[s] = regs;
        for (int32_t k = 0; k < p->nregs[s]; k++, at += lane_bytes[s] * MAX_BLOCK)
            point_register(regs++, (enum storage)s, at);
    }
    return 0;
}

static const struct operand *register_of(const struct evaluator *ev, int32_t node) {
    const struct node *n = &ev->p->nodes[node];
    return &ev->regs[n->storage][n->reg];
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* The input itself, or its magnitude, in binary64 and of all elements. */
static int can_be_stored(const struct program *p, const struct acc_group *g) {
    if (g->value < 0 || g->mask >= 0 || g->dense >= 0 || p->nodes[0].storage != STORE_F64) return 0;
    const struct node *value = &p->nodes[g->value];
    return g->value == 0 || (value->kind == OP_ABS && value->arg[0] == 0);
}

static int wants_index(const struct program *p, const struct acc_group *g) {
    return g->acc[ACC_ARGMIN] >= 0 || g->acc[ACC_ARGMAX] >= 0 || g->acc[ACC_FIRST] >= 0 ||
           g->acc[ACC_LAST] >= 0 || (g->acc[ACC_NAN] >= 0 && p->accs[g->acc[ACC_NAN]].keep_index);
}

static int is_run(const struct node *n) {
    return n->kind != NODE_INPUT && n->kind != NODE_CONSTANT;
}

static int plan_make(const struct program *p, int contiguous, struct layout_plan *plan) {
    plan->as_stored = calloc(p->ngroups + 1, 1);
    plan->run = calloc(p->nnodes + 1, 1);
    if (plan->as_stored == NULL || plan->run == NULL) return ONEPASS_NO_MEMORY;
    for (size_t k = 0; k < p->ngroups; k++) {
        const struct acc_group *g = &p->groups[k];
        plan->as_stored[k] = contiguous && can_be_stored(p, g);
        if (g->value >= 0 && !plan->as_stored[k]) plan->run[g->value] = 1;
        if (g->mask >= 0) plan->run[g->mask] = 1;
        if (g->dense >= 0) plan->run[g->dense] = 1, plan->indexes_dense |= wants_index(p, g);
    }
    for (size_t k = p->nnodes; k-- > 0;)
        for (int i = 0; plan->run[k] && i < 3; i++)
            if (p->nodes[k].arg[i] >= 0) plan->run[p->nodes[k].arg[i]] = 1;
    for (size_t k = 0; k < p->nnodes; k++)
        plan->runs_nodes |= plan->run[k];
    return 0;
}

int evaluator_create(const struct program *p, const struct kernels *kernels, struct evaluator **out,
                     onepass_error *err) {
    struct evaluator *ev = calloc(1, sizeof *ev);
    if (ev == NULL) return error_no_memory(err);
    ev->program = p;
    ev->kernels = kernels;
    int rc = program_compact(p, &ev->p);
    if (rc == 0) rc = allocate_registers(ev);
    if (rc == 0) rc = plan_make(ev->p, 0, &ev->plans[0]);
    if (rc == 0) rc = plan_make(ev->p, 1, &ev->plans[1]);
    rc = rc != 0 ? error_no_memory(err) : state_create(p, kernels, &ev->state, err);
    if (rc != 0) {
        evaluator_free(ev);
        return rc;
    }
    for (size_t k = 0; k < ev->p->nnodes; k++)
        if (ev->p->nodes[k].kind == NODE_CONSTANT)
            map_fill(register_of(ev, (int32_t)k), MAX_BLOCK, &ev->p->nodes[k].value);
    *out = ev;
    return 0;
}

void evaluator_free(struct evaluator *ev) {
    if (ev == NULL) return;
    state_free(ev->state);
    for (int k = 0; k < 2; k++) {
        free(ev->plans[k].as_stored);
        free(ev->plans[k].run);
    }
    program_free(ev->p);
    free(ev->regs[0]);
    free(ev->memory);
    free(ev->index);
    free(ev->npassed);
    free(ev);
}

struct state *evaluator_state(struct evaluator *ev) {
    return ev->state;
}

/* ---- one block ------------------------------------------------------------------------------- */

static void load_input(struct evaluator *ev, const struct layout *layout, const unsigned char *bytes,
                       size_t n) {
    const struct operand *input = register_of(ev, 0);
    const struct load_kernels *loads = ev->kernels->loads;
    if (input->mag != NULL)
        loads->wide[layout->dtype](layout->swap, bytes, layout->stride_bytes, n, input->mag,
                                   input->neg);
    else
        loads->f64[layout->dtype](layout->swap, bytes, layout->stride_bytes, n, input->f64);
}

static void compact(const struct evaluator *ev, const struct operand *from, const uint8_t *mask,
                    size_t n, const struct operand *to) {
    const struct compact_kernels *k = ev->kernels->compact;
    if (from->mag == NULL) {
        k->of8(n, mask, from->f64, to->f64);
    } else {
        k->of8(n, mask, from->mag, to->mag);
        k->of1(n, mask, from->neg, to->neg);
    }
}

static void evaluate_node(struct evaluator *ev, size_t k, size_t n) {
    static const struct operand nothing;
    const struct node *node = &ev->p->nodes[k];
    const struct operand *out = register_of(ev, (int32_t)k);
    struct operand arg[3];
    for (int i = 0; i < 3; i++)
        arg[i] = node->arg[i] >= 0 ? *register_of(ev, node->arg[i]) : nothing;
    if (node->kind == NODE_COMPACT) {
        compact(ev, &arg[0], arg[1].mask, n, out);
        return;
    }
    size_t lanes = node->dense < 0 ? n : ev->npassed[node->dense];
    ev->state->rounded |= map_node(ev->kernels->maps, node, lanes, arg, out);
    if (node->kind == NODE_MASK) ev->npassed[k] = ev->kernels->integers->count_mask(out->mask, n);
}

static void evaluate(struct evaluator *ev, const struct layout_plan *plan, size_t n) {
    for (size_t k = 0; k < ev->p->nnodes; k++)
        if (plan->run[k] && is_run(&ev->p->nodes[k])) evaluate_node(ev, k, n);
}

/* 64-bit integers among floating point inputs are rounded by the loader: 2^53 may have been more. */
static void notice_rounded_loads(struct evaluator *ev, const struct layout *layout, size_t n) {
    const struct operand *input = register_of(ev, 0);
    if (dtype_table[layout->dtype].class != CLASS_WIDE || input->mag != NULL) return;
    for (size_t i = 0; i < n; i++)
        ev->state->rounded |= fabs(input->f64[i]) >= (double)MAP_EXACT_LIMIT;
}

static struct block block_of(const struct evaluator *ev, const struct acc_group *g, size_t n) {
    struct block b = {.n = g->dense < 0 ? n : ev->npassed[g->dense]};
    if (g->value >= 0) {
        const struct operand *v = register_of(ev, g->value);
        b.type = ev->p->nodes[g->value].type, b.storage = ev->p->nodes[g->value].storage;
        b.f64 = v->f64, b.mag = v->mag, b.neg = v->neg;
    }
    if (g->mask >= 0) b.mask = register_of(ev, g->mask)->mask;
    return b;
}

static struct block stored_block(const struct evaluator *ev, const struct acc_group *g,
                                 const struct layout *layout, const unsigned char *bytes, size_t n) {
    return (struct block){.n = n,
                          .type = ev->p->nodes[g->value].type,
                          .storage = STORE_F64,
                          .stored = bytes,
                          .dtype = layout->dtype,
                          .swap = (uint8_t)layout->swap,
                          .magnitude = g->value != 0};
}

/* ---- extents --------------------------------------------------------------------------------- */

/* Elements as they are stored can be taken so if they are contiguous and exact in a binary64. */
static const struct layout_plan *plan_for(const struct evaluator *ev, const struct layout *layout) {
    const struct dtype_info *type = &dtype_table[layout->dtype];
    return &ev->plans[layout->stride_bytes == type->itemsize && type->class != CLASS_WIDE];
}

/* Lanes that were brought side by side have indices of their own, which groups of one mask share. */
static const uint64_t *dense_indices(struct evaluator *ev, const struct acc_group *g, size_t n) {
    const uint8_t *mask = register_of(ev, g->dense)->mask;
    if (ev->dense_of != g->dense) ev->kernels->compact->of8(n, mask, ev->index, ev->dense_index);
    ev->dense_of = g->dense;
    return ev->dense_index;
}

/* `first`: storage-order number of the block's first element. */
static void one_block(struct evaluator *ev, const struct extent *e, const struct layout_plan *plan,
                      const unsigned char *bytes, uint64_t first, size_t n) {
    int scattered = e->place->fortran && ev->p->needs_index;
    if (plan->runs_nodes) {
        if (e->fetch == FETCH_CONSTANT)
            map_fill(register_of(ev, 0), n, &e->constant);
        else
            load_input(ev, &e->layout, bytes, n);
        notice_rounded_loads(ev, &e->layout, n);
        evaluate(ev, plan, n);
    }
    if (scattered || plan->indexes_dense) place_indices(e->place, first, n, ev->index);
    ev->dense_of = -1;
    for (size_t k = 0; k < ev->p->ngroups; k++) {
        const struct acc_group *g = &ev->p->groups[k];
        struct block b =
            plan->as_stored[k] ? stored_block(ev, g, &e->layout, bytes, n) : block_of(ev, g, n);
        if (b.n == 0) continue;
        b.index0 = e->place->base + first;
        b.index = scattered ? ev->index : NULL;
        b.counts_up = !scattered;
        if (g->dense >= 0 && wants_index(ev->p, g)) b.index = dense_indices(ev, g, n);
        state_add(ev->state, &ev->program->groups[k], &b);
    }
}

/* Inexact accumulators take the elements of a constant extent one by one. */
static void filled_extent(struct evaluator *ev, const struct extent *e) {
    for (uint64_t at = 0; at < e->nelems; at += MAX_BLOCK) {
        size_t n = e->nelems - at < MAX_BLOCK ? (size_t)(e->nelems - at) : MAX_BLOCK;
        one_block(ev, e, &ev->plans[0], NULL, e->first + at, n);
    }
}

static void stored_extent(struct evaluator *ev, const struct extent *e, const unsigned char *bytes) {
    const struct layout_plan *plan = plan_for(ev, &e->layout);
    size_t step = plan->runs_nodes || e->place->fortran ? MAX_BLOCK : MAX_STORED;
    for (uint64_t at = 0; at < e->nelems; at += step) {
        size_t n = e->nelems - at < step ? (size_t)(e->nelems - at) : step;
        one_block(ev, e, plan, bytes + at * e->layout.stride_bytes, e->first + at, n);
    }
}

/* One lane stands for all.  Its elements are consecutive in C order. */
static void constant_extent(struct evaluator *ev, const struct extent *e) {
    const struct operand *input = register_of(ev, 0);
    map_fill(input, 1, &e->constant);
    if (input->mag == NULL && e->constant.type == TYPE_INT)
        ev->state->rounded |= e->constant.mag > MAP_EXACT_LIMIT;
    evaluate(ev, &ev->plans[0], 1);
    for (size_t k = 0; k < ev->p->ngroups; k++) {
        const struct acc_group *g = &ev->p->groups[k];
        struct block b = block_of(ev, g, 1);
        struct scalar value = {0};
        if (b.n == 0 || (b.mask != NULL && !b.mask[0])) continue;
        if (g->value >= 0) value = map_lane(register_of(ev, g->value), b.type, 0);
        for (int kind = 0; kind < NACCUMULATORS; kind++)
            if (g->acc[kind] >= 0)
                state_add_repeated(&ev->state->acc[g->acc[kind]], &ev->program->accs[g->acc[kind]],
                                   &value, e->nelems, e->place->base + e->first);
    }
}

void evaluator_extent(struct evaluator *ev, const struct extent *e, const unsigned char *bytes) {
    if (e->fetch == FETCH_CONSTANT && ev->program->inexact)
        filled_extent(ev, e);
    else if (e->fetch == FETCH_CONSTANT)
        constant_extent(ev, e);
    else
        stored_extent(ev, e, bytes);
    ev->state->nelems += e->nelems;
}
