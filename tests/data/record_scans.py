#!/usr/bin/env python3
"""Records scans, the spread around a mean, medians and the argument `dtype` of reductions in a framework:
`scans_FRAMEWORK.json`, beside this script.

    python record_scans.py numpy|torch|jax|paddle

README.md names the versions. The file holds arrays of 64 elements and of some other shapes, and for each of
them the calls and what came of them: a dtype, a shape and the elements' bytes as hexadecimal digits, or `-`
where the framework has an error. A call is an op, an axis or `null`, and a dtype or `null`.
"""
import sys, warnings
import numpy as np

import frameworks
from frameworks import DTYPES, answer, write

SCANS = ["cumsum", "cumprod"]
OPS = SCANS + "std var median nansum logsumexp".split()
CASTS = "sum prod mean nansum cumsum cumprod".split()
CAST_TO = "bool u8 i8 i32 u64 f16 f32 f64 c64".split()
# The axes of each shape. A shape of one axis is reduced as a whole, too.
SHAPES = {(64,): [0], (3, 4): [0, 1, None], (2, 3, 2): [1], (0,): [0], (3, 0): [1, 0], (): [None]}

def generator(seed):
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (seed >> 11) / 2**53

def arrays():
    """Returns small numbers; among 64 floats, in a second array, are infinities and NaN."""
    for name, dtype in DTYPES.items():
        for shape in SHAPES:
            n, g = int(np.prod(shape)), generator(len(shape) + 7)
            low = 0 if name[0] in "ub" else -3
            if name[0] in "fc" or name == "bf16":
                numbers = [round((next(g) - 0.5) * 8, 3) for _ in range(n)]
            else:
                numbers = [low + int(next(g) * 7) for _ in range(n)]
            if name[0] == "c":
                numbers = [complex(x, round((next(g) - 0.5) * 4, 3)) for x in numbers]
            yield name, np.array(numbers).reshape(shape).astype(dtype)
        if name[0] == "f" or name == "bf16":
            edges = [1.5, -2.0, 0.25, -0.0, 0.0, 3.0, np.inf, 1.0] * 2 + [-1.0, np.nan] + [2.0] * 3
            yield name, np.array(edges).astype(dtype)
        if name[0] == "c":
            yield name, np.array([1 + 2j, 0.5 - 1j, complex(np.nan, 1), complex(2, np.nan), 3j]).astype(dtype)
        if name[0] in "ui":
            i = np.iinfo(dtype)
            yield name, np.array([i.max, 2, i.min, 3, i.max, i.max]).astype(dtype)

class NumPy(frameworks.NumPy):
    def call(self, op, a, axis, dtype):
        if op == "logsumexp":
            raise LookupError("no such function")
        if op in SCANS and axis is None:
            raise LookupError("a scan of all axes flattens the array")
        given = {} if dtype is None else {"dtype": DTYPES[dtype]}
        return getattr(np, op)(a, axis=axis, **given)

class Jax(frameworks.Jax):
    def call(self, op, a, axis, dtype):
        if op in SCANS and axis is None:
            raise LookupError("a scan of all axes flattens the array")
        given = {} if dtype is None else {"dtype": DTYPES[dtype]}
        function = self.jax.nn.logsumexp if op == "logsumexp" else getattr(self.jax.numpy, op)
        return function(a, axis=axis, **given)

class Torch(frameworks.Torch):
    def call(self, op, a, axis, dtype):
        given = {} if dtype is None else {"dtype": self.dtypes[dtype]}
        if axis is None:
            if op in SCANS:
                return getattr(self.torch, op)(a, 0, **given) if a.dim() == 0 else self.lack()
            if op == "logsumexp":
                return self.torch.logsumexp(a, tuple(range(a.dim())))
            return getattr(self.torch, op)(a, **given)
        found = getattr(self.torch, op)(a, dim=axis, **given)
        return found.values if op == "median" else found

    def lack(self):
        raise LookupError("of one axis only")

class Paddle(frameworks.Paddle):
    def call(self, op, a, axis, dtype):
        given = {} if dtype is None else {"dtype": self.dtypes[dtype]}
        if op in SCANS and axis is None:
            raise LookupError("a scan of all axes flattens the array")
        if op == "mean" and dtype:
            raise LookupError("no argument `dtype`")
        if op == "cumprod":
            return self.paddle.cumprod(a, axis, **given)
        return getattr(self.paddle, op)(a, axis, **given)

def main():
    warnings.simplefilter("ignore")
    which = sys.argv[1]
    framework = {"numpy": NumPy, "jax": Jax, "torch": Torch, "paddle": Paddle}[which]()
    cases = []
    for name, array in arrays():
        if name in framework.lacks:
            continue
        a = framework.array(name, array)
        calls = [(op, axis, None) for axis in SHAPES.get(array.shape, [0]) for op in OPS]
        if array.shape == (64,):
            calls += [(op, 0, dtype) for op in CASTS for dtype in CAST_TO]
        found = [[*call, answer(framework, lambda: framework.call(call[0], a, *call[1:]))] for call in calls]
        cases.append({"dtype": name, "shape": array.shape, "bytes": array.tobytes().hex(), "found": [row for row in found if row[3]]})
    write("scans", which, framework, cases=cases)

main()
