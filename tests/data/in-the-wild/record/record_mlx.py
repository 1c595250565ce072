"""Asks MLX what each pair of dtypes promotes to, and writes `mlx.json`.

pip install "mlx[cpu]"; python record_mlx.py FOLDER DATE
"""

import importlib.metadata
import json
import sys

import mlx.core as mx

NAMES = {
    "bool": mx.bool_, "u8": mx.uint8, "u16": mx.uint16, "u32": mx.uint32, "u64": mx.uint64,
    "i8": mx.int8, "i16": mx.int16, "i32": mx.int32, "i64": mx.int64, "f16": mx.float16,
    "bf16": mx.bfloat16, "f32": mx.float32, "f64": mx.float64, "c64": mx.complex64,
}


def name(dtype):
    return next(name for name, known in NAMES.items() if known == dtype)


def promoted(a, b):
    return name(mx.result_type(mx.zeros(1, dtype=a), mx.zeros(1, dtype=b)))


folder, date = sys.argv[1:]
mx.set_default_device(mx.cpu)
rows = {a: " ".join(promoted(x, y) for y in NAMES.values()) for a, x in NAMES.items()}
about = {
    "crate": "mlx (PyPI)",
    "version": importlib.metadata.version("mlx"),
    "license": "MIT",
    "recorded": date,
    "tables": {"result_type": rows},
}
with open(f"{folder}/mlx.json", "w") as file:
    json.dump(about, file, indent=2)
    file.write("\n")
