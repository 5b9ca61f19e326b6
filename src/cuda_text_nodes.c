/* The part of a kernel's text that turns an element into values: its bits into a number, and
 * evaluate(), one line a node. */
#include <stdio.h>
#include <string.h>

#include "cuda_text_parts.h"

/* ---- groups ------------------------------------------------------------------------------------ */

int32_t group_value(const struct kernel_text *k, const struct acc_group *g) {
    return g->value < 0 ? -1 : k->nodes[g->value].origin;
}

int32_t group_mask(const struct kernel_text *k, const struct acc_group *g) {
    (void)k;
    return g->mask >= 0 ? g->mask : g->dense;
}

const char *mask_text(int32_t mask, char out[MEMBER_TEXT]) {
    if (mask < 0) return "true";
    snprintf(out, MEMBER_TEXT, "o.m%d", (int)mask);
    return out;
}

/* By node: is it a member of struct values? */
static int is_member(const struct kernel_text *k, int32_t node) {
    for (size_t i = 0; i < k->p->ngroups; i++) {
        const struct acc_group *g = &k->p->groups[i];
        if (group_value(k, g) == node || group_mask(k, g) == node) return 1;
    }
    return 0;
}

/* ---- elements ---------------------------------------------------------------------------------- */

/* The type that holds a stored element's bits, the number that they are, and its type. */
static const struct {
    const char *stored, *value, *element;
} dtype_texts[NDTYPES] = {
    [DTYPE_F16] = {"u16", "f32_of_half(bits)", "float"},
    [DTYPE_BF16] = {"u16", "f32((u32)bits << 16)", "float"},
    [DTYPE_F32] = {"u32", "f32(bits)", "float"},
    [DTYPE_F64] = {"u64", "f64(bits)", "double"},
    [DTYPE_I8] = {"u8", "(signed char)bits", "int"},
    [DTYPE_I16] = {"u16", "(short)bits", "int"},
    [DTYPE_I32] = {"u32", "(int)bits", "int"},
    [DTYPE_I64] = {"u64", "(i64)bits", "i64"},
    [DTYPE_U8] = {"u8", "bits", "u32"},
    [DTYPE_U16] = {"u16", "bits", "u32"},
    [DTYPE_U32] = {"u32", "bits", "u32"},
    [DTYPE_U64] = {"u64", "bits", "u64"},
    [DTYPE_BOOL] = {"u8", "bits != 0", "u32"},
};

void nodes_write_element(struct kernel_text *k) {
    enum dtype dtype = k->variant->dtype;
    text_add(&k->t, "typedef %s stored;\ntypedef %s element;\n\n", dtype_texts[dtype].stored,
             dtype_texts[dtype].element);
    text_add(&k->t, "FN element element_of(stored bits) {\n");
    if (k->variant->swap && dtype_table[dtype].itemsize > 1)
        text_add(&k->t, "    bits = swapped(bits);\n");
    text_add(&k->t, "    return %s;\n}\n\n", dtype_texts[dtype].value);
}

/* ---- evaluate(): a line a node ----------------------------------------------------------------- */

static void write_input(struct kernel_text *k, enum carrier as) {
    int rounds = as == AS_F64 && dtype_table[k->variant->dtype].class == CLASS_WIDE;
    if (as == AS_WIDE && dtype_table[k->variant->dtype].class != CLASS_WIDE)
        text_add(&k->t, "    const struct scalar v0 = scalar_of((i64)x);\n");
    else if (as == AS_WIDE)
        text_add(&k->t, "    const struct scalar v0 = scalar_of(x);\n");
    else
        text_add(&k->t, "    const %s v0 = (%s)x;\n", carrier_names[as], carrier_names[as]);
    if (rounds)
        text_add(&k->t, "    o.rounded |= fabs(v0) >= f64(0x4340000000000000ull /* 2^53 */);\n");
}

static void write_rounding(struct kernel_text *k, const struct node *node, int32_t arg) {
    if (node->kind != NODE_TO_F64) return;
    text_add(&k->t, "    o.rounded |= ");
    int32_t mask = node->dense >= 0 ? node->dense : node->arg[1];
    if (mask >= 0) text_add(&k->t, "m%d && ", (int)mask);
    text_add(&k->t, "v%d.mag > 1ull << 53;\n", (int)arg);
}

static const char *letter_of(const struct node_text *n) {
    return n->carrier == AS_MASK ? "m" : "v";
}

static void write_node(struct kernel_text *k, int32_t i) {
    const struct node *node = node_at(k, i);
    enum carrier as = (enum carrier)k->nodes[i].carrier;
    int32_t arg[3];
    for (int j = 0; j < 3; j++)
        arg[j] = node->arg[j] < 0 ? -1 : k->nodes[node->arg[j]].origin;
    if (node->kind == NODE_INPUT) {
        write_input(k, as);
        return;
    }
    text_add(&k->t, "    const %s %s%d = ", carrier_names[as], letter_of(&k->nodes[i]), (int)i);
    if (node->kind == NODE_CONSTANT)
        expression_write_literal(&k->t, as, &node->value);
    else if (node->kind == NODE_MASK)
        expression_write_mask(k, node, arg);
    else if (node->kind == NODE_TO_F64 || node->kind == NODE_TO_TRUTH)
        text_add(&k->t, "scalar_f64(&v%d)", (int)arg[0]);
    else
        expression_write_op(k, node, as, arg);
    text_add(&k->t, ";\n");
    write_rounding(k, node, arg[0]);
}

/* What accumulators read of an element. */
static void write_values(struct kernel_text *k) {
    text_add(&k->t, "struct values {\n");
    for (size_t i = 0; i < k->p->nnodes; i++) {
        const struct node_text *n = &k->nodes[i];
        if (n->origin == (int32_t)i && is_member(k, (int32_t)i))
            text_add(&k->t, "    %s %s%zu;\n", carrier_names[n->carrier], letter_of(n), i);
    }
    text_add(&k->t, "    bool rounded;\n};\n\n");
}

void nodes_write_evaluate(struct kernel_text *k, int called) {
    write_values(k);
    text_add(&k->t, "%s void evaluate(element x, struct values &o) {\n    o.rounded = false;\n",
             called ? "static __device__ __noinline__" : "FN");
    for (size_t i = 0; i < k->p->nnodes; i++) {
        int32_t node = (int32_t)i;
        int kind = k->p->nodes[i].kind;
        if (!k->nodes[i].wanted || kind == NODE_COMPACT) continue;
        if (kind != NODE_CONSTANT || is_member(k, node)) write_node(k, node);
    }
    for (size_t i = 0; i < k->p->nnodes; i++) {
        const char *letter = letter_of(&k->nodes[i]);
        if (k->nodes[i].origin == (int32_t)i && is_member(k, (int32_t)i))
            text_add(&k->t, "    o.%s%zu = %s%zu;\n", letter, i, letter, i);
    }
    text_add(&k->t, "}\n\n");
}

/* ---- what it takes ----------------------------------------------------------------------------- */

static int uses_header(const struct kernel_text *k, const char *header) {
    for (size_t i = 0; i < k->p->nnodes; i++) {
        int op = k->p->nodes[i].kind == NODE_MASK ? k->p->nodes[i].test : k->p->nodes[i].kind;
        int is_op = k->p->nodes[i].kind == NODE_MASK || k->p->nodes[i].kind < NOPS;
        if (!is_op || !k->nodes[i].wanted || op_header(op) == NULL) continue;
        if (strcmp(op_header(op), header) != 0) continue;
        if (k->p->nodes[i].kind == NODE_MASK || op_table[op].rule == RULE_FLAG ||
            k->nodes[i].carrier == AS_F64)
            return 1;
    }
    return 0;
}

static int has_wide_nodes(const struct kernel_text *k) {
    for (size_t i = 0; i < k->p->nnodes; i++)
        if (k->nodes[i].wanted && k->nodes[i].carrier == AS_WIDE) return 1;
    return 0;
}

void nodes_write_includes(struct kernel_text *k) {
    static const char *const headers[] = {"onemath_base.h",    "onemath_exp.h",  "onemath_log.h",
                                          "onemath_trig.h",    "onemath_root.h", "onemath_remainder.h",
                                          "onemath_special.h", "onemath_erfc.h", "onemath_gamma.h",
                                          "maps_f64.h"};
    text_add(&k->t, "#include \"fused.cuh\"\n");
    if (has_wide_nodes(k)) text_add(&k->t, "#include \"fused_wide.cuh\"\n");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (uses_header(k, headers[i])) text_add(&k->t, "#include \"%s\"\n", headers[i]);
}

unsigned nodes_cost(const struct kernel_text *k) {
    unsigned cost = 1;
    for (size_t i = 0; i < k->p->nnodes; i++) {
        int kind = k->p->nodes[i].kind;
        if (!k->nodes[i].wanted || kind == NODE_COMPACT || kind == NODE_CONSTANT) continue;
        unsigned own = kind < NOPS && k->nodes[i].carrier == AS_F64 ? op_cost(kind) : 1;
        cost += k->nodes[i].carrier == AS_WIDE ? 8 : own > 0 ? own : 1;
    }
    return cost;
}
