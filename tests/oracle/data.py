"""Data that hurts: arrays of every element type from named distributions.

make(rng, dtype, n) returns a numpy array of the stored type (bf16 as uint16 bits, bool as any byte) in
native order, and the distribution's name.  Lengths differ from n where a distribution needs it (ties).
"""

import numpy as np

import ties

# largest finite value, exponents of the smallest subnormal and of the largest number
RANGES = {"f16": (65504.0, -24, 15), "bf16": (float.fromhex("0x1.fep127"), -133, 127),
          "f32": (float.fromhex("0x1.fffffep127"), -149, 127),
          "f64": (float.fromhex("0x1.fffffffffffffp1023"), -1074, 1023)}


def normal(rng, dtype, n):
    return rng.standard_normal(n) * 2.0 ** rng.integers(-6, 7)


def lognormal(rng, dtype, n):
    return rng.lognormal(0, 4, n) * rng.choice([1.0, -1.0], n)


def wide(rng, dtype, n):
    _, low, high = RANGES[dtype.name]
    return np.ldexp(rng.uniform(1, 2, n), rng.integers(low, high, n)) * rng.choice([1.0, -1.0], n)


def cancellation(rng, dtype, n):
    half = wide(rng, dtype, n // 2) if rng.random() < 0.5 else rng.standard_normal(n // 2)
    _, low, _ = RANGES[dtype.name]
    rest = np.ldexp(1.0, low + rng.integers(0, 10, n - 2 * (n // 2) + 3))
    return rng.permutation(np.concatenate([half, -half, rest[: n - 2 * (n // 2)]]))


def maxima(rng, dtype, n):
    largest, _, _ = RANGES[dtype.name]
    x = np.full(n, largest if rng.random() < 0.5 else -largest)
    kind = rng.integers(4)
    if kind == 1 and n > 2 and dtype.name == "f64":  # a tie with infinity, or just off it
        x[1:] = 0
        x[-1] = np.copysign(2.0**970, x[0])
        x[1] = rng.choice([0.0, -5e-324, 5e-324])
    elif kind == 2:
        x = x * rng.choice([1.0, -1.0], n)
    elif kind == 3:
        x = x * rng.choice([1.0, 0.5, 0.25], n)
    return x


def subnormals(rng, dtype, n):
    _, low, _ = RANGES[dtype.name]
    return np.ldexp(rng.integers(-9, 10, n).astype(np.float64), low)


def equal(rng, dtype, n):
    return np.full(n, rng.standard_normal() * 10.0 ** rng.integers(-3, 4))


def zeros(rng, dtype, n):
    return rng.choice([0.0, -0.0], n) if rng.random() < 0.7 else np.full(n, rng.choice([0.0, -0.0]))


def offset(rng, dtype, n):
    base, noise = [(1.0, 1e-6), (1e7, 1.0), (1e12, 1.0), (1.0, 1e-3), (-300.0, 0.5)][rng.integers(5)]
    return base + noise * rng.standard_normal(n)


def ramp(rng, dtype, n):
    return rng.permutation(np.linspace(-100, 100, n))


def small_integers(rng, dtype, n):
    x = rng.integers(-4, 5, n).astype(np.float64)
    return np.where(x == 0, rng.choice([0.0, -0.0], n), x)


def near_one(rng, dtype, n):
    """Products and geometric means stay in range."""
    x = np.exp(rng.standard_normal(n) * rng.choice([1e-3, 1.0, 20.0]) / max(1.0, n) ** 0.5)
    return x if rng.random() < 0.7 else x * rng.choice([1.0, -1.0], n)


def angles(rng, dtype, n):
    """Around the points where the transcendental functions turn."""
    at = rng.choice([0.0, 0.5, 1.0, -1.0, 2.0, np.pi, np.pi / 2, 10.0, -2.5, 30.0, 700.0], n)
    return at + rng.standard_normal(n) * 10.0 ** -rng.integers(0, 8, n).astype(np.float64)


INTEGERS = ["bits", "small", "limits", "equal", "zeros", "max", "min", "middle", "mixed"]
FLOATS = [normal, lognormal, wide, cancellation, maxima, subnormals, equal, zeros, offset, ramp,
          small_integers, near_one, angles]


def cast(x, dtype):
    """Binary64 to the stored type; bf16 is cut, not rounded: any value of the type will do."""
    with np.errstate(all="ignore"):
        if dtype.name == "bf16":
            return (x.astype(np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)
        return x.astype(dtype.numpy_code)


def random_bits(rng, dtype, n):
    return np.frombuffer(rng.bytes(n * dtype.size), dtype.numpy_code or "u2").copy()


def integer_array(rng, dtype, n):
    info = np.iinfo(dtype.numpy_code)
    kind = INTEGERS[rng.integers(len(INTEGERS))]
    code = dtype.numpy_code
    if kind == "small":
        return rng.integers(max(info.min, -3), 4, n).astype(code), kind
    if kind == "limits":
        ends = np.array([info.min, info.max, 0, 1, info.max - 1, info.min + 1], code)
        return rng.choice(ends, n), kind
    if kind == "equal":
        return np.full(n, random_bits(rng, dtype, 1)[0] if n else 0, code), kind
    if kind in ("zeros", "max", "min"):
        return np.full(n, {"zeros": 0, "max": info.max, "min": info.min}[kind], code), kind
    if kind == "middle":  # around 2^53 where the type has it
        base = min(1 << 53, info.max // 2)
        return (base + rng.integers(-3, 4, n)).astype(code), kind
    bits = random_bits(rng, dtype, n)
    if kind == "mixed":  # every magnitude
        bits = bits >> rng.integers(0, 8 * dtype.size, n).astype(code)
    return bits, kind


INF, NAN = np.inf, np.nan
SPRINKLED = [[NAN], [INF], [-INF], [INF, -INF], [NAN, INF], [NAN, INF, -INF]]


def sprinkle(rng, dtype, x):
    """NaN and infinities at the first, middle, last and at random places."""
    n = x.size
    if n == 0:
        return x
    places = {"first": [0], "middle": [n // 2], "last": [n - 1], "some": rng.integers(0, n, 3),
              "many": np.flatnonzero(rng.random(n) < 0.3), "all": np.arange(n)}
    where = places[list(places)[rng.choice(6, p=[0.2, 0.2, 0.2, 0.2, 0.15, 0.05])]]
    values = np.array(SPRINKLED[rng.integers(len(SPRINKLED))])
    x = x.copy()
    x[where] = cast(rng.choice(values, len(where)), dtype)
    return x


def make(rng, dtype, n):
    if dtype.kind == "b":
        kind = rng.integers(4)
        x = random_bits(rng, dtype, n) if kind else (rng.random(n) < 0.5).astype("u1")
        return (x * np.uint8(kind != 3)).astype("u1"), "bool"
    if dtype.is_int():
        if dtype.size == 8 and rng.random() < 0.15:
            return ties.integers(rng, n).astype(dtype.numpy_code), "ties"
        return integer_array(rng, dtype, n)
    roll = rng.random()
    if roll < 0.1:
        return random_bits(rng, dtype, n), "bits"
    if roll < 0.3 and dtype.name != "f16":
        x, name = cast(ties.floats(rng, dtype.name, n), dtype), "ties"
    else:
        kind = FLOATS[rng.integers(len(FLOATS))]
        x, name = cast(kind(rng, dtype, n), dtype), kind.__name__
    return (sprinkle(rng, dtype, x), name + "+specials") if rng.random() < 0.2 else (x, name)
