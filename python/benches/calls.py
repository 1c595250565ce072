"""The time of calls from Python, beside NumPy's own: of 8 elements, of 4096, and of 1 Mi mixed ones.

Each row is the least time of a call over many turns, ours and NumPy's in turn.
"""

import time

import numpy as np
import promote_dtypes as pd

ours = pd.namespace("numpy")


def least(calls, seconds=1.0):
    """Returns the least time of each call, in nanoseconds."""
    counts = []
    for call in calls:
        # The first calls take much longer than later ones.
        for _ in range(3):
            call()
        start = time.perf_counter()
        call()
        counts.append(max(1, int(2e-4 / max(time.perf_counter() - start, 1e-7))))
    best = [float("inf")] * len(calls)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for i, (call, count) in enumerate(zip(calls, counts, strict=True)):
            start = time.perf_counter_ns()
            for _ in range(count):
                call()
            best[i] = min(best[i], (time.perf_counter_ns() - start) / count)
    return best


def rows():
    f4, i1 = np.arange(8, dtype=np.float32), np.arange(8, dtype=np.int8)
    out, matrix = np.zeros(8, np.float32), np.ones((2, 4), np.float32)
    add, plus = np.add, ours.add
    yield "f32 + f32", lambda: add(f4, f4), lambda: plus(f4, f4)
    yield "i8 + f32", lambda: add(i1, f4), lambda: plus(i1, f4)
    yield "f32 + 2.5", lambda: add(f4, 2.5), lambda: plus(f4, 2.5)
    yield "i8 + 3", lambda: add(i1, 3), lambda: plus(i1, 3)
    yield "f32 + f32 to out", lambda: add(f4, f4, out=out), lambda: plus(f4, f4, out=out)
    yield "f32 + 2.5 to out", lambda: add(f4, 2.5, out=out), lambda: plus(f4, 2.5, out=out)
    yield "f32 += f32", lambda: add(out, f4, out=out), lambda: plus(out, f4, in_place=True)
    yield "f32 += 2.5", lambda: add(out, 2.5, out=out), lambda: plus(out, 2.5, in_place=True)
    yield "f32 += i8", lambda: add(out, i1, out=out), lambda: plus(out, i1, in_place=True)
    yield "sqrt f32", lambda: np.sqrt(f4), lambda: ours.sqrt(f4)
    yield "2 x 4 + 4, broadcast", lambda: add(matrix, f4[:4]), lambda: plus(matrix, f4[:4])
    yield "sum f32 (np.add.reduce)", lambda: add.reduce(f4), lambda: ours.sum(f4)
    yield "sum f32 (np.sum)", lambda: np.sum(f4), lambda: ours.sum(f4)
    yield "sum f32, axis 0", lambda: np.sum(matrix, axis=0), lambda: ours.sum(matrix, axis=0)
    some, others = np.ones(4096, np.float32), np.zeros(4096, np.float32)
    for name in ("add", "maximum", "fmax"):
        theirs, mine = getattr(np, name), getattr(ours, name)
        yield (
            f"4 Ki {name} to out",
            lambda: theirs(some, some, out=others),
            lambda: mine(some, some, out=others),
        )
        yield (
            f"4 Ki {name} in place",
            lambda: theirs(others, some, out=others),
            lambda: mine(others, some, in_place=True),
        )
    many = 1 << 20
    large = {code: np.ones(many, code) for code in ("i1", "f2", "f4", "i4")}
    for a, b in (("i1", "f4"), ("f2", "f4"), ("i4", "f4"), ("f4", "f4")):
        x, y = large[a], large[b]
        result = np.empty(many, np.result_type(x, y))
        yield f"1 Mi {a} + {b} to out", lambda: add(x, y, out=result), lambda: plus(x, y, out=result)


if __name__ == "__main__":
    for name, theirs, mine in rows():
        numpy_time, our_time = least([theirs, mine])
        print(f"{name:26} NumPy {numpy_time:12.0f} ns  ours {our_time:12.0f} ns  {numpy_time / our_time:6.2f}")
