/* An element: its bits and the value that they are, what values are asked, and where in the array it
 * stands. */
#ifndef ELEMENTS_CUH
#define ELEMENTS_CUH

#include "exact.cuh"
#include "seldom.cuh"
#ifdef ONEPASS_EMULATED
#include "float16.h"
#endif

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

#define FN static __device__ __forceinline__

/* ---- stored elements --------------------------------------------------------------------------- */

FN u8 swapped(u8 v) {
    return v;
}
FN u16 swapped(u16 v) {
    return (u16)(v << 8 | v >> 8);
}
FN u32 swapped(u32 v) {
    return __byte_perm(v, 0, 0x0123);
}
FN u64 swapped(u64 v) {
    return (u64)swapped((u32)v) << 32 | swapped((u32)(v >> 32));
}

/* Element c of 16 bytes; c is a constant once loops are unrolled. */
FN u32 word_of(const uint4 &v, int k) {
    return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
}
FN void pick(const uint4 &v, int c, u8 &out) {
    out = (u8)(word_of(v, c / 4) >> 8 * (c % 4));
}
FN void pick(const uint4 &v, int c, u16 &out) {
    out = (u16)(word_of(v, c / 2) >> 16 * (c % 2));
}
FN void pick(const uint4 &v, int c, u32 &out) {
    out = word_of(v, c);
}
FN void pick(const uint4 &v, int c, u64 &out) {
    out = (u64)word_of(v, 2 * c + 1) << 32 | word_of(v, 2 * c);
}
template <class B> FN void pick(const B &v, int, B &out) {
    out = v;
}

FN float f32(u32 bits) {
    return __uint_as_float(bits);
}
FN double f64(u64 bits) {
    return __longlong_as_double((i64)bits);
}

FN float f32_of_half(u16 bits) {
#ifdef ONEPASS_EMULATED
    return f32(f32_of_f16(bits));
#else
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(bits));
    return v;
#endif
}

/* ---- values ------------------------------------------------------------------------------------ */

FN bool is_finite(float v) {
    return fabsf(v) < f32(0x7f800000);
}
FN bool is_finite(double v) {
    return ((u32)((u64)__double_as_longlong(v) >> 32) & 0x7fffffff) < 0x7ff00000;
}
FN bool is_nan(float v) {
    return v != v;
}
FN bool is_nan(double v) {
    return v != v;
}
FN bool is_nan(i64) {
    return false;
}
FN bool is_nan(int) {
    return false;
}

template <class T> FN bool is_infinite(T v) {
    return !is_finite(v) && !is_nan(v);
}

/* Smaller and larger in the order of min and max: -0 < +0, a NaN is passed over. */
FN float lesser(float a, float b) {
#ifdef ONEPASS_EMULATED
    return fminf(a, b);
#else
    float v;
    asm("min.f32 %0, %1, %2;" : "=f"(v) : "f"(a), "f"(b));
    return v;
#endif
}
FN float greater(float a, float b) {
    return -lesser(-a, -b);
}

/* The ops of the language on values that a float has exactly; those of maps_f64.h. */
FN float f32_min(float a, float b) {
    return a != a ? a : b != b ? b : lesser(a, b);
}
FN float f32_max(float a, float b) {
    return a != a ? a : b != b ? b : greater(a, b);
}

/* The bits of the binary64 of a value, by integer work: where there is no fp64 unit to spare. */
FN u64 f64_bits(double v) {
    return (u64)__double_as_longlong(v);
}
FN u64 f64_bits(float v) {
    return seldom_f64_of_f32(__float_as_uint(v));
}
FN u64 f64_bits(i64 v) { /* |v| <= 2^53 */
    return seldom_f64_of_i64(v);
}
FN u64 f64_bits(int v) {
    return f64_bits((i64)v);
}

/* ---- where elements stand ---------------------------------------------------------------------- */

/* Of element number i of a launch, in the array. */
#ifdef ONEPASS_FORTRAN
static __device__ __noinline__ u64 index_of(const struct onepass_launch *L, u64 i) {
    u64 rest = L->first + i, step = 1, index = L->base;
    for (u64 d = 1; d < L->ndim; d++)
        step *= L->shape[d];
    for (u64 d = 0; d < L->ndim; d++) {
        index += rest % L->shape[d] * step;
        rest /= L->shape[d];
        if (d + 1 < L->ndim) step /= L->shape[d + 1];
    }
    return index;
}
#else
FN u64 index_of(const struct onepass_launch *L, u64 i) {
    return L->base + L->first + i;
}
#endif

/* A tile: elements first, first + 1 ... of the launch, as far as a thread has them. */
struct place {
    const struct onepass_launch *launch;
    u64 first;
    __device__ __forceinline__ u64 index(u32 at) const {
        return index_of(launch, first + at);
    }
};

#endif
