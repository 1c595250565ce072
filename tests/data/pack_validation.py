#!/usr/bin/env python3
"""Packs NumPy's validation set of mathematical functions, `validation_numpy.bin`, beside this script.

    python pack_validation.py

The set is part of NumPy's wheel: operands at which functions are hard to compute, and the nearest floats to
the exact results. README.md names the version, and `validation_numpy.LICENSE` is the licence of the set.
"""
import pathlib, platform
import numpy as np

from values import Writer

DTYPES = {"np.float32": "f32", "np.float64": "f64"}


def main():
    out = Writer(framework="NumPy", version=np.__version__, python=platform.python_version())
    lines = 0
    cases = []
    for path in sorted(pathlib.Path(np.__file__).parent.glob("_core/tests/data/umath-validation-set-*.csv")):
        theirs = path.stem.rsplit("-", 1)[1]
        op = theirs.replace("arc", "a")
        columns = {}
        for line in path.read_text().splitlines()[1:]:
            if line.startswith("np."):
                dtype, operand, result, _ = line.split(",")
                columns.setdefault(DTYPES[dtype], []).append((int(operand, 16), int(result, 16)))
        for dtype, rows in columns.items():
            size = int(dtype[1:]) // 8
            operands, results = (b"".join(row[k].to_bytes(size, "little") for row in rows) for k in (0, 1))
            out.pool(f"{op}.{dtype}", operands)
            cases.append((op, dtype, results))
            lines += len(rows)
    for op, dtype, results in cases:
        out.case(op, [f"{op}.{dtype}"], dtype, results)
    out.write("validation_numpy")
    print(f"{lines} lines")


main()
