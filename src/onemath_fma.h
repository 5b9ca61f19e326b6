/* om_fma: a b + c with one rounding, and om_product_error, on machines with and without an instruction
 * for it.  The bits are the same everywhere.
 *
 * Without one (x86-64 below x86-64-v3) a product is split exactly into two doubles p - e (Dekker), p +
 * c becomes s - t without error (Knuth), and t + e is rounded to odd, so that the last addition rounds
 * as if it saw everything.  That rounding to odd does so is Boldo and Melquiond's (Emulation of FMA and
 * correctly rounded sums, IEEE Transactions on Computers 57, 2008), who add c to e first; here it is so
 * because t + e is small beside s:
 *  - t = 0: it is e, and nothing is rounded before the end;
 *  - t != 0: p + c is inexact, so that it is not of opposite signs with |p| / 2 <= |c| <= 2 |p|
 *    (Sterbenz), and |s| >= |p| / 2.  Then |t| <= ulp(s) / 2, |e| <= ulp(p) / 2 <= ulp(s), and the last
 *    bit of t + e as a double is at least 50 bits below that of s, so far below all ties of the last
 *    addition.
 * All is exact as long as nothing overflows and nothing inexact is subnormal.  Two ways to keep to it:
 *  - om_fma tests its operands and leaves those out of range to the C library's fma, which is right
 *    for all, and slow;
 *  - with OM_FMA_BY_FLAGS there is no test and no branch.  Where a result may be wrong, the overflow or
 *    the underflow flag of the processor is raised: the caller clears and reads them (guarded_maps.c).
 *    Products of parts have 53 bits or less, so that one that is inexact is below 2^-1022: it raises
 *    underflow also on x86, where results that round up to 2^-1022 do not.
 * Infinities and NaN raise nothing, and are right either way. */
#ifndef ONEMATH_FMA_H
#define ONEMATH_FMA_H

#if defined(__x86_64__) && !defined(__FMA__) && !defined(__CUDACC__)
#define OM_FMA_EMULATED 1
#endif

#ifdef OM_FMA_EMULATED

#define OM_LARGEST 0x1.fffffffffffffp1023

/* a = ah + al and b = bh + bl: a by rounding to 26 bits (Veltkamp), b by its upper 26.  Of the products
 * of two parts the longest has 53 bits.  A factor that several products have in common comes first: it
 * is then cut once. */
#define OM_CUT_FACTORS(a, b)                                                                           \
    double om_up = (a)*0x1.0000002p27, ah = om_up - (om_up - (a)), al = (a)-ah;                        \
    double bh = om_double(om_bits(b) & ~0x7FFFFFFull), bl = (b)-bh

/* p - a b exactly, p = a * b as rounded; +0 where that is 0. */
OM_FN double om_product_excess(double a, double b, double p) {
    OM_CUT_FACTORS(a, b);
    return (((p - ah * bh) - ah * bl) - al * bh) - al * bl;
}

/* w rounded to odd, where w - d is exact and w the double nearest to it: of the two doubles around an
 * exact value that is none the one with an odd last bit. */
OM_FN double om_round_to_odd(double w, double d) {
    om_u64 twice = om_bits(d) << 1, inexact = (twice | (0 - twice)) >> 63;
    om_u64 beyond = ((om_bits(w) ^ om_bits(d)) >> 63 ^ 1) & inexact; /* is |w| too large? */
    return om_double((om_bits(w) - beyond) | inexact);
}

/* All low parts are subtracted: so a sum of two zeros that are -0 is -0. */
OM_FN double om_fma_by_flags(double a, double b, double c) {
    double p = a * b, e = om_product_excess(a, b, p);
    double s = p + c, v = s - p, t = ((s - v) - p) + (v - c); /* p + c = s - t */
    double w = t + e, x = w - t, d = ((w - x) - t) + (x - e); /* t + e = w - d */
    double low = om_round_to_odd(w, d);
    return s - (low > -OM_LARGEST ? low : -OM_LARGEST); /* a NaN: where s is one, or infinite */
}

/* In range the factors can be cut, p - a b is a multiple of 2^-1074, and no sum overflows. */
OM_FN double om_fma_any(double a, double b, double c) {
    double p = om_abs(a * b), large = om_abs(a) > om_abs(b) ? om_abs(a) : om_abs(b);
    if ((p > 0x1p-968) & (p < 0x1p1020) & (large < 0x1p995) & (om_abs(c) < 0x1p1020))
        return om_fma_by_flags(a, b, c);
    return fma(a, b, c);
}

#ifdef OM_FMA_BY_FLAGS
#define om_fma om_fma_by_flags
OM_FN double om_product_error(double a, double b, double p) {
    OM_CUT_FACTORS(a, b);
    return (((ah * bh - p) + ah * bl) + al * bh) + al * bl; /* +0 where it is 0, as of fma */
}
#else
#define om_fma                    om_fma_any
#define om_product_error(a, b, p) om_fma_any(a, b, -(p))
#endif

#else
/* a b + c, rounded once; om_fma_any is right even where no flag is looked at */
#define om_fma                    fma
#define om_fma_any                fma
/* a b - p exactly, p = a * b as rounded */
#define om_product_error(a, b, p) fma(a, b, -(p))
#endif

#endif
