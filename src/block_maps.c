/* Map kernels: every op of ops.def as a loop over a block of binary64, and the loops over masks.
 *
 * Compiled once per instruction set (kernels.h), with flags under which the loops vectorise and which
 * change no bits: -O3 -fno-math-errno -fno-trapping-math.  Nothing here may read floating-point flags:
 * that is block_sums.c's, which is compiled without them.  tests/vectorised looks whether every loop is
 * vectorised, by the names of the functions. */
#include "kernels.h"
#include "maps_f64.h"

/* The loop computes `fast` for every lane and notes whether the condition held for one; only then a
 * second loop, again_ID, puts `slow` in the place of those lanes. */
#define RARE(condition, slow, fast)                                                                    \
    (AGAIN ? (condition) ? (slow) : out[i] : (rare |= (condition), (fast)))

/* Arguments that an op does not have point to the first, so that loading them is harmless. */
#define ARGUMENTS size_t n, const double *pa, const double *pb, const double *pc, double *restrict out
#define FOR_LANES(expression)                                                                          \
    for (size_t i = 0; i < n; i++) {                                                                   \
        const double a = pa[i], b = pb[i], c = pc[i];                                                  \
        (void)b, (void)c;                                                                              \
        out[i] = (expression);                                                                         \
    }
#define OP(id, name, nargs, rule, flags, integer, expression, doc)                                     \
    static __attribute__((noinline)) void again_##id(ARGUMENTS) {                                      \
        enum { AGAIN = 1 };                                                                            \
        om_u64 rare = 0;                                                                               \
        (void)rare;                                                                                    \
        FOR_LANES(expression)                                                                          \
    }                                                                                                  \
    static void f64_##id(ARGUMENTS) {                                                                  \
        enum { AGAIN = 0 };                                                                            \
        om_u64 rare = 0;                                                                               \
        FOR_LANES(expression)                                                                          \
        if (rare != 0) again_##id(n, pa, pb, pc, out);                                                 \
    }
#include "ops.def"
#undef OP

static void mask_and(size_t n, const uint8_t *mask, const double *condition, uint8_t *restrict out) {
    if (mask == NULL)
        for (size_t i = 0; i < n; i++)
            out[i] = condition[i] != 0;
    else
        for (size_t i = 0; i < n; i++)
            out[i] = (condition[i] != 0) & mask[i];
}

/* Conditions that only a mask wants never become numbers. */
#define NOTHING_FOR(id, expression)
#define MASK_FOR(id, expression)                                                                       \
    static void mask_##id(size_t n, const uint8_t *mask, const double *pa, const double *pb,           \
                          uint8_t *restrict out) {                                                     \
        for (size_t i = 0; i < n; i++) {                                                               \
            const double a = pa[i], b = pb[i];                                                         \
            (void)b;                                                                                   \
            out[i] = (expression) != 0;                                                                \
        }                                                                                              \
        for (size_t i = 0; mask != NULL && i < n; i++)                                                 \
            out[i] &= mask[i];                                                                         \
    }
#define FOR_F64                                                    NOTHING_FOR
#define FOR_KEEP                                                   NOTHING_FOR
#define FOR_ARMS                                                   NOTHING_FOR
#define FOR_FLAG                                                   MASK_FOR
#define FOR_TRUTH                                                  MASK_FOR
#define OP(id, name, nargs, rule, flags, integer, expression, doc) FOR_##rule(id, expression)
#include "ops.def"
#undef OP
#undef MASK_FOR
#undef NOTHING_FOR
#define NOTHING_FOR(id)
#define MASK_FOR(id) [OP_##id] = mask_##id,

const struct map_kernels ISA_SYMBOL(map_kernels) = {
    .f64 =
        {
#define OP(id, name, nargs, rule, flags, integer, expression, doc) f64_##id,
#include "ops.def"
#undef OP
        },
    .mask = mask_and,
    .mask_of =
        {
#define OP(id, name, nargs, rule, flags, integer, expression, doc) FOR_##rule(id)
#include "ops.def"
#undef OP
        },
};
