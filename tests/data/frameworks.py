"""What the scripts that record small arrays share: dtypes, how a framework makes and returns an array, and the
words of an answer.
"""
import json, pathlib
import ml_dtypes
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
DTYPES = {"bool": np.bool_, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "i8": np.int8, "i16": np.int16,
          "i32": np.int32, "i64": np.int64, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
          "c64": np.complex64, "c128": np.complex128}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}


class NumPy:
    version = np.__version__
    lacks = {"bf16"}

    def array(self, name, array):
        return array

    def back(self, a):
        a = np.asarray(a)
        return NAMES[a.dtype], a


class Jax(NumPy):
    lacks = set()

    def __init__(self):
        import jax
        jax.config.update("jax_enable_x64", True)
        import jax.numpy
        self.jax, self.version = jax, jax.__version__

    def array(self, name, array):
        return self.jax.numpy.asarray(array)


class Torch:
    lacks = set()

    def __init__(self):
        import torch
        self.torch, self.version = torch, torch.__version__.split("+")[0]
        self.dtypes = {name: getattr(torch, np.dtype(dtype).name) for name, dtype in DTYPES.items()}

    def array(self, name, array):
        if name == "bf16":
            return self.torch.from_numpy(array.view(np.uint16).copy()).view(self.torch.bfloat16)
        return self.torch.from_numpy(array.copy())

    def back(self, a):
        name = next(name for name, dtype in self.dtypes.items() if dtype == a.dtype)
        return name, (a.view(self.torch.uint16) if name == "bf16" else a).numpy()


class Paddle:
    lacks = {"u16", "u32", "u64"}

    def __init__(self):
        import paddle
        self.paddle, self.version = paddle, paddle.__version__
        self.dtypes = {name: np.dtype(dtype).name for name, dtype in DTYPES.items()}

    def array(self, name, array):
        # It reads 16-bit integers as bfloat16.
        return self.paddle.to_tensor(array.view(np.uint16) if name == "bf16" else array, dtype=self.dtypes[name])

    def back(self, a):
        return next(name for name, dtype in self.dtypes.items() if dtype == str(a.dtype).removeprefix("paddle.")), a.numpy()


def answer(framework, compute):
    """Returns what came of a call: a dtype, a shape and the elements' bytes; `-` if the framework has an error.
    The framework has no such call if that is a `LookupError`: the answer is `None`."""
    try:
        name, found = framework.back(compute())
    except LookupError as error:
        return "-" if isinstance(error, (IndexError, KeyError)) else None
    except (TypeError, ValueError, RuntimeError, NotImplementedError):
        return "-"
    return f"{name} {list(found.shape)} {np.ascontiguousarray(found).tobytes().hex()}".replace(", ", ",")


def write(name, which, framework, **rows):
    """Writes lists of cases to `NAME_FRAMEWORK.json`, beside the scripts."""
    head = {"framework": which, "version": framework.version}
    lines = [f'"{key}": [\n' + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]" for key, cases in rows.items()]
    (HERE / f"{name}_{which}.json").write_text(json.dumps(head)[:-1] + ",\n" + ",\n".join(lines) + "}\n")
