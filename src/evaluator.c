/* The CPU's block evaluator: loads a block of an extent, evaluates every node of the program over it in
 * registers that stay in cache, and hands the results to the accumulators. */
#include "evaluator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "maps.h"

#define REGISTER_ALIGN 64

static const size_t lane_bytes[NSTORAGES] = {sizeof(double), sizeof(uint64_t) + 1, 1};

struct evaluator {
    const struct program *p;
    struct state *state;
    struct operand *regs[NSTORAGES]; /* by storage and register number */
    unsigned char *memory;           /* of all registers */
    uint64_t *index;                 /* of the block's lanes, where they do not count up */
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
    ev->index = malloc(MAX_BLOCK * sizeof *ev->index);
    if (regs == NULL || ev->memory == NULL || ev->index == NULL) return ONEPASS_NO_MEMORY;
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

int evaluator_create(const struct program *p, struct evaluator **out, onepass_error *err) {
    struct evaluator *ev = calloc(1, sizeof *ev);
    if (ev == NULL) return error_no_memory(err);
    ev->p = p;
    int rc = allocate_registers(ev) != 0 ? error_no_memory(err) : state_create(p, &ev->state, err);
    if (rc != 0) {
        evaluator_free(ev);
        return rc;
    }
    for (size_t k = 0; k < p->nnodes; k++)
        if (p->nodes[k].kind == NODE_CONSTANT)
            map_fill(register_of(ev, (int32_t)k), MAX_BLOCK, &p->nodes[k].value);
    *out = ev;
    return 0;
}

void evaluator_free(struct evaluator *ev) {
    if (ev == NULL) return;
    state_free(ev->state);
    free(ev->regs[0]);
    free(ev->memory);
    free(ev->index);
    free(ev);
}

struct state *evaluator_state(struct evaluator *ev) {
    return ev->state;
}

/* ---- one block ------------------------------------------------------------------------------- */

static void load_input(struct evaluator *ev, const struct layout *layout, const unsigned char *bytes,
                       size_t n) {
    const struct operand *input = register_of(ev, 0);
    if (input->mag != NULL)
        dtype_load_wide(layout->dtype, layout->swap, bytes, layout->stride_bytes, n, input->mag,
                        input->neg);
    else
        dtype_load(layout->dtype, layout->swap, bytes, layout->stride_bytes, n, input->f64);
}

static void evaluate(struct evaluator *ev, size_t n) {
    const struct program *p = ev->p;
    static const struct operand nothing;
    for (size_t k = 0; k < p->nnodes; k++) {
        const struct node *node = &p->nodes[k];
        if (node->kind == NODE_INPUT || node->kind == NODE_CONSTANT) continue;
        struct operand arg[3];
        for (int i = 0; i < 3; i++)
            arg[i] = node->arg[i] >= 0 ? *register_of(ev, node->arg[i]) : nothing;
        ev->state->rounded |= map_node(node, n, arg, register_of(ev, (int32_t)k));
    }
}

/* 64-bit integers among floating point inputs are rounded by the loader: 2^53 may have been more. */
static void notice_rounded_loads(struct evaluator *ev, const struct layout *layout, size_t n) {
    const struct operand *input = register_of(ev, 0);
    if (dtype_table[layout->dtype].class != CLASS_WIDE || input->mag != NULL) return;
    for (size_t i = 0; i < n; i++)
        ev->state->rounded |= fabs(input->f64[i]) >= (double)MAP_EXACT_LIMIT;
}

static struct block block_of(const struct evaluator *ev, const struct accumulator *a, size_t n) {
    struct block b = {.n = n};
    if (a->value >= 0) {
        const struct operand *v = register_of(ev, a->value);
        b.type = ev->p->nodes[a->value].type, b.storage = ev->p->nodes[a->value].storage;
        b.f64 = v->f64, b.mag = v->mag, b.neg = v->neg;
    }
    if (a->mask >= 0) b.mask = register_of(ev, a->mask)->mask;
    return b;
}

/* `first`: storage-order number of the block's first element. */
static void accumulate(struct evaluator *ev, const struct place *place, uint64_t first, size_t n) {
    int scattered = place->fortran && ev->p->needs_index;
    if (scattered) place_indices(place, first, n, ev->index);
    for (size_t k = 0; k < ev->p->naccs; k++) {
        struct block b = block_of(ev, &ev->p->accs[k], n);
        b.index0 = place->base + first;
        b.index = scattered ? ev->index : NULL;
        state_add(&ev->state->acc[k], &ev->p->accs[k], &b);
    }
}

/* ---- extents --------------------------------------------------------------------------------- */

static void stored_extent(struct evaluator *ev, const struct extent *e, const unsigned char *bytes) {
    for (uint64_t at = 0; at < e->nelems; at += MAX_BLOCK) {
        size_t n = e->nelems - at < MAX_BLOCK ? (size_t)(e->nelems - at) : MAX_BLOCK;
        load_input(ev, &e->layout, bytes + at * e->layout.stride_bytes, n);
        notice_rounded_loads(ev, &e->layout, n);
        evaluate(ev, n);
        accumulate(ev, e->place, e->first + at, n);
    }
}

/* One lane stands for all.  Its elements are consecutive in C order. */
static void constant_extent(struct evaluator *ev, const struct extent *e) {
    map_fill(register_of(ev, 0), 1, &e->constant);
    evaluate(ev, 1);
    for (size_t k = 0; k < ev->p->naccs; k++) {
        const struct accumulator *a = &ev->p->accs[k];
        struct scalar value = {0};
        if (a->mask >= 0 && !register_of(ev, a->mask)->mask[0]) continue;
        if (a->value >= 0) value = map_lane(register_of(ev, a->value), ev->p->nodes[a->value].type, 0);
        state_add_repeated(&ev->state->acc[k], a, &value, e->nelems, e->place->base + e->first);
    }
}

void evaluator_extent(struct evaluator *ev, const struct extent *e, const unsigned char *bytes) {
    if (e->fetch == FETCH_CONSTANT)
        constant_extent(ev, e);
    else
        stored_extent(ev, e, bytes);
    ev->state->nelems += e->nelems;
}
