"""What other libraries make of the same data: a process that loads a file once and is then told, line by
line, which calculation to do.

    python peers.py LIBRARY THREADS PATH DTYPE PART

LIBRARY is numpy, numexpr, polars or duckdb; DTYPE is float32 or float64; "part" calculations take the
first PART elements.  It prints {"version": ...} once it is ready, then for each line with a name of its
table {"seconds": ..., "values": [...]}, the time without the start of Python and without loading, unless
the calculation reads the file itself.  Everything is done as the library's manual would do it, with the
threads that it can use.
"""

import json
import os
import sys
import time


def numpy_calculations(threads, path, dtype, part):
    import numpy as np

    x = np.fromfile(path, dtype)
    y = x[:part]

    def blocks():
        """By hand, in pieces that stay in the cache."""
        block = np.empty((1 << 18) // x.itemsize, dtype)
        total = 0.0
        with open(path, "rb", buffering=0) as file:
            while file.readinto(block):
                total += float(np.abs(block, out=block).sum())
        return total

    return np.__version__, {
        "abs_sum_file": lambda: np.abs(np.fromfile(path, dtype)).sum(),
        "abs_sum_blocks": blocks,
        "abs_sum": lambda: np.abs(x).sum(),
        "abs_sum_double": lambda: np.abs(x).sum(dtype=np.float64),
        "stats": lambda: (x.sum(), x.min(), x.max(), x.mean(), x.std()),
        "chain": lambda: np.sqrt(np.exp(np.sin(np.log(y * y + 1)))).sum(),
        "log_mean": lambda: np.log(y[y > 0]).mean(),
    }


def numexpr_calculations(threads, path, dtype, part):
    import numexpr as ne
    import numpy as np

    ne.set_num_threads(threads)
    x = np.fromfile(path, dtype)
    y = x[:part]
    out = np.zeros_like(y)
    names = {"x": x, "y": y}
    chain = "sqrt(exp(sin(log(y * y + 1))))"

    def evaluate(text):
        return ne.evaluate(text, names)

    def into_array(text):
        return ne.evaluate(text, names, out=out, casting="same_kind").sum()

    def positive():
        return np.count_nonzero(evaluate("y > 0"))

    # A sum inside the expression runs on one thread; the other form sums an array with numpy.
    return ne.__version__, {
        "abs_sum": lambda: evaluate("sum(abs(x))"),
        "chain": lambda: evaluate(f"sum({chain})"),
        "chain_array": lambda: into_array(chain),
        "log_mean": lambda: evaluate("sum(where(y > 0, log(y), 0))") / positive(),
        "log_mean_array": lambda: into_array("where(y > 0, log(y), 0)") / positive(),
    }


def polars_calculations(threads, path, dtype, part):
    import numpy as np
    import polars as pl

    c = pl.col("x")
    frame = pl.DataFrame({"x": np.fromfile(path, dtype)})
    head = frame.slice(0, part)

    def select(data, *expressions):
        return data.select(*expressions).collect(engine="streaming").row(0)

    stats = [
        c.sum().alias("a"),
        c.min().alias("b"),
        c.max().alias("c"),
        c.mean().alias("d"),
        c.std(ddof=0).alias("e"),
    ]
    chain = (c * c + 1).log().sin().exp().sqrt().sum()
    return pl.__version__, {
        "abs_sum_file": lambda: pl.Series(np.fromfile(path, dtype)).abs().sum(),
        "abs_sum_file_lazy": lambda: select(
            pl.DataFrame({"x": np.fromfile(path, dtype)}).lazy(), c.abs().sum()
        ),
        "abs_sum": lambda: frame["x"].abs().sum(),
        "abs_sum_lazy": lambda: select(frame.lazy(), c.abs().sum()),
        "stats": lambda: select(frame.lazy(), *stats),
        "chain": lambda: select(head.lazy(), chain),
        "log_mean": lambda: select(head.lazy().filter(c > 0), c.log().mean()),
    }


def duckdb_calculations(threads, path, dtype, part):
    import duckdb
    import numpy as np

    con = duckdb.connect()
    con.execute(f"SET threads TO {threads}")
    array = np.fromfile(path, dtype)
    con.register("loaded", {"x": array})
    con.execute("CREATE TABLE whole AS SELECT x FROM loaded")
    con.register("loaded_part", {"x": array[:part]})
    con.execute("CREATE TABLE part AS SELECT x FROM loaded_part")
    con.unregister("loaded")
    con.unregister("loaded_part")

    def query(text):
        return lambda: con.execute("SELECT " + text).fetchone()

    return duckdb.__version__, {
        "abs_sum": query("sum(abs(x)) FROM whole"),
        "stats": query("sum(x), min(x), max(x), avg(x), stddev_pop(x) FROM whole"),
        "chain": query("sum(sqrt(exp(sin(ln(x * x + 1))))) FROM part"),
        "log_mean": query("avg(ln(x)) FROM part WHERE x > 0"),
    }


LIBRARIES = {
    "numpy": numpy_calculations,
    "numexpr": numexpr_calculations,
    "polars": polars_calculations,
    "duckdb": duckdb_calculations,
}


def say(**record):
    print(json.dumps(record), flush=True)


def main():
    library, threads, path, dtype, part = sys.argv[1:]
    for name in ("NUMEXPR_MAX_THREADS", "NUMEXPR_NUM_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS"):
        os.environ[name] = threads  # read when the library is imported
    try:
        version, table = LIBRARIES[library](int(threads), path, dtype, int(part))
    except ImportError as missing:
        say(missing=str(missing))
        return
    say(version=version)
    for line in sys.stdin:
        start = time.perf_counter()
        values = table[line.strip()]()
        seconds = time.perf_counter() - start
        if not isinstance(values, tuple):
            values = (values,)
        say(seconds=seconds, values=[float(v) for v in values])


main()
