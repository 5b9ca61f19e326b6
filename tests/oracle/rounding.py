"""From exact integers to binary64: the one rounding of every result.

A positive number is num * 2^exp / den, or the square root of that; it is rounded once, to nearest
even, also into subnormals and to infinity.  Nothing here computes with floats: a float is only put
together from its bits.  Does not know what is summed (sums.py) or what is asked for (reduce.py).
"""

import struct
from math import isqrt

MIN_EXP = -1074  # exponent of the smallest subnormal
MAX_EXP = 971  # of the unit in the last place of the largest finite number


def from_bits(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def to_bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


INF = from_bits(0x7FF0000000000000)
NAN = from_bits(0x7FF8000000000000)


def compose(significand, exp):
    """significand * 2^exp, significand <= 2^53 and exp >= -1074, or infinity beyond."""
    if significand == 1 << 53:
        significand, exp = 1 << 52, exp + 1
    if significand < 1 << 52:
        assert exp == MIN_EXP or significand == 0
        return from_bits(significand)
    if exp > MAX_EXP:
        return INF
    return from_bits((exp + 1075 << 52) + significand - (1 << 52))


def round_integer(q, sticky, exp):
    """A number strictly between q and q + 1 if sticky, else q, times 2^exp."""
    if q == 0 and not sticky:
        return 0.0
    last = max(q.bit_length() - 53 + exp, MIN_EXP)
    shift = last - exp
    if shift <= 0:
        assert not sticky, "too few bits"
        return compose(q << -shift, last)
    kept, rest, half = q >> shift, q & (1 << shift) - 1, 1 << shift - 1
    if rest > half or rest == half and (sticky or kept & 1):
        kept += 1
    return compose(kept, last)


def round_ratio(num, den, exp=0):
    """num * 2^exp / den, of any sign; a zero is +0, but a negative number may round to -0."""
    if num < 0:
        return -round_ratio(-num, den, exp)
    shift = max(0, 70 + den.bit_length() - num.bit_length())
    q, rest = divmod(num << shift, den)
    return round_integer(q, rest != 0, exp - shift)


def round_root(num, den, exp=0):
    """sqrt(num * 2^exp / den), num >= 0."""
    shift = max(0, 140 + den.bit_length() - num.bit_length())
    shift += exp - shift & 1  # an even exponent
    q, rest = divmod(num << shift, den)
    root = isqrt(q)
    return round_integer(root, rest != 0 or root * root != q, (exp - shift) // 2)


def round_to_format(num, den, precision, min_exp, max_exp):
    """num / den > 0 rounded to `precision` bits, as (significand, exp); significand may be 2^precision.

    min_exp is the exponent of the smallest subnormal, max_exp of the last place of the largest."""
    exp = max(num.bit_length() - den.bit_length() - precision, min_exp)
    if (num << max(0, -exp)) >= (den << max(0, exp)) << precision:
        exp += 1
    top, bottom = num << max(0, -exp), den << max(0, exp)
    q, rest = divmod(top, bottom)
    if 2 * rest > bottom or 2 * rest == bottom and q & 1:
        q += 1
    if q == 1 << precision:
        q, exp = q >> 1, exp + 1
    return (None, None) if exp > max_exp else (q, exp)


def split(value):
    """A finite float as (significand, exp), value = significand * 2^exp, exp >= -1074."""
    bits = to_bits(value)
    exp, frac = bits >> 52 & 0x7FF, bits & (1 << 52) - 1
    assert exp != 0x7FF
    sig = frac | (1 << 52 if exp else 0)
    return (-sig if bits >> 63 else sig), max(exp, 1) - 1075


def neighbour_candidates(num, exp, tolerance_num, tolerance_den):
    """All results allowed for num * 2^exp > 0 (num of many bits): the nearest binary64, and where the
    value is within tolerance (in units in the last place) of a tie, both neighbours."""
    last = max(num.bit_length() - 53 + exp, MIN_EXP)
    shift = last - exp
    if shift <= 0:
        return [compose(num << -shift, last)]
    kept, rest, half = num >> shift, num & (1 << shift) - 1, 1 << shift - 1
    if abs(rest - half) * tolerance_den <= tolerance_num << shift:
        return [compose(kept, last), compose(kept + 1, last)]
    return [compose(kept + (rest > half), last)]
