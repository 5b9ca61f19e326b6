/* Loops over blocks in integer arithmetic, which compilers vectorise as they are: block_integers.h. */
#include "block_integers.h"

#include <string.h>
#ifdef __F16C__
#include <immintrin.h>
#endif

#include "float16.h"

/* ---- native elements ------------------------------------------------------------------------- */

#define SAME(bits)   (bits)
#define SWAP16(bits) __builtin_bswap16(bits)
#define SWAP32(bits) __builtin_bswap32(bits)
#define SWAP64(bits) __builtin_bswap64(bits)

static inline uint32_t f32_of_bf16(uint16_t bits) {
    return (uint32_t)bits << 16;
}

static inline uint8_t truth(uint8_t bits) {
    return bits != 0;
}

#define NATIVE(name, in, swap, out_type, convert)                                                      \
    static void name(const unsigned char *src, size_t n, void *out) {                                  \
        out_type *to = out;                                                                            \
        for (size_t i = 0; i < n; i++) {                                                               \
            in bits;                                                                                   \
            memcpy(&bits, src + i * sizeof bits, sizeof bits);                                         \
            to[i] = convert((in)swap(bits));                                                           \
        }                                                                                              \
    }

NATIVE(swap_16, uint16_t, SWAP16, uint16_t, SAME)
NATIVE(swap_32, uint32_t, SWAP32, uint32_t, SAME)
NATIVE(swap_64, uint64_t, SWAP64, uint64_t, SAME)
NATIVE(from_bf16, uint16_t, SAME, uint32_t, f32_of_bf16)
NATIVE(from_swapped_bf16, uint16_t, SWAP16, uint32_t, f32_of_bf16)
NATIVE(from_bool, uint8_t, SAME, uint8_t, truth)

#ifdef __F16C__
static inline void eight_of_f16(const uint16_t *bits, float *to) {
    __m128i v;
    memcpy(&v, bits, sizeof v);
    _mm256_storeu_ps(to, _mm256_cvtph_ps(v));
}

static inline void all_of_f16(const unsigned char *src, size_t n, int swap, float *to) {
    uint16_t bits[8];
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(bits, src + 2 * i, sizeof bits);
        for (int k = 0; swap && k < 8; k++)
            bits[k] = SWAP16(bits[k]);
        eight_of_f16(bits, to + i);
    }
    for (; i < n; i++) {
        memcpy(bits, src + 2 * i, sizeof *bits);
        uint32_t wide = f32_of_f16(swap ? SWAP16(bits[0]) : bits[0]);
        memcpy(to + i, &wide, sizeof wide);
    }
}

static void from_f16(const unsigned char *src, size_t n, void *out) {
    all_of_f16(src, n, 0, out);
}

static void from_swapped_f16(const unsigned char *src, size_t n, void *out) {
    all_of_f16(src, n, 1, out);
}
#else
NATIVE(from_f16, uint16_t, SAME, uint32_t, f32_of_f16)
NATIVE(from_swapped_f16, uint16_t, SWAP16, uint32_t, f32_of_f16)
#endif

/* ---- integers -------------------------------------------------------------------------------- */

#define LOAD(type, v)                                                                                  \
    type v;                                                                                            \
    memcpy(&v, p + i * sizeof v, sizeof v)

/* sum_type holds MAX_STORED elements; value_type the magnitude of one. */
#define SUM(name, type, value_type, sum_type)                                                          \
    static int64_t sum_##name(const unsigned char *p, size_t n, int magnitude) {                       \
        sum_type sum = 0;                                                                              \
        if (magnitude)                                                                                 \
            for (size_t i = 0; i < n; i++) {                                                           \
                LOAD(type, v);                                                                         \
                value_type x = v;                                                                      \
                sum += x < 0 ? -x : x;                                                                 \
            }                                                                                          \
        else                                                                                           \
            for (size_t i = 0; i < n; i++) {                                                           \
                LOAD(type, v);                                                                         \
                sum += v;                                                                              \
            }                                                                                          \
        return sum;                                                                                    \
    }

#define EXTREMES(name, type, value_type)                                                               \
    static void extremes_##name(const unsigned char *p, size_t n, int magnitude, int64_t *min,         \
                                int64_t *max) {                                                        \
        size_t i = 0;                                                                                  \
        LOAD(type, first);                                                                             \
        if (magnitude) {                                                                               \
            value_type low = first, high;                                                              \
            high = low = low < 0 ? -low : low;                                                         \
            for (; i < n; i++) {                                                                       \
                LOAD(type, v);                                                                         \
                value_type x = v;                                                                      \
                x = x < 0 ? -x : x;                                                                    \
                low = x < low ? x : low;                                                               \
                high = x > high ? x : high;                                                            \
            }                                                                                          \
            *min = low, *max = high;                                                                   \
            return;                                                                                    \
        }                                                                                              \
        type low = first, high = first;                                                                \
        for (; i < n; i++) {                                                                           \
            LOAD(type, v);                                                                             \
            low = v < low ? v : low;                                                                   \
            high = v > high ? v : high;                                                                \
        }                                                                                              \
        *min = low, *max = high;                                                                       \
    }

/* Squares of magnitudes below 2^16. */
#define SMALL_SQUARES(name, type)                                                                      \
    static unsigned __int128 squares_##name(const unsigned char *p, size_t n) {                        \
        uint64_t sum = 0;                                                                              \
        for (size_t i = 0; i < n; i++) {                                                               \
            LOAD(type, v);                                                                             \
            sum += (uint32_t)v * (uint32_t)v;                                                          \
        }                                                                                              \
        return sum;                                                                                    \
    }

/* Of magnitudes to 2^32, in two halves. */
#define SQUARES(name, type)                                                                            \
    static unsigned __int128 squares_##name(const unsigned char *p, size_t n) {                        \
        uint64_t low = 0, high = 0;                                                                    \
        for (size_t i = 0; i < n; i++) {                                                               \
            LOAD(type, v);                                                                             \
            int64_t x = v;                                                                             \
            uint32_t magnitude = (uint32_t)(x < 0 ? -x : x);                                           \
            uint64_t square = (uint64_t)magnitude * magnitude;                                         \
            low += (uint32_t)square;                                                                   \
            high += square >> 32;                                                                      \
        }                                                                                              \
        return ((unsigned __int128)high << 32) + low;                                                  \
    }

#define NONZERO(name, type, count_type)                                                                \
    static size_t nonzero_##name(const unsigned char *p, size_t n) {                                   \
        count_type found = 0;                                                                          \
        for (size_t i = 0; i < n; i++) {                                                               \
            LOAD(type, v);                                                                             \
            found += v != 0;                                                                           \
        }                                                                                              \
        return (size_t)found;                                                                          \
    }

#define INTEGER(name, type, value_type, sum_type, SQUARES_MACRO)                                       \
    SUM(name, type, value_type, sum_type)                                                              \
    EXTREMES(name, type, value_type)                                                                   \
    SQUARES_MACRO(name, type)

INTEGER(i8, int8_t, int32_t, int32_t, SMALL_SQUARES)
INTEGER(i16, int16_t, int32_t, int32_t, SMALL_SQUARES)
INTEGER(i32, int32_t, int64_t, int64_t, SQUARES)
INTEGER(u8, uint8_t, int32_t, int32_t, SMALL_SQUARES)
INTEGER(u16, uint16_t, int32_t, int32_t, SMALL_SQUARES)
INTEGER(u32, uint32_t, int64_t, int64_t, SQUARES)
NONZERO(8, uint8_t, uint16_t)
NONZERO(16, uint16_t, uint16_t)
NONZERO(32, uint32_t, uint32_t)
NONZERO(f32, float, uint32_t)
NONZERO(f64, double, uint64_t)

/* ---- floating point, by its bits --------------------------------------------------------------- */

#define SPECIAL(name, type, signed_type, infinity, magnitude_bits)                                     \
    static size_t count_bits_##name(const unsigned char *p, size_t n, uint64_t bits) {                 \
        type found = 0;                                                                                \
        for (size_t i = 0; i < n; i++) {                                                               \
            LOAD(type, v);                                                                             \
            found += v == (type)bits;                                                                  \
        }                                                                                              \
        return (size_t)found;                                                                          \
    }                                                                                                  \
    static size_t count_nan_##name(const unsigned char *p, size_t n) {                                 \
        signed_type found = 0;                                                                         \
        for (size_t i = 0; i < n; i++) {                                                               \
            LOAD(signed_type, v);                                                                      \
            found += (v & magnitude_bits) > infinity;                                                  \
        }                                                                                              \
        return (size_t)found;                                                                          \
    }                                                                                                  \
    static void count_special_##name(const unsigned char *p, size_t n, struct float_counts *out) {     \
        signed_type nan = 0, posinf = 0, neginf = 0;                                                   \
        for (size_t i = 0; i < n; i++) {                                                               \
            LOAD(signed_type, v);                                                                      \
            nan += (v & magnitude_bits) > infinity;                                                    \
            posinf += v == infinity;                                                                   \
            neginf += (type)v == ((type)infinity | ~(type)magnitude_bits);                             \
        }                                                                                              \
        *out = (struct float_counts){(size_t)nan, (size_t)posinf, (size_t)neginf};                     \
    }

SPECIAL(f32, uint32_t, int32_t, INT32_C(0x7f800000), INT32_MAX)
SPECIAL(f64, uint64_t, int64_t, INT64_C(0x7ff0000000000000), INT64_MAX)

/* ---- bins ------------------------------------------------------------------------------------ */

/* Taking apart vectorises; additions to bins do not, so that they come after it. */
#define BIN_RUN 64

static void bin_f32(const unsigned char *p, size_t n, int magnitude, uint64_t *bins) {
    uint32_t keep = magnitude ? INT32_MAX : UINT32_MAX, bin[BIN_RUN];
    int32_t term[BIN_RUN];
    for (size_t m; n > 0; p += 4 * m, n -= m) {
        m = n < BIN_RUN ? n : BIN_RUN;
        for (size_t i = 0; i < m; i++) {
            LOAD(uint32_t, bits);
            bits &= keep;
            uint32_t exponent = bits >> 23 & 255, implicit = exponent != 0 ? UINT32_C(1) << 23 : 0;
            int32_t sign = (int32_t)bits >> 31, significand = (int32_t)((bits & 0x7fffff) | implicit);
            bin[i] = exponent * BIN_COPIES + (uint32_t)i % BIN_COPIES;
            term[i] = (significand ^ sign) - sign;
        }
        for (size_t i = 0; i < m; i++)
            bins[bin[i]] += (uint64_t)(int64_t)term[i];
    }
}

static void bin_squares_f32(const unsigned char *p, size_t n, uint64_t *bins) {
    uint32_t bin[BIN_RUN], term[BIN_RUN];
    for (size_t m; n > 0; p += 4 * m, n -= m) {
        m = n < BIN_RUN ? n : BIN_RUN;
        for (size_t i = 0; i < m; i++) {
            LOAD(uint32_t, bits);
            uint32_t exponent = bits >> 23 & 255, implicit = exponent != 0 ? UINT32_C(1) << 23 : 0;
            bin[i] = exponent * BIN_COPIES + (uint32_t)i % BIN_COPIES;
            term[i] = (bits & 0x7fffff) | implicit;
        }
        for (size_t i = 0; i < m; i++)
            bins[bin[i]] += (uint64_t)term[i] * term[i];
    }
}

#ifdef __AVX2__ /* shifts by different amounts in a vector */
#define BIN_F64 bin_f64
static void bin_f64(const unsigned char *p, size_t n, int magnitude, uint64_t *bins) {
    const uint64_t fraction = (UINT64_C(1) << 52) - 1, half = (UINT64_C(1) << BIN_HALF) - 1;
    uint64_t keep = magnitude ? INT64_MAX : UINT64_MAX, bin[BIN_RUN], low[BIN_RUN], high[BIN_RUN];
    for (size_t m; n > 0; p += 8 * m, n -= m) {
        m = n < BIN_RUN ? n : BIN_RUN;
        for (size_t i = 0; i < m; i++) {
            LOAD(uint64_t, bits);
            bits &= keep;
            uint64_t exponent = bits >> 52 & 2047, tiny = exponent == 0;
            uint64_t significand = (bits & fraction) | (tiny ? 0 : fraction + 1);
            significand = exponent == 2047 ? 0 : significand;
            uint64_t sign = 0 - (bits >> 63), shift = (exponent + tiny) % 32;
            uint64_t lower = significand << shift & half, upper = significand >> (BIN_HALF - shift);
            bin[i] = (exponent / 32 * BIN_COPIES + i % BIN_COPIES) * 2;
            low[i] = (lower ^ sign) - sign;
            high[i] = (upper ^ sign) - sign;
        }
        for (size_t i = 0; i < m; i++) {
            bins[bin[i]] += low[i];
            bins[bin[i] + 1] += high[i];
        }
    }
}
#else
#define BIN_F64 NULL
#endif

/* ---- masks ----------------------------------------------------------------------------------- */

static size_t count_mask(const uint8_t *mask, size_t n) {
    uint32_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += mask[i] != 0;
    return found;
}

/* ---- the table ------------------------------------------------------------------------------- */

#define INTEGER_TYPES(table)                                                                           \
    {                                                                                                  \
        [DTYPE_I8] = table##_i8, [DTYPE_I16] = table##_i16, [DTYPE_I32] = table##_i32,                 \
        [DTYPE_U8] = table##_u8, [DTYPE_U16] = table##_u16, [DTYPE_U32] = table##_u32                  \
    }

const struct integer_kernels ISA_SYMBOL(integer_kernels) = {
    .native = {[DTYPE_F16] = from_f16, [DTYPE_BF16] = from_bf16, [DTYPE_BOOL] = from_bool},
    .swapped =
        {
            [DTYPE_F16] = from_swapped_f16,
            [DTYPE_BF16] = from_swapped_bf16,
            [DTYPE_F32] = swap_32,
            [DTYPE_F64] = swap_64,
            [DTYPE_I16] = swap_16,
            [DTYPE_I32] = swap_32,
            [DTYPE_U16] = swap_16,
            [DTYPE_U32] = swap_32,
            [DTYPE_BOOL] = from_bool,
        },
    .sum = INTEGER_TYPES(sum),
    .squares = INTEGER_TYPES(squares),
    .extremes = INTEGER_TYPES(extremes),
    .nonzero =
        {
            [DTYPE_F32] = nonzero_f32,
            [DTYPE_F64] = nonzero_f64,
            [DTYPE_I8] = nonzero_8,
            [DTYPE_I16] = nonzero_16,
            [DTYPE_I32] = nonzero_32,
            [DTYPE_U8] = nonzero_8,
            [DTYPE_U16] = nonzero_16,
            [DTYPE_U32] = nonzero_32,
        },
    .count_nan = {[DTYPE_F32] = count_nan_f32, [DTYPE_F64] = count_nan_f64},
    .count_bits = {[DTYPE_F32] = count_bits_f32, [DTYPE_F64] = count_bits_f64},
    .count_special = {[DTYPE_F32] = count_special_f32, [DTYPE_F64] = count_special_f64},
    .bin_f32 = bin_f32,
    .bin_squares_f32 = bin_squares_f32,
    .bin_f64 = BIN_F64,
    .count_mask = count_mask,
};
