"""Prints how few terms a function of f16 or bf16 needs to be correctly rounded for every operand.

    python promote-runtime/tests/data/fit_narrow.py

Each operand bounds the polynomial of its reduced argument to the reals that round to the right result. Linear
programming looks for coefficients within all bounds, as far from them as possible, relative to the result.
Without rounding errors a positive margin is enough; steps in f32 need 2^-24 or more. It needs SciPy.
"""

import numpy as np
from scipy.optimize import linprog


def values(name):
    """All finite numbers of a format."""
    bits = np.arange(65536, dtype=np.uint32)
    if name == "f16":
        found = bits.astype(np.uint16).view(np.float16)
    else:
        found = (bits << 16).view(np.float32)
    return np.unique(found[np.isfinite(found)].astype(np.float64))


def bounds(exact, numbers):
    """The reals that round to the same number of a format as each exact result, which is no tie."""
    ends = (numbers[1:] + numbers[:-1]) / 2
    at = np.searchsorted(ends, exact)
    ends = np.concatenate([[2 * numbers[0]], ends, [2 * numbers[-1]]])
    return ends[at], ends[at + 1]


def margin(basis, low, high, scale):
    """How far coefficients of a basis can keep from all bounds; negative if there are none within them."""
    columns = np.column_stack
    rows = np.vstack([columns([basis, scale]), columns([-basis, scale])])
    right = np.concatenate([high, -low])
    weight = 1 / np.abs(np.concatenate([scale, scale]))
    unbounded = [(None, None)] * (basis.shape[1] + 1)
    goal = np.zeros(len(unbounded))
    goal[-1] = -1
    solved = linprog(goal, A_ub=rows * weight[:, None], b_ub=right * weight, bounds=unbounded, method="highs")
    return -1 if solved.x is None else solved.x[-1]


def report(what, terms, found):
    print(f"{what}, {terms} terms: " + (f"margin 2^{np.log2(found):.1f}" if found > 0 else "none"), flush=True)
    return found > 0


def logarithm(name):
    """ln(1 + z) = z p(z) for z from -1/3 to 1/3, as that of f32 is reduced."""
    numbers = values(name)
    x = numbers[(numbers > 0) & (numbers != 1) & (numbers >= 2.0**-126)]
    k = (x.astype(np.float32).view(np.int32).astype(np.int64) - 0x3F2AAAAB) >> 23
    z = x * 2.0**-k - 1
    low, high = (bound - k * np.log(2) for bound in bounds(np.log(x), numbers))
    for terms in range(3, 10):
        if report(f"ln of {name}", terms, margin(np.vander(z, terms + 1, True)[:, 1:], low, high, np.log(x))):
            return


def exponential(name, least, most):
    """e^x = 2^n p(f) for f from -1/2 to 1/2."""
    numbers = values(name)
    x = numbers[(numbers > least) & (numbers < most) & (numbers != 0)]
    n = np.rint(x * np.log2(np.e))
    f, power = x * np.log2(np.e) - n, 2.0**n
    low, high = (bound / power for bound in bounds(np.exp(x), numbers))
    for terms in range(3, 9):
        if report(f"exp of {name}", terms, margin(np.vander(f, terms, True), low, high, np.exp(x) / power)):
            return


for name in ("f16", "bf16"):
    logarithm(name)
exponential("f16", -17, 11)
exponential("bf16", -87, 88)
