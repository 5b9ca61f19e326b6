/* Extremes and ends of a group in a thread's registers: min, max, and, with an index, argmin, argmax, first,
 * last; and how a block hands them over, to a word or to a slot of its own.
 *
 * Those with an index note where in the tile an element stood, and look for its index at the tile's end
 * only. */
#ifndef EXTREMES_CUH
#define EXTREMES_CUH

#include "keys.cuh"

#define NOWHERE 0xffffffffu /* in a tile */

/* ---- in registers ------------------------------------------------------------------------------ */

/* The least key.  The largest value is that of the least complement of a key. */
template <class T> struct least {
    typename ordered<T>::key key;
    __device__ __forceinline__ void begin() {
        key = ordered<T>::none();
    }
    __device__ __forceinline__ void offer(bool counts, T v) {
        typename ordered<T>::key k = key_if(counts, v);
        key = k < key ? k : key;
    }
};
template <class T> struct most {
    typename ordered<T>::key key;
    __device__ __forceinline__ void begin() {
        key = ordered<T>::none();
    }
    __device__ __forceinline__ void offer(bool counts, T v) {
        typename ordered<T>::key k = counts && !is_nan(v) ? ~ordered<T>::of(v) : ordered<T>::none();
        key = k < key ? k : key;
    }
};

/* Floats: one instruction each. */
template <> struct least<float> {
    float value;
    __device__ __forceinline__ void begin() {
        value = f32(0x7fc00000);
    }
    __device__ __forceinline__ void offer(bool counts, float v) {
        value = lesser(value, counts ? v : f32(0x7fc00000));
    }
};
template <> struct most<float> {
    float value;
    __device__ __forceinline__ void begin() {
        value = f32(0x7fc00000);
    }
    __device__ __forceinline__ void offer(bool counts, float v) {
        value = greater(value, counts ? v : f32(0x7fc00000));
    }
};

/* With the lowest index of equal ones. */
template <class T, bool HIGHEST> struct indexed {
    typedef typename ordered<T>::key K;
    K key;
    u32 at;
    u64 index;
    __device__ __forceinline__ void begin() {
        key = ordered<T>::none();
        at = NOWHERE;
        index = NONE;
    }
    __device__ __forceinline__ void offer(bool counts, T v, const struct place &p, u32 where) {
        K k = ordered<T>::of(v);
        k = counts && !is_nan(v) ? (HIGHEST ? (K)~k : k) : ordered<T>::none();
#ifdef ONEPASS_FORTRAN
        if (key < k || !(k < ordered<T>::none())) return;
        u64 i = p.index(where);
        if (k < key || i < index) key = k, index = i;
#else
        bool better = k < key; /* a thread goes through its elements upwards */
        key = better ? k : key;
        at = better ? where : at;
#endif
    }
    __device__ __forceinline__ void end_tile(const struct place &p) {
        if (at != NOWHERE) index = p.index(at);
        at = NOWHERE;
    }
};

/* The element with the lowest or the highest index, NaN included; T the type of its value. */
template <class T, bool LAST> struct end_of {
    typedef typename ordered<T>::key K;
    K key;
    u32 at;
    u64 index;
    __device__ __forceinline__ void begin() {
        key = ordered<T>::none();
        at = NOWHERE;
        index = NONE;
    }
    __device__ __forceinline__ void offer(bool counts, T v, const struct place &p, u32 where) {
#ifdef ONEPASS_FORTRAN
        if (!counts) return;
        u64 i = p.index(where);
        if (index == NONE || (LAST ? i > index : i < index)) key = ordered<T>::of(v), index = i;
#else
        bool take = counts && (LAST || (index == NONE && at == NOWHERE));
        key = take ? ordered<T>::of(v) : key;
        at = take ? where : at;
#endif
    }
    __device__ __forceinline__ void end_tile(const struct place &p) {
        if (at != NOWHERE) index = p.index(at);
        at = NOWHERE;
    }
};

/* ---- handing over: by all threads of a block ---------------------------------------------------- */

/* min and max: the ordered key of a binary64, NONE or 0 where there is none. */
template <class T> FN u64 final_key(typename ordered<T>::key k) {
    return ordered<double>::of(f64(ordered<T>::bits(k)));
}
template <class T> FN void give(u64 *word, const least<T> &a) {
    seldom_least(word, a.key < ordered<T>::none() ? final_key<T>(a.key) : NONE);
}
template <class T> FN void give(u64 *word, const most<T> &a) {
    seldom_most(word, a.key < ordered<T>::none() ? final_key<T>(~a.key) : 0);
}
FN void give(u64 *word, const least<float> &a) {
    seldom_least(word, is_nan(a.value) ? NONE : ordered<double>::of(f64(f64_bits(a.value))));
}
FN void give(u64 *word, const most<float> &a) {
    seldom_most(word, is_nan(a.value) ? 0 : ordered<double>::of(f64(f64_bits(a.value))));
}

/* Slots (src/cuda_layout.h): SLOT_VALID and SLOT_NEGATIVE, bits, index.  Values are all of one type. */
template <class T> struct slot_of {
    FN wide_key key(const u64 *slot) {
        return widened(ordered<double>::of(f64(slot[1])));
    }
    FN wide_key key(typename ordered<T>::key k) {
        return widened(final_key<T>(k));
    }
    FN void write(u64 *slot, typename ordered<T>::key k, u64 index) {
        slot[1] = ordered<T>::bits(k);
        slot[2] = index;
        slot[0] = SLOT_VALID;
    }
};

template <class T> struct is_wide {
    enum { value = 0 };
};

template <class T, bool HIGHEST> FN void give(u64 *slot, const indexed<T, HIGHEST> &a) {
    wide_key key = widened(a.key);
    if (!seldom_first(key.high, key.low, a.index, is_wide<T>::value)) return;
    typename ordered<T>::key k = HIGHEST ? (typename ordered<T>::key)~a.key : a.key;
    if (slot[0] & SLOT_VALID) {
        wide_key mine = slot_of<T>::key(k), old = slot_of<T>::key(slot);
        if (HIGHEST ? mine < old : old < mine) return;
        if (!(mine < old) && !(old < mine) && slot[2] <= a.index) return;
    }
    slot_of<T>::write(slot, k, a.index);
}

template <class T, bool LAST> FN void give(u64 *slot, const end_of<T, LAST> &a) {
    u64 order = LAST ? NONE - 1 - a.index : a.index;
    if (!seldom_first(0, order, a.index, false)) return;
    if ((slot[0] & SLOT_VALID) && (LAST ? slot[2] >= a.index : slot[2] <= a.index)) return;
    slot_of<T>::write(slot, a.key, a.index);
}

#endif
