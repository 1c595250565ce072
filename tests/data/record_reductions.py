#!/usr/bin/env python3
"""Records the reductions of arrays along axes in a framework: `reductions_FRAMEWORK.json`, beside this script.

    python record_reductions.py numpy|torch|jax

README.md names the versions. The file holds the arrays, for each of them the axes that were asked for, and
for each op what came of it: a dtype, a shape and the elements' bytes as hexadecimal digits, or `-` where the
framework has an error.
"""
import sys, warnings
import numpy as np

import frameworks
from frameworks import DTYPES, answer, write

OPS = "sum prod mean norm max min amax amin argmax argmin any all".split()
# `None` is all axes, `()` none.
SHAPES = {(2, 3): [None, (0,), (1,), (-1, 0), ()], (3, 1, 2): [None, (1,), (0, 2)], (0, 3): [None, (0,), (1,)], (): [None], (37,): [None]}

def arrays():
    """Returns small numbers; every dtype holds the sums and products of a few of them.

    Among floats are NaN, infinities and zeros of both signs.
    """
    for name, dtype in DTYPES.items():
        for shape in SHAPES:
            n = int(np.prod(shape))
            numbers = [(i * 5 + 2) % 7 - (0 if name[0] in "ub" else 3) for i in range(n)]
            if name[0] in "fbc" and name != "bool":
                numbers = [x / 4 for x in numbers]
            if name[0] == "c":
                numbers = [complex(x, (i % 3) - 1) for i, x in enumerate(numbers)]
            yield name, np.array(numbers).reshape(shape).astype(dtype)
        if name[0] == "f" or name == "bf16":
            yield name, np.array([[1, np.inf, -np.inf], [2, np.inf, 3], [-0.0, 0.0, -0.0]]).astype(dtype)
            yield name, np.array([[np.nan, 1, 5], [2, np.nan, 5], [7, -np.inf, -0.0]]).astype(dtype)

def one(axes):
    if axes is None:
        return None
    if len(axes) != 1:
        raise LookupError("of one axis only")
    return axes[0]

class NumPy(frameworks.NumPy):
    def reduce(self, op, a, axes, keepdims):
        if op == "norm":
            return np.linalg.vector_norm(a, axis=axes, keepdims=keepdims)
        if op in ("argmax", "argmin"):
            return getattr(np, op)(a, axis=one(axes), keepdims=keepdims)
        return getattr(np, op)(a, axis=axes, keepdims=keepdims)

    def dot(self, a, b):
        return np.dot(a, b)

class Jax(frameworks.Jax):
    def reduce(self, op, a, axes, keepdims):
        if op == "norm":
            return self.jax.numpy.linalg.vector_norm(a, axis=axes, keepdims=keepdims)
        axes = one(axes) if op in ("argmax", "argmin") else axes
        return getattr(self.jax.numpy, op)(a, axis=axes, keepdims=keepdims)

    def dot(self, a, b):
        return self.jax.numpy.dot(a, b)

class Torch(frameworks.Torch):
    def reduce(self, op, a, axes, keepdims):
        if axes == ():
            raise LookupError("no axes are all axes here")
        if op == "norm":
            return self.torch.linalg.vector_norm(a, dim=axes, keepdim=keepdims)
        if op in ("max", "min", "prod"):
            if axes is None:
                if keepdims:
                    raise LookupError("not of all axes")
                return getattr(self.torch, op)(a)
            found = getattr(self.torch, op)(a, dim=one(axes), keepdim=keepdims)
            return found if op == "prod" else found.values
        if op in ("argmax", "argmin"):
            return getattr(self.torch, op)(a, dim=one(axes), keepdim=keepdims)
        if axes is None and not keepdims:
            return getattr(self.torch, op)(a)
        return getattr(self.torch, op)(a, dim=tuple(range(a.dim())) if axes is None else axes, keepdim=keepdims)

    def dot(self, a, b):
        return self.torch.dot(a, b)

def main():
    warnings.simplefilter("ignore")
    which = sys.argv[1]
    framework = {"numpy": NumPy, "jax": Jax, "torch": Torch}[which]()
    cases, dots = [], []
    for name, array in arrays():
        if name in framework.lacks:
            continue
        a = framework.array(name, array)
        for i, axes in enumerate(SHAPES.get(array.shape, [None, (0,), (1,)])):
            keepdims = i % 2 == 1
            found = {op: answer(framework, lambda: framework.reduce(op, a, axes, keepdims)) for op in OPS}
            cases.append({"dtype": name, "shape": array.shape, "bytes": array.tobytes().hex(), "axes": axes, "keepdims": keepdims,
                          "found": {op: word for op, word in found.items() if word}})
        if array.shape == (37,):
            b = framework.array(name, array[::-1].copy())
            dots.append({"dtype": name, "bytes": array.tobytes().hex(), "found": answer(framework, lambda: framework.dot(a, b))})
    write("reductions", which, framework, cases=cases, dots=dots)

main()
