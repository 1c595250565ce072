"""Write and read files of recorded values. README.md, "The files of values", describes them."""
import pathlib, zlib

HERE = pathlib.Path(__file__).resolve().parent
WIDTH = {"bool": 1, "u8": 1, "u16": 2, "u32": 4, "u64": 8, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f8e4m3fn": 1, "f8e5m2": 1, "f16": 2,
         "bf16": 2, "f32": 4, "f64": 8, "c32": 2, "c64": 4, "c128": 8}

def planes(dtype, data):
    """Returns the first bytes of all elements (or parts of complex ones), then the second ones, and so on.

    This packs better, since the bytes with the exponents are similar.
    """
    width = WIDTH[dtype]
    return b"".join(data[i::width] for i in range(width))

def elements(dtype, data):
    """The bytes of which `planes` made these."""
    width = WIDTH[dtype]
    count = len(data) // width
    return bytes(data[i % width * count + i // width] for i in range(len(data)))

class Writer:
    def __init__(self, **about):
        self.about, self.pools, self.ops = about, {}, {}
        self.blocks, self.known = [], {}

    def block(self, data):
        """The position of bytes among the blocks; equal bytes are stored once."""
        if data not in self.known:
            self.known[data] = len(self.blocks)
            self.blocks.append(data)
        return self.known[data]

    def pool(self, name, data):
        """An operand, `NAME.DTYPE`."""
        assert name not in self.pools
        self.pools[name] = self.block(planes(name.split(".")[1], bytes(data)))

    def case(self, op, words, dtype, data=None, beside=None):
        """Adds a case of an op: operands and options, the dtype of the result (or a word), and its elements.

        `beside`: their distance from the exact result.
        """
        out = dtype if data is None else f"{dtype}:{self.block(planes(dtype, bytes(data)))}"
        out += "" if beside is None else f":{self.block(planes(dtype, bytes(beside)))}"
        self.ops.setdefault(op, []).append(" ".join([out, *words]))

    def write(self, name):
        lines = [f"{k} {v}" for k, v in self.about.items()] + ["", *(f"{n} {at}" for n, at in self.pools.items()), ""]
        for op, cases in self.ops.items():
            lines += [f"op {op}", *cases]
        text = ("\n".join(lines) + "\n").encode()
        lengths = b"".join(len(b).to_bytes(2, "little") for b in self.blocks)
        raw = b"".join(x.to_bytes(4, "little") for x in (len(text), len(self.blocks))) + text + lengths + b"".join(self.blocks)
        path = HERE / f"{name}.bin"
        path.write_bytes(zlib.compress(raw, 9))
        print(f"{path.name}: {path.stat().st_size} bytes, {sum(map(len, self.ops.values()))} cases of {len(self.ops)} ops")

def read(name):
    """What was written: about, {pool: bytes}, {op: [(dtype or word, bytes, bytes, words)]}."""
    raw = zlib.decompress((HERE / f"{name}.bin").read_bytes())
    size, count = (int.from_bytes(raw[i : i + 4], "little") for i in (0, 4))
    text, at = raw[8 : 8 + size].decode(), 8 + size
    blocks, start = [], at + 2 * count
    for i in range(count):
        n = int.from_bytes(raw[at + 2 * i : at + 2 * i + 2], "little")
        blocks.append(raw[start : start + n])
        start += n
    assert start == len(raw)
    about, pools, cases = text.split("\n\n")
    pools = dict(line.split(" ") for line in pools.splitlines())
    ops = {}
    for line in cases.splitlines():
        if line.startswith("op "):
            ops[line[3:]] = found = []
            continue
        out, *words = line.split(" ")
        dtype, *at = out.split(":")
        found.append((dtype, *([elements(dtype, blocks[int(i)]) for i in at] + [None, None])[:2], words))
    return (dict(line.split(" ", 1) for line in about.splitlines()),
            {n: elements(n.split(".")[1], blocks[int(at)]) for n, at in pools.items()}, ops)
