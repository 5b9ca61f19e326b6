/* What kernels of floating point share: elements of either type as vectors, what is left of a block
 * after its last whole step, and exponents.  Included by kernels only. */
#ifndef BLOCK_ELEMENTS_H
#define BLOCK_ELEMENTS_H

#include <math.h>

#include "block_sums.h"
#include "lanes.h"

#define UNROLL 8 /* independent additions: latency times throughput of current CPUs */
#define STEP   (UNROLL * LANES)

/* ---- elements -------------------------------------------------------------------------------- */

INLINED size_t item(int type) {
    return type == NATIVE_F32 ? 4 : 8;
}

INLINED vd load(int type, const unsigned char *p) {
    return type == NATIVE_F32 ? vd_load_floats(p) : vd_load(p);
}

/* Masks that clear the sign, or nothing. */
INLINED vl keep64(int magnitude) {
    return (vl){0} + (magnitude ? INT64_MAX : -1);
}
INLINED vi keep32(int magnitude) {
    return (vi){0} + (magnitude ? INT32_MAX : -1);
}

INLINED vd value(int type, int drop_nan, vl keep, const unsigned char *p) {
    vd v = vd_and(load(type, p), keep);
    return drop_nan ? vd_drop_nan(v) : v;
}

/* The n % step elements at the end, step <= STEP, followed by zeros or NaN. */
struct rest {
    unsigned char bytes[STEP * 8] __attribute__((aligned(64)));
};

INLINED void fill_rest(struct rest *r, int type, const unsigned char *p, size_t n, size_t step,
                       int nan) {
    static const uint32_t fill32[] = {0, 0x7fc00000};
    static const double fill64[] = {0, NAN};
    size_t left = n % step;
    if (left == 0) return;
    for (size_t i = left; i < step; i++)
        if (type == NATIVE_F32)
            memcpy(r->bytes + 4 * i, &fill32[nan], 4);
        else
            memcpy(r->bytes + 8 * i, &fill64[nan], 8);
    memcpy(r->bytes, p + (n - left) * item(type), left * item(type));
}

/* ---- exponents ------------------------------------------------------------------------------- */

/* x < 2^exponent_above(x), for finite x >= 0. */
INLINED int exponent_above(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 52) - 1022;
}

/* 2^e, of the range of normal numbers. */
INLINED double power(int e) {
    uint64_t bits = (uint64_t)(e + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* At most 2^log2_terms(n) of n values are added to one lane, which takes over what others have and the
 * step of what is left. */
INLINED int log2_terms(size_t n) {
    return 64 - __builtin_clzll(n / LANES + UNROLL);
}

#endif
