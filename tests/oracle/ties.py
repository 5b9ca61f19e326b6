"""Arrays whose exact sum, mean, root or variance lies exactly half way between two binary64, or one
smallest unit off it.

Sums: random values, and then the few that lead exactly to the tie.  Roots and variances: Pythagorean
triples of integers, scaled.
"""

import numpy as np

from sums import sum_f64

PRECISION = {"bf16": 8, "f32": 24, "f64": 53}
# scales 2^s that keep every number used below in the type's range
SCALES = {"bf16": (-20, 20), "f32": (-20, 20), "f64": (-400, 400)}
SLOTS = 24


def pieces(value, exp, precision):
    """Numbers of `precision` bits that add up to value * 2^exp."""
    out = []
    while value:
        sign, size = (-1 if value < 0 else 1), abs(value)
        cut = max(0, size.bit_length() - precision)
        piece = sign * (size >> cut << cut)
        out.append(np.ldexp(float(piece >> cut), exp + cut))
        value -= piece
    return out


def random_tie(rng):
    """An odd integer of 54 bits: half way between two binary64."""
    return (1 << 53) + 2 * int(rng.integers(1 << 52)) + 1


def sum_tie(rng, name, n, mean):
    """n values whose sum (or mean) is a tie, perhaps moved off it by one of them."""
    precision, (low, high) = PRECISION[name], SCALES[name]
    scale = int(rng.integers(low, high))
    base = np.ldexp(rng.standard_normal(max(n - SLOTS, 0)), scale)
    if name != "f64":
        base = base.astype(np.float32).astype(np.float64)
    if name == "bf16":
        base = (base.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
        base = base.astype(np.float64)
    total = base.size + SLOTS
    s, e = sum_f64(base)
    target, unit = random_tie(rng) * (total if mean else 1), scale - 50
    lowest = min(e, unit)
    rest = (target << unit - lowest) - (s << e - lowest)
    tail = pieces(rest, lowest, precision)
    tail.append(float(rng.choice([0.0, 1.0, -1.0])) * off_tie(rng, name, scale))
    if len(tail) > SLOTS:
        return base
    tail += [0.0] * (SLOTS - len(tail))
    return rng.permutation(np.concatenate([base, tail]))


def off_tie(rng, name, scale):
    """A power of two far below 2^scale, at any distance where bits may be lost on the way."""
    lowest = -1074 if name == "f64" else -120
    return 2.0 ** max(lowest, scale - 1 - int(rng.exponential(100)))


def triple(rng, bits):
    """k odd with 5k a tie of bits + 1 bits, so that 3k and 4k fit into `bits`."""
    return int(rng.integers((1 << bits) // 5 + 1, (1 << bits) // 3)) | 1


def root_pattern(rng):
    """Integers whose norm2, rms, std or var is a tie."""
    kind = rng.integers(4)
    if kind == 3:  # var is the square of h, which has 27 bits
        h = int(rng.integers(94906266, 1 << 27)) | 1
        return [2 * h, -2 * h, 0, 0, 0, 0, 0, 0]
    factors = [[3, 4], [6, 8, 0, 0], [6, 8, -6, -8, 0, 0, 0, 0]][kind]
    k = triple(rng, 53)
    return [k * f for f in factors]


def root_tie(rng, name, n):
    low, high = SCALES[name]
    x = np.array(root_pattern(rng), np.float64)
    if x.size > 2:
        x = np.tile(x, max(1, min(n // x.size, 200)))
    scale = int(rng.integers(low, high))
    x = np.ldexp(x, scale)
    if rng.random() < 0.6:  # a little more than the tie
        off = off_tie(rng, name, scale + 53)
        zeros = np.flatnonzero(x == 0)
        if zeros.size:
            x[zeros[0]] = off
        else:
            x = np.append(x, off)
    return rng.permutation(x)


def floats(rng, name, n):
    if name == "f64" and rng.random() < 0.5:
        return root_tie(rng, name, n)
    return sum_tie(rng, name, n, mean=rng.random() < 0.5)


def integers(rng, n):
    """For 64-bit types, signed or not."""
    k = triple(rng, 53)
    kind = rng.integers(3)
    if kind == 0:
        x = np.array([3 * k, 4 * k])
    elif kind == 1:
        x = np.tile(np.array([6 * k, 8 * k, 0, 0]), max(1, min(n // 4, 200)))
    else:  # the mean is a tie: 54 bits plus n - 1 equal numbers around it
        x = np.full(max(2, n), random_tie(rng))
        x[0] += 1
        x[1] -= 1
        x[-1] += int(rng.integers(2))
    return rng.permutation(x.astype(np.int64))
