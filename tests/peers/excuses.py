"""Why cases fail that reach `promote`: patterns of the suite, of the case and of the message, and the reason.

An excuse that no case needs any more is an error, so that excuses cannot grow stale.
"""

import re

# Names of rows of `docs/defects.md` stand in quotation marks.
EXCUSES = [
    (
        r"array-api",
        r"floor_divide|__floordiv__|__ifloordiv__",
        r"infinity|-0",
        "the standard wants a quotient of infinity to be infinite, and one of a finite number by infinity to be a "
        "zero; NumPy, PyTorch and array-api-strict give NaN and -1, and `floor_divide` follows them",
    ),
    (
        r"array-api",
        r"test_unary\[tanh\(real\(x_i\) is \+infinity",
        r"1-0j",
        "the imaginary part is a zero with the sign of the sine of twice the angle, as C99 has it",
    ),
    (
        r"NumPy",
        r"",
        r"DID NOT RAISE|FloatingPointError|Did not raise|not raised by|list index out of range",
        "it wants a floating-point error or warning; ours compute without them",
    ),
    (
        r"NumPy",
        r"",
        r"Regex pattern did not match",
        "operands are refused as it wants, with another message",
    ),
    (
        r"test_umath",
        r"TestPower::test_(power_complex|power_zero|zero_power_nonzero)",
        r"",
        "`powers of a complex zero`, a defect of NumPy",
    ),
    (
        r"test_umath",
        r"Test(Maximum|Minimum)::test_reduce",
        r"nan\+nanj",
        "the extremum of complex numbers of which one is NaN is NaN in both parts, and that of NumPy the number itself",
    ),
    (
        r"test_umath",
        r"TestReplaceLoopBySignature",
        r"must be numpy.ufunc",
        "it replaces a loop of a ufunc of NumPy",
    ),
    (
        r"array-api",
        r"test_from_dlpack",
        r"no_float64",
        "array-api-strict creates an array of float64 for a device that has none",
    ),
    (
        r"test_umath",
        r"test_memoverlap_accumulate_symmetric\[(hypot|logaddexp)",
        r"Arrays are not equal",
        "`accumulate` is NumPy's, and the last bit of the function differs",
    ),
    (
        r"test_ufunc",
        r"test_broadcast",
        r"elements of a mutable view overlap",
        "`out` has elements that overlap, which ours refuse",
    ),
    (
        r"PyTorch",
        r"logaddexp-complex",
        r"not close",
        "`angles of sums of powers`, a defect of PyTorch",
    ),
    (
        r"PyTorch",
        r"(pow|__rpow__)-complex",
        r"not close",
        "`complex powers`, a defect of PyTorch",
    ),
    (
        r"PyTorch",
        r"test_errors\[__rdiv__\]",
        r"DID NOT RAISE",
        "PyTorch fails for a number divided by a tensor of integers, which ours divide",
    ),
    (
        r"PyTorch",
        r"test_result_type.*(complex\w+_float16|float16_complex)",
        r"unsupported operand",
        "NumPy has no complex numbers of two halves",
    ),
    (
        r"PyTorch",
        r"test_samples\[(add|sub)-float16\]",
        r"not close",
        "`steps in a narrow dtype`, a defect of PyTorch: with `alpha` it rounds the product, too, in elements that fill "
        "no vector of the machine",
    ),
    (
        r"PyTorch",
        r"test_unary_op_out_casting",
        r"not raised",
        "PyTorch casts no results of `neg`, `floor` and `ceil` to an `out` of another dtype, and ours cast those of every "
        "op",
    ),
    (
        r"ml_dtypes",
        r"testCopySign_float8_e5m2",
        r"255 != ",
        "the payload of a NaN is not kept",
    ),
    (
        r"ml_dtypes",
        r"expm1-bcomplex32",
        r"nan location",
        "it compares with `expm1` of c64, whose imaginary part is 0 for infinities and NaN on the real axis, as C99 has "
        "it for `exp`",
    ),
    (
        r"Polars",
        r"test_arithmetic_series\[s1\]",
        r"",
        "of a number and a series of floats, Polars' `//` is not rounded down",
    ),
    (
        r"Polars",
        r"test_power_series",
        r"DID NOT RAISE",
        "Polars refuses exponents above the range of u32, which ours compute",
    ),
    (
        r"Polars",
        r"test_comparisons_bool_series_to_int",
        r"DID NOT RAISE",
        "Polars computes bools with numbers in expressions, as ours do, and refuses them in series",
    ),
    (
        r"PyTorch",
        r"test_errors\[a(max|min)\]",
        r"DID NOT RAISE",
        "PyTorch refuses arrays of more than 64 axes, and ours do not",
    ),
]
# Parts of reasons for what differs between machines, and so is not needed on all of them.
OF_SOME_MACHINES = ("steps in a narrow dtype", "sine of twice the angle")
used = set()


def reason(suite, name, case):
    """Returns why a case fails; `None` if there is no excuse."""
    if case.get("fails alone"):
        return "it fails without ours, too: the suite is of another version of the system"
    for i, (of, case_name, words, why) in enumerate(EXCUSES):
        if re.search(of, suite) and re.search(case_name, name) and re.search(words, case["message"]):
            used.add(i)
            return why
    return None


def stale():
    """Returns the excuses that no case has needed."""
    unused = (EXCUSES[i][3] for i in range(len(EXCUSES)) if i not in used)
    return [why for why in unused if not any(part in why for part in OF_SOME_MACHINES)]
