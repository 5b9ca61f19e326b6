/* The accumulator of products in a thread's registers: src/product.c's state. */
#ifndef FUSED_LOG_CUH
#define FUSED_LOG_CUH

#include "fused.cuh"
#include "product_log.h"

struct product_sum {
    struct logs sum;
    u32 zeros, signs, negatives;

    __device__ __forceinline__ void begin() {
        sum.fraction = 0;
        sum.carries = 0;
        sum.whole = 0;
        zeros = signs = negatives = 0;
    }
    /* magnitude * 2^exponent, a finite value; or none (an infinity). */
    __device__ __forceinline__ void add_magnitude(u64 magnitude, int exponent, bool negative, bool finite) {
        signs += negative;
        negatives += negative && magnitude != 0;
        zeros += magnitude == 0;
        if (finite && magnitude != 0) add_log(&sum, magnitude, __clzll((i64)magnitude), exponent);
    }
    __device__ __forceinline__ void add(bool counts, double v) {
        u64 bits = f64_bits(v), fraction = bits & ((1ull << 52) - 1);
        int exponent = (int)(bits >> 52 & 2047);
        if (!counts || is_nan(v)) return;
        add_magnitude(exponent > 0 ? fraction | 1ull << 52 : fraction, (exponent > 0 ? exponent : 1) - 1075,
                      bits >> 63 != 0, exponent < 2047);
    }
#ifdef FUSED_WIDE_CUH
    __device__ __forceinline__ void add(bool counts, const struct scalar &v) {
        if (counts) add_magnitude(v.mag, 0, v.neg != 0, true);
    }
#endif
    /* Words are unsigned digits of radix 2^32 that take sums; a negative number's go on with ones. */
    __device__ __forceinline__ void give(u64 *words) {
        for (int k = 0; k < 4; k++)
            seldom_add(words + k, (u64)(sum.fraction >> 32 * k) & 0xffffffff);
        i64 whole = block_sum(sum.whole + (i64)sum.carries);
        for (int k = threadIdx.x; k < 4; k += ONEPASS_THREADS) {
            u64 digit = k < 2 ? (u64)(whole >> 32 * k) & 0xffffffff : whole < 0 ? 0xffffffff : 0;
            if (digit != 0) atomicAdd(words + 4 + k, digit);
        }
        seldom_add(words + LOG_LIMBS, zeros);
        seldom_add(words + LOG_LIMBS + 1, signs);
        seldom_add(words + LOG_LIMBS + 2, negatives);
    }
};

#endif
