#!/usr/bin/env python3
"""Records which dtypes names stand for in a system, in names.json.

    python record_names.py numpy|numpy1|ml-dtypes|array-api|torch|jax|paddle|polars|openvino|arrow

Each with its framework installed. README.md names the versions. Asked are all names that the system itself
lists, and those of the rule file; null is the answer to a name that the system does not know, such as one of a
document.
"""
import json, os, re, sys

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
    block = re.search(r"\n    names \{\n(.*?)\n    \}\n", text, re.S).group(1).split("\n\n")[0]
    names = re.findall(r'"([^"]*)"', block)
    return names + [name.rsplit(".", 1)[1] for name in names if "." in name]


def numpy_like(path, module, listed):
    """How NumPy reads a name: a path of its module, or the text of a dtype."""
    import numpy as np

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
    import numpy as np
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


def main():
    system = sys.argv[1]
    version, listed, ask = globals()[{"numpy1": "numpy"}.get(system, system.replace("-", "_"))]()
    names = {}
    for name in sorted(set(listed) | set(of_file(system))):
        answer = ask(name)
        answer = answer if system == "openvino" else answer and canonical(answer)
        if answer or name in of_file(system):
            names[name] = answer
    path = os.path.join(HERE, "names.json")
    known = json.load(open(path)) if os.path.exists(path) else {}
    known[FILE.get(system, system)] = {"version": version, "names": names}
    lines = (f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(known.items()))
    open(path, "w").write("{\n" + ",\n".join(lines) + "\n}\n")
    print(system, version, len(names), "names, not known:", [k for k, v in names.items() if v is None])


main()
