"""Measures the errors of the functions of NumPy, PyTorch and JAX.

    python benches/peers/errors.py [--only TEXT,..] [--samples N]

Prints the greatest error of each installed peer, in units in the last place of the dtype, relative to the
function of an 80-bit float (C's `long double`, on machines that have it). The operands are `--samples` of the
kind that `run.py` measures, as many of all magnitudes, and as many between -1.5 and 1.5. It prints `inf` if a
result is infinite or NaN and should not be. Subnormal results do not count, nor does `logaddexp` of f64,
whose sum cancels in 80 bits as well. The errors in `run.py` come from this script. Ours are in
`docs/accuracy.md`.
"""

import argparse

import run

import numpy as np

PAIRS = ["pow", "atan2", "hypot", "logaddexp"]


def exact(op, operands):
    """Returns the result as an 80-bit float."""
    operands = [array.astype(np.longdouble) for array in operands]
    if op == "sigmoid":
        return 1 / (1 + np.exp(-operands[0]))
    if op == "logaddexp":
        low, high = np.minimum(*operands), np.maximum(*operands)
        return high + np.log1p(np.exp(low - high))
    return getattr(np, run.NumPy.names.get(op, op))(*operands)


def operands(op, dtype, count, rng):
    """Returns operands of three kinds: those of `run.py`, random bits, and small numbers."""
    for at in range(2 if op in PAIRS else 1):
        measured = run.operand(op, at, dtype, count, rng)
        bits = np.dtype(run.NUMPY[dtype]).itemsize * 8
        any_bits = rng.integers(0, 1 << bits, count, dtype=f"u{bits // 8}").view(measured.dtype)
        small = rng.uniform(-1.5, 1.5, count).astype(measured.dtype)
        yield np.concatenate([measured, any_bits, small])


def results(peer, op, arrays):
    """Returns what a peer computes, in the dtype of its operands; None if it has no such function."""
    try:
        if peer.name == "numpy":
            return getattr(np, peer.names.get(op, op))(*arrays)
        if peer.name == "torch":
            return getattr(peer.torch, peer.names.get(op, op))(*map(peer.torch.from_numpy, arrays)).numpy()
        function = peer.jax.nn.sigmoid if op == "sigmoid" else getattr(peer.jax.numpy, peer.names.get(op, op))
        return np.asarray(peer.jax.jit(function)(*map(peer.jax.numpy.asarray, arrays)))
    except (AttributeError, NotImplementedError, RuntimeError, TypeError):
        return None


def error(found, exactly):
    """Returns the greatest error in units in the last place of the exact result, where that is finite and normal."""
    near = exactly.astype(found.dtype)
    counts = np.isfinite(near) & (np.abs(near) >= np.finfo(found.dtype).tiny)
    if not np.isfinite(found[counts]).all():
        return float("inf")
    units = np.spacing(np.abs(near[counts])).astype(np.longdouble)
    return float(np.max(np.abs(found[counts].astype(np.longdouble) - exactly[counts]) / units))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only cases with one of these texts, such as 'exp f64,tan'")
    parser.add_argument("--samples", type=int, default=1_000_000, help="operands of each of the three kinds")
    arguments = parser.parse_args()
    if np.finfo(np.longdouble).nmant < 63:
        parser.error("`long double` is no wider than f64 here: ask on x86-64 with Linux")
    peers = list(run.installed(run.NumPy, run.Torch, run.Jax))
    print("| case |", " | ".join(peer.name for peer in peers), "|")
    print("| --- |" + " --- |" * len(peers))
    for op in [*run.UNARY, *PAIRS]:
        for dtype in ["f16", "f32", "f64"]:
            asked = any(text in f"{op} {dtype}" for text in arguments.only.split(","))
            if not asked or (op, dtype) == ("logaddexp", "f64"):
                continue
            arrays = list(operands(op, dtype, arguments.samples, np.random.default_rng(7)))
            with np.errstate(all="ignore"):
                exactly = exact(op, arrays)
                found = [results(peer, op, arrays) for peer in peers]
                cells = ["-" if result is None else f"{error(result, exactly):.2f}" for result in found]
            print(f"| {op} {dtype} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
