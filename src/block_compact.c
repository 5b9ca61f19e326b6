/* The lanes that a mask keeps, side by side.  Compiled once per instruction set. */
#include "kernels.h"

#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

/* No branch: whether a lane is kept is often as random as the data. */
static size_t compact_from(size_t from, size_t n, const uint8_t *mask, const unsigned char *v,
                           unsigned char *out, size_t kept) {
    for (size_t i = from; i < n; i++) {
        memcpy(out + 8 * kept, v + 8 * i, 8);
        kept += mask[i];
    }
    return kept;
}

#ifdef __AVX2__
/* Mask bytes, 0 or 1, to bits. */
static inline unsigned mask_bits(const uint8_t *mask, int nbytes) {
    long long bytes = 0;
    memcpy(&bytes, mask, (size_t)nbytes);
    return (unsigned)_mm_movemask_epi8(_mm_slli_epi16(_mm_cvtsi64_si128(bytes), 7));
}
#endif

#ifdef __AVX512F__
/* In a register: to memory, the instruction takes a hundred cycles on some machines. */
static size_t compact_blocks(size_t n, const uint8_t *mask, const unsigned char *v, unsigned char *out,
                             size_t *kept) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __mmask8 bits = (__mmask8)mask_bits(mask + i, 8);
        _mm512_storeu_si512(out + 8 * *kept,
                            _mm512_maskz_compress_epi64(bits, _mm512_loadu_si512(v + 8 * i)));
        *kept += (size_t)__builtin_popcount(bits);
    }
    return i;
}
#elif defined(__AVX2__)
/* Where the 32-bit halves of the kept lanes come from, by mask; what follows them is overwritten. */
#define LANE(k) 2 * (k), 2 * (k) + 1
#define KEEP(a, b, c, d)                                                                               \
    { LANE(a), LANE(b), LANE(c), LANE(d) }
static const int32_t halves[16][8] = {
    KEEP(0, 0, 0, 0), KEEP(0, 0, 0, 0), KEEP(1, 0, 0, 0), KEEP(0, 1, 0, 0),
    KEEP(2, 0, 0, 0), KEEP(0, 2, 0, 0), KEEP(1, 2, 0, 0), KEEP(0, 1, 2, 0),
    KEEP(3, 0, 0, 0), KEEP(0, 3, 0, 0), KEEP(1, 3, 0, 0), KEEP(0, 1, 3, 0),
    KEEP(2, 3, 0, 0), KEEP(0, 2, 3, 0), KEEP(1, 2, 3, 0), KEEP(0, 1, 2, 3),
};

static size_t compact_blocks(size_t n, const uint8_t *mask, const unsigned char *v, unsigned char *out,
                             size_t *kept) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        unsigned bits = mask_bits(mask + i, 4);
        __m256i lanes = _mm256_loadu_si256((const __m256i *)(v + 8 * i));
        __m256i order = _mm256_loadu_si256((const __m256i *)halves[bits]);
        _mm256_storeu_si256((__m256i *)(out + 8 * *kept), _mm256_permutevar8x32_epi32(lanes, order));
        *kept += (size_t)__builtin_popcount(bits);
    }
    return i;
}
#else
static size_t compact_blocks(size_t n, const uint8_t *mask, const unsigned char *v, unsigned char *out,
                             size_t *kept) {
    (void)n, (void)mask, (void)v, (void)out, (void)kept;
    return 0;
}
#endif

static size_t compact8(size_t n, const uint8_t *mask, const void *v, void *out) {
    size_t kept = 0, done = compact_blocks(n, mask, v, out, &kept);
    return compact_from(done, n, mask, v, out, kept);
}

static size_t compact1(size_t n, const uint8_t *mask, const uint8_t *v, uint8_t *out) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        out[kept] = v[i];
        kept += mask[i];
    }
    return kept;
}

const struct compact_kernels ISA_SYMBOL(compact_kernels) = {compact8, compact1};
