"""A mode that sends PyTorch's calls to `promote_dtypes.namespace("torch")`.

As a plugin of pytest it runs each case in the mode. Comparisons of the results are PyTorch's own there.
"""

import inspect

import ml_dtypes
import promote_dtypes
import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.testing._internal.common_utils import TestCase

import counting
from operators import COMPARISONS

DEFAULT_DTYPES = {
    torch.bfloat16: "bf16",
    torch.float16: "f16",
    torch.float32: "f32",
    torch.float64: "f64",
}
SETS = {
    dtype: promote_dtypes.namespace("torch", default_dtype=name) for dtype, name in DEFAULT_DTYPES.items()
}
ours = SETS[torch.float32]

# PyTorch's names of functions and methods, where they are not ours.
NAMES = COMPARISONS | {
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "true_divide": "divide",
    "neg": "negative",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
    "conj_physical": "conj",
    "clamp_max": "minimum",
    "clamp_min": "clamp_min",
    "absolute": "abs",
    "_threshold": "threshold",
    # Of real tensors; `sign` refuses complex ones.
    "sgn": "sign",
}
NAMES = {name: ours_name for name, ours_name in NAMES.items() if hasattr(ours, ours_name)}
# Names that mean another function here.
OTHERS = {"max", "min", "norm"}
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
    if isinstance(x, torch.dtype):
        return str(x)
    if isinstance(x, torch.Tensor):
        return x.detach().resolve_conj().resolve_neg()
    return x


def to_torch(array):
    if array.dtype.kind == "V" or array.dtype.name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        bits = torch.from_numpy(array.view(f"u{array.dtype.itemsize}"))
        return bits.view(getattr(torch, array.dtype.name))
    return torch.from_numpy(array)


def as_array(x):
    """Returns an array of NumPy that shares the memory of a tensor."""
    if x.dtype in (torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2):
        bits = x.detach().view(getattr(torch, f"uint{8 * x.itemsize}")).numpy()
        return bits.view(getattr(ml_dtypes, str(x.dtype)[6:]))
    return x.detach().numpy()


def torch_dtype(dtype):
    return getattr(torch, dtype.name)


def is_typed(x):
    return x in DTYPES if isinstance(x, torch.dtype) else is_operand(x)


def answered(theirs, args, ours):
    """Returns our answer. Where ours refuse and theirs do, too, the error is theirs, whose words suites know."""
    counting.reached()
    try:
        return ours()
    except (TypeError, ValueError, ArithmeticError):
        theirs(*args)
        raise


def is_reduction(name):
    return name in ("sum", "prod", "mean", "any", "all", "argmax", "argmin", "amax", "amin", "std", "var")


def is_operand(x):
    if isinstance(x, torch.Tensor):
        plain = type(x) is torch.Tensor and x.layout == torch.strided and x.device.type == "cpu"
        return plain and x.dtype in DTYPES and not x.requires_grad
    return type(x) in (bool, int, float, complex)


def is_typed_call(args):
    """Returns true if a call has tensors, and all of them are operands of ours."""
    tensors = [x for x in args if isinstance(x, torch.Tensor)]
    return bool(tensors) and all(map(is_operand, tensors))


IN_PLACE = {f"{name}_": name for name in (*NAMES, *NAMES.values(), "pow", "remainder", "floor_divide", "add")}
IN_PLACE |= {f"__i{name}__": name for name in ("add", "sub", "mul", "div", "pow", "and", "or", "xor")}


def composed(name, x, options):
    """Returns a function that computes a call with options that ours do not have; `None` for other calls."""
    if name == "round" and (decimals := options.get("decimals")):
        # As PyTorch defines it: rounded after a multiplication by a power of ten.
        power, (scale, unscale) = 10.0 ** abs(decimals), ("multiply", "divide")[:: 1 if decimals > 0 else -1]
        return lambda space: getattr(space, unscale)(space.round(getattr(space, scale)(x, power)), power)
    if name == "softplus" and options.keys() == {"beta", "threshold"}:
        beta, threshold = options["beta"], options["threshold"]

        def softplus(space):
            scaled = space.multiply(x, beta)
            return space.where(space.greater(scaled, threshold), x, space.divide(space.softplus(scaled), beta))

        return softplus
    return None


class Sent(TorchFunctionMode):
    """Sends calls to ours; others go on to PyTorch."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name, given, out = getattr(function, "__name__", ""), dict(kwargs), None
        space = SETS[torch.get_default_dtype()]
        if name in ("promote_types", "result_type") and all(map(is_typed, args)):
            return answered(function, args, lambda: torch_dtype(space.result_type(*map(to_numpy, args))))
        if name in IN_PLACE:
            name, out = IN_PLACE[name], args[0] if args else None
        elif isinstance(given.get("out"), torch.Tensor):
            out = given.pop("out")
        if out is None and len(args) == 1 and is_operand(args[0]) and isinstance(args[0], torch.Tensor):
            if compute := composed(name, to_numpy(args[0]), given):
                return answered(lambda *_: function(*args, **kwargs), (), lambda: to_torch(compute(space)))
        found = self.find(name, args, given)
        if found is None or out is not None and not is_operand(out):
            if counting.is_function(getattr(ours, NAMES.get(name, name), None)) and is_typed_call(args):
                counting.passes_on(name, kwargs)
            return function(*args, **kwargs)
        name, operands, options = found

        def compute():
            counting.reached()
            arrays = [to_numpy(x) for x in operands]
            if out is None:
                return to_torch(getattr(space, name)(*arrays, **options))
            if args and out is args[0]:
                getattr(space, name)(as_array(out), *arrays[1:], in_place=True, **options)
                return out
            shape = torch.broadcast_shapes(*(x.shape for x in operands if isinstance(x, torch.Tensor)))
            if "axis" not in options and not is_reduction(name):
                out.resize_(shape)
            getattr(space, name)(*arrays, out=as_array(out), **options)
            return out

        return answered(lambda *_: function(*args, **kwargs), (), compute)

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
        if name == "rsub" and len(args) == 2:
            args, name = args[::-1], "sub"
        options = {}
        if name in ("std", "var"):
            # `unbiased` is a correction of 1 or 0, alone or behind the axes.
            at = next((at for at in (1, 2) if len(args) > at and isinstance(args[at], bool)), None)
            if at is not None:
                options["correction"] = float(args[at])
                args = (*args[:at], *args[at + 1 :])
            for key in ("unbiased", "correction"):
                if kwargs.get(key) is not None:
                    options["correction"] = float(kwargs[key])
                kwargs.pop(key, None)
        if kwargs.pop("out", None) is not None or kwargs.pop("decimals", 0) != 0:
            return None
        if name in ("add", "sub", "subtract") and len(args) == 3:
            kwargs["alpha"], args = args[2], args[:2]
        if "alpha" in kwargs and name in ("add", "sub", "subtract"):
            name = "add_scaled" if name == "add" else "subtract_scaled"
        if name == "div" and (mode := kwargs.pop("rounding_mode", None)):
            name = {"trunc": "divide_trunc", "floor": "floor_divide"}.get(mode, "")
        if name == "sgn" and args and isinstance(args[0], torch.Tensor) and args[0].is_complex():
            return None
        name = NAMES.get(name, name)
        if name in ("max", "min") and len(args) == 2 and isinstance(args[1], torch.Tensor):
            name = {"max": "maximum", "min": "minimum"}[name]
        elif name in OTHERS or not counting.is_function(getattr(ours, name, None)):
            return None
        for key in ("dim", "axis"):
            if key in kwargs:
                axis = kwargs.pop(key)
                options["axis"] = tuple(axis) if isinstance(axis, list | tuple) else axis
        if "keepdim" in kwargs:
            options["keepdims"] = kwargs.pop("keepdim")
        reduces = is_reduction(name)
        if reduces and len(args) > 1 and not isinstance(args[1], torch.Tensor):
            options["axis"] = tuple(args[1]) if isinstance(args[1], list | tuple) else args[1]
            if len(args) > 2:
                options["keepdims"] = args[2]
            args = args[:1]
        if options and not reduces or options.get("axis") == ():
            return None
        for key in ("equal_nan", "approximate", "dtype", "inplace", "reduction", "weight", "size_average", "reduce"):
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


def pytest_configure(config):
    original = TestCase.assertEqual

    def compared(self, *args, **kwargs):
        with torch._C.DisableTorchFunction():
            return original(self, *args, **kwargs)

    TestCase.assertEqual = compared


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    with Sent():
        return (yield)
