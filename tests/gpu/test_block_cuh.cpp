/* What all threads of a block do together in kernels/block.cuh and limbs.cuh, by as many threads of the
 * CPU: barriers and shuffles are real ones, so that a missing barrier is a wrong result, and an error
 * under TSan. */
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include <thread>
#include <vector>

#include "../unit/check.h"

#define THREADS 256

#define __device__
#define __noinline__
#define __shared__ static

static thread_local struct { unsigned x; } threadIdx;

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
static long long __double_as_longlong(double v) {
    long long bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

#include "../../kernels/limbs.cuh"

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

static const struct test tests[] = {
    {"block reductions one after another", reductions},
    {"every thread of a block counts", every_thread_counts},
    {"windows of a block are flushed whole", flushed_windows},
    {"limbs are carried and merged by a block", carries_and_merges},
};

int main(int argc, char **argv) {
    pthread_barrier_init(&block_barrier, NULL, THREADS);
    for (auto &warp : warp_barrier)
        pthread_barrier_init(&warp, NULL, 32);
    return RUN_TESTS(tests);
}
