"""Where the map ops are measured: for every op N points, and the special values.

Points of one argument come in classes: the main range, log-uniform of both signs, any bits, subnormal
numbers, hard ones (a few ulps and some per cent about seams of argument reductions, thresholds of
overflow and underflow, zeros, poles, exact cases; for sin, cos and tan the neighbours of multiples of
pi/2), and at last the neighbourhoods of the worst points so far.
"""

import math

import gmpy2
import numpy as np

LN2 = math.log(2)
PI = math.pi
TOP = math.ldexp(1 - 2.0**-53, 1024)  # the largest binary64
KAHAN = math.ldexp(6381956970095103.0, 797)  # nearest of all to a multiple of pi/2


def from_bits(bits):
    return np.asarray(bits, dtype=np.uint64).view(np.float64)


def finite_bits(rng, n):
    bits = rng.integers(0, 2**64, n, dtype=np.uint64)
    bits = np.where((bits >> np.uint64(52)) & np.uint64(2047) == 2047, bits ^ np.uint64(1 << 62), bits)
    return from_bits(bits)


def subnormal(rng, n):
    bits = rng.integers(0, 2**52, n, dtype=np.uint64) >> rng.integers(0, 52, n, dtype=np.uint64)
    return sign(rng, from_bits(bits))


def sign(rng, x):
    return np.where(rng.integers(0, 2, x.size) == 1, -x, x)


def spread(rng, n, low, high):
    """Log-uniform from 2^low to 2^high, both signs."""
    e = rng.integers(low, high, n)
    return sign(rng, np.ldexp(1 + rng.random(n), e))


def nudge(rng, x, most=4):
    """Up to `most` ulps away."""
    step = rng.integers(-most, most + 1, x.size).astype(np.int64)
    bits = x.view(np.int64)
    moved = (bits + step).view(np.float64)
    return np.where((np.abs(x) > 1e-300) & np.isfinite(moved), moved, x)


def aside(rng, x):
    """At log-uniform distances up to 3 %."""
    factor = 1 + sign(rng, np.ldexp(1 + rng.random(x.size), rng.integers(-53, -5, x.size)))
    with np.errstate(over="ignore"):
        return np.clip(x * factor, -TOP, TOP)


def about(rng, n, hot):
    """Half of the points within 4 ulps of the hot ones, half up to 3 % away."""
    x = rng.choice(np.asarray(hot, dtype=np.float64), n)
    near = nudge(rng, x)
    return np.where(rng.integers(0, 2, n) == 1, near, aside(rng, x))


# ---- hot points


def angles():
    """For every exponent, numbers next to multiples of pi/2: the numerators below 2^53 of the convergents
    of pi/2 / 2^e (Kahan), times 2^e."""
    points = [KAHAN]
    with gmpy2.local_context(precision=2600):
        half_pi = gmpy2.const_pi() / 2
        for e in range(-52, 972):
            x = gmpy2.mul_2exp(half_pi, -e) if e < 0 else gmpy2.div_2exp(half_pi, e)
            numerators = convergents(gmpy2.mpq(x))
            points += [math.ldexp(float(p), e) for p in numerators[-3:] if p > 0]
    return np.array(points)


def convergents(x):
    """Numerators below 2^53 of the convergents of a fraction."""
    before, p, found = 0, 1, []
    a, b = x.numerator, x.denominator
    while b != 0:
        q, r = divmod(a, b)
        before, p = p, q * p + before
        if p >= 2**53:
            break
        found.append(int(p))
        a, b = b, r
    return found


def multiples(rng, n):
    """Multiples of pi/4 up to 2^60, within 2 ulps."""
    k = np.floor(np.ldexp(rng.random(n), rng.integers(1, 61, n)))
    return nudge(rng, sign(rng, k * (PI / 4)), 2)


def bisect(f, low, high):
    """The binary64 next to a change of sign of f."""
    below = f(low) < 0
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return low
        if (f(middle) < 0) == below:
            low = middle
        else:
            high = middle


def lgamma_zeros():
    """The zeros at negative x, two between neighbouring integers below -2; from -16 down they are nearer
    to the poles than any binary64."""
    def f(x):
        return gmpy2.lgamma(gmpy2.mpfr(x))[0]

    zeros = []
    for k in range(-16, -2):
        lowest = -2.61 if k == -3 else k + 0.5
        zeros += [bisect(f, math.nextafter(k, 0), lowest), bisect(f, lowest, math.nextafter(k + 1, -math.inf))]
    return zeros


def both(points):
    return [s * p for p in points for s in (1, -1)]


POWERS_OF_TWO = [math.ldexp(1.0, k) for k in range(-1074, 1024)]
HALVES = [k * LN2 / 2 for k in range(-40, 41) if k] + [k * LN2 / 2 for k in range(-2150, 2048, 37)]
EXP_ENDS = [709.782712893384, -708.3964185322641, -745.1332191019411, -744.4400719213812]
SMALL_ENDS = both([2.0**-k for k in (25, 26, 27, 28, 52, 53, 54, 55, 1021, 1022)])
LOG_SEAMS = [math.sqrt(0.5), math.sqrt(2), 1.0, 2.0, 0.5, math.e, 4 / 3, 1.5, 0.75, 2.0**-1022, TOP]
CENTRES = [k / 64 for k in range(1, 2 * 192)]  # of the pieces of tabulated functions

# op: (main range, exponents of the log-uniform class, hot points or a function that makes some)
ONE = {
    "cube": ((-10, 10), (-1074, 1024), both([5.64380309412229e102, 2.8126442852362996e-103, 1.7e-108]) + SMALL_ENDS),
    "cbrt": ((-8, 8), (-1074, 1024), POWERS_OF_TWO + [float(k**3) for k in range(1, 1000)]),
    "rsqrt": ((0, 10), (-1074, 1024), POWERS_OF_TWO + [float(k * k) for k in range(1, 1000)]),
    "exp": ((-10, 10), (-60, 10), HALVES + EXP_ENDS + SMALL_ENDS),
    "exp2": ((-10, 10), (-60, 11), [k / 2 for k in range(-2152, 2049)] + SMALL_ENDS),
    "exp10": ((-10, 10), (-60, 9), [k * LN2 / math.log(100) for k in range(-2150, 2048)]
              + [float(k) for k in range(-324, 309)] + [308.2547155599167, -307.6526555685888, -323.60724]),
    "expm1": ((-10, 10), (-1074, 10), HALVES + EXP_ENDS + SMALL_ENDS + [-37.4, 36.7, -0.25, 0.25, 1.0, -1.0]),
    "log": ((0, 10), (-1074, 1024), LOG_SEAMS + POWERS_OF_TWO),
    "log2": ((0, 10), (-1074, 1024), LOG_SEAMS + POWERS_OF_TWO),
    "log10": ((0, 10), (-1074, 1024), LOG_SEAMS + [float("1e%d" % k) for k in range(-307, 309)]),
    "log1p": ((-1, 10), (-1074, 1024), [math.sqrt(2) - 1, math.sqrt(0.5) - 1, -1 + 2.0**-53, -0.5, 1.0, 3.0]
              + SMALL_ENDS),
    "sin": ((-100, 100), (-1074, 1024), angles),
    "cos": ((-100, 100), (-60, 1024), angles),
    "tan": ((-100, 100), (-1074, 1024), angles),
    "asin": ((-1, 1), (-1074, 1), both([0.5, 0.195, 0.5555, 0.8, 0.99, 1.0, math.sqrt(0.5)]) + SMALL_ENDS),
    "acos": ((-1, 1), (-1074, 1), both([0.5, 0.195, 0.5555, 0.8, 0.99, 1.0, math.sqrt(0.5)]) + SMALL_ENDS),
    "atan": ((-4, 4), (-1074, 1024), both([0.1988, 0.6682, 0.40625, 1.0, 1 / 0.6682, 1 / 0.1988, 2.0**53, 2.0**54])
             + SMALL_ENDS),
    "sinh": ((-10, 10), (-1074, 10), both([0.3466, 1.0397, 0.25, 1.0, 18.71, 22.0, 709.78, 710.4758600739439])
             + SMALL_ENDS),
    "cosh": ((-10, 10), (-60, 10), both([0.3466, 1.0397, 0.25, 1.0, 18.71, 22.0, 709.78, 710.4758600739439])
             + SMALL_ENDS),
    "tanh": ((-4, 4), (-1074, 6), both([0.1733, 0.5199, 0.25, 1.0, 18.71, 19.0615, 22.0]) + SMALL_ENDS),
    "asinh": ((-10, 10), (-1074, 1024), both([0.3, 0.5, 1.0, 2.0, 2.0**27, 2.0**28, 2.0**53, 1.3e154, TOP])
              + SMALL_ENDS),
    "acosh": ((1, 10), (0, 1024), [1.0, 1.001, 1.5, 2.0, 2.0**27, 2.0**28, 2.0**53, 1.3e154, TOP]),
    "atanh": ((-1, 1), (-1074, 0), both([0.1733, 0.17157, 0.25, 0.5, 1 - 2.0**-53, 0.9]) + SMALL_ENDS),
    "erf": ((-4, 4), (-1074, 3), both(CENTRES + [5.9215871957945, 6.0]) + SMALL_ENDS),
    "erfc": ((-4, 10), (-60, 5), both(CENTRES) + [k / 32 for k in range(192, 880)]
             + [26.543258454250, 27.2260171, -5.8635847487551] + SMALL_ENDS),
    "lgamma": ((-10, 30), (-1074, 1014), lambda: np.array(
        lgamma_zeros() + [1.0, 2.0, 2.5, 3.0, 8.0, 1.4616321449683623, 0.5, 1.5, 2.5563481638716906e305, 2.0**58]
        + [k / 8 for k in range(1, 128)] + [-k / 8 for k in range(1, 300)] + [-(2.0**k) - 0.5 for k in range(2, 51)])),
    "sigmoid": ((-10, 10), (-60, 10), [-v for v in EXP_ENDS] + EXP_ENDS + HALVES + [36.7, 37.4] + SMALL_ENDS),
    "degrees": ((-10, 10), (-1074, 1024), both([3.1375664143845866e306, PI, PI / 2, 2.0**-1022]) + SMALL_ENDS),
    "radians": ((-400, 400), (-1074, 1024), both([180.0, 90.0, 2.0**-1017, 2.0**-1016, TOP]) + SMALL_ENDS),
}


def one(op, rng, n):
    """n points of one argument, all classes but the last; how many of them are of the main range, which
    come first."""
    (low, high), (least, most), hot = ONE[op]
    hot = hot() if callable(hot) else hot
    m = n * 3 // 10
    parts = [
        rng.uniform(low, high, m),
        spread(rng, n // 5, least, most),
        finite_bits(rng, n // 10),
        subnormal(rng, n // 20),
    ]
    if op in ("sin", "cos", "tan"):
        parts.append(multiples(rng, n // 10))
    parts.append(about(rng, n - sum(p.size for p in parts), hot))
    return (np.concatenate(parts),), m


def about_worst(rng, n, worst):
    """n points within 3 % of some of those of `worst`, each argument by itself."""
    chosen = np.array(worst)[rng.integers(0, len(worst), n)]
    return tuple(aside(rng, np.ascontiguousarray(x)) for x in chosen.T)


# ---- two arguments


def pow_points(rng, n):
    def near_one(k):
        return 1 + sign(rng, np.ldexp(1 + rng.random(k), rng.integers(-53, -1, k)))

    def full(x):
        """An exponent that takes x anywhere in binary64's range; some to its ends."""
        ends = rng.choice(np.array(EXP_ENDS), x.size)
        target = np.where(rng.integers(0, 4, x.size) == 0, ends, rng.uniform(-745, 709.8, x.size))
        return nudge(rng, target / np.log(x), 2)

    m = n * 3 // 10
    k = (n - m) // 7
    x, any_x, small = near_one(k), np.abs(finite_bits(rng, k)), np.abs(subnormal(rng, k)) + 2.0**-1074
    whole = rng.integers(1, 50, k).astype(np.float64)
    roots = rng.choice([0.5, 0.25, 0.75, 1.5, 2.5, 1 / 3, -0.5, 2.0, 3.0, 4.0, -1.0, -2.0], k)
    rest = n - m - 6 * k
    pairs = [
        (rng.uniform(0, 10, m), rng.uniform(-20, 20, m)),
        (x, full(x)),
        (any_x, full(any_x)),
        (small, rng.uniform(-1, 1, k)),
        (whole ** rng.integers(1, 5, k), roots),
        (-np.abs(spread(rng, k, -8, 8)), np.rint(rng.uniform(-130, 130, k))),
        (finite_bits(rng, k), finite_bits(rng, k)),
        (np.abs(spread(rng, rest, -16, 16)), spread(rng, rest, -16, 16)),
    ]
    return join(pairs), m


def plane_points(rng, n, main):
    """Pairs for atan2 and hypot: quotients of all sizes, subnormals, both ends of the range."""
    m = n * 3 // 10
    k = (n - m) // 6
    x, y, size = spread(rng, k, -300, 300), spread(rng, k, -60, 60), spread(rng, k, -1021, 990)
    seams = rng.choice([0.1988, 0.6682, 0.40625, 1.0, 1.4966, 5.03, 0.75, 4 / 3, 2.0**-27, 2.0**27], k)
    legs = rng.integers(1, 2**25, k).astype(np.float64)
    rest = n - m - 5 * k
    pairs = [
        (rng.uniform(*main, m), rng.uniform(*main, m)),
        (x * y, x),
        (nudge(rng, size * seams), size),
        (finite_bits(rng, k), finite_bits(rng, k)),
        (subnormal(rng, k), np.where(rng.integers(0, 2, k) == 1, subnormal(rng, k), spread(rng, k, -1074, -1000))),
        (3 * legs, 4 * legs),
        (spread(rng, rest, 1010, 1024), spread(rng, rest, 960, 1024)),
    ]
    return join([(np.clip(a, -TOP, TOP), np.clip(b, -TOP, TOP)) for a, b in pairs]), m


def join(pairs):
    return tuple(np.concatenate([p[i] for p in pairs]) for i in range(len(pairs[0])))


def two(op, rng, n):
    return pow_points(rng, n) if op == "pow" else plane_points(rng, n, (-10, 10))


# ---- ops without an error


def exact(op, nargs, rng, n):
    """Numbers of all sizes, halves and integers about 2^52, and for two arguments pairs that are near to
    each other, to multiples, or equal."""
    def mixed(k):
        parts = [
            finite_bits(rng, k // 4),
            rng.uniform(-10, 10, k // 4),
            rng.integers(-40, 40, k // 8) / 2.0,
            np.ldexp(rng.integers(-(2**53), 2**53, k // 8).astype(np.float64), rng.integers(-3, 3, k // 8)),
            subnormal(rng, k // 16),
        ]
        parts.append(spread(rng, k - sum(p.size for p in parts), -60, 60))
        return rng.permutation(np.concatenate(parts))

    args = [mixed(n) for _ in range(nargs)]
    if nargs == 2:
        third, k = n // 3, rng.integers(1, 2**20, n // 3)
        args[1][:third] = args[0][:third] / k
        args[1][third : third + n // 9] = nudge(rng, args[0][third : third + n // 9])
    return tuple(args)


# ---- special values

VALUES = both([0.0, math.inf, 1.0, 2.0, 3.0, 0.5, 1.5, 2.5, 2.0**-1074, 2.0**-1022, TOP, 2.0**52 + 1, 2.0**53,
               2.0**53 + 2, 1e300, 1e-300, 1 - 2.0**-53, 1 + 2.0**-52, 710.0, 746.0, 1 / 3, 2.0**31, 2.0**63,
               180.0, 4.0, 170.0, 2.0**1023, 1100.0]) + [math.nan]


def special(nargs):
    """All combinations of the special values."""
    grids = np.meshgrid(*[np.array(VALUES)] * nargs, indexing="ij")
    return tuple(g.ravel() for g in grids)
