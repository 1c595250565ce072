// Prints the sums of all pairs of dtypes, each element as the bytes of its memory. With the argument `time` it
// prints how long some of them take.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "pairs.hpp"

namespace {

struct Row {
    DType dtype;
    const char *name;
    std::size_t size;
    const void *elements; // three
};

const bool bools[] = {false, true, true};
const std::uint8_t bytes[] = {3, 200, 255};
const std::int8_t i8s[] = {-1, 100, -128};
const std::int16_t i16s[] = {-2, 1000, 32767};
const std::int32_t i32s[] = {7, -70000, std::numeric_limits<std::int32_t>::max()};
const std::int64_t i64s[] = {-9, 1099511627777, std::numeric_limits<std::int64_t>::max()};
const std::uint16_t f16s[] = {0x2e66, 0xc248, 0x0001}; // 0.1, -3.14, the smallest subnormal number
const std::uint16_t bf16s[] = {0x3dcd, 0xc049, 0x4780}; // 0.1, -3.14, 65536
const float f32s[] = {0.1F, -3.1415927F, 1e30F};
const double f64s[] = {0.1, -3.141592653589793, 1e300};
const float c64s[][2] = {{0.1F, -0.2F}, {1.5F, 2.5F}, {-1e30F, 0.0F}};
const double c128s[][2] = {{0.1, -0.2}, {1.5, 2.5}, {-1e300, 0.0}};

const Row rows[dtype_count] = {
    {DType::Bool, "bool", 1, bools},  {DType::U8, "u8", 1, bytes},    {DType::I8, "i8", 1, i8s},
    {DType::I16, "i16", 2, i16s},     {DType::I32, "i32", 4, i32s},   {DType::I64, "i64", 8, i64s},
    {DType::F16, "f16", 2, f16s},     {DType::BF16, "bf16", 2, bf16s}, {DType::F32, "f32", 4, f32s},
    {DType::F64, "f64", 8, f64s},     {DType::C64, "c64", 8, c64s},   {DType::C128, "c128", 16, c128s},
};

void print_sum(const Row &a, const Row &b) {
    const Row &result = rows[static_cast<std::size_t>(result_type(a.dtype, b.dtype))];
    alignas(16) unsigned char out[3 * 16] = {};
    add(a.dtype, a.elements, b.dtype, b.elements, 3, out);
    std::printf("%s + %s = %s:", a.name, b.name, result.name);
    for (std::size_t i = 0; i < 3 * result.size; i++) {
        std::printf("%s%02x", i % result.size == 0 ? " " : "", static_cast<unsigned>(out[i]));
    }
    std::printf("\n");
}

void print_time(const Row &a, const Row &b) {
    const std::size_t n = 16384, rounds = 2000;
    // Zeros are elements of all dtypes, aligned as the allocator aligns.
    const std::vector<unsigned char> x(n * a.size), y(n * b.size);
    std::vector<unsigned char> out(n * 16);
    double best = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < 7; repeat++) {
        const auto start = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < rounds; i++) {
            add(a.dtype, x.data(), b.dtype, y.data(), n, out.data());
        }
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count() / static_cast<double>(n * rounds));
    }
    std::printf("%s + %s: %.3f ns per element\n", a.name, b.name, best);
}

} // namespace

int main(int count, char **) {
    if (count > 1) {
        const DType timed[][2] = {{DType::F32, DType::F32}, {DType::I8, DType::F32}, {DType::F16, DType::F32},
                                  {DType::I32, DType::F16}, {DType::BF16, DType::BF16}, {DType::U8, DType::I64}};
        for (const auto &pair : timed) {
            print_time(rows[static_cast<std::size_t>(pair[0])], rows[static_cast<std::size_t>(pair[1])]);
        }
        return 0;
    }
    for (const Row &a : rows) {
        for (const Row &b : rows) {
            print_sum(a, b);
        }
    }
    return 0;
}
