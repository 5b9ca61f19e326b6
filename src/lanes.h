/* Vectors of binary64 and binary32 of the width of the instruction set that a file is compiled for, and
 * the few operations on them that neither gcc nor clang has in C.  Everything is inlined.
 *
 * The sticky inexact flag.  Compilers move additions past every function that reads it, fetestexcept
 * and _mm_getcsr included, so flags are touched by two asm statements that stand in the data flow:
 * lanes_clear_flags makes new pointers of those to the data, and lanes_raised makes new accumulators.
 * Between the two only loads, exact conversions and what may raise the flag; and every result of the
 * arithmetic between them must flow into the accumulators that lanes_raised takes: what is kept out of
 * it may be moved behind it.  The flags are left cleared and all else at default, which is what workers
 * run in (fp_guard.h). */
#ifndef LANES_H
#define LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
#define LANES 8
#elif defined(__AVX2__)
#define LANES 4
#else
#define LANES 2
#endif
#define HALVES (2 * LANES) /* binary32 of the same width */

#define INLINED static inline __attribute__((always_inline))

typedef double vd __attribute__((vector_size(8 * LANES)));
typedef int64_t vl __attribute__((vector_size(8 * LANES)));
typedef uint64_t vu __attribute__((vector_size(8 * LANES)));
typedef float vf __attribute__((vector_size(8 * LANES)));
typedef int32_t vi __attribute__((vector_size(8 * LANES)));

INLINED vd vd_load(const unsigned char *p) {
    vd v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINED vf vf_load(const unsigned char *p) {
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINED vd vd_all(double x) {
    return x - (vd){0}; /* keeps the sign of a zero */
}

INLINED vf vf_all(float x) {
    return x - (vf){0};
}

INLINED vd vd_and(vd a, vl mask) {
    return (vd)((vl)a & mask);
}

INLINED vf vf_and(vf a, vi mask) {
    return (vf)((vi)a & mask);
}

/* ---- x86-64 ---------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES_INEXACT 0x20
#define LANES_DEFAULT 0x1f80 /* all masked, nearest, subnormals kept, no flag raised */

INLINED void lanes_clear_flags(const unsigned char **data, const unsigned char **rest) {
    uint32_t csr = LANES_DEFAULT;
    __asm__ volatile("ldmxcsr %2" : "+r"(*data), "+r"(*rest) : "m"(csr) : "memory");
}

INLINED int lanes_raised(vd *a, vd *b) {
    uint32_t csr;
#ifdef __AVX512F__
    __asm__ volatile("vstmxcsr %0" : "=m"(csr), "+v"(*a), "+v"(*b) : : "memory");
#else
    __asm__ volatile("stmxcsr %0" : "=m"(csr), "+x"(*a), "+x"(*b) : : "memory");
#endif
    return (csr & LANES_INEXACT) != 0;
}

/* vd_min(x, y): x < y ? x : y, so y where x is NaN.  vd_quiet_rint rounds to integers, nearest even,
 * and raises nothing. */
#if defined(__AVX512F__)
#define X86_LANES(op) _mm512_##op
#define QUIET_RINT(x) _mm512_roundscale_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#elif defined(__AVX2__)
#define X86_LANES(op) _mm256_##op
#define QUIET_RINT(x) _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)
#else
#define X86_LANES(op) _mm_##op
#endif

INLINED vd vd_min(vd x, vd y) {
    return (vd)X86_LANES(min_pd)(x, y);
}
INLINED vd vd_max(vd x, vd y) {
    return (vd)X86_LANES(max_pd)(x, y);
}
INLINED vf vf_min(vf x, vf y) {
    return (vf)X86_LANES(min_ps)(x, y);
}
INLINED vf vf_max(vf x, vf y) {
    return (vf)X86_LANES(max_ps)(x, y);
}

#ifdef __FMA__
#define LANES_HAVE_FMA 1
INLINED vd vd_fma(vd a, vd b, vd c) {
    return (vd)X86_LANES(fmadd_pd)(a, b, c);
}
#endif

#ifdef QUIET_RINT
#define LANES_HAVE_QUIET_RINT 1
INLINED vd vd_quiet_rint(vd x) {
    return (vd)QUIET_RINT(x);
}
#endif

/* The lower and the upper half of v. */
#if defined(__AVX512F__)
INLINED vd vf_low(vf v) {
    return (vd)_mm512_cvtps_pd(_mm512_castps512_ps256(v));
}
INLINED vd vf_high(vf v) {
    return (vd)_mm512_cvtps_pd(_mm512_extractf32x8_ps(v, 1));
}
INLINED vd vd_load_floats(const unsigned char *p) {
    return (vd)_mm512_cvtps_pd(_mm256_loadu_ps((const float *)(const void *)p));
}
#elif defined(__AVX2__)
INLINED vd vf_low(vf v) {
    return (vd)_mm256_cvtps_pd(_mm256_castps256_ps128(v));
}
INLINED vd vf_high(vf v) {
    return (vd)_mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
}
INLINED vd vd_load_floats(const unsigned char *p) {
    return (vd)_mm256_cvtps_pd(_mm_loadu_ps((const float *)(const void *)p));
}
#else
INLINED vd vf_low(vf v) {
    return (vd)_mm_cvtps_pd(v);
}
INLINED vd vf_high(vf v) {
    return (vd)_mm_cvtps_pd(_mm_movehl_ps(v, v));
}
INLINED vd vd_load_floats(const unsigned char *p) {
    return (vd)_mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
#endif

/* NaN become zeros.  The smaller of x >= 0 and y, y where x is 0 or NaN. */
#if defined(__AVX512F__)
INLINED vd vd_drop_nan(vd v) {
    return (vd)_mm512_maskz_mov_pd(_mm512_cmp_pd_mask(v, v, _CMP_ORD_Q), v);
}
INLINED vf vf_drop_nan(vf v) {
    return (vf)_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(v, v, _CMP_ORD_Q), v);
}
INLINED vd vd_min_nonzero(vd x, vd y) {
    return (vd)_mm512_mask_min_pd(y, _mm512_test_epi64_mask((__m512i)x, (__m512i)x), x, y);
}
INLINED vf vf_min_nonzero(vf x, vf y) {
    return (vf)_mm512_mask_min_ps(y, _mm512_test_epi32_mask((__m512i)x, (__m512i)x), x, y);
}
#endif

/* vd_quiet_fma rounds to nearest and raises nothing.  lanes_done stands before lanes_raised, for one
 * more accumulator.  The least and the greatest of what is not NaN. */
#if defined(__AVX512F__)
#define LANES_HAVE_QUIET_FMA 1
INLINED vd vd_quiet_fma(vd a, vd b, vd c) {
    return (vd)_mm512_fmadd_round_pd(a, b, c, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
INLINED void lanes_done(vd *a) {
    __asm__ volatile("" : "+v"(*a) : : "memory");
}
INLINED float vf_least(vf v) {
    return _mm512_reduce_min_ps(v);
}
INLINED float vf_greatest(vf v) {
    return _mm512_reduce_max_ps(v);
}
#endif

/* ---- aarch64 --------------------------------------------------------------------------------- */

#elif defined(__aarch64__)
#include <arm_neon.h>

#define LANES_INEXACT 0x10

INLINED void lanes_clear_flags(const unsigned char **data, const unsigned char **rest) {
    uint64_t none = 0;
    __asm__ volatile("msr fpsr, %2" : "+r"(*data), "+r"(*rest) : "r"(none) : "memory");
}

INLINED int lanes_raised(vd *a, vd *b) {
    uint64_t flags;
    __asm__ volatile("mrs %0, fpsr" : "=r"(flags), "+w"(*a), "+w"(*b) : : "memory");
    return (flags & LANES_INEXACT) != 0;
}

INLINED vd vd_min(vd x, vd y) {
    return (vd)vbslq_f64((uint64x2_t)(x < y), (float64x2_t)x, (float64x2_t)y);
}
INLINED vd vd_max(vd x, vd y) {
    return (vd)vbslq_f64((uint64x2_t)(x > y), (float64x2_t)x, (float64x2_t)y);
}
INLINED vf vf_min(vf x, vf y) {
    return (vf)vbslq_f32((uint32x4_t)(x < y), (float32x4_t)x, (float32x4_t)y);
}
INLINED vf vf_max(vf x, vf y) {
    return (vf)vbslq_f32((uint32x4_t)(x > y), (float32x4_t)x, (float32x4_t)y);
}

#define LANES_HAVE_FMA 1
INLINED vd vd_fma(vd a, vd b, vd c) {
    return (vd)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
}

#define LANES_HAVE_QUIET_RINT 1
INLINED vd vd_quiet_rint(vd x) {
    return (vd)vrndnq_f64((float64x2_t)x);
}

INLINED vd vf_low(vf v) {
    return (vd)vcvt_f64_f32(vget_low_f32((float32x4_t)v));
}
INLINED vd vf_high(vf v) {
    return (vd)vcvt_high_f64_f32((float32x4_t)v);
}
INLINED vd vd_load_floats(const unsigned char *p) {
    float32x2_t v;
    memcpy(&v, p, sizeof v);
    return (vd)vcvt_f64_f32(v);
}

#else
#error "the vector operations of this architecture are missing here"
#endif

/* ---- all --------------------------------------------------------------------------------------- */

#ifndef __AVX512F__
INLINED vd vd_drop_nan(vd v) {
    return vd_and(v, v == v);
}
INLINED vf vf_drop_nan(vf v) {
    return vf_and(v, v == v);
}
INLINED vd vd_min_nonzero(vd x, vd y) {
    return vd_min((vd)((vl)x | (x == 0)), y); /* zeros become NaN */
}
INLINED vf vf_min_nonzero(vf x, vf y) {
    return vf_min((vf)((vi)x | (x == 0)), y);
}
#endif

#endif
