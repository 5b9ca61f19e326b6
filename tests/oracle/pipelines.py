"""Random pipelines as trees, and their text.

The trees are what the oracle evaluates; the text, with as few brackets as the precedence allows or with
more, in operator, function or implied-x form, is what the tested program parses.  No parser is shared.
"""

import math
from fractions import Fraction

from maps import KEEP, LOGIC, ROUNDED, SPECIAL, TESTS, X, Node
from reduce import NAMES, STATS

INFIX = {  # op: (text, precedence, least precedence of the left and of the right operand)
    "mul": ("*", 7, 7, 8), "div": ("/", 7, 7, 8), "add": ("+", 6, 6, 7), "sub": ("-", 6, 6, 7),
    "lt": ("<", 5, 6, 6), "le": ("<=", 5, 6, 6), "gt": (">", 5, 6, 6), "ge": (">=", 5, 6, 6),
    "eq": ("==", 4, 6, 6), "ne": ("!=", 4, 6, 6), "and": ("&&", 3, 3, 4), "or": ("||", 2, 2, 3),
}
PREFIX = {"neg": "-", "plus": "+", "not": "!"}
CALLS = {"add", "sub", "mul", "div", "neg"}  # operators that are functions, too
ONE = [op for op in KEEP if op != "plus"] + ["square", "sqrt", "recip", "isnan", "isinf", "isfinite"]
TWO = ["add", "sub", "mul", "div", "fmod", "mod", "min", "max", "min", "max"]
COMPARISONS = ["lt", "le", "gt", "ge", "eq", "ne"]


class Stage:
    """A map (tree), or where(tree) that drops elements."""

    def __init__(self, tree, is_where, text):
        self.tree, self.is_where, self.text = tree, is_where, text

    def is_special(self):
        return not self.is_where and self.tree.op in SPECIAL


class Pipeline:
    def __init__(self, stages, reductions, posts, text):
        self.stages, self.reductions, self.posts, self.text = stages, reductions, posts, text

    def flat_reductions(self):
        return [m for r in self.reductions for m in (STATS if r == "stats" else [r])]

    def rewritten(self, stages=None, reductions=None, posts=None):
        """The same with parts replaced, for shrinking and for dumps of mapped values."""
        stages = self.stages if stages is None else stages
        reductions = self.reductions if reductions is None else reductions
        posts = self.posts if posts is None else posts
        parts = [s.text for s in stages] + [", ".join(reductions)] + [p.text for p in posts]
        return Pipeline(stages, reductions, posts, " | ".join(parts))


# ---- literals


def literal(text):
    """A nonnegative literal: an exact integer if its value is one below 2^64, however spelt."""
    if text in NAMED:
        return Node("num", value=NAMED[text], text=text)
    exact = Fraction(float.fromhex(text) if "0x" in text else text)
    whole = exact.denominator == 1 and exact < 1 << 64
    return Node("num", value=int(exact) if whole else float(exact), text=text)


def float_literal(rng, value):
    return literal(abs(value).hex() if rng.random() < 0.3 else repr(abs(value)))


NAMED = {"inf": math.inf, "nan": math.nan, "pi": math.pi}
FIXED = (
    "0 1 2 3 5 10 100 127 255 0.5 .5 5. 1e3 0x1p-3 0x10 1e-3 2.5 0.1 1.0 0.0 pi inf nan 1e300 1e-310 "
    "9007199254740993 9007199254740993.0 900719925474099.3e1 9007199254740992 9223372036854775808 "
    "9223372036854775807 18446744073709551615 18446744073709551616 4294967296 1e20"
).split()


def number(rng, sample):
    """A literal, often near or equal to a value of the data; perhaps negative."""
    roll = rng.random()
    if roll < 0.35 and len(sample):
        value = sample[rng.integers(len(sample))]
        if isinstance(value, int):
            node = literal(str(abs(value) if abs(value) < 1 << 64 else 7))
        elif math.isfinite(value):
            node = float_literal(rng, value)
        else:
            node, value = literal("nan" if math.isnan(value) else "inf"), abs(value)
        return Node("neg", [node]) if value < 0 else node
    node = literal(FIXED[rng.integers(len(FIXED))]) if roll < 0.8 else float_literal(
        rng, float(rng.standard_normal() * 10.0 ** rng.integers(-4, 5)))
    return Node("neg", [node]) if rng.random() < 0.25 else node


# No literal is -0: 0.0 is an integer, as every literal with an integral value.
NEGATIVE_ZERO = Node("mul", [literal("0"), Node("neg", [literal("1")])])

# ---- trees


def pick(rng, items):
    return items[rng.integers(len(items))]


def operand(rng, depth, sample):
    roll = rng.random()
    if roll < 0.08:
        return NEGATIVE_ZERO if roll < 0.04 else Node("neg", [X])
    if roll < 0.38:
        return number(rng, sample)
    if roll < 0.65 or depth <= 1:
        return X
    return tree(rng, depth - 1, sample)


def condition(rng, depth, sample):
    roll = rng.random()
    if roll < 0.6:
        pair = [operand(rng, depth, sample), operand(rng, depth, sample)]
        return with_x(rng, Node(pick(rng, COMPARISONS), pair))
    if roll < 0.75 and depth > 1:
        pair = [condition(rng, depth - 1, sample), condition(rng, depth - 1, sample)]
        return Node(pick(rng, list(LOGIC)), pair)
    if roll < 0.85:
        return Node("not", [condition(rng, depth - 1, sample) if depth > 1 else X])
    return Node(pick(rng, ["isnan", "isinf", "isfinite"]), [X])


def with_x(rng, node):
    """The tree with x put in for one argument if it uses none."""
    if node.uses_x():
        return node
    args = list(node.args)
    args[rng.integers(len(args))] = X
    return Node(node.op, args)


def clamp(rng, depth, sample):
    """Constant bounds in order, or bounds that are not constant."""
    low, high = number(rng, sample), number(rng, sample)
    if signed_value(low) > signed_value(high):
        low, high = high, low
    if rng.random() < 0.2:
        high = with_x(rng, Node("add", [X, high]))
    value = tree(rng, depth - 1, sample) if depth > 1 and rng.random() < 0.3 else X
    return Node("clamp", [value, low, high])


def signed_value(node):
    return -node.args[0].value if node.op == "neg" else node.value


def truth(rng, depth, sample):
    """What where() and ?: ask: a comparison, or any value, which is true unless it is 0."""
    return tree(rng, depth, sample) if rng.random() < 0.3 else condition(rng, depth, sample)


def tree(rng, depth, sample):
    """A tree of IEEE ops that uses x."""
    roll = rng.random()
    if roll < 0.4:
        deep = depth > 1 and rng.random() < 0.5
        return Node(pick(rng, ONE), [tree(rng, depth - 1, sample) if deep else X])
    if roll < 0.7:
        node = Node(pick(rng, TWO), [operand(rng, depth, sample), operand(rng, depth, sample)])
    elif roll < 0.78:
        return clamp(rng, depth, sample)
    elif roll < 0.88:
        return condition(rng, depth, sample)
    elif roll < 0.96:
        arms = [operand(rng, depth, sample), operand(rng, depth, sample)]
        node = Node("select", [truth(rng, max(1, depth - 1), sample)] + arms)
    else:
        node = Node("plus", [X])
    return with_x(rng, node)


def special_tree(rng, sample):
    op = pick(rng, list(SPECIAL))
    inner = tree(rng, 1, sample) if rng.random() < 0.15 else X
    if SPECIAL[op] == 1:
        return Node(op, [inner])
    other = number(rng, sample) if rng.random() < 0.6 else tree(rng, 1, sample)
    return Node(op, [inner, other] if rng.random() < 0.7 else [other, inner])


# ---- text


def brackets(rng, text, precedence, least):
    if precedence < least or rng.random() < 0.05:
        return "(" + text + ")"
    return text


def blank(rng):
    return " " if rng.random() < 0.6 else ""


def call(rng, name, texts):
    name = "where" if name == "select" else name
    return name + blank(rng) * (rng.random() < 0.1) + "(" + ("," + blank(rng)).join(texts) + ")"


def render(rng, node, least=1):
    """Text of a tree; in brackets where its precedence is below `least`."""
    text, precedence = _render(rng, node)
    return brackets(rng, text, precedence, least)


def _render(rng, node):
    op, args = node.op, node.args
    if op == "x":
        return "x", 10
    if op == "num":
        return node.text, 10
    if op == "square" and rng.random() < 0.5:
        if rng.random() < 0.3:
            return call(rng, "pow", [render(rng, args[0]), "2"]), 10
        two = pick(rng, ["2", "2", "2.0"])
        return render(rng, args[0], 10) + pick(rng, ["^", "**", " ^ "]) + two, 9
    if op == "cube" and rng.random() < 0.5:
        return render(rng, args[0], 10) + pick(rng, ["^3", "**3"]), 9
    if op == "pow" and rng.random() < 0.5:
        return render(rng, args[0], 10) + pick(rng, ["^", "**", " ** "]) + render(rng, args[1], 8), 9
    if op in PREFIX and not (op == "neg" and rng.random() < 0.3):
        inner = render(rng, args[0], 8)
        gap = " " if inner[0] in "+-" and rng.random() < 0.5 else ""
        return PREFIX[op] + gap + inner, 8
    if op in INFIX and not (op in CALLS and rng.random() < 0.3):
        sign, precedence, left, right = INFIX[op]
        gap = blank(rng)
        return render(rng, args[0], left) + gap + sign + gap + render(rng, args[1], right), precedence
    if op == "select" and rng.random() < 0.5:
        parts = [render(rng, args[0], 2), render(rng, args[1], 1), render(rng, args[2], 1)]
        return "%s ? %s : %s" % tuple(parts), 1
    name = "finite" if op == "isfinite" and rng.random() < 0.3 else op
    return call(rng, name, [render(rng, a) for a in args]), 10


def stage_text(rng, node):
    """A whole stage: a bare name, the form with x left out, or an expression."""
    callable_op = node.op in SPECIAL or node.op in KEEP or node.op in ROUNDED or node.op in TESTS
    callable_op = callable_op or node.op in ("min", "max", "clamp")
    if callable_op and node.op not in ("plus", "not") and node.args[0].op == "x" and rng.random() < 0.6:
        rest = node.args[1:]
        if not rest:
            return node.op
        if not any(a.uses_x() for a in rest):
            return call(rng, node.op, [render(rng, a) for a in rest])
    if node.op == "square" and rng.random() < 0.2 and node.args[0].op == "x":
        return "pow(2)"
    return render(rng, node)


# ---- whole pipelines


def make_stage(rng, sample, special):
    if special:
        node = special_tree(rng, sample)
        return Stage(node, False, stage_text(rng, node))
    if rng.random() < 0.25:
        node = truth(rng, 2, sample)
        return Stage(node, True, "where(" + render(rng, node) + ")")
    node = tree(rng, int(rng.integers(1, 4)), sample)
    return Stage(node, False, stage_text(rng, node))


def make_post(rng):
    while True:
        node = tree(rng, int(rng.integers(1, 3)), [])
        if "select" not in node.ops():
            return Stage(node, False, stage_text(rng, node))


def make_reductions(rng, few):
    if rng.random() < 0.08:
        others = rng.permutation(["var", "rms", "argmax", "l2", "prod"])
        return ["stats"] + [str(name) for name in others[: rng.integers(3)]]
    count = int(rng.integers(1, 3 if few else 7))
    return [str(name) for name in rng.permutation(NAMES)[:count]]


def make(rng, sample, special_chance, few=False):
    """sample: values of the data (ints or floats) for literals."""
    special = rng.random() < special_chance
    stages = []
    for _ in range(int(rng.choice([0, 1, 1, 1, 2, 2, 3]))):
        stages.append(make_stage(rng, sample, special and rng.random() < 0.7))
    posts = [make_post(rng) for _ in range(int(rng.choice([0, 0, 0, 1, 1, 2])))]
    return Pipeline(stages, make_reductions(rng, few), posts, "").rewritten()
