/* Map kernels: every op of ops.def as a loop over a block of binary64, and the loops over masks.
 *
 * Compiled once per instruction set (kernels.h), with flags under which the loops vectorise and which
 * change no bits: -O3 -fno-math-errno -fno-trapping-math.  Nothing here may read floating-point flags:
 * that is block_sums.c's, which is compiled without them. */
#include "kernels.h"

#include <math.h>

#include "maps_f64.h"

/* Arguments that an op does not have point to the first, so that loading them is harmless. */
#define OP(id, name, nargs, rule, flags, integer, expression, doc)                                     \
    static void f64_##id(size_t n, const double *pa, const double *pb, const double *pc,               \
                         double *restrict out) {                                                       \
        for (size_t i = 0; i < n; i++) {                                                               \
            const double a = pa[i], b = pb[i], c = pc[i];                                              \
            (void)b, (void)c;                                                                          \
            out[i] = (expression);                                                                     \
        }                                                                                              \
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

const struct map_kernels ISA_SYMBOL(map_kernels) = {
    .f64 =
        {
#define OP(id, name, nargs, rule, flags, integer, expression, doc) f64_##id,
#include "ops.def"
#undef OP
        },
    .mask = mask_and,
};
