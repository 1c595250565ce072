"""A plugin of pytest: operators of Polars' series, computed by `promote_dtypes.namespace("polars")`.

Series of other dtypes than ours and expressions stay Polars'. Where one operand is null, so is the result.
"""

import functools

import numpy as np
import polars as pl
import promote_dtypes

import counting
from operators import ARITHMETIC, BITWISE, COMPARISONS

ours = promote_dtypes.namespace("polars")

DTYPES = {
    pl.Boolean,
    pl.UInt8,
    pl.UInt16,
    pl.UInt32,
    pl.UInt64,
    pl.Int8,
    pl.Int16,
    pl.Int32,
    pl.Int64,
    pl.Float16,
    pl.Float32,
    pl.Float64,
}
UNARY = {"neg": "negative", "abs": "abs"}
FUNCTIONS = ("sqrt", "exp", "log1p", "sin", "cos", "tan")


def is_ours(x):
    return type(x) in (bool, int, float) or type(x) is pl.Series and x.dtype in DTYPES


def without_nulls(x):
    """Returns an operand with 1 for null."""
    if not isinstance(x, pl.Series):
        return x
    return x.fill_null(True if x.dtype == pl.Boolean else 1).to_numpy()


def compute(name, operands, original):
    """Returns our result. Where ours refuse and Polars' function does, too, the error is its own."""
    counting.reached()
    masks = [x.is_null().to_numpy() for x in operands if isinstance(x, pl.Series)]
    values = [without_nulls(x) for x in operands]
    if name in ("floor_divide", "remainder") and all(np.result_type(x).kind in "iub" for x in values):
        # Of an integer divided by zero Polars makes null.
        masks.append(np.equal(values[1], 0))
        is_array = isinstance(values[1], np.ndarray)
        values[1] = np.where(masks[-1], values[1].dtype.type(1), values[1]) if is_array else values[1] or 1
    try:
        result = getattr(ours, name)(*values)
    except (TypeError, ValueError, ArithmeticError):
        original()
        raise
    series = next(x for x in operands if isinstance(x, pl.Series))
    found, mask = pl.Series(series.name, result), functools.reduce(np.logical_or, masks)
    return found.set(pl.Series(np.broadcast_to(mask, result.shape)), None) if np.any(mask) else found


def replace(name, method, reflected=False):
    original = getattr(pl.Series, method)

    @functools.wraps(original)
    def computed(self, *others):
        operands = (*others, self) if reflected else (self, *others)
        # `null & False` is known.
        is_logic = name.startswith("bitwise") and any(
            isinstance(x, pl.Series) and x.dtype == pl.Boolean and x.null_count() for x in operands
        )
        if is_logic or not all(map(is_ours, operands)):
            return original(self, *others)
        return compute(name, operands, lambda: original(self, *others))

    setattr(pl.Series, method, computed)


def pytest_configure():
    for name, op in (ARITHMETIC | BITWISE).items():
        replace(op, f"__{name}__")
        replace(op, f"__r{name}__", reflected=True)
    for name, op in (COMPARISONS | UNARY).items():
        replace(op, f"__{name}__")
    for name in FUNCTIONS:
        replace(name, name)
