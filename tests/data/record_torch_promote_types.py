#!/usr/bin/env python3
"""Records what `torch.promote_types` answers for each two dtypes of PyTorch, in the file `torch.json`.

    python record_torch_promote_types.py

README.md names the version.
"""
import torch

from sections import write_section

OTHERS = {"bool": "bool", "bf16": "bfloat16", "bc32": "bcomplex32", "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2",
          "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2fnuz": "float8_e5m2fnuz", "f8e8m0fnu": "float8_e8m0fnu",
          "f4e2m1fn_x2": "float4_e2m1fn_x2"}
KINDS = {"u": "uint", "i": "int", "f": "float", "c": "complex"}
NAMES = ("bool u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c32 c64 c128 bc32 f8e4m3fn f8e5m2 f8e4m3fnuz f8e5m2fnuz "
         "f8e8m0fnu u1 u2 u3 u4 u5 u6 u7 i1 i2 i3 i4 i5 i6 i7 f4e2m1fn_x2").split()
DTYPES = {name: getattr(torch, OTHERS.get(name, KINDS.get(name[0], "") + name[1:])) for name in NAMES}


def asked(a, b):
    try:
        promoted = torch.promote_types(a, b)
    except RuntimeError:
        return "-"
    return next(name for name, dtype in DTYPES.items() if dtype == promoted)


lines = ["a/b " + " ".join(DTYPES)]
for name, a in DTYPES.items():
    lines.append(" ".join([name, *(asked(a, b) for b in DTYPES.values())]))
write_section("torch", torch.__version__, "promote_types", lines)
