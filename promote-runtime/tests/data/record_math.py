"""Records what the functions of f64 should give: `python record_math.py` (mpmath 1.4) writes `math_f64.bin`.

For each function, little-endian: its name in 12 bytes, the number of operands and of points as u32; then each
point: the operands and the nearest f64 to the exact result as f64, and (exact - nearest) / ulp as f32, where
ulp is the unit in the last place of the nearest. A third of the points or more are hard: where a function is
near 0 or a pole, where its argument is reduced much, where terms cancel, where operand or result are
subnormal or near the largest number.
"""

import math
import pathlib
import random
import struct

from mpmath import mp, mpf

mp.prec = 2400  # sin of 2^1023, and sums that cancel

draw = random.Random(754)
N = 60


def uniform(a, b, n=N):
    return [draw.uniform(a, b) for _ in range(n)]


def power(low, high, sign=True, n=N):
    """Sign and mantissa at random, the exponent from low to high."""
    size = lambda: math.ldexp(draw.uniform(1, 2), draw.randint(low, high))
    return [size() * (draw.choice((-1, 1)) if sign else 1) for _ in range(n)]


def near(centre, low, high=-1, n=N):
    return [centre + x for x in power(low, high, n=n)]


def below_one(n=N):
    return [1 - x for x in power(-53, -2, False, n)]


def of_angle(n=2 * N):
    """The nearest numbers to multiples of a quarter turn, some of them huge."""
    return [float(draw.getrandbits(draw.randint(1, 1000)) * mp.pi / 2) for _ in range(n)]


def both(x, y):
    return list(zip(x, y))


def exponents(bases):
    """The bases with exponents that spread the results over all of the range, its subnormal end too."""
    return [(x, float(draw.uniform(-745, 709.7) / mp.log(x))) for x in bases if x != 1]


def cancelling(scale=1.0):
    """e^a + e^b near 1: by all of the 53 bits, or by some."""
    pairs = []
    for a in power(-30, -1, False, 2 * N):
        a = max(-a, -0.69)
        b = float(mp.log(-mp.expm1(mpf(a))))
        b *= 1 + draw.choice((0.0, 2.0 ** draw.randint(-52, -1)))
        pairs.append((a * scale, b * scale))
    return pairs


def times_sigmoid(u):
    return lambda x: x / (1 + mp.exp(-u(x)))


def ln_sum(a, b):
    return max(a, b) + mp.log1p(mp.exp(-abs(a - b)))


def log2_sum(a, b):
    return max(a, b) + mp.log1p(mpf(2) ** -abs(a - b)) / mp.ln(2)


tiny = power(-1074, -20)
# The last is the number that is nearest to a multiple of a quarter turn.
angles = uniform(-8, 8) + power(-30, 30) + power(30, 1023) + of_angle() + tiny[:20] + [6381956970095103 * 2.0**797]
lengths = both(uniform(-1, 1), uniform(-1, 1)) + both(power(-1074, 1022), power(-1074, 1022)) + both(
    power(-1074, -1000), power(-1074, -1000)) + both(power(960, 1022), power(960, 1022)) + both(
    power(-30, 30), power(-30, 30))
logs = power(-1074, 1023, False) + near(1.0, -53, n=2 * N) + uniform(0.5, 2) + power(-1074, -1022, False)
areas = uniform(-3, 3) + power(-1074, 1023) + power(-20, 3) + tiny
hyperbolic = uniform(-1, 1) + uniform(-45, 45) + uniform(-710, 710) + power(-20, 0) + tiny

FUNCTIONS = {
    "exp": (mp.exp, uniform(-745.2, 709.7, 2 * N) + uniform(-1, 1) + uniform(-745.2, -708) + tiny),
    "exp2": (lambda x: mpf(2) ** x, uniform(-1075, 1023.9, 2 * N) + uniform(-1, 1) + uniform(-1075, -1022) + tiny),
    "expm1": (mp.expm1, uniform(-1, 1) + uniform(-45, 45) + uniform(-1, 709.7) + power(-20, 0) + tiny),
    "log": (mp.ln, logs),
    "log2": (lambda x: mp.ln(x) / mp.ln(2), logs + [2.0**k for k in range(-1074, 1024, 150)]),
    "log10": (lambda x: mp.ln(x) / mp.ln(10), logs + [10.0**k for k in range(23)]),
    "log1p": (mp.log1p, uniform(-1, 1) + [x - 1 for x in power(-52, -1, False)] + power(-30, -2) + power(0, 1023, False) + tiny),
    "tanh": (mp.tanh, uniform(-1, 1, 2 * N) + uniform(-22, 22, 2 * N) + power(-20, 0) + tiny),
    "sinh": (mp.sinh, hyperbolic),
    "cosh": (mp.cosh, hyperbolic),
    "sigmoid": (lambda x: 1 / (1 + mp.exp(-x)), uniform(-8, 8) + uniform(-745, 45, 3 * N) + tiny),
    "sin": (mp.sin, angles),
    "cos": (mp.cos, angles),
    "tan": (mp.tan, angles),
    "asin": (mp.asin, uniform(-1, 1, 2 * N) + below_one(2 * N) + power(-30, -1) + tiny),
    "acos": (mp.acos, uniform(-1, 1, 2 * N) + below_one(2 * N) + power(-30, -1) + tiny),
    "atan": (mp.atan, uniform(-3, 3, 2 * N) + power(-30, 60, n=2 * N) + power(60, 1023) + tiny),
    "asinh": (mp.asinh, areas),
    "acosh": (mp.acosh, [1 + x for x in power(-52, 3, False, 3 * N)] + power(1, 1023, False)),
    "atanh": (mp.atanh, uniform(-1, 1, 2 * N) + below_one(2 * N) + power(-20, -1) + tiny),
    "pow": (lambda x, y: x**y, exponents(near(1.0, -45, n=2 * N) + power(-1074, 1023, False, 2 * N))
            + both(uniform(0, 10), uniform(-10, 10))),
    "atan2": (mp.atan2, lengths),
    "hypot": (mp.hypot, lengths),
    "xlogy": (lambda x, y: x * mp.ln(y), both(uniform(-10, 10), uniform(0, 10)) + both(
        power(-1074, 0), power(-1074, 1023, False)) + both(power(-10, 10, n=2 * N), near(1.0, -50, n=2 * N))),
    "logaddexp": (ln_sum, both(uniform(-10, 10), uniform(-10, 10)) + both(uniform(-745, 0), power(-20, -5))
                  + both(power(-1074, 1023), power(-1074, 1023)) + cancelling()),
    "logaddexp2": (log2_sum, both(uniform(-10, 10), uniform(-10, 10)) + both(uniform(-1074, 0), power(-20, -5))
                   + both(power(-1074, 1023), power(-1074, 1023)) + cancelling(1.4426950408889634)),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), uniform(-10, 10) + power(-1074, 1023, n=4 * N) + power(-1074, -1022)),
    "erf": (mp.erf, uniform(-1, 1, 2 * N) + uniform(-6, 6, 2 * N) + near(0.5, -30) + power(-20, 0) + tiny),
    "erfc": (mp.erfc, uniform(-1, 1, 2 * N) + uniform(-6, 27.2, 3 * N) + uniform(26, 27.2) + near(0.5, -30) + tiny),
    "silu": (times_sigmoid(lambda x: x), uniform(-8, 8, 2 * N) + uniform(-745, 45, 3 * N) + power(-20, 0) + tiny),
    "softplus": (lambda x: mp.log1p(mp.exp(x)), uniform(-8, 8, 2 * N) + uniform(-745, 45, 3 * N) + power(-20, 0) + tiny),
    "gelu": (lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2,
             uniform(-1, 1, 2 * N) + uniform(-38.4, 9, 3 * N) + near(-0.7, -30) + near(0.7, -30) + tiny),
    "gelu_tanh": (times_sigmoid(lambda x: 2 * mp.sqrt(2 / mp.pi) * (x + mpf("0.044715") * x**3)),
                  uniform(-1, 1, 2 * N) + uniform(-21.5, 7, 3 * N) + power(-20, 0) + tiny),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), uniform(0, 4, 2 * N) + power(-1074, 1023, False, 2 * N) + power(-1074, -1022, False)),
}


def nearest(exact):
    """The nearest f64, rounded once where it is subnormal too, and the rest in units of its last place."""
    if exact == 0:
        return 0.0, 0.0
    unit = max(mp.frexp(exact)[1] - 1, -1022) - 52
    whole = mp.nint(mp.ldexp(exact, -unit))
    result = math.ldexp(int(whole), unit)
    # The power of two below which the exact result lies has the larger unit.
    unit = max(math.frexp(result)[1] - 1, -1022) - 52
    return result, float(mp.ldexp(exact - mpf(result), -unit))


def main():
    out = bytearray()
    for name, (function, points) in FUNCTIONS.items():
        rows = []
        for point in points:
            operands = point if isinstance(point, tuple) else (point,)
            exact = function(*(mpf(x) for x in operands))
            if abs(exact) < mpf(2) ** 1024 - mpf(2) ** 970:
                rows.append(struct.pack("<%ddf" % (len(operands) + 1), *operands, *nearest(exact)))
        out += struct.pack("<12sII", name.encode(), len(operands), len(rows)) + b"".join(rows)
    pathlib.Path(__file__).with_name("math_f64.bin").write_bytes(out)


main()
