#!/usr/bin/env python3
"""Record what a framework other than PyTorch computes: `cases_FRAMEWORK.bin`, beside this script.

    python record_values.py numpy|jax|tensorflow|paddle|oneflow

Each with its framework installed; README.md names the versions and describes the file.
"""
import collections, operator, os, platform, re, sys, warnings
import numpy as np

from values import Writer

LANES, SAME, TURN = 32, 6, 7  # the first SAME lanes are the same left and right, the others turned by TURN
NUMPY = {"bool": np.bool_, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "i8": np.int8, "i16": np.int16,
         "i32": np.int32, "i64": np.int64, "bf16": np.uint16, "f16": np.float16, "f32": np.float32, "f64": np.float64,
         "c64": np.complex64}  # bf16 by its bits, the upper half of an f32
SIGNED, UNSIGNED, FLOATS = ["i8", "i32", "i64"], ["u8"], ["bf16", "f16", "f32", "f64"]
INTEGERS = UNSIGNED + SIGNED
MIXED = [("u8", "i8"), ("i32", "f16"), ("f16", "f32"), ("bf16", "f32"), ("i32", "f32"), ("f32", "i64"), ("bool", "i32"), ("f32", "f64")]
NUMBERS = ["number:2.5", "number:-1", "number:3", "number:1e-8"]

COMPARE = "equal not_equal less greater_equal".split()
LOGICAL = "logical_and logical_xor".split()
BITWISE = "bitwise_and bitwise_or bitwise_xor".split()
SHIFTS = "left_shift right_shift".split()
DIVIDES = "floor_divide divide_trunc remainder fmod".split()
ARITHMETIC = "add subtract multiply divide".split()
EXTREMA = "maximum minimum fmax fmin".split()
OF_FLOATS = "atan2 hypot copysign nextafter heaviside logaddexp logaddexp2 xlogy".split()
OPERATORS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
             "floor_divide": operator.floordiv, "remainder": operator.mod, "pow": operator.pow, "less": operator.lt}
ELEMENTARY = "sqrt exp expm1 log log1p sin cos tan atan tanh sinh sigmoid".split()
UNARY = "negative abs sign square reciprocal floor ceil trunc round isnan isinf isfinite logical_not bitwise_not".split() + ELEMENTARY
REDUCE = "sum prod mean max min any all cumsum argmax argmin".split()
NAMES = [*ARITHMETIC, *DIVIDES, *COMPARE, *LOGICAL, *BITWISE, *SHIFTS, *EXTREMA, *OF_FLOATS, *UNARY, *REDUCE, "gcd", "lcm", "pow", "float_power"]

TRAP = re.compile(r"divi(sion|de) by zero|integer powers|negative integer", re.I)

def half(values):
    """The bits of bf16, to nearest even."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(np.asarray(values, np.float32)), 0x7FC0, rounded).astype(np.uint16)

def widened(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)

def generator(seed):
    """Returns a number in [0, 1) at each call, equal on every machine."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (seed >> 11) / 2**53

def whole(t):
    low, high, bits = int(np.iinfo(t).min), int(np.iinfo(t).max), np.iinfo(t).bits
    edges = [0, 1, high, low, -3, 7]
    edges += [low, 3, -1, 2, high, -2, 0, high - 1, 10, low + 1, -7, 6, 127, -10, -128, 100, 255, 12, 256, -1000, 2049, (1 << 24) + 1]
    edges += [5, -5, 64, 33]
    return np.array([(x - low) % (1 << bits) + low for x in edges], dtype=t)

def real(name):
    least, normal, eps, top = {"bf16": (2.0**-133, 2.0**-126, 2.0**-7, 255 * 2.0**120), "f16": (2.0**-24, 2.0**-14, 2.0**-10, 65504.0),
                               "f32": (2.0**-149, 2.0**-126, 2.0**-23, float(np.finfo(np.float32).max)),
                               "f64": (2.0**-1074, 2.0**-1022, 2.0**-52, float(np.finfo(np.float64).max))}[name]
    inf, nan = float("inf"), float("nan")
    v = [0.0, 1.0, nan, inf, -2.5, -0.0]
    v += [-0.0, inf, 2.0, -1.0, 0.0, nan, 0.5, -inf, 1.5, least, -0.5, 0.0, -inf, 2.5, 3.5, top, -top, normal, 1 + eps, -3.0]
    return v + [100.0, 300.7, 1e-8, -7.0, 0.1, 1e10]

def numbers(name, values):
    return half(values) if name == "bf16" else np.asarray(values).astype(NUMPY[name])

def pools(name):
    """The operands of a dtype, {pool: array}."""
    t, g = NUMPY[name], generator(len(name))
    tame = [(0.25 + 3.75 * next(g)) * (-1 if next(g) < 0.5 else 1) for _ in range(LANES)]
    small = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, -0.5, 1.5, 2.5, -1.5, 10.0, 0.25, -0.0] + [4 * next(g) - 2 for _ in range(LANES - 14)]
    turned = lambda v: np.concatenate([v[:SAME], np.roll(v[SAME:], -TURN)])
    p = {}
    if name == "bool":
        left = np.array([i % 3 == 1 or i % 5 == 2 for i in range(LANES)])
    elif name == "c64":
        left = np.array([complex(a, b) for a, b in zip(real("f32"), [0.0] * SAME + real("f32")[:SAME - 1:-1])], dtype=t)
        p = {"tame": np.array([complex(a, b) for a, b in zip(tame, small)], dtype=t),
             "small": np.array([complex(a, b) for a, b in zip(small, tame[::-1])], dtype=t)}
    elif name in FLOATS:
        left = numbers(name, real(name))
        p = {"tame": numbers(name, tame), "small": numbers(name, small)}
    else:
        left = whole(t)
        right = turned(left)
        low, high = max(-9, int(np.iinfo(t).min)), min(70, int(np.iinfo(t).max))
        p = {"nonzero": np.where(right == 0, t(1), right),
             # Without the quotient that overflows.
             "divisor": np.where((right == 0) | (right == left.dtype.type(-1) if low else right == 0), t(3), right),
             "small": np.array([low + (7 * k) % (high - low + 1) if k % 2 else k % 9 for k in range(LANES)], dtype=t),
             "natural": np.array([k % 9 for k in range(LANES)], dtype=t),
             "tame": np.array([int(30 * x) if low else abs(int(30 * x)) for x in tame], dtype=t)}
    with np.errstate(all="ignore"):
        p = {"left": left, "right": turned(left)} | p
    assert all(v.shape == (LANES,) and v.dtype == t for v in p.values()), name
    return {f"{n}.{name}": v for n, v in p.items()}

class NumPy:
    dtypes = ["bool", *INTEGERS, "f16", "f32", "f64", "c64"]
    careful = False
    without = ""
    def __init__(self):
        self.version = np.__version__
        rename = {"pow": np.power, "abs": np.abs, "round": np.rint, "atan2": np.arctan2, "bitwise_not": np.invert, "atan": np.arctan}
        names = NAMES
        self.ops = {n: rename.get(n) or getattr(np, n) for n in names if n in rename or hasattr(np, n)}
    def array(self, name, values):
        return values
    def read(self, result):
        name = next((n for n, t in NUMPY.items() if n != "bf16" and result.dtype == t), None) or str(result.dtype)
        return name, np.asarray(result)
    def cast(self, x, to):
        return x.astype(NUMPY[to])

class JAX:
    dtypes = ["bool", "u8", "i8", "i32", "bf16", "f16", "f32", "f64", "c64"]
    careful = False
    without = "argmin floor ceil trunc round sigmoid"
    def __init__(self):
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax, ml_dtypes
        jax.config.update("jax_enable_x64", True)
        import jax.numpy as jnp
        self.version, self.jnp, self.bf16 = jax.__version__, jnp, ml_dtypes.bfloat16
        rename = {"pow": jnp.power, "round": jnp.round, "atan2": jnp.arctan2, "bitwise_not": jnp.bitwise_not, "atan": jnp.arctan,
                  "sigmoid": jax.nn.sigmoid}
        names = NAMES
        self.ops = {n: rename.get(n) or getattr(jnp, n) for n in names if n in rename or hasattr(jnp, n)}
    def native(self, name):
        return self.bf16 if name == "bf16" else NUMPY[name]
    def array(self, name, values):
        return self.jnp.asarray(values.view(self.bf16) if name == "bf16" else values)
    def read(self, result):
        name = next((n for n in NUMPY if result.dtype == self.native(n)), None) or str(result.dtype)
        return name, np.asarray(result)
    def cast(self, x, to):
        return x.astype(self.native(to))

class TensorFlow:
    dtypes = ["bool", *INTEGERS, *FLOATS, "c64"]
    careful = False
    without = ""
    def __init__(self):
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
        import tensorflow as tf
        tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
        self.version, self.tf = tf.__version__, tf
        m, b, tnp = tf.math, tf.bitwise, tf.experimental.numpy
        self.ops = {"add": m.add, "subtract": m.subtract, "multiply": m.multiply, "divide": m.divide, "floor_divide": m.floordiv,
                    "remainder": m.floormod, "fmod": tf.truncatemod, "pow": m.pow, "equal": m.equal, "not_equal": m.not_equal,
                    "less": m.less, "less_equal": m.less_equal, "greater": m.greater, "greater_equal": m.greater_equal,
                    "maximum": m.maximum, "minimum": m.minimum, "logical_and": m.logical_and, "logical_or": m.logical_or,
                    "logical_xor": m.logical_xor, "logical_not": m.logical_not, "bitwise_and": b.bitwise_and, "bitwise_or": b.bitwise_or,
                    "bitwise_xor": b.bitwise_xor, "bitwise_not": b.invert, "left_shift": b.left_shift, "right_shift": b.right_shift,
                    "atan2": m.atan2, "nextafter": m.nextafter, "hypot": tnp.hypot, "gcd": tnp.gcd, "lcm": tnp.lcm,
                    "sigmoid": m.sigmoid, "isnan": m.is_nan, "isinf": m.is_inf, "isfinite": m.is_finite, "round": m.round,
                    "floor": m.floor, "ceil": m.ceil, "reciprocal": m.reciprocal, "square": m.square, "negative": m.negative,
                    "abs": m.abs, "sign": m.sign, "sum": m.reduce_sum, "prod": m.reduce_prod, "mean": m.reduce_mean,
                    "max": m.reduce_max, "min": m.reduce_min, "any": m.reduce_any, "all": m.reduce_all, "cumsum": m.cumsum,
                    "argmax": m.argmax, "argmin": m.argmin}
        self.ops |= {n: getattr(m, n) for n in ELEMENTARY if n != "sigmoid"}
    def native(self, name):
        return self.tf.bfloat16.as_numpy_dtype if name == "bf16" else NUMPY[name]
    def array(self, name, values):
        return self.tf.constant(values.view(self.native(name)))
    def read(self, result):
        result = result.numpy()
        return next((n for n in NUMPY if result.dtype == self.native(n)), str(result.dtype)), np.asarray(result)
    def cast(self, x, to):
        return self.tf.cast(x, self.native(to))

class Like:
    """What Paddle and OneFlow share: no bf16 in NumPy, and integer divisions that end the process."""
    careful = True
    def array(self, name, values):
        if name == "bf16":
            return self.cast(self.tensor(widened(values)), "bf16")
        return self.tensor(values)
    def read(self, result):
        name = next((n for n, t in self.native.items() if result.dtype == t), str(result.dtype))
        return name, half(self.cast(result, "f32").numpy()) if name == "bf16" else np.asarray(result.numpy())

class Paddle(Like):
    without = "argmin atan cos expm1 log1p sigmoid sinh tan tanh"
    def __init__(self):
        import paddle
        paddle.set_device("cpu")
        self.version, self.tensor = paddle.__version__, paddle.to_tensor
        self.native = {"bool": paddle.bool, "u8": paddle.uint8, "i8": paddle.int8, "i32": paddle.int32,
                       "i64": paddle.int64, "bf16": paddle.bfloat16, "f16": paddle.float16, "f32": paddle.float32, "f64": paddle.float64,
                       "c64": paddle.complex64}
        self.dtypes = list(self.native)
        rename = {"left_shift": paddle.bitwise_left_shift, "right_shift": paddle.bitwise_right_shift,
                  "negative": paddle.neg, "sigmoid": paddle.nn.functional.sigmoid, "fmod": None}
        names = NAMES
        self.ops = {n: rename.get(n) or getattr(paddle, n) for n in names if rename.get(n, True) and (n in rename or hasattr(paddle, n))}
    def cast(self, x, to):
        return x.astype(self.native[to])

class OneFlow(Like):
    without = "argmin atan cos expm1 isfinite isinf isnan log1p logaddexp min remainder sinh tan tanh trunc"
    def __init__(self):
        import oneflow as flow
        self.version, self.tensor = flow.__version__, flow.tensor
        self.native = {"bool": flow.bool, "u8": flow.uint8, "i8": flow.int8, "i32": flow.int32, "i64": flow.int64,
                       "bf16": flow.bfloat16, "f16": flow.float16, "f32": flow.float32, "f64": flow.float64}
        self.dtypes = list(self.native)
        rename = {"subtract": flow.sub, "multiply": flow.mul, "divide": flow.div, "equal": flow.eq, "not_equal": flow.ne, "less": flow.lt,
                  "less_equal": flow.le, "greater": flow.gt, "greater_equal": flow.ge}
        names = NAMES
        self.ops = {n: rename.get(n) or getattr(flow, n) for n in names if n in rename or hasattr(flow, n)}
        self.ops["cumsum"] = lambda x: flow.cumsum(x, 0)
    def cast(self, x, to):
        return x.to(self.native[to])

def cases(f):
    """(op, function, operands and options as words)"""
    has = lambda *names: [n for n in names if n in f.dtypes]
    for op in (*ARITHMETIC, *COMPARE, *LOGICAL):
        if op not in f.ops:
            continue
        pairs = [(d, d) for d in f.dtypes if d != "c64" or op in (*ARITHMETIC, "equal", "not_equal")]
        for a, b in pairs + ([p for p in MIXED if set(p) <= set(f.dtypes)] if op in ("add", "multiply", "divide", "less") else []):
            pool = ("tame", "small") if "c64" in (a, b) and op in ("multiply", "divide") else ("left", "right")
            yield op, f.ops[op], [f"{pool[0]}.{a}", f"{pool[1]}.{b}"]
    for op in DIVIDES:
        if op not in f.ops:
            continue
        for d in has(*INTEGERS):
            yield op, f.ops[op], [f"left.{d}", f"{'divisor' if f.careful else 'nonzero'}.{d}"]
            if not isinstance(f, OneFlow):  # its integer division traps
                yield op, f.ops[op], [f"left.{d}", f"right.{d}"]
        for d in has(*FLOATS):
            yield op, f.ops[op], [f"left.{d}", f"right.{d}"]
            yield op, f.ops[op], [f"tame.{d}", f"small.{d}"]
    for op in ("pow", "float_power"):
        for d in has(*INTEGERS, *FLOATS, "c64") if op in f.ops else ():
            if d in INTEGERS:
                yield op, f.ops[op], [f"left.{d}", f"natural.{d}"]
                if isinstance(f, (NumPy, TensorFlow)) and d in SIGNED:  # JAX says nothing of negative powers, Paddle does not return
                    yield op, f.ops[op], [f"left.{d}", f"small.{d}"]
            elif d == "c64":
                yield op, f.ops[op], [f"tame.{d}", f"small.{d}"]
            else:
                yield op, f.ops[op], [f"left.{d}", f"right.{d}"]
                yield op, f.ops[op], [f"left.{d}", f"small.{d}"]
    for op in EXTREMA:
        for d in has("bool", *INTEGERS, *FLOATS) if op in f.ops else ():
            yield op, f.ops[op], [f"left.{d}", f"right.{d}"]
    for op in (*BITWISE, *SHIFTS, "gcd", "lcm"):
        for d in has("bool", *INTEGERS) if op in f.ops else ():
            if op in ("gcd", "lcm") and d in SIGNED:
                yield op, f.ops[op], [f"tame.{d}", f"natural.{d}"]
                if not isinstance(f, NumPy):  # with the least integer the others do not return
                    continue
            yield op, f.ops[op], [f"left.{d}", f"right.{d}"]
            if op in SHIFTS and d != "bool":
                yield op, f.ops[op], [f"left.{d}", f"small.{d}"]
    for op in OF_FLOATS:
        for d in has(*FLOATS, "i32") if op in f.ops else ():
            yield op, f.ops[op], [f"left.{d}", f"right.{d}"]
    for op in UNARY:
        for d in f.dtypes if op in f.ops else ():
            if op in ELEMENTARY and d not in FLOATS + ["i32"]:
                continue
            if d == "c64" and op in ("sign", "round", "reciprocal", "logical_not"):
                continue
            yield op, f.ops[op], [f"{'tame' if d == 'c64' and op not in ('negative', 'abs') else 'left'}.{d}"]
    for op in REDUCE:
        for d in [d for d in f.dtypes if d != "c64"] if op in f.ops else ():
            yield op, f.ops[op], [f"{'left' if d == 'bool' or op in ('max', 'min', 'any', 'all', 'argmax', 'argmin') else 'tame'}.{d}"]
    for op, call in OPERATORS.items():
        for d in has("u8", "i32", "bf16", "f16", "f32"):
            for n in NUMBERS:
                negative = f.careful and d in INTEGERS and (op in DIVIDES or op == "pow")
                if not (negative and n in ("number:-1", "number:1e-8")):
                    yield op, call, [f"left.{d}", n]
                if n in ("number:2.5", "number:3") and not (negative and op != "pow"):
                    yield op, call, [n, f"{'natural' if op == 'pow' and d in INTEGERS else 'nonzero' if d in INTEGERS else 'left'}.{d}"]
    for a in f.dtypes:
        for b in [d for d in f.dtypes if d != "c64" or a in ("f32", "i32")]:
            if a in FLOATS or (a, b) in MIXED or a in ("i64", "c64"):
                yield "astype", f.cast, [f"left.{a}", f"to={b}"]

def main(f):
    held = {k: v for d in f.dtypes for k, v in pools(d).items()}
    operand = lambda w: (float(w[7:]) if re.search(r"[.e]", w[7:]) else int(w[7:])) if w.startswith("number:") else f.array(w.split(".")[1], held[w])
    recorded, refused = [], collections.Counter()
    for op, call, words in cases(f):
        if op in f.without.split():  # its dtypes were not recorded
            continue
        if "-v" in sys.argv:
            print(op, words, flush=True)
        try:
            operands = [operand(w) for w in words if "=" not in w]
            operands += [w[3:] for w in words if "=" in w]
            word, result = f.read(call(*operands))
            if word not in NUMPY:
                raise TypeError(f"{word} is not recorded")
            result = np.ascontiguousarray(result).tobytes()
        except Exception as e:  # each framework has errors of its own
            if not TRAP.search(str(e)):
                refused[op] += 1
                continue
            word, result = "trap", None
        recorded.append((op, words, word, result))
    out = Writer(framework={"Paddle": "PaddlePaddle"}.get(type(f).__name__, type(f).__name__), version=f.version, python=platform.python_version())
    used = {w for _, words, *_ in recorded for w in words}
    for n, v in held.items():
        if n in used:
            out.pool(n, v.tobytes())
    for case in recorded:
        out.case(*case)
    out.write(f"cases_{type(f).__name__.lower()}")
    print(f"not recorded, since refused: {dict(refused)}")

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    main({f.__name__.lower(): f for f in (NumPy, JAX, TensorFlow, Paddle, OneFlow)}[sys.argv[1]]())
