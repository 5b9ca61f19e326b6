"""Which contenders are timed beside which, and what must come out.

A group is a list of contenders that are timed in the same rounds, by name; ratios are taken within one
group.  WANTED names them again.
"""

from contenders import PART, Datamash, Loop, Onepass, Peer
from datasets import DATASETS

STATS = "sum,min,max,mean,std"
CHAIN = "x*x+1|log|sin|exp|sqrt|sum"
LOG_MEAN = "where(x>0)|log|mean"


def kernel_group(setup, isa, dataset):
    """onepass's reduction beside reading alone and loops with the same instructions."""
    blend = dataset == "holes"
    loop = ("blend_" if blend else "abs_") + DATASETS[dataset].loop
    group = {
        "copy": Loop(setup, isa, "copy", dataset),
        "loop": Loop(setup, isa, loop, dataset),
        "abs_sum": Onepass(setup, isa, "abs|sum", dataset, ["--skip-nan"] if blend else []),
    }
    if dataset in ("f32", "f64"):
        group["stats_loop"] = Loop(setup, isa, "stats_" + DATASETS[dataset].loop, dataset)
        group["stats"] = Onepass(setup, isa, STATS, dataset)
    if dataset in ("f16", "i16", "f32be"):
        group["f32"] = Onepass(setup, isa, "abs|sum", "f32")
        group["f32"].name = "the same of f32 N(0,1)"
    return group


# name: (pipeline, the fraction of the data is one over this, peers as (name, library, calculation, what it is))
TOOLS = {
    "abs_sum": (
        "abs|sum",
        1,
        [
            ("numpy_file", "numpy", "abs_sum_file", "fromfile, abs, sum"),
            ("numpy_blocks", "numpy", "abs_sum_blocks", "read, abs, sum in blocks of 256 KiB"),
            ("numpy", "numpy", "abs_sum", "in memory"),
            ("numpy_double", "numpy", "abs_sum_double", "in memory, dtype=float64"),
            ("numexpr", "numexpr", "abs_sum", "in memory, sum(abs(x))"),
            ("polars_file", "polars", "abs_sum_file", "fromfile, abs, sum"),
            ("polars_file_lazy", "polars", "abs_sum_file_lazy", "fromfile, lazy and streaming"),
            ("polars", "polars", "abs_sum", "in memory"),
            ("polars_lazy", "polars", "abs_sum_lazy", "in memory, lazy and streaming"),
            ("duckdb", "duckdb", "abs_sum", "in memory"),
        ],
    ),
    "stats": (
        STATS,
        1,
        [
            ("numpy", "numpy", "stats", "in memory"),
            ("polars", "polars", "stats", "in memory, lazy and streaming"),
            ("duckdb", "duckdb", "stats", "in memory"),
        ],
    ),
    "chain": (
        CHAIN,
        PART,
        [
            ("numpy", "numpy", "chain", "in memory"),
            ("numexpr", "numexpr", "chain", "in memory, sum inside"),
            ("numexpr_array", "numexpr", "chain_array", "in memory, array summed by numpy"),
            ("polars", "polars", "chain", "in memory, lazy and streaming"),
            ("duckdb", "duckdb", "chain", "in memory"),
        ],
    ),
    "log_mean": (
        LOG_MEAN,
        PART,
        [
            ("numpy", "numpy", "log_mean", "in memory"),
            ("numexpr", "numexpr", "log_mean", "in memory, sum inside"),
            ("numexpr_array", "numexpr", "log_mean_array", "in memory, array summed by numpy"),
            ("polars", "polars", "log_mean", "in memory, lazy and streaming"),
            ("duckdb", "duckdb", "log_mean", "in memory"),
        ],
    ),
}


def tool_group(setup, isa, dataset, tool):
    """onepass's process beside what other libraries do in theirs."""
    pipeline, fraction, peers = TOOLS[tool]
    group = {"onepass": Onepass(setup, isa, pipeline, dataset, process=True, fraction=fraction)}
    for name, library, calculation, said in peers:
        group[name] = Peer(setup, library, calculation, dataset, said, fraction)
    if tool == "stats":
        group["datamash"] = Datamash(setup, dataset)
    return group


# What the row of a group is compared with in the tables of kernels: its time over the row's.
REFERENCE = {"abs_sum": "loop", "stats": "stats_loop"}


def both(ratio):
    return {"avx2": ratio, "avx512": ratio}


# (what, data set, {instruction set: wanted ratio}, contender, compared with; one of several will do)
KERNELS_WANTED = [
    ("abs|sum / plain loop", "f32", both(0.95), "abs_sum", ["loop"]),
    ("abs|sum / plain loop", "f64", both(0.65), "abs_sum", ["loop"]),
    (STATS + " / plain loop", "f32", {"avx2": 0.55, "avx512": 0.8}, "stats", ["stats_loop"]),
    ("abs|sum / plain loop", "lognormal", both(0.5), "abs_sum", ["loop"]),
    ("--skip-nan abs|sum / blending loop", "holes", both(0.5), "abs_sum", ["loop"]),
    ("abs|sum / plain loop", "random32", both(0.2), "abs_sum", ["loop"]),
    ("abs|sum / plain loop", "random64", both(0.2), "abs_sum", ["loop"]),
    ("abs|sum / f32's element rate or copy only", "f16", both(0.8), "abs_sum", ["f32", "copy"]),
    ("abs|sum / f32's element rate or copy only", "i16", both(0.8), "abs_sum", ["f32", "copy"]),
    ("abs|sum / f32's element rate or copy only", "f32be", both(0.8), "abs_sum", ["f32", "copy"]),
]

NUMEXPR = ["numexpr", "numexpr_array"]
# (data set, tool group, wanted ratio, compared with the fastest of these, what they are)
TOOLS_WANTED = [
    ("f32", "abs_sum", 5, ["numpy_file"], "numpy from file"),
    ("f32", "abs_sum", 3, ["polars_file", "polars_file_lazy"], "polars from file"),
    ("f32", "stats", 8, ["numpy"], "numpy in memory"),
    ("f32", "chain", 3, NUMEXPR, "numexpr in memory"),
    ("f64", "chain", 3, NUMEXPR, "numexpr in memory"),
    ("f32", "log_mean", 5, ["numpy"], "numpy in memory"),
    ("f64", "log_mean", 5, ["numpy"], "numpy in memory"),
    ("f32", "log_mean", 5, NUMEXPR, "numexpr in memory"),
    ("f64", "log_mean", 5, NUMEXPR, "numexpr in memory"),
]
