/* Enough CUDA to compile a kernel's text as C++ for the CPU, in blocks of one thread: included before
 * it.  Blocks run one after the other, so that an atomic operation is a plain one, a barrier nothing
 * and a shuffle the identity; shared memory is static, and filled with rubbish before each block.
 *
 * Compile with -fno-weak, so that all shared memory is in one section, and with -ffp-contract=off,
 * which makes numbers those of the device: the arithmetic is IEEE's, and what C leaves open (fmax of
 * two zeros) is as in the PTX manual.  What C does not define (integers of doubles that are too large,
 * shifts by too much) is left to the sanitizers to find. */
#ifndef EMULATE_H
#define EMULATE_H

#ifndef ONEPASS_EMULATED
#define ONEPASS_EMULATED 1
#endif

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __shared__      static __attribute__((section("onepass_shared")))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))

struct emulated_index {
    unsigned x, y, z;
};
static emulated_index blockIdx, gridDim = {1, 1, 1};

/* ---- vectors ------------------------------------------------------------------------------------ */

#define EMULATED_VECTORS(type, name, alignment)                                                        \
    struct __attribute__((aligned(2 * sizeof(type)))) name##2 {                                        \
        type x, y;                                                                                     \
    };                                                                                                 \
    struct __attribute__((aligned(alignment))) name##4 {                                               \
        type x, y, z, w;                                                                               \
    };                                                                                                 \
    static inline name##2 make_##name##2(type x, type y) {                                             \
        name##2 v = {x, y};                                                                            \
        return v;                                                                                      \
    }                                                                                                  \
    static inline name##4 make_##name##4(type x, type y, type z, type w) {                             \
        name##4 v = {x, y, z, w};                                                                      \
        return v;                                                                                      \
    }
EMULATED_VECTORS(int, int, 16)
EMULATED_VECTORS(unsigned, uint, 16)
EMULATED_VECTORS(long long, longlong, 16)
EMULATED_VECTORS(unsigned long long, ulonglong, 16)
EMULATED_VECTORS(float, float, 16)
EMULATED_VECTORS(double, double, 16)
#undef EMULATED_VECTORS

/* ---- memory ------------------------------------------------------------------------------------- */

template <class T> static inline T __ldg(const T *p) {
    return *p;
}
template <class T> static inline T __ldcs(const T *p) {
    return *p;
}
template <class T> static inline T __ldcg(const T *p) {
    return *p;
}
static inline void __threadfence() {
}
static inline void __threadfence_block() {
}

/* Copies to shared memory that are under way, those of the last group and of the one before: they come
 * as late as they may. */
static struct emulated_group {
    struct {
        uint4 *to;
        const uint4 *from;
    } copies[16];
    unsigned n;
} emulated_groups[2];

static inline void emulated_fetch(uint4 *to, const uint4 *from) {
    emulated_group *last = &emulated_groups[1];
    if (last->n == 16) abort();
    last->copies[last->n].to = to;
    last->copies[last->n++].from = from;
}
static inline void emulated_await_fetches() {
    for (unsigned k = 0; k < emulated_groups[0].n; k++)
        *emulated_groups[0].copies[k].to = *emulated_groups[0].copies[k].from;
    emulated_groups[0] = emulated_groups[1];
    emulated_groups[1].n = 0;
}

/* ---- a block of one ----------------------------------------------------------------------------- */

#if ONEPASS_THREADS == 1 /* else whoever includes this says what a block does together */

static const emulated_index threadIdx = {0, 0, 0}, blockDim = {ONEPASS_THREADS, 1, 1};
static const int warpSize = 1;

static inline void __syncthreads() {
}
static inline void __syncwarp(unsigned = 1) {
}
static inline int __syncthreads_or(int v) {
    return v != 0;
}
static inline int __syncthreads_and(int v) {
    return v != 0;
}
static inline int __syncthreads_count(int v) {
    return v != 0;
}
static inline unsigned __activemask() {
    return 1;
}
static inline int __any_sync(unsigned, int v) {
    return v != 0;
}
static inline int __all_sync(unsigned, int v) {
    return v != 0;
}
static inline unsigned __ballot_sync(unsigned, int v) {
    return v != 0;
}
template <class T> static inline T __shfl_sync(unsigned, T v, int, int = 1) {
    return v;
}
template <class T> static inline T __shfl_xor_sync(unsigned, T v, int, int = 1) {
    return v;
}
template <class T> static inline T __shfl_down_sync(unsigned, T v, unsigned, int = 1) {
    return v;
}
template <class T> static inline T __reduce_add_sync(unsigned, T v) {
    return v;
}
template <class T> static inline T __reduce_min_sync(unsigned, T v) {
    return v;
}
template <class T> static inline T __reduce_max_sync(unsigned, T v) {
    return v;
}
template <class T> static inline T __reduce_or_sync(unsigned, T v) {
    return v;
}

#define EMULATED_ATOMIC(name, result)                                                                  \
    template <class T> static inline T name(T *p, T v) {                                               \
        T old = *p;                                                                                    \
        *p = (result);                                                                                 \
        return old;                                                                                    \
    }
EMULATED_ATOMIC(atomicAdd, old + v)
EMULATED_ATOMIC(atomicMin, v < old ? v : old)
EMULATED_ATOMIC(atomicMax, v > old ? v : old)
EMULATED_ATOMIC(atomicOr, old | v)
EMULATED_ATOMIC(atomicAnd, old &v)
EMULATED_ATOMIC(atomicExch, v)
#undef EMULATED_ATOMIC

template <class T> static inline T atomicCAS(T *p, T expected, T v) {
    T old = *p;
    if (old == expected) *p = v;
    return old;
}

#endif

/* ---- bits ------------------------------------------------------------------------------------ */

template <class To, class From> static inline To emulated_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
static inline long long __double_as_longlong(double v) {
    return emulated_bits<long long>(v);
}
static inline double __longlong_as_double(long long v) {
    return emulated_bits<double>(v);
}
static inline int __float_as_int(float v) {
    return emulated_bits<int>(v);
}
static inline unsigned __float_as_uint(float v) {
    return emulated_bits<unsigned>(v);
}
static inline float __int_as_float(int v) {
    return emulated_bits<float>(v);
}
static inline float __uint_as_float(unsigned v) {
    return emulated_bits<float>(v);
}
static inline double __hiloint2double(int high, int low) {
    return emulated_bits<double>((uint64_t)(unsigned)high << 32 | (unsigned)low);
}
static inline int __double2hiint(double v) {
    return (int)(emulated_bits<uint64_t>(v) >> 32);
}
static inline int __double2loint(double v) {
    return (int)(unsigned)emulated_bits<uint64_t>(v);
}

static inline int __clz(int v) {
    return v ? __builtin_clz((unsigned)v) : 32;
}
static inline int __clzll(long long v) {
    return v ? __builtin_clzll((unsigned long long)v) : 64;
}
static inline int __ffs(int v) {
    return __builtin_ffs(v);
}
static inline int __ffsll(long long v) {
    return __builtin_ffsll(v);
}
static inline int __popc(unsigned v) {
    return __builtin_popcount(v);
}
static inline int __popcll(unsigned long long v) {
    return __builtin_popcountll(v);
}
static inline unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((uint64_t)a * b >> 32);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((uint64_t)high << 32 | low) << (shift & 31) >> 32);
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}

/* Each nibble of the selector picks a byte of y:x; its highest bit copies that byte's sign instead. */
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned result = 0;
    for (int k = 0; k < 4; k++) {
        unsigned pick = selector >> (4 * k) & 15, byte = (unsigned)(bytes >> (8 * (pick & 7))) & 255;
        if (pick & 8) byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * k);
    }
    return result;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* NaN loses; -0 < +0; two NaN make the canonical one. */
template <class T, class U> static inline T emulated_extreme(T a, T b, int highest, U nan_bits) {
    if (a != a && b != b) return emulated_bits<T>(nan_bits);
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return (signbit(a) != 0) == highest ? b : a;
    return (a > b) == highest ? a : b;
}
static inline float emulated_fmaxf(float a, float b) {
    return emulated_extreme(a, b, 1, 0x7fffffffu);
}
static inline float emulated_fminf(float a, float b) {
    return emulated_extreme(a, b, 0, 0x7fffffffu);
}
static inline double emulated_fmax(double a, double b) {
    return emulated_extreme(a, b, 1, 0x7fffffffffffffffull);
}
static inline double emulated_fmin(double a, double b) {
    return emulated_extreme(a, b, 0, 0x7fffffffffffffffull);
}
#define fmaxf emulated_fmaxf
#define fminf emulated_fminf
#define fmax  emulated_fmax
#define fmin  emulated_fmin

#define EMULATED_MIN_MAX(type)                                                                         \
    static inline type min(type a, type b) {                                                           \
        return b < a ? b : a;                                                                          \
    }                                                                                                  \
    static inline type max(type a, type b) {                                                           \
        return a < b ? b : a;                                                                          \
    }
EMULATED_MIN_MAX(int)
EMULATED_MIN_MAX(unsigned)
EMULATED_MIN_MAX(long long)
EMULATED_MIN_MAX(unsigned long long)
#undef EMULATED_MIN_MAX
static inline float min(float a, float b) {
    return emulated_fminf(a, b);
}
static inline float max(float a, float b) {
    return emulated_fmaxf(a, b);
}
static inline double min(double a, double b) {
    return emulated_fmin(a, b);
}
static inline double max(double a, double b) {
    return emulated_fmax(a, b);
}

static inline double __dadd_rn(double a, double b) {
    return a + b;
}
static inline double __dsub_rn(double a, double b) {
    return a - b;
}
static inline double __dmul_rn(double a, double b) {
    return a * b;
}
static inline double __ddiv_rn(double a, double b) {
    return a / b;
}
static inline double __fma_rn(double a, double b, double c) {
    return fma(a, b, c);
}
static inline double __dsqrt_rn(double a) {
    return sqrt(a);
}
static inline double __ll2double_rn(long long v) {
    return (double)v;
}
static inline double __ull2double_rn(unsigned long long v) {
    return (double)v;
}

static inline void __trap() {
    abort();
}

/* ---- launching ------------------------------------------------------------------------------- */

extern "C" unsigned char __start_onepass_shared[] __attribute__((weak, visibility("hidden")));
extern "C" unsigned char __stop_onepass_shared[] __attribute__((weak, visibility("hidden")));

/* The grid of a kernel; one at a time, as shared memory is there once. */
extern "C" void onepass_emulate(void (*kernel)(struct onepass_launch), unsigned nblocks,
                                const struct onepass_launch *launch) {
    size_t shared = (size_t)(__stop_onepass_shared - __start_onepass_shared);
    gridDim.x = nblocks;
    for (blockIdx.x = 0; blockIdx.x < nblocks; blockIdx.x++) {
        if (shared > 0) memset(__start_onepass_shared, 0xA5, shared);
        kernel(*launch);
    }
}

#endif
