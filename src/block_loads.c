/* Loading stored elements into blocks of values: byte order, stride and conversion, all exact but for
 * 64-bit integers loaded as binary64, which are rounded to nearest even.
 *
 * One loop per type and kind of access, made by one macro each.  Contiguous elements have loops of
 * their own, with stride and byte order as constants, so that the compiler vectorises them. */
#include "float16.h"
#include "kernels.h"

#include <string.h>

static inline double f64_from_bits(uint64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof(v));
    return v;
}

static inline double f32_from_bits(uint32_t bits) {
    float v;
    memcpy(&v, &bits, sizeof(v));
    return (double)v;
}

static inline double bf16_from_bits(uint16_t bits) {
    return f32_from_bits((uint32_t)bits << 16);
}

static inline double f16_from_bits(uint16_t bits) {
    return f32_from_bits(f32_of_f16(bits));
}

#define SIGNED8(bits)  (int8_t)(bits)
#define SIGNED16(bits) (int16_t)(bits)
#define SIGNED32(bits) (int32_t)(bits)
#define SIGNED64(bits) (int64_t)(bits)
#define UNSIGNED(bits) (bits)
#define TRUTH(bits)    ((bits) != 0)
#define SWAP8(bits)    (bits)
#define SWAP16(bits)   __builtin_bswap16(bits)
#define SWAP32(bits)   __builtin_bswap32(bits)
#define SWAP64(bits)   __builtin_bswap64(bits)
#define ALWAYS_INLINE  static inline __attribute__((always_inline))

/* LOADER: load_NAME into binary64.  WIDE_LOADER: load_wide_NAME into magnitude and sign. */
#define LOADER(name, width, value)                                                                     \
    ALWAYS_INLINE void loop_##name(int swap, const unsigned char *src, size_t stride, size_t n,        \
                                   double *out) {                                                      \
        for (size_t i = 0; i < n; i++) {                                                               \
            uint##width##_t bits;                                                                      \
            memcpy(&bits, src + i * stride, sizeof(bits));                                             \
            if (swap) bits = SWAP##width(bits);                                                        \
            out[i] = (double)value(bits);                                                              \
        }                                                                                              \
    }                                                                                                  \
    static void load_##name(int swap, const unsigned char *src, size_t stride, size_t n,               \
                            double *out) {                                                             \
        if (stride == width / 8 && swap)                                                               \
            loop_##name(1, src, width / 8, n, out);                                                    \
        else if (stride == width / 8)                                                                  \
            loop_##name(0, src, width / 8, n, out);                                                    \
        else if (swap)                                                                                 \
            loop_##name(1, src, stride, n, out);                                                       \
        else                                                                                           \
            loop_##name(0, src, stride, n, out);                                                       \
    }

#define WIDE_LOADER(name, width, value, is_signed)                                                     \
    ALWAYS_INLINE void loop_wide_##name(int swap, const unsigned char *src, size_t stride, size_t n,   \
                                        uint64_t *mag, uint8_t *neg) {                                 \
        for (size_t i = 0; i < n; i++) {                                                               \
            uint##width##_t bits;                                                                      \
            memcpy(&bits, src + i * stride, sizeof(bits));                                             \
            if (swap) bits = SWAP##width(bits);                                                        \
            uint64_t v = (uint64_t)value(bits);                                                        \
            uint64_t minus = is_signed ? v >> 63 : 0;                                                  \
            neg[i] = (uint8_t)minus;                                                                   \
            mag[i] = (v ^ (0 - minus)) + minus;                                                        \
        }                                                                                              \
    }                                                                                                  \
    static void load_wide_##name(int swap, const unsigned char *src, size_t stride, size_t n,          \
                                 uint64_t *mag, uint8_t *neg) {                                        \
        if (stride == width / 8 && swap)                                                               \
            loop_wide_##name(1, src, width / 8, n, mag, neg);                                          \
        else if (stride == width / 8)                                                                  \
            loop_wide_##name(0, src, width / 8, n, mag, neg);                                          \
        else if (swap)                                                                                 \
            loop_wide_##name(1, src, stride, n, mag, neg);                                             \
        else                                                                                           \
            loop_wide_##name(0, src, stride, n, mag, neg);                                             \
    }

#define INTEGER_LOADERS(name, width, value, is_signed)                                                 \
    LOADER(name, width, value)                                                                         \
    WIDE_LOADER(name, width, value, is_signed)

LOADER(f16, 16, f16_from_bits)
LOADER(bf16, 16, bf16_from_bits)
LOADER(f32, 32, f32_from_bits)
LOADER(f64, 64, f64_from_bits)
INTEGER_LOADERS(i8, 8, SIGNED8, 1)
INTEGER_LOADERS(i16, 16, SIGNED16, 1)
INTEGER_LOADERS(i32, 32, SIGNED32, 1)
INTEGER_LOADERS(i64, 64, SIGNED64, 1)
INTEGER_LOADERS(u8, 8, UNSIGNED, 0)
INTEGER_LOADERS(u16, 16, UNSIGNED, 0)
INTEGER_LOADERS(u32, 32, UNSIGNED, 0)
INTEGER_LOADERS(u64, 64, UNSIGNED, 0)
INTEGER_LOADERS(bool, 8, TRUTH, 0)

const struct load_kernels ISA_SYMBOL(load_kernels) = {
    .f64 =
        {
            [DTYPE_F16] = load_f16,
            [DTYPE_BF16] = load_bf16,
            [DTYPE_F32] = load_f32,
            [DTYPE_F64] = load_f64,
            [DTYPE_I8] = load_i8,
            [DTYPE_I16] = load_i16,
            [DTYPE_I32] = load_i32,
            [DTYPE_I64] = load_i64,
            [DTYPE_U8] = load_u8,
            [DTYPE_U16] = load_u16,
            [DTYPE_U32] = load_u32,
            [DTYPE_U64] = load_u64,
            [DTYPE_BOOL] = load_bool,
        },
    .wide =
        {
            [DTYPE_I8] = load_wide_i8,
            [DTYPE_I16] = load_wide_i16,
            [DTYPE_I32] = load_wide_i32,
            [DTYPE_I64] = load_wide_i64,
            [DTYPE_U8] = load_wide_u8,
            [DTYPE_U16] = load_wide_u16,
            [DTYPE_U32] = load_wide_u32,
            [DTYPE_U64] = load_wide_u64,
            [DTYPE_BOOL] = load_wide_bool,
        },
};
