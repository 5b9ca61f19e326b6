"""The truth about the ops that IEEE does not fix, by mpmath: error() in units in the last place.

Special values are C's Annex F, by the table below; finite results are computed with enough bits that
the error is known to 2^-20 ulp or so.  sample sizes are small: mpmath takes some 10 to 100 us a value.
"""

import math

import mpmath
import numpy as np
from mpmath import mpf

from rounding import INF, MAX_EXP, MIN_EXP, NAN

SAMPLES = 16  # elements judged per stage
WORKING_BITS = 200
BOUND = 1.0  # what error() may be
NEAR_ZERO = mpf(2) ** -52  # or this absolute error, of lgamma near its zeros at negative x
FAR = 800.0  # beyond it exp and its kin overflow or reach their limit

ODD = set("cube cbrt sin tan asin atan sinh tanh asinh atanh erf expm1 log1p degrees radians".split())


def choose(rng, where, args):
    """Some positions of `where`: random ones, and the largest and smallest arguments."""
    if where.size <= SAMPLES:
        return where.tolist()
    at = rng.choice(where, SAMPLES - 4, replace=False).tolist()
    for a in args[:2]:
        sizes = np.abs(a[where])
        at += [int(where[np.argmax(sizes)]), int(where[np.argmin(sizes)])]
    return at


# ---- special values: answers where the result is not an ordinary number


LIMITS = {  # op: (at -inf, at +inf)
    "exp": (0.0, INF), "exp2": (0.0, INF), "exp10": (0.0, INF), "expm1": (-1.0, INF),
    "log": (NAN, INF), "log2": (NAN, INF), "log10": (NAN, INF), "log1p": (NAN, INF),
    "sin": (NAN, NAN), "cos": (NAN, NAN), "tan": (NAN, NAN), "asin": (NAN, NAN), "acos": (NAN, NAN),
    "sinh": (-INF, INF), "cosh": (INF, INF), "tanh": (-1.0, 1.0),
    "asinh": (-INF, INF), "acosh": (NAN, INF), "atanh": (NAN, NAN),
    "erf": (-1.0, 1.0), "erfc": (2.0, 0.0), "lgamma": (INF, INF), "sigmoid": (0.0, 1.0),
    "cbrt": (-INF, INF), "cube": (-INF, INF), "rsqrt": (NAN, 0.0),
    "degrees": (-INF, INF), "radians": (-INF, INF),
}
OUTSIDE = {  # op: is x outside the domain?
    "log": lambda x: x < 0, "log2": lambda x: x < 0, "log10": lambda x: x < 0,
    "log1p": lambda x: x < -1, "rsqrt": lambda x: x < 0,
    "asin": lambda x: abs(x) > 1, "acos": lambda x: abs(x) > 1,
    "acosh": lambda x: x < 1, "atanh": lambda x: abs(x) > 1,
}
POLES = {
    "log": {0.0: -INF}, "log2": {0.0: -INF}, "log10": {0.0: -INF}, "log1p": {-1.0: -INF},
    "atanh": {1.0: INF, -1.0: -INF},
}


def special_one(op, x):
    """The answer for one argument if a table gives it, else None."""
    if math.isnan(x):
        return NAN
    if math.isinf(x):
        if op == "atan":
            return None
        return LIMITS[op][x > 0]
    if op in OUTSIDE and OUTSIDE[op](x):
        return NAN
    if x in POLES.get(op, {}):
        return POLES[op][x]
    if op == "rsqrt" and x == 0:
        return math.copysign(INF, x)
    if op == "lgamma" and x <= 0 and x == math.floor(x):
        return INF
    return None


def special_pow(x, y):
    if y == 0 or x == 1:
        return 1.0
    if math.isnan(x) or math.isnan(y):
        return NAN
    odd = abs(y) < 2.0**53 and y == math.floor(y) and int(y) & 1
    if math.isinf(y):
        if abs(x) == 1:
            return 1.0
        return INF if (abs(x) > 1) == (y > 0) else 0.0
    if x == 0 or math.isinf(x):
        size = INF if (x == 0) == (y < 0) else 0.0
        return math.copysign(size, x) if odd else size
    if x < 0 and y != math.floor(y):
        return NAN
    return None


def special_two(op, a, b):
    if op == "pow":
        return special_pow(a, b)
    if op == "hypot" and (math.isinf(a) or math.isinf(b)):
        return INF
    if math.isnan(a) or math.isnan(b):
        return NAN
    return None


# ---- exact values


def clip(x, limit):
    return max(-limit, min(limit, x))


def gamma_log(x):
    """log|gamma(x)|, x no pole."""
    if x > 0:
        return mpmath.loggamma(mpf(x)) if x != math.inf else mpf("inf")
    with mpmath.extraprec(1100):
        s = abs(mpmath.sin(mpmath.pi * mpf(x)))
        return mpmath.log(mpmath.pi / s) - mpmath.loggamma(1 - mpf(x))


def angle(y, x):
    """atan2 of infinite and zero arguments, too."""
    if math.isinf(y) or math.isinf(x):
        y, x = (math.copysign(1.0 if math.isinf(v) else 0.0, v) for v in (y, x))
    if y == 0:
        straight = math.copysign(1.0, x) < 0
        return (mpmath.pi if straight else mpf(0)) * (1 if math.copysign(1.0, y) > 0 else -1)
    if x == 0:
        return mpmath.pi / 2 * (1 if y > 0 else -1)
    with mpmath.extraprec(100):
        base = mpmath.atan(mpf(y) / mpf(x))
        return base if x > 0 else base + (mpmath.pi if y > 0 else -mpmath.pi)


def power(x, y):
    """x^y, x not 0; far out only the side counts."""
    with mpmath.extraprec(100):
        size = mpf(y) * mpmath.log(abs(mpf(x)), 2)
        odd = x < 0 and int(y) & 1
        if abs(size) > 3000:
            size = mpf(3000 if size > 0 else -3000)
        return mpmath.power(2, size) * (-1 if odd else 1)


def small_extra(f):
    """f with bits to spare for arguments near a point where it cancels."""
    def wrapped(x):
        with mpmath.extraprec(1200):
            return f(mpf(x))
    return wrapped


EXACT = {
    "cube": lambda x: mpf(x) ** 3,
    "rsqrt": lambda x: 1 / mpmath.sqrt(mpf(x)),
    "cbrt": lambda x: mpmath.cbrt(abs(mpf(x))) * (1 if x > 0 else -1),
    "exp": lambda x: mpmath.exp(mpf(clip(x, FAR))),
    "exp2": lambda x: mpmath.power(2, mpf(clip(x, 2000.0))),
    "exp10": lambda x: mpmath.power(10, mpf(clip(x, FAR))),
    "expm1": lambda x: mpmath.expm1(mpf(clip(x, FAR))),
    "log": lambda x: mpmath.log(mpf(x)),
    "log2": lambda x: mpmath.log(mpf(x), 2),
    "log10": lambda x: mpmath.log10(mpf(x)),
    "log1p": lambda x: mpmath.log1p(mpf(x)),
    "sin": small_extra(mpmath.sin),
    "cos": small_extra(mpmath.cos),
    "tan": small_extra(mpmath.tan),
    "asin": lambda x: mpmath.asin(mpf(x)),
    "acos": lambda x: mpmath.acos(mpf(x)),
    "atan": lambda x: mpmath.atan(mpf(x)),
    "sinh": lambda x: mpmath.sinh(mpf(clip(x, FAR))),
    "cosh": lambda x: mpmath.cosh(mpf(clip(x, FAR))),
    "tanh": lambda x: mpmath.tanh(mpf(clip(x, FAR))),
    "asinh": small_extra(mpmath.asinh),
    "acosh": small_extra(mpmath.acosh),
    "atanh": small_extra(mpmath.atanh),
    "erf": lambda x: mpmath.erf(mpf(clip(x, 30.0))),
    "erfc": lambda x: mpmath.erfc(mpf(clip(x, 30.0))),
    "lgamma": gamma_log,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-mpf(clip(x, FAR)))),
    "degrees": lambda x: mpf(x) * 180 / mpmath.pi,
    "radians": lambda x: mpf(x) * mpmath.pi / 180,
    "pow": power,
    "hypot": lambda a, b: mpmath.sqrt(mpf(a) ** 2 + mpf(b) ** 2),
    "atan2": angle,
}


def unit(exact):
    """Unit in the last place of binary64 at |exact|, as an exponent of 2."""
    if exact == 0:
        return MIN_EXP
    return min(max(mpmath.frexp(exact)[1] - 53, MIN_EXP), MAX_EXP)


def same(got, want):
    """Equal, NaN with NaN, and zeros with their signs."""
    if math.isnan(want):
        return math.isnan(got)
    return got == want and math.copysign(1, got) == math.copysign(1, want)


def error(op, args, got):
    """Units in the last place that `got` is off; infinity for a wrong special value or sign of zero."""
    want = special_one(op, *args) if len(args) == 1 else special_two(op, *args)
    if want is not None:
        return 0.0 if same(got, want) else math.inf
    if op in ODD and args[0] == 0:
        return 0.0 if same(got, args[0]) else math.inf
    with mpmath.workprec(WORKING_BITS):
        exact = EXACT[op](*args)
        if exact == 0 and op == "atan2":
            return 0.0 if same(got, math.copysign(0.0, args[0])) else math.inf
        if exact == 0:
            return 0.0 if same(got, 0.0) else math.inf
        if math.isnan(got):
            return math.inf
        number = mpf(2) ** 1024 * (1 if got > 0 else -1) if math.isinf(got) else mpf(got)
        if abs(exact) > mpf(2) ** 1024:
            exact = mpf(2) ** 1024 * (1 if exact > 0 else -1)
        size = mpf(2) ** unit(exact)
        if op == "lgamma" and args[0] < 0:
            size = max(size, NEAR_ZERO)
        return float(abs(number - exact) / size)
