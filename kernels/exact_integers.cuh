/* Exact sums of integers of at most 32 bits and a sign: everything fits, so that nothing is ever inexact
 * and anchors are not needed.  The members are those of README, `again` and the like apart. */
#ifndef EXACT_INTEGERS_CUH
#define EXACT_INTEGERS_CUH

#include "windows.cuh"

/* Never inexact.  A tile of 64 is below 2^38, and so less than one term of a window's. */
struct sum_int {
    enum { has_again = 0, terms = 0 };
    i64 sum;

    __device__ static double anchor(int) {
        return 0;
    }
    __device__ void begin() {
        sum = 0;
    }
    __device__ void tile() {
    }
    __device__ void add(i64 v, double) {
        sum += v;
    }
    __device__ bool commit(double) {
        return true;
    }
    __device__ void flush(double, u64 *limbs) {
        window_flush((u64)sum, 1074, limbs);
        begin();
    }
};

/* Squares are 64 bits: their halves are added apart, less than 2^38 a tile of 64 each. */
struct squares_int {
    enum { has_again = 0, terms = 0 };
    u64 low, high;

    __device__ static double anchor(int) {
        return 0;
    }
    __device__ void begin() {
        low = high = 0;
    }
    __device__ void tile() {
    }
    __device__ void add(i64 v, double) {
        unsigned magnitude = (unsigned)(v < 0 ? -v : v);
        u64 square = (u64)magnitude * magnitude;
        low += square & LIMB_MASK;
        high += square >> 32;
    }
    __device__ bool commit(double) {
        return true;
    }
    __device__ void flush(double, u64 *limbs) {
        window_flush(low, 2148, limbs);
        window_flush(high, 2148 + 32, limbs);
        begin();
    }
};

#endif
