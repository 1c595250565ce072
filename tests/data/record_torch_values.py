#!/usr/bin/env python3
"""Record what PyTorch computes: `numbers_torch.bin` and `torch_eval.json`, beside this script.

    pip install torch==2.15.0 numpy safetensors==0.8.0
    python record_torch_values.py

README.md describes both files.
"""
import json, math, pathlib, re
import numpy as np
import torch
from safetensors import safe_open

from values import Writer

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent.parent / "examples" / "data"
OPS = {"add": torch.add, "subtract": torch.subtract, "multiply": torch.multiply, "divide": torch.divide}
DTYPES = {"bool": torch.bool, "u8": torch.uint8, "u16": torch.uint16, "u32": torch.uint32, "u64": torch.uint64,
          "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "bf16": torch.bfloat16,
          "f16": torch.float16, "f32": torch.float32, "f64": torch.float64, "c64": torch.complex64, "c128": torch.complex128}
NAMES = {t: n for n, t in DTYPES.items()} | {torch.complex32: "c32"}
LANES = 32
COPIES = 16                 # each array is repeated, so that the vector loops run and not only their tails
ARRAYS = ["u8", "i32", "bf16", "f16", "f32"]
NUMBERS = {"2.5": 2.5, "1e-8": 1e-8, "3": 3, "300": 300, "-1": -1, "true": True, "1+2j": 1 + 2j}
ZERO_DIM = {"u8:200": 200, "i32:2049": 2049, "i64:16777217": 16777217, "f16:0.1": 0.1, "bf16:0.1": 0.1, "f32:0.1": 0.1, "f64:1e-8": 1e-8}
# name, op, is the number on the left, which numbers
SECTIONS = [(f"{op}.{side}", op, left, NUMBERS if "number" in side else ZERO_DIM)
            for op in ("add", "subtract", "multiply", "divide")
            for side, left in (("array_number", False), ("number_array", True), ("array_zero_dim", False), ("zero_dim_array", True))]
# In Python `n / x` is not `torch.divide(n, x)`: it is the reciprocal of x, times n, each rounded.
SECTIONS.append(("reciprocal_times.number_array", None, True, NUMBERS))

NO_KERNEL = re.compile(r"not implemented for|No kernel|no kernel|kernel")
NO_OVERLOAD = re.compile(r"must be [Tt]ensor|invalid combination of arguments|received an invalid|argument \(position")
OVERFLOW = re.compile(r"without overflow|out of (range|bounds)|cannot be converted to type", re.I)

def whole(bits, signed):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    v = [0, 1, -1, high, low, 100, 3, 7]
    v += [2, -2, high - 1, low + 1, 257, -7, 10, 127, 128, -128, 255, 256, -1000, 2049, 32767, -32768, 65519, 65520,
          (1 << 24) + 1, -(1 << 24) - 1, (1 << 31) - 1, (1 << 53) + 1, (1 << 62) + 1,
          (1 << 30) + (1 << 22) + 1]  # halfway between two bf16 once it has been rounded to f32, above it before
    return [(x - low) % (1 << bits) + low for x in v]

def real(dtype):
    f = torch.finfo(dtype)
    half = 2.0 / f.eps            # where the step is 2, so that one more is halfway between two numbers
    least = f.smallest_normal * f.eps
    v = [0.0, 1.0, -1.0, f.max, f.min, 100.0, 3.0, math.nan]
    v += [half, half + 2, -0.0, math.inf, -math.inf, least, -least, 1.0, -1.0, 1 + f.eps, 1 - f.eps / 2, 0.1, 1 / 3,
          -2.5, 2.5, f.smallest_normal, f.smallest_normal - least, 255.5, 2049.0, 65504.0, 65520.0, -7.75, 1e-8, math.sqrt(2)]
    return v

def array(name):
    t = DTYPES[name]
    if t.is_floating_point:
        v = torch.tensor(real(t), dtype=torch.float64).to(t)
    else:
        i = torch.iinfo(t)
        v = torch.tensor(whole(i.bits, i.min < 0), dtype=t)
    assert v.shape == (LANES,) and v.dtype == t
    return v

def raw(t):
    return t.contiguous().view(torch.uint8).numpy().copy().reshape(-1)

def blank(t):
    """Returns the bytes, with one pattern for every NaN."""
    t = t.clone()
    if t.is_complex():
        u = torch.view_as_real(t); u[u.isnan()] = math.nan
    elif t.is_floating_point():
        t[t.isnan()] = math.nan
    return raw(t)

def refusal(e):
    m = str(e)
    return "no_kernel" if NO_KERNEL.search(m) else "no_overload" if NO_OVERLOAD.search(m) else "overflow" if OVERFLOW.search(m) else "refused"

class Record:
    def __init__(self):
        self.messages = {}

    def run(self, f, what, *operands):
        """The word for the cell and the bytes."""
        many = [o.repeat(COPIES) if getattr(o, "ndim", 0) else o for o in operands]
        try:
            r = f(*many)
        except (RuntimeError, TypeError, OverflowError, NotImplementedError) as e:
            word = refusal(e)
            self.messages.setdefault((word, type(e).__name__, str(e).split("\n")[0][:100]), []).append(what)
            return word, None
        r = r.reshape(COPIES, LANES)
        assert all((blank(x) == blank(r[0])).all() for x in r), what
        return NAMES[r.dtype], raw(r[0])

def values():
    rec, out = Record(), Writer(framework="PyTorch", version=torch.__version__, cpu=torch.backends.cpu.get_cpu_capability())
    both = {n: array(n) for n in ARRAYS}
    for n, left in both.items():
        out.pool(f"left.{n}", raw(left))
    numbers = {**NUMBERS, **{n: torch.tensor(v, dtype=DTYPES[n.split(":")[0]]) for n, v in ZERO_DIM.items()}}
    for name, op, left, names in SECTIONS:
        f = OPS.get(op, lambda n, x: n / x)
        for a in ARRAYS:
            for b in names:
                operands = (numbers[b], both[a]) if left else (both[a], numbers[b])
                words = [f"left.{a}", f"{'zero_dim' if b in ZERO_DIM else 'number'}:{b}"]
                word, bytes_ = rec.run(f, f"{name} {a} {b}", *operands)
                out.case(op, words[::-1] if left else words, word, bytes_)
    out.write("numbers_torch")
    for (word, kind, m), keys in sorted(rec.messages.items()):
        print(f"  {word:11} {len(keys):4} {kind}: {m}  e.g. {keys[0]}")

def fnv1a64(b):
    h = 0xCBF29CE484222325
    for x in b:
        h = (h ^ x) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"

EVAL = {
    "image * gain + offset": lambda image, gain, offset, gain_bf16: image * gain + offset,
    "offset + gain * image": lambda image, gain, offset, gain_bf16: offset + gain * image,
    "image * gain_bf16 + offset": lambda image, gain, offset, gain_bf16: image * gain_bf16 + offset,
    "gain * gain_bf16": lambda image, gain, offset, gain_bf16: gain * gain_bf16,
    "image + offset": lambda image, gain, offset, gain_bf16: image + offset,
    "image - 128": lambda image, gain, offset, gain_bf16: image - 128,
    "image * 2": lambda image, gain, offset, gain_bf16: image * 2,
    "image / 255": lambda image, gain, offset, gain_bf16: image / 255,
    "offset * 2.5": lambda image, gain, offset, gain_bf16: offset * 2.5,
    "gain * 0.1 + 3": lambda image, gain, offset, gain_bf16: gain * 0.1 + 3,
    "maximum(image, offset)": lambda image, gain, offset, gain_bf16: torch.maximum(image, offset),
    "minimum(gain, offset)": lambda image, gain, offset, gain_bf16: torch.minimum(gain, offset),
    "image > gain": lambda image, gain, offset, gain_bf16: image > gain,
    "where(image > 100, gain, offset)": lambda image, gain, offset, gain_bf16: torch.where(image > 100, gain, offset),
    "offset / gain": lambda image, gain, offset, gain_bf16: offset / gain,
}
SHOWN = [(0, 0), (60, 100), (100, 30), (100, 100), (100, 180), (150, 90), (200, 200)]

def eval_():
    operands = {n: torch.from_numpy(np.load(DATA / f"{n}.npy")) for n in ("image", "gain", "offset")}
    with safe_open(DATA / "gain.safetensors", "pt") as f:
        operands["gain_bf16"] = f.get_tensor("gain_bf16")
    out = []
    for text, f in EVAL.items():
        r = f(**operands)
        if r.is_floating_point():
            r[r.isnan()] = math.nan  # 0 / 0 has either sign; the hash must not depend on it
        out.append({"expression": text, "dtype": NAMES[r.dtype], "shape": list(r.shape), "fnv1a64": fnv1a64(raw(r).tobytes()),
                    "cells": [[*c, str(r[c].item())] for c in SHOWN]})
    files = {"image": "image.npy", "gain": "gain.npy", "offset": "offset.npy", "gain_bf16": "gain.safetensors:gain_bf16"}
    head = json.dumps({"framework": "torch", "version": torch.__version__, "operands": files}, indent=1)[:-2]
    path = HERE / "torch_eval.json"
    path.write_text(head + ',\n "results": [\n' + ",\n".join("  " + json.dumps(o) for o in out) + "\n ]\n}\n")
    print(f"{path.name}: {path.stat().st_size} bytes")

if __name__ == "__main__":
    torch.set_num_threads(1)
    np.seterr(all="ignore")
    values()
    eval_()
