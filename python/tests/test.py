"""The package, with NumPy; and with ml_dtypes and PyTorch where they are installed."""

import array
import contextlib
import importlib.util
import inspect
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

import numpy as np
import promote_dtypes as pd

torch, numpy = pd.namespace("torch"), pd.namespace("numpy")
INSTALLED = {name: importlib.util.find_spec(name) is not None for name in ("ml_dtypes", "mypy", "torch")}
HERE = pathlib.Path(__file__).parent


@contextlib.contextmanager
def raises(kind, *words):
    try:
        yield
    except kind as error:
        assert type(error) is kind, type(error)
        for word in words:
            assert word in str(error), str(error)
    else:
        raise AssertionError(f"no {kind.__name__}")


def check(found, wanted):
    wanted = np.asarray(wanted)
    assert found.dtype == wanted.dtype, (found.dtype, wanted.dtype)
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    np.testing.assert_array_equal(found, wanted)


def test_questions_are_answered_in_the_words_of_the_system():
    assert pd.result_type("torch", "torch.int32", "half") == "torch.float16"
    assert pd.result_type("numpy", np.dtype("i4"), np.float16) == "float64"
    assert pd.result_type("torch", np.zeros(2, np.int8), 2.5) == "torch.float32"
    assert pd.result_type("torch", "float32", "float64[]") == "torch.float32"
    assert pd.result_type("jax", "int8*", "int16") == "int16"
    assert pd.result_type("torch", "int8", "int8", op="divide", default_dtype="f64") == "torch.float64"
    assert pd.can_cast("numpy", "int8", "int16") and not pd.can_cast("numpy", "float32", "int8")
    assert pd.can_cast("numpy", "float32", np.int8, casting="unsafe")
    lines = pd.explain("torch", "uint8", "int64", op="divide").splitlines()
    assert lines[0] == "Torch: `divide` of torch.uint8 and torch.int64 gives torch.float32", lines
    assert "rules/torch.rs:" in lines[1], lines
    assert "torch" in pd.rule_sets()


def test_refusals_and_mistakes_are_exceptions():
    with raises(TypeError, "unsigned integers other than u8", "rules/torch.rs"):
        pd.result_type("torch", "uint16", "int32")
    with raises(TypeError, "unsigned integers other than u8"):
        torch.add(np.ones(2, np.uint16), np.ones(2, np.int32))
    with raises(ValueError, "no rule set", "torch"):
        pd.namespace("torhc")
    with raises(ValueError, "has no dtype `floaty`", "float16"):
        pd.result_type("numpy", "floaty", "int8")
    with raises(ValueError, "has no op `ad`"):
        pd.result_type("numpy", "int8", "int8", op="ad")
    with raises(ValueError, "no parameter"):
        pd.namespace("torch", default_dtype="i8")
    with raises(ValueError, "3", "2"):
        torch.add(np.ones(2), np.ones(3))
    with raises(TypeError, "a `list`", "asarray"):
        torch.add([1, 2], 1)
    with raises(TypeError, "no counterpart"):
        torch.add(np.array(["a"]), 1)
    with raises(TypeError, "2"):
        torch.add(np.ones(2))
    with raises(TypeError, "no argument `dtype`"):
        torch.add(np.ones(2), 1, dtype=np.int8)
    with raises(OverflowError, "300", "u8"):
        numpy.add(np.ones(2, np.uint8), 300)
    with raises(OverflowError, "128 bits"):
        numpy.add(np.ones(2), 1 << 200)
    with raises(ZeroDivisionError):
        torch.floor_divide(np.ones(2, np.int8), np.zeros(2, np.int8))
    with raises(ValueError, "axis"):
        torch.sum(np.ones(2), axis=1)


def test_each_pair_of_numpys_dtypes_adds_as_numpy_does():
    codes = "?bBhHiIlLqQefdFD"
    for a, b in itertools.product(codes, codes):
        x, y = np.array([1, 0, 1], a), np.array([[2], [1]], b)
        check(numpy.add(x, y), np.add(x, y))


def test_any_layout_is_read_in_place():
    base = np.arange(120, dtype=np.int16).reshape(4, 5, 6)
    views = [base, base[::-1, ::2, ::-3], base.T, base[:, 1], base[2:2], np.broadcast_to(base[0, 0], (3, 6))]
    for view in views:
        check(numpy.multiply(view, 3), np.multiply(view, 3))
        view.flags.writeable = False
        check(numpy.negative(view), np.negative(view))
    check(numpy.add(np.asfortranarray(base), base[0, 0]), base + base[0, 0])
    check(numpy.add(np.array(3), np.array(4.5)), np.asarray(7.5))
    check(numpy.add(base.astype(">i2"), base), base + base)
    records = np.zeros(3, [("tag", "u1"), ("value", "<f4")])
    records["value"] = [1, 2, 3]
    check(numpy.add(records["value"], 1), records["value"] + 1)
    check(numpy.add(np.matrix([[1, 2]]).view(type("Sub", (np.ndarray,), {})), 1), [[2, 3]])


def test_numbers_have_no_width():
    x = np.array([1, 2], np.int8)
    check(torch.add(x, True), np.array([2, 3], np.int8))
    check(torch.add(x, 1), np.array([2, 3], np.int8))
    check(torch.add(x, 1.5), np.array([2.5, 3.5], np.float32))
    check(torch.add(1j, x), np.array([1 + 1j, 2 + 1j], np.complex64))
    # Scalars of NumPy have a width, though `float64` is a `float` of Python.
    check(numpy.add(np.ones(2, np.float32), np.float64(1)), np.array([2.0, 2.0]))
    check(torch.add(np.ones(2, np.float32), np.float64(1)), np.array([2, 2], np.float32))
    check(numpy.add(2, 3), np.asarray(5))
    for number in (2, 2.5, True, 1j):
        matrix, out = np.array([[1, 2], [3, 4]], np.float32), np.zeros((2, 2), np.complex128)
        check(numpy.subtract(number, matrix), np.subtract(number, matrix))
        assert numpy.multiply(matrix, number, out=out) is out
        check(out, (matrix * number).astype(np.complex128))


def test_results_go_to_out_or_to_the_first_operand():
    x, y = np.array([1, 2, 3], np.int8), np.array([0.5, 1, 2], np.float32)
    out = np.zeros(6, np.float64)[::2]
    assert torch.add(x, y, out=out) is out
    check(out, np.array([1.5, 3, 5]))
    check(torch.add(x[:-1], x[1:], out=x[1:]), np.array([3, 5], np.int8))
    assert torch.add(y, 1, in_place=True) is y
    check(y, np.array([1.5, 2, 3], np.float32))
    with raises(TypeError, "cast"):
        torch.add(x, y, in_place=True)
    with raises(TypeError, "both given"):
        torch.add(y, x, in_place=True, out=out)
    with raises(TypeError, "no argument `in_place`"):
        torch.astype(x, "float32", in_place=True)
    with raises(TypeError, "no argument `in_place`"):
        torch.where(x > 1, x, 0, in_place=True)
    out = np.zeros(3, np.float32)
    out.flags.writeable = False
    with raises(ValueError, "read-only"):
        torch.add(x, y, out=out)
    with raises(ValueError):
        torch.add(x, y, out=np.zeros(4, np.float32))
    with raises(ValueError):
        torch.add(x, y, out=np.broadcast_to(np.float32(0), 3).view())
    with raises(TypeError, "not a NumPy array"):
        torch.add(x, y, out=[0.0])


def test_ops_have_their_parameters():
    x = np.array([[1, 2], [3, 4]], np.uint8)
    check(torch.sum(x), np.asarray(10))
    check(torch.sum(x, axis=-1), np.array([3, 7]))
    check(torch.mean(x.astype(np.float32), axis=(0, 1), keepdims=True), np.array([[2.5]], np.float32))
    check(torch.where(x > 2, x, -1), np.array([[255, 255], [3, 4]], np.uint8))
    check(torch.clip(x, 2, 3), np.array([[2, 2], [3, 3]], np.uint8))
    losses = torch.huber_loss(np.array([0.0, 2.0]), np.array([0.0, 0.0]), delta=0.5)
    check(losses, np.array([0, 0.875]))
    check(torch.mse_loss(np.ones(2), np.zeros(2), reduction="mean"), np.asarray(1.0))
    check(torch.astype(np.array([1.7, -2.5]), "int8"), np.array([1, -2], np.int8))
    check(numpy.astype(np.array([1, 2]), np.float16, casting="unsafe"), np.array([1, 2], np.float16))
    with raises(TypeError):
        numpy.astype(np.array([1.5]), np.int8, casting="safe")
    check(torch.dot(np.arange(3.0), np.arange(3.0)), np.asarray(5.0))


def test_whole_arrays_are_joined_multiplied_and_searched():
    x, y = np.array([[1, 2], [3, 4]], np.int8), np.array([[0.5, 2]], np.float16)
    for joined in (torch.concatenate, numpy.concat):
        check(joined([x, y]), np.array([[1, 2], [3, 4], [0.5, 2]], np.float16))
    check(torch.concatenate((x, x, x[:, :1]), axis=1), np.concatenate([x, x, x[:, :1]], 1))
    check(numpy.stack([x[0]] * 12, axis=-1), np.stack([x[0]] * 12, -1))
    out = np.zeros((3, 2))
    assert numpy.concatenate([x, y], out=out) is out
    check(out, np.array([[1, 2], [3, 4], [0.5, 2]]))
    check(torch.isin(x, np.array([2, 3], np.int16)), np.array([[False, True], [True, False]]))
    check(numpy.matmul(x, y.T), np.array([[4.5], [9.5]], np.float16))
    with raises(ValueError, "3", "2"):
        torch.concatenate([x, np.ones((2, 3))])
    with raises(TypeError, "not iterable"):
        torch.stack(1)


def test_reductions_and_scans_take_a_dtype_and_a_correction():
    x = np.array([[1, 2, 3], [4, 5, 9]], np.int8)
    check(torch.sum(x, dtype="int8", axis=0), np.array([5, 7, 12], np.int8))
    check(numpy.cumsum(x, axis=1), np.cumsum(x, axis=1))
    check(torch.cumprod(x[0], dtype=np.float32), np.array([1, 2, 6], np.float32))
    values = np.array([1.0, 2.0, 6.0])
    check(numpy.var(values), np.asarray(14 / 3))
    check(torch.var(values), np.asarray(7.0))
    check(torch.std(values, correction=0, keepdims=True), np.std(values, keepdims=True))
    check(numpy.median(values), np.asarray(2.0))
    with raises(TypeError, "no argument `dtype`"):
        torch.max(x, dtype=np.int8)
    with raises(ValueError, "axis"):
        torch.cumsum(x)
    with raises(TypeError, "`axis=..`"):
        torch.sum(x, 0)
    with raises(TypeError, "`axis` is not an integer"):
        torch.concatenate([x, x], axis=None)
    with raises(TypeError, "`keepdims` is not a bool"):
        torch.sum(x, keepdims=1)


def test_out_of_a_reduction_has_the_axes_of_the_result():
    x = np.ones((4, 3), np.float32)
    for keepdims, shape, other in [(False, (3,), (1, 3)), (True, (1, 3), (3,))]:
        out = np.zeros(shape, np.float32)
        assert torch.sum(x, axis=0, keepdims=keepdims, out=out) is out
        check(out, np.full(shape, 4, np.float32))
        with raises(ValueError, "`out` has"):
            torch.sum(x, axis=0, keepdims=keepdims, out=np.zeros(other, np.float32))


def test_functions_tell_their_parameters():
    assert str(inspect.signature(torch.add)) == "(x1, x2, /, *, in_place=False, out=None)"
    assert str(inspect.signature(torch.concatenate)) == "(arrays, /, *, axis=0, out=None)"
    assert str(inspect.signature(torch.var)) == "(x, /, *, axis=None, keepdims=False, correction=None, out=None)"
    for name in dir(torch):
        if isinstance(getattr(getattr(torch, name), "__self__", None), pd.Function):
            assert inspect.signature(getattr(torch, name)).parameters, name
    assert torch.add.__name__ == "add" and torch.clip.__name__ == "clip"
    assert "The op `clamp` of Torch." in torch.clip.__doc__


def test_buffers_and_dlpack_are_operands():
    check(numpy.add(array.array("h", [1, 2]), 1), np.array([2, 3], np.int16))
    check(numpy.add(memoryview(b"\1\2"), 1), np.array([2, 3], np.uint8))
    if not INSTALLED["torch"]:
        return
    import torch as real

    tensor = real.arange(6, dtype=real.int16).reshape(2, 3).T
    check(torch.add(tensor, np.float32(0.5)), np.add(tensor.numpy(), np.float32(0.5)))
    if INSTALLED["ml_dtypes"]:
        import ml_dtypes

        found = torch.add(real.ones(2, dtype=real.bfloat16), 1)
        assert found.dtype == ml_dtypes.bfloat16 and found.tolist() == [2, 2]


def test_narrow_floats_are_those_of_ml_dtypes():
    if not INSTALLED["ml_dtypes"]:
        return
    import ml_dtypes

    x = np.array([1.5, 2], ml_dtypes.bfloat16)
    found = torch.multiply(x, np.array([2, 3], np.int8))
    assert found.dtype == ml_dtypes.bfloat16 and found.tolist() == [3, 6]
    assert torch.add(x, x.astype(ml_dtypes.float8_e5m2).astype(np.float16)).dtype == np.float32
    assert torch.bfloat16 == ml_dtypes.bfloat16
    y = x.astype(ml_dtypes.float8_e4m3fn)
    found = torch.multiply(y, y.T)
    assert found.dtype == ml_dtypes.float8_e4m3fn and found.tolist() == [2.25, 4]


def test_a_namespace_follows_its_rule_set_and_parameters():
    assert pd.namespace("torch") is torch
    f64 = pd.namespace("torch", default_dtype="f64")
    assert f64.divide(np.int8(1), np.int8(2)).dtype == np.float64
    assert torch.float16 == np.float16 and numpy.int8 == np.int8
    assert torch.result_type(np.int32, "float16") == np.float16
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "mine.rs"
        path.write_text("promote::rules! { rules Mine extends Torch; promote { bool, bool => i8; } }")
        mine = pd.namespace(str(path))
        check(mine.add(np.array([True]), np.array([True])), np.array([2], np.int8))
        path.write_text("promote::rules! { rules Mine extends Torhc; }")
        with raises(ValueError, "did you mean `Torch`?"):
            pd.namespace(str(path))


def test_the_array_api_has_its_own_special_cases():
    found = pd.namespace("array-api").remainder(np.array([-0.0, 0.0]), np.array([1.0, -1.0]))
    assert np.signbit(found).tolist() == [False, True]


def test_type_checkers_know_the_dtypes_of_results():
    if not INSTALLED["mypy"]:
        return
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, str(HERE / "typed.py")]
    checked = subprocess.run(command, env=os.environ | {"MYPYPATH": str(HERE.parent)}, capture_output=True)
    assert checked.returncode == 0, checked.stdout.decode()[-2000:]


def test_threads_compute_at_once():
    x = np.arange(1 << 18, dtype=np.float32)
    found = [None] * 8

    def compute(i):
        for _ in range(10):
            found[i] = torch.add(x, np.int8(i))

    threads = [threading.Thread(target=compute, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(8):
        check(found[i], x + np.float32(i))


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name)
