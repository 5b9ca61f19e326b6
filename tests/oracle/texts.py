"""Values as onepass writes them: shortest text per type, hex float, decimal integers.

Rules (onepass-pipeline(7), NUMBERS): like Python's repr without a trailing .0, exponent form from 1e16
up and below 1e-4, integral values below 1e16 with all digits in any type, -0.0 nan inf -inf.  The
shortest digits of the narrow types are found here by exact integers, those of binary64 are repr's own.
"""

import math

from rounding import round_to_format, split

# precision in bits, exponent of the smallest subnormal, exponent of the largest number's last place
FORMATS = {"f16": (11, -24, 5), "bf16": (8, -133, 120), "f32": (24, -149, 104), "f64": (53, -1074, 971)}


def reads_back(digits, power, want, fmt):
    """Does digits * 10^power round to the (significand, exp) `want` in the format?"""
    num, den = (digits * 10**power, 1) if power >= 0 else (digits, 10**-power)
    if digits == 0:
        return False
    q, exp = round_to_format(num, den, *fmt)
    if q is None:
        return False
    return q << exp + 2000 == want[0] << want[1] + 2000


def shortest_digits(value, fmt):
    """(digits, power): the shortest decimal digits * 10^power that reads back as value > 0; of several
    the nearest, and of two as near the one with an even last digit."""
    sig, exp = split(value)
    num, den = (sig << exp, 1) if exp >= 0 else (sig, 1 << -exp)
    top = math.floor(math.log10(value)) + 1  # 10^(top-1) <= value < 10^top
    while not _below_power(num, den, top):
        top += 1
    while _below_power(num, den, top - 1):
        top -= 1
    for ndigits in range(1, 20):
        power = top - ndigits
        scaled_num = num * 10 ** max(-power, 0)
        scaled_den = den * 10 ** max(power, 0)
        low, rest = divmod(scaled_num, scaled_den)
        good = [d for d in (low, low + 1) if reads_back(d, power, (sig, exp), fmt)]
        if good:
            return min(good, key=lambda d: (abs(d * scaled_den - scaled_num), d % 2)), power
    raise AssertionError("no digits for %r" % value)


def _below_power(num, den, power):
    """num / den < 10^power"""
    return num * 10 ** max(-power, 0) < den * 10 ** max(power, 0)


def arrange(digits, power):
    """Digits (an integer) times 10^power in repr's layout, without a trailing .0."""
    text = str(digits).rstrip("0") or "0"
    power += len(str(digits)) - len(text)
    point = len(text) + power  # position of the decimal point from the first digit
    if -4 < point <= 16:
        if power >= 0:
            return text + "0" * power
        if point <= 0:
            return "0." + "0" * -point + text
        return text[:point] + "." + text[point:]
    mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
    return "%se%s%02d" % (mantissa, "-" if point <= 0 else "+", abs(point - 1))


def float_text(value, type_name="f64"):
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "-inf" if value < 0 else "inf"
    if value == 0:
        return "-0.0" if math.copysign(1, value) < 0 else "0"
    if abs(value) < 1e16 and value == math.floor(value):
        return str(int(value))
    sign = "-" if value < 0 else ""
    if type_name == "f64":
        text = repr(abs(value))
        return sign + (text[:-2] if text.endswith(".0") else text)
    return sign + arrange(*shortest_digits(abs(value), FORMATS[type_name]))


def float_hex(value):
    """C's %a; None for NaN and infinity."""
    if math.isnan(value) or math.isinf(value):
        return None
    mantissa, exp = value.hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return mantissa + "p" + exp
