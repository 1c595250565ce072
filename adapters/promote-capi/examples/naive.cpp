// Mixed addition as libraries write it by hand: narrow floats, a table, and a dispatch on both dtypes.

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "pairs.hpp"

namespace {

std::uint32_t bits_of(float x) {
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

float float_of(std::uint32_t bits) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

struct Half {
    std::uint16_t bits;

    // Rounds to nearest, ties to even.
    explicit Half(float x) {
        const float magnitude = std::fabs(x);
        std::uint32_t rest = bits_of(magnitude);
        if (std::isnan(x)) {
            rest = 0x7e00;
        } else if (magnitude >= 65520.0F) {
            rest = 0x7c00; // infinity
        } else if (magnitude < 0x1p-14F) {
            rest = bits_of(magnitude + 0.5F) - bits_of(0.5F); // subnormal: the addition rounds
        } else {
            rest = (rest + 0xfff + (rest >> 13 & 1) - (112U << 23)) >> 13;
        }
        bits = static_cast<std::uint16_t>(rest | (std::signbit(x) ? 0x8000 : 0));
    }

    operator float() const {
        const std::uint32_t rest = bits & 0x7fff;
        // The factor moves the exponent from a bias of 15 to one of 127, of subnormal numbers as well.
        const float finite = float_of(rest << 13) * 0x1p112F;
        const float magnitude = rest < 0x7c00 ? finite : float_of(rest << 13 | 0x7f800000);
        return bits & 0x8000 ? -magnitude : magnitude;
    }
};

struct BFloat16 {
    std::uint16_t bits;

    explicit BFloat16(float x) {
        const std::uint32_t wide = bits_of(x);
        const std::uint32_t rounded = std::isnan(x) ? wide | 0x400000 : wide + 0x7fff + (wide >> 16 & 1);
        bits = static_cast<std::uint16_t>(rounded >> 16);
    }

    operator float() const { return float_of(static_cast<std::uint32_t>(bits) << 16); }
};

constexpr DType b1 = DType::Bool, u1 = DType::U8, i1 = DType::I8, i2 = DType::I16, i4 = DType::I32,
                i8 = DType::I64, f2 = DType::F16, bf = DType::BF16, f4 = DType::F32, f8 = DType::F64,
                c8 = DType::C64, c16 = DType::C128;
constexpr DType table[dtype_count][dtype_count] = {
    /*         b1   u1   i1   i2   i4   i8   f2   bf   f4   f8   c8   c16 */
    /* b1 */ {b1, u1, i1, i2, i4, i8, f2, bf, f4, f8, c8, c16},
    /* u1 */ {u1, u1, i2, i2, i4, i8, f2, bf, f4, f8, c8, c16},
    /* i1 */ {i1, i2, i1, i2, i4, i8, f2, bf, f4, f8, c8, c16},
    /* i2 */ {i2, i2, i2, i2, i4, i8, f2, bf, f4, f8, c8, c16},
    /* i4 */ {i4, i4, i4, i4, i4, i8, f2, bf, f4, f8, c8, c16},
    /* i8 */ {i8, i8, i8, i8, i8, i8, f2, bf, f4, f8, c8, c16},
    /* f2 */ {f2, f2, f2, f2, f2, f2, f2, f4, f4, f8, c8, c16},
    /* bf */ {bf, bf, bf, bf, bf, bf, f4, bf, f4, f8, c8, c16},
    /* f4 */ {f4, f4, f4, f4, f4, f4, f4, f4, f4, f8, c8, c16},
    /* f8 */ {f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, c16, c16},
    /* c8 */ {c8, c8, c8, c8, c8, c8, c8, c8, c8, c16, c8, c16},
    /* c16 */ {c16, c16, c16, c16, c16, c16, c16, c16, c16, c16, c16, c16},
};

template <DType> struct TypeOf;
template <> struct TypeOf<DType::Bool> { using type = bool; };
template <> struct TypeOf<DType::U8> { using type = std::uint8_t; };
template <> struct TypeOf<DType::I8> { using type = std::int8_t; };
template <> struct TypeOf<DType::I16> { using type = std::int16_t; };
template <> struct TypeOf<DType::I32> { using type = std::int32_t; };
template <> struct TypeOf<DType::I64> { using type = std::int64_t; };
template <> struct TypeOf<DType::F16> { using type = Half; };
template <> struct TypeOf<DType::BF16> { using type = BFloat16; };
template <> struct TypeOf<DType::F32> { using type = float; };
template <> struct TypeOf<DType::F64> { using type = double; };
template <> struct TypeOf<DType::C64> { using type = std::complex<float>; };
template <> struct TypeOf<DType::C128> { using type = std::complex<double>; };

template <class T> T sum(T a, T b) {
    if constexpr (std::is_same_v<T, bool>) {
        return a || b;
    } else if constexpr (std::is_integral_v<T>) {
        using Wrapping = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<Wrapping>(a) + static_cast<Wrapping>(b));
    } else {
        return static_cast<T>(a + b); // narrow floats in `float`
    }
}

template <DType A, DType B> void loop(const void *x, const void *y, std::size_t n, void *out) {
    using Common = typename TypeOf<table[static_cast<int>(A)][static_cast<int>(B)]>::type;
    const auto *a = static_cast<const typename TypeOf<A>::type *>(x);
    const auto *b = static_cast<const typename TypeOf<B>::type *>(y);
    auto *c = static_cast<Common *>(out);
    for (std::size_t i = 0; i < n; i++) {
        c[i] = sum(static_cast<Common>(a[i]), static_cast<Common>(b[i]));
    }
}

template <DType A> void add_to(const void *x, DType b, const void *y, std::size_t n, void *out) {
    switch (b) {
    case DType::Bool: return loop<A, DType::Bool>(x, y, n, out);
    case DType::U8: return loop<A, DType::U8>(x, y, n, out);
    case DType::I8: return loop<A, DType::I8>(x, y, n, out);
    case DType::I16: return loop<A, DType::I16>(x, y, n, out);
    case DType::I32: return loop<A, DType::I32>(x, y, n, out);
    case DType::I64: return loop<A, DType::I64>(x, y, n, out);
    case DType::F16: return loop<A, DType::F16>(x, y, n, out);
    case DType::BF16: return loop<A, DType::BF16>(x, y, n, out);
    case DType::F32: return loop<A, DType::F32>(x, y, n, out);
    case DType::F64: return loop<A, DType::F64>(x, y, n, out);
    case DType::C64: return loop<A, DType::C64>(x, y, n, out);
    case DType::C128: return loop<A, DType::C128>(x, y, n, out);
    }
}

} // namespace

DType result_type(DType a, DType b) { return table[static_cast<int>(a)][static_cast<int>(b)]; }

void add(DType a, const void *x, DType b, const void *y, std::size_t n, void *out) {
    switch (a) {
    case DType::Bool: return add_to<DType::Bool>(x, b, y, n, out);
    case DType::U8: return add_to<DType::U8>(x, b, y, n, out);
    case DType::I8: return add_to<DType::I8>(x, b, y, n, out);
    case DType::I16: return add_to<DType::I16>(x, b, y, n, out);
    case DType::I32: return add_to<DType::I32>(x, b, y, n, out);
    case DType::I64: return add_to<DType::I64>(x, b, y, n, out);
    case DType::F16: return add_to<DType::F16>(x, b, y, n, out);
    case DType::BF16: return add_to<DType::BF16>(x, b, y, n, out);
    case DType::F32: return add_to<DType::F32>(x, b, y, n, out);
    case DType::F64: return add_to<DType::F64>(x, b, y, n, out);
    case DType::C64: return add_to<DType::C64>(x, b, y, n, out);
    case DType::C128: return add_to<DType::C128>(x, b, y, n, out);
    }
}
