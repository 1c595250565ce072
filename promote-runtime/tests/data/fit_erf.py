"""Prints the coefficients of `math/double/error.rs` and `cbrt.rs`: `python fit_erf.py` (mpmath).

Each polynomial interpolates its function at Chebyshev nodes with 60 digits, and its coefficients are rounded
to f64. The greatest error over 1000 points is printed behind each, relative to the function that uses it.
"""

from mpmath import mp, mpf, cos, pi, erf, erfc, exp, sqrt, lu_solve, matrix, polyval

mp.dps = 60


def fit(f, low, high, terms):
    """The coefficients of f on [low, high], the constant one first."""
    low, high = mpf(low), mpf(high)
    nodes = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * terms)) for i in range(terms)]
    solved = lu_solve(matrix([[x**i for i in range(terms)] for x in nodes]), matrix([f(x) for x in nodes]))
    return [mpf(float(c)) for c in solved]


def tell(name, f, scale, low, high, terms):
    c = fit(f, low, high, terms)
    points = [mpf(low) + (mpf(high) - mpf(low)) * i / 1000 for i in range(1001)]
    off = max(abs(polyval(c[::-1], x) - f(x)) / abs(scale(x)) for x in points)
    print(f"{name}: [f64; {terms}], error 2^{float(mp.log(off) / mp.log(2)):.1f}")
    for x in c:
        print(f"    {float(x)!r},")


def scaled_erfc(a):
    return exp(a * a) * erfc(a)


def of_q(q):
    """(1 + 2a)·e^(a²)·erfc(a) - 1 in q = (a - 4) / (a + 4)."""
    a = 4 * (1 + q) / (1 - q)
    return (1 + 2 * a) * scaled_erfc(a) - 1


def odd(f):
    """f(√s) / √s, which is smooth at 0."""
    return lambda s: f(sqrt(s)) / sqrt(s) if s else (f(mpf(10) ** -25) * mpf(10) ** 25)


def main():
    q = lambda a: (mpf(a) - 4) / (mpf(a) + 4)
    for name, f, first, end, scale in (
        ("ERF", odd(erf), 2 / sqrt(pi), 0.2525, mpf(1)),
        ("PHI", odd(lambda x: erf(x / sqrt(mpf(2))) / 2), 1 / sqrt(2 * pi), 0.505, mpf(1) / 4),
    ):
        tell(name, lambda s: (f(s) - first) / s, lambda s: scale / s ** mpf(1.5), 1e-12, end, 9)
        first -= name == "ERF"
        print(f"{name}_FIRST: {float(first)!r} and {float(first - float(first))!r}")
    first = 1 + of_q(mpf(0))
    print(f"SCALED_FIRST: {float(first)!r} and {float(first - float(first))!r}")
    tell("SCALED", lambda x: (1 + of_q(x) - first) / x, lambda x: (1 + of_q(x)) / x, q(0.49), q(28.4), 22)
    tell("SLOPE", lambda x: mp.diff(of_q, x), lambda x: mpf(1), q(0.49), q(28.4), 5)
    tell("CBRT", lambda r: r ** (-mpf(1) / 3), lambda r: r ** (-mpf(1) / 3), 0.89, 1.115, 5)


main()
