"""Runs NumPy's functions of complex numbers and writes `complex_c64.npy` and `complex_c128.npy`: `python record_complex.py`.

The first two rows are operands; then comes what each of OPS gives for the first, and what `power` gives for both.
"""

import pathlib
import warnings

import numpy as np

warnings.filterwarnings("ignore")
OPS = "sqrt sign exp expm1 exp2 log log1p log2 log10 sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh".split()
draw = np.random.default_rng(754)
parts = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e30, 3e-30]
special = [complex(x, y) for x in parts for y in parts]
z = np.array(list(draw.uniform(-3, 3, 47) + 1j * draw.uniform(-3, 3, 47)) + special)
w = draw.uniform(-3, 3, len(z)) + 1j * draw.uniform(-3, 3, len(z))
w[:8] = [2, 3, -1, -2, 0, 0.5, 1j, 7]

for name, dtype in (("c64", np.complex64), ("c128", np.complex128)):
    a, b = z.astype(dtype), w.astype(dtype)
    rows = [a, b] + [getattr(np, op)(a) for op in OPS] + [np.power(a, b)]
    np.save(pathlib.Path(__file__).with_name(f"complex_{name}.npy"), np.array(rows))
