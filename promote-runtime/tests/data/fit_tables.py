"""Prints the tables of functions, and their polynomials: `python fit_tables.py` (mpmath).

They are in `math/double/arc.rs`, `log.rs`, `logaddexp.rs`, `exp.rs`, `hyperbolic.rs` and `trigonometric.rs`, and in
`math/single/log.rs`, `logaddexp.rs`, `hyperbolic.rs`, `inverse.rs` and `area.rs`. Each polynomial interpolates its
function at Chebyshev nodes with 60 digits, and its coefficients are rounded to f64, or to f32 where it says so. The greatest error over 1000 points is printed
behind each, relative to 1 or, for odd functions, to the function.
"""

import struct

from mpmath import asin, asinh, atan, atan2, atanh, cos, cosh, exp, log, lu_solve, matrix, mp, mpf, nint, pi, polyval
from mpmath import sin, sinh, sqrt, tan, tanh

mp.dps = 60


def single(x):
    """The nearest f32."""
    return mpf(struct.unpack("<f", struct.pack("<f", float(x)))[0])


def fit(name, f, low, high, terms, scale, nearest=lambda x: mpf(float(x)), nodes=None):
    """Prints and returns the coefficients of f on [low, high], the constant one first."""
    low, high = mpf(low), mpf(high)
    nodes = nodes or [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * terms)) for i in range(terms)]
    solved = lu_solve(matrix([[x**i for i in range(terms)] for x in nodes]), matrix([f(x) for x in nodes]))
    c = [nearest(x) for x in solved]
    points = [low + (high - low) * i / 1000 for i in range(1001)]
    off = max(abs(polyval(c[::-1], x) - f(x)) * abs(scale(x)) for x in points)
    tell(f"{name}, error 2^{float(mp.log(off, 2)):.1f}", c)
    return c


def fit_odd(name, f, before, power, most, terms):
    """Prints the coefficients in x^2 of (f(x) - before(x)) / x^power as f32, with nodes for errors that count times
    x^2. The error is relative to f, or to 1 if f is even."""
    most, cut = mpf(most) ** 2, cos(pi / (2 * terms + 2))
    nodes = [most * (cos(pi * (2 * i + 1) / (2 * terms + 2)) + cut) / (1 + cut) for i in range(terms)]
    return fit(name, of_square(f, before, power), most / 10**9, most, terms, lambda s: s, single, nodes)


def tell(name, numbers):
    print(f"{name}: [{', '.join(repr(float(x)) for x in numbers)}]")


def pair(name, numbers):
    """Prints numbers in two parts."""
    tell(f"{name} hi", numbers)
    tell(f"{name} lo", [x - mpf(float(x)) for x in numbers])


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def number(of):
    return struct.unpack("<d", struct.pack("<Q", of))[0]


def logarithms():
    """For each sixteenth of the range of m from 45/64 the inverse among the multiples of a 32nd with which
    m·r - 1 is least; 1 around 1."""
    inverses, least, most = [], mpf(0), mpf(0)
    for j in range(16):
        low, high = number(bits(45 / 64) + (j << 48)), number(bits(45 / 64) + ((j + 1) << 48))
        rest = lambda r: max(1 - low * r, high * r - 1)
        r = 1.0 if low < 1 < high else min((n / 32 for n in range(20, 50)), key=rest)
        inverses.append(r)
        least, most = min(least, low * r - 1), max(most, high * r - 1)
    tell("INVERSES", inverses)
    for name, base, digits in ("Natural", exp(1), 41), ("Binary", mpf(2), 41), ("Decimal", mpf(10), 43):
        short = lambda x: nint(x * mpf(2) ** digits) / mpf(2) ** digits
        logs = [-log(mpf(r)) / log(base) for r in inverses]
        tell(f"{name} hi", [short(x) for x in logs])
        tell(f"{name} lo", [x - short(x) for x in logs])
        two = log(mpf(2)) / log(base)
        tell(f"{name}, log 2", [short(two), two - short(two)])
        if name == "Natural":
            of_sum = -log(mpf(61) / 64)
            tell("NaturalOfSum at 10, 61/64", [short(of_sum), of_sum - short(of_sum)])
        tail = lambda z: (log(1 + z) - z) / z**2 / log(base) if abs(z) > 1e-20 else -1 / (2 * log(base))
        fit(f"{name} TAIL", tail, least, most, 9, lambda z: z**2)


def f32_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def logarithms_of_f32():
    """As [logarithms], for each eighth of the range of m from 91/128. Below 1 numbers lie twice as close, so that
    inverses have one digit less there. The fifth one ends above 1.0443, where the base-2 logarithm is 1/16: so the
    terms that are added to that of an inverse are no larger than the sum."""
    inverses, least, most = [], mpf(0), mpf(0)
    for j in range(8):
        low, high = f32_of(0x3F360000 + (j << 20)), f32_of(0x3F360000 + ((j + 1) << 20))
        rest = lambda r: max(abs(low * r - 1), abs(high * r - 1))
        r = 1.0 if low < 1 < high else min((n / (16 if high < 1 else 32) for n in range(10, 50)), key=rest)
        inverses.append(r)
        least, most = min(least, low * r - 1), max(most, high * r - 1)
    tell(f"INVERSES of f32, z from {float(least)} to {float(most)}", inverses)
    short = lambda x: nint(x * mpf(2) ** 16) / mpf(2) ** 16
    for name, base in ("Natural", exp(1)), ("Binary", mpf(2)), ("Decimal", mpf(10)):
        logs = [-log(mpf(r)) / log(base) for r in inverses]
        tell(f"{name} of f32 hi", [short(x) for x in logs])
        tell(f"{name} of f32 lo", [single(x - short(x)) for x in logs])
        two = log(mpf(2)) / log(base)
        tell(f"{name} of f32, log 2", [short(two), single(two - short(two))])
        tail = lambda z: (log(1 + z) - z) / z**2 / log(base) if abs(z) > 1e-20 else -1 / (2 * log(base))
        fit(f"{name} of f32 TAIL", tail, least, most, 5, lambda z: z * log(base), single)


def logarithms_of_sums():
    """For each fifteenth k of the numbers 1 + e up to 2, from k - 1/2 to k + 1/2, the inverse among the multiples of a
    32nd with which (1 + e)·r - 1 is least; 1 for the first one."""
    inverses, least, most = [], mpf(0), mpf(0)
    for k in range(16):
        low, high = max(mpf(1), 1 + (k - mpf(1) / 2) / 15), min(mpf(2), 1 + (k + mpf(1) / 2) / 15)
        rest = lambda r: max(1 - low * r, high * r - 1)
        r = min((mpf(n) / 32 for n in range(16, 33)), key=rest) if k else mpf(1)
        inverses.append(r)
        least, most = min(least, low * r - 1), max(most, high * r - 1)
    tell(f"INVERSES of sums, from {float(least)} to {float(most)}", inverses)
    pair("LOGARITHMS of sums", [-log(r) for r in inverses])
    third = lambda z: (log(1 + z) - z + z**2 / 2) / z**3 if abs(z) > 1e-15 else mpf(1) / 3
    fit("THIRD of sums", third, least, most, 10, lambda z: z**3)
    first = lambda z: log(1 + z) / z if abs(z) > 1e-20 else mpf(1)
    fit("of f32, LN1P", first, least, most, 7, lambda z: z)
    most = log(mpf(2)) / 32 * (1 + mpf(2) ** -20)
    third = lambda r: (exp(r) - 1 - r - r**2 / 2) / r**3 if abs(r) > 1e-15 else mpf(1) / 6
    fit("SHORT_THIRD", third, -most, most, 6, lambda r: r**3)
    half = mpf(1) / 2
    fit("of f32, SIXTEENTH", lambda f: mpf(2) ** (f / 16), -half, half, 6, lambda f: mpf(1))


def exponentials():
    most = log(mpf(2)) / 32 * (1 + mpf(2) ** -20)
    fit("SHORT_TAIL", lambda r: (exp(r) - 1 - r) / r**2 if abs(r) > 1e-20 else mpf(1) / 2, -most, most, 6, lambda r: r**2)
    fit("TWO", lambda f: (mpf(2) ** f - 1) / f if abs(f) > 1e-20 else log(mpf(2)), -mpf(1) / 32, mpf(1) / 32, 7, lambda f: f)
    pair("SIXTEENTHS", [mpf(2) ** (mpf(j) / 16) for j in range(16)])
    pair("INVERSES", [mpf(2) ** (-mpf(j) / 16) for j in range(16)])


def of_square(f, before, power):
    """(f(√s) - before(√s)) / √s^power."""
    return lambda s: (f(sqrt(s)) - before(sqrt(s))) / sqrt(s) ** power


def odd_and_even(most, names):
    square = (most * (1 + mpf(2) ** -15)) ** 2
    for name, f, before, power, terms in names:
        fit(name, of_square(f, before, power), square / 10**9, square, terms, lambda s: s)


def arcs():
    """For each half of the numbers with one exponent from 1/16 to 16 the tangent of the angle in its middle; 0
    for the first one, which takes all below, and 1 / 0 for the last one, which takes all above."""
    ends = [mpf(2) ** e * m for e in range(-4, 4) for m in (1, 1.5)]
    middle = lambda low, high: mpf(float(tan((atan(low) + atan(high)) / 2)))
    tangents = [mpf(0), *map(middle, ends[1:], ends[2:]), mpf(1)]
    angles = [*map(atan, tangents[:-1]), pi / 2]
    rests = [(end - c) / (1 + end * c) for i, c in enumerate(tangents[1:-1], 1) for end in ends[i : i + 2]]
    most = max(map(abs, [*rests, ends[1], 1 / ends[-1]]))
    first = (bits(1 / 16) >> 51) % 16
    in_place = lambda numbers: numbers[-first:] + numbers[:-first]
    tell("TANGENTS", in_place(tangents))
    pair("ARCS", in_place(angles))
    odd_and_even(most, [("SHORT_ATAN", atan, lambda x: x, 3, 6)])


def arcs_of_f32():
    """For each half of the numbers with one exponent from 0x3EB50000 on, 0.354, to 8 times that number, a tangent near
    the middle of its angles; 0 for the first one, and 1 / 0 for the last one, as in [arcs]."""
    ends = [mpf(f32_of(0x3EB50000 + (i << 22))) for i in range(7)]
    middle = lambda low, high: nint(64 * tan((atan(low) + atan(high)) / 2)) / 64
    angles = [mpf(0), *map(atan, map(middle, ends, ends[1:])), pi / 2]
    tell("of f32, TANGENTS", [0, *map(middle, ends, ends[1:]), 1])
    tell("of f32, ANGLES hi", map(single, angles))
    tell("of f32, ANGLES lo", [single(a - single(a)) for a in angles])
    fit_odd("of f32, ANGLE_TAIL", atan, lambda x: x, 3, ends[0], 4)


def tanh_of_f32():
    """The first interval takes all below 0x3F548000, 0.83. Each of the others takes half of the numbers with one
    exponent, and has a centre near the middle whose tanh is nearly an f32. The nodes and 0 are those of one term more,
    because errors count times the distance from the centre."""
    start, terms = 0x3F548000, 6
    rows = [(0, 0, fit_odd("of f32, TANH 0", tanh, lambda x: x, 3, f32_of(start), terms))]
    for i in range(7):
        low, high = mpf(f32_of(start + (i << 22))), mpf(f32_of(start + (i + 1 << 22)))
        middle, off = (low + high) / 2, lambda x: abs(tanh(x) - single(tanh(x)))
        # Many x lead to each of the upper values, so there the value comes first.
        near = [single(middle + (high - low) / 50000 * j) for j in range(-1000, 1000)]
        values = (single(tanh(middle)) + mpf(2) ** -24 * j for j in range(-4, 5))
        near += [single(atanh(value)) for value in values if value < 1]
        centre = min((x for x in near if abs(x - middle) < (high - low) / 8), key=off)
        slope = 1 - tanh(centre) ** 2
        rise = lambda z: (tanh(centre + z) - tanh(centre)) / z if abs(z) > 1e-20 else slope
        nodes = [middle - centre + (high - low) / 2 * cos(pi * (2 * k + 1) / (2 * terms + 2)) for k in range(terms + 1)]
        nodes.pop(terms // 2)
        c = fit(f"of f32, TANH {i + 1}", rise, low - centre, high - centre, terms, lambda z: z, single, nodes)
        rows.append((single(tanh(centre)), centre, c))
    print(f"of f32, values off by 2^{float(mp.log(max(abs(tanh(row[1]) - row[0]) for row in rows), 2)):.1f}")
    tell("of f32, values", [row[0] for row in rows])
    tell("of f32, centres", [row[1] for row in rows])
    for k in range(terms):
        tell(f"of f32, coefficients {k}", [row[2][k] for row in rows])


def hyperbolic_of_f32():
    fit_odd("of f32, SINH_TAIL", sinh, lambda x: x, 3, 0.347, 3)
    fit_odd("of f32, COSH_TAIL", cosh, lambda x: 1, 2, 0.347, 3)
    fit_odd("of f32, ASINH_TAIL", asinh, lambda x: x, 3, 0.125, 2)


def points():
    """For each index of `math/double/arc.rs` the sine, cosine and angle of a point near the middle of its angles: of
    2000 points the one nearest to the unit circle once its coordinates are rounded. The first one and the last one
    are on an axis."""

    def along(angle, scale):
        """scale (1 + sine - cosine), for a cosine from its bits."""
        root = number((bits(float(cos(angle) ** 2)) >> 1) + bits(scale) - (bits(1.0) >> 1))
        return float(scale * (1 + sin(angle)) - root)

    def ends(index, last):
        """The angles at which an index ends, by halving."""
        for i in range(15):
            low, high = mpf(0), mpf(last)
            for _ in range(60):
                low, high = ((low + high) / 2, high) if index((low + high) / 2) <= i else (low, (low + high) / 2)
            yield low

    most = 0
    sine_index = lambda a: nint(along(a, 7.4375))
    up_to_middle = lambda a: nint(7.5 - along(pi / 2 - a, 3.75))
    cosine_index = lambda a: up_to_middle(a) if a <= pi / 2 else 15 - up_to_middle(pi - a)
    for name, index, last in ("ASIN", sine_index, pi / 2), ("ACOS", cosine_index, pi):
        between = list(ends(index, last))
        found = [(mpf(0), mpf(1))]
        for low, high in zip(between, between[1:]):
            near = ((low + high) / 2 + i * mpf(10) ** -6 for i in range(2000))
            rounded = ((mpf(float(sin(a))), mpf(float(cos(a)))) for a in near)
            found.append(min(rounded, key=lambda point: abs(point[0] ** 2 + point[1] ** 2 - 1)))
        found.append((mpf(1), mpf(0)) if name == "ASIN" else (mpf(0), mpf(-1)))
        angles = [atan2(*point) for point in found]
        print(f"{name}, off the circle: {float(max(abs(s**2 + c**2 - 1) for s, c in found)):.1e}")
        tell(f"{name} sines", [s for s, _ in found])
        tell(f"{name} cosines", [c for _, c in found])
        pair(f"{name} angles", angles)
        limits = [mpf(0), *between, last]
        most = max(most, *(abs(end - a) for i, a in enumerate(angles) for end in limits[i : i + 2]))
    odd_and_even(sin(most), [("SHORT_ASIN", asin, lambda x: x, 3, 6)])


def main():
    arcs()
    arcs_of_f32()
    tanh_of_f32()
    hyperbolic_of_f32()
    points()
    logarithms()
    logarithms_of_f32()
    logarithms_of_sums()
    exponentials()
    one, same = lambda x: mpf(1), lambda x: x
    odd_and_even(log(mpf(2)) / 32, [("SINH", sinh, same, 3, 3), ("COSH", cosh, one, 2, 3)])
    odd_and_even(
        pi / 32, [("SHORT_SIN", sin, same, 3, 4), ("SHORT_COS", cos, one, 2, 4), ("SHORT_TAN", tan, same, 3, 6)]
    )
    # The first one stands as -0.
    pair("sines", [sin(pi * j / 16) if j else mpf(0) for j in range(16)])
    pair("cosines", [cos(pi * j / 16) if j != 8 else mpf(0) for j in range(16)])


main()
