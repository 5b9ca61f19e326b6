"""The tables, as text that is also Markdown."""

import math
import statistics
import textwrap
from fractions import Fraction

from cases import KERNELS_WANTED, REFERENCE, STATS, TOOLS, TOOLS_WANTED
from datasets import DATASETS

README_BEGIN, README_END = "<!-- BEGIN README -->", "<!-- END README -->"


def table(header, rows):
    """A Markdown table with aligned columns; numbers to the right."""
    cells = [[str(c).replace("|", "\\|") for c in row] for row in [header, *rows]]
    widths = [max(3, *(len(row[k]) for row in cells)) for k in range(len(header))]
    right = [
        len(rows) > 0 and all(row[k] in ("", "-", "exact") or row[k][0] in "+-.0123456789" for row in cells[1:])
        for k in range(len(header))
    ]

    def line(row):
        padded = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right)]
        return "| " + " | ".join(padded) + " |"

    rule = "|" + "|".join("-" * (w + 1) + (":" if r else "-") for w, r in zip(widths, right)) + "|"
    return "\n".join([line(cells[0]), rule, *map(line, cells[1:])]) + "\n"


def number(x, digits=3):
    """x with so many significant digits, without an exponent."""
    places = max(0, digits - 1 - math.floor(math.log10(abs(x)))) if x else 0
    return f"{x:.{places}f}"


def ratios(reference, own, by_elements=False):
    """(of the best times, the median of those of each round): above 1, own is faster."""
    scale = own.nelems / reference.nelems if by_elements else 1
    rounds = [r / o * scale for r, o in zip(reference.times, own.times)]
    return reference.best / own.best * scale, statistics.median(rounds)


def fastest(group, names):
    there = [group[name] for name in names if name in group]
    return min(there, key=lambda c: c.best) if there else None


# ---- tables ----------------------------------------------------------------------------------------


def kernel_rows(groups):
    for (dataset, isa), group in groups.items():
        for name, c in group.items():
            ratio = ["-", "-"]
            if name in REFERENCE:
                ratio = [number(r) for r in ratios(group[REFERENCE[name]], c)]
            row = [DATASETS[dataset].name, c.name, number(c.best), number(c.median)]
            yield row + [number(c.gigabytes), *ratio, c.remark]


def kernel_table(groups):
    head = ["data", "what", "best s", "median s", "GB/s", "ratio", "median ratio", ""]
    return table(head, list(kernel_rows(groups)))


def tool_rows(groups):
    for (dataset, tool), group in groups.items():
        own = group["onepass"]
        for c in group.values():
            ratio = ["-", "-"] if c is own else [number(r) for r in ratios(c, own)]
            row = [DATASETS[dataset].name, TOOLS[tool][0], c.name if c is not own else "onepass"]
            yield row + [c.whole, number(c.best), number(c.median), *ratio, c.remark]


def tool_table(groups):
    head = ["data", "calculation", "who", "time of", "best s", "median s", "ratio", "median ratio", ""]
    return table(head, list(tool_rows(groups)))


def wanted_row(what, wanted, pair):
    if pair is None:
        return [*what, wanted, "-", "-", "skipped"]
    best, median = pair
    return [*what, wanted, number(best), number(median), "ok" if best >= wanted else "below"]


def wanted_rows(kernels, tools):
    for what, dataset, wanted, name, references in KERNELS_WANTED:
        for (ran, isa), group in kernels.items():
            if ran != dataset or isa not in wanted:
                continue
            pairs = [ratios(group[r], group[name], r == "f32") for r in references]
            yield wanted_row([DATASETS[dataset].name, f"{what} ({isa})"], wanted[isa], max(pairs))
    for dataset, tool, wanted, names, said in TOOLS_WANTED:
        if (dataset, tool) not in tools:
            continue
        group = tools[dataset, tool]
        peer = fastest(group, names)
        pair = ratios(peer, group["onepass"]) if peer else None
        yield wanted_row([DATASETS[dataset].name, f"{TOOLS[tool][0]}, {said}"], wanted, pair)


def wanted_table(kernels, tools):
    head = ["data", "what", "wanted", "measured", "median", "verdict"]
    return table(head, list(wanted_rows(kernels, tools)))


# ---- values ----------------------------------------------------------------------------------------


def in_ulp(value, exact):
    """The difference from a Fraction in units of the last place that binary64 has there."""
    difference = (Fraction(value) - exact) / Fraction(math.ulp(float(exact)))
    return f"{float(difference):+.3g}" if abs(difference) >= 1 else f"{float(difference):+.2f}"


def relative(value, exact):
    share = float((Fraction(value) - exact) / abs(exact))
    return f"{share:+.0%}" if abs(share) >= 0.01 else f"{share:+.1e}"


def value_row(what, who, value, exact):
    text = repr(value).removesuffix(".0")
    return [what, who, text, relative(value, exact), in_ulp(value, exact)]


def value_rows(kernels, tools, exact):
    loops = next(group for (dataset, _), group in kernels.items() if dataset == "f32")
    sums = tools.get(("f32", "abs_sum"), {}).values()
    for c in [loops["abs_sum"], loops["loop"], *(c for c in sums if c.whole == "reduction")]:
        yield value_row("sum of |x|", c.name, c.values[0], exact["abs_sum"])
    stats = tools.get(("f32", "stats"), {}).values()
    for place, what in ((3, "mean"), (4, "std")):
        for c in [loops["stats"], loops["stats_loop"], *(c for c in stats if c.whole == "reduction")]:
            yield value_row(what, c.name, c.values[place], exact[what])


def value_table(kernels, tools, exact):
    head = ["what", "who", "value", "relative", "ulp"]
    return table(head, list(value_rows(kernels, tools, exact)))


# ---- the part for README ---------------------------------------------------------------------------

README_PEERS = {
    "numpy": ["numpy"],
    "numexpr": ["numexpr", "numexpr_array"],
    "polars": ["polars", "polars_lazy"],
    "DuckDB": ["duckdb"],
}
README_LOOPS = {"abs_sum": "loop", "stats": "stats_loop"}


def size(nbytes):
    for shift, unit in ((30, "GiB"), (20, "MiB")):
        if nbytes % (1 << shift) == 0:
            return f"{nbytes >> shift} {unit}"
    return f"{nbytes >> 10} KiB"


def readme_columns(dataset, tool, kernels, tools):
    """onepass, the loop and the fastest form of each library; None where there is none."""
    group = tools[dataset, tool]
    loops = kernels[dataset, group["onepass"].isa]
    peers = [fastest(group, names) for names in README_PEERS.values()]
    return [group["onepass"], loops.get(README_LOOPS.get(tool)), *peers]


def readme_rows(kernels, tools, exact):
    for dataset, tool in tools:
        columns = readme_columns(dataset, tool, kernels, tools)
        said = f"`{TOOLS[tool][0]}`, {DATASETS[dataset].name}, {size(columns[0].nbytes)}"
        yield [said, *(number(c.best) if c else "-" for c in columns)]
    if exact:
        columns = readme_columns("f32", "abs_sum", kernels, tools)
        shares = [relative(c.values[0], exact["abs_sum"]) if c else "-" for c in columns]
        yield ["relative error of the first", "exact", *shares[1:]]


def readme_part(run, kernels, tools, exact):
    said = f"""\
Seconds, the best of {run["peer_rounds"]} rounds; {run["date"]}, commit {run["commit"]}, {run["cpu"]},
{run["isa"]}, {run["threads"]} threads, files in the page cache. *onepass* is the whole process, which reads the
file; *C loop* reads it with as many threads and adds in plain binary64, without the start of a process. The
others have the data in memory already and have started; the fastest of their forms counts, in the precision of
the data's type. How it was measured, and everything else: [RESULTS.md](tests/bench/RESULTS.md)."""
    text = textwrap.fill(run["smoke"] + said, 110) + "\n\n"
    return text + table(["", "onepass", "C loop", *README_PEERS], list(readme_rows(kernels, tools, exact)))


# ---- all -------------------------------------------------------------------------------------------


def report(run, kernels, tools, exact):
    parts = [f"# Measured: onepass beside plain loops and other tools\n\n{heading(run)}"]
    parts.append("## Wanted and measured\n\n" + wanted_table(kernels, tools))
    if tools:
        summary = readme_part(run, kernels, tools, exact)
        parts.append(f"## In short\n\n{README_BEGIN}\n{summary}{README_END}\n")
    parts.append("## Against plain loops\n\n" + KERNELS_SAID + kernel_table(kernels))
    if tools:
        parts.append("## Against other tools\n\n" + TOOLS_SAID + tool_table(tools))
    if exact:
        parts.append("## Values\n\n" + VALUES_SAID + value_table(kernels, tools, exact))
    return "\n".join(parts)


def heading(run):
    versions = ", ".join(f"{name} {version}" for name, version in run["versions"].items())
    lines = [
        f"**A smoke run on {run['mib']} MiB: no measurement.**" if run["smoke"] else "",
        f"- {run['date']}, `{run['command']}`, commit {run['commit']}",
        f"- {run['cpu']}, {run['cpus']} CPUs, {run['memory']} of memory, Linux {run['kernel']}",
        f"- onepass {run['version']}, {run['isa']} by itself, {run['threads']} threads; "
        f"compiler: {run['compiler']}",
        f"- {size(run['mib'] << 20)} a data set, in the page cache; {run['rounds']} rounds of loops"
        + (f", {run['peer_rounds']} of tools" if run["peer_rounds"] else ""),
        f"- beside it: {versions}" if versions else "",
        *(f"- skipped: {name}: {why}" for name, why in run["missing"].items()),
    ]
    return "\n".join(line for line in lines if line) + "\n\n" + METHOD


METHOD = """\
Contenders of a table run in turn, once a round. `ratio` is of the best times, `median ratio` the median of the
ratios of each round; above 1 onepass is the faster. The README beside this file says what is measured.
"""

KERNELS_SAID = """\
Times of the reduction with reading, without the start of the process. The ratio is to the plain loop for the
same statistics with the same instructions and threads.

"""

TOOLS_SAID = """\
onepass: the whole process from start to end, reading the file. Libraries: the calculation alone, without the
start of Python. The ratio is their time over onepass's.

"""

VALUES_SAID = f"""\
f32 N(0,1), `abs|sum` and `{STATS}`. `relative` and `ulp`, which is in units of the last place of
binary64, are the difference from the exact result, which exact.py finds with integers alone.

"""
