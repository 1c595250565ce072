#!/usr/bin/env python3
"""Records the dtypes of PyTorch's losses with one zero-dimensional tensor, in the file `torch.json`.

    python record_torch_zerodim.py

In the sections `ops_zerodim.OP` the right tensor is zero-dimensional, and in `zerodim_ops.OP` the left one.
Losses broadcast their tensors before they promote, so a zero-dimensional tensor counts as one with axes.
README.md names the version.
"""
import torch
import torch.nn.functional as F

from sections import write_section

DTYPES = {"bool": "bool", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "i8": "int8", "i16": "int16",
          "i32": "int32", "i64": "int64", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64",
          "c128": "complex128", "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}
LOSSES = {"l1_loss": F.l1_loss, "mse_loss": F.mse_loss, "smooth_l1_loss": F.smooth_l1_loss}


def asked(loss, a, b):
    try:
        dtype = str(loss(a, b).dtype).removeprefix("torch.")
    except (NotImplementedError, RuntimeError) as error:
        return "no_kernel" if "not implemented for" in str(error) else "-"
    return next(name for name, theirs in DTYPES.items() if theirs == dtype)


def main():
    arrays = {name: torch.ones(2).to(getattr(torch, theirs)) for name, theirs in DTYPES.items()}
    for op, loss in LOSSES.items():
        for section, of in [("ops_zerodim", lambda a, b: (a, b[0])), ("zerodim_ops", lambda a, b: (a[0], b))]:
            lines = ["a/b " + " ".join(arrays)]
            for a, x in arrays.items():
                lines.append(" ".join([a, *(asked(loss, *of(x, y)) for y in arrays.values())]))
            write_section("torch", torch.__version__, f"{section}.{op}", lines)


main()
