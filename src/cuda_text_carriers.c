/* In which device type each node's value is carried: the cheapest that has it exactly.  Those of a
 * float's are in float, those of narrow integers in int or i64, so that light programs convert nothing
 * and need no fp64 unit. */
#include <math.h>

#include "cuda_text_parts.h"

const char *const carrier_names[] = {"float", "double", "int", "i64", "struct scalar", "bool"};

/* ---- what a node's value fits ------------------------------------------------------------------ */

static int is_int(const struct node_text *n) {
    return n->carrier == AS_INT || n->carrier == AS_LONG;
}

int is_floating(const struct kernel_text *k, int32_t node) {
    return k->nodes[node].carrier == AS_F32 || k->nodes[node].carrier == AS_F64;
}

static int is_exact_float(double v) {
    return isnan(v) || (double)(float)v == v;
}

/* Does a float have every value of the node? */
int fits_f32(const struct kernel_text *k, int32_t node) {
    const struct node_text *n = &k->nodes[node];
    return n->carrier == AS_F32 || (is_int(n) && n->bound <= 0x1p24) ||
           (node_at(k, node)->kind == NODE_CONSTANT && n->carrier != AS_WIDE &&
            is_exact_float(scalar_f64(&node_at(k, node)->value)));
}

/* The cheapest carrier in which values can be compared, or tested. */
enum carrier common_carrier(const struct kernel_text *k, const int32_t *arg, int n) {
    int ints = 1, longs = 0, floats = 1;
    for (int i = 0; i < n; i++) {
        ints &= is_int(&k->nodes[arg[i]]);
        longs |= k->nodes[arg[i]].carrier == AS_LONG;
        floats &= fits_f32(k, arg[i]);
    }
    if (ints) return longs ? AS_LONG : AS_INT;
    return floats ? AS_F32 : AS_F64;
}

/* ---- plan -------------------------------------------------------------------------------------- */

static void set_int(struct node_text *n, double bound) {
    n->bound = bound;
    n->carrier = bound < 0x1p31 - 1 ? AS_INT : AS_LONG;
}

static void plan_input(const struct kernel_text *k, struct node_text *n) {
    enum dtype dtype = k->variant->dtype;
    unsigned bits = 8 * dtype_table[dtype].itemsize;
    if (k->p->nodes[0].storage == STORE_WIDE) {
        n->carrier = AS_WIDE;
    } else if (k->p->nodes[0].type == TYPE_F64) {
        n->carrier = dtype_table[dtype].class == CLASS_F64 && dtype != DTYPE_F64 ? AS_F32 : AS_F64;
    } else {
        int is_signed = dtype == DTYPE_I8 || dtype == DTYPE_I16 || dtype == DTYPE_I32;
        set_int(n, dtype == DTYPE_BOOL ? 1 : ldexp(1, (int)bits - is_signed) - !is_signed);
    }
}

static void plan_constant(const struct node *node, struct node_text *n) {
    double v = scalar_f64(&node->value);
    if (node->storage == STORE_WIDE)
        n->carrier = AS_WIDE;
    else if (node->type == TYPE_INT)
        set_int(n, fabs(v));
    else
        n->carrier = is_exact_float(v) ? AS_F32 : AS_F64;
}

static void plan_op(const struct kernel_text *k, const struct node *node, struct node_text *n) {
    enum op_rule rule = op_table[node->kind].rule;
    int nargs = op_table[node->kind].nargs, floats = 1;
    double bound = 0;
    for (int i = node->kind == OP_SELECT; i < nargs; i++) {
        int32_t arg = k->nodes[node->arg[i]].origin;
        floats &= fits_f32(k, arg);
        bound = fmax(bound, k->nodes[arg].bound);
    }
    if (node->storage == STORE_WIDE)
        n->carrier = AS_WIDE;
    else if (rule == RULE_FLAG || rule == RULE_TRUTH ||
             (node->type == TYPE_INT && node->kind == OP_SIGN))
        set_int(n, 1);
    else if (node->type == TYPE_INT)
        set_int(n, bound);
    else
        n->carrier = floats && op_expression(node->kind, AS_F32) != NULL ? AS_F32 : AS_F64;
}

static void want(struct kernel_text *k, int32_t node) {
    if (node >= 0) k->nodes[k->nodes[node].origin].wanted = 1;
}

/* What groups take, and all that it is made of. */
static void mark_wanted(struct kernel_text *k) {
    for (size_t i = 0; i < k->p->ngroups; i++) {
        want(k, k->p->groups[i].value);
        want(k, k->p->groups[i].mask);
        want(k, k->p->groups[i].dense);
    }
    for (size_t i = k->p->nnodes; i-- > 0;) {
        const struct node *node = &k->p->nodes[i];
        if (!k->nodes[i].wanted || node->kind == NODE_COMPACT) continue;
        for (int j = 0; j < 3; j++)
            want(k, node->arg[j]);
        if (node->kind == NODE_TO_F64) want(k, node->dense);
    }
}

static int is_unsigned(enum dtype dtype) {
    return dtype == DTYPE_U8 || dtype == DTYPE_U16 || dtype == DTYPE_U32 || dtype == DTYPE_U64 ||
           dtype == DTYPE_BOOL;
}

/* Is the node's value that of its argument: lanes of it, or the magnitude of what has no sign? */
static int is_its_argument(const struct kernel_text *k, const struct node *node) {
    if (node->kind == NODE_COMPACT) return 1;
    if (node->kind != OP_ABS || !is_unsigned(k->variant->dtype)) return 0;
    const struct node *of = node_at(k, k->nodes[node->arg[0]].origin);
    return of->kind == NODE_INPUT && of->storage == node->storage && of->type == node->type;
}

void carriers_plan(struct kernel_text *k) {
    for (size_t i = 0; i < k->p->nnodes; i++) {
        const struct node *node = &k->p->nodes[i];
        struct node_text *n = &k->nodes[i];
        int is_another = is_its_argument(k, node);
        n->origin = is_another ? k->nodes[node->arg[0]].origin : (int32_t)i;
        if (node->kind == NODE_INPUT)
            plan_input(k, n);
        else if (node->kind == NODE_CONSTANT)
            plan_constant(node, n);
        else if (node->kind == NODE_MASK)
            n->carrier = AS_MASK;
        else if (is_another)
            *n = k->nodes[n->origin];
        else if (node->kind < NOPS)
            plan_op(k, node, n);
        else
            n->carrier = AS_F64;
    }
    mark_wanted(k);
}
