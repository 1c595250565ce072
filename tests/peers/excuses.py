"""Why cases fail that reach `promote`.

An excuse that no case needs any more is an error, so that excuses cannot grow stale.
"""

import re
from typing import NamedTuple


class Excuse(NamedTuple):
    """The patterns of the suite, of the case and of the message, and the reason."""

    suite: str
    case: str
    message: str
    reason: str
    # True if the processor decides whether a case needs it.
    of_some_machines: bool = False


# Names of rows of `docs/defects.md` stand in backticks.
EXCUSES = [
    Excuse(
        r"array-api",
        r"floor_divide|__floordiv__|__ifloordiv__",
        r"infinity|-0",
        "the standard wants a quotient of infinity to be infinite, and one of a finite number by infinity to be a "
        "zero; NumPy, PyTorch and array-api-strict give NaN and -1, and `floor_divide` follows them",
    ),
    Excuse(
        r"array-api",
        r"test_unary\[tanh\(real\(x_i\) is \+infinity",
        r"1-0j",
        "the imaginary part is a zero with the sign of the sine of twice the angle, as C99 has it",
        of_some_machines=True,
    ),
    Excuse(
        r"NumPy",
        r"",
        r"FloatingPointError|floating point|list index out of range",
        "it wants a floating-point error or warning; ours compute without them",
    ),
    Excuse(
        r"test_ufunc",
        r"test_where_warns",
        r"DID NOT WARN",
        "NumPy warns of a `where` without `out`, since it leaves elements undefined",
    ),
    Excuse(
        r"NumPy",
        r"",
        r"Regex pattern did not match",
        "operands are refused as it wants, with another message",
    ),
    Excuse(
        r"test_umath",
        r"TestPower::test_(power_complex|power_zero|zero_power_nonzero)",
        r"",
        "`powers of a complex zero`, a defect of NumPy",
    ),
    Excuse(
        r"test_umath",
        r"Test(Maximum|Minimum)::test_reduce",
        r"nan\+nanj",
        "the extremum of complex numbers of which one is NaN is NaN in both parts, and that of NumPy the number itself",
    ),
    Excuse(
        r"test_umath",
        r"TestReplaceLoopBySignature",
        r"must be numpy.ufunc",
        "it replaces a loop of a ufunc of NumPy",
    ),
    Excuse(
        r"array-api",
        r"test_from_dlpack",
        r"no_float64",
        "array-api-strict creates an array of float64 for a device that has none",
    ),
    Excuse(
        r"test_umath",
        r"test_memoverlap_accumulate_symmetric\[(hypot|logaddexp)",
        r"Arrays are not equal",
        "`accumulate` is NumPy's, and the last bit of the function differs",
    ),
    Excuse(
        r"test_ufunc",
        r"test_broadcast",
        r"elements of a mutable view overlap",
        "`out` has elements that overlap, which ours refuse",
    ),
    Excuse(
        r"PyTorch",
        r"logaddexp-complex",
        r"not close",
        "`angles of sums of powers`, a defect of PyTorch",
    ),
    Excuse(
        r"PyTorch",
        r"(pow|__rpow__)-complex",
        r"not close",
        "`complex powers`, a defect of PyTorch",
    ),
    Excuse(
        r"PyTorch",
        r"test_errors\[__rdiv__\]",
        r"DID NOT RAISE",
        "PyTorch fails for a number divided by a tensor of integers, which ours divide",
    ),
    Excuse(
        r"PyTorch",
        r"test_result_type.*(complex\w+_float16|float16_complex)",
        r"unsupported operand",
        "NumPy has no complex numbers of two halves",
    ),
    Excuse(
        r"PyTorch",
        r"test_samples\[(add|sub)-float16\]",
        r"not close",
        "`steps in a narrow dtype`, a defect of PyTorch: with `alpha` it rounds the product, too, in elements that fill "
        "no vector of the machine",
        of_some_machines=True,
    ),
    Excuse(
        r"PyTorch",
        r"test_unary_op_out_casting",
        r"not raised",
        "PyTorch casts no results of `neg`, `floor` and `ceil` to an `out` of another dtype, and ours cast those of every "
        "op",
    ),
    Excuse(
        r"ml_dtypes",
        r"testCopySign_float8_e5m2",
        r"255 != ",
        "the payload of a NaN is not kept",
    ),
    Excuse(
        r"ml_dtypes",
        r"expm1-bcomplex32",
        r"nan location",
        "it compares with `expm1` of c64, whose imaginary part is 0 for infinities and NaN on the real axis, as C99 has "
        "it for `exp`",
    ),
    Excuse(
        r"Polars",
        r"test_arithmetic_series\[s1\]",
        r"",
        "of a number and a series of floats, Polars' `//` is not rounded down",
    ),
    Excuse(
        r"Polars",
        r"test_power_series",
        r"DID NOT RAISE",
        "Polars refuses exponents above the range of u32, which ours compute",
    ),
    Excuse(
        r"Polars",
        r"test_comparisons_bool_series_to_int",
        r"DID NOT RAISE",
        "Polars computes bools with numbers in expressions, as ours do, and refuses them in series",
    ),
    Excuse(
        r"PyTorch",
        r"test_errors\[a(max|min)\]",
        r"DID NOT RAISE",
        "PyTorch refuses arrays of more than 64 axes, and ours do not",
    ),
]
used = set()


def reason(suite, name, case):
    """Returns why a case fails; `None` if there is no excuse."""
    if case.get("fails alone"):
        return "it fails without ours, too: the suite is of another version of the system"
    for excuse in EXCUSES:
        patterns = ((excuse.suite, suite), (excuse.case, name), (excuse.message, case["message"]))
        if all(re.search(pattern, text) for pattern, text in patterns):
            used.add(excuse)
            return excuse.reason
    return None


def stale():
    """Returns the excuses that no case has needed."""
    return [excuse.reason for excuse in EXCUSES if excuse not in used and not excuse.of_some_machines]
