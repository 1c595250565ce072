#!/usr/bin/env python3
"""Packs the recorded dtypes of PyTorch's functions and layers, as `torch_layers.json` and `torch_autocast.json`.

    python pack_autocast.py FOLDER

FOLDER holds torch_autocast.json as recorded: tables without autocast and with it, on the CPU and, through fake
tensors, on CUDA. README.md describes the result. Every recorded cell goes in once; what was written is read
back and counted.
"""
import collections, json, pathlib, sys

from pack_systems import TORCH_NO_KERNEL, read
from sections import dump

ELIGIBLE = {"f16", "bf16", "f32"}
# Functions with a number: the section, the number, and the side of the tensor.
SCALARS = {"pow_2": ("pow", "py_int", 0), "pow_half": ("pow", "py_float", 0), "operator_pow_2": ("operator_pow", "py_int", 0),
           "rpow": ("pow", "py_int", 1), "add_scalar": ("add", "py_float", 0)}
KINDS = ("ops", "unary")


class Recording:
    def __init__(self, whole, device):
        self.device, self.tables, self.errors = device, whole["cpu" if device == "cpu" else "cuda_inferred"], whole["errors"]

    def table(self, mode, kind, op):
        """The table of an op; the one without autocast, where autocast does not touch the op."""
        found = self.tables[mode][kind].get(op)
        if found is None:
            assert op in self.tables[f"{mode}_same_as_off"], (mode, op)
            return self.table("off", kind, op)
        return found

    def reason(self, mode, kind, op, key):
        """Why a cell has no dtype: `-` or `no_kernel`."""
        where = mode if op in self.tables[mode][kind] else "off"
        groups = self.errors[f"{self.device}.{where}.{kind}.{op}"]
        word = lambda group: "no_kernel" if TORCH_NO_KERNEL.search(group["message"]) or "NVIDIA" in group["message"] else "-"
        for group in groups:
            if key in group["keys"]:
                return word(group)
        # The recording names the first cells of a long list only.
        words = {word(group) for group in groups if "..." in group["keys"]}
        assert words, (self.device, mode, op, key)
        return words.pop() if len(words) == 1 else "no_kernel"


def word(mode, kind, op, key, recordings):
    """The word for a cell."""
    recording, cpu = recordings
    dtype = recording.table(mode, kind, op)[key]
    if dtype is None:
        return recording.reason(mode, kind, op, key)
    if recording is cpu or cpu.tables["off"][kind][op].get(key):
        return dtype
    # Fake tensors have no kernels, which refuse operands on the CPU.
    cast = mode != "off" and ELIGIBLE.issuperset(key.split(",")) and op not in recording.tables[f"{mode}_same_as_off"]
    return dtype if cast else "~" + dtype


def sections(recordings, mode, before):
    """{NAME: {(a, b): word}} of a mode."""
    recording = recordings[0]
    found = collections.defaultdict(dict)
    for kind in KINDS:
        for op in recording.tables["off"][kind]:
            for key in recording.table(mode, kind, op):
                pair = tuple(key.split(",")) if kind == "ops" else (key, "")
                name = f"{kind}.{op}"
                if op in SCALARS:
                    of, number, right = SCALARS[op]
                    name, pair = (f"scalar_ops.{of}", (number, key)) if right else (f"ops_scalar.{of}", (key, number))
                elif op == "zerodim_exp":
                    name = "zerodim_unary.exp"
                assert pair not in found[before + name]
                found[before + name][pair] = word(mode, kind, op, key, recordings)
    return found


def lines(words):
    rows, columns = (list(dict.fromkeys(pair[side] for pair in words)) for side in (0, 1))
    if columns == [""]:
        return [" ".join(rows), " ".join(words[a, ""] for a in rows)]
    return [" ".join(["a/b", *columns])] + [" ".join([a, *(words.get((a, b), ".") for b in columns)]) for a in rows]


def write(name, whole, found):
    first, packed = {}, {}
    for title, words in found.items():
        text = lines(words)
        known = first.setdefault(tuple(text), title)
        packed[title] = text if known == title else "= " + known
    document = {k: whole[k] for k in ("version", "python", "platform", "dtypes")}
    document = {"framework": "torch"} | document | {"sections": packed, "values": []}
    path = pathlib.Path(__file__).resolve().with_name(name)
    path.write_text(dump(document))
    cells = {(t, a, b) if b else (t, a, ""): w for t, words in found.items() for (a, b), w in words.items()}
    assert read(json.loads(path.read_text())) == cells
    kinds = collections.Counter(w if w in ("-", "no_kernel") else "~dtype" if w[0] == "~" else "dtype" for w in cells.values())
    print(f"{name}: {path.stat().st_size} bytes, {len(packed)} sections, {len(cells)} cells, {dict(kinds)}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    whole = json.loads((pathlib.Path(sys.argv[1]) / "torch_autocast.json").read_text())
    cpu, cuda = Recording(whole, "cpu"), Recording(whole, "cuda")
    write("torch_layers.json", whole, sections((cpu, cpu), "off", "") | sections((cuda, cpu), "off", "cuda_"))
    on = {}
    for recording in (cpu, cuda):
        for mode in ("bf16", "f16"):
            on |= sections((recording, cpu), mode, f"device={recording.device};dtype={mode}|")
    write("torch_autocast.json", whole, on)


if __name__ == "__main__":
    main()
