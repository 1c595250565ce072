"""Measures calls on views beside NumPy and PyTorch: strided, broadcast, transposed, in place, and small.

    python benches/peers/views.py [--quick] [--only TEXT,..]

As in `run.py`, all libraries take turns on the same arrays, on one thread, with preallocated outputs. Cases
that fall short are measured twice more at the end, on new arrays, because the shared caches affect large
matrices; the median of the three counts. The matrices have 32 Ki and 4 Mi elements. Results go to
`docs/peers-views.md`.
"""

import argparse
import statistics

from run import (
    NAMES, NUMPY, ROOT, SHORT, NumPy, Ours, Torch, calls_a_round, cell, geometric, installed, np, operand, processor, settled,
)

SHAPES = [(128, 256), (2048, 2048)]
CASES = [
    ("add", "f32 f32"), ("add", "f32 i8"), ("add", "f16 f16"), ("multiply", "f32 f16"), ("subtract", "f64 f64"), ("divide", "f32 f32"),
    ("less", "i32 i32"), ("maximum", "u8 u8"), ("bitwise_and", "i64 i64"), ("hypot", "f32 f32"),
]

# The layouts of the two operands. The result is a separate matrix, except in place.
LAYOUTS = {
    "contiguous": lambda make, shape: (make(0, shape), make(1, shape)),
    "strided": lambda make, shape: (make(0, (shape[0], 2 * shape[1]))[:, ::2], make(1, shape)),
    "row": lambda make, shape: (make(0, shape), make(1, shape[1:])),
    "column": lambda make, shape: (make(0, shape), make(1, (shape[0], 1))),
    "scalar": lambda make, shape: (make(0, shape), make(1, ())),
    "transposed": lambda make, shape: (make(0, shape[::-1]).T, make(1, shape)),
    "both transposed": lambda make, shape: (make(0, shape[::-1]).T, make(1, shape[::-1]).T),
    "in place": lambda make, shape: (make(0, shape), make(1, shape)),
    "in place, row": lambda make, shape: (make(0, shape), make(1, shape[1:])),
}


def like(operands, dtype):
    """Room for a result, its axes in the order in which NumPy and PyTorch make them: that of operands that agree."""
    shape = np.broadcast_shapes(*[array.shape for array in operands])
    turned = all(array.flags.f_contiguous and not array.flags.c_contiguous for array in operands)
    return np.empty(shape, NUMPY[dtype], order="F" if turned else "C")


def measure(ours, peers, op, dtypes, layout, shape, rounds, budget):
    rng = np.random.default_rng(7)

    def make(at, shape):
        n = int(np.prod(shape))
        return operand(op, at, dtypes[at], max(n, 1), rng)[:max(n, 1)].reshape(shape)

    operands = LAYOUTS[layout](make, shape)
    out = operands[0] if layout.startswith("in place") else None
    found = {}
    for peer in peers:
        try:
            theirs, name = peer.contender(op, operands, out)
        except (TypeError, RuntimeError):
            continue
        mine = ours.contender(peer.name, op, operands, NAMES[name], like(operands, NAMES[name]) if out is None else out)
        if mine is None:
            continue
        counts = calls_a_round(theirs, budget), calls_a_round(mine, budget)
        pairs = []
        for turn in range(rounds):
            if turn % 2:
                pairs.append((settled(theirs, counts[0]), settled(mine, counts[1])))
            else:
                b = settled(mine, counts[1])
                pairs.append((settled(theirs, counts[0]), b))
        ratio = statistics.median(a / b for a, b in pairs)
        found[peer.name] = (ratio, statistics.median(b for _, b in pairs) / (shape[0] * shape[1]))
    return found


def medians(times):
    """Of several measurements of a case the median for each peer."""
    return {peer: tuple(map(statistics.median, zip(*(found[peer] for found in times)))) for peer in times[0]}


def row(name, by_shape, peers):
    """A case as a row of the table."""
    cells = [" / ".join(cell(found, peer.name) for found in by_shape) for peer in peers]
    times = " / ".join(f"{min(ns for _, ns in found.values()):.3f}" if found else "-" for found in by_shape)
    return f"| {' | '.join([name, *cells, times])} |"


def summary(peer, results):
    """The mean of what is beside one peer, and what falls short."""
    ratios = [
        (found[peer.name][0], f"{name.replace(' |', ',')} at {r} x {c}")
        for name, by_shape in results.items() for (r, c), found in zip(SHAPES, by_shape) if peer.name in found
    ]
    short = sorted(pair for pair in ratios if pair[0] < SHORT)
    return (
        f"- {peer.name}: geometric mean {geometric(ratio for ratio, _ in ratios):.2f}, below {SHORT}: {len(short)} of {len(ratios)}"
        + "".join(f"; {name} {ratio:.2f}" for ratio, name in short) + "."
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--only", default="", help="only cases with one of these texts, such as 'row,f16'")
    arguments = parser.parse_args()
    peers = list(installed(NumPy, Torch))
    ours = Ours()
    rounds, budget = (5, 1e6) if arguments.quick else (9, 3e6)
    cases = {f"{layout} | {op} {pair}": (op, pair.split(), layout) for layout in LAYOUTS for op, pair in CASES}
    ratios = lambda name, shape, times: measure(ours, peers, *cases[name], shape, times * rounds, budget)
    results = {}
    for name in cases:
        if any(text in name for text in arguments.only.split(",")):
            results[name] = [ratios(name, shape, 1) for shape in SHAPES]
            print(row(name, results[name], peers), flush=True)
    for name, by_shape in results.items():
        short = [at for at, found in enumerate(by_shape) if any(ratio < SHORT for ratio, _ in found.values())]
        for at in short:
            by_shape[at] = medians([by_shape[at], *(ratios(name, SHAPES[at], 1) for _ in range(2))])
        if short:
            print("again", row(name, by_shape, peers), flush=True)
    # Cases that no peer computes are left out.
    results = {name: by_shape for name, by_shape in results.items() if any(by_shape)}
    lines = [
        "# Views, beside NumPy and PyTorch", "",
        "Written by `benches/peers/views.py`. A figure is the peer's time over ours on one thread, so above 1 `promote`",
        "is faster. Cases that fall short are measured three times. The matrices have",
        " and ".join(f"{r} x {c}" for r, c in SHAPES) + " elements.", "",
        f"{processor()}, {', '.join(f'{peer.name} {peer.version}' for peer in peers)}.", "",
    ]
    lines += [summary(peer, results) for peer in peers]
    print("\n".join(lines[-len(peers):]))
    names = [peer.name for peer in peers]
    lines += ["", f"| layout | op, dtypes | {' | '.join(names)} | ours, ns an element |", "| --- | --- |" + " --- |" * (len(names) + 1)]
    lines += [row(name, by_shape, peers) for name, by_shape in results.items()]
    if not arguments.only:
        (ROOT / "docs" / "peers-views.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
