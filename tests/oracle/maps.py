"""The ops that IEEE 754 fixes, and the evaluation of expression trees over arrays of values.

A Node is a tree of the language, made by pipelines.py; evaluate() gives its value for every element by
the rules of NUMBERS, section 1.  The other ops (SPECIAL) have no evaluation here: their mapped values
come from the tested program and are judged in ulps.py.
"""

import numpy as np

from values import Floats, Ints, choose, constant_f64, constant_int, flags, order


class Node:
    """op over args; 'x', or a literal: 'num' with `value` an int (exact) or a float, spelt `text`."""

    __slots__ = ("op", "args", "value", "text")

    def __init__(self, op, args=(), value=None, text=None):
        self.op, self.args, self.value, self.text = op, tuple(args), value, text

    def uses_x(self):
        return self.op == "x" or any(a.uses_x() for a in self.args)

    def ops(self):
        """All op names in the tree."""
        return {self.op}.union(*(a.ops() for a in self.args))


X = Node("x")


def minimum(a, b):
    """IEEE 754-2019 minimum: NaN wins, -0 < +0."""
    smaller = np.where((a < b) | (a == b) & np.signbit(a), a, b)
    return np.where(np.isnan(a) | np.isnan(b), np.nan, smaller)


def maximum(a, b):
    larger = np.where((a > b) | (a == b) & ~np.signbit(a), a, b)
    return np.where(np.isnan(a) | np.isnan(b), np.nan, larger)


def _sign_f64(a):
    return np.where(np.isnan(a), a, np.where(a > 0, 1.0, np.where(a < 0, -1.0, 0.0)))


def _sign_int(v):
    return Ints(v.neg, (v.mag != 0).astype(np.uint64))


def _same(v):
    return v


def _relu_int(v):
    return Ints(np.zeros_like(v.neg), np.where(v.neg, np.uint64(0), v.mag))


# integers stay integers: name: (of integers, of binary64)
KEEP = {
    "abs": (lambda v: Ints(np.zeros_like(v.neg), v.mag), np.abs),
    "neg": (lambda v: Ints(~v.neg, v.mag), np.negative),
    "plus": (_same, lambda a: a),
    "sign": (_sign_int, _sign_f64),
    "floor": (_same, np.floor),
    "ceil": (_same, np.ceil),
    "round": (_same, np.rint),
    "trunc": (_same, np.trunc),
    "relu": (_relu_int, lambda a: maximum(a, np.float64(0.0))),
}
# operands are rounded to binary64 once: name: (number of arguments, function)
ROUNDED = {
    "square": (1, lambda a: a * a),
    "sqrt": (1, np.sqrt),
    "recip": (1, lambda a: 1.0 / a),
    "add": (2, np.add),
    "sub": (2, np.subtract),
    "mul": (2, np.multiply),
    "div": (2, np.divide),
    "fmod": (2, np.fmod),
    "mod": (2, np.remainder),
}
TESTS = {
    "isnan": lambda v: np.zeros(v.mag.shape, bool) if v.is_int else np.isnan(v.f),
    "isinf": lambda v: np.zeros(v.mag.shape, bool) if v.is_int else np.isinf(v.f),
    "isfinite": lambda v: np.ones(v.mag.shape, bool) if v.is_int else np.isfinite(v.f),
    "not": lambda v: ~v.truth(),
}
COMPARE = {
    "lt": lambda less, equal, more: less,
    "le": lambda less, equal, more: less | equal,
    "gt": lambda less, equal, more: more,
    "ge": lambda less, equal, more: more | equal,
    "eq": lambda less, equal, more: equal,
    "ne": lambda less, equal, more: ~equal,
}
LOGIC = {"and": np.logical_and, "or": np.logical_or}
# what no single operation of IEEE 754 decides: name: number of arguments
SPECIAL = {
    name: 1
    for name in (
        "cube rsqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh "
        "cosh tanh asinh acosh atanh erf erfc lgamma sigmoid degrees radians"
    ).split()
}
SPECIAL.update({"pow": 2, "hypot": 2, "atan2": 2})
OWN = {"abs", "neg", "relu", "plus"}  # the value stays one of the file's own type


def _smaller(a, b):
    if a.is_int and b.is_int:
        return choose(order(a, b)[0], a, b)
    return Floats(minimum(a.to_f64(), b.to_f64()))


def _larger(a, b):
    if a.is_int and b.is_int:
        return choose(order(a, b)[0], b, a)
    return Floats(maximum(a.to_f64(), b.to_f64()))


def _clamp(v, low, high):
    """All three arms integer, or all binary64."""
    if not (v.is_int and low.is_int and high.is_int):
        v, low, high = (Floats(a.to_f64()) for a in (v, low, high))
    return _smaller(_larger(v, low), high)


def evaluate(node, x):
    """The values of a tree for the elements x; constants have shape ()."""
    if node.op == "x":
        return x
    if node.op == "num":
        return constant_int(node.value) if isinstance(node.value, int) else constant_f64(node.value)
    args = [evaluate(a, x) for a in node.args]
    op = node.op
    if op in KEEP:
        of_int, of_f64 = KEEP[op]
        return of_int(args[0]) if args[0].is_int else Floats(of_f64(args[0].f))
    if op in ROUNDED:
        return Floats(ROUNDED[op][1](*(a.to_f64() for a in args)))
    if op in TESTS:
        return flags(TESTS[op](args[0]))
    if op in COMPARE:
        return flags(COMPARE[op](*order(*args)))
    if op in LOGIC:
        return flags(LOGIC[op](args[0].truth(), args[1].truth()))
    if op == "select":
        return choose(args[0].truth(), args[1], args[2])
    return {"min": _smaller, "max": _larger, "clamp": _clamp}[op](*args)


def stays_own(node, own):
    """Is the value still one of the file's own type?"""
    if node.op == "x":
        return own
    return node.op in OWN and stays_own(node.args[0], own)
