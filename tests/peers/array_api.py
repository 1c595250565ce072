"""The array namespace that the suite of the array API standard is run on: `xp`.

Functions, operators, promotion and reductions are those of `promote_dtypes.namespace("array-api")`. Arrays,
and all that computes nothing, such as creation, indexing and manipulation, come from `array_api_strict`.
"""

import inspect
import types

import array_api_strict as strict
import numpy as np
import promote_dtypes
from array_api_strict._array_object import Array
from array_api_strict._dtypes import DType

import counting
from operators import ARITHMETIC, BITWISE, COMPARISONS

ours = promote_dtypes.namespace("array-api")

# Operators by the ops that compute them.
BINARY = ARITHMETIC | BITWISE | {
    "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
    "matmul": "matmul",
}
UNARY = {"neg": "negative", "pos": "positive", "abs": "abs", "invert": "bitwise_invert"}
REDUCTIONS = ["sum", "prod", "mean", "std", "var", "max", "min", "any", "all", "argmax", "argmin"]


def bare(x):
    return x._array if isinstance(x, Array) else x


def compute(name, *operands, **options):
    counting.reached()
    devices = [x.device for x in operands if isinstance(x, Array)]
    if any(device != devices[0] for device in devices):
        raise ValueError(f"arrays from different devices: {devices}")
    found = getattr(ours, name)(*map(bare, operands), **options)
    return Array._new(found, device=devices[0] if devices else None)


def elementwise(name):
    return lambda *operands: compute(name, *operands)


def reduction(name):
    def reduce(x, /, **options):
        if (dtype := options.pop("dtype", None)) is not None:
            options["dtype"] = dtype._np_dtype
        return compute(name, x, **options)

    return reduce


def scan(name, initial):
    def accumulate(x, /, *, axis=None, dtype=None, include_initial=False):
        found = compute(name, x, axis=axis, dtype=dtype and dtype._np_dtype)
        if not include_initial:
            return found
        shape = list(found.shape)
        shape[axis or 0] = 1
        first = strict.full(tuple(shape), initial, dtype=found.dtype, device=found.device)
        return join("concatenate")([first, found], axis=axis or 0)

    return accumulate


def join(name):
    def join_arrays(arrays, /, *, axis=0):
        counting.reached()
        if len({x.device for x in arrays}) > 1:
            raise ValueError("arrays from different devices")
        if axis is None:
            arrays, axis = [strict.reshape(x, (-1,)) for x in arrays], 0
        found = getattr(ours, name)([bare(x) for x in arrays], axis=axis)
        return Array._new(found, device=arrays[0].device)

    return join_arrays


def isin(x1, x2, /, *, invert=False):
    found = compute("isin", x1, x2)
    return compute("logical_not", found) if invert else found


def count_nonzero(x, /, *, axis=None, keepdims=False):
    zero = False if x.dtype == strict.bool else 0
    found = astype(compute("not_equal", x, zero), strict.int64)
    return compute("sum", found, axis=axis, keepdims=keepdims)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    x = join("concatenate")([part for part in (prepend, x, append) if part is not None], axis=axis)
    for _ in range(n):
        at = [slice(None)] * x.ndim
        at[axis] = slice(1, None)
        upper = x[tuple(at)]
        at[axis] = slice(None, -1)
        x = compute("subtract", upper, x[tuple(at)])
    return x


def vecdot(x1, x2, /, *, axis=-1):
    if not -min(x1.ndim, x2.ndim) <= axis < 0:
        raise ValueError("the axis counts from the last one")
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError("vectors of different lengths")
    row = strict.expand_dims(strict.moveaxis(x1, axis, -1), axis=-2)
    column = strict.expand_dims(strict.moveaxis(x2, axis, -1), axis=-1)
    if strict.isdtype(row.dtype, "complex floating"):
        row = compute("conj", row)
    return compute("matmul", row, column)[..., 0, 0]


def clip(x, /, min=None, max=None):
    # A bound that is missing bounds nothing.
    if min is not None and max is not None:
        return compute("clip", x, min, max)
    if min is not None:
        return compute("maximum", x, min)
    return compute("minimum", x, max) if max is not None else compute("positive", x)


def astype(x, dtype, /, *, copy=True, device=None):
    if not copy and x.dtype == dtype:
        return x
    if strict.isdtype(x.dtype, "complex floating") and strict.isdtype(
        dtype, ("bool", "integral", "real floating")
    ):
        raise TypeError("the standard forbids casts of complex numbers to real ones")
    counting.reached()
    return Array._new(ours.astype(x._array, dtype._np_dtype), device=device or x.device)


def operand(x):
    return x._np_dtype if isinstance(x, DType) else bare(x)


def result_type(*operands):
    counting.reached()
    return DType(ours.result_type(*map(operand, operands)))


def can_cast(source, target, /):
    counting.reached()
    return ours.can_cast(
        operand(source) if isinstance(source, DType) else source._array.dtype, operand(target)
    )


def operator(name, swapped=False):
    def method(self, other, /):
        if not isinstance(other, Array | bool | int | float | complex):
            return NotImplemented
        return compute(name, *((other, self) if swapped else (self, other)))

    return method


def in_place(name):
    def method(self, other, /):
        if not isinstance(other, Array | bool | int | float | complex):
            return NotImplemented
        compute(name, self, other, in_place=True)
        return self

    return method


def namespace():
    xp = types.ModuleType("promote_dtypes")
    kept = ("__array_api_version__", "__array_namespace_info__")
    names = [name for name in dir(strict) if not name.startswith("__") or name in kept]
    xp.__dict__.update({name: getattr(strict, name) for name in names})
    xp.__version__ = promote_dtypes.__version__
    replaced = {name: reduction(name) for name in REDUCTIONS}
    replaced |= {name: join(op) for name, op in (("concat", "concatenate"), ("stack", "stack"))}
    replaced |= {"cumulative_sum": scan("cumsum", 0), "cumulative_prod": scan("cumprod", 1)}
    others = (clip, astype, result_type, can_cast, isin, count_nonzero, diff, vecdot)
    replaced |= {function.__name__: function for function in others}
    named = [name for name in dir(ours) if counting.is_function(getattr(ours, name))]
    for name in named:
        if hasattr(strict, name) and name not in replaced:
            replaced[name] = elementwise(name)
    for name, function in replaced.items():
        function.__name__ = name
        function.__signature__ = inspect.signature(getattr(strict, name))
        setattr(xp, name, function)
    for name, op in BINARY.items():
        setattr(Array, f"__{name}__", operator(op))
        setattr(Array, f"__r{name}__", operator(op, swapped=True))
        setattr(Array, f"__i{name}__", in_place(op))
    for name, op in COMPARISONS.items():
        setattr(Array, f"__{name}__", operator(op))
    for name, op in UNARY.items():
        setattr(Array, f"__{name}__", lambda self, op=op: compute(op, self))
    Array.__array_namespace__ = lambda self, /, *, api_version=None: xp
    return xp


xp = namespace()
