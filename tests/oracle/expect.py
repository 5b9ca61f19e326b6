"""What the record of one input must say: books, results, types, indices, coordinates.

reduce_pipeline() evaluates a pipeline's stages over a Subject's values and reduces them; for stages
that IEEE does not fix it takes the mapped values in `dumped`.  The compare functions hold a parsed JSON
record against that and return the differences as texts.
"""

import math

import numpy as np

from maps import evaluate, stays_own
from reduce import Answer, Reduced
from texts import float_hex, float_text
from values import Floats, concatenate


class Subject:
    """One record's array: the values of an input, or of several joined."""

    def __init__(self, batch, inputs):
        self.batch, self.inputs = batch, inputs
        self.values = concatenate([i.values() for i in inputs])
        self.n = sum(i.stored.size for i in inputs)
        names = {i.dtype.name for i in inputs}
        self.dtype = names.pop() if len(names) == 1 else "mixed"
        self.own_type = "f64" if self.dtype == "mixed" else inputs[0].dtype.text_type()

    def stored_type(self):
        """The dtype of the record: f32be of big-endian elements; of several inputs, if all are."""
        big = all(i.big and i.dtype.size > 1 for i in self.inputs)
        return self.dtype + ("be" if big and self.dtype != "mixed" else "")

    def whereabouts(self, index):
        """(input, its own index) of an index over all inputs."""
        for inp in self.inputs:
            if index < inp.stored.size:
                return inp, index
            index -= inp.stored.size
        raise IndexError(index)


def run_stages(subject, stages, dumped):
    """(values, mask, own) after the stages; dumped: mapped values by stage number."""
    x, mask, own = subject.values, np.ones(subject.n, bool), True
    for k, stage in enumerate(stages):
        if stage.is_special():
            x, own = dumped[k], False
            continue
        result = evaluate(stage.tree, x).spread(subject.n)
        if stage.is_where:
            mask = mask & result.truth()
        else:
            x, own = result, stays_own(stage.tree, own)
    return x, mask, own


def after_posts(answer, posts):
    """A post sees the result as binary64, and gives binary64."""
    for post in posts:
        answer = Answer(float(evaluate(post.tree, Floats(np.asarray(answer.as_f64()))).to_f64()))
    return answer


def reduce_pipeline(subject, pipeline, dumped):
    """(Reduced, dropped) of a pipeline."""
    x, mask, own = run_stages(subject, pipeline.stages, dumped)
    index = np.flatnonzero(mask)
    own_type = "integer" if x.is_int else subject.own_type if own else "f64"
    return Reduced(x.take(mask), index, own_type, subject.batch.skip_nan), subject.n - index.size


def text_of(answer):
    if isinstance(answer.value, int):
        return str(answer.value)
    return float_text(answer.value, answer.type if answer.type != "integer" else "f64")


def hex_of(answer):
    return str(answer.value) if isinstance(answer.value, int) else float_hex(answer.value)


# ---- comparison


def same_number(text, answer):
    """JSON's `value` (its text, or None) against the answer."""
    value = answer.value
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        return text is None
    if text is None:
        return False
    if isinstance(value, int):
        return text.lstrip("-").isdigit() and int(text) == value
    return text == text_of(answer)


def compare_answer(got, answer, has_posts):
    """Differences of one result from one allowed answer."""
    out = []
    for key, want in (("text", text_of(answer)), ("hex", hex_of(answer))):
        if got.get(key, "absent") != want:
            out.append("%s: expected %s, got %s" % (key, want, got.get(key, "absent")))
    if not same_number(got.get("value"), answer):
        out.append("value: expected %s, got %s" % (text_of(answer), got.get("value")))
    if text_of(answer) != "nan" and got.get("type") != answer.type:
        out.append("type: expected %s, got %s" % (answer.type, got.get("type")))
    index = None if has_posts else answer.index
    if got.get("index") != (None if index is None else str(index)):
        out.append("index: expected %s, got %s" % (index, got.get("index")))
    return out


def expected_place(subject, index):
    """What an arg result says beside its index."""
    inp, own = subject.whereabouts(index)
    coords = inp.coords(own, subject.batch.layout)
    if not subject.batch.concat:
        return {"coords": coords}
    return {"file": inp.name, "file_index": own, "file_coords": coords}


def plain(value):
    """JSON numbers (kept as text by the reader) as integers, for places and shapes."""
    if isinstance(value, str) and value.lstrip("-").isdigit():
        return int(value)
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value


def compare_result(subject, got, answers, has_posts):
    """Differences of one result from the nearest of the allowed answers."""
    tries = [compare_answer(got, answer, has_posts) for answer in answers]
    out = min(tries, key=len)
    index = answers[0].index
    place = {} if index is None or has_posts else expected_place(subject, index)
    for key in ("coords", "file", "file_index", "file_coords"):
        if plain(got.get(key)) != place.get(key):
            out.append("%s: expected %s, got %s" % (key, place.get(key), plain(got.get(key))))
    return out


def compare_books(got, reduced, dropped):
    want = {"used": reduced.n, "dropped": dropped, "skipped": reduced.skipped, "nan": reduced.nan,
            "posinf": reduced.posinf, "neginf": reduced.neginf}
    return ["%s: expected %d, got %s" % (key, value, got.get(key))
            for key, value in want.items() if got.get(key) != str(value)]


def compare_pipeline(subject, pipeline, got, dumped):
    """(differences as (reduction or None, text), names of the results compared)"""
    reduced, dropped = reduce_pipeline(subject, pipeline, dumped)
    out = [(None, text) for text in compare_books(got, reduced, dropped)]
    names = pipeline.flat_reductions()
    results = got.get("results", [])
    got_names = [r.get("name") for r in results]
    if got_names != names:
        return out + [(None, "results: expected %s, got %s" % (names, got_names))], []
    for name, result in zip(names, results):
        answers = [after_posts(a, pipeline.posts) for a in reduced.result(name)]
        for text in compare_result(subject, result, answers, bool(pipeline.posts)):
            out.append((name, name + ": " + text))
    return out, names


def compare_header(subject, got):
    shape = list(subject.inputs[0].shape) if not subject.batch.concat else [subject.n]
    want = {"type": "result", "dtype": subject.stored_type(), "shape": shape}
    want.update(n=subject.n, missing=0)
    if subject.batch.concat:
        want["files"] = [i.name for i in subject.inputs]
    else:
        want["file"] = subject.inputs[0].name
    return ["%s: expected %s, got %s" % (key, value, got.get(key, "absent"))
            for key, value in want.items() if plain(got.get(key, "absent")) != value]
