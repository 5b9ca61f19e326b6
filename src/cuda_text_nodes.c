/* The part of a kernel's text that turns an element into values: one line a node.
 *
 * Values are carried in the cheapest type that has them exactly: those of a float's in float, those of
 * narrow integers in int or i64, so that light programs convert nothing and need no fp64 unit. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cuda_text_parts.h"
#include "number.h"

const char *const carrier_names[] = {"float", "double", "int", "i64", "struct scalar", "bool"};

/* What an op is in CUDA: in binary64 the expression of ops.def. */
static const struct {
    const char *f64;
    const char *wide; /* function of maps_integer.h */
} op_texts[NOPS] = {
#define OP(id, name, nargs, rule, flags, integer, expression, doc) {#expression, #integer},
#include "ops.def"
#undef OP
};

/* The ops that give a value of the type of their arguments, in float and in integers. */
static const struct {
    const char *f32, *integer;
} exact_texts[NOPS] = {
    [OP_ABS] = {"fabsf(a)", "a < 0 ? -a : a"},
    [OP_NEG] = {"-a", "-a"},
    [OP_SIGN] = {NULL, "(a > 0) - (a < 0)"},
    [OP_RELU] = {"f32_max(a, 0.0f)", "a > 0 ? a : 0"},
    [OP_FLOOR] = {NULL, "a"},
    [OP_CEIL] = {NULL, "a"},
    [OP_ROUND] = {NULL, "a"},
    [OP_TRUNC] = {NULL, "a"},
    [OP_SUB] = {NULL, "a - b"}, /* negation of a narrow integer, 0 - x */
    [OP_MIN] = {"f32_min(a, b)", "a < b ? a : b"},
    [OP_MAX] = {"f32_max(a, b)", "a > b ? a : b"},
    [OP_CLAMP] = {"f32_min(f32_max(a, b), c)", "(a > b ? a : b) < c ? (a > b ? a : b) : c"},
    [OP_SELECT] = {"a != 0 ? b : c", "a != 0 ? b : c"},
    [OP_ISNAN] = {"a != a", "0"},
    [OP_ISINF] = {"fabsf(a) == f32(0x7f800000)", "0"},
    [OP_ISFINITE] = {"is_finite(a)", "1"},
    [OP_LT] = {"a < b", "a < b"},
    [OP_LE] = {"a <= b", "a <= b"},
    [OP_GT] = {"a > b", "a > b"},
    [OP_GE] = {"a >= b", "a >= b"},
    [OP_EQ] = {"a == b", "a == b"},
    [OP_NE] = {"a != b", "a != b"},
    [OP_NOT] = {"a == 0", "a == 0"},
    [OP_AND] = {"(a != 0) & (b != 0)", "(a != 0) & (b != 0)"},
    [OP_OR] = {"(a != 0) | (b != 0)", "(a != 0) | (b != 0)"},
};

/* Where an op's functions are, and about how many instructions it takes. */
static const struct {
    const char *header;
    unsigned cost;
} op_costs[NOPS] = {
    [OP_ABS] = {"onemath_base.h", 1},
    [OP_SIGN] = {"maps_f64.h", 6},
    [OP_CUBE] = {"onemath_root.h", 15},
    [OP_SQRT] = {"onemath_base.h", 20},
    [OP_CBRT] = {"onemath_root.h", 60},
    [OP_RECIP] = {NULL, 12},
    [OP_RSQRT] = {"onemath_root.h", 40},
    [OP_EXP] = {"onemath_exp.h", 40},
    [OP_EXP2] = {"onemath_exp.h", 40},
    [OP_EXP10] = {"onemath_exp.h", 50},
    [OP_EXPM1] = {"onemath_exp.h", 50},
    [OP_LOG] = {"onemath_log.h", 70},
    [OP_LOG2] = {"onemath_log.h", 80},
    [OP_LOG10] = {"onemath_log.h", 80},
    [OP_LOG1P] = {"onemath_log.h", 90},
    [OP_SIN] = {"onemath_trig.h", 80},
    [OP_COS] = {"onemath_trig.h", 80},
    [OP_TAN] = {"onemath_trig.h", 110},
    [OP_ASIN] = {"onemath_trig.h", 110},
    [OP_ACOS] = {"onemath_trig.h", 110},
    [OP_ATAN] = {"onemath_trig.h", 90},
    [OP_SINH] = {"onemath_exp.h", 80},
    [OP_COSH] = {"onemath_exp.h", 80},
    [OP_TANH] = {"onemath_exp.h", 90},
    [OP_ASINH] = {"onemath_log.h", 150},
    [OP_ACOSH] = {"onemath_log.h", 140},
    [OP_ATANH] = {"onemath_log.h", 120},
    [OP_ATAN2] = {"onemath_trig.h", 120},
    [OP_HYPOT] = {"onemath_root.h", 60},
    [OP_FLOOR] = {"maps_f64.h", 10},
    [OP_CEIL] = {"maps_f64.h", 10},
    [OP_ROUND] = {"maps_f64.h", 8},
    [OP_TRUNC] = {"maps_f64.h", 12},
    [OP_FMOD] = {"onemath_remainder.h", 60},
    [OP_MOD] = {"onemath_remainder.h", 70},
    [OP_ERF] = {"onemath_special.h", 120},
    [OP_ERFC] = {"onemath_erfc.h", 150},
    [OP_LGAMMA] = {"onemath_gamma.h", 250},
    [OP_SIGMOID] = {"onemath_exp.h", 60},
    [OP_RELU] = {"maps_f64.h", 6},
    [OP_DEGREES] = {"maps_f64.h", 8},
    [OP_RADIANS] = {"maps_f64.h", 8},
    [OP_ISINF] = {"onemath_base.h", 2},
    [OP_ISFINITE] = {"onemath_base.h", 2},
    [OP_DIV] = {NULL, 15},
    [OP_POW] = {"onemath_log.h", 220},
    [OP_MIN] = {"maps_f64.h", 6},
    [OP_MAX] = {"maps_f64.h", 6},
    [OP_CLAMP] = {"maps_f64.h", 12},
};

/* How the bits of a stored element are held, and its value read from them (of `bits`). */
static const struct {
    const char *stored, *value;
} dtype_texts[NDTYPES] = {
    [DTYPE_F16] = {"u16", "f32_of_half(bits)"},
    [DTYPE_BF16] = {"u16", "f32((u32)bits << 16)"},
    [DTYPE_F32] = {"u32", "f32(bits)"},
    [DTYPE_F64] = {"u64", "f64(bits)"},
    [DTYPE_I8] = {"u8", "(signed char)bits"},
    [DTYPE_I16] = {"u16", "(short)bits"},
    [DTYPE_I32] = {"u32", "(int)bits"},
    [DTYPE_I64] = {"u64", "(i64)bits"},
    [DTYPE_U8] = {"u8", "bits"},
    [DTYPE_U16] = {"u16", "bits"},
    [DTYPE_U32] = {"u32", "bits"},
    [DTYPE_U64] = {"u64", "bits"},
    [DTYPE_BOOL] = {"u8", "bits != 0"},
};

/* ---- carriers -------------------------------------------------------------------------------- */

static const struct node *node_at(const struct kernel_text *k, int32_t node) {
    return &k->p->nodes[node];
}

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
static int fits_f32(const struct kernel_text *k, int32_t node) {
    const struct node_text *n = &k->nodes[node];
    return n->carrier == AS_F32 || (is_int(n) && n->bound <= 0x1p24) ||
           (node_at(k, node)->kind == NODE_CONSTANT && n->carrier != AS_WIDE &&
            is_exact_float(scalar_f64(&node_at(k, node)->value)));
}

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
        n->carrier = floats && exact_texts[node->kind].f32 != NULL ? AS_F32 : AS_F64;
}

static void want(struct kernel_text *k, int32_t node) {
    if (node >= 0) k->nodes[k->nodes[node].origin].wanted = 1;
}

void nodes_plan(struct kernel_text *k) {
    for (size_t i = 0; i < k->p->nnodes; i++) {
        const struct node *node = &k->p->nodes[i];
        struct node_text *n = &k->nodes[i];
        n->origin = node->kind == NODE_COMPACT ? k->nodes[node->arg[0]].origin : (int32_t)i;
        if (node->kind == NODE_INPUT)
            plan_input(k, n);
        else if (node->kind == NODE_CONSTANT)
            plan_constant(node, n);
        else if (node->kind == NODE_MASK)
            n->carrier = AS_MASK;
        else if (node->kind == NODE_COMPACT)
            *n = k->nodes[n->origin];
        else if (node->kind < NOPS)
            plan_op(k, node, n);
        else
            n->carrier = AS_F64;
    }
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

/* ---- arguments ------------------------------------------------------------------------------- */

#define ARG_TEXT 96

static int is_constant(const struct kernel_text *k, int32_t node) {
    return node_at(k, node)->kind == NODE_CONSTANT;
}

static unsigned long long f64_bits(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return isnan(v) ? 0x7ff8000000000000ull : bits;
}

static unsigned f32_bits(double v) {
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return isnan(v) ? 0x7fc00000u : bits;
}

static void write_real(struct text *t, enum carrier as, double v) {
    char number[NUMBER_TEXT];
    number_format(v, FLOAT_F64, number);
    if (as == AS_F32)
        text_add(t, "f32(0x%xu /* %s */)", f32_bits(v), number);
    else
        text_add(t, "f64(0x%llxull /* %s */)", f64_bits(v), number);
}

static void write_literal(struct text *t, enum carrier as, const struct scalar *v) {
    if (as == AS_INT || as == AS_LONG)
        text_add(t, "%s%llu%s", v->neg ? "-" : "", (unsigned long long)v->mag,
                 as == AS_LONG ? "ll" : "");
    else if (as != AS_WIDE)
        write_real(t, as, scalar_f64(v));
    else if (v->type == TYPE_INT)
        text_add(t, "scalar_of(%lluull, %s)", (unsigned long long)v->mag, v->neg ? "true" : "false");
    else
        text_add(t, "scalar_real(f64(0x%llxull))", f64_bits(v->f));
}

/* A node's value in a carrier that has it. */
static void write_value(struct kernel_text *k, int32_t node, enum carrier as) {
    enum carrier is = (enum carrier)k->nodes[node].carrier;
    if (is_constant(k, node))
        write_literal(&k->t, as, &node_at(k, node)->value);
    else if (is == as)
        text_add(&k->t, "v%d", (int)node);
    else if (as == AS_WIDE && (is == AS_INT || is == AS_LONG))
        text_add(&k->t, "scalar_of((i64)v%d)", (int)node);
    else if (as == AS_WIDE)
        text_add(&k->t, "scalar_real(v%d)", (int)node);
    else
        text_add(&k->t, "(%s)v%d", carrier_names[as], (int)node);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static int is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

/* The expression with its arguments a, b, c in their places. */
static void write_expression(struct kernel_text *k, const char *expression, const int32_t arg[3],
                             const enum carrier as[3]) {
    for (const char *s = expression; *s != '\0';) {
        size_t n = 1;
        while (is_name(s[0]) && is_name(s[n]))
            n++;
        int which = s[0] - 'a';
        if (n == 1 && which >= 0 && which < 3 && arg[which] >= 0)
            write_value(k, arg[which], as[which]);
        else
            text_add(&k->t, "%.*s", (int)n, s);
        s += n;
    }
}

/* The cheapest carrier in which values can be compared, or tested. */
static enum carrier common_carrier(const struct kernel_text *k, const int32_t *arg, int n) {
    int ints = 1, longs = 0, floats = 1;
    for (int i = 0; i < n; i++) {
        ints &= is_int(&k->nodes[arg[i]]);
        longs |= k->nodes[arg[i]].carrier == AS_LONG;
        floats &= fits_f32(k, arg[i]);
    }
    if (ints) return longs ? AS_LONG : AS_INT;
    return floats ? AS_F32 : AS_F64;
}

static const char *expression_in(int op, enum carrier as) {
    if (as == AS_F32) return exact_texts[op].f32;
    if (as == AS_INT || as == AS_LONG) return exact_texts[op].integer;
    return op_texts[op].f64;
}

/* Is it a comparison of values in float with a constant between two floats?  Which argument is. */
static int between_floats(const struct kernel_text *k, int op, const int32_t arg[3]) {
    if (op < OP_LT || op > OP_NE) return -1;
    for (int i = 0; i < 2; i++) {
        int is = is_constant(k, arg[i]) && k->nodes[arg[i]].carrier != AS_WIDE && !fits_f32(k, arg[i]);
        if (is && !is_constant(k, arg[1 - i]) && fits_f32(k, arg[1 - i])) return i;
    }
    return -1;
}

/* The float that takes the place of such a constant: a float is less than it if it is less than the
 * next one above, greater if it is greater than the one below, and never equal, as to NaN. */
static double neighbour(double v, int op, int is_first) {
    float f = (float)v;
    float above = (double)f > v ? f : nextafterf(f, INFINITY);
    float below = (double)f > v ? nextafterf(f, -INFINITY) : f;
    if (op == OP_EQ || op == OP_NE) return NAN;
    int wants_above = op == OP_LT || op == OP_GE;
    return wants_above != is_first ? above : below;
}

static void write_comparison(struct kernel_text *k, int op, const int32_t arg[3], int constant) {
    double v = neighbour(scalar_f64(&node_at(k, arg[constant])->value), op, constant == 0);
    for (int i = 0; i < 2; i++) {
        if (i == constant)
            write_real(&k->t, AS_F32, v);
        else
            write_value(k, arg[i], AS_F32);
        text_add(&k->t, "%s", i == 0 ? " " : "");
        if (i == 0) text_add(&k->t, "%s ", op_table[op].name);
    }
}

/* A truth: of a FLAG or TRUTH op over values of which none is wide. */
static void write_test(struct kernel_text *k, int op, const int32_t arg[3]) {
    int constant = between_floats(k, op, arg);
    if (constant >= 0) {
        write_comparison(k, op, arg, constant);
        return;
    }
    enum carrier as = common_carrier(k, arg, op_table[op].nargs), all[3] = {as, as, as};
    write_expression(k, expression_in(op, as), arg, all);
}

static void write_wide_op(struct kernel_text *k, const struct node *node, const int32_t arg[3]) {
    int compares = op_table[node->kind].rule == RULE_FLAG;
    text_add(&k->t, "%s(", op_texts[node->kind].wide);
    for (int i = 0; i < 3; i++) {
        text_add(&k->t, "%s", i > 0 ? ", " : "");
        if (arg[i] < 0)
            text_add(&k->t, "scalar_of(0ull)");
        else
            write_value(k, arg[i], AS_WIDE);
    }
    text_add(&k->t, compares ? ").mag != 0" : ")");
}

static int has_wide(const struct kernel_text *k, const int32_t arg[3]) {
    for (int i = 0; i < 3; i++)
        if (arg[i] >= 0 && k->nodes[arg[i]].carrier == AS_WIDE) return 1;
    return 0;
}

static void write_op(struct kernel_text *k, const struct node *node, enum carrier as,
                     const int32_t arg[3]) {
    enum op_rule rule = op_table[node->kind].rule;
    if (as == AS_WIDE || has_wide(k, arg)) {
        write_wide_op(k, node, arg);
    } else if (rule == RULE_FLAG || rule == RULE_TRUTH) {
        write_test(k, node->kind, arg);
    } else {
        enum carrier all[3] = {as, as, as};
        if (node->kind == OP_SELECT || node->kind == OP_SIGN) all[0] = common_carrier(k, arg, 1);
        write_expression(k, expression_in(node->kind, as), arg, all);
    }
}

static void write_mask(struct kernel_text *k, const struct node *node, const int32_t arg[3]) {
    int32_t test[3] = {arg[1], arg[2], -1};
    if (arg[0] >= 0) text_add(&k->t, "m%d && ", (int)arg[0]);
    text_add(&k->t, "(");
    if (node->test != 0) {
        write_test(k, node->test, test);
        text_add(&k->t, ") != 0");
    } else {
        write_value(k, arg[1], common_carrier(k, &arg[1], 1));
        text_add(&k->t, ") != 0");
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

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
    text_add(&k->t, "    const %s %s%d = ", carrier_names[as], as == AS_MASK ? "m" : "v", (int)i);
    if (node->kind == NODE_CONSTANT)
        write_literal(&k->t, as, &node->value);
    else if (node->kind == NODE_MASK)
        write_mask(k, node, arg);
    else if (node->kind == NODE_TO_F64 || node->kind == NODE_TO_TRUTH)
        text_add(&k->t, "scalar_f64(&v%d)", (int)arg[0]);
    else
        write_op(k, node, as, arg);
    text_add(&k->t, ";\n");
    write_rounding(k, node, arg[0]);
}

/* ---- groups ---------------------------------------------------------------------------------- */

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

/* ---- the text -------------------------------------------------------------------------------- */

static int uses_header(const struct kernel_text *k, const char *header) {
    for (size_t i = 0; i < k->p->nnodes; i++) {
        int op = k->p->nodes[i].kind == NODE_MASK ? k->p->nodes[i].test : k->p->nodes[i].kind;
        int is_op = k->p->nodes[i].kind == NODE_MASK || k->p->nodes[i].kind < NOPS;
        if (!is_op || !k->nodes[i].wanted || op_costs[op].header == NULL) continue;
        if (strcmp(op_costs[op].header, header) != 0) continue;
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

void nodes_write_element(struct kernel_text *k) {
    enum dtype dtype = k->variant->dtype;
    const char *stored = dtype_texts[dtype].stored;
    static const char *const types[NDTYPES] = {
        [DTYPE_F16] = "float", [DTYPE_BF16] = "float", [DTYPE_F32] = "float", [DTYPE_F64] = "double",
        [DTYPE_I8] = "int",    [DTYPE_I16] = "int",    [DTYPE_I32] = "int",   [DTYPE_I64] = "i64",
        [DTYPE_U8] = "u32",    [DTYPE_U16] = "u32",    [DTYPE_U32] = "u32",   [DTYPE_U64] = "u64",
        [DTYPE_BOOL] = "u32"};
    text_add(&k->t, "typedef %s stored;\ntypedef %s element;\n\n", stored, types[dtype]);
    text_add(&k->t, "FN element element_of(stored bits) {\n");
    if (k->variant->swap && dtype_table[dtype].itemsize > 1)
        text_add(&k->t, "    bits = swapped(bits);\n");
    text_add(&k->t, "    return %s;\n}\n\n", dtype_texts[dtype].value);
}

void nodes_write_evaluate(struct kernel_text *k, int called) {
    text_add(&k->t, "struct values {\n");
    for (size_t i = 0; i < k->p->nnodes; i++) {
        int mask = k->nodes[i].carrier == AS_MASK;
        if (k->nodes[i].origin == (int32_t)i && is_member(k, (int32_t)i))
            text_add(&k->t, "    %s %s%zu;\n", carrier_names[k->nodes[i].carrier], mask ? "m" : "v", i);
    }
    text_add(&k->t,
             "    bool rounded;\n};\n\n%s void evaluate(element x, struct values &o) {\n"
             "    o.rounded = false;\n",
             called ? "static __device__ __noinline__" : "FN");
    for (size_t i = 0; i < k->p->nnodes; i++) {
        int32_t node = (int32_t)i;
        int kind = k->p->nodes[i].kind;
        if (!k->nodes[i].wanted || kind == NODE_COMPACT) continue;
        if (kind != NODE_CONSTANT || is_member(k, node)) write_node(k, node);
    }
    for (size_t i = 0; i < k->p->nnodes; i++) {
        const char *letter = k->nodes[i].carrier == AS_MASK ? "m" : "v";
        if (k->nodes[i].origin == (int32_t)i && is_member(k, (int32_t)i))
            text_add(&k->t, "    o.%s%zu = %s%zu;\n", letter, i, letter, i);
    }
    text_add(&k->t, "}\n\n");
}

unsigned nodes_cost(const struct kernel_text *k) {
    unsigned cost = 1;
    for (size_t i = 0; i < k->p->nnodes; i++) {
        int kind = k->p->nodes[i].kind;
        if (!k->nodes[i].wanted || kind == NODE_COMPACT || kind == NODE_CONSTANT) continue;
        unsigned own = kind < NOPS && k->nodes[i].carrier == AS_F64 ? op_costs[kind].cost : 1;
        cost += k->nodes[i].carrier == AS_WIDE ? 8 : own > 0 ? own : 1;
    }
    return cost;
}
