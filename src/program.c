/* Lowering a parsed pipeline for one class of input: typed SSA with common subexpressions shared and
 * constants folded, and the deduplicated set of accumulators.  Parsing is parser.c,
 * evaluating evaluator.c. */
#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "growing.h"
#include "maps.h"
#include "registers.h"

struct lowering {
    struct program *p;
    const struct ast_node *ast;
    int32_t *node_of; /* SSA node of each AST node, once lowered */
    uint8_t *wanted;  /* AST nodes below the root at hand */
    int32_t x;        /* the value that reaches the stage */
    int32_t mask;     /* the lanes that reach it, -1: all */
    int failed;       /* an onepass_code, 0 so far */
};

/* ---- nodes ----------------------------------------------------------------------------------- */

static int same_scalar(const struct scalar *a, const struct scalar *b) {
    return a->type == b->type && a->neg == b->neg && a->mag == b->mag &&
           memcmp(&a->f, &b->f, sizeof a->f) == 0;
}

static int same_node(const struct node *a, const struct node *b) {
    return a->kind == b->kind && a->type == b->type && a->storage == b->storage &&
           a->behind == b->behind && memcmp(a->arg, b->arg, sizeof a->arg) == 0 &&
           same_scalar(&a->value, &b->value);
}

static struct node node_init(int kind, enum value_type type, enum storage storage) {
    struct node node = {0};
    node.kind = (uint8_t)kind, node.type = (uint8_t)type, node.storage = (uint8_t)storage;
    node.arg[0] = node.arg[1] = node.arg[2] = -1;
    node.behind = node.reg = -1;
    return node;
}

/* The node's number: of an equal one if there is one. */
static int32_t add_node(struct lowering *l, const struct node *node) {
    struct program *p = l->p;
    for (size_t k = 0; k < p->nnodes; k++)
        if (same_node(&p->nodes[k], node)) return (int32_t)k;
    if (p->nnodes == MAX_NODES) {
        l->failed = ONEPASS_BAD_PIPELINE;
        return 0;
    }
    p->nodes[p->nnodes] = *node;
    return (int32_t)p->nnodes++;
}

static int32_t add_constant(struct lowering *l, const struct scalar *value) {
    int wide = value->type == TYPE_INT && value->mag > MAP_EXACT_LIMIT;
    struct node node = node_init(NODE_CONSTANT, value->type, wide ? STORE_WIDE : STORE_F64);
    node.value = *value;
    return add_node(l, &node);
}

static int32_t add_integer(struct lowering *l, uint64_t v) {
    struct scalar s = {TYPE_INT, 0, v, 0};
    return add_constant(l, &s);
}

/* 2^64, which is not less than it, is where a conversion back ends. */
static int is_same_integer(uint64_t mag, double v) {
    return fabs(v) < 0x1p64 && (uint64_t)fabs(v) == mag;
}

/* A node whose arguments are all constants becomes one: evaluated by the kernels, in one lane. */
static int32_t fold(struct lowering *l, const struct node *node) {
    double f64[4];
    uint64_t mag[4];
    uint8_t neg[4];
    struct operand arg[3] = {{0}}, out = {0};
    for (int k = 0; k < 3; k++) {
        if (node->arg[k] < 0) continue;
        const struct node *a = &l->p->nodes[node->arg[k]];
        if (a->kind != NODE_CONSTANT) return add_node(l, node);
        if (a->storage == STORE_WIDE)
            arg[k].mag = &mag[k], arg[k].neg = &neg[k];
        else
            arg[k].f64 = &f64[k];
        map_fill(&arg[k], 1, &a->value);
    }
    if (node->storage == STORE_WIDE)
        out.mag = &mag[3], out.neg = &neg[3];
    else
        out.f64 = &f64[3];
    map_node(kernels_portable.maps, node, 1, arg, &out);
    if (node->kind == NODE_TO_F64) l->p->rounded |= !is_same_integer(mag[0], f64[3]);
    struct scalar value = map_lane(&out, node->type, 0);
    return add_constant(l, &value);
}

static const struct node *at(const struct lowering *l, int32_t node) {
    return &l->p->nodes[node];
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* As a binary64: a node if a is wide; narrow integers are one already. */
static int32_t to_f64(struct lowering *l, int32_t a) {
    struct node node = node_init(NODE_TO_F64, TYPE_F64, STORE_F64);
    if (at(l, a)->storage != STORE_WIDE) return a;
    node.arg[0] = a, node.behind = l->mask;
    return fold(l, &node);
}

static int32_t to_truth(struct lowering *l, int32_t a) {
    struct node node = node_init(NODE_TO_TRUTH, TYPE_F64, STORE_F64);
    node.arg[0] = a;
    return at(l, a)->storage == STORE_WIDE ? fold(l, &node) : a;
}

/* ---- ops ------------------------------------------------------------------------------------- */

static int32_t add_op(struct lowering *l, int op, enum value_type type, enum storage storage,
                      const int32_t arg[3]) {
    struct node node = node_init(op, type, storage);
    memcpy(node.arg, arg, sizeof node.arg);
    if (op_table[op].flags & OP_IS_OWN) node.own = at(l, arg[0])->own;
    return fold(l, &node);
}

static int32_t lower_keep(struct lowering *l, int op, int32_t arg[3]) {
    const struct node *a = at(l, arg[0]);
    if (op == OP_NEG && a->type == TYPE_INT &&
        a->storage == STORE_F64) { /* 0 - x, since -x would make -0 of 0 */
        int32_t difference[3] = {add_integer(l, 0), arg[0], -1};
        return add_op(l, OP_SUB, TYPE_INT, STORE_F64, difference);
    }
    return add_op(l, op, a->type, a->storage, arg);
}

static int32_t lower_truth(struct lowering *l, int op, int32_t arg[3]) {
    for (int k = 0; k < op_table[op].nargs; k++)
        arg[k] = to_truth(l, arg[k]);
    return add_op(l, op, TYPE_INT, STORE_F64, arg);
}

static int32_t lower_arms(struct lowering *l, int op, int32_t arg[3]) {
    int first = op == OP_SELECT, n = op_table[op].nargs, integer = 1, wide = 0;
    for (int k = first; k < n; k++) {
        integer &= at(l, arg[k])->type == TYPE_INT;
        wide |= at(l, arg[k])->storage == STORE_WIDE;
    }
    for (int k = first; k < n && !integer; k++)
        arg[k] = to_f64(l, arg[k]);
    if (first) arg[0] = to_truth(l, arg[0]);
    return add_op(l, op, integer ? TYPE_INT : TYPE_F64, integer && wide ? STORE_WIDE : STORE_F64, arg);
}

static int32_t lower_op(struct lowering *l, int op, int32_t arg[3]) {
    switch (op_table[op].rule) {
    case RULE_KEEP:
        return lower_keep(l, op, arg);
    case RULE_ARMS:
        return lower_arms(l, op, arg);
    case RULE_FLAG:
        return add_op(l, op, TYPE_INT, STORE_F64, arg);
    case RULE_TRUTH:
        return lower_truth(l, op, arg);
    case RULE_F64:
        break;
    }
    for (int k = 0; k < op_table[op].nargs; k++)
        arg[k] = to_f64(l, arg[k]);
    return add_op(l, op, TYPE_F64, STORE_F64, arg);
}

static int32_t lower_ast_node(struct lowering *l, const struct ast_node *a) {
    int32_t arg[3] = {-1, -1, -1};
    if (a->kind == AST_X) return l->x;
    if (a->kind == AST_NUMBER) return add_constant(l, &a->number);
    for (int k = 0; k < op_table[a->op].nargs; k++)
        arg[k] = l->node_of[a->arg[k]];
    return lower_op(l, a->op, arg);
}

/* The SSA node of an expression.  Children precede parents in the AST, so two sweeps over the part of
 * the array below the root do it, without recursion. */
static int32_t lower_expression(struct lowering *l, int32_t root) {
    int32_t low = root;
    size_t pending = 1;
    l->wanted[root] = 1;
    for (int32_t i = root; pending > 0; i--) {
        low = i;
        if (!l->wanted[i]) continue;
        pending--;
        if (l->ast[i].kind != AST_OP) continue;
        for (int k = 0; k < op_table[l->ast[i].op].nargs; k++) {
            int32_t child = l->ast[i].arg[k];
            if (!l->wanted[child]) pending++;
            l->wanted[child] = 1;
        }
    }
    for (int32_t i = low; i <= root && !l->failed; i++)
        if (l->wanted[i]) l->node_of[i] = lower_ast_node(l, &l->ast[i]);
    return l->failed ? 0 : l->node_of[root];
}

static void lower_stage(struct lowering *l, const struct ast_stage *stage) {
    int32_t value = lower_expression(l, stage->root);
    if (l->failed) return;
    if (!stage->is_where) {
        l->x = value;
        return;
    }
    struct node node = node_init(NODE_MASK, TYPE_INT, STORE_MASK);
    node.arg[0] = l->mask, node.arg[1] = to_truth(l, value);
    l->mask = add_node(l, &node);
}

/* ---- accumulators ---------------------------------------------------------------------------- */

static int32_t add_accumulator(struct lowering *l, int kind, int32_t value, int keep_index) {
    struct program *p = l->p;
    struct accumulator a = {(uint8_t)kind, value, l->mask, 0, (uint8_t)keep_index};
    a.skip_nan = p->skip_nan && (kind == ACC_FIRST || kind == ACC_LAST);
    if (kind == ACC_COUNT) a.value = -1;
    for (size_t k = 0; k < p->naccs; k++) {
        struct accumulator *b = &p->accs[k];
        if (b->kind != a.kind || b->value != a.value || b->mask != a.mask) continue;
        b->keep_index |= a.keep_index;
        return (int32_t)k;
    }
    struct accumulator *grown = grow(p->accs, p->naccs, sizeof *grown);
    if (grown == NULL) {
        l->failed = ONEPASS_NO_MEMORY;
        return 0;
    }
    p->accs = grown;
    p->accs[p->naccs] = a;
    return (int32_t)p->naccs++;
}

static int wants_index(uint32_t needs) {
    uint32_t kinds = 1u << ACC_ARGMIN | 1u << ACC_ARGMAX | 1u << ACC_FIRST | 1u << ACC_LAST;
    return (needs & kinds) != 0;
}

static void lower_reduction(struct lowering *l, const struct ast_reduction *r,
                            struct lowered_reduction *out) {
    out->info = &reduction_table[r->reduction];
    l->p->needs_index |= wants_index(out->info->needs);
    for (int kind = 0; kind < NACCUMULATORS && !l->failed; kind++) {
        out->acc[kind] = -1;
        if (!(out->info->needs >> kind & 1)) continue;
        int32_t value = l->x, arg[3] = {l->x, -1, -1};
        if (kind == ACC_SABS) value = lower_op(l, OP_ABS, arg);
        out->acc[kind] = add_accumulator(l, kind == ACC_SABS ? ACC_S1 : kind, value, 0);
    }
}

static int lower_pipeline(struct lowering *l, const struct ast_pipeline *from,
                          struct lowered_pipeline *to) {
    l->x = 0; /* the input is node 0 */
    l->mask = -1;
    for (size_t k = 0; k < from->nstages && !l->failed; k++)
        lower_stage(l, &from->stages[k]);
    to->reductions = calloc(from->nreductions ? from->nreductions : 1, sizeof *to->reductions);
    if (to->reductions == NULL) return l->failed = ONEPASS_NO_MEMORY;
    int keep_index = 0;
    for (size_t k = 0; k < from->nreductions && !l->failed; k++) {
        lower_reduction(l, &from->reductions[k], &to->reductions[k]);
        keep_index |= wants_index(to->reductions[k].info->needs);
        to->nreductions++;
    }
    to->value = l->x, to->mask = l->mask;
    to->count = add_accumulator(l, ACC_COUNT, l->x, 0);
    to->nan = add_accumulator(l, ACC_NAN, l->x, keep_index);
    to->posinf = add_accumulator(l, ACC_POSINF, l->x, 0);
    to->neginf = add_accumulator(l, ACC_NEGINF, l->x, 0);
    return l->failed;
}

static void add_to_group(struct program *p, size_t acc) {
    const struct accumulator *a = &p->accs[acc];
    struct acc_group *g = p->groups, *end = g + p->ngroups;
    while (g < end && (g->value != a->value || g->mask != a->mask))
        g++;
    if (g == end) {
        p->ngroups++;
        g->value = a->value, g->mask = a->mask, g->dense = -1;
        for (int kind = 0; kind < NACCUMULATORS; kind++)
            g->acc[kind] = -1;
    }
    g->acc[a->kind] = (int32_t)acc;
}

static int group_accumulators(struct program *p) {
    p->groups = calloc(p->naccs + 1, sizeof *p->groups);
    if (p->groups == NULL) return ONEPASS_NO_MEMORY;
    for (size_t k = 0; k < p->naccs; k++)
        add_to_group(p, k);
    return 0;
}

/* ---- programs -------------------------------------------------------------------------------- */

static void lowering_end(struct lowering *l) {
    free(l->node_of);
    free(l->wanted);
}

static int lowering_begin(struct lowering *l, const struct ast_node *nodes, size_t nnodes,
                          enum value_class class) {
    memset(l, 0, sizeof *l);
    l->ast = nodes;
    l->mask = -1;
    l->p = calloc(1, sizeof *l->p);
    l->node_of = malloc((nnodes + 1) * sizeof *l->node_of);
    l->wanted = calloc(nnodes + 1, 1);
    if (l->p == NULL || l->node_of == NULL || l->wanted == NULL) return ONEPASS_NO_MEMORY;
    l->p->input_class = class;
    l->p->nodes = calloc(MAX_NODES, sizeof *l->p->nodes);
    if (l->p->nodes == NULL) return ONEPASS_NO_MEMORY;
    struct node input = node_init(NODE_INPUT, class == CLASS_F64 ? TYPE_F64 : TYPE_INT,
                                  class == CLASS_WIDE ? STORE_WIDE : STORE_F64);
    input.own = 1;
    l->x = add_node(l, &input);
    return 0;
}

static int lowering_error(int code, onepass_error *err) {
    if (code == ONEPASS_NO_MEMORY) return error_no_memory(err);
    return error_set(err, code, "the program is too large: more than %d operations and values",
                     MAX_NODES);
}

int program_lower(const struct onepass_program *ast, enum value_class input_class, int skip_nan,
                  struct program **out, onepass_error *err) {
    struct lowering l;
    int rc = lowering_begin(&l, ast->nodes, ast->nnodes, input_class);
    if (rc == 0) {
        l.p->ast = ast;
        l.p->skip_nan = skip_nan;
        l.p->pipelines = calloc(ast->npipelines ? ast->npipelines : 1, sizeof *l.p->pipelines);
        if (l.p->pipelines == NULL) rc = ONEPASS_NO_MEMORY;
    }
    for (size_t k = 0; rc == 0 && k < ast->npipelines; k++)
        rc = lower_pipeline(&l, &ast->pipelines[k], &l.p->pipelines[k]);
    if (rc == 0) rc = registers_assign(l.p);
    if (rc == 0) rc = group_accumulators(l.p);
    lowering_end(&l);
    if (rc != 0) {
        program_free(l.p);
        return lowering_error(rc, err);
    }
    *out = l.p;
    return 0;
}

int program_constant(const struct ast_node *nodes, size_t nnodes, int32_t root, const double *x,
                     struct scalar *out, onepass_error *err) {
    struct lowering l;
    int rc = lowering_begin(&l, nodes, nnodes, CLASS_F64);
    if (rc == 0 && x != NULL) {
        struct scalar value = {TYPE_F64, 0, 0, *x};
        l.x = add_constant(&l, &value);
    }
    if (rc == 0) {
        int32_t result = lower_expression(&l, root); /* everything folds */
        rc = l.failed;
        if (rc == 0) *out = l.p->nodes[result].value;
    }
    lowering_end(&l);
    program_free(l.p);
    return rc == 0 ? 0 : lowering_error(rc, err);
}

void program_free(struct program *p) {
    if (p == NULL) return;
    for (size_t k = 0; p->pipelines != NULL && k < p->ast->npipelines; k++)
        free(p->pipelines[k].reductions);
    free(p->pipelines);
    free(p->nodes);
    free(p->accs);
    free(p->groups);
    free(p);
}

enum value_class class_join(enum value_class a, enum value_class b) {
    if (a == CLASS_F64 || b == CLASS_F64) return CLASS_F64;
    return a == CLASS_WIDE || b == CLASS_WIDE ? CLASS_WIDE : CLASS_NARROW;
}
