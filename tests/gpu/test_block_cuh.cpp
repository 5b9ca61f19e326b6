/* What all threads of a block do together in kernels/block.cuh, limbs.cuh, seldom.cuh and extremes.cuh,
 * by as many threads of the CPU: barriers and shuffles are real ones, so that a missing barrier is a
 * wrong result, and an error under TSan. */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include <thread>
#include <vector>

#define THREADS         256
#define ONEPASS_THREADS THREADS

#include "emulate.h"

#include "../unit/check.h"

static thread_local emulated_index threadIdx;

static pthread_barrier_t block_barrier, warp_barrier[THREADS / 32];
static unsigned long long lane[THREADS];

static void __syncthreads() {
    pthread_barrier_wait(&block_barrier);
}
static unsigned long long __shfl_xor_sync(unsigned, unsigned long long v, int apart) {
    pthread_barrier_t *warp = &warp_barrier[threadIdx.x / 32];
    lane[threadIdx.x] = v;
    pthread_barrier_wait(warp);
    v = lane[threadIdx.x ^ (unsigned)apart];
    pthread_barrier_wait(warp);
    return v;
}
static unsigned long long atomicAdd(unsigned long long *at, unsigned long long v) {
    return __atomic_fetch_add(at, v, __ATOMIC_RELAXED);
}
template <class better>
static void atomic_take(unsigned long long *at, unsigned long long v, better b) {
    unsigned long long old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (b(v, old) &&
           !__atomic_compare_exchange_n(at, &old, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}
static void atomicMin(unsigned long long *at, unsigned long long v) {
    atomic_take(at, v, [](unsigned long long a, unsigned long long b) { return a < b; });
}
static void atomicMax(unsigned long long *at, unsigned long long v) {
    atomic_take(at, v, [](unsigned long long a, unsigned long long b) { return a > b; });
}

#include "../../kernels/fused_wide.cuh"

template <class work> static void by_block(work w) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < THREADS; i++)
        threads.emplace_back([&w, i] {
            threadIdx.x = i;
            w(i);
        });
    for (auto &t : threads)
        t.join();
}

static uint64_t value_of(unsigned thread, unsigned round) {
    uint64_t z = (thread + 1) * 0x9e3779b97f4a7c15u + round * 0xd1342543de82ef95u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return z ^ z >> 27;
}

/* Many right after another, of each kind: each is right in every thread. */
static void reductions() {
    const unsigned rounds = 20;
    int wrong = 0;
    by_block([&](unsigned thread) {
        for (unsigned round = 0; round < rounds; round++) {
            u64 sum = 0, least = ~0ull, most = 0;
            for (unsigned i = 0; i < THREADS; i++) {
                u64 v = value_of(i, round);
                sum += v;
                least = v < least ? v : least;
                most = v > most ? v : most;
            }
            bool right = (u64)block_sum((i64)value_of(thread, round)) == sum;
            right &= (u64)block_sum((i64)value_of(thread, round)) == sum;
            right &= block_min(value_of(thread, round)) == least;
            right &= block_max(value_of(thread, round)) == most;
            if (!right) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
        }
    });
    CHECKF(wrong == 0, "%d of %u", wrong, rounds * THREADS);
}

/* The extreme thread may be any: the first and the last of a warp, and of the block. */
static void every_thread_counts() {
    int wrong = 0;
    by_block([&](unsigned thread) {
        for (unsigned k : {0u, 1u, 15u, 16u, 31u, 32u, 63u, 127u, 224u, 254u, 255u}) {
            bool right = block_sum(thread == k ? -7 : 0) == -7;
            right &= block_min(thread == k ? 3 : 5) == 3;
            right &= block_max(thread == k ? ~0ull : 5) == ~0ull;
            if (!right) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
        }
    });
    CHECK(wrong == 0);
}

/* A number's digits of radix 2^32 modulo 2^(32 n), carried. */
static std::vector<uint32_t> digits(const u64 *limbs, int n) {
    std::vector<uint32_t> out;
    __int128 carry = 0;
    for (int k = 0; k < n; k++) {
        carry += (i64)limbs[k];
        out.push_back((uint32_t)carry);
        carry >>= 32;
    }
    return out;
}

/* 256 windows of the largest magnitude: their sum does not fit 64 bits. */
static void flushed_windows() {
    for (i64 window : {LLONG_MAX, LLONG_MIN, -1ll, 12345678901234567ll}) {
        for (int position : {0, 31, 1074}) {
            u64 limbs[SUM_LIMBS] = {}, want[SUM_LIMBS] = {};
            by_block([&](unsigned) { window_flush((u64)window, position, limbs); });
            __int128 sum = (__int128)window * THREADS; /* |sum| <= 2^71 */
            for (int k = 0; k < 3; k++) {
                want[position / 32 + k] += (u64)(sum & 0xffffffff) << position % 32 & LIMB_MASK;
                want[position / 32 + k + 1] += (u64)(sum & 0xffffffff) << position % 32 >> 32;
                sum >>= 32;
            }
            want[position / 32 + 3] += (u64)sum << position % 32; /* 0 or -1: the sign */
            CHECKF(digits(limbs, SUM_LIMBS) == digits(want, SUM_LIMBS), "%lld at %d", window, position);
        }
    }
}

/* Carrying while others add: nothing is lost. */
static void carries_and_merges() {
    for (unsigned round = 0; round < 20; round++) {
        u64 a[SQUARES_LIMBS], before[SQUARES_LIMBS], sum[SQUARES_LIMBS] = {};
        for (unsigned k = 0; k < SQUARES_LIMBS; k++)
            before[k] = a[k] = (u64)((i64)value_of(k, round) >> (2 + round % 40));
        by_block([&](unsigned thread) {
            limbs_carry(a, SQUARES_LIMBS);
            if (thread % 2)
                limbs_add_magnitude(a, value_of(thread, round) >> 1, thread & 2, (int)thread);
            __syncthreads();
            limbs_carry(a, SQUARES_LIMBS);
            __syncthreads();
            limbs_merge(sum, a, SQUARES_LIMBS);
            limbs_merge(sum, a, SQUARES_LIMBS);
        });
        for (unsigned thread = 1; thread < THREADS; thread += 2)
            limbs_add_magnitude(before, value_of(thread, round) >> 1, thread & 2, (int)thread);
        CHECKF(digits(a, SQUARES_LIMBS) == digits(before, SQUARES_LIMBS), "round %u", round);
        for (u64 &limb : before)
            limb *= 2;
        CHECKF(digits(sum, SQUARES_LIMBS) == digits(before, SQUARES_LIMBS), "merged, round %u", round);
        for (int k = 0; k < SQUARES_LIMBS - 1; k++)
            CHECKF((i64)a[k] > -(1ll << 32) && (i64)a[k] < 1ll << 33, "limb %d", k);
    }
}

/* Of many that are equal, one thread is the first, and no other. */
static void one_is_first() {
    for (unsigned round = 0; round < 6; round++) {
        unsigned two_parts = round % 2, first = THREADS, nfirst = 0, want = THREADS;
        auto high = [&](unsigned i) { return two_parts ? value_of(i, round) / 8 % 2 : 0; };
        auto low = [&](unsigned i) { return value_of(i, round) % 3; };
        auto has = [&](unsigned i) { return round < 5 && value_of(i, round) / 64 % 4 == 0; };
        by_block([&](unsigned i) {
            if (!seldom_first(high(i), low(i), has(i) ? i : NONE, two_parts)) return;
            __atomic_fetch_add(&nfirst, 1, __ATOMIC_RELAXED);
            __atomic_store_n(&first, i, __ATOMIC_RELAXED);
        });
        for (unsigned i = 0; i < THREADS; i++)
            if (has(i) && (want == THREADS || high(i) < high(want) ||
                           (high(i) == high(want) && low(i) < low(want))))
                want = i;
        CHECKF(first == want && nfirst == (want < THREADS), "round %u: %u of %u", round, first, nfirst);
    }
}

/* ---- extremes ----------------------------------------------------------------------------------- */

/* Values -3 .. 3 of a type, and what a slot has of them. */
template <class T> static T typed(int v) {
    return (T)v;
}
template <> struct scalar typed<struct scalar>(int v) {
    return scalar_of((i64)v);
}
template <class T> static bool is_in_slot(const u64 *slot, int v) {
    double d = v;
    return slot[0] == SLOT_VALID && slot[1] == (u64)__double_as_longlong(d);
}
template <> bool is_in_slot<struct scalar>(const u64 *slot, int v) {
    return slot[0] == (u64)(SLOT_VALID | (v < 0 ? SLOT_NEGATIVE : 0)) && slot[1] == (u64)abs(v);
}

enum { LAUNCHES = 3, PER_THREAD = 3, ELEMENTS = THREADS * PER_THREAD };

/* Element i of a launch, and whether it counts; in the second launch nothing does. */
static int value_at(unsigned launch, unsigned i) {
    return (int)(value_of(i, launch) % 7) - 3;
}
static bool counts_at(unsigned launch, unsigned i) {
    return launch != 1 && value_of(i, launch + 50) % 11 == 0;
}

/* What a block of threads leaves in slots: ARGMIN, ARGMAX, FIRST, LAST. */
template <class T> static void launch_extremes(unsigned number, u64 slots[4][SLOT_WORDS]) {
    struct onepass_launch launch = {};
    launch.base = 1000 + number * ELEMENTS;
    by_block([&](unsigned thread) {
        const struct place p = {&launch, thread * PER_THREAD};
        indexed<T, false> lowest;
        indexed<T, true> highest;
        end_of<T, false> first;
        end_of<T, true> last;
        lowest.begin(), highest.begin(), first.begin(), last.begin();
        for (unsigned c = 0; c < PER_THREAD; c++) {
            unsigned i = thread * PER_THREAD + c;
            bool counts = counts_at(number, i);
            T v = typed<T>(value_at(number, i));
            lowest.offer(counts, v, p, c), highest.offer(counts, v, p, c);
            first.offer(counts, v, p, c), last.offer(counts, v, p, c);
        }
        lowest.end_tile(p), highest.end_tile(p), first.end_tile(p), last.end_tile(p);
        give(slots[0], lowest);
        give(slots[1], highest);
        give(slots[2], first);
        give(slots[3], last);
    });
}

/* Ties go to the lowest index, within a block and from one launch to the next. */
template <class T> static void extremes_of(const char *type) {
    u64 slots[4][SLOT_WORDS] = {};
    int value[4] = {4, -4, 0, 0};
    u64 index[4] = {};
    bool any = false;
    for (unsigned number = 0; number < LAUNCHES; number++) {
        launch_extremes<T>(number, slots);
        for (unsigned i = 0; i < ELEMENTS; i++) {
            int v = value_at(number, i);
            u64 at = 1000 + number * ELEMENTS + i;
            if (!counts_at(number, i)) continue;
            if (v < value[0]) value[0] = v, index[0] = at;
            if (v > value[1]) value[1] = v, index[1] = at;
            if (!any) value[2] = v, index[2] = at;
            value[3] = v, index[3] = at;
            any = true;
        }
        for (int k = 0; k < 4; k++)
            CHECKF(is_in_slot<T>(slots[k], value[k]) && slots[k][2] == index[k],
                   "%s, launch %u, slot %d: %llu of %llu at %llu, not %d at %llu", type, number, k,
                   slots[k][0], slots[k][1], slots[k][2], value[k], index[k]);
    }
}

static void extremes() {
    extremes_of<float>("float");
    extremes_of<double>("double");
    extremes_of<int>("int");
    extremes_of<i64>("i64");
    extremes_of<struct scalar>("scalar");
}

/* MIN and MAX as keys in a word, of one thread's value, of all, of none. */
template <class T> static void keys_of(const char *type) {
    for (unsigned who : {0u, 200u, 1000u}) {
        u64 low = NONE, high = 0;
        by_block([&](unsigned thread) {
            least<T> a;
            most<T> b;
            a.begin(), b.begin();
            a.offer(thread == who, typed<T>(-3)), b.offer(thread == who, typed<T>(3));
            a.offer(who < 100, typed<T>(2)), b.offer(who < 100, typed<T>(-2));
            give(&low, a);
            give(&high, b);
        });
        u64 least_key = who < THREADS ? ordered<double>::of(-3) : NONE;
        u64 most_key = who < THREADS ? ordered<double>::of(3) : 0;
        CHECKF(low == least_key && high == most_key, "%s, thread %u: %llx, %llx", type, who, low, high);
    }
}

static void keys() {
    keys_of<float>("float");
    keys_of<double>("double");
    keys_of<int>("int");
    keys_of<i64>("i64");
}

static const struct test tests[] = {
    {"block reductions one after another", reductions},
    {"every thread of a block counts", every_thread_counts},
    {"windows of a block are flushed whole", flushed_windows},
    {"limbs are carried and merged by a block", carries_and_merges},
    {"one thread is the first", one_is_first},
    {"extremes with an index are handed over once", extremes},
    {"keys of extremes are handed over", keys},
};

int main(int argc, char **argv) {
    pthread_barrier_init(&block_barrier, NULL, THREADS);
    for (auto &warp : warp_barrier)
        pthread_barrier_init(&warp, NULL, 32);
    return RUN_TESTS(tests);
}
