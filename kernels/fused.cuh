/* What the text of a kernel (src/cuda_text.c) is made of, all together: elements, sums, extremes; here the
 * books of a group, and the same accumulators for programs that have too many of them.
 *
 * A tile is what a thread takes in one go. */
#ifndef FUSED_CUH
#define FUSED_CUH

#include "extremes.cuh"

/* Lanes that would hold up all others: a branch, and what is in it is not inlined. */
#define RARE(condition, slow, fast) ((condition) ? (slow) : (fast))

constexpr __host__ __device__ int larger(int a, int b) {
    return a > b ? a : b;
}

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
 * program with many of them still compiles, where(x > K)|sum of f32 fifty times in 5 s, 200 times in
 * 37 s. */
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

#endif
