/* The loops of plain sums, extremes and counts: nothing is checked and nothing is exact. */
#include "block_plain.h"

#include <math.h>
#include <string.h>

#include "kernels.h"

/* One loop over all elements and one over those of a mask, each element to its lane. */
#define LOOP(name, identity, update)                                                                   \
    static void loop_##name(size_t n, const double *v, const uint8_t *mask, double *lane) {            \
        double l[PLAIN_LANES];                                                                         \
        size_t i = 0;                                                                                  \
        memcpy(l, lane, sizeof(l));                                                                    \
        for (; mask == NULL && i + PLAIN_LANES <= n; i += PLAIN_LANES)                                 \
            for (size_t k = 0; k < PLAIN_LANES; k++) {                                                 \
                const double x = v[i + k], a = l[k];                                                   \
                l[k] = (update);                                                                       \
            }                                                                                          \
        for (; mask != NULL && i + PLAIN_LANES <= n; i += PLAIN_LANES)                                 \
            for (size_t k = 0; k < PLAIN_LANES; k++) {                                                 \
                const double x = mask[i + k] ? v[i + k] : (identity), a = l[k];                        \
                l[k] = (update);                                                                       \
            }                                                                                          \
        for (size_t k = 0; i < n; i++, k++) {                                                          \
            const double x = mask == NULL || mask[i] ? v[i] : (identity), a = l[k];                    \
            l[k] = (update);                                                                           \
        }                                                                                              \
        memcpy(lane, l, sizeof(l));                                                                    \
    }

LOOP(sum, 0.0, a + x)
LOOP(squares, 0.0, a + x * x)
LOOP(product, 1.0, a *x)
LOOP(min, INFINITY, x < a || x != x ? x : a)
LOOP(max, -INFINITY, x > a || x != x ? x : a)
LOOP(nan, 0.0, a + (x != x ? 1.0 : 0.0))
LOOP(inf, 0.0, a + (fabs(x) == INFINITY ? 1.0 : 0.0))
LOOP(nonzero, 0.0, a + (x != 0 ? 1.0 : 0.0))

#define STORED_SUM(name, type, width, mask_bits)                                                       \
    static inline double name##_at(const unsigned char *bytes, size_t i, uint##width##_t keep) {       \
        uint##width##_t bits;                                                                          \
        type v;                                                                                        \
        memcpy(&bits, bytes + i * sizeof(bits), sizeof(bits));                                         \
        bits &= keep;                                                                                  \
        memcpy(&v, &bits, sizeof(v));                                                                  \
        return (double)v;                                                                              \
    }                                                                                                  \
    static void sum_##name(size_t n, const unsigned char *bytes, int magnitude, double *lane) {        \
        const uint##width##_t keep = magnitude ? (mask_bits) : UINT##width##_MAX;                      \
        double l[PLAIN_LANES];                                                                         \
        size_t i = 0;                                                                                  \
        memcpy(l, lane, sizeof(l));                                                                    \
        for (; i + PLAIN_LANES <= n; i += PLAIN_LANES)                                                 \
            for (size_t k = 0; k < PLAIN_LANES; k++)                                                   \
                l[k] += name##_at(bytes, i + k, keep);                                                 \
        for (size_t k = 0; i < n; i++, k++)                                                            \
            l[k] += name##_at(bytes, i, keep);                                                         \
        memcpy(lane, l, sizeof(l));                                                                    \
    }
STORED_SUM(f32, float, 32, UINT32_C(0x7fffffff))
STORED_SUM(f64, double, 64, UINT64_C(0x7fffffffffffffff))

const struct plain_kernels ISA_SYMBOL(plain_kernels) = {
    .loop =
        {
            [PLAIN_SUM] = loop_sum,
            [PLAIN_SQUARES] = loop_squares,
            [PLAIN_LOGS] = loop_sum,
            [PLAIN_PRODUCT] = loop_product,
            [PLAIN_MIN] = loop_min,
            [PLAIN_MAX] = loop_max,
            [PLAIN_NAN] = loop_nan,
            [PLAIN_INF] = loop_inf,
            [PLAIN_NONZERO] = loop_nonzero,
        },
    .sum_f32 = sum_f32,
    .sum_f64 = sum_f64,
};
