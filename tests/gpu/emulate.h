/* Device code on the CPU: what kernels/ needs of CUDA, for g++ and clang++, with one thread a block.
 * Include it before anything of kernels/, and after the standard headers. */
#ifndef EMULATE_H
#define EMULATE_H

#include <math.h>
#include <string.h>

#include "../../kernels/launch.h"

#define ONEPASS_EMULATED 1
#undef ONEPASS_THREADS
#define ONEPASS_THREADS 1

#define __device__
#define __noinline__

static const struct { unsigned x; } threadIdx = {0};

static inline long long __double_as_longlong(double v) {
    long long bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline double __longlong_as_double(long long bits) {
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline int __double2hiint(double v) {
    return (int)(__double_as_longlong(v) >> 32);
}

static inline double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

static inline unsigned __float_as_uint(float v) {
    unsigned bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static inline unsigned long long atomicAdd(unsigned long long *at, unsigned long long v) {
    unsigned long long before = *at;
    *at += v;
    return before;
}

#endif
