"""Measures scans and the spread around a mean beside NumPy and PyTorch, on one thread.

    python benches/peers/scans.py [--quick] [--only TEXT,..]

As in `run.py`, all libraries take turns on the same arrays, with preallocated outputs. Arrays have 1 Mi
elements: in a row, and in a matrix along either axis. A figure is the peer's time over ours, so above 1
`promote` is faster.
"""

import argparse
import statistics

from run import NAMES, NUMPY, NumPy, Ours, Torch, calls_a_round, cell, geometric, installed, np, operand, processor, settled, timed

OPS = ["cumsum", "cumprod", "std", "var", "median", "nansum", "logsumexp"]
SHAPES = [((1 << 20,), 0), ((1 << 10, 1 << 10), 0), ((1 << 10, 1 << 10), 1)]
DTYPES = ["f32", "f64", "f16", "i32", "i64"]


def theirs(peer, op, array, axis):
    """A function of a number of calls, and the result."""
    if peer.name == "numpy":
        function = getattr(np, op)
        found = function(array, axis=axis)
        out = np.empty_like(found) if isinstance(found, np.ndarray) else None
        return timed(lambda: function(array, axis=axis, out=out)), np.asarray(found)
    function, tensor = getattr(peer.torch, op), peer.tensor(array)
    found = function(tensor, dim=axis)
    if op == "median":
        return timed(lambda: function(tensor, dim=axis)), found.values.numpy()
    out = found.clone()
    if op == "nansum":
        return timed(lambda: function(tensor, dim=axis)), found.numpy()
    return timed(lambda: function(tensor, dim=axis, out=out)), found.numpy()


def measure(ours, peers, op, dtype, shape, axis, rounds, budget):
    array = operand(op, 0, dtype, int(np.prod(shape)), np.random.default_rng(7)).reshape(shape)
    if op == "cumprod" and dtype[0] == "f":
        array = np.sign(array) + (array == 0)
    found = {}
    for peer in peers:
        try:
            their, result = theirs(peer, op, array.astype(NUMPY[dtype]), axis)
        except (TypeError, RuntimeError, AttributeError, NotImplementedError):
            continue
        out = np.empty(result.shape, result.dtype)
        mine = ours.contender(peer.name, op, [array.astype(NUMPY[dtype])], NAMES[result.dtype.name], out, axis)
        if mine is None:
            continue
        counts = calls_a_round(their, budget), calls_a_round(mine, budget)
        pairs = []
        for turn in range(rounds):
            first = settled(mine, counts[1]) if turn % 2 else None
            pairs.append((settled(their, counts[0]), first or settled(mine, counts[1])))
        found[peer.name] = (statistics.median(a / b for a, b in pairs), statistics.median(b for _, b in pairs) / array.size)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--only", default="", help="only cases with one of these texts, such as 'cumsum,f16'")
    arguments = parser.parse_args()
    peers = list(installed(NumPy, Torch))
    ours = Ours()
    rounds, budget = (5, 1e6) if arguments.quick else (15, 5e6)
    print(f"{processor()}, {', '.join(f'{peer.name} {peer.version}' for peer in peers)}")
    print("| case | " + " | ".join(peer.name for peer in peers) + " | ours, ns an element |")
    print("| --- |" + " --- |" * (len(peers) + 1))
    ratios = []
    for op in OPS:
        for dtype in DTYPES:
            for shape, axis in SHAPES:
                name = f"{op} {dtype} {' x '.join(map(str, shape))}, axis {axis}"
                if not any(text in name for text in arguments.only.split(",")):
                    continue
                found = measure(ours, peers, op, dtype, shape, axis, rounds, budget)
                if not found:
                    continue
                ratios += [ratio for ratio, _ in found.values()]
                ns = min(ns for _, ns in found.values())
                print(f"| {name} | {' | '.join(cell(found, peer.name) for peer in peers)} | {ns:.2f} |", flush=True)
    print(f"geometric mean {geometric(ratios):.2f}, below 0.9: {sum(ratio < 0.9 for ratio in ratios)} of {len(ratios)}")


if __name__ == "__main__":
    main()
