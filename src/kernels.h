/* Block kernels: the loops over blocks of elements, compiled once per instruction set, and the choice
 * among those that this CPU has.  All give the same bits.
 *
 *   block_loads.c     stored elements -> binary64, or sign and magnitude
 *   block_maps.c      ops over blocks of binary64, masks (guarded_maps.c: x86-64 without fma)
 *   block_compact.c   elements that a mask keeps, side by side
 *   block_integers.c  native elements, exact sums of integers, counts (block_integers.h)
 *   block_sums.c      exact sums of floating point (block_sums.h)
 *   block_stats.c     the same with squares and extremes (block_stats.h)
 *   block_inexact.c     sums that round, extremes and counts, for comparison (block_inexact.h)
 *
 * Each is compiled with ISA defined as one of the names below and defines one table, NAME_ISA. */
#ifndef KERNELS_H
#define KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "dtype.h"
#include "ops.h"

#define ISA_JOIN2(name, isa) name##_##isa
#define ISA_JOIN(name, isa)  ISA_JOIN2(name, isa)
#define ISA_SYMBOL(name)     ISA_JOIN(name, ISA)

/* Load n elements, `stride` bytes apart, from src (any alignment); swap: stored in the other byte
 * order.  64-bit integers loaded as binary64 are rounded; everything else is exact. */
typedef void load_kernel(int swap, const unsigned char *src, size_t stride, size_t n, double *out);
typedef void wide_kernel(int swap, const unsigned char *src, size_t stride, size_t n, uint64_t *mag,
                         uint8_t *neg);

struct load_kernels {
    load_kernel *f64[NDTYPES];
    wide_kernel *wide[NDTYPES]; /* integer types only */
};

/* out[i] = op(a[i], b[i], c[i]), i < n; arguments that the op does not have may be any n values.  out
 * is none of the arguments. */
typedef void map_kernel(size_t n, const double *a, const double *b, const double *c, double *out);

struct map_kernels {
    map_kernel *f64[NOPS];
    /* out[i] = 1 where condition[i] != 0 (NaN is) and mask[i] (NULL: everywhere), else 0. */
    void (*mask)(size_t n, const uint8_t *mask, const double *condition, uint8_t *out);
    /* The same with the op's result as the condition; of FLAG and TRUTH ops only. */
    void (*mask_of[NOPS])(size_t n, const uint8_t *mask, const double *a, const double *b,
                          uint8_t *out);
};

/* The elements that a mask of 0 and 1 keeps, one after the other; their number.  out takes n elements,
 * those behind the kept ones are undefined. */
struct compact_kernels {
    size_t (*of8)(size_t n, const uint8_t *mask, const void *v, void *out); /* 8 bytes each */
    size_t (*of1)(size_t n, const uint8_t *mask, const uint8_t *v, uint8_t *out);
};

struct integer_kernels; /* block_integers.h */
struct sum_kernels;     /* block_sums.h */
struct stats_kernels;   /* block_stats.h */
struct inexact_kernels; /* block_inexact.h */

struct kernels {
    const char *name; /* "avx2": what ONEPASS_CPU says and the JSON record shows as isa */
    const struct load_kernels *loads;
    const struct map_kernels *maps;
    const struct compact_kernels *compact;
    const struct integer_kernels *integers;
    const struct sum_kernels *sums;
    const struct stats_kernels *stats;
    const struct inexact_kernels *inexact;
};

/* The kernels of a name, or of the best instruction set that this CPU has (NULL).  A name that is none:
 * ONEPASS_BAD_ARGUMENT; what this CPU cannot run: ONEPASS_NO_DEVICE. */
int kernels_find(const char *name, const struct kernels **out, onepass_error *err);

/* Those that every CPU of this architecture runs, with maps that read no flags; for single values. */
extern const struct kernels kernels_portable;

#endif
