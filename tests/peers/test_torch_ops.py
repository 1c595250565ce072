"""PyTorch's OpInfo: the sample and error inputs of each op that `promote_dtypes.namespace("torch")` computes.

A case is an entry of the data base and a dtype. Its op runs once as it is, and once in a mode that sends calls
to ours. Dtypes have to be equal, and values as close as PyTorch asks of its own references.
"""

import pytest
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import BinaryUfuncInfo, ReductionOpInfo, UnaryUfuncInfo

from torch_mode import DTYPES, Sent


def entries():
    kinds = (BinaryUfuncInfo, UnaryUfuncInfo, ReductionOpInfo)
    others = {
        "where",
        "clamp",
        "lerp",
        "addcmul",
        "nn.functional.gelu",
        "nn.functional.mse_loss",
        "nn.functional.l1_loss",
        "nn.functional.huber_loss",
        "nn.functional.smooth_l1_loss",
    }
    for op in op_db:
        if isinstance(op, kinds) or op.name in others:
            # Ops that compile CUDA code have no samples on the CPU.
            for dtype in sorted(op.dtypes & DTYPES, key=str):
                if not op.name.startswith("jiterator"):
                    yield pytest.param(op, dtype, id=f"{op.formatted_name}-{str(dtype)[6:]}")


CASES = list(entries())


def run(op, sample):
    return op(sample.input, *sample.args, **sample.kwargs)


@pytest.mark.parametrize("op, dtype", CASES)
def test_samples(op, dtype):
    for i, sample in enumerate(op.sample_inputs("cpu", dtype)):
        if i == 40:
            break
        wanted = run(op, sample)
        with Sent():
            found = run(op, sample)
        torch.testing.assert_close(found, wanted, equal_nan=True)


@pytest.mark.parametrize(
    "op",
    list({case.values[0].formatted_name: case.values[0] for case in CASES}.values()),
    ids=lambda op: op.formatted_name,
)
def test_errors(op):
    if op.error_inputs_func is None:
        pytest.skip("no error inputs")
    for error in op.error_inputs("cpu"):
        sample = error.sample_input
        try:
            run(op, sample)
        except Exception:
            # Some inputs are errors on other devices alone.
            with Sent(), pytest.raises((RuntimeError, TypeError, ValueError, IndexError, ArithmeticError)):
                run(op, sample)
