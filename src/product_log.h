/* The logarithm that products are sums of (product.c, which has the error analysis), for the CPU and
 * for kernels: 128-bit integers only. */
#ifndef PRODUCT_LOG_H
#define PRODUCT_LOG_H

#include "product_table.h"

#ifdef __CUDACC__
#define PRODUCT_FN   static __device__ __forceinline__
#define PRODUCT_SLOW static __device__ __noinline__
#else
#define PRODUCT_FN   static inline
#define PRODUCT_SLOW static inline
#endif

typedef unsigned __int128 wide;

#define FRACTION_OF(n) (~(wide)0 / (n)) /* 1/n as a fraction, to a unit */

PRODUCT_FN wide join(unsigned long long high, unsigned long long low) {
    return (wide)high << 64 | low;
}

/* The product of two fractions, truncated to a fraction. */
PRODUCT_FN wide multiply(wide a, wide b) {
    wide ah = a >> 64, al = (unsigned long long)a, bh = b >> 64, bl = (unsigned long long)b;
    wide middle = ah * bl + (al * bl >> 64);
    wide other = al * bh + (unsigned long long)middle;
    return ah * bh + (middle >> 64) + (other >> 64);
}

/* -ln(1 - u) of a fraction u < 2^-22: u + u^2/2 + u^3/3 + u^4/4. */
PRODUCT_FN wide log_series(wide u) {
    wide inner = multiply(u, FRACTION_OF(3) + (u >> 2));
    return u + multiply(u, multiply(u, FRACTION_OF(2) + inner));
}

/* log2 of m / 2^63, m >= 2^63.  Without branches: which factors are taken is random. */
PRODUCT_SLOW wide log2_fraction(unsigned long long m) {
    if (m << 1 == 0) return 0;
    unsigned long long high = m, low = 0; /* y */
    wide taken = 0;
#ifdef __CUDACC__
#pragma unroll
#else
#pragma GCC unroll 22 /* all steps: shifts by constants take half the time */
#endif
    for (int k = 1; k <= PRODUCT_STEPS; k++) {
        wide y = join(high, low);
        wide next = y + join(high >> k, low >> k | high << (64 - k));
        unsigned long long fits =
            0 - (unsigned long long)(next > y); /* else it wrapped: y (1 + 2^-k) >= 1 */
        high = ((unsigned long long)(next >> 64) & fits) | (high & ~fits);
        low = ((unsigned long long)next & fits) | (low & ~fits);
        taken += join(product_log2[k][0] & fits, product_log2[k][1] & fits);
    }
    wide rest = log_series(-join(high, low));
    return -(taken + rest + multiply(rest, join(product_log2e[0], product_log2e[1])));
}

/* A sum of logarithms, before it goes into a state. */
struct logs {
    wide fraction;
    unsigned long long carries; /* out of fraction */
    long long whole;
};

/* logs += log2(mag * 2^exp2), mag > 0 with that many leading zeros */
PRODUCT_FN void add_log(struct logs *logs, unsigned long long mag, int zeros, int exp2) {
    wide fraction = log2_fraction(mag << zeros);
    logs->fraction += fraction;
    logs->carries += logs->fraction < fraction;
    logs->whole += 63 - zeros + exp2;
}

#endif
