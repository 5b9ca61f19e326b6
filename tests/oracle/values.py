"""Element types, and arrays of values as a pipeline sees them: exact integers or binary64.

Ints keeps sign and 64-bit magnitude, Floats binary64 (NUMBERS, section 1).  Conversion between them,
exact comparison and selection live here; the ops of the language are in maps.py.
"""

import numpy as np


class Dtype:
    def __init__(self, name, size, kind, numpy_code, spellings):
        self.name, self.size, self.kind, self.numpy_code = name, size, kind, numpy_code
        self.spellings = spellings  # for --dtype, without byte order

    def is_int(self):
        return self.kind in "iub"

    def text_type(self):
        """The type in which values of the file's own type print."""
        return "integer" if self.is_int() else self.name

    def decode(self, data, big):
        """Values of the stored elements `data` (bytes)."""
        order = ">" if big else "<"
        if self.name == "bf16":
            half = np.frombuffer(data, order + "u2").astype(np.uint32)
            return Floats((half << np.uint32(16)).view(np.float32).astype(np.float64))
        if self.kind == "f":
            return Floats(np.frombuffer(data, order + self.numpy_code).astype(np.float64))
        raw = np.frombuffer(data, order + self.numpy_code)
        if self.kind == "b":
            return Ints(np.zeros(raw.shape, bool), (raw != 0).astype(np.uint64))
        if self.kind == "u":
            return Ints(np.zeros(raw.shape, bool), raw.astype(np.uint64))
        neg = raw < 0
        mag = raw.astype(np.int64).view(np.uint64)
        return Ints(neg, np.where(neg, ~mag + np.uint64(1), mag))


DTYPES = {
    d.name: d
    for d in [
        Dtype("f16", 2, "f", "f2", ["f16", "float16", "f2"]),
        Dtype("bf16", 2, "f", None, ["bf16", "bfloat16"]),
        Dtype("f32", 4, "f", "f4", ["f32", "float32", "f4"]),
        Dtype("f64", 8, "f", "f8", ["f64", "float64", "f8"]),
        Dtype("i8", 1, "i", "i1", ["i8", "int8", "i1"]),
        Dtype("i16", 2, "i", "i2", ["i16", "int16", "i2"]),
        Dtype("i32", 4, "i", "i4", ["i32", "int32", "i4"]),
        Dtype("i64", 8, "i", "i8", ["i64", "int64"]),
        Dtype("u8", 1, "u", "u1", ["u8", "uint8", "u1"]),
        Dtype("u16", 2, "u", "u2", ["u16", "uint16", "u2"]),
        Dtype("u32", 4, "u", "u4", ["u32", "uint32", "u4"]),
        Dtype("u64", 8, "u", "u8", ["u64", "uint64"]),
        Dtype("bool", 1, "b", "u1", ["bool"]),
    ]
}


class Floats:
    is_int = False

    def __init__(self, f):
        self.f = f

    def take(self, keep):
        return Floats(self.f[keep])

    def spread(self, n):
        return Floats(np.broadcast_to(self.f, (n,)))

    def to_f64(self):
        return self.f

    def truth(self):
        return self.f != 0  # NaN is true


class Ints:
    is_int = True

    def __init__(self, neg, mag):
        self.neg, self.mag = neg & (mag != 0), mag

    def take(self, keep):
        return Ints(self.neg[keep], self.mag[keep])

    def spread(self, n):
        return Ints(np.broadcast_to(self.neg, (n,)), np.broadcast_to(self.mag, (n,)))

    def to_f64(self):
        f = self.mag.astype(np.float64)  # one rounding, to nearest even
        return np.where(self.neg, -f, f)

    def truth(self):
        return self.mag != 0

    def python_ints(self):
        return [-m if n else m for n, m in zip(self.neg.tolist(), self.mag.tolist())]


def flags(condition):
    condition = np.asarray(condition)
    return Ints(np.zeros(condition.shape, bool), condition.astype(np.uint64))


def constant_int(value):
    return Ints(np.asarray(value < 0), np.asarray(abs(value), dtype=np.uint64))


def constant_f64(value):
    return Floats(np.asarray(value, dtype=np.float64))


def concatenate(parts):
    """One array of several; integers only together stay integer."""
    if all(p.is_int for p in parts):
        return Ints(np.concatenate([p.neg for p in parts]), np.concatenate([p.mag for p in parts]))
    return Floats(np.concatenate([p.to_f64() for p in parts]))


def _less_ints(a, b):
    magnitudes = np.where(a.neg, a.mag > b.mag, a.mag < b.mag)
    return np.where(a.neg == b.neg, magnitudes, a.neg)


def _equal_ints(a, b):
    return (a.neg == b.neg) & (a.mag == b.mag)


def _order_int_float(a, y):
    """(a < y, a == y, a > y) of the exact values of integers a and binary64 y."""
    whole = np.trunc(y)
    inside = np.abs(whole) < 2.0**64  # False for NaN
    safe = np.where(inside, whole, 0.0)
    b = Ints(safe < 0, np.abs(safe).astype(np.uint64))
    rest = np.where(inside, y - safe, 0.0)
    same = _equal_ints(a, b)
    less = np.where(inside, _less_ints(a, b) | same & (rest > 0), y > 0)
    more = np.where(inside, _less_ints(b, a) | same & (rest < 0), y < 0)
    return less, inside & same & (rest == 0), more


def order(a, b):
    """(a < b, a == b, a > b), exactly; all False where one is NaN."""
    if a.is_int and b.is_int:
        return _less_ints(a, b), _equal_ints(a, b), _less_ints(b, a)
    if a.is_int:
        return _order_int_float(a, b.f)
    if b.is_int:
        less, equal, more = _order_int_float(b, a.f)
        return more, equal, less
    return a.f < b.f, a.f == b.f, a.f > b.f


def choose(condition, a, b):
    """a where the condition holds, else b; integer if both are."""
    if a.is_int and b.is_int:
        return Ints(np.where(condition, a.neg, b.neg), np.where(condition, a.mag, b.mag))
    return Floats(np.where(condition, a.to_f64(), b.to_f64()))
