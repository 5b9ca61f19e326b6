/* Loops over one block that round nothing: elements brought into the machine's own form, exact integer
 * sums, counts.  Compiled once per instruction set. */
#ifndef BLOCK_INTEGERS_H
#define BLOCK_INTEGERS_H

#include "kernels.h"

struct integer_sums {
    int64_t sum;
    unsigned __int128 squares;
};

struct float_counts {
    size_t nan, posinf, neginf;
};

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
    size_t (*count_mask)(const uint8_t *mask, size_t n);
    /* out[i] = mask[i] ? v[i] : other */
    void (*blend)(const double *v, const uint8_t *mask, size_t n, double other, double *out);
};

#endif
