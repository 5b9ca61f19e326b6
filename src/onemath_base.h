/* The ground of onemath.h: which compilers, bits of doubles, selection, and sums, products, quotients
 * and roots of double-doubles.
 *
 * The same source is C for every CPU (gcc and clang vectorise loops over it) and CUDA for nvcc and
 * NVRTC, and fixes the bits of every result.  The rules that make it so, for all of onemath_*.h:
 *  - only + - * / sqrt fma, casts of bits, + - * & | ^ << and logical >> on 64-bit integers,
 * comparisons, selection and table loads: IEEE 754 and modular arithmetic define each exactly. Compiled
 * with -ffp-contract=off (CUDA: --fmad=false), round to nearest, subnormals kept, never -ffast-math;
 *  - no branches, calls, loops or conversions between 64-bit integers and doubles outside the functions
 *    marked OM_SLOW (AVX2 lacks the conversions and the arithmetic >>): an integer k comes from
 *    x + 1.5 * 2^52, whose low bits are k, and 2^k is its exponent field, k << 52;
 *  - a result ends as a sum h + l of two doubles, and that addition is the only rounding that counts.
 * Of a NaN result only that it is one is fixed: its sign and payload differ between machines. */
#ifndef ONEMATH_BASE_H
#define ONEMATH_BASE_H

#ifdef __CUDACC__
#define OM_FN   static __host__ __device__ __forceinline__
#define OM_SLOW static __host__ __device__ __noinline__
#else
#include <math.h>   /* fma, sqrt: each is one instruction where the CPU has it */
#include <string.h> /* memcpy */
#define OM_FN   static inline __attribute__((always_inline))
#define OM_SLOW static __attribute__((noinline, unused))
#endif
#ifdef __CUDA_ARCH__
#define OM_TABLE static __device__ const
#else
#define OM_TABLE static const
#endif
#if defined(__x86_64__) && !defined(__AVX2__) && !defined(__CUDACC__)
#define OM_SSE2 1
#endif
#define om_sqrt sqrt

typedef unsigned long long om_u64;

/* The unevaluated sum h + l, |l| small against |h|. */
typedef struct {
    double h, l;
} om_dd;

#define OM_INF   om_double(0x7FF0000000000000ull)
#define OM_NAN   om_double(0x7FF8000000000000ull)
#define OM_SIGN  0x8000000000000000ull
#define OM_ROUND 0x1.8p52 /* the low bits of x + this are rint(x), for |x| < 2^51 */

/* ---- bits -------------------------------------------------------------------------------------- */

#ifdef __CUDA_ARCH__
OM_FN om_u64 om_bits(double x) {
    return (om_u64)__double_as_longlong(x);
}
OM_FN double om_double(om_u64 u) {
    return __longlong_as_double((long long)u);
}
#else
OM_FN om_u64 om_bits(double x) {
    om_u64 u;
    memcpy(&u, &x, sizeof u);
    return u;
}
OM_FN double om_double(om_u64 u) {
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}
#endif

OM_FN double om_abs(double x) {
    return om_double(om_bits(x) & ~OM_SIGN);
}

/* x with its sign turned where `sign` is OM_SIGN, not where it is 0. */
OM_FN double om_flip(double x, om_u64 sign) {
    return om_double(om_bits(x) ^ sign);
}

/* c ? a : b, c = 0 or 1.  gcc splits paths at a ?: with constants, and then computes everything twice
 * or leaves the loop scalar: it gets masks, but for SSE2, where it makes no mask of a comparison. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__) && !defined(OM_SSE2)
OM_FN double om_pick(int c, double a, double b) {
    om_u64 mask = 0 - (om_u64)c;
    return om_double((om_bits(a) & mask) | (om_bits(b) & ~mask));
}
#else
OM_FN double om_pick(int c, double a, double b) {
    return c ? a : b;
}
#endif

/* A choice made more than once: om_choose(om_less(x, y), a, b) is x < y ? a : b, for x and y whose
 * difference does not overflow; with a NaN one of the two.  SSE2 lacks the comparison of 64-bit
 * integers and gcc makes none of doubles there: a choice is a mask. */
#ifdef OM_SSE2
typedef om_u64 om_choice;
OM_FN om_choice om_less(double x, double y) {
    return 0 - (om_bits(x - y) >> 63);
}
OM_FN om_choice om_is_negative(om_u64 sign) { /* 0 or OM_SIGN */
    return 0 - (sign >> 63);
}
OM_FN double om_choose(om_choice c, double a, double b) {
    return om_double((om_bits(a) & c) | (om_bits(b) & ~c));
}
#else
typedef int om_choice;
OM_FN om_choice om_less(double x, double y) {
    return x < y;
}
OM_FN om_choice om_is_negative(om_u64 sign) {
    return sign != 0;
}
OM_FN double om_choose(om_choice c, double a, double b) {
    return om_pick(c, a, b);
}
#endif

/* q is even ? a : b */
OM_FN double om_pick_even(om_u64 q, double a, double b) {
#ifdef OM_SSE2
    return om_choose((q & 1) - 1, a, b);
#else
    return (q & 1) == 0 ? a : b;
#endif
}

#include "onemath_fma.h"

/* ---- double-double -----------------------------------------------------------------------------
 * The accuracies hold where the low parts are below about an ulp of the high ones: products of two low
 * parts are left out.  om_fast_sum(h, l) makes that of a larger l. */

OM_FN om_dd om_make(double h, double l) {
    om_dd r;
    r.h = h;
    r.l = l;
    return r;
}

/* a + b exactly, for |a| >= |b| or a = 0 (Dekker). */
OM_FN om_dd om_fast_sum(double a, double b) {
    double s = a + b;
    return om_make(s, b - (s - a));
}

/* a + b exactly, for any two (Knuth). */
OM_FN om_dd om_sum(double a, double b) {
    double s = a + b, t = s - a;
    return om_make(s, (a - (s - t)) + (b - t));
}

/* a + b, the low parts added with one rounding. */
OM_FN om_dd om_plus(double a, om_dd b) {
    om_dd s = om_sum(a, b.h);
    return om_make(s.h, s.l + b.l);
}

/* a * b to about 2^-104. */
OM_FN om_dd om_mul(om_dd a, om_dd b) {
    double p = a.h * b.h;
    return om_make(p, om_product_error(a.h, b.h, p) + om_fma(a.h, b.l, a.l * b.h));
}

/* n / d to about 2^-103: one division, and the residue of the quotient, which fma gives exactly but for
 * its last bit. */
OM_FN om_dd om_div(om_dd n, om_dd d) {
    double i = 1.0 / d.h, q = n.h * i;
    return om_make(q, (om_fma(-q, d.h, n.h) + om_fma(-q, d.l, n.l)) * i);
}

/* The root of w, w.h >= 0, by one Newton step from the rounded one; the root of 0 is 0. */
OM_FN om_dd om_sqrt_dd(om_dd w) {
    double r = om_sqrt(w.h), d = 2.0 * r;
    return om_make(r, (om_fma(-r, r, w.h) + w.l) / om_pick(d > 0, d, 1.0));
}

#endif
