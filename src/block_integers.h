/* Loops over one block that round nothing: elements brought into the machine's own form, exact integer
 * sums, counts.  Compiled once per instruction set. */
#ifndef BLOCK_INTEGERS_H
#define BLOCK_INTEGERS_H

#include "kernels.h"

struct float_counts {
    size_t nan, posinf, neginf;
};

/* Bins by exponent, in two's complement.  Successive elements go to different copies, so that no
 * addition waits for the one before; what NaN and Inf add is not read, or 0.
 *
 *   binary32   bin[exponent * BIN_COPIES + copy] takes significands of 24 bits, or their squares of 48
 *   binary64   bin[(exponent / 32 * BIN_COPIES + copy) * 2 + half]: a significand shifted left by
 *              max(exponent, 1) % 32, its lowest BIN_HALF bits in half 0, the others, as many at most,
 *              in half 1 */
#define BIN_COPIES 4
#define BIN_HALF   42
#define BINS_F32   (256 * BIN_COPIES)
#define BINS_F64   (64 * BIN_COPIES * 2)

/* Elements lie one after the other at any alignment.  Of a block, at most MAX_STORED (state.h). */
struct integer_kernels {
    /* Native elements out of stored ones; NULL: such are native as they are.  f16 and bf16 become f32,
     * bool becomes u8 (0 or 1), the others stay what they are. */
    void (*native[NDTYPES])(const unsigned char *src, size_t n, void *out);
    void (*swapped[NDTYPES])(const unsigned char *src, size_t n, void *out);
    /* By native type; NULL where the type is no integer of at most 32 bits. */
    int64_t (*sum[NDTYPES])(const unsigned char *p, size_t n, int magnitude);
    unsigned __int128 (*squares[NDTYPES])(const unsigned char *p, size_t n);
    void (*extremes[NDTYPES])(const unsigned char *p, size_t n, int magnitude, int64_t *min,
                              int64_t *max); /* n > 0 */
    size_t (*nonzero[NDTYPES])(const unsigned char *p, size_t n);
    /* By native type, f32 and f64 only. */
    size_t (*count_nan[NDTYPES])(const unsigned char *p, size_t n);
    size_t (*count_bits[NDTYPES])(const unsigned char *p, size_t n, uint64_t bits); /* equal to these */
    void (*count_special[NDTYPES])(const unsigned char *p, size_t n, struct float_counts *out);
    void (*bin_f32)(const unsigned char *p, size_t n, int magnitude, uint64_t *bins);
    void (*bin_squares_f32)(const unsigned char *p, size_t n, uint64_t *bins);
    void (*bin_f64)(const unsigned char *p, size_t n, int magnitude,
                    uint64_t *bins); /* or NULL: slow */
    size_t (*count_mask)(const uint8_t *mask, size_t n);
};

#endif
