#!/usr/bin/env python3
"""Pack the recorded answers of the frameworks, one JSON file each, beside this script.

    python pack_systems.py FOLDER

FOLDER holds the recordings named in FILES below, one `"a,b": dtype` per cell. README.md describes the result.
Every cell that was recorded goes in exactly once, and what was written is read back and compared. Sections
that other scripts write (`lists.py`, `record_where.py`, `record_torch_zerodim.py`,
`record_torch_promote_types.py`, `record_polars.py`, `record_unary.py`) are kept.
"""
import collections, json, pathlib, re, sys

from sections import dump

# The inputs: the recording, and the published document if there is one.
FILES = {"jax": ("jax",), "jax2020": (None, "seed_jax2020"), "numpy": ("numpy",), "numpy1": ("numpy126",), "ml_dtypes": ("ml_dtypes",),
         "array_api": ("array_api",), "paddle": ("paddle", "seed_paddle"), "oneflow": ("oneflow",),
         "openvino": ("openvino", "seed_openvino"), "tensorflow": ("tf",),
         "torch": ("torch", "seed_torch", "seed_pytorch_quiz"), "polars": ("polars",), "datafusion": ("datafusion",)}

# The name of an op in the recording: ours.
OPS = {"neg": "negative", "invert": "bitwise_not", "bitwise_invert": "bitwise_not", "cumulative_sum": "cumsum", "cumulative_prod": "cumprod",
       "less_than": "less", "greater_than": "greater", "remainder(mod)": "remainder"}
NUMBERS = ["py_bool", "py_int", "py_float", "py_complex"]

# A null is one of three things, and only the message says which. "Invalid enum data type for type promote"
# (Paddle) and "not supported for the input types" (NumPy) are refusals.
NO_KERNEL = re.compile(r"is not registered|kernel_not_found|Could not find device|is not in the list of allowed")
NO_OVERLOAD = re.compile(r"Cannot convert True|must be [Tt]ensor|must be tensor type|should be float or int|has no attribute"
                         r"|unsupported operand|argument '\w+' \(position|should have the same shape")
# PyTorch has messages of its own.
TORCH_NO_KERNEL = re.compile(r"not implemented for|No kernel|no kernel|Could not find device|op_kernel_not_found|not registered"
                             r"|Unsupported dtype|std and var only|Invalid enum data type|Unsupported data type"
                             r"|is not in the list of allowed|kernel")
TORCH_NO_OVERLOAD = re.compile(r"Cannot convert True|must be [Tt]ensor|invalid combination of arguments|should be float or int"
                               r"|has no attribute|only supports? Tensor|type of 'y' in|unsupported operand|received an invalid"
                               r"|Expected .* Tensor|argument 'y'|argument \(position")

# Query engines, whose recordings have dtypes that no rule set has. For each: our names of its ops, and what is
# left out because the rule language has no such op, or one that computes something else.
ENGINE_DTYPES = "bool u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64".split()
ENGINES = {
    "polars": (
        # `max_horizontal` passes over NaN, as `fmax` does.
        {"maximum": "fmax", "minimum": "fmin", "is_in": "isin"},
        "sum_horizontal mean_horizontal coalesce fill_null clip_min concat_list shift diff pct_change rank degrees count_ones"
        " interpolate rolling_sum rolling_mean ewm_mean quantile cumcount cummax count dot skew bitwise_and(reduction) n_unique nan_max"),
    "datafusion": (
        # `%` has the sign of the dividend, `least` passes over NaN.
        {"remainder": "fmod", "minimum": "fmin", "in": "isin", "avg": "mean", "stddev": "std", "bool_and": "all"},
        # `bitwise_xor` and `round`: SQL has no such operator; it rounds halves away from zero.
        "is_distinct coalesce nullif nvl make_array between bitwise_xor round factorial count bit_and approx_median first_value"
        " percentile_cont sum_distinct sum_over array_sum"),
}

# Entries of a recording that are not answers.
HEADER = {"schema", "framework", "version", "python", "platform", "dtypes", "main_dtypes", "seed_dtypes", "native_names", "promotion_state",
          "promote_types_source", "note", "settings", "op", "defaults", "errors", "executed_differs_from_abstract", "everything_else_as_in"}
# Facts about answers, which become part of their words.
HELPERS = {"ops_promoted_without_cpu_kernel", "promote_types_inferred", "no_cpu_kernel", "same_as", "ops_inferred"}
# Entries that are not tables of answers. Each has a function below.
SHAPES = {"value_based", "min_scalar_type", "formats", "lattice"}

def place(system, path):
    """Returns the section of a recorded table (parameters, the rest of its name), and the name of its errors."""
    p, params = list(path), {}
    error = ".".join(p)
    if system == "jax":
        if p == ["tensor_scalar"]:
            error = "x64.tensor_scalar"
        if p[0] == "x64":
            p = p[1:]
        elif p[0] == "x64_off":
            p, params = p[1:], {"x64": "false"}
        elif p[0] == "x64_off_explicit_allow":
            p, params = (["ops", "add"] if p[1] == "add" else p[1:]), {"x64": "false", "explicit_x64": "allow"}
        elif p[0] == "strict":
            p, params = p[1:], {"strict": "true"}
    elif system == "paddle":
        if p[0] == "default_dtype_f64":
            p, params = (["ops_scalar", "operator_truediv"] if p[1] == "divide_scalar" else p[1:]), {"default_dtype": "f64"}
        if p[0] == "inplace":
            error = f"inplace_dtype.{p[1]}"
    elif system == "oneflow":
        if p[0] == "dim_zerodim_ops":
            p[0] = "ops_zerodim"
    elif system == "openvino":
        key = p[1] if p[0] == "tables" else "promote_unsafe=false;pytorch_scalar_promotion=false;u64_integer_promotion_target=f32;dim_dim"
        error, p, params = key, *ranks(p[-1])
    elif system == "torch":
        if p[0] in ("tensor_scalar", "zerodim_scalar"):
            error = f"default_f32.{p[0]}"
        elif p[0] == "by_default_dtype":
            params, error = {"default_dtype": p[1]}, f"default_{p[1]}.{p[2]}"
            p = {"divide": ["ops", "divide"], "divide_scalar": ["ops_scalar", "divide"], "sqrt": ["unary", "sqrt"]}.get(p[2], p[2:])
        elif p == ["out", "add_a_a_out_b"]:
            p, error = ["out", "add"], "out.add"
    elif system == "tensorflow":
        error = ".".join(p[1:])
        mode, *rest = p[1].split("_", 1)
        p, params = p[2:], {"mode": mode} if mode != "all" else {}
        if rest:
            params["prefer_float32"] = "true"
    if len(p) == 2 and p[0] != "can_cast":
        p[1] = OPS.get(p[1], p[1])
    return params, p, error

OPENVINO = {"promote_unsafe": "false", "pytorch_scalar_promotion": "false", "u64_integer_promotion_target": "f32"}

def ranks(key):
    """`promote_unsafe=..;..;dim_dim`: its kind, and the parameters that are not the default."""
    *params, kind = key.split(";")
    return [kind], {k: v for k, v in (p.split("=") for p in params) if OPENVINO[k] != v}

def title(params, path):
    return "".join([";".join(f"{k}={v}" for k, v in params.items()), "|"] if params else []) + ".".join(path)

def engine(system, r):
    """The answers of a query engine over the dtypes that rule sets have, under our names of ops."""
    rename, unknown = ENGINES[system]
    unknown = set(unknown.split())
    ours = set(ENGINE_DTYPES) | set(NUMBERS)
    seen = set()
    def only(table):
        return {k: v for k, v in table.items() if ours.issuperset(k.split(","))}
    def ops(name, suffix=""):
        for op, table in r.get(name, {}).items():
            if op in unknown or op + suffix in unknown:
                seen.add(op if op in unknown else op + suffix)
            else:
                yield rename.get(op, op), only(table)
    out = {k: r[k] for k in ("framework", "version", "python", "platform")} | {"dtypes": ENGINE_DTYPES}
    if "engine" in r:
        out["version"] = f"{r['version']} ({r['engine'].split(',')[0]})"
    out |= {"promote_types": only(r["promote_types"]), "ops": dict(ops("ops")), "unary": dict(ops("unary")),
            "reductions": dict(ops("reductions", "(reduction)"))}
    for theirs, name in (("ops_scalar", "ops_scalar"), ("dim_zerodim", "ops_zerodim"), ("series_ops", "series_ops"),
                         ("scalar_scalar", "number_ops")):
        if theirs in r:
            out[name] = dict(ops(theirs))
    if "tensor_scalar" in r:                # which is `a + b`
        out["ops_scalar"]["operator_add"] = only(r["tensor_scalar"])
    for name in ("default_dtype", "default_dtype_by_value"):
        if name in r:
            out[name] = r[name]
    out["number_values"] = number_values(r, rename)
    assert seen == unknown, unknown - seen
    return out

def number_values(r, rename):
    """{op: {"py_int:300,u8": dtype}}, of numbers that an i128 holds."""
    kinds = {"bool": "py_bool", "i64": "py_int", "u64": "py_int", "f64": "py_float"}
    tables = {}
    for row in r["value_based"]:
        if "literal" in row:                # of SQL: its kind is that of the dtype that the parser gives it
            kind, value = kinds.get(r["default_dtype_by_literal"].get(row["literal"], "f64")), row["literal"].capitalize()
            if kind is None or value.startswith("'"):       # NULL, a string
                continue
        else:
            kind, value = row["scalar"], row["value"]
        if row["array"] not in ENGINE_DTYPES or kind not in NUMBERS or kind == "py_int" and not -2**127 <= int(value) < 2**127:
            continue
        key = f"{kind}:{value},{row['array']}"
        assert row["add"] == row["radd"]
        for op in ("add", "divide", "less", "where", "maximum"):
            tables.setdefault(rename.get(op, op), {})[key] = row[op]
    return tables

def rows(system, r):
    """The lines of `rows`: op, dtype, operands, and the result, `null` or `error`. Of the casts, that of our `astype`."""
    rename, unknown = ENGINES[system]
    rename = rename | {"cast_wrap_numerical": "astype"}
    unknown = {*unknown.split(), "cast_strict", "cast_nonstrict", "arrow_cast", "arrow_try_cast"}
    word = lambda v: "null" if v is None else "[" + ",".join(map(word, v)) + "]" if isinstance(v, list) else str(v)
    lines = []
    for row in r["values"]:
        dtypes = {row["from"], row["to"]} if "to" in row else {row["dtype"]}
        if row["op"] in unknown or not dtypes <= set(ENGINE_DTYPES):
            continue
        given = [row["from"], row["value"], row["to"]] if "to" in row else [row["dtype"], *(row[k] for k in "ab" if k in row)]
        op = rename.get(row["op"], row["op"])
        lines.append(" ".join([op, *map(word, given), "error" if "error" in row else word(row["result"])]))
    return lines

def is_table(value):
    return isinstance(value, dict) and value and not any(isinstance(v, (dict, list)) for v in value.values())

def tables(value, path=()):
    """Every table of a recording with the way to it."""
    if is_table(value):
        yield path, value
    elif isinstance(value, dict):
        for k, v in value.items():
            if k not in HEADER | HELPERS | SHAPES:
                yield from tables(v, (*path, k))

class Packer:
    def __init__(self, system, recording):
        self.system, self.recording = system, recording
        self.sections, self.full = {}, {}       # NAME: lines; lines: the first NAME they stood under
        self.cells = collections.Counter()      # how often a cell of the recording was written
        self.words = collections.Counter()
        self.expected = {}                      # (NAME, a, b): word, to be compared with what is read back
        self.mistrusted = collections.Counter()
        self.kinds = {section: self.read_errors(section, groups) for section, groups in recording.get("errors", {}).items()}
        self.order = {d: i for i, d in enumerate(recording.get("dtypes", []))}

    def read_errors(self, section, groups):
        found = {}
        no_kernel, no_overload = (TORCH_NO_KERNEL, TORCH_NO_OVERLOAD) if self.system == "torch" else (NO_KERNEL, NO_OVERLOAD)
        for group in groups:
            m = group["message"]
            kind = "no_kernel" if no_kernel.search(m) else "no_overload" if no_overload.search(m) else "-"
            for key in group["keys"]:
                assert found.setdefault(key, kind) == kind, (section, key)
        return found

    def word(self, path, key, value, error):
        """The word for a recorded value."""
        if value is True:
            return "yes"
        r = self.recording
        helped = r.get("ops_promoted_without_cpu_kernel", {}).get(path[-1], {}).get(key) if path[0] == "ops" else \
            r.get("promote_types_inferred", {}).get(key) if path == ("promote_types",) else None
        if value not in (None, False):
            assert helped in (None, value), (path, key)
            return ("~" if key in r.get("no_cpu_kernel", {}).get(path[-1], ()) else "") + value
        # Engines have no missing kernels, and their recordings do not name every pair of an error.
        word = "-" if self.system in ENGINES else self.kinds.get(error, {}).get(key)
        # What the meta device of PyTorch gives, which computes no elements.
        inferred = r.get("ops_inferred", {}).get(path[-1], {}).get(key) if path[0] == "ops" else None
        if inferred:
            assert word == "no_kernel", (path, key)
            return "~" + inferred
        assert word or value is False or path == ("static_add",), (error, key)      # for that one no message was kept
        if helped:
            assert word == "no_kernel", (path, key)
            # The recording names the dtype whose kernel was looked up. Where that is no operand's promoted
            # dtype (the op does not promote, or some op inside it came first), it says nothing about the
            # result.
            if helped == r["promote_types"][key]:
                kernels = {v for v in r["ops"][path[-1]].values() if v}
                return "~bool" if kernels == {"bool"} else "~" + helped
            self.mistrusted[path[-1]] += 1
        return word or "-"

    def put(self, name, lines):
        assert name not in self.sections, name
        first = self.full.setdefault(tuple(lines), name)
        self.sections[name] = lines if first == name else "= " + first

    def write(self, name, path, words, rows, columns=None):
        """A table from {(a, b) or a: word}."""
        if columns is None:
            self.put(name, [" ".join(rows), " ".join(words[a] for a in rows)])
        else:
            self.put(name, [" ".join(["a/b", *columns])] + [" ".join([a, *(words.get((a, b), ".") for b in columns)]) for a in rows])
        for key, word in words.items():
            self.expected[(name, *key) if columns is not None else (name, key, "")] = word
            self.cells[path, ",".join(key) if columns is not None else key] += 1
            self.count(word)

    def count(self, word):
        self.words["~dtype" if word[0] == "~" else word if word in ("yes", "-", "no_kernel", "no_overload") else
                   "dtype*" if word[-1] == "*" else "dtype"] += 1

    def names(self, found):
        """In the order of the dtypes, then weak ones, then numbers."""
        found = list(dict.fromkeys(found))
        return sorted(found, key=lambda n: self.order.get(n, 1000 + NUMBERS.index(n) if n in NUMBERS else 500 + found.index(n)))

    def table(self, path, table):
        params, kind, error = place(self.system, path)
        words = {tuple(k.split(",")) if "," in k else k: self.word(path, k, v, error) for k, v in table.items()}
        if "," not in next(iter(table)):
            return self.write(title(params, kind), path, words, self.names(words))
        parts = [(kind, words)]
        if kind[0].endswith("ops_scalar"):
            # A number on the right, and a number on the left.
            sides = [{k: w for k, w in words.items() if (k[0] in NUMBERS) == left} for left in (False, True)]
            parts = [(kind, sides[0]), ([kind[0].replace("ops_scalar", "scalar_ops"), *kind[1:]], sides[1])]
        for kind, part in parts:
            if part:
                self.write(title(params, kind), path, part, self.names(a for a, _ in part), self.names(b for _, b in part))

    def lattices(self):
        for name, nodes in self.recording["lattice"].items():
            params = {"standard_x64": {}, "standard_x64_off": {"x64": "false"}, "strict": {"strict": "true"}}[name]
            self.put(title(params, ["lattice"]), [" ".join([n, *s]) for n, s in nodes.items()])
            self.cells["lattice", name] += 1

    def formats(self):
        formats = self.recording["formats"]
        columns = list(dict.fromkeys(c for f in formats.values() for c in f))
        word = lambda v: "." if v is None else f"{v['bits_hex']}:{v['value']}" if isinstance(v, dict) else str(v)
        self.put("formats", [" ".join(["dtype", *columns])] + [" ".join([d, *(word(f.get(c)) for c in columns)]) for d, f in formats.items()])
        self.cells["formats", ""] += 1

    def values(self):
        """A row for each scalar and value, a column for each array."""
        cases = self.recording.get("value_based", [])
        arrays = list(dict.fromkeys(c["array"] for c in cases))
        rows = {}
        for c in cases:
            r, add, less = (c.get(k, ".") or "-" for k in ("result_type", "add", "less"))
            row = rows.setdefault(f"{c['scalar']}:{c['value']}", {})
            assert c["array"] not in row
            row[c["array"]] = r if (add, less) in ((r, "bool"), (".", ".")) else f"{r}/{add}/{less}"
            for w in (r, add, less):
                self.count(w) if w != "." else None
        assert len(rows) * len(arrays) == len(cases)
        if cases:
            self.cells["value_based", ""] += 1
        return [" ".join(["a/b", *arrays])] + [" ".join([r, *(w[a] for a in arrays)]) for r, w in rows.items()] if cases else []

    def smallest(self):
        rows = {c["value"]: c["result"] for c in self.recording["min_scalar_type"]}
        assert len(rows) == len(self.recording["min_scalar_type"])
        self.put("min_scalar_type", [" ".join(rows), " ".join(rows.values())])
        self.cells["min_scalar_type", ""] += 1
        for w in rows.values():
            self.count(w)

    def same(self):
        """The combinations of parameters that gave the table of another one."""
        for key, other in self.recording["same_as"].items():
            kind, params = ranks(key)
            k, p = ranks(other)
            there = self.sections[title(p, k)]
            assert title(params, kind) not in self.sections
            self.sections[title(params, kind)] = "= " + title(p, k) if isinstance(there, list) else there
            self.cells["same_as", key] += 1

    def all(self):
        r = self.recording
        found = list(tables(r))
        if self.system == "tensorflow":
            first = ["all", "all_prefer_float32"]
            found.sort(key=lambda f: first.index(f[0][1]) if f[0][1] in first else 9)
        for path, table in found:
            self.table(path, table)
        values = self.values()
        for key, pack in (("lattice", self.lattices), ("formats", self.formats), ("min_scalar_type", self.smallest), ("same_as", self.same)):
            if key in r:
                pack()
        want = collections.Counter((path, key) for path, table in found for key in table)
        want.update(("lattice", k) for k in r.get("lattice", ()))
        want.update(("same_as", k) for k in r.get("same_as", ()))
        want.update((k, "") for k in ("value_based", "formats", "min_scalar_type") if k in r)
        assert want == self.cells, (want - self.cells, self.cells - want)
        # Every other entry is a table, a helper or a fact about answers.
        known = HEADER | HELPERS | SHAPES | {k for path, _ in found for k in path}
        assert known.issuperset(r) and not r.get("executed_differs_from_abstract"), set(r) - known
        return values

def jax2020(p, seed):
    columns = list(seed["canonical"].values())
    assert [r["cells"] for r in seed["rows"]] == [[next(k for k, v in seed["canonical"].items() if v == seed["promote_types"][f"{a},{b}"])
                                                   for b in columns] for a in columns]
    pairs = {(a, b): seed["promote_types"][f"{a},{b}"] for a in columns for b in columns}
    assert len(pairs) == len(seed["promote_types"])
    p.write("promote_types", ("seed",), pairs, columns, columns)
    marked = {tuple(k.split(",")) for k in seed["marked_different_from_numpy"]}
    p.write("different_from_numpy", ("marked",), {k: "yes" if k in marked else "-" for k in pairs}, columns, columns)

def paddle(p, seed):
    rows = [r["row"] for r in seed["tensor_tensor"]["rows"]]
    pairs = {(r["row"], b): c for r in seed["tensor_tensor"]["rows"] for b, c in zip(seed["tensor_tensor"]["columns"], r["cells"])}
    assert {",".join(k): None if c == "-" else c for k, c in pairs.items()} == seed["promote_types"]
    p.write("seed|promote_types", ("seed", "promote_types"), pairs, rows, rows)
    scalars = [f"py_{c}" for c in seed["tensor_scalar"]["columns"]]
    p.write("seed|tensor_scalar", ("seed", "tensor_scalar"), {(r["row"], b): c for r in seed["tensor_scalar"]["rows"] for b, c in zip(scalars, r["cells"])}, rows, scalars)
    p.write("seed|default_dtype", ("seed", "default_dtype"), {f"py_{k}": v for k, v in seed["scalar_default_dtypes"].items()}, scalars)
    p.put("seed|apis", ["op tensor_tensor tensor_scalar"] + [" ".join([OPS.get(a["api"], a["api"]), a["tensor_tensor"].split()[0], a["tensor_scalar"].split()[0]]) for a in seed["apis"]])

def openvino(p, seed):
    lines = ["left right ranks result when_safe parameters"]
    for e in seed["examples"]:
        params = [f"{k}={str(v).lower()}" for k, v in e["attributes"].items() if str(v).lower() != OPENVINO[k]]
        kind = "_".join({"S": "scalar", "D": "dim"}[x] for x in e["ranks"])
        lines.append(" ".join([e["left"], e["right"], kind, e["result"], e.get("if_promote_unsafe_is_false", ".").replace("raises", "-"), ";".join(params) or "."]))
    p.put("seed|examples", lines)

def torch_states(p, recording):
    """Returns a table for each number: the result of an array, a zero-dimensional array and the number.

    `-` says that there is no such operand.
    """
    none = ["-", *recording["dtypes"]]
    for default in ("f32", "f64"):
        name = f"states_default_{default}"
        kinds = p.read_errors(name, recording["errors"][name])
        found = {number: {} for number in ("-", *NUMBERS)}
        for key, dtype in recording[name].items():
            a, b, number = key.split(",")
            found[number][a, b] = dtype or kinds[key]
        for number, words in found.items():
            p.write(f"default_dtype={default}|states.{number}", (name, number), words, none, none)

def torch(p, seed):
    if "expressions" in seed:
        return p.put("seed|quiz", ["op left right result expression"] +
                     [" ".join(e[k] for k in ("op", "left", "right", "result", "expression")) for e in seed["expressions"]])
    columns = list(seed["canonical"].values())
    pairs = {tuple(k.split(",")): v for k, v in seed["promote_types"].items()}
    assert set(pairs) == {(a, b) for a in columns for b in columns}
    p.write("seed|promote_types", ("seed", "promote_types"), pairs, columns, columns)

SEEDS = {"jax2020": jax2020, "paddle": paddle, "openvino": openvino, "torch": torch}

# Sections that other scripts write.
KEPT = re.compile(r"(x64=false\|)?unary\.(positive|signbit|cbrt|rsqrt|erfc?|relu|silu|softplus|gelu|gelu_tanh|sigmoid|isinf|isfinite|imag)|lists|(tnp_)?number_values\..*|(ops_zerodim|zerodim_ops)\.(l1|mse|smooth_l1)_loss")
KEPT_OF = {("torch", "promote_types")} | {
    ("polars", f"unary.{op}") for op in "cos tan asin acos atan sinh cosh tanh asinh acosh atanh log10 isinf".split()}

def read(document):
    """{(NAME, a, b): word} of what was written, for the tables of answers."""
    out = {}
    for name, lines in document["sections"].items():
        lines = document["sections"][lines[2:]] if isinstance(lines, str) else lines
        head, *rest = (l.split() for l in lines)
        if head[0] == "a/b":
            out.update({(name, r[0], b): w for r in rest for b, w in zip(head[1:], r[1:], strict=True) if w != "."})
        elif len(rest) == 1:
            out.update({(name, a, ""): w for a, w in zip(head, rest[0], strict=True)})
    return out

def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    load = lambda name: json.loads((folder / f"{name}.json").read_text())
    total, kinds = 0, ["dtype", "dtype*", "yes", "-", "no_kernel", "no_overload", "~dtype"]
    print(f"{'file':16}{'bytes':>8}{'names':>7}{'tables':>7}{'cells':>8}" + "".join(f"{k:>12}" for k in kinds))
    for system, (recorded, *seeds) in FILES.items():
        whole = load(recorded) if recorded else {}
        recording = engine(system, whole) if system in ENGINES else whole
        p = Packer(system, recording)
        values = p.all()
        if system == "torch":
            torch_states(p, load("torch_states"))
        for name in seeds:
            seed = load(name)
            SEEDS[system](p, seed)
        if recorded:
            out = {k: recording[k] for k in ("framework", "version", "python", "platform", "dtypes")}
        else:
            out = {"framework": "jax", "version": seed["source"], "python": "-", "platform": "-", "dtypes": list(seed["canonical"].values())}
        path = pathlib.Path(__file__).resolve().with_name(f"{system}.json")
        known = json.loads(path.read_text()).get("sections", {}) if path.exists() else {}
        kept = {name: lines for name, lines in known.items() if (system, name) in KEPT_OF or system not in ENGINES and KEPT.fullmatch(name)}
        out |= {"sections": p.sections | kept, "values": values}
        if system in ENGINES:
            out["rows"] = rows(system, whole)
        path.write_text(dump(out))
        got = read(json.loads(path.read_text()))
        assert all(got.get(k) == w for k, w in p.expected.items())
        full = sum(isinstance(s, list) for s in p.sections.values())
        total += path.stat().st_size
        print(f"{path.name:16}{path.stat().st_size:8}{len(p.sections):7}{full:7}{sum(p.words.values()):8}" + "".join(f"{p.words[k]:12}" for k in kinds))
        if p.mistrusted:
            print("  no_kernel although a dtype was named:", dict(p.mistrusted))
    print(f"{total} bytes")

if __name__ == "__main__":
    main()
