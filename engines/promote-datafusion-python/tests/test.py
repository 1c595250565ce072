"""The functions in DataFusion's Python package: types, values and errors beyond the boundary."""

import sys
import tempfile

import promote_datafusion
import pyarrow as pa
from datafusion import SessionContext, udf

context = SessionContext()
for rules in ["torch", "numpy"]:
    for function in promote_datafusion.functions(rules):
        context.register_udf(udf(function))
batch = pa.record_batch(
    {
        "i8": pa.array([1, None, 127], pa.int8()),
        "u16": pa.array([1, 2, 3], pa.uint16()),
        "i32": pa.array([7, -7, None], pa.int32()),
        "f16": pa.array([0.5, 1.5, 2.0], pa.float16()),
        "f32": pa.array([0.1, 0.2, None], pa.float32()),
        "f64": pa.array([0.1, 0.2, 0.3], pa.float64()),
        "b": pa.array([True, False, None], pa.bool_()),
    }
)
context.register_record_batches("t", [[batch]])


def column(expr, rows="", table="t"):
    found = context.sql(f"SELECT {expr} AS x FROM {table} {rows}").to_arrow_table()
    planned = context.sql(f"SELECT {expr} AS x FROM {table}").schema().field("x").type
    assert planned == found.schema.field("x").type, expr
    return found.column("x").combine_chunks()


def error(expr):
    try:
        column(expr)
    except Exception as error:
        return str(error)
    raise AssertionError(f"{expr} is no error")


checks = 0


def check(expr, data_type, values):
    global checks
    checks += 1
    found = column(expr)
    assert (found.type, found.to_pylist()) == (data_type, values), f"{expr}: {found}"


# Types depend on the rule set, and literals are numbers without a width where the name says so.
check("promote_torch_add(i8, f16)", pa.float16(), [1.5, None, 129.0])
check("promote_numpy_add(i32, f16)", pa.float64(), [7.5, -5.5, None])
check("promote_torch_add(i8, 2)", pa.int64(), [3, None, 129])
check("promote_torch_add_weak_right(i8, 2)", pa.int8(), [3, None, -127])
check("promote_torch_subtract_weak_left(2, i8)", pa.int8(), [1, None, -125])
check("promote_torch_multiply_weak_right(i8, 2.5)", pa.float32(), [2.5, None, 317.5])
check("promote_torch_equal_weak_right(f32, 0.1)", pa.bool_(), [True, False, None])
check("promote_torch_equal(f32, 0.1)", pa.bool_(), [False, False, None])
check("promote_torch_remainder_weak_right(i32, 3)", pa.int32(), [1, 2, None])
check("promote_torch_add(b, i32)", pa.int32(), [8, -7, None])
check("promote_numpy_divide(i32, i8)", pa.float64(), [7.0, None, None])
check("promote_torch_add_weak_right(promote_torch_add_weak_right(i8, 1), 1)", pa.int8(), [3, None, -127])

# A constant is computed while the plan is optimised, and a table may be empty.
check("promote_torch_add(CAST(1 AS TINYINT), CAST(1.5 AS REAL))", pa.float32(), [2.5] * 3)
empty = column("promote_torch_multiply_weak_right(i8, 2.5)", "WHERE i32 > 100")
assert (empty.type, len(empty)) == (pa.float32(), 0)

# A function is also called from a data frame, and found by its name with parameters.
divide = udf(promote_datafusion.function("promote_torch[default_dtype=f64]_divide"))
from datafusion import col

frame = context.table("t").select(divide(col("i8"), col("i32")).alias("x")).to_arrow_table()
assert frame.column("x").to_pylist() == [1 / 7, None, None], frame

# Errors say what to do, and the session goes on.
for expr, parts in {
    "promote_torch_add(u16, i32)": ["`u16` and `i32`", "under Torch", "rules/torch.rs:"],
    "promote_torch_add_weak_right(i8, i32)": ["is not a literal", "help: "],
    "promote_torch_add(i8, CAST(1.5 AS DECIMAL(5, 1)))": ["decimals are exact", "help: "],
    "promote_torch_add(i8)": ["takes 2 arguments"],
}.items():
    told = error(expr)
    assert all(part in told for part in parts), f"{expr}: {told}"
    checks += 1
for call in [promote_datafusion.function, promote_datafusion.functions]:
    try:
        call("matlab")
    except (KeyError, ValueError) as told:
        assert "help: " in str(told), told
        checks += 1
    else:
        raise AssertionError(f"{call} accepts an unknown name")

# A rule file of one's own.
with tempfile.TemporaryDirectory() as folder:
    path = f"{folder}/wide.rs"
    with open(path, "w") as file:
        file.write("promote::rules! { rules Wide extends promote::Torch; promote { i8, f16 => f64; } }")
    for function in promote_datafusion.functions(path):
        context.register_udf(udf(function))
check("promote_wide_add(i8, f16)", pa.float64(), [1.5, None, 129.0])

print(f"Python {sys.version.split()[0]}: {checks} checks of functions in DataFusion's package")
