"""What the map ops should give: MPFR at 120 bits for those with an error, numpy and exact arithmetic for
those without; and how far a result is from it.

MPFR has the special values of C's Annex F for every function of it that is used here.
"""

import math
import sys
from pathlib import Path

import gmpy2
import numpy as np
from gmpy2 import mpfr

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "oracle"))
import maps  # noqa: E402  the other oracle's exact ops

BITS = 120  # of the truth
CONSTANT_BITS = 250
MIN_EXP = -1074  # the smallest binary64 is 2^MIN_EXP
BEYOND = 1024  # the largest is just below 2^BEYOND
LGAMMA_ABSOLUTE = 2.0**-52  # what lgamma may be off for x < 0, where it has zeros


def set_precision():
    gmpy2.get_context().precision = BITS


def scaled(x, numerator, denominator):
    """x * numerator / denominator, rounded once but for 2^-250; zeros keep their sign."""
    with gmpy2.local_context(precision=CONSTANT_BITS):
        return x * numerator() / denominator()


def lgamma(x):
    return gmpy2.lgamma(x)[0]


def sigmoid(x):
    return 1 / (1 + gmpy2.exp(-x))


def rsqrt(x):
    """-0 gives -inf, as 1/sqrt(x) does; MPFR's has +inf."""
    return 1 / x if x == 0 else gmpy2.rec_sqrt(x)


def cube(x):
    with gmpy2.local_context(precision=CONSTANT_BITS):
        return x * x * x


ONE = {  # ops of one argument that may be off by up to an ulp
    "cube": cube,
    "cbrt": gmpy2.cbrt,
    "rsqrt": rsqrt,
    "exp": gmpy2.exp,
    "exp2": gmpy2.exp2,
    "exp10": gmpy2.exp10,
    "expm1": gmpy2.expm1,
    "log": gmpy2.log,
    "log2": gmpy2.log2,
    "log10": gmpy2.log10,
    "log1p": gmpy2.log1p,
    "sin": gmpy2.sin,
    "cos": gmpy2.cos,
    "tan": gmpy2.tan,
    "asin": gmpy2.asin,
    "acos": gmpy2.acos,
    "atan": gmpy2.atan,
    "sinh": gmpy2.sinh,
    "cosh": gmpy2.cosh,
    "tanh": gmpy2.tanh,
    "asinh": gmpy2.asinh,
    "acosh": gmpy2.acosh,
    "atanh": gmpy2.atanh,
    "erf": gmpy2.erf,
    "erfc": gmpy2.erfc,
    "lgamma": lgamma,
    "sigmoid": sigmoid,
    "degrees": lambda x: scaled(x, lambda: mpfr(180), gmpy2.const_pi),
    "radians": lambda x: scaled(x, gmpy2.const_pi, lambda: mpfr(180)),
}
TWO = {"atan2": gmpy2.atan2, "hypot": gmpy2.hypot, "pow": lambda x, y: x**y}
INEXACT = {**ONE, **TWO}


def truth(op, args):
    """The exact results, to 2^-120, as a list of mpfr."""
    function = INEXACT[op]
    if len(args) == 1:
        return [function(mpfr(x)) for x in args[0].tolist()]
    return [function(mpfr(x), mpfr(y)) for x, y in zip(args[0].tolist(), args[1].tolist())]


# ---- ops that have no error


def fmod(a, b):
    """The remainder is exact, so 53 bits hold it; its sign is a's."""
    with gmpy2.local_context(gmpy2.ieee(64)):
        r = [float(gmpy2.fmod(mpfr(x), mpfr(y))) for x, y in zip(a.tolist(), b.tolist())]
    return np.array(r, dtype=np.float64)


def mod(a, b):
    """By numpy.mod's definition: b is added, rounded once, where the remainder has the other sign."""
    r = fmod(a, b)
    other = (r != 0) & ((r < 0) != (b < 0))
    return np.where(r == 0, np.copysign(0.0, b), np.where(other, r + b, r))


def flag(condition):
    return condition.astype(np.float64)


EXACT = {
    **{op: functions[1] for op, functions in maps.KEEP.items() if op != "plus"},
    **{op: function for op, (_, function) in maps.ROUNDED.items()},
    "fmod": fmod,
    "mod": mod,
    "min": maps.minimum,
    "max": maps.maximum,
    "clamp": lambda a, b, c: maps.minimum(maps.maximum(a, b), c),
    "where": lambda a, b, c: np.where(a != 0, b, c),
    "isnan": lambda a: flag(np.isnan(a)),
    "isinf": lambda a: flag(np.isinf(a)),
    "isfinite": lambda a: flag(np.isfinite(a)),
    "<": lambda a, b: flag(a < b),
    "<=": lambda a, b: flag(a <= b),
    ">": lambda a, b: flag(a > b),
    ">=": lambda a, b: flag(a >= b),
    "==": lambda a, b: flag(a == b),
    "!=": lambda a, b: flag(a != b),
    "!": lambda a: flag(a == 0),
    "&&": lambda a, b: flag((a != 0) & (b != 0)),
    "||": lambda a, b: flag((a != 0) | (b != 0)),
}
EXACT_NARGS = {"clamp": 3, "where": 3}


def nargs(op):
    if op in INEXACT:
        return 2 if op in TWO else 1
    two = op in ("fmod", "mod", "min", "max", "add", "sub", "mul", "div") or (
        op in EXACT and not op.isalpha() and op != "!"
    )
    return EXACT_NARGS.get(op, 2 if two else 1)


# ---- distances


def differ(got, want):
    """Where two arrays differ: by a bit, zeros by their signs; any NaN equals any other."""
    same = (got == want) & (np.signbit(got) == np.signbit(want))
    return ~(same | (np.isnan(got) & np.isnan(want)))


def ulps(got, z):
    """|got - z| in units in the last place of binary64 at z; infinity where that makes no sense: NaN, a
    wrong infinity, the wrong sign of a zero."""
    if math.isnan(got) or gmpy2.is_nan(z):
        return 0.0 if math.isnan(got) and gmpy2.is_nan(z) else math.inf
    if gmpy2.is_infinite(z):
        return 0.0 if got == float(z) else math.inf
    if z == 0:
        same = got == 0 and math.copysign(1, got) == math.copysign(1, float(z))
        return 0.0 if same else (math.inf if got == 0 else abs(got) * 2.0**-MIN_EXP)
    top = mpfr(2) ** BEYOND
    exact = max(-top, min(top, z))
    number = top * (1 if got > 0 else -1) if math.isinf(got) else mpfr(got)
    if (number < 0) != (exact < 0) and number != 0:
        return math.inf
    unit = max(MIN_EXP, min(gmpy2.get_exp(exact), BEYOND) - 53)
    return float(gmpy2.mul_2exp(abs(number - exact), -unit) if unit < 0 else gmpy2.div_2exp(abs(number - exact), unit))


def error(op, args, got, z):
    """What counts against the bound of 1: ulps, or for lgamma of negative numbers the absolute error in
    2^-52 where that is less."""
    e = ulps(got, z)
    if op == "lgamma" and args[0] < 0 and math.isfinite(got) and gmpy2.is_finite(z):
        return min(e, float(abs(mpfr(got) - z)) / LGAMMA_ABSOLUTE)
    return e
