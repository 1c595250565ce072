#!/usr/bin/env python3
"""Records the results of `logical_and` of an array and a Python number, for several numbers.

The output is `logical_SET.bin`, beside this script.

    python record_logical.py numpy|numpy1|ml-dtypes|jax

Each with its framework installed. README.md names the versions.
"""
import sys

from values import Writer

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


def main(which):
    import numpy as np
    version, dtypes, f, array = {"numpy": numpy, "numpy1": numpy, "ml-dtypes": ml_dtypes, "jax": jax}[which]()
    out = Writer(framework={"jax": "JAX", "ml-dtypes": "ml_dtypes"}.get(which, "NumPy"), version=version)
    for d in dtypes:
        out.pool(f"bits.{d}", np.asarray(array(d)).tobytes())
    for number in NUMBERS:
        word = f"number:{number.imag}j" if isinstance(number, complex) else f"number:{number}"
        for d in dtypes:
            for words, operands in (([f"bits.{d}", word], (array(d), number)), ([word, f"bits.{d}"], (number, array(d)))):
                try:
                    found = np.asarray(f(*operands))
                except (OverflowError, TypeError, ValueError):
                    out.case("logical_and", words, "refused")
                    continue
                assert found.dtype == np.bool_, (words, found)
                out.case("logical_and", words, "bool", found.tobytes())
    out.write(f"logical_{which.replace('-', '_')}")


if __name__ == "__main__":
    main(sys.argv[1])
