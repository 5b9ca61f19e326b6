/* Exact sums of values of 16 bits and of integers: everything there is fits, so that nothing is ever
 * inexact and anchors are not needed.  The members are those of README, `again` and the like apart. */
#ifndef EXACT_SMALL_CUH
#define EXACT_SMALL_CUH

#include "windows.cuh"

/* Values that are exact in a binary16: multiples of 2^-24 below 2^16, so that a tile's sum, below 2^22,
 * has 46 bits and is exact whatever they are.  One window of that unit; no anchor. */
struct sum_f16 {
    enum { has_again = 0, terms = 0 };
    u64 w0;
    double s0, s1, s2, s3;

    __device__ static double anchor(int) {
        return 0x1.8p28; /* 1.5 * 2^52 * 2^-24 */
    }
    __device__ void begin() {
        w0 = 0;
    }
    __device__ void tile() {
        s0 = s1 = s2 = s3 = -0.0;
    }
    __device__ void add(float v, double) {
        double sum = s0 + v;
        s0 = s1, s1 = s2, s2 = s3, s3 = sum;
    }
    __device__ bool commit(double) {
        window_next((s0 + s1) + (s2 + s3), anchor(0), w0);
        return true;
    }
    __device__ void flush(double, u64 *limbs) {
        window_flush(w0, 1074 - 24, limbs);
        begin();
    }
};

/* Their squares are multiples of 2^-48 below 2^32.  Split at 2^-12 as in squares_f32, the high parts'
 * sum is below 2^38, 50 bits, and the rests', at most 2^-13 each, at most 2^-7, 41 bits: exact, and
 * whole in windows of the units 2^-12 and 2^-48. */
struct squares_f16 {
    enum { has_again = 0, terms = 0 };
    u64 w0, w1;
    double high0, high1, rest0, rest1;

    __device__ static double anchor(int) {
        return 0x1.8p40; /* 1.5 * 2^52 * 2^-12 */
    }
    __device__ void begin() {
        w0 = w1 = 0;
    }
    __device__ void tile() {
        high0 = high1 = rest0 = rest1 = -0.0;
    }
    __device__ void add(float v, double) {
        double d = v, high = fma(d, d, anchor(0)) - anchor(0);
        double high_sum = high0 + high, rest_sum = rest0 + fma(d, d, -high);
        high0 = high1, high1 = high_sum;
        rest0 = rest1, rest1 = rest_sum;
    }
    __device__ bool commit(double) {
        window_next(high0 + high1, anchor(0), w0);
        window_next(rest0 + rest1, 0x1.8p4, w1); /* 1.5 * 2^52 * 2^-48 */
        return true;
    }
    __device__ void flush(double, u64 *limbs) {
        window_flush(w0, 2148 - 12, limbs);
        window_flush(w1, 2148 - 48, limbs);
        begin();
    }
};

/* ---- integers of at most 32 bits and a sign ---------------------------------------------------- */

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

/* Of at most 16 bits and a sign, |v| <= 2^16: a tile's sum has 32 bits. */
struct sum_small {
    enum { has_again = 0, terms = 0 };
    i64 sum;
    int of_tile;

    __device__ static double anchor(int) {
        return 0;
    }
    __device__ void begin() {
        sum = 0;
    }
    __device__ void tile() {
        of_tile = 0;
    }
    __device__ void add(int v, double) {
        of_tile += v;
    }
    __device__ bool commit(double) {
        sum += of_tile;
        return true;
    }
    __device__ void flush(double, u64 *limbs) {
        window_flush((u64)sum, 1074, limbs);
        begin();
    }
};

/* One instruction an element, multiplying and adding; a tile of 64 squares is at most 2^38. */
struct squares_small {
    enum { has_again = 0, terms = 0 };
    u64 sum;

    __device__ static double anchor(int) {
        return 0;
    }
    __device__ void begin() {
        sum = 0;
    }
    __device__ void tile() {
    }
    __device__ void add(int v, double) {
        sum += (u64)((i64)v * v);
    }
    __device__ bool commit(double) {
        return true;
    }
    __device__ void flush(double, u64 *limbs) {
        window_flush(sum, 2148, limbs);
        begin();
    }
};

#endif
