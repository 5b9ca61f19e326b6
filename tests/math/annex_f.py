"""Special values that C's Annex F (F.10), or the manual of the op, states: `op argument... = result`.

An independent check of MPFR's, which tests/math/accuracy goes by; `x` stands for any finite number above
1, `t` for any between 0 and 1.
"""

TABLE = """
acos 1 = 0 | acos x = nan | acos -x = nan | acos inf = nan
asin 0 = 0 | asin -0 = -0 | asin x = nan | asin -x = nan | asin -inf = nan
atan 0 = 0 | atan -0 = -0 | atan inf = 1.5707963267948966 | atan -inf = -1.5707963267948966
atan2 0 -0 = 3.141592653589793 | atan2 -0 -0 = -3.141592653589793 | atan2 0 0 = 0 | atan2 -0 0 = -0
atan2 0 -x = 3.141592653589793 | atan2 -0 -x = -3.141592653589793 | atan2 0 x = 0 | atan2 -0 x = -0
atan2 -x 0 = -1.5707963267948966 | atan2 -x -0 = -1.5707963267948966
atan2 x 0 = 1.5707963267948966 | atan2 x -0 = 1.5707963267948966
atan2 x -inf = 3.141592653589793 | atan2 -x -inf = -3.141592653589793 | atan2 x inf = 0 | atan2 -x inf = -0
atan2 inf x = 1.5707963267948966 | atan2 -inf x = -1.5707963267948966
atan2 inf -inf = 2.356194490192345 | atan2 -inf -inf = -2.356194490192345
atan2 inf inf = 0.7853981633974483 | atan2 -inf inf = -0.7853981633974483
atan2 nan 1 = nan | atan2 1 nan = nan | atan2 inf nan = nan | atan2 nan 0 = nan
cos 0 = 1 | cos -0 = 1 | cos inf = nan | cos -inf = nan
sin 0 = 0 | sin -0 = -0 | sin inf = nan | sin -inf = nan
tan 0 = 0 | tan -0 = -0 | tan inf = nan | tan -inf = nan
acosh 1 = 0 | acosh t = nan | acosh -x = nan | acosh inf = inf | acosh -inf = nan
asinh 0 = 0 | asinh -0 = -0 | asinh inf = inf | asinh -inf = -inf
atanh 0 = 0 | atanh -0 = -0 | atanh 1 = inf | atanh -1 = -inf | atanh x = nan | atanh -x = nan
cosh 0 = 1 | cosh -0 = 1 | cosh inf = inf | cosh -inf = inf
sinh 0 = 0 | sinh -0 = -0 | sinh inf = inf | sinh -inf = -inf
tanh 0 = 0 | tanh -0 = -0 | tanh inf = 1 | tanh -inf = -1
exp 0 = 1 | exp -0 = 1 | exp -inf = 0 | exp inf = inf
exp2 0 = 1 | exp2 -0 = 1 | exp2 -inf = 0 | exp2 inf = inf
exp10 0 = 1 | exp10 -0 = 1 | exp10 -inf = 0 | exp10 inf = inf | exp10 22 = 1e22
expm1 0 = 0 | expm1 -0 = -0 | expm1 -inf = -1 | expm1 inf = inf
log 0 = -inf | log -0 = -inf | log 1 = 0 | log -t = nan | log -inf = nan | log inf = inf
log10 0 = -inf | log10 -0 = -inf | log10 1 = 0 | log10 -x = nan | log10 -inf = nan | log10 inf = inf
log2 0 = -inf | log2 -0 = -inf | log2 1 = 0 | log2 -x = nan | log2 -inf = nan | log2 inf = inf
log1p 0 = 0 | log1p -0 = -0 | log1p -1 = -inf | log1p -x = nan | log1p -inf = nan | log1p inf = inf
cbrt 0 = 0 | cbrt -0 = -0 | cbrt inf = inf | cbrt -inf = -inf | cbrt -27 = -3
hypot -3 4 = 5 | hypot -0 x = x | hypot inf nan = inf | hypot nan -inf = inf | hypot nan 1 = nan
pow 0 -3 = inf | pow -0 -3 = -inf | pow 0 -2 = inf | pow -0 -2 = inf | pow -0 -2.5 = inf
pow 0 -inf = inf | pow -0 -inf = inf | pow 0 3 = 0 | pow -0 3 = -0 | pow 0 2 = 0 | pow -0 2.5 = 0
pow -1 inf = 1 | pow -1 -inf = 1 | pow 1 nan = 1 | pow 1 -inf = 1 | pow nan 0 = 1 | pow nan -0 = 1 | pow inf 0 = 1
pow -x 0.5 = nan | pow -x 2.5 = nan | pow t -inf = inf | pow -t -inf = inf | pow x -inf = 0 | pow -x -inf = 0
pow t inf = 0 | pow -t inf = 0 | pow x inf = inf | pow -x inf = inf
pow -inf -3 = -0 | pow -inf -2 = 0 | pow -inf -2.5 = 0 | pow -inf 3 = -inf | pow -inf 2 = inf | pow -inf 2.5 = inf
pow inf -2.5 = 0 | pow inf 2.5 = inf | pow nan 1 = nan | pow 2 nan = nan
erf 0 = 0 | erf -0 = -0 | erf inf = 1 | erf -inf = -1
erfc -inf = 2 | erfc inf = 0 | erfc 0 = 1 | erfc -0 = 1
lgamma 1 = 0 | lgamma 2 = 0 | lgamma 0 = inf | lgamma -0 = inf | lgamma -1 = inf | lgamma -17 = inf
lgamma -inf = inf | lgamma inf = inf | lgamma -4503599627370497 = inf | lgamma -1e300 = inf
ceil 0 = 0 | ceil -0 = -0 | ceil -t = -0 | ceil -inf = -inf | floor -0 = -0 | floor -t = -1 | floor inf = inf
round 0.5 = 0 | round -0.5 = -0 | round 1.5 = 2 | round 2.5 = 2 | round -inf = -inf | trunc -t = -0 | trunc t = 0
fmod 0 x = 0 | fmod -0 x = -0 | fmod x 0 = nan | fmod inf x = nan | fmod -inf -x = nan | fmod -x inf = -x
fmod x -inf = x | fmod nan 1 = nan | fmod 1 nan = nan | fmod -7 3 = -1 | fmod 7 -3 = 1 | fmod -6 3 = -0
mod 0 x = 0 | mod -0 x = 0 | mod 0 -x = -0 | mod x 0 = nan | mod inf x = nan | mod -7 3 = 2 | mod 7 -3 = -2
mod 6 -3 = -0 | mod -6 3 = 0 | mod -x inf = inf | mod x -inf = -inf | mod x inf = x | mod nan 1 = nan | mod 1 nan = nan
sqrt -0 = -0 | sqrt -t = nan | sqrt inf = inf | recip 0 = inf | recip -0 = -inf | recip -inf = -0
rsqrt 0 = inf | rsqrt -0 = -inf | rsqrt inf = 0 | rsqrt -x = nan | rsqrt 4 = 0.5 | cube -0 = -0 | cube -3 = -27
sigmoid 0 = 0.5 | sigmoid -0 = 0.5 | sigmoid inf = 1 | sigmoid -inf = 0
degrees -0 = -0 | degrees inf = inf | radians -0 = -0 | radians -inf = -inf | radians 180 = 3.141592653589793
sign -0 = 0 | sign 0 = 0 | sign -inf = -1 | relu -0 = 0 | relu -inf = 0 | relu inf = inf
min 0 -0 = -0 | min -0 0 = -0 | max 0 -0 = 0 | max -0 0 = 0 | min nan 1 = nan | min 1 nan = nan | max nan inf = nan
clamp nan 0 1 = nan | clamp -0 0 1 = 0 | where nan 1 2 = 1 | where -0 1 2 = 2
"""
X = (1.25, 3.0, 1e10, 1.7976931348623157e308)
T = (5e-324, 1e-300, 0.25, 0.9999999999999999)


def spelled(words):
    """The rows that a row with x or t stands for, as floats."""
    letters = [word.lstrip("-") for word in words]
    for name, values in (("x", X), ("t", T)):
        if name in letters:
            for v in values:
                yield from spelled([w if w.lstrip("-") != name else w.replace(name, repr(v)) for w in words])
            return
    yield [float(word) for word in words]


def rows():
    """(op, arguments, result) of every row."""
    for row in TABLE.replace("|", "\n").strip().splitlines():
        left, right = row.split("=")
        op, *words = left.split()
        for numbers in spelled(words + [right.strip()]):
            yield op, numbers[:-1], numbers[-1]
