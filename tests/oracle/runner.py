"""Running one batch: write its files, run the tested program, compare the records, judge mapped values.

check_batch() returns an Outcome: what was checked, per group, and every Difference.
"""

import json
import os
import subprocess
from collections import Counter

import numpy as np

import ulps
from expect import Subject, compare_header, compare_pipeline, run_stages
from maps import evaluate
from values import Floats

TIMEOUT = 300  # seconds; a run that takes longer hangs
DUMP_RECORD = np.dtype([("value", "<f8"), ("passed", "u1")])


class Tools:
    """Paths of the tested programs and of the folder to work in."""

    def __init__(self, onepass, dump_map, work):
        self.onepass, self.dump_map, self.work = onepass, dump_map, work


class Difference:
    def __init__(self, group, text, record=0, pipeline=None, reduction=None):
        self.group, self.text = group, text
        self.record, self.pipeline, self.reduction = record, pipeline, reduction


class DumpFailed(Exception):
    pass


class Outcome:
    def __init__(self):
        self.cases = 0
        self.checked = Counter()  # by group
        self.differences = []
        self.worst = {}  # op: largest error in units in the last place

    def differ(self, *args, **kwargs):
        self.differences.append(Difference(*args, **kwargs))


def command_of(batch, tools):
    words = [tools.onepass, "--json", "--stable"] + batch.options()
    texts = [p.text for p in batch.pipelines]
    if batch.by_option:
        for text in texts:
            words += ["-e", text]
        words.append("--")
    else:
        words += ["--", "; ".join(texts)]
    return words + [i.name for i in batch.inputs]


def write_files(batch, folder):
    """Bytes for standard input, or None."""
    standard_input = None
    for inp in batch.inputs:
        content = inp.file_bytes(batch.layout)
        if inp.name == "-":
            standard_input = content
        else:
            with open(os.path.join(folder, inp.name), "wb") as f:
                f.write(content)
    return standard_input


def run_program(words, folder, standard_input=None):
    """(exit status or a word, stdout, stderr)"""
    source = {"input": standard_input} if standard_input is not None else {"stdin": subprocess.DEVNULL}
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, timeout=TIMEOUT, **source)
    except subprocess.TimeoutExpired:
        return "timeout", b"", b""
    return done.returncode, done.stdout, done.stderr


def keep_text(text):
    return text


def read_records(output):
    """JSON with numbers kept as their text."""
    return json.loads(output, parse_int=keep_text, parse_float=keep_text, parse_constant=_no_constant)


def _no_constant(name):
    raise ValueError("JSON has no " + name)


# ---- mapped values of the stages that IEEE does not fix


def special_stages(pipeline):
    return [k for k, stage in enumerate(pipeline.stages) if stage.is_special()]


def dump_special(batch, inp, tools, folder):
    """{(pipeline, stage): (values, passed)} of an input, by dump_map."""
    wanted = [(p, k) for p in range(len(batch.pipelines)) for k in special_stages(batch.pipelines[p])]
    if not wanted:
        return {}
    path = os.path.join(folder, "elements")
    plain = inp.stored.astype(inp.stored.dtype.newbyteorder("<"))
    with open(path, "wb") as f:
        f.write(plain.tobytes())
    prefixes = [batch.pipelines[p].rewritten(batch.pipelines[p].stages[: k + 1], ["last"], []).text
                for p, k in wanted]
    words = [tools.dump_map, inp.dtype.name, path, "; ".join(prefixes)]
    status, output, errors = run_program(words, folder)
    if status != 0:
        raise DumpFailed("%s: %s" % (status, errors.decode(errors="replace").strip()))
    table = np.frombuffer(output, DUMP_RECORD).reshape(len(wanted), -1) if output else None
    out = {}
    for row, key in enumerate(wanted):
        values = table[row]["value"] if table is not None else np.zeros(0)
        passed = table[row]["passed"] != 0 if table is not None else np.zeros(0, bool)
        out[key] = values.astype(np.float64), passed
    return out


def judge_stage(subject, pipeline, k, dumped, passed, rng, outcome):
    """Holds some mapped values of special stage k against the truth."""
    stage = pipeline.stages[k]
    x, mask, _ = run_stages(subject, pipeline.stages[:k], dumped)
    if not np.array_equal(mask, passed):
        return ["the mask that reaches stage %d differs" % (k + 1)]
    args = [evaluate(a, x).to_f64() for a in stage.tree.args]
    args = [np.broadcast_to(a, (subject.n,)) for a in args]
    out = []
    for i in ulps.choose(rng, np.flatnonzero(mask), args):
        values, got = [float(a[i]) for a in args], float(dumped[k].f[i])
        error = ulps.error(stage.tree.op, values, got)
        outcome.checked["ulp_" + stage.tree.op] += 1
        outcome.worst[stage.tree.op] = max(outcome.worst.get(stage.tree.op, 0.0), error)
        if not error <= ulps.BOUND:
            out.append("%s(%s) = %s is %.4g ulp off" % (
                stage.tree.op, ", ".join(v.hex() for v in values), got.hex(), error))
    return out


def mapped_values(batch, record, subject, inp, tools, folder, outcome):
    """{pipeline: {stage: Floats}}, judged on the way."""
    out = {p: {} for p in range(len(batch.pipelines))}
    if batch.concat:
        return out
    rng = np.random.default_rng([batch.seed, batch.number, record])
    for (p, k), (values, passed) in dump_special(batch, inp, tools, folder).items():
        out[p][k] = Floats(values)
        for text in judge_stage(subject, batch.pipelines[p], k, out[p], passed, rng, outcome):
            outcome.differ("ulp_" + batch.pipelines[p].stages[k].tree.op, text, record, p)
    return out


# ---- a batch


def check_record(batch, record, got, tools, folder, outcome):
    inputs = batch.inputs if batch.concat else [batch.inputs[record]]
    subject = Subject(batch, inputs)
    group = "container_concat" if batch.concat else "container_" + (
        "stdin" if inputs[0].name == "-" else inputs[0].container)
    for text in compare_header(subject, got):
        outcome.differ(group, text, record)
    if len(got.get("pipelines", [])) != len(batch.pipelines):
        outcome.differ(group, "pipelines are missing", record)
        return
    try:
        mapped = mapped_values(batch, record, subject, inputs[0], tools, folder, outcome)
    except DumpFailed as e:
        outcome.differ("dump_map", str(e), record)
        return
    for p, pipeline in enumerate(batch.pipelines):
        differences, names = compare_pipeline(subject, pipeline, got["pipelines"][p], mapped[p])
        outcome.cases += 1
        outcome.checked[group] += 1
        outcome.checked["dtype_" + subject.dtype] += 1
        outcome.checked.update("reduction_" + name for name in names)
        for stage in pipeline.stages + pipeline.posts:
            outcome.checked.update("op_" + op for op in stage.tree.ops())
        for name, text in differences:
            outcome.differ("reduction_" + name if name else group, text, record, p, name)


def check_batch(batch, tools):
    outcome = Outcome()
    folder = os.path.join(tools.work, "batch%d" % batch.number)
    os.makedirs(folder, exist_ok=True)
    standard_input = write_files(batch, folder)
    status, output, errors = run_program(command_of(batch, tools), folder, standard_input)
    compare_output(batch, status, output, errors, tools, folder, outcome)
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    os.rmdir(folder)
    return outcome


def compare_output(batch, status, output, errors, tools, folder, outcome):
    if status != 0:
        said = errors.decode(errors="replace").strip()
        outcome.differ("exit_status", "expected 0, got %s: %s" % (status, said))
        return
    try:
        records = read_records(output)
    except ValueError as e:
        outcome.differ("json", "does not parse: %s" % e)
        return
    if len(records) != batch.records():
        outcome.differ("json", "expected %d records, got %d" % (batch.records(), len(records)))
        return
    for record, got in enumerate(records):
        check_record(batch, record, got, tools, folder, outcome)
