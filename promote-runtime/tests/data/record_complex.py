"""Records the exact results of functions of complex numbers.

`python record_complex.py` (mpmath 1.3, NumPy 2.4) writes `math_complex.bin`.

For each function, little-endian: its name in 12 bytes, the number of operands, of points and of special
points as u32. A point is the parts of the operands and, for each part of the result, the nearest f64 as f64
and (exact - nearest) / ulp as f32, where ulp is the unit in the last place of the nearest. About half of the
operands are numbers of f32. A special point is the parts of the operand, of ±0, ±1, ±2.5, ±infinity and NaN,
and the parts that NumPy gives; of functions that C99, Annex G, has.

More than half of the points are hard: where the result is near 0 or a pole, on both sides of a cut, where its
absolute value is near 1, where parts of it are much smaller than the other, where operand or result are
subnormal or near the largest number, where angles are huge.
"""

import math
import pathlib
import random
import struct
import warnings

import numpy as np
from mpmath import mp, mpc, mpf

mp.prec = 2400  # angles of 2^1000
draw = random.Random(754)
N = 12


def uniform(low, high):
    return draw.uniform(low, high)


def power(low, high):
    return math.ldexp(draw.uniform(1, 2), draw.randint(low, high)) * draw.choice((-1, 1))


def points(re, im, n=N):
    """Of two functions that draw a part each."""
    return [complex(re(), im()) for _ in range(n)]


def near(centre, low, n=N):
    """Around a point, at distances from 2^low to 2^-1."""
    return [centre + complex(power(low, -1), power(low, -1)) for _ in range(n)]


def on_circle(centre=0.0, n=2 * N):
    """At distances of 1 from a point, as nearly as f64 has it, and at others near it."""
    found = []
    for _ in range(n):
        angle, radius = uniform(-math.pi, math.pi), 1 + draw.choice((0, power(-52, -5)))
        found.append(complex(radius * math.cos(angle) + centre, radius * math.sin(angle)))
    return found


def of_angle():
    return float(draw.getrandbits(draw.randint(1, 300)) * mp.pi / 2)


small = lambda: uniform(-3, 3)
any_size = lambda: power(-1074, 1022)
tiny = lambda: power(-1074, -20)
middle = lambda: power(-30, 30)
plain = points(small, small) + points(middle, middle) + points(tiny, tiny) + points(small, tiny) + points(tiny, small)
powers = (plain[: 2 * N] + points(tiny, tiny) + points(lambda: uniform(-745, 709), small, 2 * N)
          + points(lambda: uniform(700, 730), lambda: of_angle()) + points(lambda: uniform(-3, 3), of_angle) + points(lambda: power(-60, -2), lambda: power(-60, -2)))
half_turns = points(lambda: power(-60, 2), lambda: math.pi * draw.randint(-9, 9) / 2 + power(-60, -3))
hyperbolic = (plain + half_turns + points(lambda: uniform(-709, 709), small) + points(lambda: power(5, 9), of_angle)
              + points(lambda: draw.choice((-1, 1)) * uniform(709, 720), of_angle))
turned = lambda found: [complex(z.imag, z.real) for z in found]
inverse = (plain + near(1.0, -60) + near(-1.0, -60) + points(any_size, any_size) + points(small, lambda: power(-1074, -400))
           + points(lambda: draw.choice((-1.0, 1.0)), lambda: power(-1074, 0)) + points(lambda: uniform(-1, 1), lambda: power(-60, 0)))
logs = plain + on_circle() + points(any_size, any_size, 2 * N) + near(1.0, -60)
roots = plain + points(any_size, any_size, 2 * N) + points(lambda: -abs(power(-30, 30)), tiny)


def sigmoid(z):
    return 1 / (1 + mp.exp(-z))


FUNCTIONS = {
    "exp": (mp.exp, powers),
    "exp2": (lambda z: mp.exp(z * mp.ln2), [complex(z.real / 0.693, math.copysign(min(abs(z.imag), draw.getrandbits(48)), z.imag)) for z in powers]),
    "expm1": (lambda z: mp.exp(z) - 1, powers + half_turns),
    "sigmoid": (sigmoid, powers + half_turns),
    "log": (mp.log, logs),
    "log2": (lambda z: mp.log(z) / mp.ln2, logs),
    "log10": (lambda z: mp.log(z) / mp.ln10, logs),
    "log1p": (lambda z: mp.log(1 + z), plain + on_circle(-1.0) + points(lambda: power(-60, -2), lambda: power(-60, -2)) + near(-1.0, -60)
              + points(any_size, any_size)),
    "sqrt": (mp.sqrt, roots),
    "sign": (lambda z: z / abs(z), roots),
    "sinh": (mp.sinh, hyperbolic),
    "cosh": (mp.cosh, hyperbolic),
    "tanh": (mp.tanh, hyperbolic),
    "sin": (mp.sin, turned(hyperbolic)),
    "cos": (mp.cos, turned(hyperbolic)),
    "tan": (mp.tan, turned(hyperbolic)),
    "asin": (mp.asin, inverse),
    "acos": (mp.acos, inverse),
    "atanh": (mp.atanh, inverse),
    "acosh": (mp.acosh, inverse),
    "asinh": (mp.asinh, turned(inverse)),
    "atan": (mp.atan, turned(inverse)),
    "pow": (lambda w, z: mp.exp(z * mp.log(w)), list(zip(points(small, small, 2 * N), points(small, small, 2 * N)))
            + list(zip(points(middle, middle, 2 * N), points(lambda: uniform(-20, 20), lambda: uniform(-20, 20), 2 * N)))
            + list(zip(points(small, small, 2 * N), [complex(draw.randint(-9, 9) or 1) for _ in range(2 * N)]))
            + list(zip(on_circle(0.0, N), points(lambda: power(0, 8), small)))
            + list(zip(points(any_size, any_size), points(lambda: uniform(-1, 1), tiny)))),
}



def pairs(first, second, n=2 * N):
    return list(zip(points(first, first, n), points(second, second, n)))


def log_of_sum(base):
    return lambda a, b: mp.log(mp.exp(a * base) + mp.exp(b * base)) / base


def angle(y, x):
    u, v = x + mpc(0, 1) * y, x - mpc(0, 1) * y
    return mpc(0, -1) * mp.log(u / mp.sqrt(u * v)) if u and v else mp.inf  # a pole, which is left out


half_circles = [(a, a + complex(power(-60, 3), math.pi * draw.choice((-1, 1)) + power(-30, 2))) for a in points(small, small)]
sums = pairs(small, small) + pairs(middle, middle) + pairs(tiny, small) + pairs(small, tiny) + half_circles
sums += list(zip(points(small, of_angle), points(small, of_angle))) + list(zip(points(lambda: uniform(-900, 900), small, 2 * N), points(small, small, 2 * N)))
def length(a, b):
    return mp.sqrt(a * a + b * b)


beside = [(y, complex(0, draw.choice((-1, 1))) * y * (1 + power(-50, -5))) for y in points(small, small)]
FUNCTIONS |= {
    "logaddexp": (log_of_sum(mpf(1)), sums),
    "logaddexp2": (log_of_sum(mp.ln2), sums),
    "atan2": (angle, pairs(small, small) + pairs(middle, middle) + pairs(tiny, small) + pairs(small, tiny) + beside
              + pairs(lambda: power(-1074, 1000), lambda: power(-1074, 1000))),
}
turned_by = [(a, b * (1 + complex(power(-50, -5), power(-50, -5)))) for b, a in beside]
on_cut = [(complex(power(-300, -3), small()), complex(tiny(), small())) for _ in range(2 * N)]
FUNCTIONS["hypot"] = (length, pairs(small, small) + pairs(middle, middle) + pairs(tiny, small) + turned_by + on_cut + pairs(any_size, any_size))
SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, math.inf, -math.inf, math.nan]
OF_NUMPY = {name: name for name in ("exp", "log", "sqrt", "sinh", "cosh", "tanh", "sin", "cos", "tan")}
OF_NUMPY |= {"a" + name: "arc" + name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}


def nearest(exact):
    """The nearest f64, rounded once where it is subnormal too, and the rest in units of its last place."""
    if exact == 0:
        return 0.0, 0.0
    unit = max(mp.frexp(exact)[1] - 1, -1022) - 52
    result = math.ldexp(int(mp.nint(mp.ldexp(exact, -unit))), unit)
    unit = max(math.frexp(result)[1] - 1, -1022) - 52
    return result, float(mp.ldexp(exact - mpf(result), -unit))


def single(z):
    """Of parts that are numbers of f32, where that keeps them other than 0 and finite."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = complex(float(np.float32(z.real)), float(np.float32(z.imag)))
    return found if all(x != 0 and math.isfinite(x) for x in (found.real, found.imag)) else z


def main():
    out = bytearray()
    for name, (function, found) in FUNCTIONS.items():
        rows = []
        for i, point in enumerate(found):
            operands = point if isinstance(point, tuple) else (point,)
            if i % 2:
                operands = tuple(single(z) if z.imag else z for z in operands)
            exact = mpc(function(*(mpc(z) for z in operands)))
            parts = (exact.real, exact.imag)
            if all(abs(x) < mpf(2) ** 1024 - mpf(2) ** 970 for x in parts):
                flat = [x for z in operands for x in (z.real, z.imag)]
                rows.append(struct.pack("<%dd" % len(flat), *flat) + b"".join(struct.pack("<df", *nearest(x)) for x in parts))
        special = []
        if name in OF_NUMPY:
            with np.errstate(all="ignore"):
                for re in SPECIAL:
                    for im in SPECIAL:
                        z = complex(getattr(np, OF_NUMPY[name])(np.array([complex(re, im)]))[0])
                        special.append(struct.pack("<4d", re, im, z.real, z.imag))
        out += struct.pack("<12sIII", name.encode(), len(operands), len(rows), len(special)) + b"".join(rows + special)
    pathlib.Path(__file__).with_name("math_complex.bin").write_bytes(out)


main()
