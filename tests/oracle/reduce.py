"""Every reduction of mapped values, from exact integers to one rounded result (NUMBERS, section 2).

A Reduced holds what reached the reductions of one pipeline for one input; result(name) gives the list
of allowed answers: one, but for prod and geomean two where the exact value is near a tie.
"""

import math

import mpmath
import numpy as np

import sums
from rounding import INF, NAN, neighbour_candidates, round_ratio, round_root

ALIASES = {"avg": "mean", "l1": "norm1", "l2": "norm2", "norminf": "absmax"}
STATS = ["count", "nnan", "ninf", "min", "max", "mean", "std", "sum"]
NAMES = (
    "sum mean min max range absmax argmin argmax count nonzero any all nnan ninf sumsq norm1 norm2 "
    "norminf rms var std var1 std1 sem prod geomean first last l1 l2 avg"
).split()
LOG_BITS = 400  # for the root of a product


class Answer:
    """A result: an exact integer (Python int) or a float; type is how its text is written."""

    __slots__ = ("value", "type", "index")

    def __init__(self, value, type_name="f64", index=None):
        self.value, self.type, self.index = value, type_name, index

    def as_f64(self):
        if isinstance(self.value, int):
            return round_ratio(self.value, 1)
        return self.value


class Reduced:
    def __init__(self, values, index, own_type, skip_nan):
        """values: the mapped values that reach the reductions, with their indices in rising order;
        own_type: how values of the file's own type print, "f64" where the map left it."""
        self.is_int = values.is_int
        self.own_type = own_type
        self.nan = self.posinf = self.neginf = self.skipped = 0
        if not self.is_int:
            is_nan = np.isnan(values.f)
            self.nan = int(is_nan.sum())
            self.posinf = int((values.f == INF).sum())
            self.neginf = int((values.f == -INF).sum())
            if skip_nan and self.nan:
                values, index = values.take(~is_nan), index[~is_nan]
                self.skipped = self.nan
        self.values, self.index = values, index
        self.n = int(index.size)
        self.holds_nan = self.nan > 0 and not self.skipped
        self.cache = {}

    def result(self, name):
        name = ALIASES.get(name, name)
        got = getattr(self, "_" + name)()
        return got if isinstance(got, list) else [got]

    # exact sums, each computed once: (s, e), s * 2^e of the finite values

    def _finite(self):
        return self.values.f[np.isfinite(self.values.f)]

    def _power_sum(self, kind):
        if kind not in self.cache:
            self.cache[kind] = self._compute_sum(kind)
        return self.cache[kind]

    def _compute_sum(self, kind):
        v = self.values
        if self.is_int:
            return {
                "s1": lambda: (sums.sum_wide(v.neg, v.mag), 0),
                "s2": lambda: (sums.sumsq_wide(v.mag), 0),
                "sabs": lambda: (sums.sum_wide(np.zeros(v.mag.shape, bool), v.mag), 0),
            }[kind]()
        finite = self._finite()
        return {
            "s1": lambda: sums.sum_f64(finite),
            "s2": lambda: sums.sumsq_f64(finite),
            "sabs": lambda: sums.sum_f64(np.abs(finite)),
        }[kind]()

    # what is not finite decides first

    def _signed_inf(self):
        """The sum's value if it is not finite, else None."""
        if self.holds_nan or self.posinf and self.neginf:
            return NAN
        if self.posinf or self.neginf:
            return INF if self.posinf else -INF
        return None

    def _unsigned_inf(self):
        if self.holds_nan:
            return NAN
        return INF if self.posinf or self.neginf else None

    def _exact(self, kind, special):
        if special is not None:
            return Answer(special)
        s, e = self._power_sum(kind)
        return Answer(s, "integer") if self.is_int else Answer(round_ratio(s, 1, e))

    # the reductions

    def _sum(self):
        return self._exact("s1", self._signed_inf())

    def _sumsq(self):
        return self._exact("s2", self._unsigned_inf())

    def _norm1(self):
        return self._exact("sabs", self._unsigned_inf())

    def _mean(self):
        special = self._signed_inf()
        if self.n == 0 or special is not None:
            return Answer(NAN if self.n == 0 else special)
        s, e = self._power_sum("s1")
        return Answer(round_ratio(s, self.n, e))

    def _root_of_squares(self, den):
        special = self._unsigned_inf()
        if special is not None:
            return Answer(special)
        s, e = self._power_sum("s2")
        return Answer(round_root(s, den, e))

    def _norm2(self):
        return self._root_of_squares(1)

    def _rms(self):
        return Answer(NAN) if self.n == 0 else self._root_of_squares(self.n)

    def _spread(self, less, finish, factor=1):
        """finish(N S2 - S1^2 over factor N (N - less))"""
        if self.n - less <= 0 or self._unsigned_inf() is not None:
            return Answer(NAN)
        s1, e1 = self._power_sum("s1")
        s2, e2 = self._power_sum("s2")
        e = min(2 * e1, e2)
        num = (self.n * s2 << e2 - e) - (s1 * s1 << 2 * e1 - e)
        return Answer(finish(num, factor * self.n * (self.n - less), e))

    def _var(self):
        return self._spread(0, round_ratio)

    def _var1(self):
        return self._spread(1, round_ratio)

    def _std(self):
        return self._spread(0, round_root)

    def _std1(self):
        return self._spread(1, round_root)

    def _sem(self):
        return self._spread(1, round_root, self.n)

    def _count(self):
        return Answer(self.n, "integer")

    def _nonzero(self):
        return Answer(int(self.values.truth().sum()), "integer")

    def _any(self):
        return Answer(int(bool(self.values.truth().any())), "integer")

    def _all(self):
        return Answer(int(bool(self.values.truth().all())), "integer")

    def _nnan(self):
        return Answer(self.nan, "integer")

    def _ninf(self):
        return Answer(self.posinf + self.neginf, "integer")

    def _extreme(self, largest):
        """Position of the extreme, the first of equals; of the first NaN if there is one."""
        v = self.values
        if self.is_int:
            return self._extreme_int(v, largest)
        if self.holds_nan:
            return int(np.flatnonzero(np.isnan(v.f))[0])
        best = v.f.max() if largest else v.f.min()
        at = np.flatnonzero(v.f == best)
        if best == 0:  # -0 < +0
            signed = np.signbit(v.f[at]) != largest
            at = at[signed] if signed.any() else at
        return int(at[0])

    def _extreme_int(self, v, largest):
        group = v.neg != largest  # those with the sign that wins
        if group.any():
            at = np.flatnonzero(group)
            return int(at[np.argmax(v.mag[at])])
        return int(np.argmin(v.mag))

    def _at(self, position):
        if self.is_int:
            magnitude = int(self.values.mag[position])
            return Answer(-magnitude if self.values.neg[position] else magnitude, "integer")
        value = float(self.values.f[position])
        return Answer(NAN if math.isnan(value) else value, self.own_type)

    def _nothing(self):
        return Answer(NAN, self.own_type)

    def _min(self):
        return self._at(self._extreme(False)) if self.n else self._nothing()

    def _max(self):
        return self._at(self._extreme(True)) if self.n else self._nothing()

    def _arg(self, largest):
        if self.n == 0:
            return Answer(NAN, "integer")
        index = int(self.index[self._extreme(largest)])
        return Answer(index, "integer", index)

    def _argmin(self):
        return self._arg(False)

    def _argmax(self):
        return self._arg(True)

    def _first(self):
        return self._at(0) if self.n else self._nothing()

    def _last(self):
        return self._at(self.n - 1) if self.n else self._nothing()

    def _range(self):
        if self.n == 0:
            return Answer(NAN, self.own_type if self.is_int else "f64")
        low, high = self._min().value, self._max().value
        if self.is_int:
            return Answer(high - low, "integer")
        return Answer(float(np.float64(high) - np.float64(low)))

    def _absmax(self):
        if self.n == 0:  # of nothing there is no type to keep
            types = ["integer"] if self.is_int else ["f64", self.own_type]
            return [Answer(0 if self.is_int else 0.0, t) for t in types]
        low, high = self._min().value, self._max().value
        if math.isnan(low):
            return Answer(NAN, self.own_type)
        return Answer(max(abs(low), abs(high)), self.own_type)

    # products

    def _magnitudes(self):
        """(p, e, zeros, signs) of the finite values."""
        if "product" not in self.cache:
            v = self.values
            if self.is_int:
                nonzero = v.mag[v.mag != 0]
                product, exp = sums.product_integers(nonzero.tolist())
                self.cache["product"] = product, exp, self.n - nonzero.size, int(v.neg.sum())
            else:
                finite = self._finite()
                nonzero = finite[finite != 0]
                signs = int(np.signbit(v.f[~np.isnan(v.f)]).sum())
                self.cache["product"] = *sums.product_f64(nonzero), finite.size - nonzero.size, signs
        return self.cache["product"]

    def _prod(self):
        product, exp, zeros, signs = self._magnitudes()
        infinite = self.posinf + self.neginf
        if self.holds_nan or zeros and infinite:
            return Answer(NAN)
        if zeros or infinite:
            values = [0.0 if zeros else INF]
        else:
            values = neighbour_candidates(product, exp, 1, 100)
        negative = signs & 1 and not (self.is_int and zeros)  # integers know no -0
        return [Answer(-v if negative else v) for v in values]

    def _geomean(self):
        if self.n == 0 or self.holds_nan:
            return Answer(NAN)
        product, exp, zeros, _ = self._magnitudes()
        negative = self.values.neg.any() if self.is_int else (self.values.f < 0).any()
        infinite = self.posinf + self.neginf
        if negative or zeros and infinite:
            return Answer(NAN)
        if zeros or infinite:
            return Answer(0.0 if zeros else INF)
        with mpmath.workprec(LOG_BITS):
            log2 = (mpmath.log(product, 2) + exp) / self.n
            whole = int(mpmath.floor(log2))
            root = int(mpmath.floor(mpmath.ldexp(mpmath.power(2, log2 - whole), 300)))
        return [Answer(v) for v in neighbour_candidates(root, whole - 300, 1, 100)]


