#!/usr/bin/env python3
"""Records which dtypes names stand for in a system, and what the functions compute that names of ops stand for,
in names.json.

    python record_names.py numpy|numpy1|ml-dtypes|array-api|torch|jax|paddle|tensorflow|oneflow|polars|openvino|arrow

Each with its framework installed. README.md names the versions. Asked are all names of dtypes that the system
itself lists, and those of the rule file; null is the answer to a name that the system does not know, such as
one of a document. Of a function are recorded the arrays that it was called with, and its result.
"""
import importlib, json, os, re, sys
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = {"arrow": "datafusion"}


def canonical(name):
    """Our name of a dtype, from one such as float8_e4m3fn."""
    name = name.lower().removeprefix("torch.")
    name = {"boolean": "bool", "halffloat": "float16", "float": "float32", "double": "float64"}.get(name, name)
    if name == "bool":
        return name
    found = re.fullmatch(r"(uint|int|bfloat|float|bcomplex|complex)(\d+)(?:_(\w+))?", name)
    if not found:
        return None
    stem, bits, rest = found.groups()
    letters = {"uint": "u", "int": "i", "bfloat": "bf", "float": "f", "bcomplex": "bc", "complex": "c"}[stem]
    return letters + bits + (rest or "")


def of_file(system):
    """The names in the `names` block of the rule file: of dtypes, also without their paths."""
    text = open(os.path.join(HERE, "../../rules", FILE.get(system, system).replace("-", "_") + ".rs")).read()
    block = re.search(r"\n    names \{\n(.*?)\n    \}\n", text, re.S).group(1).split("\n\n")
    names = re.findall(r'"([^"]*)"', block[0])
    lines = re.findall(r"(\w+): +(.*);", block[1]) if len(block) > 1 else []
    ops = {name: op for op, spelled in lines for name in re.findall(r'"([^"]*)"', spelled)}
    return names + [name.rsplit(".", 1)[1] for name in names if "." in name], ops


def numpy_like(path, module, listed):
    """How NumPy reads a name: a path of its module, or the text of a dtype."""
    def ask(name):
        if name.startswith(path + "."):
            found = getattr(module, name[len(path) + 1:], None)
            return found and np.dtype(found).name
        try:
            return np.dtype(name).name
        except TypeError:
            return None

    return np.__version__, listed, ask


def numpy():
    scalars = [k for k in dir(np) if isinstance(getattr(np, k, None), type) and issubclass(getattr(np, k), np.generic)]
    chars = [c for c in np.typecodes["AllInteger"] + np.typecodes["AllFloat"] + "?"]
    strings = [s for c in chars for s in (np.dtype(c).str, np.dtype(c).str[1:], np.dtype(c).name)]
    words = [k for k in getattr(np, "sctypeDict", {}) if isinstance(k, str)]
    abstract = "number inexact floating complexfloating integer signedinteger unsignedinteger generic flexible character"
    return numpy_like("np", np, ["np." + k for k in scalars if k not in abstract.split()] + chars + strings + words)


def ml_dtypes():
    import ml_dtypes
    listed = [k for k in dir(ml_dtypes) if isinstance(getattr(ml_dtypes, k), type) and canonical(k)]
    version, _, ask = numpy_like("ml_dtypes", ml_dtypes, [])
    return f"{ml_dtypes.__version__} on NumPy {version}", listed + ["ml_dtypes." + k for k in listed], ask


def array_api():
    import array_api_strict as xp
    known = {str(k): canonical(k) for k in dir(xp) if type(getattr(xp, k)).__name__ == "DType"}
    return xp.__version__, list(known), lambda name: name if name in known else None


def torch():
    import torch
    known = {"torch." + k: v for k, v in vars(torch).items() if isinstance(v, torch.dtype)}
    # How messages call a dtype: that of a result, or that of the array it is to be stored in.
    for dtype in set(known.values()):
        complex = dtype.is_complex
        try:
            operand = torch.zeros(1, dtype=dtype if complex else torch.complex128)
            torch.add(operand, 1, out=torch.empty(1, dtype=torch.float32 if complex else dtype))
        except RuntimeError as error:
            found = re.search(r"result type (\w+) can't be cast to the desired output type (\w+)", str(error))
            if found:
                known[found[1 if complex else 2]] = dtype
    names = {name: str(dtype) for name, dtype in known.items()}
    names.update({name[6:]: dtype for name, dtype in names.items() if name.startswith("torch.")})
    return torch.__version__.split("+")[0], list(names), names.get


def paddle():
    import paddle
    known = {k: str(v) for k, v in vars(paddle).items() if type(v).__name__ in ("DataType", "dtype")}
    known = {k: v.removeprefix("paddle.") for k, v in known.items() if v.startswith("paddle.")}
    return paddle.__version__, list(known) + ["paddle." + k for k in known], lambda k: known.get(k.removeprefix("paddle."))


def jax():
    import jax
    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    scalars = [k for k in dir(jnp) if type(getattr(jnp, k)).__name__ == "_ScalarMeta"]
    listed = ["jnp." + k for k in scalars] + [jnp.dtype(getattr(jnp, k)).name for k in scalars]
    _, _, ask = numpy_like("jnp", jnp, [])
    return jax.__version__, listed, ask


def polars():
    import polars as pl
    listed = [k for k in dir(pl) if isinstance(getattr(pl, k), type) and issubclass(getattr(pl, k), pl.DataType) and canonical(k)]
    known = {p + k: k for k in listed for p in ("", "pl.")}
    return pl.__version__, list(known), known.get


def openvino():
    import openvino as ov
    listed = [k for k in dir(ov.Type) if isinstance(getattr(ov.Type, k), ov.Type) and k not in ("dynamic", "undefined")]
    ours = {"boolean": "bool", "f8e4m3": "f8e4m3fn", "f8e8m0": "f8e8m0fnu", "f4e2m1": "f4e2m1fn"}
    known = {p + k: ours.get(k, k) for k in listed for p in ("", "ov.Type.")}
    return ov.__version__.split("-")[0], list(known), known.get


def arrow():
    import pyarrow as pa

    def ask(name):
        try:
            return str(pa.type_for_alias(name))
        except ValueError:
            return None

    return pa.__version__, "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 halffloat float double float16 float32 float64".split(), ask


def tensorflow():
    import tensorflow as tf
    from tensorflow.core.framework import types_pb2
    known = {"tf." + k: v.name for k, v in vars(tf.dtypes).items() if isinstance(v, tf.DType)}
    known.update({"tf." + k: v.name for k, v in vars(tf).items() if isinstance(v, tf.DType)})

    def ask(name):
        if name.startswith("tf."):
            return known.get(name)
        try:
            return tf.as_dtype(types_pb2.DataType.Value(name) if name.startswith("DT_") else name).name
        except (TypeError, ValueError):
            return None

    return tf.__version__, list(known) + [k[3:] for k in known] + [k for k in types_pb2.DataType.keys() if not k.endswith("_REF")], ask


def oneflow():
    import oneflow as flow
    from oneflow.core.common import data_type_pb2
    known = {p + k: str(v) for k, v in vars(flow).items() if isinstance(v, flow.dtype) for p in ("", "flow.", "oneflow.")}
    known = {k: v.removeprefix("oneflow.") for k, v in known.items()}
    # How messages call a dtype.
    known.update({k: k[1:] for k in data_type_pb2.DataType.keys() if canonical(k[1:])})
    return flow.__version__, list(known), known.get


# Where the first word of a path leads. The array API standard has no paths.
MODULES = {"np": "numpy", "jnp": "jax.numpy", "lax": "jax.lax", "torch": "torch", "paddle": "paddle", "tf": "tensorflow",
           "": "array_api_strict"}
FLOATS = [0.25, -0.5, 0.75, 1.5, -2.5, 3.0], [2.0, -3.0, 0.75, 0.25, 2.0, -1.5]
INTEGERS = [5, -3, 12, 0, 7, 1], [1, 2, 3, 4, 0, 6]
BOOLS = [True, False, True, True, False, True]
# The arrays that an op is called with, where these are not one or two arrays of floats.
GIVEN = {
    "any": [("bool", BOOLS)],
    "all": [("bool", BOOLS)],
    "where": [("bool", BOOLS), ("f32", FLOATS[0]), ("f32", FLOATS[1])],
    "matmul": [("f32", [FLOATS[0][:3], FLOATS[0][3:]]), ("f32", [FLOATS[1][:2], FLOATS[1][2:4], FLOATS[1][4:]])],
    "bitwise_not": [("i32", INTEGERS[0])],
    "left_shift": [("i32", INTEGERS[0]), ("i32", INTEGERS[1])],
    "right_shift": [("i32", INTEGERS[0]), ("i32", INTEGERS[1])],
}
NUMPY = {"bool": np.bool_, "f32": np.float32, "f64": np.float64, "i32": np.int32}


def computed(name, op):
    """Returns the arrays that a function was called with, and its result; `None` if there is no such function."""
    root, _, path = name.rpartition(".") if "." not in name else name.partition(".")
    module = importlib.import_module(MODULES[root])
    function = module
    for word in path.split("."):
        function = getattr(function, word, None)
    if function is None:
        return None
    arrays = importlib.import_module("jax.numpy") if root == "lax" else module
    make = getattr(arrays, {"torch": "tensor", "paddle": "to_tensor", "tf": "constant"}.get(root, "asarray"))

    def call(given):
        arrays = [make(np.array(numbers, NUMPY[dtype])) for dtype, numbers in given]
        if op == "concatenate":
            found = function(arrays, axis=0) if root in ("", "jnp") else function(arrays, 0)
        elif op == "clamp":
            found = function(arrays[0], -1.0, 1.0)
        elif op == "astype":
            found = function(arrays[0], module.int32 if root == "tf" else "int32")
        elif op in ("cumsum", "cumprod"):
            found = function(arrays[0], axis=0)
        else:
            found = function(*arrays)
        found = np.asarray(found)
        numbers = [x if isinstance(x, (bool, int)) else None if np.isnan(x) else str(x) if np.isinf(x) else x for x in found.flatten().tolist()]
        return {"op": op, "operands": given, "result": [canonical(found.dtype.name), list(found.shape), numbers]}

    two = [("f32", numbers) for numbers in FLOATS]
    if op in GIVEN:
        return call(GIVEN[op])
    if op == "concatenate":
        return call(two)
    try:
        return call(two[:1])
    except (TypeError, ValueError):
        return call(two)


def main():
    np.seterr(all="ignore")
    system = sys.argv[1]
    version, listed, ask = globals()[{"numpy1": "numpy"}.get(system, system.replace("-", "_"))]()
    names = {}
    in_file, ops = of_file(system)
    for name in sorted(set(listed) | set(in_file)):
        answer = ask(name)
        answer = answer if system == "openvino" else answer and canonical(answer)
        if answer or name in in_file:
            names[name] = answer
    functions = {name: computed(name, op) for name, op in sorted(ops.items())}
    path = os.path.join(HERE, "names.json")
    known = json.load(open(path)) if os.path.exists(path) else {}
    known[FILE.get(system, system)] = {"version": version, "names": names, **({"functions": functions} if functions else {})}
    lines = (f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(known.items()))
    open(path, "w").write("{\n" + ",\n".join(lines) + "\n}\n")
    print(system, version, len(names), "names, not known:", [k for k, v in names.items() if v is None],
          len(functions), "functions, not known:", [k for k, v in functions.items() if v is None])


main()
