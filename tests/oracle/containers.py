"""How elements lie in files: raw with offset, stride and count, .npy of every version, order and shape.

An Input knows its elements in C order (stored type, native byte order) and writes itself; it also says
what the record of the result must tell about it (dtype, shape, coordinates).
"""

import numpy as np

from values import DTYPES


class RawLayout:
    """The raw options of one run; all its inputs share them."""

    def __init__(self, offset=0, stride=1, count=None, shape=None):
        self.offset, self.stride, self.count, self.shape = offset, stride, count, shape

    def options(self):
        out = []
        if self.offset:
            out += ["--offset", str(self.offset)]
        if self.stride != 1:
            out += ["--stride", str(self.stride)]
        if self.count is not None:
            out += ["--count", str(self.count)]
        if self.shape is not None:
            out += ["--shape", ",".join(str(d) for d in self.shape)]
        return out


class Input:
    """container: 'raw' or 'npy'; name: file name, '-' for standard input."""

    def __init__(self, name, dtype_name, big, stored, container, distribution):
        self.name, self.dtype, self.big = name, DTYPES[dtype_name], big
        self.stored, self.container, self.distribution = stored, container, distribution
        self.shape = (stored.size,)  # logical; of raw data as --shape says
        self.fortran, self.version = False, 1
        self.filler = b""  # what lies around the elements of raw files
        self.slack = 0  # elements (bytes with --count) after the last one taken

    def element_bytes(self):
        order = ">" if self.big else "<"
        return self.stored.astype(self.stored.dtype.newbyteorder(order)).tobytes()

    def values(self):
        return self.dtype.decode(self.element_bytes(), self.big)

    def file_bytes(self, layout):
        return self._npy_bytes() if self.container == "npy" else self._raw_bytes(layout)

    def _raw_bytes(self, layout):
        size, n = self.dtype.size, self.stored.size
        elements = (max(n - 1, 0) * layout.stride + 1) if n else 0
        tail = self.slack
        if layout.count is None:  # whole elements, fewer than a stride
            tail = size * min(self.slack, layout.stride - 1) if n else 0
        total = layout.offset + elements * size + tail
        junk = self.filler or b"\xff"
        out = np.frombuffer((junk * (total // len(junk) + 1))[:total], np.uint8).copy()
        if n:
            body = out[layout.offset : layout.offset + elements * size].reshape(elements, size)
            body[:: layout.stride] = np.frombuffer(self.element_bytes(), np.uint8).reshape(n, size)
        return out.tobytes()

    def _npy_bytes(self):
        code = "|b1" if self.dtype.kind == "b" else self.dtype.numpy_code
        if self.dtype.kind != "b":
            code = ("|" if self.dtype.size == 1 else ">" if self.big else "<") + code
        header = "{'descr': '%s', 'fortran_order': %s, " % (code, self.fortran)
        header += "'shape': %s, }" % (self.shape,)
        fixed = 10 if self.version == 1 else 12
        header += " " * (-(fixed + len(header) + 1) % 64) + "\n"
        length = len(header).to_bytes(2 if self.version == 1 else 4, "little")
        data = np.frombuffer(self.element_bytes(), "V%d" % self.dtype.size).reshape(self.shape)
        body = data.tobytes("F" if self.fortran else "C")
        return b"\x93NUMPY" + bytes([self.version, 0]) + length + header.encode("ascii") + body

    def coords(self, index, layout):
        if self.container == "raw" and layout.shape is None:
            return [index * layout.stride]
        return [int(c) for c in np.unravel_index(index, self.shape)] if self.shape else []


def random_shape(rng, n):
    """1 to 3 dimensions of n elements (rarely none), divisors where there are some."""
    if n == 1 and rng.random() < 0.5:
        return ()
    ndim = int(rng.integers(1, 4))
    shape = []
    for _ in range(ndim - 1):
        divisors = [d for d in range(1, min(n, 40) + 1) if n % d == 0] or [0, 1, 3]
        d = int(divisors[rng.integers(len(divisors))])
        shape.append(d)
        n //= max(d, 1)
    shape.append(n)
    return tuple(int(s) for s in rng.permutation(shape))


def extension(dtype, big, rng):
    if dtype.size == 1:
        return dtype.name
    return dtype.name + ("be" if big else "le" if rng.random() < 0.2 else "")


def dtype_option(dtype, big, rng):
    """Options that name the type: f32be, '>f4', or f32 --endian big."""
    roll = rng.random()
    if roll < 0.3 and dtype.name != "bf16":
        code = "b1" if dtype.kind == "b" else dtype.numpy_code
        orders = "|<>=" if dtype.size == 1 else ">" if big else "<="
        return ["--dtype=" + orders[rng.integers(len(orders))] + code]
    spelling = str(rng.choice(dtype.spellings))
    if big and (roll < 0.6 or spelling != dtype.name or dtype.size == 1):
        return ["--endian", "big", "-t", spelling]
    if big:
        return ["-t", spelling + "be"]
    return ["-t", spelling] + (["--endian=little"] if rng.random() < 0.2 else [])
