"""Batches: one run of the tested program each, over a few inputs with a few pipelines.

make_batch(seed, number, big) draws everything from (seed, number), so that one batch can be made again.
Case = one pipeline on one record of the output (an input, or all of them with --concat).
"""

import numpy as np

import containers
import data
import pipelines
from values import DTYPES

BLOCK = 1024
PIECES = [262144, 524288, 1048576]  # bytes a worker may take at a time by default
SMALL_PIECES = [1, 2, 7, 64, 1000, 4096, 8191, 8192, 8193, 1 << 17]
LARGE_PIECES = [65536, 1 << 20, 99991]
KINDS = ["plain"] * 10 + ["raw"] * 5 + ["concat"] * 3 + ["stdin"] * 2
TIED = ["sum", "mean", "norm2", "rms", "std", "var"]  # what ties.py makes ties of
FLUSH = 1 << 20  # terms that an accumulator may take before it must carry


class Batch:
    def __init__(self, seed, number):
        self.seed, self.number = seed, number
        self.inputs, self.pipelines = [], []
        self.layout = containers.RawLayout()
        self.type_options = []  # --dtype and --endian
        self.skip_nan = self.concat = False
        self.run_options = []  # threads, piece size: must not change anything
        self.by_option = False  # pipelines as -e, else all as the first operand

    def records(self):
        return 1 if self.concat else len(self.inputs)

    def options(self):
        out = self.layout.options() + self.type_options + self.run_options
        return out + ["--skip-nan"] * self.skip_nan + ["--concat"] * self.concat


def length(rng, big, itemsize, piece):
    """Mostly around the limits of blocks and pieces."""
    if big:
        if rng.random() < 0.02:
            return FLUSH + int(rng.integers(-1, BLOCK + 2))
        return int(10 ** rng.uniform(4, 6))
    roll = rng.random()
    if roll < 0.12:
        return int(rng.integers(0, 3))
    if roll < 0.5:
        return int(rng.integers(3, 68))
    if roll < 0.75:
        return max(0, BLOCK * int(rng.integers(1, 5)) + int(rng.integers(-1, 2)))
    if roll < 0.85 and piece:
        return min(5000, max(1, piece // itemsize) * int(rng.integers(1, 4)) + int(rng.integers(-1, 2)))
    if roll < 0.87:
        return PIECES[rng.integers(len(PIECES))] // itemsize + int(rng.integers(-1, 2))
    return int(rng.integers(68, 3000))


def sample_of(inp):
    """Some values of the data for the pipelines' literals."""
    values = inp.dtype.decode(inp.element_bytes()[: 64 * inp.dtype.size], inp.big)
    return values.python_ints() if values.is_int else values.f.tolist()


class Maker:
    def __init__(self, seed, number, big):
        self.rng = np.random.default_rng([seed, number])
        self.batch, self.big = Batch(seed, number), big
        self.piece = 0

    def make(self, kind, ninputs, npipelines):
        rng, b = self.rng, self.batch
        self.run_options(rng)
        getattr(self, "make_" + kind)(ninputs)
        b.skip_nan = bool(rng.random() < 0.3)
        longest = max(i.stored.size for i in b.inputs)
        special = 0.25 if longest <= 20000 and not b.concat else 0
        sample = sample_of(b.inputs[0])
        b.pipelines = [pipelines.make(rng, sample, special, self.big) for _ in range(npipelines)]
        if any(i.distribution.startswith("ties") for i in b.inputs):
            b.pipelines[0] = pipelines.Pipeline([], list(TIED), [], "").rewritten()
        b.by_option = bool(rng.random() < 0.5)
        return b

    def run_options(self, rng):
        out = self.batch.run_options
        if rng.random() < 0.5:
            out += ["--threads", str(rng.choice([1, 2, 3, 7]))]
        if rng.random() < 0.6:
            self.piece = int(rng.choice(LARGE_PIECES if self.big else SMALL_PIECES))
            out += ["--piece-size", str(self.piece)]

    def elements(self, dtype, n):
        return data.make(self.rng, dtype, n)

    def dtype(self, npy=False):
        names = [n for n in DTYPES if not (npy and n == "bf16")]
        weights = np.array([1.0 + (DTYPES[n].kind == "f" or DTYPES[n].size == 8) for n in names])
        return DTYPES[str(self.rng.choice(names, p=weights / weights.sum()))]

    def length(self, dtype):
        return length(self.rng, self.big, dtype.size, self.piece)

    def add(self, name, dtype, big_endian, stored, container, distribution):
        self.batch.inputs.append(
            containers.Input(name, dtype.name, big_endian, stored, container, distribution))
        return self.batch.inputs[-1]

    def add_npy(self, name, dtype=None, n=None):
        rng = self.rng
        dtype = dtype or self.dtype(npy=True)
        stored, distribution = self.elements(dtype, self.length(dtype) if n is None else n)
        inp = self.add(name, dtype, bool(rng.random() < 0.4), stored, "npy", distribution)
        inp.shape, inp.fortran = containers.random_shape(rng, stored.size), bool(rng.random() < 0.4)
        inp.version = int(rng.choice([1, 1, 2, 3]))
        return inp

    def add_raw(self, k, dtype=None, n=None):
        rng = self.rng
        dtype, big_endian = dtype or self.dtype(), bool(rng.random() < 0.4)
        stored, distribution = self.elements(dtype, self.length(dtype) if n is None else n)
        name = "d%d.%s" % (k, containers.extension(dtype, big_endian, rng))
        return self.add(name, dtype, big_endian, stored, "raw", distribution)

    def make_plain(self, ninputs):
        for k in range(ninputs):
            if self.rng.random() < 0.5:
                self.add_npy("d%d.npy" % k)
            else:
                self.add_raw(k)

    def make_raw(self, ninputs):
        """Raw files that share --offset, --stride and --count or --shape."""
        rng, layout = self.rng, self.batch.layout
        layout.offset = int(rng.choice([0, 1, 2, 3, 4, 7, 8, 100, 4096]))
        layout.stride = int(rng.choice([1, 1, 1, 2, 3, 7]))
        dtype = self.dtype() if rng.random() < 0.5 else None
        n = self.raw_shape(dtype or DTYPES["f64"])
        filler = rng.bytes(61)
        for k in range(ninputs):
            inp = self.add_raw(k, dtype, n if layout.count is not None or layout.shape else None)
            inp.filler, inp.slack = filler, int(rng.integers(0, 20))
        if dtype:
            self.name_type(dtype, bool(rng.random() < 0.4))
        self.fit_lengths()

    def raw_shape(self, dtype):
        """Sets --count or --shape, or neither; returns the length that they ask for."""
        rng, layout = self.rng, self.batch.layout
        n = self.length(dtype)
        roll = rng.random()
        if roll < 0.4:
            layout.count = n
        elif roll < 0.7 and layout.stride == 1:
            shape = list(containers.random_shape(rng, n)) or [1]
            if rng.random() < 0.5 and n > 0:
                shape[rng.integers(len(shape))] = -1
            layout.shape = shape
        return n

    def fit_lengths(self):
        """Some distributions choose their own length: cut or repeat to what the layout asks for."""
        layout = self.batch.layout
        for inp in self.batch.inputs:
            if layout.count is not None:
                inp.stored = np.resize(inp.stored, layout.count)
            if layout.shape is not None:
                self.fit_shape(inp, layout.shape)
            else:
                inp.shape = (inp.stored.size,)

    def fit_shape(self, inp, shape):
        known = int(np.prod([d for d in shape if d >= 0], dtype=np.int64))
        if -1 not in shape:
            inp.stored, inp.shape = np.resize(inp.stored, known), tuple(shape)
            return
        rows = inp.stored.size // known
        inp.stored = inp.stored[: rows * known]
        inp.shape = tuple(rows if d == -1 else d for d in shape)

    def name_type(self, dtype, big_endian):
        """All inputs get the type by --dtype, their names tell nothing."""
        self.batch.type_options = containers.dtype_option(dtype, big_endian, self.rng)
        for k, inp in enumerate(self.batch.inputs):
            inp.big = big_endian
            if inp.name != "-":
                inp.name = "d%d.%s" % (k, self.rng.choice(["bin", "dat", "raw", "x"]))

    def make_stdin(self, ninputs):
        """The first input is standard input."""
        rng = self.rng
        if rng.random() < 0.4:
            self.make_plain(ninputs)
            n = self.batch.inputs.pop(0).stored.size
            npy = self.add_npy("-", n=n)
            self.batch.inputs = [npy] + self.batch.inputs[:-1]
            return
        dtype = self.dtype()
        for k in range(ninputs):
            self.add_raw(k, dtype)
        self.batch.inputs[0].name = "-"
        self.name_type(dtype, bool(rng.random() < 0.4))

    def make_concat(self, ninputs):
        rng = self.rng
        self.batch.concat = True
        if rng.random() < 0.4:
            self.make_plain(max(ninputs, 2))
            return
        dtype = self.dtype(npy=True)
        stored, distribution = self.elements(dtype, self.length(dtype))
        cuts = np.sort(rng.integers(0, stored.size + 1, max(ninputs, 2) - 1))
        for k, part in enumerate(np.split(stored, cuts)):
            npy = rng.random() < 0.3
            inp = self.add_npy("d%d.npy" % k, dtype, 0) if npy else self.add_raw(k, dtype, 0)
            inp.stored, inp.distribution = part.copy(), distribution + "+split"
            inp.shape = containers.random_shape(rng, part.size) if npy else (part.size,)


class Plan:
    """What a batch is to be, before its data are drawn."""

    def __init__(self, number, big, kind, ninputs, npipelines):
        self.number, self.big, self.kind = number, big, kind
        self.ninputs, self.npipelines = ninputs, npipelines

    def cases(self):
        return self.npipelines * (1 if self.kind == "concat" else self.ninputs)


def make_batch(seed, plan):
    return Maker(seed, plan.number, plan.big).make(plan.kind, plan.ninputs, plan.npipelines)


def plan_batches(seed, total):
    """Batches of `total` cases or a few more; a quarter of them large, if there are many."""
    rng = np.random.default_rng([seed, 1 << 32])
    big_share = 0.25 if total >= 2000 else 0.02
    out, cases, big_cases, deck = [], 0, 0, []
    while cases < total:
        big = big_cases < big_share * cases
        ninputs = int(rng.integers(1, 3) if big else rng.integers(1, 6))
        npipelines = int(rng.integers(2, 5) if big else rng.integers(1, 7))
        deck = deck or [str(kind) for kind in rng.permutation(KINDS)]
        out.append(Plan(len(out), big, deck.pop(), ninputs, npipelines))
        cases += out[-1].cases()
        big_cases += out[-1].cases() * big
    return out
