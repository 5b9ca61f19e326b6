#!/usr/bin/env python3
"""Makes src/onemath_special_coef.h: the polynomials and constants of onemath_erfc.h and
onemath_gamma.h, from mpmath alone (no published tables).

    python3 onemath_special_coef.py >src/onemath_special_coef.h

Fit: weighted least squares on Chebyshev nodes (within about twice the minimax error); coefficients
are rounded to binary64 one after the other from the lowest power, the rest fitted again after each.
The largest error of each fit, relative to the function, goes to stderr in bits."""
import sys

from mpmath import (cos, diff, erfc, exp, frexp, log, loggamma, lu_solve, matrix, mp, mpf, nint, pi,
                    sqrt)

mp.prec = 260
defined = []


def rounded(x, bits=53):
    """x rounded to a binary number of that many bits."""
    if x == 0:
        return mpf(0)
    mantissa, exponent = frexp(x)
    return nint(mantissa * mpf(2)**bits) / mpf(2)**bits * mpf(2)**exponent


def two(x):
    """x as the sum of two binary64 numbers."""
    high = rounded(x)
    return high, rounded(x - high)


def fit(name, f, n, lo, hi, weight, ndouble):
    """n coefficients of P(t) ~ f(t) on [lo, hi], the lowest ndouble with twice the bits."""
    lo, hi, count, found = mpf(lo), mpf(hi), 6 * n + 1, []
    mid, radius = (lo + hi) / 2, (hi - lo) / 2
    nodes = [mid + radius * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    rest, weights = [f(t) for t in nodes], [weight(t) for t in nodes]
    for j in range(n):
        powers = matrix(count, n - j)
        target = matrix(count, 1)
        for i, t in enumerate(nodes):
            target[i] = rest[i] * weights[i]
            for k in range(n - j):
                powers[i, k] = (t / radius)**(j + k) * weights[i]
        best = lu_solve(powers.T * powers, powers.T * target)[0] / radius**j
        found.append(sum(two(best)) if j < ndouble else rounded(best))
        rest = [r - found[j] * t**j for r, t in zip(rest, nodes)]
    worst = max(abs(r * w) for r, w in zip(rest, weights))
    print("%-13s %2d terms, error 2^%.1f" % (name, n, log(worst, 2)), file=sys.stderr)
    return found


def define(name, value):
    defined.append((name, float(value).hex()))


def define_two(name, value):
    for part, suffix in zip(two(value), "HL"):
        define(name + suffix, part)


def define_all(name, found):
    for i, value in enumerate(found):
        define("%s%d" % (name, i), value)


def define_factor(name, f, n, lo, hi):
    """f's coefficients, the lowest in two parts, and a rough derivative for the low part of t."""
    found = fit(name, f, n, lo, hi, lambda t: 1 / f(t), 1)
    define_two(name, found[0])
    for i, value in enumerate(found[1:], 1):
        define("%s%d" % (name, i), value)
    define_all(name + "SLOPE",
               fit(name + "SLOPE", lambda t: diff(f, t), 4, lo, hi, lambda t: abs(t) / f(t), 0))


def scaled_erfcx(t):
    """(1 + 9/8 a) exp(a^2) erfc(a), a = ERFC_CENTRE (1 + t) / (1 - t): between 1 and 0.63."""
    a = ERFC_CENTRE * (1 + t) / (1 - t)
    return (1 + 9 * a / 8) * exp(a * a) * erfc(a)


def lgamma_factor(t):
    """lgamma(y) / ((y - 1)(y - 2)), y = LGAMMA_CENTRE (1 + t) / (1 - t)."""
    y = LGAMMA_CENTRE * (1 + t) / (1 - t)
    for zero in (1, 2):
        if abs(y - zero) < mpf(2)**-80:
            y = zero + mpf(2)**-80
    return loggamma(y) / ((y - 1) * (y - 2))


def binet(w):
    """x (lgamma(x) - (x - 1/2) log x + x - log(2 pi)/2), w = 1/x^2."""
    x = 1 / sqrt(w)
    return x * (loggamma(x) - (x - mpf(1) / 2) * log(x) + x - log(2 * pi) / 2)


def mapped(centre, y):
    return (mpf(y) - centre) / (mpf(y) + centre)


ERFC_CENTRE, ERFC_END = mpf(4), 28
LGAMMA_NEAR, LGAMMA_CENTRE, LGAMMA_FAR = mpf(3) / 4, mpf(2), 5


def main():
    define_factor("OM_ERFC", scaled_erfcx, 25, -1, mapped(ERFC_CENTRE, ERFC_END))
    define_factor("OM_G", lgamma_factor, 27, mapped(LGAMMA_CENTRE, LGAMMA_NEAR),
                  mapped(LGAMMA_CENTRE, LGAMMA_FAR))
    define_all("OM_BINET", fit("OM_BINET", binet, 8, mpf(2)**-80, mpf(1) / LGAMMA_FAR**2,
                               lambda w: sqrt(w) / loggamma(1 / sqrt(w)), 0))
    define_two("OM_STIRLING", (log(2 * pi) - 1) / 2)
    define_two("OM_LOG_PI", log(pi))
    define_two("OM_PI", pi)
    width = max(len(name) for name, _ in defined)
    print("/* Made by tests/oracle/onemath_special_coef.py; not to be edited. */")
    print("#ifndef ONEMATH_SPECIAL_COEF_H\n#define ONEMATH_SPECIAL_COEF_H\n")
    for name, value in defined:
        print("#define %-*s %s" % (width, name, value))
    print("\n#endif")


main()
