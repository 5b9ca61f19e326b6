"""What is timed: onepass, the yardstick's loops, calculations of other libraries, datamash.

A contender's run() does its work once and appends to times, and sets values.  Times are seconds: of the
reduction alone, with reading, for loops, libraries and onepass as `kernel`; of the whole process for
datamash and onepass as `process`.
"""

import json
import os
import shutil
import statistics
import subprocess
import time

from datasets import DATASETS


class Missing(Exception):
    """A contender that this machine does not have; the reason is its text."""


class Setup:
    """Where things lie and how much of them is used."""

    def __init__(self, build, mib, threads, python):
        self.build, self.mib, self.threads, self.python = build, mib, threads, python
        self.onepass = f"{build}/onepass"
        self.directory = f"{build}/bench/data"
        self.missing = {}  # contenders that could not be had, and why
        self.versions = {}

    def path(self, dataset):
        return DATASETS[dataset].path(self.directory, self.mib)

    def yardstick(self, isa, loop, path):
        """The record that the yardstick of an instruction set prints."""
        tool = f"{self.build}/bench/yardstick.{isa}"
        record = json.loads(subprocess.check_output([tool, loop, str(self.threads), path]))
        return {name: float(value) for name, value in record.items()}


class Contender:
    whole = "reduction"  # what the time is of

    def __init__(self, setup, name, dataset, fraction=1):
        self.setup, self.name, self.dataset = setup, name, dataset
        self.path = setup.path(dataset)
        self.nbytes = (setup.mib << 20) // fraction
        self.nelems = DATASETS[dataset].nelems(self.nbytes)
        self.times, self.values, self.remark = [], [], ""

    def prepare(self):
        """What is done before the first round, untimed; may raise Missing."""

    @property
    def best(self):
        return min(self.times)

    @property
    def median(self):
        return statistics.median(self.times)

    @property
    def gigabytes(self):
        return self.nbytes / 1e9 / self.best


class Loop(Contender):
    def __init__(self, setup, isa, loop, dataset):
        kind = loop.split("_")[0]
        said = {
            "copy": "copy only",
            "abs": "plain loop: sum of |x|",
            "blend": "plain loop: sum of |x|, NaN as 0",
            "stats": "plain loop: sum, sumsq, min, max",
        }
        super().__init__(setup, f"{said[kind]} ({isa})", dataset)
        self.isa, self.loop = isa, loop

    def run(self):
        record = self.setup.yardstick(self.isa, self.loop, self.path)
        self.times.append(record["seconds"])
        self.values = [record["sum"]]
        if "min" in record:
            mean = record["sum"] / self.nelems
            self.values = [record["sum"], record["min"], record["max"], mean]
            self.values.append((record["sumsq"] / self.nelems - mean * mean) ** 0.5)


class Onepass(Contender):
    """pipeline over the data set, with ONEPASS_CPU=isa."""

    def __init__(self, setup, isa, pipeline, dataset, options=(), process=False, fraction=1):
        text = " ".join(["onepass", *options, f"'{pipeline}'"])
        super().__init__(setup, f"{text} ({isa})", dataset, fraction)
        self.isa, self.process = isa, process
        self.whole = "process" if process else "reduction"
        self.command = [setup.onepass, "--json", "-j", str(setup.threads), *options]
        if fraction > 1:
            self.command += ["--count", str(self.nelems)]
        self.command += [pipeline, self.path]
        self.environment = dict(os.environ, ONEPASS_CPU=isa)

    def run(self):
        start = time.perf_counter()
        done = subprocess.run(self.command, env=self.environment, capture_output=True, check=True)
        wall = time.perf_counter() - start
        record = json.loads(done.stdout)[0]
        run = record["run"]
        self.times.append(wall if self.process else run["seconds"])
        self.values = [float(r["text"]) for r in record["pipelines"][0]["results"]]
        if any(run.get("levels", [])):
            self.remark = "blocks by level " + " ".join(map(str, run["levels"]))


class Peer(Contender):
    """A calculation of a library (peers.py), in a process that several contenders share."""

    workers = {}

    def __init__(self, setup, library, calculation, dataset, said, fraction=1):
        super().__init__(setup, f"{library}, {said}", dataset, fraction)
        self.library, self.calculation = library, calculation

    def worker(self):
        key = self.library, self.dataset
        if key not in self.workers:
            part = DATASETS[self.dataset].nelems((self.setup.mib << 20) // PART)
            dtype = {"f32": "float32", "f64": "float64"}[DATASETS[self.dataset].dtype]
            here = os.path.dirname(os.path.abspath(__file__))
            command = [self.setup.python, "-B", f"{here}/peers.py", self.library, str(self.setup.threads)]
            self.workers[key] = subprocess.Popen(
                command + [self.path, dtype, str(part)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
            ready = self.answer()
            if "missing" in ready:
                self.workers.pop(key).communicate()
                raise Missing(ready["missing"])
            self.setup.versions[self.library] = ready["version"]
        return self.workers[key]

    def answer(self):
        line = self.workers[self.library, self.dataset].stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name}: the process ended")
        return json.loads(line)

    def prepare(self):
        if self.library in self.setup.missing:
            raise Missing(self.setup.missing[self.library])
        self.worker()

    def run(self):
        worker = self.worker()
        worker.stdin.write(self.calculation + "\n")
        worker.stdin.flush()
        record = self.answer()
        self.times.append(record["seconds"])
        self.values = record["values"]

    @classmethod
    def end_workers(cls):
        while cls.workers:
            cls.workers.popitem()[1].communicate()


class Datamash(Contender):
    """The statistics of a column of text, made beforehand from the first elements; the time is scaled to
    all of them."""

    library, whole = "datamash", "process, scaled"
    NELEMS = 1 << 20
    OPERATIONS = ["sum", "min", "max", "mean", "pstdev"]

    def __init__(self, setup, dataset):
        super().__init__(setup, f"datamash {' 1 '.join(self.OPERATIONS)} 1", dataset)
        self.used = min(self.NELEMS, self.nelems)
        self.text = f"{self.path}.text"
        self.remark = f"measured on the text of {self.used} elements, scaled"

    def prepare(self):
        if not shutil.which("datamash"):
            raise Missing("there is no datamash (a Debian package)")
        size = DATASETS[self.dataset].element_bytes
        command = ["od", "-An", "-v", f"-w{size}", f"-tf{size}", "-N", str(self.used * size), self.path]
        written = subprocess.check_output(command).replace(b" ", b"")
        with open(self.text, "wb") as file:
            file.write(written)
        version = subprocess.check_output(["datamash", "--version"], text=True)
        self.setup.versions["datamash"] = version.split("\n")[0].split()[-1]

    def run(self):
        command = ["datamash", *(word for name in self.OPERATIONS for word in (name, "1"))]
        with open(self.text, "rb") as file:
            start = time.perf_counter()
            subprocess.run(command, stdin=file, stdout=subprocess.PIPE, check=True, env={"LC_ALL": "C"})
            seconds = time.perf_counter() - start
        self.times.append(seconds * self.nelems / self.used)


PART = 4  # calculations with heavy maps take the first 1/PART of the data
