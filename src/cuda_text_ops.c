/* What the ops of the language are in CUDA, by the carrier of their arguments: the expression, the
 * header that has its functions, and what it costs. */
#include "cuda_text_parts.h"

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

const char *op_expression(int op, enum carrier as) {
    if (as == AS_WIDE) return op_texts[op].wide;
    if (as == AS_F32) return exact_texts[op].f32;
    if (as == AS_INT || as == AS_LONG) return exact_texts[op].integer;
    return op_texts[op].f64;
}

const char *op_header(int op) {
    return op_costs[op].header;
}

unsigned op_cost(int op) {
    return op_costs[op].cost;
}
