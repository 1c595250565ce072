#!/usr/bin/env python3
"""Record what `np.nextafter` gives of the narrow floats of NumPy and ml_dtypes: `nextafter_ml_dtypes.safetensors`, beside this script.

    python record_nextafter.py

README.md names the versions and describes the file.
"""
import json, pathlib
import ml_dtypes
import numpy as np

DTYPES = {"f8e4m3fn": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2, "f16": np.float16, "bf16": ml_dtypes.bfloat16}


def operands(dtype):
    """Every code of an 8-bit float, or 256 codes of all sizes and both signs; and what is stepped to."""
    bits = np.dtype(f"u{np.dtype(dtype).itemsize}")
    left = (np.arange(256) * (1 if bits.itemsize == 1 else 257)).astype(bits)
    top = ml_dtypes.finfo(dtype).max
    right = np.array([0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 0.1, top, -top, np.inf, -np.inf, np.nan], dtype)
    codes = np.array([1, 1 << (8 * bits.itemsize - 1) | 1], bits)
    return left.view(dtype), np.concatenate([right, codes.view(dtype)])


def main():
    tensors = {}
    with np.errstate(all="ignore"):
        for name, dtype in DTYPES.items():
            left, right = operands(dtype)
            # A row for each left operand, a column for each right one.
            found = np.nextafter(np.repeat(left[:, None], right.size, 1), np.repeat(right[None, :], left.size, 0))
            assert found.dtype == dtype, found.dtype
            tensors |= {f"left.{name}": left, f"right.{name}": right, f"next.{name}": found}
    head, at = {}, 0
    for name, array in tensors.items():
        head[name] = {"dtype": "U8", "shape": [array.nbytes], "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    head["__metadata__"] = {"numpy": np.__version__, "ml_dtypes": ml_dtypes.__version__}
    text = json.dumps(head, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path = pathlib.Path(__file__).resolve().parent / "nextafter_ml_dtypes.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(array.tobytes() for array in tensors.values()))
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
