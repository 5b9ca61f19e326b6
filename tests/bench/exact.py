"""Exact sums of a file of finite f32, by integers alone, independent of onepass; needs numpy.

    python exact.py PATH      prints {"abs_sum": [numerator, denominator], "mean": ..., "std": ...}

An f32 is m * 2^(e - 150) with an integer m < 2^24.  The m of one sign and exponent are added by bincount in
binary64, exactly, since a chunk's sum stays below 2^53; chunks are added as Python integers.  m^2 is split
into two halves of 24 bits.  The root is cut off after 200 bits.
"""

import json
import math
import sys
from fractions import Fraction

CHUNK = 1 << 22  # elements; CHUNK * 2^24 < 2^53


def sums(path):
    """n, sum x, sum |x|, sum x^2 of the file, as Fractions but for n."""
    import numpy as np

    totals = np.zeros((3, 512), dtype=object)  # m; high and low half of m^2; by sign and exponent
    n = 0
    with open(path, "rb") as file:
        while (bits := np.fromfile(file, np.uint32, CHUNK)).size:
            n += bits.size
            key = bits >> 23
            m = (bits & 0x7FFFFF) | ((key & 255 != 0).astype(np.uint32) << 23)
            square = m.astype(np.uint64) ** 2
            for row, weights in enumerate((m, square >> 24, square & 0xFFFFFF)):
                counted = np.bincount(key, weights.astype(np.float64), 512)
                totals[row] += counted.astype(np.int64).astype(object)
    s1 = sabs = s2 = Fraction(0)
    for key in range(512):
        exponent = max(key & 255, 1) - 150
        if key & 255 == 255 and any(totals[:, key]):
            raise ValueError(f"{path} is not finite")
        unit = Fraction(2) ** exponent
        m, high, low = (int(v) for v in totals[:, key])
        s1 += (-m if key >= 256 else m) * unit
        sabs += m * unit
        s2 += ((high << 24) + low) * unit**2
    return n, s1, sabs, s2


def root(x):
    """The square root of a Fraction, to 200 bits behind the point."""
    return Fraction(math.isqrt((x.numerator << 400) // x.denominator), 1 << 200)


def results(path):
    n, s1, sabs, s2 = sums(path)
    mean = s1 / n
    return {"abs_sum": sabs, "mean": mean, "std": root(s2 / n - mean**2)}


if __name__ == "__main__":
    print(json.dumps({name: [v.numerator, v.denominator] for name, v in results(sys.argv[1]).items()}))
