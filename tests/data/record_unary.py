#!/usr/bin/env python3
"""Records the dtypes of functions of one operand, in the framework's file: the sections `unary.OP`.

    python record_unary.py numpy|jax|torch|array-api|tensorflow [OP..]

asks for these ops, or for all below. Each with its framework installed; README.md names the versions. The
columns are those of the section `unary.negative`, if there is one.
"""
import json, os, pathlib, re, sys

from sections import write_section

NAMES = {"bool": "bool", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "i8": "int8", "i16": "int16", "i32": "int32",
         "i64": "int64", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "c32": "complex32", "bc32": "bcomplex32",
         "c64": "complex64", "c128": "complex128", "u1": "uint1", "u2": "uint2", "u4": "uint4", "i1": "int1", "i2": "int2", "i4": "int4"}
native = lambda d: NAMES.get(d) or re.sub(r"^f(\d)(e.*)$", r"float\1_\2", d)


def numpy():
    import numpy as np
    ops = {n: getattr(np, n) for n in ("positive", "signbit", "cbrt")}
    return np.__version__, {"": lambda f, d: f(np.ones(2, native(d))).dtype.name}, ops


def array_api():
    import array_api_strict as xp
    ops = {n: getattr(xp, n) for n in ("positive", "signbit", "isinf", "isfinite", "imag")}
    array = lambda d: xp.ones(2, dtype=getattr(xp, native(d)))
    return xp.__version__, {"": lambda f, d: str(f(array(d)).dtype).split(".")[-1]}, ops


def jax():
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import jax.numpy as jnp
    special = jax.scipy.special
    ops = {"positive": jnp.positive, "signbit": jnp.signbit, "cbrt": jnp.cbrt, "rsqrt": jax.lax.rsqrt, "erf": special.erf,
           "erfc": special.erfc, "relu": jax.nn.relu, "silu": jax.nn.silu, "softplus": jax.nn.softplus,
           "gelu": lambda x: jax.nn.gelu(x, approximate=False), "gelu_tanh": jax.nn.gelu, "sigmoid": jax.nn.sigmoid}

    def asked(x64):
        def ask(f, d):
            jax.config.update("jax_enable_x64", x64)
            out = jax.eval_shape(lambda x: f(x), jax.ShapeDtypeStruct((2,), native(d)))
            return out.dtype.name + "*" * out.weak_type
        return ask
    return jax.__version__, {"": asked(True), "x64=false|": asked(False)}, ops


def torch():
    import torch
    F = torch.nn.functional
    ops = {n: getattr(torch, n) for n in ("positive", "signbit", "relu", "rsqrt", "erf", "erfc")}
    ops |= {n: getattr(F, n) for n in ("silu", "softplus", "gelu")} | {"gelu_tanh": lambda x: F.gelu(x, approximate="tanh")}
    array = lambda d: torch.ones(2).to(getattr(torch, native(d)))
    return torch.__version__, {"": lambda f, d: str(f(array(d)).dtype).removeprefix("torch.")}, ops


def tensorflow():
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf
    ops = {n: getattr(tf.math, n) for n in ("rsqrt", "erf", "erfc", "softplus")} | {n: getattr(tf.nn, n) for n in ("relu", "silu", "gelu")}
    ops |= {"gelu_tanh": lambda x: tf.nn.gelu(x, approximate=True)}
    return tf.__version__, {"": lambda f, d: f(tf.ones(2, native(d))).dtype.name}, ops


def word(ask, f, d):
    try:
        found = ask(f, d)
    except Exception as e:  # each framework has errors of its own
        if "is not in the list of allowed" in str(e):
            return "no_kernel"
        return "no_kernel" if re.search("not implemented for|[Nn]o kernel", str(e)) else "-"
    weak = found.endswith("*")
    found = found.rstrip("*")
    return next((n for n in [*NAMES, *EXTRA] if native(n) == found), found) + "*" * weak


EXTRA = "f4e2m1fn f6e2m3fn f6e3m2fn f8e3m4 f8e4m3 f8e8m0fnu f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz".split()


def main(which, names):
    file = which.replace("-", "_")
    version, modes, ops = {"numpy": numpy, "jax": jax, "torch": torch, "array-api": array_api, "tensorflow": tensorflow}[which]()
    sections = json.loads(pathlib.Path(__file__).with_name(f"{file}.json").read_text())["sections"]
    for mode, ask in modes.items():
        columns = sections.get(f"{mode}unary.negative", ["bool u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128"])[0]
        for op in names or ops:
            words = [word(ask, ops[op], d) for d in columns.split()]
            write_section(file, version, f"{mode}unary.{op}", [columns, " ".join(words)])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
