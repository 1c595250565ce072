// What `naive.cpp` and `promoted.cpp` define: sums of arrays of the 12 dtypes of PyTorch, by its rules.
#pragma once

#include <cstddef>

enum class DType { Bool, U8, I8, I16, I32, I64, F16, BF16, F32, F64, C64, C128 };
constexpr std::size_t dtype_count = 12;

// Returns the dtype of a sum.
DType result_type(DType a, DType b);

// Adds `n` elements of `x`, of the dtype `a`, and of `y`, of the dtype `b`.
void add(DType a, const void *x, DType b, const void *y, std::size_t n, void *out);
