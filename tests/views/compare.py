#!/usr/bin/env python3
"""Compare ops on random views with NumPy and PyTorch themselves: dtype, shape, values and refusals.

    python tests/views/compare.py [--cases N] [--seed S] [--only numpy|torch] [--op OP] [--run COMMAND]

Needs NumPy and PyTorch, of the versions that the rule files follow. It makes N cases for each (shapes of rank
0 to 6, of which inputs broadcast, or do not; axes in any order, with gaps, of stride 0, and for NumPy
backwards, at any address and overlapping `out`; a new array, `out`, in place; numbers), has `compare.rs`
compute them in one run, and tells every difference. Arithmetic, comparisons and all else that is exact has to
be equal bit for bit, where any NaN is a NaN; mathematical functions within 2 units in the last place. Excused
are the framework's defects that docs/defects.md lists, each by a condition on operands and result
(`excused`). Exits with 1 where anything is left.
"""
import argparse, collections, json, os, pathlib, random, shlex, subprocess, sys, tempfile, warnings
import numpy as np
import torch
import torch.nn.functional as F

SIZES = {"bool": 1, "u8": 1, "u16": 2, "u32": 4, "u64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f8e4m3fn": 1, "f8e5m2": 1,
         "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "c32": 4, "c64": 8, "c128": 16}
PARTS = {"c32": "f16", "c64": "f32", "c128": "f64"}
NUMPY = {d: np.dtype({"bool": "?", "f": "f", "c": "c"}.get(d if d == "bool" else d[0], d[0]) + ("" if d == "bool" else str(SIZES[d])))
         for d in SIZES if d not in ("f8e4m3fn", "f8e5m2", "bf16", "c32")}
TORCH = {"bool": torch.bool, "u8": torch.uint8, "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64, "i8": torch.int8,
         "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "f8e4m3fn": torch.float8_e4m3fn, "f8e5m2": torch.float8_e5m2,
         "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "c32": torch.complex32,
         "c64": torch.complex64, "c128": torch.complex128}
# The first dtypes are those that ops have kernels for.
COMMON = {"numpy": ["bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "c64", "c128"],
          "torch": ["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"]}
RARE = {"numpy": [], "torch": ["u16", "u32", "u64", "f8e4m3fn", "f8e5m2", "c32"]}

BINARY = ("add subtract multiply divide floor_divide remainder fmod pow equal not_equal less less_equal greater greater_equal "
          "logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift right_shift maximum minimum fmax fmin "
          "atan2 hypot logaddexp copysign nextafter").split()
UNARY = "negative abs sign sqrt exp sin tanh log1p floor square bitwise_not logical_not astype".split()
OPS = {"numpy": BINARY + UNARY + ["where"],
       "torch": BINARY + UNARY + ["where", "sigmoid", "mse_loss", "l1_loss", "huber_loss", "smooth_l1_loss", "lerp", "addcmul"]}
# Ops whose results may differ by 2 units in the last place. All other results have equal bits.
MATHEMATICAL = {"pow", "sqrt", "exp", "sin", "tanh", "log1p", "atan2", "hypot", "logaddexp", "sigmoid"}
# Texts of our errors for missing kernels, about which the rules say nothing.
NO_KERNEL = ["exists in promotion tables only", "this build does not"]
LOSSES = {"mse_loss", "l1_loss", "huber_loss", "smooth_l1_loss"}

NUMPY_NAMES = {"pow": "power", "atan2": "arctan2", "abs": "absolute", "bitwise_not": "invert"}
TORCH_NAMES = {"equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
               "subtract": "sub", "multiply": "mul", "divide": "div", "left_shift": "bitwise_left_shift", "abs": "abs", "negative": "neg",
               "right_shift": "bitwise_right_shift"}


# Cases.

def elements(rng, dtype, count, op, position):
    """Returns the bytes of `count` elements, mostly small numbers whose results are normal numbers."""
    kind = dtype[0] if dtype != "bf16" else "f"
    if dtype == "bool":
        return bytes(rng.randrange(2) for _ in range(count))
    if kind in "ui":
        if op in ("left_shift", "right_shift"):
            low, high = (0, 7) if position else (0, 100)
        elif op == "pow":
            low, high = (0, 4) if position else (-9, 9)
        else:
            low, high = -100, 100
        values = [max(rng.randint(low, high), 0 if kind == "u" else low) for _ in range(count)]
        if position and op in ("floor_divide", "remainder", "fmod") and rng.random() < 0.8:
            values = [value or 3 for value in values]
        if op not in ("pow", "left_shift", "right_shift") and rng.random() < 0.2:
            bits = 8 * SIZES[dtype]
            values = [value if rng.random() < 0.9 else rng.getrandbits(bits) - (1 << bits - 1 if kind == "i" else 0) for value in values]
        return np.array(values, NUMPY[dtype]).tobytes()
    parts = count * 2 if kind == "c" else count
    values = np.array([rng.choice((-1, 1)) * rng.uniform(1, 2) * 2.0 ** rng.randint(-4, 3) for _ in range(parts)])
    if rng.random() < 0.1:
        values = np.where(np.array([rng.random() < 0.3 for _ in range(parts)]), np.round(values), values)
    dtype = PARTS.get(dtype, dtype)
    if dtype in NUMPY:
        return values.astype(NUMPY[dtype]).tobytes()
    return torch.tensor(values).to(TORCH[dtype]).view(torch.uint8).numpy().tobytes()


def random_shape(rng):
    if rng.random() < 0.02:
        return [rng.randrange(5000)]
    if rng.random() < 0.04:
        return [rng.randint(20, 70), rng.randint(20, 150)]
    rank = rng.randint(0, 6)
    most = [40, 40, 12, 6, 4, 3, 3][rank]
    return [0 if rng.random() < 0.03 else rng.randint(1, most) for _ in range(rank)]


def narrowed(rng, shape):
    """Returns a shape that broadcasts to `shape`."""
    return [1 if rng.random() < 0.3 else length for length in shape[rng.randint(0, len(shape)):]]


def spoiled(rng, shape):
    """Returns a shape that differs along one axis."""
    axis = rng.randrange(len(shape))
    return shape[:axis] + [shape[axis] + rng.randint(1, 3)] + shape[axis + 1:]


def place(rng, case, dtype, shape, position, read):
    """Returns a view of this shape in a new buffer."""
    numpy, size = case["rules"] == "numpy", SIZES[dtype]
    order = list(range(len(shape)))
    if rng.random() < 0.5:
        rng.shuffle(order)
    misaligned = numpy and rng.random() < 0.15
    strides, following = [0] * len(shape), size
    for axis in reversed(order):
        gap = rng.choice([0] * 6 + [size, 1 if misaligned else 64 * size])
        strides[axis] = following + gap
        following = strides[axis] * max(shape[axis], 1)
        chance = rng.random()
        if numpy and chance < 0.2:
            strides[axis] = -strides[axis]
        elif read and chance > 0.8:
            strides[axis] = 0 if chance > 0.9 else size
        elif not numpy and chance > 0.98:
            strides[axis] = 0                   # PyTorch refuses to write there; NumPy would not
    spans = [(length - 1) * stride for length, stride in zip(shape, strides) if length]
    offset = (rng.randrange(17) if misaligned else size * rng.randrange(4)) - sum(span for span in spans if span < 0)
    length = offset + sum(span for span in spans if span > 0) + size + rng.randrange(4) * size
    length += -length % size
    case["bytes"].append(elements(rng, dtype, length // size, case["op"], position))
    return {"dtype": dtype, "shape": shape, "strides": strides, "offset": offset, "buffer": len(case["bytes"]) - 1}


def number(rng, case):
    """Returns a Python number, with its bytes as an element."""
    kind = rng.choice(["bool", "i64", "i64", "f64", "f64", "c128"])
    values = {"bool": bool(rng.randrange(2)), "i64": rng.choice([0, 1, 2, 3, 5, 7, -1, -3, 100, 300]),
              "f64": rng.choice([0.5, 2.5, -1.25, 0.1, 3.0]), "c128": complex(rng.choice([0, 1, 0.5]), rng.choice([1, -2.5]))}
    value = values[kind]
    if case["op"] in ("left_shift", "right_shift", "pow") and kind == "i64":
        value = rng.randint(0, 5)
    return {"number": kind, "bytes": list(np.array(value, NUMPY[kind]).tobytes())}


def make_case(rng, rules, op):
    case = {"rules": rules, "op": op, "bytes": [], "in_place": False, "out": None, "dtype": None}
    dtypes = lambda: rng.choice(RARE[rules] if RARE[rules] and rng.random() < 0.04 else COMMON[rules])
    arity = {"where": 3, "lerp": 3, "addcmul": 3}.get(op, 1 if op in UNARY + ["sigmoid"] else 2)
    shape = random_shape(rng)
    wrong = bool(shape) and arity > 1 and rng.random() < 0.06
    first = dtypes()
    case["inputs"] = []
    for position in range(arity):
        # Half of the cases have one dtype, because some ops refuse mixed dtypes.
        dtype = "bool" if op == "where" and position == 0 else first if rng.random() < 0.4 else dtypes()
        own = shape if rng.random() < 0.6 else narrowed(rng, shape)
        if wrong and position == arity - 1:
            own = spoiled(rng, shape)
        if position == arity - 1 and arity == 2 and op not in LOSSES and rng.random() < 0.08:
            case["inputs"].append(number(rng, case))
        elif rules == "numpy" and position == 0 and arity == 2 and rng.random() < 0.03:
            case["inputs"].append(number(rng, case))
        else:
            case["inputs"].append(place(rng, case, dtype, own, position, True))
    if all("number" in one for one in case["inputs"]):
        case["inputs"][0] = place(rng, case, first, shape, 0, True)
    if op == "astype":
        case["dtype"] = dtypes()
    forms = ["new"] * 4 + ([] if op in LOSSES or op == "where" else ["out"] * 2 + ["in_place"] * 2)
    form = rng.choice(forms)
    if op == "astype" and form == "in_place" or form == "in_place" and "number" in case["inputs"][0]:
        form = "out"
    if form == "in_place":
        lead = case["inputs"][0]
        case["bytes"][lead["buffer"]] = b""
        case["inputs"][0] = case["out"] = place(rng, case, lead["dtype"], lead["shape"] if rng.random() < 0.1 else shape, 0, False)
        case["in_place"] = True
    elif form == "out":
        common = broadcast([one["shape"] for one in case["inputs"] if "shape" in one])
        if common is None or rules == "numpy" and rng.random() < 0.5:
            common = shape
        if rules == "numpy" and common and rng.random() < 0.05:
            common = spoiled(rng, common)
        dtype = case["dtype"] or (dtypes() if rng.random() < 0.2 else own_dtype(case) or first)
        lead = case["inputs"][0]
        shifted = rules == "numpy" and lead.get("dtype") == dtype and lead["shape"] == common and rng.random() < 0.3
        case["out"] = (shifted and overlapping(rng, case, lead)) or place(rng, case, dtype, common, 0, False)
    return case


def overlapping(rng, case, lead):
    """Returns an `out` that overlaps an input: moved by some elements, or with an axis reversed."""
    size, strides = SIZES[lead["dtype"]], [abs(stride) for stride in lead["strides"]]
    axes = sorted(range(len(strides)), key=strides.__getitem__)
    need = size
    for axis in axes:
        if lead["shape"][axis] > 1 and strides[axis] < need:
            return None                         # it overlaps itself
        need = max(need, strides[axis] * lead["shape"][axis])
    by = rng.randrange(4) * size
    case["bytes"][lead["buffer"]] += elements(rng, lead["dtype"], by // size, case["op"], 0)
    moved = dict(lead, offset=lead["offset"] + by, strides=list(lead["strides"]))
    if strides and min(lead["shape"]) > 0:
        axis = rng.randrange(len(strides))
        moved["offset"] += (lead["shape"][axis] - 1) * moved["strides"][axis]
        moved["strides"][axis] *= -1
    return moved


def broadcast(shapes):
    try:
        return list(np.broadcast_shapes(*map(tuple, shapes)))
    except ValueError:
        return None


# Results of the frameworks.

class NoKernel(Exception):
    """The framework has no kernel. The rules say nothing about kernels."""


def array_of(framework, place, buffers):
    buffer = buffers[place["buffer"]]
    if framework == "numpy":
        return np.ndarray(place["shape"], NUMPY[place["dtype"]], buffer, place["offset"], place["strides"])
    size = SIZES[place["dtype"]]
    strides = [stride // size for stride in place["strides"]]
    return torch.from_numpy(buffer).view(TORCH[place["dtype"]]).as_strided(place["shape"], strides, place["offset"] // size)


def operand_of(framework, one, buffers):
    if "number" in one:
        return np.frombuffer(bytes(one["bytes"]), NUMPY[one["number"]])[0].item()
    return array_of(framework, one, buffers)


def buffers_of(case):
    # PyTorch requires elements at multiples of their size.
    made = [np.zeros(max(len(one), 1) + 16, np.uint8) for one in case["bytes"]]
    made = [one[-one.ctypes.data % 16:][:max(length, 1)] for one, length in zip(made, map(len, case["bytes"]))]
    for one, data in zip(made, case["bytes"]):
        one[:len(data)] = np.frombuffer(data, np.uint8)
    return made


def call(case, buffers):
    """Returns the result if it is a new array. An `out` is part of the buffers."""
    framework, op = case["rules"], case["op"]
    inputs = [operand_of(framework, one, buffers) for one in case["inputs"]]
    out = case["out"] and array_of(framework, case["out"], buffers)
    return (call_numpy if framework == "numpy" else call_torch)(op, inputs, out, case)


def call_numpy(op, inputs, out, case):
    if op == "where":
        return np.where(*inputs)
    if op == "astype":
        if out is None:
            return inputs[0].astype(NUMPY[case["dtype"]])
        return np.copyto(out, inputs[0], casting="unsafe")
    ufunc = getattr(np, NUMPY_NAMES.get(op, op))
    return np.asarray(ufunc(*inputs)) if out is None else ufunc(*inputs, out=out)


def call_torch(op, inputs, out, case):
    name = TORCH_NAMES.get(op, op)
    try:
        if op == "astype":
            return inputs[0].to(TORCH[case["dtype"]]) if out is None else out.copy_(inputs[0])
        if op in LOSSES:
            return getattr(F, op)(*inputs, reduction="none")
        function = getattr(torch, name)
        if out is None:
            return function(*inputs)
        if case["in_place"]:
            if not hasattr(out, name + "_"):
                raise NoKernel
            return getattr(out, name + "_")(*inputs[1:])
        return function(*inputs, out=out)
    except (NotImplementedError, TypeError) as error:
        raise NoKernel from error               # numbers where it requires tensors
    except RuntimeError as error:
        if "not implemented for" in str(error):
            raise NoKernel from error
        raise


def own_dtype(case):
    """Returns the result dtype of the framework."""
    try:
        found = call(dict(case, out=None, in_place=False), buffers_of(case))
    except Exception:
        return None
    return dtype_of(found)


def dtype_of(found):
    names, dtype = (NUMPY, found.dtype) if isinstance(found, np.ndarray) else (TORCH, found.dtype)
    return next((name for name, known in names.items() if known == dtype), str(dtype))


def expected(case):
    """Returns (dtype, shape, bytes) as `compare.rs` writes them, or a refusal."""
    buffers = buffers_of(case)
    try:
        found = call(case, buffers)
    except NoKernel:
        raise
    except Exception as error:
        return str(error).splitlines()[0] if str(error) else type(error).__name__
    if case["out"] is None:
        if isinstance(found, np.ndarray):
            return dtype_of(found), list(found.shape), found.tobytes()
        flat = torch.empty(found.numel(), dtype=found.dtype).copy_(found.reshape(-1))
        return dtype_of(found), list(found.shape), flat.view(torch.uint8).numpy().tobytes() if found.numel() else b""
    length = len(case["bytes"][case["out"]["buffer"]])
    return case["out"]["dtype"], case["out"]["shape"], buffers[case["out"]["buffer"]][:length].tobytes()


# The comparison.

def values_of(case, dtype, shape, raw):
    """Returns the elements in a wide dtype, and the bytes of the buffer with the elements set to zero."""
    size, buffer = SIZES[dtype], np.frombuffer(raw, np.uint8).copy()
    strides = [int(np.prod(shape[axis + 1:])) * size for axis in range(len(shape))]
    where = case["out"] or {"strides": strides, "offset": 0}
    if 0 in shape:
        return np.zeros(shape), buffer
    places = np.ndarray(shape + [size], np.uint8, buffer, where["offset"], where["strides"] + [1])
    own = places.copy().reshape(-1)
    places[...] = 0
    if dtype in NUMPY:
        values = own.view(NUMPY[dtype])
    else:
        values = torch.from_numpy(own).view(TORCH[dtype]).to(torch.complex64 if dtype == "c32" else torch.float32).numpy()
    return values.reshape(shape), buffer


def apart(dtype, a, b):
    """Returns the difference of two arrays in ULPs of `dtype`, or in those of the greater part if complex."""
    part = PARTS.get(dtype, dtype)
    digits = {"f8e4m3fn": 3, "f8e5m2": 2, "f16": 10, "bf16": 7, "f32": 23, "f64": 52}.get(part)
    if digits is None:
        return np.where(a == b, 0, np.inf)
    same = (a == b) | np.isnan(a) & np.isnan(b)
    with np.errstate(all="ignore"):
        least = {"f8e4m3fn": -6, "f8e5m2": -14, "f16": -14, "bf16": -126, "f32": -126, "f64": -1022}[part]
        scale = np.abs(b.astype(np.complex128 if np.iscomplexobj(b) else np.float64))
        exponent = np.maximum(np.frexp(scale)[1] - 1, least)
        off = np.abs(a.astype(b.dtype).astype(np.complex128) - b) / np.ldexp(1.0, exponent - digits)
    return np.where(same, 0, np.where(np.isnan(off), np.inf, off))


def identical(a, b):
    """Returns for each element whether both are equal, including the signs of zeros."""
    if a.dtype.kind == "c":
        return identical(a.real, b.real) & identical(a.imag, b.imag)
    if a.dtype.kind == "f":
        return (a == b) & (np.signbit(a) == np.signbit(b)) | np.isnan(a) & np.isnan(b)
    return a == b


def is_complex(case):
    return any(one.get("dtype", one.get("number"))[0] == "c" for one in case["inputs"])


def numbers_of(case, k):
    """Returns the elements of an operand before the call, in a wide dtype."""
    operand = operand_of(case["rules"], case["inputs"][k], buffers_of(case))
    if isinstance(operand, torch.Tensor) and operand.dtype not in (torch.bool, torch.uint64, torch.int64):
        operand = operand.to(torch.complex128 if operand.is_complex() else torch.float64)
    return np.asarray(operand)


def nearer_sum_of_powers(case, a, b, off, x):
    """Returns true where terms cancel, our result is right within a unit or two, and theirs is not."""
    if is_complex(case):
        return np.zeros(a.shape, bool)
    exact = np.logaddexp(x(0).astype(np.longdouble), x(1).astype(np.longdouble))
    unit = np.spacing(np.abs(exact).astype(a.dtype))
    return (np.abs(a - exact) <= 2 * unit) & (np.abs(b - exact) > np.abs(a - exact))


def nearer_angle(case, a, b, off, x):
    """Returns true where our result is correctly rounded and theirs is not."""
    if is_complex(case):
        return np.zeros(a.shape, bool)
    exact = np.arctan2(x(0).astype(np.longdouble), x(1).astype(np.longdouble))
    return (np.abs(a - exact) <= np.spacing(np.abs(exact).astype(a.dtype))) & (np.abs(b - exact) > np.abs(a - exact))


def fused(case, a, b, off, x):
    """Returns true where the difference is explained by a fused product: a few units, or an overflow."""
    if not is_complex(case):
        return np.zeros(a.shape, bool)
    most = np.sqrt(np.finfo(a.dtype).max)
    overflows = [np.maximum(np.abs(x(k).real), np.abs(x(k).imag)) > most for k in range(len(case["inputs"]))]
    return (off <= 16) | np.logical_or.reduce(np.broadcast_arrays(*overflows))


def outside(dtype, x):
    """Returns true where a number, truncated, is outside the range of an integer dtype."""
    if dtype.kind not in "ui":
        return np.zeros(x.shape, bool)
    x, limits = np.trunc(x.real.astype(np.longdouble)), np.iinfo(dtype)
    return ~((x >= limits.min) & (x <= limits.max))


# A defect of docs/defects.md: the framework, the ops, and a condition on each element that differs. The
# condition gets both values and their difference in units in the last place of the greater part.
DEFECTS = [
    ("order of zeros", "numpy torch", "maximum minimum fmax fmin", lambda case, a, b, off, x: a == b),
    ("sign of zero", "numpy torch", "abs divide subtract addcmul negative sign", lambda case, a, b, off, x: a == b),
    ("NaN in orders and extrema", "numpy", "maximum minimum", lambda case, a, b, off, x: is_complex(case) & np.isnan(a)),
    ("complex products", "numpy torch", "multiply square addcmul lerp", fused),
    ("complex quotients", "torch", "divide", lambda case, a, b, off, x: is_complex(case) & (off <= 8)),
    ("complex functions", "numpy", "sign log1p", lambda case, a, b, off, x: is_complex(case) & (off <= 4)),
    ("steps in a narrow dtype", "torch", "l1_loss", lambda case, a, b, off, x: is_complex(case) & (off <= 2)),
    ("functions far from the exact result", "numpy", "log1p", lambda case, a, b, off, x: is_complex(case) & (np.abs(a - b) <= 4 * np.finfo(b.dtype).eps)),
    ("functions far from the exact result", "numpy torch", "logaddexp", nearer_sum_of_powers),
    ("functions far from the exact result", "numpy", "atan2", nearer_angle),
    ("floats that an integer does not hold", "numpy torch", "astype", lambda case, a, b, off, x: outside(a.dtype, x(0))),
    ("steps in a narrow dtype", "torch", "astype", lambda case, a, b, off, x: (x(0).dtype.itemsize >= 8) & (off <= 1)),
    ("powers of a complex zero", "numpy torch", "pow", lambda case, a, b, off, x: is_complex(case) & ((a == 0) | (a == 1) | ~np.isfinite(a))),
    ("complex powers", "numpy torch", "pow", lambda case, a, b, off, x: is_complex(case)),
    ("angles of sums of powers", "torch", "logaddexp", lambda case, a, b, off, x: is_complex(case)),
]
# Defects in refusals: calls that one of the two refuses, found by the texts of the errors.
REFUSALS = [
    ("operands that a system alone refuses or accepts", "torch", "negative abs sign sqrt exp sin tanh log1p floor square bitwise_not sigmoid", "theirs", "Found dtype"),
    ("operands that a system alone refuses or accepts", "torch", "abs", "theirs", "In-place abs is not supported for complex"),
    ("operands that a system alone refuses or accepts", "torch", "l1_loss lerp", "ours", "floats only"),
    # PyTorch broadcasts before it promotes, so a zero-dimensional operand counts as an array.
    ("operands that a system alone refuses or accepts", "torch", "l1_loss", "theirs", "Promotion for uint16, uint32, uint64 types is not supported"),
]


def excused(case, a, b, off, x):
    """Returns the names of the defects that explain all differences; None if some are left.

    `x(k)` returns the elements of an operand that differ.
    """
    left, names = np.ones(a.shape, bool), set()
    for name, who, ops, holds in DEFECTS:
        if case["rules"] in who.split() and case["op"] in ops.split():
            explained = left & holds(case, a, b, off, x)
            left &= ~explained
            names |= {name} if explained.any() else set()
    return None if left.any() else ", ".join(sorted(names))


def excused_refusal(case, side, words):
    return next((name for name, who, ops, whose, has in REFUSALS
                 if case["rules"] == who and case["op"] in ops.split() and side == whose and has in words), None)


def compare(case, ours, theirs):
    """Returns None if the two agree, ("excused", name) or ("different", why)."""
    if isinstance(theirs, str) and "refusal" in ours:
        return None
    for side, words in ("theirs", theirs), ("ours", ours.get("refusal")):
        if isinstance(words, str):
            if side == "ours" and any(lack in words for lack in NO_KERNEL):
                return "without a kernel here", words
            name = excused_refusal(case, side, words)
            return ("excused", name) if name else ("different", f"{side} refuses: {words}")
    dtype, shape, raw = theirs
    if (dtype, shape) != (ours["dtype"], ours["shape"]):
        return "different", f"ours is {ours['dtype']} {ours['shape']}, theirs {dtype} {shape}"
    (a, beside), (b, before) = values_of(case, dtype, shape, ours["raw"]), values_of(case, dtype, shape, raw)
    if bytes(beside) != bytes(before):
        return "different", "bytes beside the elements of `out`"
    same = identical(a, b)
    if same.all():
        return None
    # An `out` may have a wider dtype than the one that the result is rounded to.
    off = apart(dtype, a, b)
    if case["out"]:
        off = np.minimum(off, apart(own_dtype(case) or dtype, a, b))
    if case["op"] in MATHEMATICAL or case["op"] == "abs" and is_complex(case):
        same |= off <= (64 if is_complex(case) else 2)
    if same.all():
        return None
    a, b, off = a[~same], b[~same], off[~same]
    name = excused(case, a, b, off, lambda k: np.broadcast_to(numbers_of(case, k), same.shape)[~same])
    if name:
        return "excused", name
    at = np.argwhere(~same)[0].tolist()
    return "different", f"{a.size} of {same.size} elements, by up to {off.max():.3g} units; at {at} ours {a[0]!r}, theirs {b[0]!r}"


def told(case):
    def one(x):
        if "number" in x:
            return repr(operand_of("numpy", x, []))
        return f"{x['dtype']}{x['shape']}"
    form = "in place" if case["in_place"] else f"out {one(case['out'])}" if case["out"] else case["dtype"] or ""
    return f"{case['rules']} {case['op']}({', '.join(map(one, case['inputs']))}) {form}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=6000, help="for each framework")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=["numpy", "torch"])
    parser.add_argument("--op")
    parser.add_argument("--run", default="cargo test --quiet --test views", help="runs the tests of tests/views")
    parser.add_argument("--show", type=int, default=20, help="how many differences are told")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    print(f"NumPy {np.__version__}, PyTorch {torch.__version__}, seed {args.seed}")
    rng = random.Random(args.seed)
    cases, answers, lacking = [], [], collections.Counter()
    for rules in [args.only] if args.only else ["numpy", "torch"]:
        made = 0
        while made < args.cases:
            case = make_case(rng, rules, args.op or rng.choice(OPS[rules]))
            try:
                answers.append(expected(case))
            except NoKernel:
                lacking[rules] += 1
                continue
            cases.append(case)
            made += 1
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        with open(folder / "cases.jsonl", "w") as lines, open(folder / "cases.bin", "wb") as data:
            for case in cases:
                described = {key: value for key, value in case.items() if key != "bytes"}
                lines.write(json.dumps(described | {"buffers": [len(one) for one in case["bytes"]]}) + "\n")
                data.write(b"".join(case["bytes"]))
        command = shlex.split(args.run) + ["--", "--ignored", "--exact", "compare::computes_the_cases_of_a_file"]
        done = subprocess.run(command, env=os.environ | {"PROMOTE_COMPARE": str(folder)}, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        results, data, at = [json.loads(line) for line in open(folder / "results.jsonl")], (folder / "results.bin").read_bytes(), 0
        for result in results:
            length = result.get("bytes", 0)
            result["raw"], at = data[at:at + length], at + length
    assert len(results) == len(cases)
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/defects.md").read_text()
    assert all(f"\n| {defect[0]} | " in page for defect in DEFECTS + REFUSALS), "an excuse that docs/defects.md does not have"
    counts, excuses, differences = collections.Counter(), collections.Counter(), []
    for case, ours, theirs in zip(cases, results, answers):
        outcome = compare(case, ours, theirs)
        counts[case["rules"], "refused by both" if outcome is None and isinstance(theirs, str) else outcome[0] if outcome else "equal"] += 1
        if outcome and outcome[0] == "excused":
            excuses[case["rules"], outcome[1]] += 1
        elif outcome and outcome[0] == "different":
            differences.append(f"{told(case)}: {outcome[1]}")
    for (rules, what), count in sorted(counts.items()):
        print(f"{rules}: {what} {count}")
    for (rules, name), count in sorted(excuses.items()):
        print(f"{rules}: excused {count}, {name}")
    for rules, count in lacking.items():
        print(f"{rules}: {count} more cases had no kernel there")
    for line in differences[:args.show]:
        print(line)
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
