/* Map kernels in portable C: every op of ops.def as a loop over a block of binary64, and the few ops
 * that keep 64-bit integers exact as loops over sign and magnitude. */
#include "maps.h"

#include <math.h>
#include <string.h>

#include "maps_f64.h"

typedef void f64_kernel(size_t n, const double *pa, const double *pb, const double *pc, double *out);

/* Arguments that an op does not have point to the first, so that loading them is harmless. */
#define OP(id, name, nargs, rule, flags, expression, doc)                                              \
    static void f64_##id(size_t n, const double *pa, const double *pb, const double *pc,               \
                         double *out) {                                                                \
        for (size_t i = 0; i < n; i++) {                                                               \
            const double a = pa[i], b = pb[i], c = pc[i];                                              \
            (void)b, (void)c;                                                                          \
            out[i] = (expression);                                                                     \
        }                                                                                              \
    }
#include "ops.def"
#undef OP

static f64_kernel *const f64_kernels[NOPS] = {
#define OP(id, name, nargs, rule, flags, expression, doc) f64_##id,
#include "ops.def"
#undef OP
};

struct scalar map_lane(const struct operand *o, enum value_type type, size_t k) {
    struct scalar s = {(uint8_t)type, 0, 0, 0};
    if (o->mag != NULL) {
        s.mag = o->mag[k], s.neg = o->neg[k];
    } else if (type == TYPE_F64) {
        s.f = o->f64[k];
    } else {
        s.mag = (uint64_t)fabs(o->f64[k]), s.neg = o->f64[k] < 0;
    }
    return s;
}

/* A lane for comparing: a binary64 block may hold integers too, and compares the same. */
static struct scalar any_lane(const struct operand *o, size_t k) {
    return map_lane(o, o->mag != NULL ? TYPE_INT : TYPE_F64, k);
}

static int comparison_holds(int op, int order) {
    if (order == SCALAR_UNORDERED) return op == OP_NE;
    switch (op) {
    case OP_LT:
        return order < 0;
    case OP_LE:
        return order <= 0;
    case OP_GT:
        return order > 0;
    case OP_GE:
        return order >= 0;
    case OP_EQ:
        return order == 0;
    default:
        return order != 0;
    }
}

static void compare_exactly(int op, size_t n, const struct operand arg[3], double *out) {
    for (size_t i = 0; i < n; i++) {
        struct scalar a = any_lane(&arg[0], i), b = any_lane(&arg[1], i);
        out[i] = comparison_holds(op, scalar_compare(&a, &b));
    }
}

static struct scalar wide_unary(int op, struct scalar a) {
    struct scalar zero = {TYPE_INT, 0, 0, 0};
    switch (op) {
    case OP_NEG:
        a.neg = a.mag != 0 && !a.neg;
        return a;
    case OP_SIGN:
        a.mag = a.mag != 0;
        return a;
    case OP_RELU:
        return a.neg ? zero : a;
    default:
        a.neg = 0;
        return a; /* OP_ABS */
    }
}

static struct scalar wide_select(int op, const struct operand arg[3], size_t i) {
    if (op == OP_SELECT) return map_lane(&arg[arg[0].f64[i] != 0 ? 1 : 2], TYPE_INT, i);
    struct scalar a = map_lane(&arg[0], TYPE_INT, i), b = map_lane(&arg[1], TYPE_INT, i);
    int order = scalar_compare(&a, &b);
    if (op == OP_MIN) return order <= 0 ? a : b;
    struct scalar high = order >= 0 ? a : b;
    if (op == OP_MAX) return high;
    struct scalar limit = map_lane(&arg[2], TYPE_INT, i); /* OP_CLAMP: min(max(a, b), c) */
    return scalar_compare(&high, &limit) <= 0 ? high : limit;
}

static void map_wide(int op, size_t n, const struct operand arg[3], const struct operand *out) {
    int one = op == OP_ABS || op == OP_NEG || op == OP_SIGN || op == OP_RELU;
    for (size_t i = 0; i < n; i++) {
        struct scalar r =
            one ? wide_unary(op, map_lane(&arg[0], TYPE_INT, i)) : wide_select(op, arg, i);
        out->mag[i] = r.mag, out->neg[i] = r.neg;
    }
}

static size_t wide_to_f64(size_t n, const struct operand *a, const uint8_t *mask, double *out) {
    size_t rounded = 0;
    for (size_t i = 0; i < n; i++) {
        double v = (double)a->mag[i];
        out[i] = a->neg[i] ? -v : v;
        rounded += a->mag[i] > (UINT64_C(1) << 53) && (mask == NULL || mask[i]);
    }
    return rounded;
}

static void narrow_to_wide(size_t n, const double *a, const struct operand *out) {
    for (size_t i = 0; i < n; i++) {
        out->mag[i] = (uint64_t)fabs(a[i]), out->neg[i] = a[i] < 0;
    }
}

static void add_condition(size_t n, const uint8_t *mask, const double *condition, uint8_t *out) {
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)((condition[i] != 0) & (mask == NULL ? 1 : mask[i]));
}

static int any_wide(const struct operand arg[3]) {
    return arg[0].mag != NULL || arg[1].mag != NULL || arg[2].mag != NULL;
}

size_t map_node(const struct node *node, size_t n, const struct operand arg[3],
                const struct operand *out) {
    switch (node->kind) {
    case NODE_TO_F64: {
        size_t rounded = wide_to_f64(n, &arg[0], arg[1].mask, out->f64);
        return node->arg[1] == ROUNDING_UNSEEN ? 0 : rounded;
    }
    case NODE_TO_WIDE:
        narrow_to_wide(n, arg[0].f64, out);
        return 0;
    case NODE_MASK:
        add_condition(n, arg[0].mask, arg[1].f64, out->mask);
        return 0;
    default:
        break;
    }
    if (node->storage == STORE_WIDE) {
        map_wide(node->kind, n, arg, out);
    } else if (any_wide(arg)) {
        compare_exactly(node->kind, n, arg, out->f64);
    } else {
        const double *a = arg[0].f64;
        f64_kernels[node->kind](n, a, arg[1].f64 ? arg[1].f64 : a, arg[2].f64 ? arg[2].f64 : a,
                                out->f64);
    }
    return 0;
}

void map_fill(const struct operand *out, size_t n, const struct scalar *value) {
    for (size_t i = 0; i < n; i++) {
        if (out->mag != NULL)
            out->mag[i] = value->mag, out->neg[i] = value->neg;
        else
            out->f64[i] = scalar_f64(value);
    }
}
