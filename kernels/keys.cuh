/* Keys: values as unsigned integers in the order of min and max, so that extremes and what a block hands
 * over of them need integer comparisons and atomics only. */
#ifndef KEYS_CUH
#define KEYS_CUH

#include "elements.cuh"

/* Values as unsigned integers in the order of min and max; none() is above all.  bits() is the value as
 * a binary64. */
template <class T> struct ordered;

template <> struct ordered<float> {
    typedef u32 key;
    FN u32 none() {
        return 0xffffffffu;
    }
    FN u32 of(float v) {
        u32 bits = __float_as_uint(v);
        return bits ^ ((u32)((int)bits >> 31) | 0x80000000u);
    }
    FN u64 bits(u32 k) {
        return f64_bits(f32(k ^ ((u32)((int)~k >> 31) | 0x80000000u)));
    }
};
template <> struct ordered<double> {
    typedef u64 key;
    FN u64 none() {
        return NONE;
    }
    FN u64 of(double v) {
        u64 bits = f64_bits(v);
        return bits ^ ((u64)((i64)bits >> 63) | 1ull << 63);
    }
    FN u64 bits(u64 k) {
        return k ^ ((u64)((i64)~k >> 63) | 1ull << 63);
    }
};
template <> struct ordered<int> { /* |v| < 2^31 - 1 */
    typedef u32 key;
    FN u32 none() {
        return 0xffffffffu;
    }
    FN u32 of(int v) {
        return (u32)v ^ 0x80000000u;
    }
    FN u64 bits(u32 k) {
        return f64_bits((int)(k ^ 0x80000000u));
    }
};
template <> struct ordered<i64> { /* |v| <= 2^53 */
    typedef u64 key;
    FN u64 none() {
        return NONE;
    }
    FN u64 of(i64 v) {
        return (u64)v ^ 1ull << 63;
    }
    FN u64 bits(u64 k) {
        return f64_bits((i64)(k ^ 1ull << 63));
    }
};

/* A key as a number, and what it is in the order of all values of a slot. */
struct wide_key {
    u64 high, low;
    __device__ __forceinline__ bool operator<(const wide_key &b) const {
        return high < b.high || (high == b.high && low < b.low);
    }
    __device__ __forceinline__ wide_key operator~() const {
        wide_key k = {~high, ~low};
        return k;
    }
};
FN wide_key widened(u32 k) {
    wide_key w = {0, k == 0xffffffffu ? NONE : k};
    return w;
}
FN wide_key widened(u64 k) {
    wide_key w = {0, k};
    return w;
}
FN wide_key widened(wide_key k) {
    return k;
}

/* The key of an element that counts. */
template <class T> FN typename ordered<T>::key key_if(bool counts, T v) {
    return counts && !is_nan(v) ? ordered<T>::of(v) : ordered<T>::none();
}

#endif
