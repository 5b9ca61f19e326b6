"""From a batch that differs to the smallest run that still does: one input, one pipeline, one
reduction, no options, few elements.  Saves its files and says how to run it.
"""

import copy
import os
import shlex
import time

import numpy as np

from containers import RawLayout
from runner import check_batch, command_of, write_files

BUDGET = 150  # runs
PATIENCE = 20  # seconds


def single(batch, difference):
    """Only the input, pipeline and reduction that differ."""
    out = copy.copy(batch)
    if not batch.concat:
        out.inputs = [batch.inputs[difference.record]]
    if difference.pipeline is not None:
        chosen = batch.pipelines[difference.pipeline]
        if difference.reduction and difference.reduction in chosen.reductions:
            chosen = chosen.rewritten(reductions=[difference.reduction])
        out.pipelines = [chosen]
    return out


def with_changes(batch, **changes):
    out = copy.copy(batch)
    for name, value in changes.items():
        setattr(out, name, value)
    return out


def simpler_options(batch):
    if batch.run_options:
        yield with_changes(batch, run_options=[])
        yield with_changes(batch, run_options=batch.run_options[:2])
        yield with_changes(batch, run_options=batch.run_options[2:])
    if batch.skip_nan:
        yield with_changes(batch, skip_nan=False)
    if batch.concat and len(batch.inputs) > 1:
        for k in range(len(batch.inputs)):
            yield with_changes(batch, inputs=batch.inputs[:k] + batch.inputs[k + 1 :])
    if batch.layout.options():
        inputs = [flat(i, i.stored) for i in batch.inputs]
        yield with_changes(batch, layout=RawLayout(), inputs=inputs)


def simpler_pipelines(batch):
    for p, pipeline in enumerate(batch.pipelines):
        smaller = [pipeline.rewritten(stages=pipeline.stages[:k] + pipeline.stages[k + 1 :])
                   for k in range(len(pipeline.stages))]
        smaller += [pipeline.rewritten(posts=pipeline.posts[:k] + pipeline.posts[k + 1 :])
                    for k in range(len(pipeline.posts))]
        if len(pipeline.reductions) > 1:
            smaller += [pipeline.rewritten(reductions=[r]) for r in pipeline.reductions]
        for s in smaller:
            yield with_changes(batch, pipelines=batch.pipelines[:p] + [s] + batch.pipelines[p + 1 :])


def flat(inp, stored):
    out = copy.copy(inp)
    out.stored, out.shape, out.slack = stored, (stored.size,), 0
    return out


def simpler_data(batch):
    if batch.layout.count is not None or batch.layout.shape is not None:
        return
    for k, inp in enumerate(batch.inputs):
        n = inp.stored.size
        step = n
        while step > 1 and n > 1:
            step = (step + 1) // 2
            for at in range(0, n, step):
                stored = np.delete(inp.stored, np.s_[at : at + step])
                inputs = batch.inputs[:k] + [flat(inp, stored)] + batch.inputs[k + 1 :]
                yield with_changes(batch, inputs=inputs)


def simpler(batch):
    yield from simpler_options(batch)
    yield from simpler_pipelines(batch)
    yield from simpler_data(batch)


def shrink(batch, difference, tools):
    """The smallest batch found that still differs in the same group."""
    tries, start = 0, time.monotonic()

    def spent():
        return tries >= BUDGET or time.monotonic() - start > PATIENCE

    def differs(candidate):
        nonlocal tries
        tries += 1
        return any(d.group == difference.group for d in check_batch(candidate, tools).differences)

    best = single(batch, difference)
    if not differs(best):
        return batch
    found = True
    while found and not spent():
        found = False
        for candidate in simpler(best):
            if spent():
                break
            if differs(candidate):
                best, found = candidate, True
                break
    return best


def report(batch, difference, tools, folder):
    """Saves the reproduction under `folder` and returns its description, several lines."""
    small = shrink(batch, difference, tools)
    outcome = check_batch(small, tools)
    os.makedirs(folder, exist_ok=True)
    standard_input = write_files(small, folder)
    command = shlex.join(command_of(small, tools))
    if standard_input is not None:
        with open(os.path.join(folder, "standard_input"), "wb") as f:
            f.write(standard_input)
        command += " <standard_input"
    lines = ["cd %s && %s" % (shlex.quote(folder), command)]
    lines += ["    " + d.text for d in outcome.differences[:8]]
    for inp in small.inputs:
        order = "big" if inp.big else "little"
        lines.append("    %s: %s %s-endian, %d elements of %s" % (
            inp.name, inp.dtype.name, order, inp.stored.size, inp.distribution))
        if 0 < inp.stored.size <= 6:
            lines.append("        " + ", ".join(element_texts(inp.values())))
    return lines


def element_texts(values):
    return map(str, values.python_ints()) if values.is_int else [v.hex() for v in values.f.tolist()]
