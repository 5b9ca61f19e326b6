/* What the text of a kernel (src/cuda_text.c) is made of: elements and their bits, accumulators in a
 * thread's registers, and how a block hands them over to device memory.
 *
 * A tile is what a thread takes in one go.  Accumulators with an index note where in the tile an
 * element stood, and look for its index at the tile's end only. */
#ifndef FUSED_CUH
#define FUSED_CUH

#include "exact.cuh"
#include "seldom.cuh"
#ifdef ONEPASS_EMULATED
#include "float16.h"
#endif

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

#define FN      static __device__ __forceinline__
#define NOWHERE 0xffffffffu /* in a tile */

/* Lanes that would hold up all others: a branch, and what is in it is not inlined. */
#define RARE(condition, slow, fast) ((condition) ? (slow) : (fast))

constexpr __host__ __device__ int larger(int a, int b) {
    return a > b ? a : b;
}

/* ---- stored elements --------------------------------------------------------------------------- */

FN u8 swapped(u8 v) {
    return v;
}
FN u16 swapped(u16 v) {
    return (u16)(v << 8 | v >> 8);
}
FN u32 swapped(u32 v) {
    return __byte_perm(v, 0, 0x0123);
}
FN u64 swapped(u64 v) {
    return (u64)swapped((u32)v) << 32 | swapped((u32)(v >> 32));
}

/* Element c of 16 bytes; c is a constant once loops are unrolled. */
FN u32 word_of(const uint4 &v, int k) {
    return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
}
FN void pick(const uint4 &v, int c, u8 &out) {
    out = (u8)(word_of(v, c / 4) >> 8 * (c % 4));
}
FN void pick(const uint4 &v, int c, u16 &out) {
    out = (u16)(word_of(v, c / 2) >> 16 * (c % 2));
}
FN void pick(const uint4 &v, int c, u32 &out) {
    out = word_of(v, c);
}
FN void pick(const uint4 &v, int c, u64 &out) {
    out = (u64)word_of(v, 2 * c + 1) << 32 | word_of(v, 2 * c);
}
template <class B> FN void pick(const B &v, int, B &out) {
    out = v;
}

FN float f32(u32 bits) {
    return __uint_as_float(bits);
}
FN double f64(u64 bits) {
    return __longlong_as_double((i64)bits);
}

FN float f32_of_half(u16 bits) {
#ifdef ONEPASS_EMULATED
    return f32(f32_of_f16(bits));
#else
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(bits));
    return v;
#endif
}

/* ---- values ------------------------------------------------------------------------------------ */

FN bool is_finite(float v) {
    return fabsf(v) < f32(0x7f800000);
}
FN bool is_finite(double v) {
    return ((u32)((u64)__double_as_longlong(v) >> 32) & 0x7fffffff) < 0x7ff00000;
}
FN bool is_nan(float v) {
    return v != v;
}
FN bool is_nan(double v) {
    return v != v;
}
FN bool is_nan(i64) {
    return false;
}
FN bool is_nan(int) {
    return false;
}

template <class T> FN bool is_infinite(T v) {
    return !is_finite(v) && !is_nan(v);
}

/* Smaller and larger in the order of min and max: -0 < +0, a NaN is passed over. */
FN float lesser(float a, float b) {
#ifdef ONEPASS_EMULATED
    return fminf(a, b);
#else
    float v;
    asm("min.f32 %0, %1, %2;" : "=f"(v) : "f"(a), "f"(b));
    return v;
#endif
}
FN float greater(float a, float b) {
    return -lesser(-a, -b);
}

/* The ops of the language on values that a float has exactly; those of maps_f64.h. */
FN float f32_min(float a, float b) {
    return a != a ? a : b != b ? b : lesser(a, b);
}
FN float f32_max(float a, float b) {
    return a != a ? a : b != b ? b : greater(a, b);
}

/* The bits of the binary64 of a value, by integer work: where there is no fp64 unit to spare. */
FN u64 f64_bits(double v) {
    return (u64)__double_as_longlong(v);
}
FN u64 f64_bits(float v) {
    return seldom_f64_of_f32(__float_as_uint(v));
}
FN u64 f64_bits(i64 v) { /* |v| <= 2^53 */
    return seldom_f64_of_i64(v);
}
FN u64 f64_bits(int v) {
    return f64_bits((i64)v);
}

/* The exponent field of the binary64, or so, for anchors; 0 of 0. */
FN u32 exponent_of(float v) {
    u32 bits = __float_as_uint(v) << 1;
    return bits == 0 ? 0 : (bits >> 24) + 896;
}
FN u32 exponent_of(double v) {
    return (u32)(f64_bits(v) >> 52) & 2047;
}
FN u32 exponent_of(i64 v) {
    return v == 0 ? 0 : 1023 + 63 - (u32)__clzll(v < 0 ? -v : v);
}
FN u32 exponent_of(int v) {
    return exponent_of((i64)v);
}

/* ---- where elements stand ---------------------------------------------------------------------- */

/* Of element number i of a launch, in the array. */
#ifdef ONEPASS_FORTRAN
static __device__ __noinline__ u64 index_of(const struct onepass_launch *L, u64 i) {
    u64 rest = L->first + i, step = 1, index = L->base;
    for (u64 d = 1; d < L->ndim; d++)
        step *= L->shape[d];
    for (u64 d = 0; d < L->ndim; d++) {
        index += rest % L->shape[d] * step;
        rest /= L->shape[d];
        if (d + 1 < L->ndim) step /= L->shape[d + 1];
    }
    return index;
}
#else
FN u64 index_of(const struct onepass_launch *L, u64 i) {
    return L->base + L->first + i;
}
#endif

/* A tile: elements first, first + 1 ... of the launch, as far as a thread has them. */
struct place {
    const struct onepass_launch *launch;
    u64 first;
    __device__ __forceinline__ u64 index(u32 at) const {
        return index_of(launch, first + at);
    }
};

/* ---- keys -------------------------------------------------------------------------------------- */

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

/* ---- accumulators in registers ----------------------------------------------------------------- */

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

/* Counts NaN: of floats by one predicated instruction, of which compilers left to themselves make two. */
template <class T> FN void count_nan(u32 &n, bool counts, T v) {
    n += counts && is_nan(v);
}
#ifndef ONEPASS_EMULATED
FN void count_nan(u32 &n, bool counts, float v) {
    asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p add.u32 %0, %0, 1; }"
        : "+r"(n)
        : "r"((u32)(counts && is_nan(v))));
}
#endif

/* NaN and infinities of a group.  Infinities are rare: no sum takes a tile that has one, so only those
 * that failed are looked at; a group without sums notes them itself. */
struct books {
    u32 nan;
    bool here, ever; /* an infinity: in this tile, at all */
    __device__ __forceinline__ void begin() {
        nan = 0;
        here = ever = false;
    }
    template <class T> __device__ __forceinline__ void add(bool counts, T v) {
        count_nan(nan, counts, v);
    }
    template <class T> __device__ __forceinline__ void look(bool counts, T v) {
        here = here || (counts && is_infinite(v));
    }
    /* Ends the look at a tile. */
    __device__ __forceinline__ bool has_infinity() {
        bool has = here;
        ever = ever || has;
        here = false;
        return has;
    }
};

/* ---- too many of them for registers ------------------------------------------------------------- */

/* The same with methods that are called: accumulators are in local memory then, and the text of a
 * program with hundreds of them compiles in seconds. */
#define CALLED __device__ __noinline__

template <class S> struct outlined_sum : S {
    CALLED void begin() {
        S::begin();
    }
    CALLED void tile() {
        S::tile();
    }
    template <class V, class M> CALLED void add(V v, M m) {
        S::add(v, m);
    }
    CALLED bool commit(double m) {
        return S::commit(m);
    }
    CALLED void again() {
        S::again();
    }
    template <class V> CALLED void add_again(V v, double m) {
        S::add_again(v, m);
    }
    CALLED bool commit_again() {
        return S::commit_again();
    }
    CALLED void flush(double m, u64 *limbs) {
        S::flush(m, limbs);
    }
    CALLED void flush(u64 *limbs) {
        S::flush(limbs);
    }
};

template <class S> struct outlined : S {
    CALLED void begin() {
        S::begin();
    }
    template <class V> CALLED void add(bool counts, V v) {
        S::add(counts, v);
    }
    template <class V> CALLED void offer(bool counts, V v) {
        S::offer(counts, v);
    }
    template <class V> CALLED void offer(bool counts, V v, const struct place &p, u32 at) {
        S::offer(counts, v, p, at);
    }
    CALLED void end_tile(const struct place &p) {
        S::end_tile(p);
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

/* Slots (src/cuda_layout.h): 1 valid + 2 negative, bits, index.  Values are all of one type. */
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
        slot[0] = 1;
    }
};

template <class T> struct is_wide {
    enum { value = 0 };
};

template <class T, bool HIGHEST> FN void give(u64 *slot, const indexed<T, HIGHEST> &a) {
    wide_key key = widened(a.key);
    if (!seldom_first(key.high, key.low, a.index, is_wide<T>::value)) return;
    typename ordered<T>::key k = HIGHEST ? (typename ordered<T>::key)~a.key : a.key;
    if (slot[0] & 1) {
        wide_key mine = slot_of<T>::key(k), old = slot_of<T>::key(slot);
        if (HIGHEST ? mine < old : old < mine) return;
        if (!(mine < old) && !(old < mine) && slot[2] <= a.index) return;
    }
    slot_of<T>::write(slot, k, a.index);
}

template <class T, bool LAST> FN void give(u64 *slot, const end_of<T, LAST> &a) {
    u64 order = LAST ? NONE - 1 - a.index : a.index;
    if (!seldom_first(0, order, a.index, false)) return;
    if ((slot[0] & 1) && (LAST ? slot[2] >= a.index : slot[2] <= a.index)) return;
    slot_of<T>::write(slot, a.key, a.index);
}

#endif
