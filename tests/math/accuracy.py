"""The errors of the map ops, measured against MPFR; see tests/math/accuracy."""

import argparse
import math
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import gmpy2
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import annex_f  # noqa: E402
import math_points as points  # noqa: E402
import math_truth as truth  # noqa: E402

BOUND = 1.0  # ulp
SMALL = -1000  # results below 2^SMALL are counted apart: subnormal ones are rounded twice
CHUNK = 50000  # points whose truth is in memory at a time
ZOOM = 0.15  # share of the points that lie about the worst of the others
WORST = 20  # so many of them
HASHED = 100000  # elements of the golden hash that tells which code was measured


class Measured(NamedTuple):
    """What is known of an op; error and below are None where no result lies there."""

    op: str
    npoints: int
    error: float | None
    below: float | None
    rounded: float  # share of the main range's results that are correctly rounded
    worst: tuple
    failures: list


class Kernels:
    """The program's ops on arrays."""

    def __init__(self, build, isa):
        self.program, self.hash, self.isa = f"{build}/tests/math/apply", f"{build}/tests/math/hash", isa

    def __call__(self, op, args):
        data = b"".join(np.ascontiguousarray(a, dtype=np.float64).tobytes() for a in args)
        done = subprocess.run([self.program, self.isa, op], input=data, capture_output=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode().strip())
        return np.frombuffer(done.stdout, dtype=np.float64)

    def hashes(self, n):
        """{op: hash}, in the order of the program's table."""
        out = subprocess.run([self.hash, self.isa, str(n)], capture_output=True, text=True, check=True).stdout
        return {line.split()[0]: line.split()[2] for line in out.splitlines()}


def show(op, args, got, want):
    return f"{op}({', '.join(float(a).hex() for a in args)}) = {float(got).hex()}, not {want}"


class Tally:
    """The largest errors so far of an op."""

    def __init__(self, op):
        self.op, self.npoints, self.failures = op, 0, []
        self.error, self.below = None, None
        self.worst = []  # (error, arguments), the largest first

    def add(self, args, got):
        """Returns which results are correctly rounded."""
        slices = [slice(i, i + CHUNK) for i in range(0, len(got), CHUNK)]
        return np.concatenate([self.add_chunk([a[s] for a in args], got[s]) for s in slices])

    def add_chunk(self, args, got):
        exact = truth.truth(self.op, args)
        rounded = np.array([float(z) for z in exact], dtype=np.float64)
        good = ~truth.differ(got, rounded)
        size = np.abs(rounded)
        tiny = (size < 2.0**SMALL) & (size > 0)
        # Half an ulp stands for all that are correctly rounded; exact values are not told apart.
        if np.any(good & ~tiny):
            self.error = max(self.error or 0, 0.5)
        if np.any(good & tiny):
            self.below = max(self.below or 0, 0.5)
        for i in np.flatnonzero(~good):
            self.judge(tuple(float(a[i]) for a in args), float(got[i]), exact[i], bool(tiny[i]))
        if not self.worst:
            self.worst = [(0.5, tuple(float(a[0]) for a in args))]
        self.worst = sorted(self.worst, reverse=True)[:WORST]
        self.npoints += len(got)
        return good

    def judge(self, x, got, exact, tiny):
        e = truth.error(self.op, x, got, exact)
        if e > BOUND:
            self.failures.append(f"{show(self.op, x, got, float(exact).hex())}: {e:.4g} ulp")
        if tiny:
            self.below = max(self.below or 0, e)
        else:
            self.error = max(self.error or 0, e)
            self.worst.append((e, x))


def measure(op, kernels, n, seed):
    """An op that may be off by an ulp, on n points."""
    truth.set_precision()
    rng = np.random.default_rng([seed, *op.encode()])
    make = points.two if op in truth.TWO else points.one
    args, nmain = make(op, rng, n - int(n * ZOOM))
    tally = Tally(op)
    good = tally.add(args, kernels(op, args))
    near = points.about_worst(rng, int(n * ZOOM), [x for _, x in tally.worst])
    tally.add(near, kernels(op, near))
    return Measured(op, tally.npoints, tally.error, tally.below, float(good[:nmain].mean()), tally.worst[0][1], tally.failures)


def compare(op, args, got, want):
    """Failures of an op that has no error."""
    return [show(op, [a[i] for a in args], got[i], float(want[i]).hex()) for i in np.flatnonzero(truth.differ(got, want))]


def measure_exact(op, kernels, n, seed):
    rng = np.random.default_rng([seed, *op.encode()])
    args = points.exact(op, truth.nargs(op), rng, n)
    with np.errstate(all="ignore"):
        failures = compare(op, args, kernels(op, args), truth.EXACT[op](*args))
    return Measured(op, n, 0.0, None, 1.0, (), failures)


def special_values(op, kernels):
    """Failures on all combinations of the special values."""
    truth.set_precision()
    args = points.special(truth.nargs(op))
    got = kernels(op, args)
    if op in truth.EXACT:
        with np.errstate(all="ignore"):
            return compare(op, args, got, truth.EXACT[op](*args))
    failures = []
    for i, exact in enumerate(truth.truth(op, args)):
        x = tuple(float(a[i]) for a in args)
        e = truth.error(op, x, float(got[i]), exact)
        if e > BOUND:
            failures.append(f"{show(op, x, got[i], float(exact).hex())}: {e:.4g} ulp")
    return failures


def stated_values(op, kernels):
    """Failures on annex_f's table."""
    rows = [(args, want) for name, args, want in annex_f.rows() if name == op]
    if not rows:
        return []
    args = tuple(np.array(column) for column in zip(*[r[0] for r in rows]))
    return compare(op, args, kernels(op, args), np.array([r[1] for r in rows]))


def measure_op(op, kernels, n, seed):
    if op not in truth.INEXACT and op not in truth.EXACT:
        return Measured(op, 0, None, None, 0.0, (), ["no truth for it in math_truth.py"])
    m = (measure if op in truth.INEXACT else measure_exact)(op, kernels, n, seed)
    wrong = stated_values(op, kernels) + special_values(op, kernels)
    return m._replace(failures=m.failures + wrong)


def text(e):
    return "-" if e is None else f"{math.ceil(e * 1000 - 1e-9) / 1000:.3f}" if math.isfinite(e) else "inf"


def report(m):
    name = f"math_accuracy_{m.op}"
    if m.failures:
        print(f"not ok {name}: {len(m.failures)} of {m.npoints} points and special values")
        for line in m.failures[:10]:
            print("    " + line)
    elif m.op in truth.EXACT:
        print(f"ok {name}: {m.npoints} points without a difference")
    else:
        worst = ", ".join(x.hex() for x in m.worst)
        print(f"ok {name}: {text(m.error)} ulp at ({worst}), below 2^{SMALL} {text(m.below)}; "
              f"{100 * m.rounded:.2f} % correctly rounded")


def write_log(path, header, measured, hashes):
    with open(path, "w", encoding="ascii") as log:
        log.write(header)
        for m in measured:
            if m.op in truth.EXACT:
                columns = [m.op, m.npoints, "exact", "-", "100", "-"]
            else:
                percent = math.floor(10000 * m.rounded) / 100
                columns = [m.op, m.npoints, text(m.error), text(m.below), f"{percent:.2f}", ",".join(x.hex() for x in m.worst)]
            log.write("\t".join(str(c) for c in columns + [hashes[m.op]]) + "\n")


# ---- can it fail?


def faulty(kernels, op, spoil):
    """Kernels whose results for op are spoiled."""
    def call(name, args):
        got = kernels(name, args)
        return spoil(np.array(got), args) if name == op else got

    return call


def next_but_one(got, args):
    got[7] = np.nextafter(np.nextafter(got[7], np.inf), np.inf)
    return got


def without_sign_of_zero(got, args):
    return got + 0.0


def one_infinity(got, args):
    return np.where(np.isinf(args[0]), np.abs(got), got)


def truth_is_annex_f():
    """Where MPFR's special values are not those of annex_f."""
    truth.set_precision()
    for op, args, want in annex_f.rows():
        if op in truth.INEXACT:
            got = np.array([float(truth.truth(op, [np.array([a]) for a in args])[0])])
        else:
            with np.errstate(all="ignore"):
                got = truth.EXACT[op](*[np.array([a]) for a in args])
        if truth.differ(got, np.array([want]))[0]:
            yield show(op, args, got[0], want)


def self_test(kernels):
    """Results spoiled in one point, in the sign of zero, at infinity, must be noticed."""
    wrong = list(truth_is_annex_f())
    print(f"{'not ok' if wrong else 'ok'} math_truth_has_the_special_values{': ' if wrong else ''}{'; '.join(wrong)}")
    if wrong:
        return 1
    for op, name, spoil in (("log", "two_ulps", next_but_one), ("asinh", "sign_of_zero", without_sign_of_zero),
                            ("atan", "infinity", one_infinity), ("add", "two_ulps", next_but_one)):
        noticed = measure_op(op, faulty(kernels, op, spoil), 200, 1).failures
        print(f"{'ok' if noticed else 'not ok'} math_accuracy_notices_{name}_in_{op}")
        if not noticed:
            return 1
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("ops", nargs="*")
    parser.add_argument("--points", type=int, default=2000)
    parser.add_argument("--isa", default="best")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log", help="also write the errors here")
    parser.add_argument("--header", default="", help="first lines of the log")
    options = parser.parse_args()
    kernels = Kernels(options.build, options.isa)
    hashes = kernels.hashes(HASHED if options.log else 1)
    ops = options.ops or list(hashes)
    failed = 0 if options.ops else self_test(kernels)
    n = len(ops)
    with ProcessPoolExecutor(options.jobs) as pool:
        measured = list(pool.map(measure_op, ops, [kernels] * n, [options.points] * n, [options.seed] * n))
    for m in measured:
        report(m)
        failed |= bool(m.failures)
    if options.log and not failed:
        write_log(options.log, options.header, measured, hashes)
    return failed


if __name__ == "__main__":
    sys.exit(main())
