#!/usr/bin/env python3
"""Records the results of a framework for every op and every pair of dtypes.

The output is `pairs_FRAMEWORK.bin`, beside this script.

    python record_pairs.py torch|numpy|jax [OP..]

If ops are named, these alone are asked, and the others stay as they are in the file. Each with its framework and mpmath installed; README.md names the versions and describes the file. The
operands are not in it: `pool` makes them of integers alone, and `tests/values/pools.rs` makes the same.
"""
import os, platform, sys, warnings
import ml_dtypes
import numpy as np
from mpmath import mp, mpc, mpf

from values import Writer, read

LANES, EDGES = 64, 40
DTYPES = {"bool": np.bool_, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "i8": np.int8, "i16": np.int16,
          "i32": np.int32, "i64": np.int64, "f8e4m3fn": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2, "f16": np.float16,
          "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64, "c32": "c32", "c64": np.complex64, "c128": np.complex128}
INTEGERS = [d for d in DTYPES if d[0] in "ui"]
DIGITS = {"f8e4m3fn": 3, "f8e5m2": 2, "f16": 10, "bf16": 7, "f32": 23, "f64": 52}  # of the significand, without the hidden one
PARTS = {"c32": "f16", "c64": "f32", "c128": "f64"}
WIDTH = {d: 8 if d == "bool" else int("".join(c for c in d.split("e")[0] if c.isdigit()).removeprefix("f")) for d in DTYPES}

# Operands: every element is an integer, its bits.

def generator(seed):
    """Returns 32 random bits at each call, equal on every machine."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield seed >> 32

def dyadic(d, n, s):
    """Returns n 2^s as a float of dtype d, rounded towards zero and clamped to its range."""
    m, bias = DIGITS[d], 2 ** (WIDTH[d] - DIGITS[d] - 2) - 1
    if n == 0:
        return 0
    top = n.bit_length() - 1
    exponent = top + s
    if exponent > bias:
        return greatest(d)
    if exponent < 1 - bias:
        return 1
    return (exponent + bias) << m | ((n << m) >> top) & (2**m - 1)

def greatest(d):
    """Returns the bits of the greatest finite float."""
    m = DIGITS[d]
    return 0x7E if d == "f8e4m3fn" else (2 ** (WIDTH[d] - 1 - m) - 1 << m) - 1

def edges(d):
    w = WIDTH[d]
    if d in INTEGERS:
        low, high = (-(2 ** (w - 1)), 2 ** (w - 1) - 1) if d[0] == "i" else (0, 2**w - 1)
        return [0, 1, -1, 2, 3, -2, 7, low, high, low + 1, high - 1, -3, 5, 8, 10, 31, 32, 63, 64, 100, -100, 127, 128, 255, 256,
                -128, -129, 16, 15, 33, 2049, -2049, 32767, 65504, 65536, 2**24 + 1, 2**31, 2**53 + 1, 2 ** (w - 2), 0x5555555555555555]
    sign, m, top = 1 << w - 1, DIGITS[d], greatest(d)
    infinity = 0x7F if d == "f8e4m3fn" else top + 1  # there the NaN
    least = 1 << m
    of = lambda n, s=0: dyadic(d, n, s)
    one = of(1)
    return [0, sign, one, one | sign, of(2), of(2) | sign, of(1, -1), of(1, -1) | sign, of(3, -1), of(3, -1) | sign, of(5, -1),
            of(5, -1) | sign, of(3), of(3) | sign, of(7, -1), infinity, infinity | sign, 2 ** (w - 1) - 1, top, top | sign, least,
            least | sign, 1, 1 | sign, least - 1, one + 1, one - 1, of(10), of(100), of(255, -1), of(128) | sign, of(300), of(7) | sign,
            of(64), of(0x5555, -16), of(0xC90FDA, -22), of(1, 15), of(1, 24), of(1, 31) | sign, of(1, 63)]

def pool(d):
    """Returns the elements of a dtype: its edge cases, then small, common and random ones."""
    if d in PARTS:
        part = pool(PARTS[d])
        return [part[i] | part[(27 * i + 5) % LANES] << WIDTH[PARTS[d]] for i in range(LANES)]
    g, w = generator(list(DTYPES).index(d)), WIDTH[d]
    if d == "bool":
        return [next(g) & 1 for _ in range(LANES)]
    elements = edges(d)
    assert len(elements) == EDGES
    for i in range(LANES - EDGES):
        x, y = next(g), next(g)
        if i >= 16:
            elements.append(x << 32 | y)
        elif d in INTEGERS:
            elements.append(x % 80 - 9 if i < 8 else x % 2001 - 1000)
        else:
            n, s = (x % 256, y % 12 - 8) if i < 8 else (1 << 52 | (x << 20) | y >> 12, y % 14 - 59)
            elements.append(dyadic(d, n, s) | (x >> 31) << w - 1)
    low = 0 if d in INTEGERS and d[0] == "u" else None
    return [(abs(x) if low == 0 else x) % 2**w for x in elements]

def turn(a, b):
    """Returns the lane of b that belongs to each lane of a.

    It is an involution, so that the swapped pair has the same lanes in another order.
    """
    names = list(DTYPES)
    c = 7 * (names.index(a) + names.index(b))
    rest = LANES - EDGES
    return [(c - i) % EDGES if i < EDGES else EDGES + (c - i) % rest for i in range(LANES)]

def signed(d, bits):
    return bits - 2 ** WIDTH[d] if d[0] == "i" and bits >> WIDTH[d] - 1 else bits

def operands(a, b, how):
    """Returns the lanes of both operands, changed as `how` says."""
    x, y = pool(a), pool(b)
    y = [y[i] for i in turn(a, b)]
    if how == "divisor" and b in INTEGERS:  # divisors that do not trap
        least = 2 ** (WIDTH[a] - 1) if a[0] == "i" else None
        y = [3 if n == 0 or m == least and signed(b, n) == -1 else n for m, n in zip(x, y)]
    if how == "divisor" and b == "bool":
        y = [1] * LANES
    if how == "natural" and b in INTEGERS:
        y = [n & 7 for n in y]
    if how == "small":
        x = [n & 127 for n in x] if a in INTEGERS else x
        y = [n & 127 for n in y] if b in INTEGERS else y
    if how == "unit":
        part = lambda d, i: dyadic(d, i + i // 63, -6)
        x = [part(a, i) for i in range(LANES)] if a in DIGITS else x
        y = [part(b, (27 * i + 5) % LANES) for i in range(LANES)] if b in DIGITS else y
    return x, y

CONDITION = [i * 5 // 3 % 2 == 1 for i in range(LANES)]

def array(d, elements):
    """Returns a NumPy array; for c32, an array of the parts."""
    raw = b"".join(n.to_bytes(WIDTH[d] // 8, "little") for n in elements)
    return np.frombuffer(raw, np.float16 if d == "c32" else DTYPES[d])

# The frameworks: `ops` and `array`, `read`, `cast`.

BINARY = """add subtract multiply divide equal not_equal less less_equal greater greater_equal maximum minimum fmax fmin floor_divide
remainder fmod pow float_power logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm
atan2 hypot copysign nextafter heaviside logaddexp logaddexp2 ldexp isclose where""".split()
UNARY = """positive negative abs sign signbit square reciprocal sqrt cbrt exp expm1 exp2 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh
acosh atanh floor ceil trunc round isnan isinf isfinite logical_not bitwise_not conj real imag angle""".split()
RENAMED = {"pow": "power", "abs": "absolute", "round": "rint", "bitwise_not": "invert", "conj": "conjugate", "atan2": "arctan2"} | {
    f"a{n}": f"arc{n}" for n in ("sin", "cos", "tan", "sinh", "cosh", "tanh")}

class NumPy:
    title = "NumPy"
    name, version = "numpy", np.__version__
    without = ("f8e4m3fn", "f8e5m2", "bf16", "c32")
    pools = {"pow": "natural"}
    slow = ()
    def __init__(self, module=np):
        self.ops = {n: (k, getattr(module, RENAMED.get(n, n))) for k, names in ((2, BINARY), (1, UNARY)) for n in names}
        self.ops["where"] = 2, lambda a, b: module.where(module.asarray(CONDITION), a, b)
    def array(self, d, elements):
        return array(d, elements)
    def read(self, result):
        return next((n for n, t in DTYPES.items() if result.dtype == t), None), np.asarray(result)
    def cast(self, x, to):
        return x.astype(DTYPES[to])

class JAX(NumPy):
    title = "JAX"
    name, without = "jax", ("c32",)
    pools = {"pow": "natural", "gcd": "small", "lcm": "small"}  # gcd of the least integer does not return
    slow = ("floor_divide", "remainder", "fmod")  # of 8-bit floats: a minute to compile, each
    def __init__(self):
        os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        import jax.numpy as jnp
        jax.config.update("jax_enable_x64", True)
        super().__init__(jnp)
        nn, special = jax.nn, jax.scipy.special
        functions = {"rsqrt": jax.lax.rsqrt, "erf": special.erf, "erfc": special.erfc, "relu": nn.relu, "silu": nn.silu,
                     "softplus": nn.softplus, "gelu": lambda x: nn.gelu(x, approximate=False), "gelu_tanh": nn.gelu, "sigmoid": nn.sigmoid}
        self.ops |= {n: (1, f) for n, f in functions.items()}
        self.version, self.asarray = jax.__version__, jnp.asarray
    def array(self, d, elements):
        return self.asarray(array(d, elements))

class Torch:
    title = "PyTorch"
    name, without, slow = "torch", (), ()
    pools = {n: "divisor" for n in ("divide_trunc", "floor_divide", "remainder", "fmod")} | {
        "gcd": "small", "lcm": "small", "binary_cross_entropy": "unit"}  # gcd of the least integer ends the process
    def __init__(self):
        import torch
        import record_torch_cases as recorded
        torch.set_num_threads(1)
        self.torch, self.version = torch, torch.__version__.split("+")[0]
        binary = {n: f for n, f in recorded.BINARY.items() if n != "dot"}
        binary["where"] = lambda a, b: torch.where(torch.tensor(CONDITION), a, b)
        binary["lerp"] = lambda a, b: torch.lerp(a, b, 0.25)
        binary["add_scaled"] = lambda a, b: torch.add(a, b, alpha=3)
        binary["subtract_scaled"] = lambda a, b: torch.sub(a, b, alpha=3)
        losses = {n: lambda a, b, f=f: f(a, b, reduction="none") for n, f in recorded.LOSSES.items()}
        self.ops = {n: (2, f) for n, f in (binary | losses).items()} | {n: (1, f) for n, f in recorded.UNARY.items()}
        self.ops["threshold"] = 1, lambda a: torch.nn.functional.threshold(a, 1, 2)
        self.native = recorded.DTYPES | {"f8e4m3fn": torch.float8_e4m3fn, "f8e5m2": torch.float8_e5m2, "c32": torch.complex32}
    def array(self, d, elements):
        raw = b"".join(n.to_bytes(WIDTH[d] // 8, "little") for n in elements)
        return self.torch.frombuffer(bytearray(raw), dtype=self.native[d])
    def read(self, result):
        name = next(n for n, t in self.native.items() if t == result.dtype)
        return name, np.frombuffer(result.contiguous().view(self.torch.uint8).numpy().tobytes(), array(name, []).dtype)
    def cast(self, x, to):
        return x.to(self.native[to], copy=True)

# Exact results.

def real_pow(x, y):
    return x**y if x > 0 or y == int(y) and (x or y > 0) else mp.nan

def ln_sum(log):
    def sum(a, b):
        high, low = (a, b) if a.real > b.real else (b, a)
        found = high + mp.log1p(mp.exp((low - high) * log())) / log()
        if not isinstance(found, mpc):
            return found
        half_turn = mp.pi / log()
        return mpc(found.real, found.imag - 2 * half_turn * mp.ceil((found.imag - half_turn) / (2 * half_turn)))
    return sum

def angle(y, x):
    if not isinstance(x, mpc):
        return mp.atan2(y, x)
    with mp.workprec(4200):
        u, v = x + mpc(0, 1) * y, x - mpc(0, 1) * y
        return mpc(0, -1) * mp.log(u / mp.sqrt(u * v))

def log(base):
    return lambda x: mp.ln(x) / mp.ln(base)

def times_sigmoid(u):
    return lambda x: x / (1 + mp.exp(-u(x)))

def cbrt(x):
    return mp.cbrt(x) if x >= 0 else -mp.cbrt(-x)

MATHEMATICAL = {
    "cbrt": cbrt, "erf": mp.erf, "erfc": mp.erfc, "silu": times_sigmoid(lambda x: x), "softplus": lambda x: mp.log1p(mp.exp(x)),
    "gelu": lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2,
    "gelu_tanh": times_sigmoid(lambda x: 2 * mp.sqrt(2 / mp.pi) * (x + mpf("0.044715") * x**3)),
    "sqrt": mp.sqrt, "exp": mp.exp, "expm1": mp.expm1, "exp2": lambda x: mpf(2) ** x, "log": mp.ln, "log1p": mp.log1p, "log2": log(2),
    "log10": log(10), "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "sinh": mp.sinh,
    "cosh": mp.cosh, "tanh": mp.tanh, "asinh": mp.asinh, "acosh": mp.acosh, "atanh": mp.atanh, "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "abs": abs, "angle": mp.arg, "pow": lambda x, y: x**y if isinstance(x, mpc) else real_pow(x, y),
    "float_power": lambda x, y: x**y if isinstance(x, mpc) else real_pow(x, y), "atan2": angle, "hypot": mp.hypot,
    "logaddexp": ln_sum(lambda: 1), "logaddexp2": ln_sum(lambda: mp.ln(2)), "xlogy": lambda x, y: x * mp.ln(y) if x else mpf(0)}

def neighbours(d, x):
    """Returns the ordinals of the floats next to an exact number, below and above; equal if it is a float."""
    if mp.isnan(x) or mp.isinf(x):
        return None
    m, bias = DIGITS[d], 2 ** (WIDTH[d] - DIGITS[d] - 2) - 1
    if x == 0:
        return 0, 0
    size = abs(x)
    unit = max(mp.frexp(size)[1] - 1, 1 - bias) - m
    whole = int(mp.floor(mp.ldexp(size, -unit)))
    exact = mp.ldexp(mpf(whole), unit) == size
    # The bits: the subnormals and the first normal numbers are the whole itself.
    bits = whole + (max(unit + m + bias - 1, 0) << m)
    infinity = greatest(d) + 1
    low, high = (infinity, infinity) if bits >= infinity else (bits, bits + (not exact))
    return (low, high) if x > 0 else (~high, ~low)

def ordinal(d, bits):
    """Returns an integer that grows with the float; -0 is -1."""
    sign = 1 << WIDTH[d] - 1
    return ~(bits - sign) if bits & sign else bits

def number(d, x):
    return mpc(float(x.real), float(x.imag)) if d in PARTS else mpf(float(x))

def exact(op, common, out, inputs, result):
    """Returns the distance of each part of each result from the floats next to the exact result.

    It is 0 if the exact result is not known.
    """
    part = PARTS.get(out, out)
    size = WIDTH[part] // 8
    theirs = np.frombuffer(result.tobytes(), f"u{size}")
    low, high = [], []
    for i, bits in enumerate(theirs.tolist()):
        lane, imaginary = (i // 2, i % 2) if out in PARTS else (i, 0)
        values = [x[lane] for x in inputs]
        found = None
        # On cuts the signs of zeros decide, which mpmath does not have.
        signless = common not in PARTS and op not in ("angle", "atan2")
        known = all(np.isfinite(x) and (signless or x.real != 0 and (common not in PARTS or x.imag != 0)) for x in values)
        try:
            y = MATHEMATICAL[op](*(number(common, x) for x in values)) if known else mpc(mp.nan, mp.nan)
            y = (y.imag if imaginary else y.real) if out in PARTS else mp.nan if isinstance(y, mpc) and y.imag else y.real
            found = neighbours(part, y)
        except (ArithmeticError, AttributeError, TypeError, ValueError):  # of complex numbers mpmath has less than JAX
            pass
        if found == (0, 0) and bits & ~(1 << WIDTH[part] - 1) == 0:
            found = None  # a zero, whose sign is that of the framework's result
        own = ordinal(part, bits)
        low.append((own - found[0] if found else 0) % 2 ** WIDTH[part])
        high.append((own - found[1] if found else 0) % 2 ** WIDTH[part])
    return np.array(low + high, f"u{size}")

# Questions.

# Arguments of an op besides its operands.
OPTIONS = {"where": ["condition=condition.bool"], "lerp": ["weight=0.25"], "threshold": ["threshold=1", "value=2"],
           "add_scaled": ["alpha=3"], "subtract_scaled": ["alpha=3"]}

def main(f, only):
    mp.prec = 1200
    dtypes = [d for d in DTYPES if d not in f.without]
    out = Writer(framework=f.title, version=f.version, python=platform.python_version(), machine=platform.machine())
    out.pool("condition.bool", bytes(CONDITION))
    def ask(op, call, names, how, to=None):
        words = [f"{how}@{d}" for d in names] + ([f"to={to}"] if to else []) + OPTIONS.get(op, [])
        out.case(op, words, *answer(op, call, names, how, to))
    def answer(op, call, names, how, to):
        a, b = names[0], names[-1]
        if op in f.slow and any(d.startswith("f8") for d in names):
            return ["-"]
        x, y = operands(a, b, how)
        try:
            given = [f.array(d, v) for d, v in zip(names, (x, y))]
            name, result = f.read(call(*given, to) if to else call(*given))
        except Exception as e:  # each framework has errors of its own
            return ["-"]
        if name is None or result.size != LANES * (2 if name == "c32" else 1):
            return ["-"]
        order = turn(a, b) if len(names) == 2 and list(DTYPES).index(a) > list(DTYPES).index(b) else range(LANES)
        whole = result.reshape(LANES, -1)[list(order)].reshape(-1)
        beside = None
        real_abs = op == "abs" and a not in PARTS
        floats = name in DIGITS or name in PARTS
        if op in MATHEMATICAL and floats and not real_abs:
            common = a if len(names) == 1 and a in PARTS else name
            lanes = [array(d, v) for d, v in zip(names, (x, y))]
            if "c32" not in (*names, name):
                with np.errstate(all="ignore"):
                    inputs = [v.astype(DTYPES[common])[list(order)] for v in lanes]
                beside = exact(op, common, name, inputs, whole)
        return name, whole.tobytes(), beside.tobytes() if beside is not None and beside.any() else None
    if only:
        about, pools, recorded = read(f"pairs_{f.name}")
        assert about["version"] == f.version, (about["version"], f.version)
        out = Writer(**about)
        for name, data in pools.items():
            out.pool(name, data)
        for op, cases in recorded.items():
            for dtype, data, beside, words in cases if op not in only else ():
                out.case(op, words, dtype, data, beside)
    for op, (arity, call) in f.ops.items():
        if only and op not in only:
            continue
        for a in dtypes:
            for b in dtypes if arity == 2 else [a]:
                ask(op, call, [a, b][:arity], f.pools.get(op, "any"))
        print(op, flush=True)
    for a in dtypes if not only else ():
        for b in dtypes:
            ask("astype", f.cast, [a], "any", b)
    out.write(f"pairs_{f.name}")

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    main({f.name: f for f in (NumPy, JAX, Torch)}[sys.argv[1]](), sys.argv[2:])
