#!/usr/bin/env python3
"""Records the dtype of `where` with an array and a Python integer, in the framework's file.

The dtype can depend on the integer's value.

    python record_where.py numpy|numpy1|ml-dtypes|array-api|tensorflow-numpy

Each with its framework installed. README.md names the versions and describes the section
`number_values.where`.
"""
import os, sys

from sections import write_section

NAMES = {"bool": "bool", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "i8": "int8", "i16": "int16", "i32": "int32",
         "i64": "int64", "bf16": "bfloat16", "f8e4m3fn": "float8_e4m3fn", "i4": "int4", "u4": "uint4", "f16": "float16", "f32": "float32",
         "f64": "float64", "c64": "complex64", "c128": "complex128"}
NUMBERS = [0, 7, 8, 127, 128, 255, 256, 300, 65535, 65536, 2**31, 2**32, 2**63 - 1, -1, -8, -9, -128, -129, -32769, -(2**31) - 1]
NUMPY = "bool u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64 c64".split()


def numpy():
    import numpy as np
    return np.__version__, NUMPY, np.where, lambda d: np.ones(1, NAMES[d])


def ml_dtypes():
    import ml_dtypes
    import numpy as np
    native = lambda d: getattr(ml_dtypes, NAMES[d]) if hasattr(ml_dtypes, NAMES[d]) else NAMES[d]
    dtypes = ["bf16", "f8e4m3fn", "i4", "u4", *NUMPY]
    return f"{ml_dtypes.__version__} on NumPy {np.__version__}", dtypes, np.where, lambda d: np.ones(1, native(d))


def array_api():
    import array_api_strict as xp
    condition = xp.asarray([True])
    where = lambda _, a, b: xp.where(condition, a, b)
    dtypes = [d for d in NUMPY if d != "f16"]
    return xp.__version__, dtypes, where, lambda d: xp.ones(1, dtype=getattr(xp, NAMES[d]))


def tensorflow_numpy():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf
    tnp = tf.experimental.numpy
    tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
    # An integer beyond i32 is no tensor at all, beside whatever it stands.
    global NUMBERS
    NUMBERS = [x for x in NUMBERS if -(2**31) <= x < 2**31]
    return tf.__version__, ["bool", "u8", "i8", "i16", "i32", "f16", "f32", "f64"], tnp.where, lambda d: tf.ones(1, NAMES[d])


def asked(where, a, b):
    import numpy as np
    try:
        found = where(np.array([True]), a, b)
    except (OverflowError, TypeError, ValueError):
        return "-"
    name = getattr(found.dtype, "name", None) or str(found.dtype).split(".")[-1]
    return next((k for k, v in NAMES.items() if v == name), name)


def main(which):
    version, dtypes, where, array = {"numpy": numpy, "numpy1": numpy, "ml-dtypes": ml_dtypes, "array-api": array_api,
                                     "tensorflow-numpy": tensorflow_numpy}[which]()
    table = [" ".join(["a/b", *dtypes])]
    for number in NUMBERS:
        words = [asked(where, array(d), number) for d in dtypes]
        assert words == [asked(where, number, array(d)) for d in dtypes], "both orders"
        table.append(" ".join([f"py_int:{number}", *words]))
    file, section = {"tensorflow-numpy": ("tensorflow", "tnp_number_values.where")}.get(which, (which.replace("-", "_"), "number_values.where"))
    write_section(file, version, section, table)


if __name__ == "__main__":
    main(sys.argv[1])
