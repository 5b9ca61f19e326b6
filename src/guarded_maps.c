/* Maps for x86-64 without an instruction for fma: loops that vectorise, guarded by the processor's
 * flags.
 *
 * block_maps.portable.o computes fma without tests (OM_FMA_BY_FLAGS, onemath_fma.h), which is right
 * unless it raises the overflow or the underflow flag; block_maps.noflags.o tests the operands of every
 * fma, in scalar loops that take about twice as long (exp 158 ns an element, 73 by flags).  A block
 * goes through the first; if that raised a flag, once more in short pieces, and those that raise one
 * again through the second.  Both give the same bits where no flag is raised, so an element's result
 * depends on nothing but its value.
 *
 * Where such results are strewn over all pieces both ways are gone: with 1 result in 16 subnormal exp
 * takes 403 ns an element, 221 by tested operands alone. */
#ifdef __x86_64__
#include <immintrin.h>

#include "kernels.h"

#define PIECE  16
#define FLAGS  0x18 /* overflow and underflow, the latter only where the result is inexact */
#define STICKY 0x3f

extern const struct map_kernels map_kernels_portable, map_kernels_noflags;

/* The kernel is another file's, compiled with -fno-lto whatever the flags: no compiler moves its
 * arithmetic past the register's accesses. */
static int raises(map_kernel *kernel, size_t n, const double *a, const double *b, const double *c,
                  double *out) {
    _mm_setcsr(_mm_getcsr() & ~(unsigned)STICKY);
    kernel(n, a, b, c, out);
    return (_mm_getcsr() & FLAGS) != 0;
}

static void guarded(int op, size_t n, const double *a, const double *b, const double *c, double *out) {
    map_kernel *fast = map_kernels_portable.f64[op], *tested = map_kernels_noflags.f64[op];
    if (!raises(fast, n, a, b, c, out)) return;
    for (size_t i = 0; i < n; i += PIECE) {
        size_t length = n - i < PIECE ? n - i : PIECE;
        if (raises(fast, length, a + i, b + i, c + i, out + i))
            tested(length, a + i, b + i, c + i, out + i);
    }
}

#define OP(id, name, nargs, rule, flags, integer, expression, doc)                                     \
    static void guarded_##id(size_t n, const double *a, const double *b, const double *c,              \
                             double *out) {                                                            \
        guarded(OP_##id, n, a, b, c, out);                                                             \
    }
#include "ops.def"
#undef OP

static void mask_and(size_t n, const uint8_t *mask, const double *condition, uint8_t *out) {
    map_kernels_portable.mask(n, mask, condition, out);
}

/* Comparisons have no fma. */
#define NOTHING_FOR(id)
#define MASK_FOR(id)                                                                                   \
    static void mask_##id(size_t n, const uint8_t *mask, const double *a, const double *b,             \
                          uint8_t *out) {                                                              \
        map_kernels_portable.mask_of[OP_##id](n, mask, a, b, out);                                     \
    }
#define FOR_F64                                                    NOTHING_FOR
#define FOR_KEEP                                                   NOTHING_FOR
#define FOR_ARMS                                                   NOTHING_FOR
#define FOR_FLAG                                                   MASK_FOR
#define FOR_TRUTH                                                  MASK_FOR
#define OP(id, name, nargs, rule, flags, integer, expression, doc) FOR_##rule(id)
#include "ops.def"
#undef OP
#undef MASK_FOR
#define MASK_FOR(id) [OP_##id] = mask_##id,

const struct map_kernels map_kernels_guarded = {
    .f64 =
        {
#define OP(id, name, nargs, rule, flags, integer, expression, doc) guarded_##id,
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
#endif
