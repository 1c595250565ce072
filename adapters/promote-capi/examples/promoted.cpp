// Mixed addition by `promote`: the table and the loops of `naive.cpp` come from the rule set.

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "pairs.hpp"
#include "promote.h"

namespace {

constexpr PromoteDType numbers[dtype_count] = {
    PROMOTE_DTYPE_BOOL, PROMOTE_DTYPE_U8,   PROMOTE_DTYPE_I8,  PROMOTE_DTYPE_I16, PROMOTE_DTYPE_I32, PROMOTE_DTYPE_I64,
    PROMOTE_DTYPE_F16,  PROMOTE_DTYPE_BF16, PROMOTE_DTYPE_F32, PROMOTE_DTYPE_F64, PROMOTE_DTYPE_C64, PROMOTE_DTYPE_C128,
};

struct Free {
    void operator()(PromoteKernel *kernel) const { promote_kernel_free(kernel); }
};
using Kernel = std::unique_ptr<PromoteKernel, Free>;

void check(PromoteStatus status) {
    if (status != PROMOTE_STATUS_OK) {
        throw std::runtime_error(promote_last_error_message());
    }
}

std::vector<Kernel> all_kernels() {
    const PromoteRules *torch;
    check(promote_rules_find("torch", &torch));
    std::vector<Kernel> kernels;
    for (const PromoteDType a : numbers) {
        for (const PromoteDType b : numbers) {
            const PromoteDType dtypes[] = {a, b};
            PromoteKernel *kernel;
            check(promote_kernel_new(torch, PROMOTE_OP_ADD, dtypes, 2, &kernel));
            kernels.emplace_back(kernel);
        }
    }
    return kernels;
}

const PromoteKernel *kernel_of(DType a, DType b) {
    static const std::vector<Kernel> kernels = all_kernels();
    return kernels[static_cast<std::size_t>(a) * dtype_count + static_cast<std::size_t>(b)].get();
}

} // namespace

DType result_type(DType a, DType b) {
    PromoteKernelInfo info;
    check(promote_kernel_info(kernel_of(a, b), &info));
    return static_cast<DType>(std::find(numbers, numbers + dtype_count, info.output) - numbers);
}

void add(DType a, const void *x, DType b, const void *y, std::size_t n, void *out) {
    const void *inputs[] = {x, y};
    check(promote_kernel_call(kernel_of(a, b), inputs, 2, n, out));
}
