"""Times onepass beside plain loops and other tools; tests/bench/run starts it.  See README."""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from fractions import Fraction

import cases
import datasets
import report
from contenders import Missing, Peer, Setup

HERE = os.path.dirname(os.path.abspath(__file__))
FULL_MIB = 1024  # below this it is a smoke run
TOOL_GROUPS = {
    "f32": ["abs_sum", "stats", "log_mean", "chain"],
    "f64": ["abs_sum", "log_mean", "chain"],
}


def say(text):
    print(text, file=sys.stderr, flush=True)


def options():
    parser = argparse.ArgumentParser(prog="tests/bench/run")
    parser.add_argument("--build", default="build", help="where make put the programs [build]")
    parser.add_argument("--size", type=int, default=FULL_MIB, metavar="MIB", help="of a data set [1024]")
    parser.add_argument("--rounds", type=int, default=9, help="of loops [9]")
    parser.add_argument("--peer-rounds", type=int, default=5, help="of tools [5]")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="[all CPUs]")
    parser.add_argument("--no-peers", action="store_true", help="loops only")
    parser.add_argument("--record", action="store_true", help="write RESULTS.md and README's table")
    return parser.parse_args()


# ---- the machine -----------------------------------------------------------------------------------


def one_run(setup, isa=None):
    """The record of a small run, or None if this CPU does not have the instruction set."""
    environment = {k: v for k, v in os.environ.items() if k != "ONEPASS_CPU"}
    if isa:
        environment["ONEPASS_CPU"] = isa
    command = [setup.onepass, "--json", "-t", "f32", "sum", "-"]
    done = subprocess.run(command, input=bytes(4), env=environment, capture_output=True)
    if done.returncode != 0 and not isa:
        sys.exit(f"bench: {setup.onepass}: {done.stderr.decode()}")
    return json.loads(done.stdout)[0]["run"] if done.returncode == 0 else None


def first_match(path, name):
    with open(path) as file:
        for line in file:
            if line.startswith(name):
                return line.split(":", 1)[1].strip()
    return "unknown"


def compiler(build):
    with open(f"{build}/flags") as file:
        words = file.read().split()
    version = subprocess.run([words[0], "--version"], capture_output=True, text=True).stdout
    return version.split("\n")[0] or words[0]


def describe(arguments, setup, record):
    kib = int(first_match("/proc/meminfo", "MemTotal").split()[0])
    return {
        "date": time.strftime("%Y-%m-%d"),
        "command": " ".join(["tests/bench/run", *sys.argv[1:]]),
        "commit": record.get("commit") or "unknown",
        "version": record["version"],
        "isa": record["isa"],
        "cpu": first_match("/proc/cpuinfo", "model name"),
        "cpus": os.cpu_count(),
        "memory": f"{kib / 2**20:.0f} GiB",
        "kernel": platform.release(),
        "compiler": compiler(arguments.build),
        "threads": arguments.threads,
        "mib": arguments.size,
        "rounds": arguments.rounds,
        "peer_rounds": 0 if arguments.no_peers else arguments.peer_rounds,
        "smoke": "A smoke run, no measurement. " if arguments.size < FULL_MIB else "",
        "versions": setup.versions,
        "missing": setup.missing,
    }


# ---- timing ----------------------------------------------------------------------------------------


def make_data(setup):
    for dataset in datasets.DATASETS.values():
        say(f"# {dataset.name}: data")
        datasets.make(dataset, f"{setup.build}/tests/mkdata", setup.directory, setup.mib)


WARMINGS = 5  # hosts of virtual machines take memory back now and then
MOSTLY = 0.999


def warm(setup, isa, path):
    """Reads the file and sees to it that it is in the page cache."""
    for _ in range(WARMINGS):
        setup.yardstick(isa, "copy", path)
        cached = setup.yardstick(isa, "cached", path)["cached"]
        if cached == 1:
            return
    if cached < MOSTLY:
        sys.exit(f"bench: only {cached:.0%} of {path} stay in the page cache; choose a smaller --size")


def time_group(setup, isa, group, rounds):
    """Runs all contenders, once a round; those that are missing are taken out."""
    for name, contender in list(group.items()):
        try:
            contender.prepare()
        except Missing as why:
            setup.missing[contender.library] = str(why)
            del group[name]
    for path in {contender.path for contender in group.values()}:
        warm(setup, isa, path)
    for _ in range(rounds):
        for contender in group.values():
            contender.run()
    return group


def time_loops(setup, isas, rounds):
    kernels = {}
    for dataset in datasets.DATASETS:
        for isa in isas:
            say(f"# {datasets.DATASETS[dataset].name}: loops ({isa})")
            group = cases.kernel_group(setup, isa, dataset)
            kernels[dataset, isa] = time_group(setup, isa, group, rounds)
    return kernels


def time_tools(setup, isa, rounds):
    tools = {}
    for dataset, names in TOOL_GROUPS.items():
        try:
            for tool in names:
                say(f"# {datasets.DATASETS[dataset].name}: {tool}")
                group = cases.tool_group(setup, isa, dataset, tool)
                tools[dataset, tool] = time_group(setup, isa, group, rounds)
        finally:
            Peer.end_workers()
    return tools


def exact_values(setup, path):
    done = subprocess.run([setup.python, "-B", f"{HERE}/exact.py", path], capture_output=True, text=True)
    if done.returncode != 0:
        setup.missing["exact values"] = done.stderr.strip().split("\n")[-1]
        return None
    return {name: Fraction(*pair) for name, pair in json.loads(done.stdout).items()}


def check_values(groups, exact):
    """A wrong result ends it: fast and wrong is worth nothing."""
    places = {"abs_sum": {"abs_sum": 0}, "stats": {"mean": 3, "std": 4}}
    for name, places_of in places.items():
        for contender in (group[name] for group in groups):
            for what, place in places_of.items():
                if contender.values[place] != float(exact[what]):
                    sys.exit(f"bench: {contender.name}: {what} is {contender.values[place]!r}, "
                             f"not {float(exact[what])!r}")  # fmt: skip


def measure(arguments, setup, own_isa):
    isas = [isa for isa in ("avx2", "avx512") if one_run(setup, isa)] or [own_isa]
    make_data(setup)
    kernels = time_loops(setup, isas, arguments.rounds)
    if arguments.no_peers:
        return kernels, {}, None
    tools = time_tools(setup, own_isa, arguments.peer_rounds)
    say("# exact values")
    exact = exact_values(setup, setup.path("f32"))
    if exact:
        check_values([kernels["f32", isa] for isa in isas], exact)
    return kernels, tools, exact


def main():
    arguments = options()
    setup = Setup(arguments.build, arguments.size, arguments.threads, sys.executable)
    record = one_run(setup)
    start = time.monotonic()
    kernels, tools, exact = measure(arguments, setup, record["isa"])
    text = report.report(describe(arguments, setup, record), kernels, tools, exact)
    print(text, end="")
    say(f"# {time.monotonic() - start:.0f} s")
    if arguments.record:
        if not tools:
            sys.exit("bench: --record wants the other tools too")
        with open(f"{HERE}/RESULTS.md", "w") as file:
            file.write(text)
        subprocess.run([f"{HERE}/readme", "--update"], check=True)


main()
