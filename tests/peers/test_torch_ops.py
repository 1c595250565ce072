"""PyTorch's OpInfo: the sample and error inputs of each op that `promote_dtypes.namespace("torch")` computes.

A case is an entry of the data base and a dtype. Its op runs once as it is, and once in a mode that sends calls
to ours. Dtypes have to be equal, and values as close as PyTorch asks of its own references.
"""

import inspect

import promote_dtypes
import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import BinaryUfuncInfo, ReductionOpInfo, UnaryUfuncInfo

import counting

ours = promote_dtypes.namespace("torch")

# PyTorch's names of functions and methods, where they are not ours.
NAMES = {
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "true_divide": "divide",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "neg": "negative",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
    "conj_physical": "conj",
    "clamp_max": "minimum",
    "clamp_min": "clamp_min",
    "absolute": "abs",
}
NAMES = {name: ours_name for name, ours_name in NAMES.items() if hasattr(ours, ours_name)}
# Names that mean another function here.
OTHERS = {"max", "min", "norm", "std", "var"}
DUNDER = {"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift"}
DTYPES = {
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.uint16,
    torch.uint32,
    torch.uint64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
    torch.complex128,
    torch.float8_e4m3fn,
    torch.float8_e5m2,
}


def to_numpy(x):
    if isinstance(x, torch.Tensor):
        return x.detach().resolve_conj().resolve_neg()
    return x


def to_torch(array):
    if array.dtype.kind == "V" or array.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        bits = torch.from_numpy(array.view(f"u{array.dtype.itemsize}"))
        return bits.view(getattr(torch, array.dtype.name))
    return torch.from_numpy(array)


def is_operand(x):
    if isinstance(x, torch.Tensor):
        return x.dtype in DTYPES and x.layout == torch.strided and type(x) is torch.Tensor
    return type(x) in (bool, int, float, complex)


class Sent(TorchFunctionMode):
    """Sends calls to ours; others go on to PyTorch."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        found = self.find(getattr(function, "__name__", ""), args, dict(kwargs))
        if found is None:
            return function(*args, **kwargs)
        name, operands, options = found
        counting.reached()
        result = getattr(ours, name)(*map(to_numpy, operands), **options)
        return to_torch(result)

    @staticmethod
    def find(name, args, kwargs):
        """Returns our function and its arguments; `None` for a call that ours do not have."""
        if name.startswith("__") and name.strip("_") in {
            "radd",
            "rsub",
            "rmul",
            "rdiv",
            "rpow",
            "rmod",
            "rand",
            "ror",
            "rxor",
        }:
            args = (args[1], args[0], *args[2:])
            name = {
                "rdiv": "divide",
                "rmod": "remainder",
                "rand": "bitwise_and",
                "ror": "bitwise_or",
                "rxor": "bitwise_xor",
            }.get(name.strip("_"), name.strip("_")[1:])
        if name == "rsub" and kwargs.get("alpha", 1) == 1 and len(args) == 2:
            args, name = args[::-1], "sub"
        options = {}
        if (
            kwargs.pop("alpha", 1) != 1
            or kwargs.pop("out", None) is not None
            or kwargs.pop("decimals", 0) != 0
        ):
            return None
        if name == "div" and (mode := kwargs.pop("rounding_mode", None)):
            name = {"trunc": "divide_trunc", "floor": "floor_divide"}.get(mode, "")
        name = NAMES.get(name, name)
        if name in ("max", "min") and len(args) == 2 and isinstance(args[1], torch.Tensor):
            name = {"max": "maximum", "min": "minimum"}[name]
        elif name in OTHERS or not isinstance(getattr(ours, name, None), promote_dtypes.Function):
            return None
        for key in ("dim", "axis"):
            if key in kwargs:
                axis = kwargs.pop(key)
                options["axis"] = tuple(axis) if isinstance(axis, list | tuple) else axis
        if "keepdim" in kwargs:
            options["keepdims"] = kwargs.pop("keepdim")
        is_reduction = name in ("sum", "prod", "mean", "any", "all", "argmax", "argmin", "amax", "amin")
        if is_reduction and len(args) > 1 and not isinstance(args[1], torch.Tensor):
            options["axis"] = tuple(args[1]) if isinstance(args[1], list | tuple) else args[1]
            if len(args) > 2:
                options["keepdims"] = args[2]
            args = args[:1]
        if options and not is_reduction or options.get("axis") == ():
            return None
        for key in ("equal_nan", "approximate", "dtype", "inplace", "reduction", "weight"):
            value = kwargs.pop(key, None)
            if key == "reduction" and value is not None:
                options["reduction"] = value
            elif value not in (None, False, "none"):
                return None
        for key in ("other", "input", "exponent", "max", "min", "target"):
            if key in kwargs:
                args = (*args, kwargs.pop(key))
        if "axis" in options and args[0].ndim == 0:
            # PyTorch reduces axis 0 of a tensor without axes.
            options["axis"] = None
        if not kwargs.keys() <= inspect.signature(getattr(ours, name)).parameters.keys():
            return None
        options |= kwargs
        needed = {"clamp": 3, "where": 3, "lerp": 3, "addcmul": 3}.get(name, 1)
        return (name, args, options) if len(args) >= needed and all(map(is_operand, args)) else None


def entries():
    kinds = (BinaryUfuncInfo, UnaryUfuncInfo, ReductionOpInfo)
    others = {
        "where",
        "clamp",
        "lerp",
        "addcmul",
        "nn.functional.gelu",
        "nn.functional.mse_loss",
        "nn.functional.l1_loss",
        "nn.functional.huber_loss",
        "nn.functional.smooth_l1_loss",
    }
    for op in op_db:
        if isinstance(op, kinds) or op.name in others:
            # Ops that compile CUDA code have no samples on the CPU.
            for dtype in sorted(op.dtypes & DTYPES, key=str):
                if not op.name.startswith("jiterator"):
                    yield pytest.param(op, dtype, id=f"{op.formatted_name}-{str(dtype)[6:]}")


CASES = list(entries())


def run(op, sample):
    return op(sample.input, *sample.args, **sample.kwargs)


@pytest.mark.parametrize("op, dtype", CASES)
def test_samples(op, dtype):
    for i, sample in enumerate(op.sample_inputs("cpu", dtype)):
        if i == 40:
            break
        wanted = run(op, sample)
        with Sent():
            found = run(op, sample)
        torch.testing.assert_close(found, wanted, equal_nan=True)


@pytest.mark.parametrize(
    "op",
    list({case.values[0].formatted_name: case.values[0] for case in CASES}.values()),
    ids=lambda op: op.formatted_name,
)
def test_errors(op):
    if op.error_inputs_func is None:
        pytest.skip("no error inputs")
    for error in op.error_inputs("cpu"):
        sample = error.sample_input
        try:
            run(op, sample)
        except Exception:
            # Some inputs are errors on other devices alone.
            with Sent(), pytest.raises((RuntimeError, TypeError, ValueError, IndexError, ArithmeticError)):
                run(op, sample)
