/* The loops of inexact sums, extremes and counts: nothing is checked and nothing is exact. */
#include "block_inexact.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

/* Vectors of the compiler: of lanes in an array it would keep none in a register.  Half of the lanes
 * are in each of two; an instruction set with shorter registers takes several for one. */
#define HALF (INEXACT_LANES / 2)
typedef double vector __attribute__((vector_size(HALF * sizeof(double))));
typedef int64_t bits __attribute__((vector_size(HALF * sizeof(int64_t))));
typedef uint8_t bytes __attribute__((vector_size(HALF)));

#define SELECT(condition, a, b) ((vector)(((bits)(a) & (condition)) | ((bits)(b) & ~(condition))))
#define ONE_WHERE(condition)    ((vector)((bits)((vector){0} + 1.0) & (condition)))

/* *out = HALF values, `otherwise` where the mask is 0. */
static inline void load(vector *out, const double *v) {
    memcpy(out, v, sizeof(*out));
}

static inline void load_masked(vector *out, const double *v, const uint8_t *mask, double otherwise) {
    vector x;
    bytes b;
    memcpy(&x, v, sizeof(x));
    memcpy(&b, mask, sizeof(b));
    bits keep = __builtin_convertvector(b, bits) != 0;
    *out = SELECT(keep, x, (vector){0} + otherwise);
}

/* The last, fewer than INEXACT_LANES, values, and `otherwise` behind them. */
static void load_rest(double *out, size_t n, const double *v, const uint8_t *mask, double otherwise) {
    for (size_t k = 0; k < INEXACT_LANES; k++)
        out[k] = k < n && (mask == NULL || mask[k]) ? v[k] : otherwise;
}

/* One loop over all elements and one over those of a mask, each element to its lane; update is the new
 * value of lanes a with elements x. */
#define LOOP(name, identity, update)                                                                   \
    static inline void step_##name(vector *lanes, const vector *elements) {                            \
        const vector x = *elements, a = *lanes;                                                        \
        *lanes = (update);                                                                             \
    }                                                                                                  \
    static void loop_##name(size_t n, const double *v, const uint8_t *mask, double *lane) {            \
        double rest[INEXACT_LANES];                                                                    \
        vector l0, l1, x0, x1;                                                                         \
        size_t i = 0;                                                                                  \
        load(&l0, lane), load(&l1, lane + HALF);                                                       \
        for (; mask == NULL && i + INEXACT_LANES <= n; i += INEXACT_LANES) {                           \
            load(&x0, v + i), load(&x1, v + i + HALF);                                                 \
            step_##name(&l0, &x0), step_##name(&l1, &x1);                                              \
        }                                                                                              \
        for (; mask != NULL && i + INEXACT_LANES <= n; i += INEXACT_LANES) {                           \
            load_masked(&x0, v + i, mask + i, identity);                                               \
            load_masked(&x1, v + i + HALF, mask + i + HALF, identity);                                 \
            step_##name(&l0, &x0), step_##name(&l1, &x1);                                              \
        }                                                                                              \
        load_rest(rest, n - i, v + i, mask != NULL ? mask + i : NULL, identity);                       \
        load(&x0, rest), load(&x1, rest + HALF);                                                       \
        step_##name(&l0, &x0), step_##name(&l1, &x1);                                                  \
        memcpy(lane, &l0, sizeof(l0)), memcpy(lane + HALF, &l1, sizeof(l1));                           \
    }

LOOP(sum, 0.0, a + x)
LOOP(squares, 0.0, a + x * x)
LOOP(product, 1.0, a *x)
LOOP(min, INFINITY, SELECT((x < a) | (x != x), x, a))
LOOP(max, -INFINITY, SELECT((x > a) | (x != x), x, a))
LOOP(nan, 0.0, a + ONE_WHERE(x != x))
LOOP(inf, 0.0, a + ONE_WHERE((x == (double)INFINITY) | (x == -(double)INFINITY)))
LOOP(nonzero, 0.0, a + ONE_WHERE(x != 0.0))

/* Elements as they are stored: the sign is masked off, or nothing is. */
#define STORED_SUM(name, type, signed_bits, most)                                                      \
    typedef type type_##name __attribute__((vector_size(HALF * sizeof(type))));                        \
    typedef signed_bits bits_##name __attribute__((vector_size(HALF * sizeof(type))));                 \
    static inline void add_##name(vector *lanes, const unsigned char *at, signed_bits keep) {          \
        bits_##name stored;                                                                            \
        memcpy(&stored, at, sizeof(stored));                                                           \
        *lanes += __builtin_convertvector((type_##name)(stored & keep), vector);                       \
    }                                                                                                  \
    static void sum_##name(size_t n, const unsigned char *bytes, int magnitude, double *lane) {        \
        const signed_bits keep = magnitude ? (most) : -1;                                              \
        unsigned char rest[INEXACT_LANES * sizeof(type)] = {0};                                        \
        vector l0, l1;                                                                                 \
        size_t i = 0;                                                                                  \
        load(&l0, lane), load(&l1, lane + HALF);                                                       \
        for (; i + INEXACT_LANES <= n; i += INEXACT_LANES) {                                           \
            add_##name(&l0, bytes + i * sizeof(type), keep);                                           \
            add_##name(&l1, bytes + (i + HALF) * sizeof(type), keep);                                  \
        }                                                                                              \
        memcpy(rest, bytes + i * sizeof(type), (n - i) * sizeof(type));                                \
        add_##name(&l0, rest, keep), add_##name(&l1, rest + HALF * sizeof(type), keep);                \
        memcpy(lane, &l0, sizeof(l0)), memcpy(lane + HALF, &l1, sizeof(l1));                           \
    }
STORED_SUM(f32, float, int32_t, INT32_MAX)
STORED_SUM(f64, double, int64_t, INT64_MAX)

const struct inexact_kernels ISA_SYMBOL(inexact_kernels) = {
    .loop =
        {
            [INEXACT_SUM] = loop_sum,
            [INEXACT_SQUARES] = loop_squares,
            [INEXACT_LOGS] = loop_sum,
            [INEXACT_PRODUCT] = loop_product,
            [INEXACT_MIN] = loop_min,
            [INEXACT_MAX] = loop_max,
            [INEXACT_NAN] = loop_nan,
            [INEXACT_INF] = loop_inf,
            [INEXACT_NONZERO] = loop_nonzero,
        },
    .sum_f32 = sum_f32,
    .sum_f64 = sum_f64,
};
