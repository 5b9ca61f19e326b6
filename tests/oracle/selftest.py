"""Tests of the oracle itself: its rounding against fractions, its sums against Python's integers, its
texts against repr, and that a wrong record is noticed.  Fixed seed, a few hundred milliseconds.
"""

import copy
import math
from fractions import Fraction

import numpy as np

import cases
import expect
import pipelines
import reduce
import rounding
import sums
import texts
import ulps
from containers import Input, RawLayout
from values import Floats, Ints, order

TESTS = []


def test(function):
    TESTS.append(function)
    return function


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(map(repr, what)))


def fraction_of(value):
    return Fraction(2**1024) if value == math.inf else Fraction(value)


def is_nearest(value, exact):
    """Is `value` the binary64 nearest to exact > 0, ties to even?"""
    bits = rounding.to_bits(value)
    distance = abs(fraction_of(value) - exact)
    for other_bits in ([bits - 1] if bits else []) + ([bits + 1] if value < math.inf else []):
        other = abs(fraction_of(rounding.from_bits(other_bits)) - exact)
        if other < distance or other == distance and bits & 1:
            return False
    return True


@test
def known_roundings():
    tiny, largest = Fraction(1, 2**1074), Fraction(2**1024 - 2**971)
    for exact, want in [
        (Fraction(1, 3), 1 / 3), (Fraction(2**53 + 1), 2.0**53), (Fraction(2**53 + 3), 2.0**53 + 4),
        (tiny, 5e-324), (tiny / 2, 0.0), (tiny * 3 / 2, 1e-323), (tiny / 2 + tiny / 2**60, 5e-324),
        (largest, float(largest)), (largest + 2**970, math.inf), (largest + 2**970 - 1, float(largest)),
        (Fraction(2**1022 - 1, 2**1022) * Fraction(1, 2**1022), 2.0**-1022),
    ]:
        got = rounding.round_ratio(exact.numerator, exact.denominator)
        check(got == want, "round_ratio", exact, got, want)
    check(math.copysign(1, rounding.round_ratio(-1, 1, -1075)) == -1, "sign of a rounded zero")
    check(math.copysign(1, rounding.round_ratio(0, 7)) == 1, "an exact zero is +0")


@test
def random_roundings():
    rng = np.random.default_rng(1)
    for _ in range(400):
        num = int.from_bytes(rng.bytes(int(rng.integers(1, 30))), "little") + 1
        den = int.from_bytes(rng.bytes(int(rng.integers(1, 20))), "little") + 1
        exp = int(rng.integers(-1200, 1100))
        exact = Fraction(num, den) * Fraction(2) ** exp
        check(is_nearest(rounding.round_ratio(num, den, exp), exact), num, den, exp)


@test
def ties_and_their_neighbours():
    rng = np.random.default_rng(2)
    for _ in range(200):
        odd = (1 << 53) + 2 * int(rng.integers(1 << 52)) + 1
        below, above = odd - 1 >> 1, odd + 1 >> 1
        even = below if below % 2 == 0 else above
        exp, far = int(rng.integers(-900, 900)), 1 << 200
        for off, want in ((0, even), (1, above), (-1, below)):
            got = rounding.round_ratio(odd * far + off, 3 * far, exp)
            check(is_nearest(got, Fraction(odd * far + off, 3 * far) * Fraction(2) ** exp), "thirds")
            got = rounding.round_ratio(odd * far + off, far, exp)
            check(got == math.ldexp(want, exp + 1), odd, off, exp)
            got = rounding.round_root(odd * odd * far + off, far, 2 * exp)
            check(got == math.ldexp(want, exp + 1), "root", odd, off, exp)


@test
def roots():
    rng = np.random.default_rng(3)
    for _ in range(300):
        num = int.from_bytes(rng.bytes(int(rng.integers(1, 40))), "little") + 1
        den, exp = int(rng.integers(1, 1 << 40)), int(rng.integers(-1100, 1100))
        got = rounding.round_root(num, den, exp)
        exact = Fraction(num, den) * Fraction(2) ** exp
        bits = rounding.to_bits(got)
        low = (Fraction(got) + Fraction(rounding.from_bits(bits - 1))) / 2
        high = (Fraction(got) + Fraction(rounding.from_bits(bits + 1))) / 2
        check(low * low <= exact <= high * high, "root", num, den, exp)


@test
def candidates_near_ties():
    one = 1 << 600
    for offset, want in [(Fraction(1, 2), 2), (Fraction(509, 1000), 2), (Fraction(511, 1000), 1),
                         (Fraction(491, 1000), 2), (Fraction(489, 1000), 1), (Fraction(0), 1)]:
        num = one + int(offset * (one >> 52))
        check(len(rounding.neighbour_candidates(num, -600, 1, 100)) == want, offset)
    check(rounding.neighbour_candidates(3, -1, 1, 100) == [1.5], "few bits")
    check(rounding.neighbour_candidates((1 << 2000) - 1, 0, 1, 100) == [math.inf], "overflow")


@test
def sums_of_binary64():
    rng = np.random.default_rng(4)
    for scale in (1, 300, 1020):
        x = np.ldexp(rng.standard_normal(400), rng.integers(-scale, scale, 400))
        x[:3] = [0.0, 5e-324, -1.7976931348623157e308]
        for got, power in ((sums.sum_f64(x), 1), (sums.sumsq_f64(x), 2)):
            exact = sum(Fraction(v) ** power for v in x.tolist())
            check(Fraction(got[0]) * Fraction(2) ** got[1] == exact, "power sum", scale, power)
    product, exp = sums.product_f64(np.arange(1, 21, dtype=np.float64))
    check(Fraction(product) * Fraction(2) ** exp == math.factorial(20), "product")


@test
def sums_of_integers():
    rng = np.random.default_rng(5)
    mag = rng.integers(0, 1 << 64, 300, dtype=np.uint64, endpoint=False)
    neg = rng.random(300) < 0.5
    ints = Ints(neg, mag).python_ints()
    check(sums.sum_wide(neg, mag) == sum(ints), "sum")
    check(sums.sumsq_wide(mag) == sum(i * i for i in ints), "sum of squares")
    for value, rounded in zip(ints, Ints(neg, mag).to_f64().tolist()):
        check(rounded == rounding.round_ratio(value, 1), "integer to binary64", value)


@test
def products_are_correctly_rounded():
    rng = np.random.default_rng(6)
    for n in (1, 2, 17, 100):
        x = rng.lognormal(0, 1, n)
        exact = math.prod(map(Fraction, x.tolist()))
        answers = reduce.Reduced(Floats(x), np.arange(n), "f64", False).result("prod")
        check(any(is_nearest(a.value, exact) for a in answers), "prod", n)
    answers = reduce.Reduced(Floats(np.array([2.0, 8.0])), np.arange(2), "f64", False).result("geomean")
    check([a.value for a in answers] == [4.0], "geomean")


@test
def exact_comparisons():
    ints = [0, 1, -1, 2**53, 2**53 + 1, 2**63, 2**64 - 1, -(2**63), -(2**53) - 1]
    floats = [0.0, -0.0, 0.5, -0.5, 2.0**53, 2.0**53 + 2, 2.0**63, 2.0**64, -(2.0**63), -(2.0**64),
              math.inf, -math.inf, math.nan, 1e300]
    for i in ints:
        a = Ints(np.array([i < 0]), np.array([abs(i)], np.uint64))
        for f in floats:
            got = [bool(o[0]) for o in order(a, Floats(np.array([f])))]
            want = [False] * 3 if math.isnan(f) else [i < f, i == f, i > f]  # Python compares exactly
            check(got == want, i, f, got)


@test
def shortest_texts():
    rng = np.random.default_rng(7)
    values = [abs(v) for v in np.frombuffer(rng.bytes(8 * 150)).tolist() if math.isfinite(v) and v]
    values += [2.0**k for k in range(-1074, 1024, 41)] + [5e-324, 1.7976931348623157e308, 2.0**-44]
    for v in values:
        ours = texts.arrange(*texts.shortest_digits(v, texts.FORMATS["f64"]))
        check(ours == texts.float_text(v) or v < 1e16 and v == int(v), "repr", v, ours)
    for v, kind, want in [(np.float32(0.1), "f32", "0.1"), (np.float16(0.1), "f16", "0.1"),
                          (np.float32(3.4028235e38), "f32", "3.4028235e+38"), (65504.0, "f16", "65504"),
                          (2.0**-24, "f16", "6e-08"), (0.10009765625, "bf16", "0.1"),
                          (2147483648.0, "f32", "2147483648"), (1e16, "f64", "1e+16"),
                          (-0.0, "f64", "-0.0"), (1e-5, "f64", "1e-05"), (1e-4, "f64", "0.0001"),
                          (2.0**-149, "f32", "1e-45"), (-392.75, "f16", "-392.8"),
                          (392.25, "f16", "392.2"), (5e-324, "f64", "5e-324")]:
        check(texts.float_text(float(v), kind) == want, v, kind, texts.float_text(float(v), kind))
    for v, want in [(3.0, "0x1.8p+1"), (-0.0, "-0x0p+0"), (5e-324, "0x0.0000000000001p-1022"),
                    (math.nan, None)]:
        check(texts.float_hex(v) == want, "hex", v)


@test
def narrow_texts_read_back():
    for bits in range(1, 0x7F80, 97):
        v = float(np.array([bits << 16], np.uint32).view(np.float32)[0])
        digits, power = texts.shortest_digits(v, texts.FORMATS["bf16"])
        check(texts.reads_back(digits, power, rounding.split(v), texts.FORMATS["bf16"]), "bf16", bits)
    for bits in range(1, 0x7F7FFFFF, 30000017):
        v = np.array([bits], np.uint32).view(np.float32)[0]
        ours = float(texts.arrange(*texts.shortest_digits(float(v), texts.FORMATS["f32"])))
        check(ours == float(np.format_float_scientific(v, unique=True)), "f32", bits)


@test
def reductions_by_fractions():
    rng = np.random.default_rng(8)
    for n in (1, 2, 3, 50):
        x = rng.standard_normal(n) * 1e3 + 1e9
        exact = [Fraction(v) for v in x.tolist()]
        mean = sum(exact) / n
        r = reduce.Reduced(Floats(x), np.arange(n), "f64", False)
        for name, value in [("sum", mean * n), ("mean", mean), ("sumsq", sum(v * v for v in exact)),
                            ("var", sum((v - mean) ** 2 for v in exact) / n)]:
            check(is_nearest(r.result(name)[0].value, value), name, n)
        check(r.result("first")[0].value == x[0] and r.result("last")[0].value == x[-1], "ends")


@test
def orders_of_zeros_and_nan():
    for data, want in [([0.0, -0.0], (1, 0)), ([-0.0, 0.0, -0.0], (0, 1)), ([2.0, 2.0], (0, 0)),
                       ([1.0, math.nan, -1.0], (1, 1)), ([-math.inf, math.inf], (0, 1))]:
        r = reduce.Reduced(Floats(np.array(data)), np.arange(len(data)), "f64", False)
        check((r.result("argmin")[0].index, r.result("argmax")[0].index) == want, data)


@test
def mapped_values_are_judged():
    check(ulps.error("exp", [1.0], math.e) < 1, "exp")
    check(ulps.error("exp", [1.0], math.nextafter(math.e, 0)) > 1.3, "exp, one off, is seen")
    check(ulps.error("pow", [-2.0, 3.0], -8.0) == 0, "pow")
    check(ulps.error("pow", [-0.0, -3.0], -math.inf) == 0, "pow at a pole")
    check(ulps.error("sin", [-0.0], 0.0) == math.inf, "sign of zero")
    check(ulps.error("lgamma", [-2.5], -0.05624371649767405) < 1, "lgamma")
    check(ulps.error("lgamma", [1.0], 0.0) == 0, "lgamma of 1")
    check(ulps.error("atan2", [-0.0, -1.0], -math.pi) < 1, "atan2")
    check(max(ulps.error("exp", [1e9], math.inf), ulps.error("exp", [-1e9], 0.0)) < 1e-9, "far out")


def record_for(batch):
    """The JSON record that the oracle itself would print for a batch of one input."""
    subject = expect.Subject(batch, batch.inputs)
    reduced, dropped = expect.reduce_pipeline(subject, batch.pipelines[0], {})
    results = []
    for name in batch.pipelines[0].flat_reductions():
        answer = reduced.result(name)[0]
        result = {"name": name, "type": answer.type}
        result.update(text=expect.text_of(answer), hex=expect.hex_of(answer))
        result["value"] = None if result["hex"] is None else result["text"]
        if answer.index is not None:
            result.update(index=str(answer.index), coords=[str(answer.index)])
        results.append(result)
    books = {"used": reduced.n, "dropped": dropped, "skipped": reduced.skipped, "nan": reduced.nan,
             "posinf": reduced.posinf, "neginf": reduced.neginf}
    return subject, {**{k: str(v) for k, v in books.items()}, "results": results}


@test
def a_wrong_record_is_noticed():
    batch = cases.Batch(0, 0)
    batch.inputs = [Input("d0.f64", "f64", False, np.array([1.5, -2.0, 0.1]), "raw", "")]
    batch.layout = RawLayout()
    pipeline = pipelines.Pipeline([], ["sum", "argmax", "count", "prod"], [], "").rewritten()
    batch.pipelines = [pipeline]
    subject, record = record_for(batch)
    differences, _ = expect.compare_pipeline(subject, pipeline, record, {})
    check(not differences, differences)
    for key in ("used", "dropped", "skipped", "nan", "posinf", "neginf"):
        bad = copy.deepcopy(record)
        bad[key] = "7"
        check(expect.compare_pipeline(subject, pipeline, bad, {})[0], "books", key)
    for k, result in enumerate(record["results"]):
        for key in result:
            bad = copy.deepcopy(record)
            bad["results"][k][key] = "0x1.1p+7"
            check(expect.compare_pipeline(subject, pipeline, bad, {})[0], "result", key)


def run():
    """Prints one line; True if all is well."""
    failed = 0
    for function in TESTS:
        try:
            function()
        except Exception as e:
            failed += 1
            print("not ok oracle_self_test: %s: %r" % (function.__name__, e))
    if not failed:
        print("ok oracle_self_test: %d tests" % len(TESTS))
    return not failed
