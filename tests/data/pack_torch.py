#!/usr/bin/env python3
"""Pack the recorded answers of PyTorch into `torch.json`, beside this script.

    python pack_torch.py FOLDER

FOLDER holds `torch.json`, `torch_states.json`, `seed_torch.json` and `seed_pytorch_quiz.json` as they were recorded, one
`"a,b": dtype` per cell. Here a table is a list of lines, so that a cell costs a word. README.md describes the result.
"""
import json, pathlib, re, sys

NAMES = {"neg": "negative"}     # the recording's name of an op: ours
NUMBERS = ["py_bool", "py_int", "py_float", "py_complex"]

# The recording has only null and an error message where there is no answer. A message says which of three things it was.
NO_KERNEL = re.compile(r"not implemented for|No kernel|no kernel|Could not find device|op_kernel_not_found|not registered"
                       r"|Unsupported dtype|std and var only|Invalid enum data type|Unsupported data type"
                       r"|is not in the list of allowed|kernel")
NO_OVERLOAD = re.compile(r"Cannot convert True|must be [Tt]ensor|invalid combination of arguments|should be float or int"
                         r"|has no attribute|only supports? Tensor|type of 'y' in|unsupported operand|received an invalid"
                         r"|Expected .* Tensor|argument 'y'|argument \(position")

def kinds(errors, section):
    """What each null of a section was."""
    found = {}
    for group in errors.get(section, []):
        m = group["message"]
        kind = "no_kernel" if NO_KERNEL.search(m) else "no_overload" if NO_OVERLOAD.search(m) else "refused"
        for key in group["keys"]:
            assert found.setdefault(key, kind) == kind, (section, key)
    return found

class Packer:
    def __init__(self, recording):
        self.errors = recording["errors"]
        self.used = 0

    def cell(self, values, key, why):
        if key not in values:
            return "."
        self.used += 1
        word = why[key] if values[key] is None else values[key]
        return "-" if word == "refused" else word

    def table(self, values, section, rows, columns, key="{},{}"):
        why = kinds(self.errors, section)
        lines = [" ".join(["a/b", *columns])]
        lines += [" ".join([a, *(self.cell(values, key.format(a, b), why) for b in columns)]) for a in rows]
        return lines

    def answers(self, values, section, names):
        """A table of booleans: yes, or why not."""
        why = kinds(self.errors, section)
        word = lambda a, b: "yes" if values[f"{a},{b}"] else why.get(f"{a},{b}", "-").replace("refused", "-")
        return [" ".join(["a/b", *names])] + [" ".join([a, *(word(a, b) for b in names)]) for a in names]

def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    torch, states, seed, quiz = (json.loads((folder / f"{n}.json").read_text())
                                 for n in ("torch", "torch_states", "seed_torch", "seed_pytorch_quiz"))
    all_, main_ = torch["dtypes"], torch["main_dtypes"]
    p = Packer(torch)
    out = {k: torch[k] for k in ("schema", "framework", "version", "python", "platform")}
    out["dtypes"] = all_
    out["numbers"] = NUMBERS
    # The dtypes that are only there to be stored are asked for here alone.
    more = all_ + [n for n in dict.fromkeys(k.split(",")[0] for k in torch["promote_types"]) if n not in all_]
    out["promote_types"] = p.table(torch["promote_types"], "promote_types", more, more)
    assert p.used == len(more) ** 2 == len(torch["promote_types"])
    for name, rows, columns in (("tensor_scalar", all_, NUMBERS), ("zerodim_scalar", all_, NUMBERS),
                                ("scalar_scalar", NUMBERS, NUMBERS), ("dim_zerodim", all_, all_),
                                ("zerodim_zerodim", all_, all_)):
        section = f"default_f32.{name}" if f"default_f32.{name}" in torch["errors"] else name
        out[name] = p.table(torch[name], section, rows, columns)
    out["default_dtype"] = torch["default_dtype"]
    out["by_default_dtype"] = {}
    for d, tables in torch["by_default_dtype"].items():
        e = f"default_{d}."
        why = kinds(torch["errors"], e + "default_dtype"), kinds(torch["errors"], e + "sqrt")
        out["by_default_dtype"][d] = {
            "tensor_scalar": p.table(tables["tensor_scalar"], e + "tensor_scalar", all_, NUMBERS),
            "zerodim_scalar": p.table(tables["zerodim_scalar"], e + "zerodim_scalar", all_, NUMBERS),
            "scalar_scalar": p.table(tables["scalar_scalar"], e + "scalar_scalar", NUMBERS, NUMBERS),
            "default_dtype": {n: p.cell(tables["default_dtype"], n, why[0]) for n in NUMBERS},
            "divide": p.table(tables["divide"], e + "divide", main_, main_),
            "divide_scalar": p.table(tables["divide_scalar"], e + "divide_scalar", main_, NUMBERS),
            "sqrt": {n: p.cell(tables["sqrt"], n, why[1]) for n in main_},
        }
    out["ops"] = {o: p.table(t, f"ops.{o}", all_, all_) for o, t in torch["ops"].items()}
    out["ops_inferred"] = torch["ops_inferred"]
    out["ops_scalar"] = {o: {"array_number": p.table(torch["ops_scalar"][o], f"ops_scalar.{o}", all_, NUMBERS),
                             "number_array": p.table(torch["ops_scalar"][o], f"ops_scalar.{o}", NUMBERS, all_)} for o in torch["ops_scalar"]}
    out["ops_zerodim"] = {o: p.table(t, f"ops_zerodim.{o}", main_, main_) for o, t in torch["ops_zerodim"].items()}
    for section in ("unary", "reductions"):
        why = {o: kinds(torch["errors"], f"{section}.{o}") for o in torch[section]}
        out[section] = {NAMES.get(o, o): {n: p.cell(t, n, why[o]) for n in all_} for o, t in torch[section].items()}
    out["can_cast"] = {level: p.answers(table, f"can_cast.{level}", all_) for level, table in torch["can_cast"].items()}
    out["inplace"] = {o: p.answers(t, f"inplace.{o}", all_) for o, t in torch["inplace"].items()}
    out["out"] = {o: p.answers(t, "out.add", all_) for o, t in torch["out"].items()}
    s = Packer(states)
    none = ["-"]
    out["states"] = {}
    for d in ("f32", "f64"):
        name = f"states_default_{d}"
        before = s.used
        out["states"][d] = {n: s.table(states[name], name, none + all_, none + all_, "{},{}," + n) for n in none + NUMBERS}
        assert s.used - before == len(states[name]), name
    # Nothing that was recorded is lost: every cell of every packed section was looked up once.
    want = len(more) ** 2 + sum(len(torch[k]) for k in ("tensor_scalar", "zerodim_scalar", "scalar_scalar", "dim_zerodim", "zerodim_zerodim"))
    want += sum(len(t) for tables in torch["by_default_dtype"].values() for t in tables.values())
    want += sum(len(t) for k in ("ops", "ops_scalar", "ops_zerodim", "unary", "reductions") for t in torch[k].values())
    assert p.used == want, (p.used, want)
    columns = list(seed["canonical"].values())
    out["seed_torch"] = {"source": seed["source"], "promote_types": Packer({"errors": {}}).table(seed["promote_types"], "", columns, columns)}
    out["seed_quiz"] = {"source": quiz["source"], "expressions": quiz["expressions"]}
    text = json.dumps(out, indent=1, ensure_ascii=False)
    # One line for each small object and list of plain words.
    text = re.sub(r"[\[{]\n[^\[\]{}]*?[\]}]", lambda m: m[0] if '"a/b ' in m[0] else re.sub(r"\n *", " ", m[0]), text)
    path = pathlib.Path(__file__).resolve().with_name("torch.json")
    path.write_text(text + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes")

if __name__ == "__main__":
    main()
