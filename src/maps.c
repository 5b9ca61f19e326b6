/* One node over a block: binary64 by the kernels of block_maps.c, the ops that keep 64-bit integers
 * exact lane by lane. */
#include "maps.h"

#include <math.h>

#include "maps_integer.h"

#define none NULL /* lowering rounds the arguments */
static integer_op *const integer_ops[NOPS] = {
#define OP(id, name, nargs, rule, flags, integer, expression, doc) integer,
#include "ops.def"
#undef OP
};
#undef none

struct scalar map_lane(const struct operand *o, enum value_type type, size_t k) {
    struct scalar s = {(uint8_t)type, 0, 0, 0};
    if (o->mag != NULL) {
        s.type = TYPE_INT;
        s.mag = o->mag[k], s.neg = o->neg[k];
    } else if (o->f64 != NULL && type == TYPE_F64) {
        s.f = o->f64[k];
    } else if (o->f64 != NULL) {
        s.mag = (uint64_t)fabs(o->f64[k]), s.neg = o->f64[k] < 0;
    }
    return s;
}

/* Narrow integers compare as the binary64 they are carried in; other ops need them as integers, but for
 * a condition, which lowering made a binary64 of whatever value. */
static void map_integers(const struct node *node, size_t n, const struct operand arg[3],
                         const struct operand *out) {
    integer_op *apply = integer_ops[node->kind];
    enum value_type narrow = node->storage == STORE_WIDE ? TYPE_INT : TYPE_F64;
    enum value_type first = node->kind == OP_SELECT ? TYPE_F64 : narrow;
    for (size_t i = 0; i < n; i++) {
        struct scalar r = apply(map_lane(&arg[0], first, i), map_lane(&arg[1], narrow, i),
                                map_lane(&arg[2], narrow, i));
        if (out->mag != NULL)
            out->mag[i] = r.mag, out->neg[i] = r.neg;
        else
            out->f64[i] = (double)r.mag; /* of a FLAG op: 0 or 1 */
    }
}

static int to_f64(size_t n, const struct operand *a, double *out) {
    int large = 0;
    for (size_t i = 0; i < n; i++) {
        double v = (double)a->mag[i];
        out[i] = a->neg[i] ? -v : v;
        large |= a->mag[i] > MAP_EXACT_LIMIT;
    }
    return large;
}

/* Among the lanes of a mask. */
static int any_large(size_t n, const struct operand *a, const uint8_t *mask) {
    int large = 0;
    for (size_t i = 0; i < n; i++)
        large |= (a->mag[i] > MAP_EXACT_LIMIT) & mask[i];
    return large;
}

static int any_wide(const struct operand arg[3]) {
    return arg[0].mag != NULL || arg[1].mag != NULL || arg[2].mag != NULL;
}

int map_node(const struct map_kernels *kernels, const struct node *node, size_t n,
             const struct operand arg[3], const struct operand *out) {
    switch (node->kind) {
    case NODE_TO_F64:
        return to_f64(n, &arg[0], out->f64) &&
               (arg[1].mask == NULL || any_large(n, &arg[0], arg[1].mask));
    case NODE_TO_TRUTH:
        to_f64(n, &arg[0], out->f64);
        return 0;
    case NODE_MASK:
        if (node->test != 0)
            kernels->mask_of[node->test](n, arg[0].mask, arg[1].f64,
                                         arg[2].f64 != NULL ? arg[2].f64 : arg[1].f64, out->mask);
        else
            kernels->mask(n, arg[0].mask, arg[1].f64, out->mask);
        return 0;
    default:
        break;
    }
    if (node->storage == STORE_WIDE || any_wide(arg)) {
        map_integers(node, n, arg, out);
    } else {
        const double *a = arg[0].f64;
        kernels->f64[node->kind](n, a, arg[1].f64 ? arg[1].f64 : a, arg[2].f64 ? arg[2].f64 : a,
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
