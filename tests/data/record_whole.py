#!/usr/bin/env python3
"""Records what ops of whole arrays give: `whole_FRAMEWORK.bin`, beside this script, which is compressed JSON.

    python record_whole.py torch|numpy|jax

Each with its framework installed; README.md names the versions and describes the file.
"""
import itertools, json, math, os, pathlib, re, sys, warnings, zlib

import ml_dtypes
import numpy as np

NAMES = {"bool": "bool", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "i8": "int8", "i16": "int16", "i32": "int32",
         "i64": "int64", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}
FULL = {"u8": 200, "u16": 60000, "u32": 2**31 + 11, "u64": 2**52 + 5, "i8": -100, "i16": 30001, "i32": -(2**31) + 7, "i64": 2**51 + 3}
native = lambda d: NAMES.get(d) or re.sub(r"^f(\d)(e.*)$", r"float\1_\2", d)


class Torch:
    def __init__(self):
        import torch
        torch.set_num_threads(1)
        self.version, self.dtypes = torch.__version__.split("+")[0], list(NAMES)
        self.array = lambda d, x: torch.tensor(x.tolist(), dtype=torch.complex128 if x.dtype.kind == "c" else torch.float64).reshape(x.shape).to(getattr(torch, native(d)))
        self.read = lambda r: (str(r.dtype).removeprefix("torch."), r.shape, r.flatten().to(torch.float64).tolist() if r.dtype in (torch.bfloat16, torch.float16) else r.flatten().tolist())
        self.ops = {"concatenate": lambda a, axis: torch.cat(a, axis), "stack": lambda a, axis: torch.stack(a, axis),
                    "isin": lambda a, axis: torch.isin(*a), "matmul": lambda a, axis: torch.matmul(*a)}


class NumPy:
    def __init__(self):
        self.version, self.dtypes = np.__version__, [d for d in NAMES if d != "bf16"]
        self.array = lambda d, x: x.astype(native(d))
        self.read = lambda r: (r.dtype.name, r.shape, r.flatten().tolist())
        self.ops = {"concatenate": lambda a, axis: np.concatenate(a, axis), "stack": lambda a, axis: np.stack(a, axis),
                    "isin": lambda a, axis: np.isin(*a), "matmul": lambda a, axis: np.asarray(np.matmul(*a))}


class Jax:
    def __init__(self):
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        import jax.numpy as jnp
        self.jax, self.version, self.dtypes = jax, jax.__version__, list(NAMES)
        jax.config.update("jax_enable_x64", True)
        self.array = lambda d, x: jnp.asarray(x.astype(ml_dtypes.bfloat16 if d == "bf16" else native(d)))
        self.read = lambda r: (r.dtype.name, r.shape, np.asarray(r).astype(np.float64 if r.dtype.name == "bfloat16" else r.dtype).flatten().tolist())
        self.ops = {"concatenate": lambda a, axis: jnp.concatenate(a, axis), "stack": lambda a, axis: jnp.stack(a, axis),
                    "isin": lambda a, axis: jnp.isin(*a), "matmul": lambda a, axis: jnp.matmul(*a)}


def operands(dtypes):
    """Small whole numbers, so that every dtype holds them and their sums of products: arrays of 2 by 3, 2 by 3
    and 3 by 2 elements."""
    a, b = dtypes
    number = lambda d, x: x % 2 if d == "bool" else abs(x) if d[0] == "u" else x + (x % 3) * 1j if d[0] == "c" else x
    fill = lambda d, shape, seed: np.array([number(d, (seed * k * k + k) % 7 - 3) for k in range(math.prod(shape))]).reshape(shape)
    return fill(a, (2, 3), 1), fill(b, (2, 3), 2), fill(b, (3, 2), 3)


def cases(dtypes):
    """(op, axis, operands as (dtype, array))"""
    for a, b in itertools.product(dtypes, dtypes):
        x, y, z = operands((a, b))
        yield "concatenate", 0, [(a, x), (b, y[:1])]
        yield "stack", 1, [(a, x), (b, y)]
        yield "isin", None, [(a, x), (b, z)]
        yield "matmul", None, [(a, x), (b, z)]
    for d, top in FULL.items():  # products that wrap
        if d in dtypes:
            x = np.array([[top, 3, top - 1], [1, top, 2]], dtype=object).astype(np.float64)
            yield "matmul", None, [(d, x), (d, x.T.copy())]
    real = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.5, 2.0, -3.0])
    for d in ("f16", "f32", "f64", "c64"):
        yield "isin", None, [(d, real.reshape(2, 4)), (d, real[[1, 2, 4, 5]])]
        yield "isin", None, [(d, real), (d, real[:0])]
    three = [("u8", np.array([[1, 2]])), ("i8", np.array([[-3], [4]]).reshape(1, 2)), ("f16", np.array([[0.5, 6.0]]))]
    for axis in (0, 1, -1):
        yield "concatenate", axis, three
    for axis in (0, 1, 2, -1, -3):
        yield "stack", axis, three
    yield "concatenate", -2, [("i32", np.zeros((0, 2))), ("i32", np.ones((3, 2)))]
    yield "concatenate", 1, [("i32", np.zeros((3, 2))), ("i32", np.ones((2, 2)))]
    yield "concatenate", 0, [("i32", np.zeros((3, 2))), ("i32", np.ones(2))]
    yield "concatenate", 2, [("i32", np.zeros((3, 2)))] * 2
    yield "stack", 0, [("i32", np.zeros((3, 2))), ("i32", np.ones((2, 2)))]
    yield "stack", 0, [("i32", np.float64(3)), ("i32", np.float64(4))]
    yield "stack", -4, [("i32", np.zeros((3, 2)))] * 2
    count = lambda *shape: np.arange(math.prod(shape), dtype=np.float64).reshape(shape) % 11 - 5
    for d in ("i32", "f32", "f16", "c64"):
        for a, b in [((3,), (3,)), ((3,), (3, 2)), ((2, 3), (3,)), ((2, 1, 2, 3), (3, 3, 2)), ((3,), (4, 3, 2)), ((4, 2, 3), (3,)),
                     ((2, 0), (0, 3)), ((0, 3), (3, 2)), ((2, 2, 3), (3, 3, 2)), ((2, 3), (2, 3)), ((3,), (4,)), ((), (3,)), ((3,), ())]:
            yield "matmul", None, [(d, count(*a)), (d, count(*b))]
    wave = np.sin(np.arange(24 * 40, dtype=np.float64)).reshape(24, 40)
    for d in ("bf16", "f16", "f32", "f64", "c64", "c128"):
        if d in dtypes:
            yield "matmul", None, [(d, wave), (d, wave.T.copy())]


def word(x):
    if isinstance(x, complex):
        return [word(x.real), word(x.imag)]
    return x if not isinstance(x, float) or math.isfinite(x) else str(x)


def main(which):
    f = {"torch": Torch, "numpy": NumPy, "jax": Jax}[which]()
    back = {native(d): d for d in NAMES}
    lines = []
    for op, axis, given in cases(f.dtypes):
        line = {"op": op, "axis": axis, "operands": [[d, list(x.shape), [word(v) for v in x.flatten().tolist()]] for d, x in given]}
        try:
            dtype, shape, values = f.read(f.ops[op]([f.array(d, x) for d, x in given], axis))
            line["result"] = [back[dtype], list(shape), [word(v) for v in values]]
        except Exception as e:  # each framework has errors of its own
            line["error"] = "no_kernel" if re.search("not implemented for|[Nn]o kernel|Unsupported dtype", str(e)) else "refused"
        lines.append(json.dumps(line))
    text = '{"framework": "%s", "version": "%s", "cases": [\n' % (which, f.version) + ",\n".join(lines) + "\n]}\n"
    path = pathlib.Path(__file__).with_name(f"whole_{which}.bin")
    path.write_bytes(zlib.compress(text.encode(), 9))
    print(f"{path.name}: {len(lines)} cases of {which} {f.version}, {path.stat().st_size} bytes")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    main(sys.argv[1])
