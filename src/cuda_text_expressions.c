/* A node's value as an expression of those of its arguments: literals, ops, comparisons, masks. */
#include <math.h>
#include <string.h>

#include "cuda_text_parts.h"
#include "number.h"

/* ---- constants --------------------------------------------------------------------------------- */

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

void expression_write_literal(struct text *t, enum carrier as, const struct scalar *v) {
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

/* ---- arguments in their places ----------------------------------------------------------------- */

static int is_constant(const struct kernel_text *k, int32_t node) {
    return node_at(k, node)->kind == NODE_CONSTANT;
}

/* A node's value in a carrier that has it. */
static void write_value(struct kernel_text *k, int32_t node, enum carrier as) {
    enum carrier is = (enum carrier)k->nodes[node].carrier;
    if (is_constant(k, node))
        expression_write_literal(&k->t, as, &node_at(k, node)->value);
    else if (is == as)
        text_add(&k->t, "v%d", (int)node);
    else if (as == AS_WIDE && (is == AS_INT || is == AS_LONG))
        text_add(&k->t, "scalar_of((i64)v%d)", (int)node);
    else if (as == AS_WIDE)
        text_add(&k->t, "scalar_real(v%d)", (int)node);
    else
        text_add(&k->t, "(%s)v%d", carrier_names[as], (int)node);
}

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

/* ---- tests ------------------------------------------------------------------------------------- */

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
    write_expression(k, op_expression(op, as), arg, all);
}

/* ---- ops and masks ----------------------------------------------------------------------------- */

static void write_wide_op(struct kernel_text *k, const struct node *node, const int32_t arg[3]) {
    int compares = op_table[node->kind].rule == RULE_FLAG;
    text_add(&k->t, "%s(", op_expression(node->kind, AS_WIDE));
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

void expression_write_op(struct kernel_text *k, const struct node *node, enum carrier as,
                         const int32_t arg[3]) {
    enum op_rule rule = op_table[node->kind].rule;
    if (as == AS_WIDE || has_wide(k, arg)) {
        write_wide_op(k, node, arg);
    } else if (rule == RULE_FLAG || rule == RULE_TRUTH) {
        write_test(k, node->kind, arg);
    } else {
        enum carrier all[3] = {as, as, as};
        if (node->kind == OP_SELECT || node->kind == OP_SIGN) all[0] = common_carrier(k, arg, 1);
        write_expression(k, op_expression(node->kind, as), arg, all);
    }
}

void expression_write_mask(struct kernel_text *k, const struct node *node, const int32_t arg[3]) {
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
