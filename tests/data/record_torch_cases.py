#!/usr/bin/env python3
"""Record what PyTorch computes for every op: `cases_torch.bin`, beside this script.

    pip install torch==2.15.0 numpy
    python record_torch_cases.py [OP..]

If ops are named, these alone are asked, and the others stay as they are in the file. README.md describes the file.
"""
import collections, math, re, sys, warnings
import numpy as np
import torch
import torch.nn.functional as F

from values import Writer, read

DTYPES = {"bool": torch.bool, "u8": torch.uint8, "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64,
          "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "bf16": torch.bfloat16,
          "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "c64": torch.complex64, "c128": torch.complex128}
NAMES = {t: n for n, t in DTYPES.items()} | {torch.complex32: "c32"}
INTEGERS = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"]
FLOATS = ["bf16", "f16", "f32", "f64"]
LANES, SAME, TURN = 64, 8, 11  # the first SAME lanes are the same left and right, the others turned by TURN

COMPARE = {"equal": torch.eq, "not_equal": torch.ne, "less": torch.lt, "less_equal": torch.le, "greater": torch.gt,
           "greater_equal": torch.ge, "logical_and": torch.logical_and, "logical_or": torch.logical_or,
           "logical_xor": torch.logical_xor}
BINARY = {"add": torch.add, "subtract": torch.subtract, "multiply": torch.multiply, "divide": torch.divide,
          "divide_trunc": lambda a, b: torch.div(a, b, rounding_mode="trunc"), "floor_divide": torch.floor_divide,
          "remainder": torch.remainder, "fmod": torch.fmod, "pow": torch.pow, "float_power": torch.float_power, **COMPARE,
          "bitwise_and": torch.bitwise_and, "bitwise_or": torch.bitwise_or, "bitwise_xor": torch.bitwise_xor,
          "left_shift": torch.bitwise_left_shift, "right_shift": torch.bitwise_right_shift, "maximum": torch.maximum,
          "minimum": torch.minimum, "fmax": torch.fmax, "fmin": torch.fmin, "logaddexp": torch.logaddexp,
          "logaddexp2": torch.logaddexp2, "atan2": torch.atan2, "hypot": torch.hypot, "nextafter": torch.nextafter,
          "copysign": torch.copysign, "heaviside": torch.heaviside, "xlogy": torch.xlogy, "ldexp": torch.ldexp,
          "gcd": torch.gcd, "lcm": torch.lcm, "clamp_min": torch.clamp_min, "isclose": torch.isclose,
          "where": lambda a, b: torch.where(POOLS["left.bool"], a, b), "lerp": torch.lerp, "dot": torch.dot}
LOSSES = {"huber_loss": F.huber_loss, "smooth_l1_loss": F.smooth_l1_loss, "l1_loss": F.l1_loss, "mse_loss": F.mse_loss,
          "poisson_nll_loss": F.poisson_nll_loss, "binary_cross_entropy": F.binary_cross_entropy}
UNARY = ("positive negative abs sign signbit square sqrt rsqrt exp expm1 exp2 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh "
         "acosh atanh floor ceil trunc round reciprocal sigmoid erf erfc relu isnan isinf isfinite logical_not bitwise_not conj real imag angle")
REDUCE = "sum prod mean std var max min amax amin any all argmax argmin median nansum norm logsumexp cumsum cumprod"
UNARY = {n: getattr(torch, n) for n in UNARY.split()} | {n: getattr(F, n) for n in ("silu", "softplus", "gelu")} | {
    "gelu_tanh": lambda a: F.gelu(a, approximate="tanh"), "conj": lambda a: torch.conj(a).resolve_conj()}
REDUCE = {n: getattr(torch, n) for n in REDUCE.split()} | {n: lambda a, f=getattr(torch, n): f(a, dim=0)
                                                           for n in ("logsumexp", "cumsum", "cumprod")}
DIVIDES = ["divide_trunc", "floor_divide", "remainder", "fmod"]  # of integers: raise for a zero
SHIFTS = ["left_shift", "right_shift"]
WHOLE = [*SHIFTS, "bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm"]

MIXED = [("u8", "i8"), ("i8", "u8"), ("i32", "f16"), ("f16", "i32"), ("u8", "f32"), ("bf16", "f16"), ("f16", "f32"), ("f32", "f64"),
         ("i64", "f64"), ("u64", "f32"), ("bool", "i16"), ("i16", "bool"), ("f32", "c64"), ("c64", "f64"), ("u16", "f32")]
NUMBERS = ["number:2.5", "number:-1", "number:true", "number:1e-8", "zero_dim:f32:0.1", "zero_dim:i64:3"]
ARRAYS = ["u8", "i32", "bf16", "f16", "f32"]

NO_KERNEL = re.compile(r"not implemented for|No kernel|no kernel|kernel|not supported for|Unsupported dtype", re.I)
NO_OVERLOAD = re.compile(r"must be [Tt]ensor|invalid combination of arguments|received an invalid|argument \(position|has no attribute")
TRAP = re.compile(r"ZeroDivisionError|negative integer power|without overflow|out of (range|bounds)|between 0 and 1", re.I)

def generator(seed):
    """Returns a number in [0, 1) at each call, equal on every machine."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (seed >> 11) / 2**53

def whole(bits, signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    edges = [0, 1, 7, high, low, -3, 64, 5]
    edges += [low, 3, -1, 2, high, -2, 0, high - 1, 10, low + 1, -7, 6, 127, -10, -128, 128, 255, 12, 256, -1000, 2049, (1 << 24) + 1]
    g = generator(bits + signed)
    reach = min(high, 1000)
    edges += [int(next(g) * (2 * reach + 1)) - reach if signed else int(next(g) * (reach + 1)) for _ in range(LANES - len(edges))]
    return [(x - low) % (1 << bits) + low for x in edges]

def real(dtype, seed):
    f = torch.finfo(dtype)
    least = f.smallest_normal * f.eps
    v = [0.0, 1.0, math.nan, math.inf, -math.inf, -2.5, f.max, 3.0]
    v += [-0.0, math.inf, 2.0, -1.0, 0.0, math.nan, 0.5, -math.inf, 1.5, least, -0.5]  # each is paired with the one below it
    v += [0.0, -math.inf, 2.5, math.inf, -0.0, 1e-8, -least, f.max, 3.5, math.nan, 0.0]
    v += [f.min, f.smallest_normal, 1 + f.eps, -3.0, 100.0, -1.5]
    g = generator(seed)
    return v + [(next(g) * 2 - 1) * (1, 4, 8, 30)[i % 4] for i in range(LANES - len(v))]

def pools(name):
    """Returns the operands of a dtype: {pool: values}."""
    t, g = DTYPES[name], generator(len(name))
    turned = lambda v, by=TURN: torch.cat([v[:SAME], torch.roll(v[SAME:], -by)])
    tensor = lambda v: torch.tensor(v, dtype=torch.float64).to(t)
    tame = [(0.25 + 3.75 * next(g)) * (-1 if next(g) < 0.5 else 1) for _ in range(LANES)]
    small = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, -0.5, 1.5, 2.5, -1.5, 10.0, 0.25, -0.0] + [4 * next(g) - 2 for _ in range(LANES - 14)]
    unit = [0.0, 1.0, 0.5, 0.25] + [next(g) for _ in range(LANES - 4)]
    if name == "bool":
        left = torch.tensor([i in (1, 2, 3, 5) or i >= SAME and (i * i // 3) % 2 for i in range(LANES)], dtype=t)
        small = unit = tame = left
    elif t.is_complex:
        part = torch.float32 if name == "c64" else torch.float64
        pair = lambda a, b: torch.view_as_complex(torch.stack([torch.tensor(x, dtype=torch.float64).to(part) for x in (a, b)], -1))
        left = pair(real(part, 3), [0.0, 0.0, 0.0, 1.0, -0.0, 4.0, 0.0, math.nan] + real(part, 4)[-24:] + real(part, 5)[:-33:-1])
        small, unit, tame = pair(small, small[::-1]), pair(unit, unit[::-1]), pair(tame, tame[::-1])
    elif t.is_floating_point:
        left, small, unit, tame = tensor(real(t, 1)), tensor(small), tensor(unit), tensor(tame)
    else:
        i = torch.iinfo(t)
        low, high = max(-9, i.min), min(70, i.max)
        left = torch.tensor(whole(i.bits, i.min < 0), dtype=t)
        small = torch.tensor([low + (7 * k) % (high - low + 1) if k % 2 else k % 9 for k in range(LANES)], dtype=t)
        unit = torch.tensor([k * k // 3 % 2 for k in range(LANES)], dtype=t)
        tame = torch.tensor([int(2 * x) if i.min else abs(int(2 * x)) for x in tame], dtype=t)
    right = turned(left)
    nonzero = torch.where(right == 0, torch.ones_like(right), right)
    p = {"left": left, "right": right, "nonzero": nonzero, "small": small, "tame": tame, "unit": unit, "unit_turned": turned(unit)}
    assert all(v.shape == (LANES,) and v.dtype == t for v in p.values())
    return {f"{n}.{name}": v for n, v in p.items()}

def operand(word):
    kind, *rest = word.split(":")
    if kind == "number":
        return {"2.5": 2.5, "-1": -1, "true": True, "1e-8": 1e-8}[rest[0]]
    return torch.tensor(float(rest[1]), dtype=torch.float64).to(DTYPES[rest[0]]) if kind == "zero_dim" else POOLS[word]

def option(word):
    k, v = word.split("=")
    if k in ("reduction", "to"):
        return k, DTYPES.get(v, v)
    if k == "alpha":  # integers refuse a float
        return k, float(v) if "." in v else int(v)
    return k, v == "true" if v in ("true", "false") else float(v)

def cases():
    """(op, function, the operands and options as words)"""
    same = [(d, d) for d in DTYPES]
    for op, f in BINARY.items():
        options = ["weight=0.25"] if op == "lerp" else []
        for a, b in same + (MIXED[::3] if op in COMPARE else MIXED):
            yield op, f, [f"left.{a}", f"right.{b}", *options]
        for d in INTEGERS if op in DIVIDES else ():
            yield op, f, [f"left.{d}", f"nonzero.{d}"]
        for d in DTYPES if op in ("pow", "float_power", "ldexp") else INTEGERS if op in SHIFTS else ():
            yield op, f, [f"left.{d}", f"small.{d}"]
        for d in FLOATS + ["c64", "c128"] if op == "dot" else ():
            yield op, f, [f"tame.{d}", f"small.{d}"]
        for d in FLOATS if op == "ldexp" else ():
            yield op, f, [f"left.{d}", "small.i32"]
        for d in [] if op == "dot" else ["f16", "f32"] if op == "float_power" else ["u8", "i32"] if op in WHOLE else ARRAYS:
            for n in NUMBERS:
                if (op, d, n) != ("divide_trunc", "i32", "number:-1"):  # the least integer by -1 ends the process
                    yield op, f, [f"left.{d}", n, *options]
                if d in ("bf16", "f16") or n in ("number:2.5", "zero_dim:i64:3"):
                    yield op, f, [n, f"{'nonzero' if op in DIVIDES else 'left'}.{d}", *options]
    for op, f in LOSSES.items():
        left, right = ("unit", "unit_turned") if op == "binary_cross_entropy" else ("left", "right")
        for a, b in same + MIXED:
            yield op, f, [f"{left}.{a}", f"{right}.{b}", "reduction=none"]
        for d in FLOATS:
            for r in ("mean", "sum"):
                a, b = (left, right) if left == "unit" else ("tame", "small")
                yield op, f, [f"{a}.{d}", f"{b}.{d}", f"reduction={r}"]
            if op == "huber_loss":
                for delta in ("0.5", "0.3"):
                    yield op, f, [f"left.{d}", f"right.{d}", "reduction=none", f"delta={delta}"]
            if op == "smooth_l1_loss":
                for beta in ("0.3", "2.7", "0"):
                    yield op, f, [f"left.{d}", f"right.{d}", "reduction=none", f"beta={beta}"]
            if op == "poisson_nll_loss":
                yield op, f, [f"left.{d}", f"right.{d}", "reduction=none", "log_input=false"]
                yield op, f, [f"left.{d}", f"right.{d}", "reduction=none", "full=true"]
                yield op, f, [f"unit.{d}", f"right.{d}", "reduction=none", "log_input=false", "full=true", "eps=0.1"]
            if op == "binary_cross_entropy":
                yield op, f, [f"left.{d}", f"right.{d}", "reduction=none"]
                yield op, f, [f"unit.{d}", f"right.{d}", "reduction=none"]
        for d in ("bf16", "f16", "f32"):
            for n in NUMBERS:
                yield op, f, [f"{left}.{d}", n, "reduction=none"]
    for d in FLOATS:
        for weight in ("0.3", "0.75", "-1.5"):
            yield "lerp", torch.lerp, [f"left.{d}", f"right.{d}", f"weight={weight}"]
    three = [(d, d, d) for d in DTYPES if not d.startswith("c")]
    for a, b, c in three + [("f16", "f32", "bf16"), ("f16", "bf16", "i32"), ("i32", "f16", "i8"), ("u8", "i8", "i16")]:
        for value in ("1", "3") if a in INTEGERS else ("1", "0.3", "-2.5"):
            yield "addcmul", torch.addcmul, [f"left.{a}", f"right.{b}", f"small.{c}", f"value={value}"]
    for a, b, c in three + [("f16", "f32", "bf16"), ("f16", "bf16", "i32"), ("i32", "f16", "i8"), ("u8", "i8", "i16")]:
        yield "clamp", torch.clamp, [f"left.{a}", f"right.{b}", f"small.{c}"]
    for d in DTYPES:
        others = [("-2", "0")] if d.startswith("i") else [("0.3", "-1.5")] if d in FLOATS else []
        for threshold, value in [("1", "2"), *others]:
            yield "threshold", F.threshold, [f"left.{d}", f"threshold={threshold}", f"value={value}"]
    for op, f in (("add_scaled", torch.add), ("subtract_scaled", torch.sub)):
        for a, b in same + MIXED:
            whole = a in INTEGERS + ["bool"] and b in INTEGERS + ["bool"]
            for alpha in ("1", "3", "-2") if whole else ("1", "0.3", "-2.5"):
                left, right = ("tame", "small") if "c" in a[0] + b[0] else ("left", "right")
                yield op, f, [f"{left}.{a}", f"{right}.{b}", f"alpha={alpha}"]
    for d in ("c64", "c128"):
        yield "addcmul", torch.addcmul, [f"tame.{d}", f"unit.{d}", f"small.{d}", "value=1"]
    for op, f in UNARY.items():
        for d in DTYPES:
            yield op, f, [f"left.{d}"]
        for d in FLOATS + ["c64"]:
            yield op, f, [f"unit.{d}"]
    for op, f in REDUCE.items():
        for d in DTYPES:
            yield op, f, [f"tame.{d}"]
            yield op, f, [f"left.{d}"]
    for a in DTYPES:
        for b in DTYPES:
            yield "astype", lambda x, to: x.to(to, copy=True), [f"left.{a}", f"to={b}"]

def refusal(e):
    m = str(e)
    return "trap" if TRAP.search(m) else "no_kernel" if NO_KERNEL.search(m) else "no_overload" if NO_OVERLOAD.search(m) else "refused"

def raw(t):
    return t.contiguous().view(-1).view(torch.uint8).numpy().copy()

def main(only):
    out, classes, messages = Writer(framework="PyTorch", version=torch.__version__, cpu=torch.backends.cpu.get_cpu_capability()), {}, {}
    for n, v in POOLS.items():
        out.pool(n, raw(v))
    if only:
        about, pools, recorded = read("cases_torch")
        assert about["version"] == torch.__version__, (about["version"], torch.__version__)
        for op, old in recorded.items():
            for dtype, data, _, words in old if op not in only else ():
                out.case(op, words, dtype, data)
    for op, f, words in cases():
        if only and op not in only:
            continue
        try:
            r = f(*(operand(w) for w in words if "=" not in w), **dict(option(w) for w in words if "=" in w))
            assert r.numel() in (1, LANES), (op, words)
            word, result = NAMES[r.dtype], raw(r.reshape(-1))
        except (RuntimeError, TypeError, ValueError, OverflowError, NotImplementedError, AttributeError) as e:
            word, result = refusal(e), None
            messages.setdefault((word, op), f"{type(e).__name__}: {str(e).strip().splitlines()[0][:100]}")
        out.case(op, words + ["condition=left.bool"] * (op == "where"), word, result)
        classes.setdefault(op, collections.Counter())["dtype" if result is not None else word] += 1
    out.write("cases_torch")
    for op, counts in classes.items():
        print(f"  {op:21}", " ".join(f"{k} {n}" for k, n in counts.items()))
    for (word, op), m in sorted(messages.items()):
        print(f"  {word:11} {op:21} {m}")

if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    POOLS = {k: v for d in DTYPES for k, v in pools(d).items()}
    main(sys.argv[1:])
