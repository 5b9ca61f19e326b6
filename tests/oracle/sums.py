"""Exact sums, sums of squares and products of arrays, as Python integers times a power of two.

Vectorised: numbers are taken apart by frexp, significands are cut into pieces of 27 bits, and the
pieces are added per exponent (bincount with float weights is exact below 2^53, so up to 2^26 elements);
only the totals per exponent become Python integers.  Finite values only; callers sort the rest out.
"""

import math

import numpy as np

PIECE = 27
MASK = np.int64((1 << PIECE) - 1)
MAX_ELEMENTS = 1 << 26
PRODUCT_BITS = 512  # of a product; each of n steps errs by less than one unit in the last place


def _per_exponent(bins, integers, nbins):
    """Sum of nonnegative int64s, or of int64s below 2^53, per bin, as a list of Python integers."""
    low = np.bincount(bins, weights=(integers & MASK).astype(np.float64), minlength=nbins)
    high = np.bincount(bins, weights=(integers >> PIECE).astype(np.float64), minlength=nbins)
    return low, high


def _collect(parts, step):
    """Sum over bins b of (low[b] + high[b] 2^27) * 2^(shift + step b) for parts (low, high, shift)."""
    total = 0
    for low, high, shift in parts:
        for b in np.flatnonzero((low != 0) | (high != 0)).tolist():
            total += int(low[b]) + (int(high[b]) << PIECE) << shift + step * b
    return total


def _take_apart(x):
    fraction, exp = np.frexp(x)
    significand = (fraction * 2.0**53).astype(np.int64)
    exp = np.where(significand == 0, 0, exp).astype(np.int64)
    lowest = int(exp[significand != 0].min()) if np.any(significand) else 0
    return significand, np.maximum(exp - lowest, 0), lowest - 53


def sum_f64(x):
    """(s, e): the sum of the finite x is exactly s * 2^e."""
    assert x.size <= MAX_ELEMENTS
    if x.size == 0:
        return 0, 0
    significand, bins, exp = _take_apart(x)
    low, high = _per_exponent(bins, significand, int(bins.max()) + 1)
    return _collect([(low, high, 0)], 1), exp


def sumsq_f64(x):
    """(s, e): the sum of the squares of the finite x is exactly s * 2^e."""
    assert x.size <= MAX_ELEMENTS
    if x.size == 0:
        return 0, 0
    significand, bins, exp = _take_apart(x)
    nbins = int(bins.max()) + 1
    magnitude = np.abs(significand)
    high, low = magnitude >> PIECE, magnitude & MASK
    parts = [
        (*_per_exponent(bins, high * high, nbins), 2 * PIECE),
        (*_per_exponent(bins, high * low, nbins), PIECE + 1),
        (*_per_exponent(bins, low * low, nbins), 0),
    ]
    return _collect(parts, 2), 2 * exp


def sum_wide(neg, mag):
    """Sum of +-mag (uint64)."""
    total = 0
    for shift in (0, 32):
        part = (mag >> np.uint64(shift) & np.uint64(0xFFFFFFFF)).astype(np.int64)
        total += int(np.where(neg, -part, part).sum()) << shift
    return total


def sumsq_wide(mag):
    high, low = mag >> np.uint64(32), mag & np.uint64(0xFFFFFFFF)
    total = 0
    for square, shift in ((high * high, 64), (high * low, 33), (low * low, 0)):
        total += int((square >> np.uint64(32)).sum()) << shift + 32
        total += int((square & np.uint64(0xFFFFFFFF)).sum()) << shift
    return total


def product_integers(factors):
    """(p, e): the product of positive integers is p * 2^e, p cut to PRODUCT_BITS bits."""
    product, exp = 1, 0
    for k in range(0, len(factors), 16):
        product *= math.prod(factors[k : k + 16])
        extra = product.bit_length() - PRODUCT_BITS
        if extra > 0:
            product >>= extra
            exp += extra
    return product, exp


def product_f64(x):
    """(p, e) of the magnitudes of finite nonzero x."""
    fraction, exp = np.frexp(np.abs(x))
    product, extra = product_integers((fraction * 2.0**53).astype(np.int64).tolist())
    return product, extra + int(exp.astype(np.int64).sum()) - 53 * x.size
