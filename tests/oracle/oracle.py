"""An independent oracle for onepass: random pipelines on random data, every bit compared.

    oracle.py --onepass PATH --dump-map PATH [--cases N] [--seed S] [--batch B]
              [--jobs N] [--work DIR] [--keep DIR]
    oracle.py --self-test

Prints one `ok` or `not ok` line per group, and the seed; exit status 1 if anything differs.  One seed
gives the same batches again whatever the number of processes; --batch B runs only that one.
"""

import argparse
import multiprocessing
import os
import secrets
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter

import numpy as np

import selftest
from cases import make_batch, plan_batches
from maps import COMPARE, KEEP, LOGIC, ROUNDED, SPECIAL, TESTS
from reduce import NAMES
from runner import Tools, check_batch
from shrink import report
from values import DTYPES

SHOWN = 12  # reproductions printed
ENOUGH = 300  # cases from which every reduction and container must have been met; ten times: everything


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--self-test", action="store_true", help="test only the oracle itself")
    parser.add_argument("--onepass", help="program to test")
    parser.add_argument("--dump-map", help="program that prints mapped values")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=None, help="default: a new one")
    parser.add_argument("--batch", type=int, default=None, help="only this batch of the seed")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--work", default=None, help="folder for temporary files")
    parser.add_argument("--keep", default="oracle-failures", help="folder for reproductions")
    return parser.parse_args()


def run_plan(job):
    """In a worker process: one batch and its outcome."""
    seed, plan, tools = job
    try:
        return plan, check_batch(make_batch(seed, plan), tools)
    except Exception as e:
        raise RuntimeError("--seed %d --batch %d: %r" % (seed, plan.number, e)) from e


class Tally:
    def __init__(self):
        self.cases, self.checked, self.wrong = 0, Counter(), Counter()
        self.worst, self.failed = {}, []

    def add(self, plan, outcome):
        self.cases += outcome.cases
        self.checked.update(outcome.checked)
        for op, error in outcome.worst.items():
            self.worst[op] = max(self.worst.get(op, 0.0), error)
        for difference in outcome.differences:
            self.wrong[difference.group] += 1
        if outcome.differences:
            self.failed.append((plan, outcome.differences[0]))

    def missing(self):
        """Whatever a run of this size should have met and did not."""
        if self.cases < ENOUGH:
            return []
        want = ["reduction_" + n for n in NAMES]
        want += ["container_" + c for c in ("raw", "npy", "stdin", "concat")]
        if self.cases >= 10 * ENOUGH:
            want += ["dtype_" + n for n in DTYPES]
            for table in (KEEP, ROUNDED, TESTS, COMPARE, LOGIC, SPECIAL):
                want += ["op_" + op for op in table]
            want += ["op_min", "op_max", "op_clamp", "op_select"]
            want += ["ulp_" + op for op in SPECIAL]
        return [w for w in want if not self.checked[w]]

    def print_groups(self):
        for group in sorted(set(self.checked) | set(self.wrong)):
            if group.startswith("op_"):
                continue
            what = "%d checked" % self.checked[group]
            if group.startswith("ulp_"):
                what += ", worst %.3f ulp" % self.worst.get(group[4:], 0.0)
            if self.wrong[group]:
                print("not ok oracle_%s: %d differ, %s" % (group, self.wrong[group], what))
            else:
                print("ok oracle_%s: %s" % (group, what))
        missing = self.missing()
        if missing:
            print("not ok oracle_coverage: never met: " + " ".join(missing))
        return not missing and not self.wrong


def run_all(options, tools):
    plans = plan_batches(options.seed, options.cases)
    if options.batch is not None:
        plans = [p for p in plans if p.number == options.batch]
    jobs = [(options.seed, plan, tools) for plan in plans]
    tally = Tally()
    if options.jobs <= 1 or len(jobs) == 1:
        for job in jobs:
            tally.add(*run_plan(job))
        return tally
    with multiprocessing.Pool(options.jobs) as pool:
        for plan, outcome in pool.imap_unordered(run_plan, jobs, chunksize=1):
            tally.add(plan, outcome)
    return tally


def print_failures(tally, options, tools):
    tally.failed.sort(key=lambda f: f[0].number)
    shown = Counter()
    for plan, difference in tally.failed:
        if shown[difference.group] >= 2 or sum(shown.values()) >= SHOWN:
            continue
        shown[difference.group] += 1
        folder = os.path.join(options.keep, "seed%d-batch%d" % (options.seed, plan.number))
        print("# %s: --cases %d --seed %d --batch %d" % (
            difference.group, options.cases, options.seed, plan.number))
        for line in report(make_batch(options.seed, plan), difference, tools, folder):
            print("# " + line)


def main():
    options = arguments()
    np.seterr(all="ignore")  # worker processes inherit it
    if not selftest.run():
        return 1
    if options.self_test:
        return 0
    if options.seed is None:
        options.seed = secrets.randbelow(1 << 32)
    options.keep = os.path.abspath(options.keep)
    start = time.monotonic()
    if options.work:
        os.makedirs(options.work, exist_ok=True)
    work = os.path.abspath(tempfile.mkdtemp(dir=options.work, prefix="oracle-"))
    tools = Tools(os.path.abspath(options.onepass), os.path.abspath(options.dump_map), work)
    try:
        tally = run_all(options, tools)
        good = tally.print_groups()
        print_failures(tally, options, tools)
    except RuntimeError as e:
        traceback.print_exc()
        print("not ok oracle: --cases %d %s" % (options.cases, e))
        good, tally = False, Tally()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print("oracle: %d cases in %.0f s, seed %d" % (tally.cases, time.monotonic() - start, options.seed))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
