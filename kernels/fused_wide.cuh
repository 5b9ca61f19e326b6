/* Accumulators of 64-bit integers with a sign (struct scalar of src/scalar.h, TYPE_INT). */
#ifndef FUSED_WIDE_CUH
#define FUSED_WIDE_CUH

#include "fused.cuh"
#include "maps_integer.h"

#define UNIT_OF_SUMS    1074 /* position of 1 in limbs */
#define UNIT_OF_SQUARES 2148

FN struct scalar scalar_of(u64 magnitude, bool negative) {
    struct scalar s = {TYPE_INT, (uint8_t)negative, magnitude, 0};
    return s;
}
FN struct scalar scalar_of(i64 v) {
    return scalar_of(v < 0 ? 0 - (u64)v : (u64)v, v < 0);
}
FN struct scalar scalar_of(u64 v) {
    return scalar_of(v, false);
}
FN struct scalar scalar_real(double v) {
    struct scalar s = {TYPE_F64, 0, 0, v};
    return s;
}
FN bool is_nan(const struct scalar &) {
    return false;
}

template <> struct is_wide<struct scalar> {
    enum { value = 1 };
};

template <> struct ordered<struct scalar> {
    typedef wide_key key;
    FN wide_key none() {
        wide_key k = {NONE, NONE};
        return k;
    }
    FN wide_key of(const struct scalar &v) {
        wide_key k = {v.neg ? 1ull : 2ull, v.neg ? ~v.mag : v.mag}; /* no complement of one is none() */
        return k;
    }
    FN u64 bits(wide_key k) {
        return k.high == 1 ? ~k.low : k.low;
    }
};

template <> struct slot_of<struct scalar> {
    FN wide_key key(const u64 *slot) {
        return ordered<struct scalar>::of(scalar_of(slot[1], (slot[0] & SLOT_NEGATIVE) != 0));
    }
    FN wide_key key(wide_key k) {
        return k;
    }
    FN void write(u64 *slot, wide_key k, u64 index) {
        slot[1] = ordered<struct scalar>::bits(k);
        slot[2] = index;
        slot[0] = SLOT_VALID | (k.high == 1 ? SLOT_NEGATIVE : 0);
    }
};

/* Without an index, but in a slot: MIN and MAX do not fit a word. */
FN void give_slot(u64 *slot, const least<struct scalar> &a) {
    indexed<struct scalar, false> b = {a.key, NOWHERE, a.key < ordered<struct scalar>::none() ? threadIdx.x : NONE};
    give(slot, b);
}
FN void give_slot(u64 *slot, const most<struct scalar> &a) {
    indexed<struct scalar, true> b = {a.key, NOWHERE, a.key < ordered<struct scalar>::none() ? threadIdx.x : NONE};
    give(slot, b);
}

/* Exact sums as exact.cuh has them; a tile never fails. */
struct sum_wide {
    i64 high, low; /* halves of magnitudes, with the sign */
    enum { has_again = 0, terms = 1 };
    __device__ __forceinline__ void begin() {
        high = low = 0;
    }
    __device__ __forceinline__ void tile() {}
    __device__ __forceinline__ void add(const struct scalar &v, bool counts) {
        i64 sign = v.neg ? -1 : 0;
        u64 magnitude = counts ? v.mag : 0;
        low += ((i64)(magnitude & 0xffffffff) ^ sign) - sign;
        high += ((i64)(magnitude >> 32) ^ sign) - sign;
    }
    __device__ __forceinline__ void flush(u64 *limbs) {
        i64 l = block_sum(low), h = block_sum(high);
        if (threadIdx.x == 0) {
            limbs_add_integer(limbs, l, UNIT_OF_SUMS);
            limbs_add_integer(limbs, h, UNIT_OF_SUMS + 32);
        }
        begin();
    }
};

struct squares_wide {
    i64 digit[4]; /* sums of the squares' digits of radix 2^32 */
    enum { has_again = 0, terms = 1 };
    __device__ __forceinline__ void begin() {
        digit[0] = digit[1] = digit[2] = digit[3] = 0;
    }
    __device__ __forceinline__ void tile() {}
    __device__ __forceinline__ void add(const struct scalar &v, bool counts) {
        u64 magnitude = counts ? v.mag : 0, low = magnitude * magnitude;
        u64 high = __umul64hi(magnitude, magnitude);
        digit[0] += low & 0xffffffff;
        digit[1] += low >> 32;
        digit[2] += high & 0xffffffff;
        digit[3] += high >> 32;
    }
    __device__ __forceinline__ void flush(u64 *limbs) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            i64 d = block_sum(digit[k]);
            if (threadIdx.x == 0) limbs_add_integer(limbs, d, UNIT_OF_SQUARES + 32 * k);
        }
        begin();
    }
};

#endif
