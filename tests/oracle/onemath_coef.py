"""Makes src/onemath_coef.h: polynomials, tables and split constants of onemath_*.h, from mpmath alone.

    python3 tests/oracle/onemath_coef.py > src/onemath_coef.h

Polynomials: weighted least squares over Chebyshev nodes, which comes within a factor of about 2 of the
smallest largest error; coefficients are rounded to binary64 one after the other from the lowest power, and
the rest is fitted anew after each.  The largest error of each, relative to the function's result, goes to
standard error in bits.
"""

import sys

import mpmath
from mpmath import mp, mpf

mp.prec = 260
LINES = []


def rounded(x, bits=53):
    """x to so many bits."""
    if x == 0:
        return mpf(0)
    mantissa, exponent = mpmath.frexp(x)
    scale = mpf(2) ** bits
    return mpmath.nint(mantissa * scale) / scale * mpf(2) ** exponent


def text(x):
    return float(x).hex()


def split(x, n=2, bits=53):
    """x as a sum of n doubles, all but the last of so many bits."""
    parts = []
    for i in range(n):
        part = rounded(x, bits if i < n - 1 else 53)
        parts.append(part)
        x -= part
    return parts


def define(name, value):
    LINES.append("#define %s %s" % (name, value))


def constant(name, *parts):
    """One double, or the parts of a split: NAMEH and NAMEL of two, NAME1 to NAME3 of three."""
    suffixes = {1: [""], 2: ["H", "L"], 3: ["1", "2", "3"]}[len(parts)]
    for suffix, part in zip(suffixes, parts):
        define("OM_" + name + suffix, text(part))


def table(name, cells, per_line):
    rows = [", ".join(cells[i : i + per_line]) for i in range(0, len(cells), per_line)]
    LINES.append("#define OM_%s \\\n    " % name + ", \\\n    ".join(rows))


def fit(f, n, low, high, weight):
    """c_0 .. c_(n-1) so that weight(t) |sum c_k t^k - f(t)| is small for t in low .. high, and its maximum."""
    middle, radius, count = (low + high) / 2, (high - low) / 2, 6 * n + 1
    nodes = [middle + radius * mpmath.cos(mpmath.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    tiny = radius * mpf(10) ** -9  # for functions with a removable pole at 0
    nodes = [t if abs(t) > tiny else tiny for t in nodes]
    residues, weights, coefficients = [f(t) for t in nodes], [weight(t) for t in nodes], []
    for j in range(n):
        a, y = mpmath.matrix(count, n - j), mpmath.matrix(count, 1)
        for i, t in enumerate(nodes):
            y[i] = residues[i] * weights[i]
            for k in range(n - j):
                a[i, k] = (t / radius) ** (j + k) * weights[i]
        coefficients.append(rounded(mpmath.lu_solve(a.T * a, a.T * y)[0] / radius**j))
        residues = [r - coefficients[j] * t**j for r, t in zip(residues, nodes)]
    return coefficients, max(abs(r * w) for r, w in zip(residues, weights))


def polynomial(name, f, n, low, high, weight):
    coefficients, worst = fit(f, n, mpf(low), mpf(high), weight)
    print("%-3s %2d coefficients, error 2^%.1f" % (name, n, mpmath.log(worst, 2)), file=sys.stderr)
    for i, c in enumerate(coefficients):
        define("OM_%s%d" % (name, i), text(c))


def of_root(f):
    """f(sqrt(z)) as a function of z: the polynomials of odd and even functions."""
    return lambda z: f(mpmath.sqrt(z))


def log_constants():
    """ln 2, log10 2 and their kin.  T and R: a high part of 42 bits, whose products with exponents are exact."""
    ln2, ln10 = mpmath.log(2), mpmath.log(10)
    lg2 = ln2 / ln10
    constant("LOG2E", rounded(1 / ln2))
    constant("LN2", *split(ln2))
    constant("LN2T", rounded(ln2, 42))
    constant("LN2R", rounded(ln2 - rounded(ln2, 42)))
    constant("LOG2E", *split(1 / ln2))
    constant("LOG10E", *split(1 / ln10))
    constant("LN10", *split(ln10))
    constant("LOG2_10", rounded(1 / lg2))
    constant("LG2", *split(lg2))
    constant("LG2T", rounded(lg2, 42))
    constant("LG2R", rounded(lg2 - rounded(lg2, 42)))


def exp_and_log():
    """e^r = 1 + r + r^2/2 + r^3 E(r), |r| <= ln 2 / 2; log((2 + s) / (2 - s)) = s + s^3 L(s^2), of which pow
    takes s^3/12 + s^5/80 apart."""
    reach = mpmath.log(2) / 2 * mpf("1.0002")
    polynomial("E", lambda r: (mpmath.exp(r) - 1 - r - r * r / 2) / r**3, 10, -reach, reach,
               lambda r: r**3 / mpmath.exp(r))
    root = mpmath.sqrt(2)
    reach = (2 * (root - 1) / (root + 1)) ** 2 * mpf("1.0001")
    log = lambda s: mpmath.log((2 + s) / (2 - s))
    polynomial("L", of_root(lambda s: (log(s) - s) / s**3), 8, 0, reach, lambda z: z)
    polynomial("LP", of_root(lambda s: (log(s) - s - s**3 / 12 - s**5 / 80) / s**7), 7, 0, reach,
               lambda z: z**3)
    constant("1O12", *split(mpf(1) / 12))
    constant("1O80", *split(mpf(1) / 80))


def circular():
    """sin r = r + r^3 S(r^2), cos r = 1 - r^2/2 + r^4 C(r^2), |r| <= pi/4; bits of 2/pi, 64 a word."""
    constant("PIO2", *split(mpmath.pi / 2, 3))
    constant("2OPI", rounded(2 / mpmath.pi))
    reach = (mpmath.pi / 4 * mpf("1.001")) ** 2
    sin, cos = mpmath.sin, mpmath.cos
    polynomial("S", of_root(lambda r: (sin(r) / r - 1) / r**2), 7, 0, reach,
               of_root(lambda r: r**3 / sin(r)))
    polynomial("C", of_root(lambda r: (cos(r) - 1 + r**2 / 2) / r**4), 6, 0, reach,
               of_root(lambda r: r**4 / cos(r)))
    with mpmath.workprec(1400):
        words, rest = [], 2 / mpmath.pi
        for _ in range(20):
            rest *= mpf(2) ** 64
            words.append("0x%016xu" % int(mpmath.floor(rest)))
            rest -= mpmath.floor(rest)
    table("2OPI_WORDS", words, 4)


def arc():
    """atan t = t + t^3 A(t^2); |t| as the bounds in om_atan_core leave it."""
    c, one_from, mid_from = mpf(13) / 32, mpf("0.6682"), mpf("0.1988")
    shifted = lambda ratio, by: abs(ratio - by) / (1 + by * ratio)
    slack = mpf("0.0002")
    reach = max(mid_from + slack, shifted(mid_from, c), shifted(one_from, c), shifted(one_from, 1) + slack)
    polynomial("A", of_root(lambda t: (mpmath.atan(t) / t - 1) / t**2), 9, 0, reach**2, lambda z: z)
    constant("ATC", *split(mpmath.atan(c), 2, 50))
    constant("PIO4", *split(mpmath.pi / 4))


def others():
    """m^(-1/3) on 1 .. 2; erf and its slope at multiples of 1/32 to 6."""
    polynomial("R", lambda m: mpmath.cbrt(1 / m), 7, 1, 2, mpmath.cbrt)
    constant("CB1", rounded(mpmath.cbrt(mpf(1) / 2)))
    constant("CB2", rounded(mpmath.cbrt(mpf(1) / 4)))
    cells = []
    for j in range(193):
        c = mpf(j) / 32
        slope = 2 / mpmath.sqrt(mpmath.pi) * mpmath.exp(-c * c)
        cells += [text(part) for part in split(mpmath.erf(c)) + split(slope)]
    table("ERF_TABLE", cells, 4)


def main():
    for part in (log_constants, exp_and_log, circular, arc, others):
        part()
    print("/* Made by tests/oracle/onemath_coef.py; not to be edited. */")
    print("#ifndef ONEMATH_COEF_H\n#define ONEMATH_COEF_H")
    print("/* clang-format off */")
    print("\n".join(LINES))
    print("#endif")


if __name__ == "__main__":
    main()
