#!/usr/bin/env python3
"""Records the result types of random lists of operands in NumPy 2, JAX and PyTorch, as section `lists` of
their files.

    python lists.py [numpy] [jax] [torch]

asks those that are named, or all that can be imported. README.md describes the section.
"""
import ast, random, sys

from sections import write_section

COUNT = 1000
NATIVE = {"bool": "bool", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "i8": "int8", "i16": "int16", "i32": "int32",
          "i64": "int64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c32": "complex32", "bc32": "bcomplex32", "c64": "complex64",
          "c128": "complex128", "i4": "int4", "u4": "uint4", "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}
NAMES = {v: k for k, v in NATIVE.items()}
NUMBERS = [True, False, 0, 1, -1, 7, 100, 2.5, -0.5, 1e10, 1j, 2 - 1j]
ALL = ["bool", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "c64", "c128"]

def numpy():
    import numpy as np
    assert np.__version__.startswith("2.")
    array = lambda d, shape: np.ones(shape, NATIVE[d])
    return np.__version__, ALL, [], array, lambda operands: NAMES[np.result_type(*operands).name], TypeError

def jax():
    import os
    os.environ["JAX_PLATFORMS"] = "cpu"
    import jax
    import jax.numpy as jnp
    from jax._src import dtypes
    jax.config.update("jax_enable_x64", True)
    def ask(operands):
        dtype, weak = dtypes.result_type(*operands, return_weak_type_flag=True)
        assert jnp.result_type(*operands) == dtype
        return NAMES[dtype.name] + "*" * weak
    return jax.__version__, ALL + ["bf16"], ["i4", "u4", "f8e4m3fn", "f8e5m2"], lambda d, shape: jnp.ones(shape, NATIVE[d]), ask, dtypes.TypePromotionError

SOURCE = """
#include <torch/extension.h>
// Several operands are asked for at once in C++ only. A Python number is a tensor marked as a wrapped number.
std::string ask(std::vector<at::Tensor> operands, std::vector<bool> numbers) {
    for (size_t i = 0; i < operands.size(); i++)
        if (numbers[i]) operands[i].unsafeGetTensorImpl()->set_wrapped_number(true);
    return toString(at::native::result_type(at::TensorList(operands)));
}
"""
# The names in C++.
CPP = {"Bool": "bool", "Byte": "u8", "UInt16": "u16", "UInt32": "u32", "UInt64": "u64", "Char": "i8", "Short": "i16", "Int": "i32", "Long": "i64", "Half": "f16",
       "BFloat16": "bf16", "Float": "f32", "Double": "f64", "ComplexHalf": "c32", "BComplex32": "bc32", "ComplexFloat": "c64", "ComplexDouble": "c128",
       "Float8_e4m3fn": "f8e4m3fn", "Float8_e5m2": "f8e5m2"}

def torch():
    import torch
    from torch.utils.cpp_extension import load_inline
    module = load_inline("lists_result_type", cpp_sources="#include <ATen/native/TypeProperties.h>" + SOURCE, functions=["ask"])
    def ask(operands):
        numbers = [not isinstance(x, torch.Tensor) for x in operands]
        wide = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}
        got = CPP[module.ask([torch.tensor(x, dtype=wide[type(x)]) if n else x for x, n in zip(operands, numbers)], numbers)]
        if len(operands) == 2:
            assert getattr(torch, NATIVE[got]) == torch.result_type(*operands)
        return got
    rare = ["u16", "u32", "u64", "c32", "f8e4m3fn", "f8e5m2"]
    array = lambda d, shape: torch.zeros(shape, dtype=getattr(torch, NATIVE[d]))
    return torch.__version__, [d for d in ALL if d not in rare] + ["bf16"], rare, array, ask, RuntimeError

# In these NumPy's answer is no fold of its answers for two: u8 with i8 is i16, and i16 with f16 would be f32.
CHOSEN = [f"{a} {b} {c}" for u, i, c in (("u8", "i8", "f16"), ("u16", "i8", "f16"), ("u16", "i8", "f32"), ("u16", "i8", "c64"),
          ("u16", "i16", "f16"), ("u16", "i16", "f32"), ("u16", "i16", "c64")) for a, b in ((u, i), (i, u))]

def drawn(r, dtypes, rare):
    """A list of two to five words: arrays, zero-dimensional arrays, numbers."""
    for _ in range(r.randrange(2, 6)):
        sort = r.randrange(4)
        if sort == 3:
            yield repr(r.choice(NUMBERS)).strip("()")
        else:
            yield r.choice(rare if rare and r.randrange(16) == 0 else dtypes) + "[]" * (sort == 2)

def ask(name, framework):
    version, dtypes, rare, array, result_type, refused = framework()
    r = random.Random(name)
    lists = []
    for words in CHOSEN + [" ".join(drawn(r, dtypes, rare)) for _ in range(COUNT)]:
        operands = [array(w.removesuffix("[]"), () if w[-1] == "]" else (2,)) if w.removesuffix("[]") in NATIVE else ast.literal_eval(w) for w in words.split()]
        try:
            lists.append((words, result_type(operands)))
        except refused:
            lists.append((words, "-"))
    print(f"{name} {version}: {sum(a == '-' for _, a in lists)} of {len(lists)} refused, {len({a for _, a in lists})} different answers")
    write_section(name, version, "lists", [f"{words} {answer}" for words, answer in lists])

def main():
    for framework in (numpy, jax, torch):
        if sys.argv[1:] and framework.__name__ not in sys.argv[1:]:
            continue
        try:
            ask(framework.__name__, framework)
        except ImportError as e:
            print(f"{framework.__name__}: {e}")

if __name__ == "__main__":
    main()
