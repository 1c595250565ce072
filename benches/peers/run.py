"""Measures the kernels beside NumPy, PyTorch and JAX, on the same arrays and in the same process.

    python benches/peers/run.py [--quick] [--only TEXT,..] [--sizes 4096,262144]

Builds the library of this folder, then measures each case: an op, the dtypes of its operands, a number of
elements. All libraries take turns, round by round, on one thread. Outputs are preallocated if the library
allows it (JAX does not). The figure is the median over the rounds of the peer's time over ours, so above 1
`promote` is faster. Cases that fall short are measured again at the end, on new arrays and with three times
as many rounds, because the load of a shared machine changes by the minute; the second figure counts.
`promote` runs under the rule set of the peer, so that both compute the same dtype. A case whose dtype the
peer does not have is left out for that peer.

The script measures those of numpy, torch, jax and ml_dtypes that are installed; matplotlib draws the plot.
Results go to `docs/peers/`: a page and a plot for each vendor of processors and SIMD level, such as
`intel-v3.md`, which replace those of the last such run. `docs/peers.md` shows all runs side by side, with
their processors and dates. The environment variable `PROMOTE_SIMD` chooses the level. The columns of 4096
elements include a peer's call through Python.
"""

import argparse
import ctypes
import datetime
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import textwrap
import time

for name in ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"]:
    os.environ[name] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["JAX_ENABLE_X64"] = "1"

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = [4096, 262144, 1 << 24]
NAMES = {
    "bool": "bool", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "int8": "i8", "int16": "i16",
    "int32": "i32", "int64": "i64", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
    "complex64": "c64", "complex128": "c128",
}
NUMPY = {ours: theirs for theirs, ours in NAMES.items()}

SAME = "u8 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128".split()
MIXED = [
    "i8 f32", "u8 i32", "f16 f32", "bf16 f32", "bf16 f16", "i64 f32", "f32 f64", "i32 c64", "c64 f64", "u64 i64", "bool u8",
    "i16 f64", "u8 f16", "f32 i8",
]
ORDERED = "u8 i32 i64 f16 f32 f64".split()
INTEGERS = "u8 i8 i16 u16 i32 u32 i64".split()
UNARY = (
    "exp expm1 exp2 log log1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sigmoid sqrt reciprocal"
).split()


def cpuinfo() -> dict:
    """Returns what Linux says of the first core; nothing on other systems."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        return {}
    return dict((part.strip() for part in line.split(":", 1)) for line in lines if ":" in line)


def processor() -> str:
    """Returns the processor's own name, with family and model, since a virtual machine may hide the name."""
    known = cpuinfo()
    if not known:
        return f"{platform.machine()} {platform.processor()}".strip()
    name = known.get("model name", platform.machine())
    return f"{name} (family {known.get('cpu family', '?')}, model {known.get('model', '?')})"


def vendor() -> str:
    """Returns the vendor of the processor as it is written in the name of a run."""
    known = cpuinfo().get("vendor_id", platform.machine())
    return {"GenuineIntel": "intel", "AuthenticAMD": "amd"}.get(known, known.lower())


def cases():
    """The list of what is measured: an op and the dtypes of its operands."""
    found = []
    for op in ["add", "subtract", "multiply"]:
        found += [(op, [d, d]) for d in SAME] + [(op, pair.split()) for pair in MIXED]
    found += [("divide", [d, d]) for d in "f16 bf16 f32 f64 c64 c128 i32".split()]
    found += [("divide", pair.split()) for pair in ["i8 f32", "f32 f64", "i32 c64"]]
    for op in ["less", "equal", "maximum", "minimum"]:
        found += [(op, [d, d]) for d in ORDERED] + [(op, pair.split()) for pair in ["i8 f32", "f16 f32", "f32 f64"]]
    found += [(op, [d, d]) for op in ["fmax", "fmod", "copysign", "hypot", "atan2", "logaddexp", "pow", "nextafter"] for d in ["f32", "f64"]]
    found += [(op, ["i32", "f32"]) for op in ["atan2", "pow", "hypot"]] + [("pow", ["f16", "f16"]), ("pow", ["f32", "f64"])]
    found += [(op, [d, d]) for op in ["floor_divide", "remainder"] for d in INTEGERS + ["f32", "f64"]]
    found += [(op, pair.split()) for op in ["floor_divide", "remainder"] for pair in ["u8 i32", "i8 i16"]]
    found += [("pow", ["i32", "i32"]), ("pow", ["i64", "i64"]), ("gcd", ["i32", "i32"])]
    found += [(op, [d, d]) for op in ["bitwise_and", "bitwise_xor", "left_shift"] for d in ["u8", "i32", "i64"]]
    found += [("logical_and", [d, d]) for d in ["bool", "i32", "f32"]]
    found += [("where", ["bool", d, d]) for d in ["u8", "i32", "f32", "f64", "c128"]] + [("where", ["bool", "i8", "f32"])]
    found += [(op, [d]) for op in UNARY for d in ["f32", "f64"]] + [(op, ["f16"]) for op in ["exp", "log", "tanh", "sqrt"]]
    found += [(op, [d]) for op in ["negative", "abs", "square"] for d in ["i32", "f16", "f32", "f64"]]
    found += [(op, [d]) for op in ["floor", "round"] for d in ["f32", "f64"]] + [("abs", ["c64"]), ("isnan", ["f32"])]
    return found


def operand(op, at, dtype, n, rng):
    """`n` elements on which the op does its usual work."""
    kind = np.dtype(NUMPY[dtype]).kind if dtype != "bf16" else "f"
    divides = op in ["floor_divide", "remainder", "fmod", "divide", "reciprocal"] and at == (0 if op == "reciprocal" else 1)
    if kind == "b":
        values = rng.integers(0, 2, n)
    elif kind in "iu":
        low, high = (1, 100) if divides else (0, 6) if op in ["pow", "left_shift"] and at == 1 else (0, 120)
        values = rng.integers(low, high, n)
        if kind == "i" and not op in ["pow", "left_shift"]:
            values = values * np.where(rng.integers(0, 2, n) == 1, 1, -1)
    else:
        values = rng.normal(size=n) * 3
        if divides or op in ["log", "log2", "log10", "log1p", "sqrt"] or (op == "pow" and at == 0):
            values = np.abs(values) + 0.01
        if op in ["asin", "acos", "atanh"]:
            values = rng.uniform(-0.99, 0.99, n)
        if op == "acosh":
            values = np.abs(values) + 1.0
        if kind == "c":
            values = values + 1j * rng.normal(size=n)
    if dtype == "bf16":
        import ml_dtypes
        return values.astype(ml_dtypes.bfloat16)
    return values.astype(NUMPY[dtype])


# A ratio below which a case falls short.
SHORT = 0.95
# From here on a call through Python is a small part of the time.
LARGE = 262144

# Why a case falls short, and what was tried: the op and its dtypes, as in the table. Errors of peers are in units in the last
# place, as `errors.py` prints them; ours, in `docs/accuracy.md`, are below 1 everywhere.
REMARKS = {
    "sqrt f64": "Once: minutes later JAX was at 1.42, and NumPy at 2.18. On Intel three of four are computed by steps beside the unit that divides; on AMD the instruction alone is faster.",
    "tanh f32": "All coefficients are looked up, as in NumPy, which errs by up to 1.37. That took 0.48 to 0.40 ns on a Zen 4, at 4,096 elements.",
    "tanh f64": "JAX errs by up to 6.4. A quotient of polynomials and 1 - 2 / (e^2x + 1) share one division; the tables of sinh and of exp were slower.",
    "tanh f16": "As tanh f32; 0.07 ns of it widen and narrow.",
    "log f16": "NumPy's logarithm in f32 errs by up to 3.3, with fewer steps. Ours is that of f32, rounded: without a table no polynomial of fewer than 7 "
    "terms rounds all operands correctly.",
    "log f64": "A table in registers took 1.04 to 0.69 ns on an Intel Xeon; the sum with k ln 2 in two parts is what remains.",
    "log1p f64": "Without the sum 1 + x in two parts 1.33 to 1.11 ns on a Zen 4. The product that takes its place is in two parts.",
    "log2 f64": "As log f64, and a product in two parts. Polynomials by x^2 took 0.82 to 0.75 ns on a Zen 4, at 4,096 elements.",
    "log10 f64": "As log2.",
    "sinh f64": "A table of opposite exponentials took 1.30 to 1.05 ns on an Intel Xeon, fewer sums in two parts 1.37 to 1.23 on a Zen 4; NumPy was at 1.07 in a run some hours before, of the same loop.",
    "cosh f64": "A table of opposite exponentials took 1.11 to 0.73 ns on an Intel Xeon.",
    "atan f64": "A table of sixteen angles took 1.46 to 0.99 ns at V4 and 2.81 to 1.69 at V3 on a Zen 4.",
    "sigmoid f64": "PyTorch divides 1 by a rounded 1 + e^-x, and errs by up to 2.12. A table took 1.26 to 1.03 ns on an Intel Xeon, a quotient rounded once 1.19 to 1.10 on a Zen 4.",
    "sigmoid f32": "PyTorch errs by up to 1.97, as in f64.",
    "sinh f32": "For 16 lanes 15 multiply-adds and no division, NumPy 12; it errs by up to 1.45. Without the division 0.53 to 0.39 ns on a Zen 4, at 4,096 elements.",
    "tan f64": "A table of sixteenths took 1.62 to 1.37 ns on an Intel Xeon, fewer sums in two parts 1.67 to 1.37 on a Zen 4. What remains: sine and cosine in two parts, and a division.",
    "sin f64": "A table of sixteenths took 1.26 to 0.85 ns on an Intel Xeon; the remainder is in two parts up to 2^30.",
    "cos f64": "As sin f64.",
    "asin f64": "A table of sixteen angles took 1.50 to 1.21 ns at V4 on a Zen 4, and nothing at V3. Each step waits for the one before, the root among them.",
    "acos f64": "As asin f64.",
    "tan f32": "For 16 lanes 20 multiply-adds and 7 sums, NumPy 13 and 9; it errs by up to 3.6. A third fewer of them in all took 0.66 to 0.49 ns on a Zen 4, at 4,096 elements.",
    "atan f32": "A table of eight angles took 0.47 to 0.35 ns on a Zen 4, at 4,096 elements. NumPy errs by up to 2.03.",
    "acosh f32": "For 16 lanes 20 multiply-adds and 15 sums, NumPy 19 and 16. The table of the logarithm took 0.78 to 0.72 ns at V4 on a Zen 4, and 1.16 to 0.94 at V3, at 4,096 elements; a root without normalised operand 0.71 to 0.60, and 0.92 to 0.82.",
    "pow f32 f32": "For 16 lanes 26 multiply-adds, NumPy 16. A table of inverses gained 6 % at V4 and lost 10 % at V3, so there is none. The logarithm in two parts keeps results near the ends of the range within 1.",
    "pow i32 f32": "As pow f32 f32.",
    "abs c64": "Squares in two parts instead of f64 took 0.25 to 0.24 ns; operands checked in the pass that computes 0.53 to 0.44 on a Zen 4.",
    "logaddexp f64 f64": "Tables took 4.85 to 3.40 ns on a Zen 4; where the sum cancels peers lose all digits, and ours computes such lanes by themselves.",
    "gcd i32 i32": "Euclid's divisions follow one another: no lane has work for the next. Binary steps were not tried.",
    "log2 f32": "A table took 0.29 to 0.23 ns on a Zen 4. NumPy errs by up to 2.04: it looks the coefficients of a cubic up.",
    "log10 f32": "For 16 lanes 10 multiply-adds, NumPy 5; it errs by up to 3.15. A table took 0.31 to 0.24 ns on a Zen 4; NumPy was at 1.04 in a run some hours before, of the same loop.",
    "asinh f32": "NumPy errs by up to 0.96, ours by 0.64: the sum under the logarithm is in two parts. The table of the logarithm took 0.75 to 0.72 ns at V4 on a Zen 4, and 1.16 to 0.94 at V3, at 4,096 elements.",
    "atanh f32": "NumPy errs by up to 1.38, ours by 0.60.",
    "hypot f64 f64": "Squares, their sum and the root are in two parts. A root instruction instead of Newton steps took 1.24 to 0.84 ns on a Zen 4, one sum less to 0.82.",
    "logaddexp f32 f32": "PyTorch loses all digits where the sum cancels; as logaddexp f64. Tables took 1.75 to 1.52 ns on a Zen 4.",
    "exp f64": "JAX errs by up to 1.7. Its results are new memory each time: in other runs it took up to 3.5 times as long as ours.",
    "acos f32": "NumPy errs by up to 1.92, ours by 0.67; it takes 0.94 to 1.03 times as long as ours from run to run.",
    "exp f16": "That of f32, which is twice as fast as NumPy's; 0.07 ns widen and narrow, in blocks.",
    "subtract f64 f64": "The call waits for memory. It was at 0.95 or more in two other runs of the day.",
    "subtract c128 c128": "The call waits for memory. It was at 0.98 and 0.91 in two other runs of the day.",
    "multiply c128 c128": "On a Zen 4, NumPy was at 1.02 and PyTorch at 1.08 in a run some hours before.",
    "multiply c64 c64": "0.82 to 1.11 in six runs on one day, as the arrays happen to lie; 0.97 to 1.44 on 4096 elements.",
    "pow f32 f64": "As pow f64 f64; 0.92 to 0.98 in three runs.",
    "pow f64 f64": "As pow f32 f32; on arrays below the memory it is as fast.",
}

# Functions of f64 that are as fast as the peers' below the memory and slower in it.
BATCHED = (
    "As fast on arrays below the memory. While a block of 512 is computed the processor fetches nothing by itself; told what comes next, strip by strip, the "
    "functions of f64 took a fifth to a third less than told of a block at once, and that a tenth to a half less. Stores past the caches were not tried."
)
REMARKS |= {name: BATCHED for name in ["exp2 f64", "expm1 f64", "atanh f64", "asinh f64", "acosh f64"] if name not in REMARKS}


# Ops whose loops wait for the memory where arrays are large, in ours as in the peers.
STREAMING = (
    "add subtract multiply divide less equal maximum minimum fmax copysign bitwise_and bitwise_xor left_shift logical_and where "
    "negative abs square sqrt reciprocal floor round isnan"
).split()


def remark(name, slow):
    """Why a case falls short."""
    if name in REMARKS:
        return REMARKS[name]
    if name.split()[0] in STREAMING and all(n > LARGE for n in slow):
        return "Both wait for the memory; on a shared machine such a ratio varies by a tenth from run to run."
    return "Not looked into."


class Ours:
    """Our kernels, under the rule set of a peer."""

    class Array(ctypes.Structure):
        _fields_ = [
            ("dtype", ctypes.c_char_p), ("data", ctypes.c_void_p), ("rank", ctypes.c_size_t),
            ("shape", ctypes.POINTER(ctypes.c_size_t)), ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ]

    def __init__(self):
        command = ["cargo", "build", "--release", "--quiet", "-p", "promote-peers", "--message-format=json-render-diagnostics"]
        subprocess.run(command[:4] + command[4:6], cwd=ROOT, check=True)
        # JAX 0.12 computes large arrays on all processors in spite of the flags above. On Linux the process can be
        # kept to one.
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
        ending = {"Darwin": "dylib", "Windows": "dll"}.get(platform.system(), "so")
        library = ctypes.CDLL(target / "release" / f"libpromote_peers.{ending}")
        library.promote_level.restype = ctypes.c_char_p
        self.run_name = f"{vendor()}-{library.promote_level().decode()}"
        self.time = library.promote_time
        self.time.restype = ctypes.c_double
        self.time.argtypes = [
            ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, Ours.Array,
            ctypes.POINTER(ctypes.c_ssize_t), ctypes.c_uint64,
        ]

    def contender(self, rules, op, operands, dtype, out=None, axis=None):
        """A function of a number of calls that gives nanoseconds a call; none where the rule set gives another dtype."""
        if out is None:
            out = np.empty(np.broadcast_shapes(*[array.shape for array in operands]), NUMPY[dtype] if dtype != "bf16" else "u2")
        as_array = lambda array, name: Ours.Array(
            name.encode(), array.ctypes.data, array.ndim, array.ctypes.shape_as(ctypes.c_size_t), array.ctypes.strides_as(ctypes.c_ssize_t))
        along = None if axis is None else ctypes.pointer(ctypes.c_ssize_t(axis))
        inputs = (Ours.Array * len(operands))(*[as_array(array, NAMES[array.dtype.name]) for array in operands])
        run = lambda calls: self.time(
            rules.encode(), op.encode(), inputs, len(operands), as_array(out, dtype), along, calls) / calls
        run.keep = (out, inputs, operands)
        return run if run(1) >= 0 else None


def timed(call):
    def run(calls):
        start = time.perf_counter_ns()
        for _ in range(calls):
            call()
        return (time.perf_counter_ns() - start) / calls
    return run


class NumPy:
    name = "numpy"
    names = {"divide": "true_divide", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh",
             "atanh": "arctanh", "atan2": "arctan2", "pow": "power", "round": "rint"}

    def contender(self, op, operands, out=None):
        if op == "where":
            result = np.where(*operands)
            return timed(lambda: np.where(*operands)), result.dtype.name
        function = getattr(np, self.names.get(op, op), None)
        if function is None:
            return None
        out = function(*operands) if out is None else out
        return timed(lambda: function(*operands, out=out)), out.dtype.name


class Torch:
    name = "torch"
    names = {"divide": "true_divide", "less": "lt", "equal": "eq", "negative": "neg"}

    def __init__(self):
        import torch
        torch.set_num_threads(1)
        self.torch = torch

    def tensor(self, array):
        if array.dtype.name == "bfloat16":
            return self.torch.from_numpy(array.view("i2")).view(self.torch.bfloat16)
        return self.torch.from_numpy(array)

    def contender(self, op, operands, out=None):
        function = getattr(self.torch, self.names.get(op, op))
        operands = [self.tensor(array) for array in operands]
        out = function(*operands) if out is None else self.tensor(out)
        name = str(out.dtype).removeprefix("torch.")
        if op == "isnan":
            return timed(lambda: function(*operands)), name
        return timed(lambda: function(*operands, out=out)), name


class Jax:
    name = "jax"
    names = {"divide": "true_divide", "pow": "power", "sigmoid": None, "round": "rint"}

    def __init__(self):
        import jax
        self.jax = jax

    def contender(self, op, operands):
        jnp = self.jax.numpy
        function = self.jax.nn.sigmoid if op == "sigmoid" else getattr(jnp, self.names.get(op, op))
        operands = [jnp.asarray(array) for array in operands]
        function = self.jax.jit(function)
        out = function(*operands)
        return timed(lambda: function(*operands).block_until_ready()), out.dtype.name


def calls_a_round(run, budget):
    return max(1, int(budget / max(settled(run, 1), 1.0)))


def settled(run, calls):
    """Nanoseconds a call with the caches as the call itself leaves them, and not as another contender did."""
    run(1)
    return run(calls)


def measure(ours, peers, op, dtypes, n, rounds, budget):
    """`peer -> (peer / ours, ns of ours)` for each peer that computes the case, as we do under its rules."""
    rng = np.random.default_rng(7)
    operands = [operand(op, at - (op == "where"), dtype, n, rng) for at, dtype in enumerate(dtypes)]
    contenders, twins = {}, {}
    for peer in peers:
        try:
            found = peer.contender(op, operands)
        except (TypeError, RuntimeError, AttributeError, NotImplementedError, ValueError) as error:
            continue
        dtype = NAMES.get(found[1]) if found else None
        run = ours.contender(peer.name, op, operands, dtype) if dtype else None
        if run is None:
            continue
        contenders[peer.name] = found[0]
        # Rule sets that give the same dtype mean the same kernel, but for the words of their semantics.
        twins[peer.name] = run
    times = {name: [] for name in contenders}
    counts = {name: (calls_a_round(run, budget), calls_a_round(twins[name], budget)) for name, run in contenders.items()}
    for turn in range(rounds):
        for name in list(contenders)[:: 1 if turn % 2 else -1]:
            theirs, mine = counts[name]
            times[name].append((settled(contenders[name], theirs), settled(twins[name], mine)))
    return {
        name: (statistics.median(a / b for a, b in pairs), statistics.median(b for _, b in pairs) / n)
        for name, pairs in times.items()
    }


def geometric(values):
    values = list(values)
    return statistics.geometric_mean(values) if values else float("nan")


# The runs that are wanted, in the order of their columns; others follow.
WANTED = ["intel-v4", "intel-v3", "amd-v4", "amd-v3"]


def overview():
    """Writes the page that has all runs side by side, from the first table of each."""
    place = lambda page: (WANTED.index(page.stem) if page.stem in WANTED else len(WANTED), page.stem)
    pages = sorted((ROOT / "docs" / "peers").glob("*.md"), key=place)
    runs = {}
    for page in pages:
        lines = page.read_text().splitlines()
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        rows = rows[2 : next(i for i, row in enumerate(rows) if row[0] == "op")]
        paragraphs = [" ".join(paragraph.split()) for paragraph in page.read_text().split("\n\n")]
        runs[page.stem] = (next(text for text in paragraphs if text.endswith("combinations of op and dtypes.")), rows)
    keys = list(dict.fromkeys((row[0], row[1]) for _, rows in runs.values() for row in rows))
    text = [
        "# Beside NumPy, PyTorch and JAX", "",
        "Written by `benches/peers/run.py`. Each column is a run, named by the vendor of its processor and the",
        "SIMD level. A new run replaces the one of the same name. Its page lists all combinations, and explains",
        "each one that is slower. The figures are the geometric mean of the peer's time over ours on one thread, so",
        "above 1 `promote` is faster: of all combinations, and of those of several dtypes; then how many",
        "combinations are below 0.95.", "",
        *[line for name, (machine, _) in runs.items() for line in textwrap.wrap(f"- {name}: {machine}", 110, subsequent_indent="  ")],
        *[f"- {name}: not measured yet." for name in WANTED if name not in runs], "",
        "| peer | elements | " + " | ".join(f"[{name}](peers/{name}.md)" for name in runs) + " |",
        "| --- | --- |" + " --- |" * len(runs),
    ]
    for key in keys:
        found = [next((row for row in rows if (row[0], row[1]) == key), None) for _, rows in runs.values()]
        text.append("| " + " | ".join([*key, *[f"{row[2]}; {row[3]}; {row[5]}" if row else "-" for row in found]]) + " |")
    (ROOT / "docs" / "peers.md").write_text("\n".join(text) + "\n")


def report(results, peers, sizes, run_name):
    names = [peer.name for peer in peers]
    mixed = lambda case: len(set(case[1][case[0] == "where":])) > 1
    lines = [
        f"# Beside NumPy, PyTorch and JAX: {run_name}", "",
        "Written by `benches/peers/run.py`. A figure is the peer's time over ours on one thread, so above 1 `promote`",
        "is faster. The first lines of that script say what is measured.",
        "", *textwrap.wrap(f"{datetime.date.today()}, {processor()}, {', '.join(f'{peer.name} {peer.version}' for peer in peers)}; {len(results)} combinations of op and dtypes.", 109), "",
        "| peer | elements | all, geometric mean | mixed dtypes | slowest | below 0.95 |", "| --- | --- | --- | --- | --- | --- |",
    ]
    for name in names + ["best of them"]:
        for n in sizes:
            ratios = {}
            for case, by_size in results.items():
                found = by_size.get(n, {})
                values = [found[name][0]] if name in found else [r for r, _ in found.values()] if name not in names and found else []
                if values:
                    ratios[case] = min(values)
            if not ratios:
                continue
            worst = min(ratios, key=ratios.get)
            slow = sum(r < 0.95 for r in ratios.values())
            pairs = geometric(r for case, r in ratios.items() if mixed(case))
            lines.append(f"| {name} | {n} | {geometric(ratios.values()):.2f} | {pairs:.2f} | {ratios[worst]:.2f} ({worst[0]} {' '.join(worst[1])}) | {slow} of {len(ratios)} |")
    middle = sizes[len(sizes) // 2]
    lines += ["", "The peer's time over ours for each case, at " + ", ".join(map(str, sizes)) + " elements, and our time for one",
              f"element in nanoseconds at {middle} elements.", "",
              "| op | dtypes | " + " | ".join(names) + " | ours, ns |", "| --- | --- |" + " --- |" * (len(names) + 1)]
    for (op, dtypes), by_size in results.items():
        cells = []
        for name in names:
            cells.append(" / ".join(cell(by_size.get(n, {}), name) for n in sizes))
        ns = [ns for _, ns in by_size.get(middle, {}).values()]
        lines.append(f"| {op} | {' '.join(dtypes)} | " + " | ".join(cells) + f" | {min(ns):.3f} |" if ns else f"| {op} | {' '.join(dtypes)} | " + " | ".join(cells) + " | - |")
    lines += falling_short(results, sizes)
    (ROOT / "docs" / "peers" / f"{run_name}.md").write_text("\n".join(lines) + "\n")
    overview()


def falling_short(results, sizes):
    """Returns a table of the combinations that fall short at a large size, with the reasons."""
    rows = []
    for (op, dtypes), by_size in results.items():
        name = " ".join([op, *dtypes])
        slow = [
            (f"{peer} {ratio:.2f} at {n}", n)
            for n in sizes if n >= LARGE
            for peer, (ratio, _) in by_size.get(n, {}).items() if ratio < SHORT
        ]
        if slow:
            by_how_much = ", ".join(text for text, _ in slow)
            rows.append(f"| {name} | {by_how_much} | {remark(name, [n for _, n in slow])} |")
    if not rows:
        return []
    return ["", "## Where a combination falls short", "",
            f"Cases below {SHORT} at {LARGE} elements or more, measured twice. Times are nanoseconds for one element. Errors are",
            "units in the last place (ULP); ours are below 1.", "",
            "| case | peer / ours | why, and what was tried |", "| --- | --- | --- |"] + rows


def draw(results, peers, sizes, run_name):
    try:
        import matplotlib
    except ImportError:
        print("no matplotlib: no plot")
        return
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "promote"
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, len(sizes), figsize=(4 * len(sizes), 4), sharey=True, squeeze=False)
    for axis, n in zip(axes[0], sizes):
        for peer in peers:
            ratios = sorted(r[n][peer.name][0] for r in results.values() if peer.name in r.get(n, {}))
            if ratios:
                axis.plot([i / max(len(ratios) - 1, 1) for i in range(len(ratios))], ratios, label=peer.name)
        axis.axhline(1, color="black", linewidth=0.8)
        axis.set_yscale("log")
        axis.set_title(f"{n} elements")
        axis.set_xlabel("cases, slowest first")
    axes[0][0].set_ylabel("time of the peer / ours")
    axes[0][0].legend()
    figure.tight_layout()
    figure.savefig(ROOT / "docs" / "peers" / f"{run_name}.svg", metadata={"Date": None})


def installed(*makers):
    """Those of these peers that are installed, with their versions."""
    for maker in makers:
        try:
            peer = maker()
        except ImportError:
            print(f"{maker.name} is not installed: left out")
            continue
        peer.version = sys.modules[peer.name].__version__
        yield peer


def cell(found, name):
    """The ratio of a peer, if it computes the case."""
    return f"{found[name][0]:.2f}" if name in found else "-"


def told(case, by_size, peers):
    """A case and its ratios, size by size, on one line."""
    return f"{case[0]} {' '.join(case[1])}: " + ", ".join(
        f"{peer.name} " + "/".join(cell(found, peer.name) for found in by_size.values()) for peer in peers
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, and the two smaller sizes")
    parser.add_argument("--only", default="", help="only cases with one of these texts, such as 'pow f32,where'")
    parser.add_argument("--sizes", help="numbers of elements, with commas between")
    arguments = parser.parse_args()
    peers = list(installed(NumPy, Torch, Jax))
    ours = Ours()
    sizes = [int(n) for n in arguments.sizes.split(",")] if arguments.sizes else SIZES[:2] if arguments.quick else SIZES
    rounds, budget = (5, 1e6) if arguments.quick else (9, 3e6)
    # A call of millions of elements is long enough for the clock: fewer rounds do.
    ratios = lambda case, n, times: measure(ours, peers, *case, n, times * (rounds if n < 1 << 22 else 5), budget)
    texts = arguments.only.split(",")
    chosen = [(op, tuple(dtypes)) for op, dtypes in cases() if any(text in " ".join([op] + dtypes) for text in texts)]
    results = {}
    for at, case in enumerate(chosen):
        results[case] = {n: ratios(case, n, 1) for n in sizes}
        print(f"{at + 1}/{len(chosen)} {told(case, results[case], peers)}", flush=True)
    for case, by_size in results.items():
        short = [n for n in sizes if any(ratio < SHORT for ratio, _ in by_size[n].values())]
        by_size |= {n: ratios(case, n, 3) for n in short}
        if short:
            print(f"again {told(case, by_size, peers)}", flush=True)
    if not arguments.only:
        report(results, peers, sizes, ours.run_name)
        draw(results, peers, sizes, ours.run_name)


if __name__ == "__main__":
    main()
