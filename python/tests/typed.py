"""What type checkers know of results. mypy checks this file, and nothing runs it."""

from typing import assert_type

import numpy as np
import promote_dtypes as pd
from numpy.typing import NDArray

torch, numpy = pd.namespace("torch"), pd.namespace("numpy")


def check(
    i8: NDArray[np.int8], u8: NDArray[np.uint8], u16: NDArray[np.uint16], f32: NDArray[np.float32]
) -> None:
    assert_type(torch.add(i8, f32), NDArray[np.float32])
    assert_type(numpy.add(i8, u8), NDArray[np.int16])
    assert_type(torch.add(i8, 2), NDArray[np.int8])
    assert_type(torch.add(i8, 2.5), NDArray[np.float32])
    assert_type(torch.less(i8, f32), NDArray[np.bool])
    assert_type(torch.sum(i8, axis=0), NDArray[np.int64])
    assert_type(torch.add(i8, u8, out=f32), NDArray[np.float32])
    assert_type(torch.add(f32, u8, in_place=True), NDArray[np.float32])
    # The rule set refuses the pair.
    torch.add(u16, i8)  # type: ignore[arg-type]
