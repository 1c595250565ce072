"""Runs NumPy's functions of complex numbers and writes `complex_numpy.bin`: `python record_complex.py`.

Each of OPS is asked for the left operand, and `power` for both.
"""

import warnings

import numpy as np

from values import Writer

warnings.filterwarnings("ignore")
OPS = "sqrt sign exp expm1 exp2 log log1p log2 log10 sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh".split()
draw = np.random.default_rng(754)
parts = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e30, 3e-30]
special = [complex(x, y) for x in parts for y in parts]
z = np.array(list(draw.uniform(-3, 3, 47) + 1j * draw.uniform(-3, 3, 47)) + special)
w = draw.uniform(-3, 3, len(z)) + 1j * draw.uniform(-3, 3, len(z))
w[:8] = [2, 3, -1, -2, 0, 0.5, 1j, 7]

out = Writer(framework="NumPy", version=np.__version__)
for name, dtype in (("c64", np.complex64), ("c128", np.complex128)):
    a, b = z.astype(dtype), w.astype(dtype)
    out.pool(f"left.{name}", a.tobytes())
    out.pool(f"right.{name}", b.tobytes())
    for op in OPS:
        out.case(op.replace("arc", "a"), [f"left.{name}"], name, getattr(np, op)(a).tobytes())
    out.case("pow", [f"left.{name}", f"right.{name}"], name, np.power(a, b).tobytes())
out.write("complex_numpy")
