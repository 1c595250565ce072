"""Runs Paddle's `hypot` and `remainder` of complex numbers and writes `complex_paddle.bin`:
`python record_complex_paddle.py` (paddlepaddle 3.3.1, NumPy).

The first numbers are any, then come some of which a / b has parts that are
halves of whole numbers, then large and small ones, then zeros, infinities and NaN.
"""

import numpy as np
import paddle

from values import Writer

paddle.set_device("cpu")
draw = np.random.default_rng(754)
usual = lambda size, n: draw.uniform(-size, size, n) + 1j * draw.uniform(-size, size, n)
a, b = list(usual(20, 200)), list(usual(4, 200))
for divisor in (1, 2, 1j, 1 + 1j, 2 - 2j, -3 + 4j, 7 + 3j):
    for re in range(-3, 4):
        a += [(re / 2 + im / 2 * 1j) * divisor for im in range(-3, 4)]
        b += [divisor] * 7
power = lambda n: 10.0 ** draw.uniform(-6, 6, n)
a, b = a + list(usual(1, 100) * power(100)), b + list(usual(1, 100) * power(100))
parts = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan]
special = [complex(x, y) for x in parts for y in parts]
a, b = a + special * 2, b + special[10:] + special[:10] + [complex(*draw.choice(parts, 2)) for _ in special]

out = Writer(framework="PaddlePaddle", version=paddle.__version__)
for name, dtype in (("c64", np.complex64), ("c128", np.complex128)):
    x, y = (np.array(operand, dtype) for operand in (a, b))
    tensors = [paddle.to_tensor(operand) for operand in (x, y)]
    out.pool(f"left.{name}", x.tobytes())
    out.pool(f"right.{name}", y.tobytes())
    for op, f in (("hypot", paddle.hypot), ("remainder", paddle.remainder)):
        out.case(op, [f"left.{name}", f"right.{name}"], name, f(*tensors).numpy().tobytes())
out.write("complex_paddle")
