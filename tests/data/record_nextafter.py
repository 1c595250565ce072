#!/usr/bin/env python3
"""Records the results of `np.nextafter` of the narrow floats of NumPy and ml_dtypes.

The output is `nextafter_ml_dtypes.bin`, beside this script.

    python record_nextafter.py

README.md names the versions and describes the file.
"""
import ml_dtypes
import numpy as np

from values import Writer

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
    out = Writer(framework="ml_dtypes", version=ml_dtypes.__version__, numpy=np.__version__)
    with np.errstate(all="ignore"):
        for name, dtype in DTYPES.items():
            left, right = operands(dtype)
            # Every left operand with every right one.
            left, right = np.repeat(left, right.size), np.tile(right, left.size)
            found = np.nextafter(left, right)
            assert found.dtype == dtype, found.dtype
            out.pool(f"left.{name}", left.tobytes())
            out.pool(f"right.{name}", right.tobytes())
            out.case("nextafter", [f"left.{name}", f"right.{name}"], name, found.tobytes())
    out.write("nextafter_ml_dtypes")


if __name__ == "__main__":
    main()
