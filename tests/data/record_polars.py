#!/usr/bin/env python3
"""Record the dtypes of Polars' trigonometric and related functions, in `polars.json`.

    python record_polars.py     # with polars==2.1.0
"""
import polars as pl

from sections import write_section

DTYPES = {"bool": pl.Boolean, "u8": pl.UInt8, "u16": pl.UInt16, "u32": pl.UInt32, "u64": pl.UInt64, "i8": pl.Int8, "i16": pl.Int16,
          "i32": pl.Int32, "i64": pl.Int64, "f16": pl.Float16, "f32": pl.Float32, "f64": pl.Float64}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
OPS = {"cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
       "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "log10": "log10", "isinf": "is_infinite"}

def answer(function, dtype):
    column = pl.DataFrame({"a": pl.Series([1, 1]).cast(dtype)})
    try:
        return NAMES[column.select(getattr(pl.col("a"), function)()).to_series().dtype]
    except pl.exceptions.InvalidOperationError:
        return "-"

for op, function in OPS.items():
    write_section("polars", pl.__version__, f"unary.{op}", [" ".join(DTYPES), " ".join(answer(function, d) for d in DTYPES.values())])
