#!/usr/bin/env python3
"""Record what `logical_and` makes of an array and a Python number, by the value of that: `logical_numbers.json`, beside this script.

    python record_logical.py numpy|numpy1|ml-dtypes|jax

Each with its framework installed; what the file has of the others is kept. README.md names the versions and describes the file.
"""
import json, pathlib, sys

NAMES = {"bool": "bool", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "i8": "int8", "i16": "int16", "i32": "int32",
         "i64": "int64", "bf16": "bfloat16", "f8e4m3fn": "float8_e4m3fn", "f16": "float16", "f32": "float32",
         "f64": "float64", "c64": "complex64", "c128": "complex128"}
NUMBERS = [0, 1, 16, 256, -256, 65536, 2**31, 2**32, 2**63 - 1, -(2**63), 0.0, 0.5, 1e-10, 1e-300, float("nan"), 1j, 1e-300j]
NUMPY = "bool u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64 c128".split()


def numpy():
    import numpy as np
    return np.__version__, NUMPY, np.logical_and, lambda d: np.array([0, 1], NAMES[d])


def ml_dtypes():
    import ml_dtypes
    import numpy as np
    native = lambda d: getattr(ml_dtypes, NAMES[d]) if hasattr(ml_dtypes, NAMES[d]) else NAMES[d]
    dtypes = ["bf16", "f8e4m3fn", *NUMPY]
    return f"{ml_dtypes.__version__} on NumPy {np.__version__}", dtypes, np.logical_and, lambda d: np.array([0, 1], native(d))


def jax():
    import jax
    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    dtypes = ["bf16", *NUMPY]
    return jax.__version__, dtypes, jnp.logical_and, lambda d: jnp.array([0, 1], NAMES[d])


def asked(f, a, b):
    import numpy as np
    try:
        found = np.asarray(f(a, b))
    except (OverflowError, TypeError, ValueError):
        return "-"
    assert found.dtype == np.bool_ and not found[0], (a, b, found)
    return "true" if found[1] else "false"


def main(which):
    version, dtypes, f, array = {"numpy": numpy, "numpy1": numpy, "ml-dtypes": ml_dtypes, "jax": jax}[which]()
    table = [" ".join(["a/b", *dtypes])]
    for number in NUMBERS:
        words = [asked(f, array(d), number) for d in dtypes]
        assert words == [asked(f, number, array(d)) for d in dtypes], "both orders"
        kind = {int: "int", float: "float", complex: "complex"}[type(number)]
        table.append(" ".join([f"py_{kind}:{number.imag if kind == 'complex' else number}", *words]))
    path = pathlib.Path(__file__).resolve().parent / "logical_numbers.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    known[which] = {"version": version, "table": table}
    path.write_text(json.dumps(dict(sorted(known.items())), indent=0) + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes, {version}")


if __name__ == "__main__":
    main(sys.argv[1])
