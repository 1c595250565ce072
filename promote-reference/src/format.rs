//! Float formats, and the rounding step on which everything else is built.

use promote_runtime::DType;

/// A float format, with the properties that rounding needs.
///
/// Values of every format are `f64`s, and arithmetic is done in `f64`. Its rounding does no harm: the sum,
/// product, quotient or root of values of at most 24 digits, rounded to 53 digits and then to the format,
/// equals the result of a single rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Format {
    /// The digits of the significand, including the hidden one.
    digits: i32,
    /// The exponent of the least normal value.
    normal: i32,
    /// The greatest value.
    pub(crate) greatest: f64,
    /// True if there is an infinity.
    pub(crate) infinite: bool,
}

pub(crate) const F16: Format = Format { digits: 11, normal: -14, greatest: 65504.0, infinite: true };
pub(crate) const BF16: Format =
    Format { digits: 8, normal: -126, greatest: 255.0 * two_to(120), infinite: true };
pub(crate) const F32: Format = Format { digits: 24, normal: -126, greatest: f32::MAX as f64, infinite: true };
pub(crate) const F64: Format = Format { digits: 53, normal: -1022, greatest: f64::MAX, infinite: true };
const E4M3: Format = Format { digits: 4, normal: -6, greatest: 448.0, infinite: false };
const E5M2: Format = Format { digits: 3, normal: -14, greatest: 57344.0, infinite: true };

/// Returns 2^`exponent`, for an exponent of a normal `f64`.
const fn two_to(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Returns the exponent of the greatest power of two in `x`; -1023 for subnormal numbers and zero, 1024 for
/// infinities and NaN.
fn exponent_of(x: f64) -> i32 {
    (x.to_bits() >> 52 & 0x7FF) as i32 - 1023
}

impl Format {
    /// Returns the format of a float dtype, or of the parts of a complex dtype.
    pub(crate) fn of(dtype: DType) -> Option<Format> {
        Some(match dtype {
            DType::F8E4M3FN => E4M3,
            DType::F8E5M2 => E5M2,
            DType::F16 | DType::C32 => F16,
            DType::BF16 | DType::BC32 => BF16,
            DType::F32 | DType::C64 => F32,
            DType::F64 | DType::C128 => F64,
            _ => return None,
        })
    }

    /// Rounds to the nearest value of the format, ties to even. Overflow gives infinity, even if the format
    /// has none.
    pub(crate) fn round(self, x: f64) -> f64 {
        if self == F64 || x == 0.0 || !x.is_finite() {
            return x;
        }
        // Below the normal values the step stays what it is there; an `f64` that is subnormal counts as such
        // a small one.
        let exponent = exponent_of(x).max(self.normal);
        let step = two_to(exponent - (self.digits - 1));
        // Division and multiplication by a power of two are exact here.
        let rounded = (x / step).round_ties_even() * step;
        if rounded.abs() > self.greatest { f64::INFINITY.copysign(x) } else { rounded }
    }

    /// Rounds an integer to nearest even. For formats narrower than `f32` it is rounded to `f32` first, as in
    /// every framework.
    pub(crate) fn whole(self, x: i128) -> f64 {
        if self == F64 { x as f64 } else { self.round((x as f32).into()) }
    }

    /// Multiplies `x`, a value of the format, by 2^`exponent`, with one rounding.
    pub(crate) fn scale(self, x: f64, exponent: i128) -> f64 {
        // Beyond twice the range of `f64` nothing changes any more.
        let mut left = exponent.clamp(-4500, 4500) as i32;
        let mut product = x;
        // Upwards every product is exact, or overflows.
        while left > 0 {
            let step = left.min(1023);
            product *= two_to(step);
            left -= step;
        }
        // Downwards as far as to the least normal value; the last product is the only one that is rounded.
        while left < 0 {
            let room = exponent_of(product) + 1022;
            let step = if room > 0 { left.max(-room) } else { left };
            product *= two_to(step.max(-1022));
            left = if room > 0 { left - step.max(-1022) } else { 0 };
        }
        self.round(product)
    }

    /// Returns the distance from `x` to the next value away from zero.
    fn step(self, x: f64) -> f64 {
        let exponent = exponent_of(x).max(self.normal) - (self.digits - 1);
        // In `f64` the smallest steps are subnormal.
        if exponent < -1022 { two_to(-1022) * two_to(exponent + 1022) } else { two_to(exponent) }
    }

    /// Returns the value next to `a` in the direction of `b`; `b` if they are equal, NaN if either is NaN.
    pub(crate) fn next_after(self, a: f64, b: f64) -> f64 {
        let size = a.abs();
        match () {
            () if a.is_nan() || b.is_nan() => f64::NAN,
            () if a == b => b,
            () if a == 0.0 => self.step(a).copysign(b),
            () if a.is_infinite() => self.greatest.copysign(a),
            // Away from zero.
            () if (a < b) == (a > 0.0) && size == self.greatest => f64::INFINITY.copysign(a),
            () if (a < b) == (a > 0.0) => (size + self.step(a)).copysign(a),
            // Towards zero; below a power of two the values are denser.
            () => (size - self.step(size - self.step(a) / 2.0)).copysign(a),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};

    /// Returns all values of a half that are not negative, with infinity last.
    fn values(format: Format) -> Vec<f64> {
        if format == F16 {
            (0..=0x7C00).map(|code| f16::from_bits(code).to_f64()).collect()
        } else {
            (0..=0x7F80).map(|code| bf16::from_bits(code).to_f64()).collect()
        }
    }

    #[test]
    fn between_two_values_the_nearer_one_and_half_way_the_even_one() {
        for format in [F16, BF16] {
            let values = values(format);
            for (i, pair) in values.windows(2).enumerate() {
                let [low, high] = [pair[0], pair[1]];
                // Infinity stands where the next value would.
                let end = if high.is_infinite() { low + (low - values[i - 1]) } else { high };
                let middle = f64::midpoint(low, end);
                for sign in [1.0, -1.0] {
                    assert_eq!(format.round(sign * low), sign * low);
                    assert_eq!(format.round(sign * middle), sign * if i % 2 == 0 { low } else { high });
                    assert_eq!(format.round(sign * middle.next_down()), sign * low);
                    assert_eq!(format.round(sign * middle.next_up()), sign * high);
                }
            }
        }
    }

    #[test]
    fn f32_is_rounded_as_rust_does_it() {
        let mut bits = 1_u64;
        for _ in 0..100_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Exponents around those of f32, and digits of which some are zeros.
            let exponent = 1023 - 160 + (bits >> 55) % 320;
            let x = f64::from_bits(exponent << 52 | (bits & ((1 << 52) - 1)) >> (bits >> 58) << (bits >> 58));
            assert_eq!(F32.round(x), f64::from(x as f32), "{x:e}");
        }
    }

    #[test]
    fn the_next_value_is_the_next_code() {
        for format in [F16, BF16] {
            for pair in values(format).windows(2) {
                for sign in [1.0, -1.0] {
                    let [low, high] = [sign * pair[0], sign * pair[1]];
                    assert_eq!(format.next_after(low, sign * f64::INFINITY), high);
                    assert_eq!(format.next_after(high, -sign * f64::INFINITY), low);
                }
            }
        }
        for x in [0.0, 1.0, -1.5, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), f64::INFINITY] {
            assert_eq!(F64.next_after(x, f64::INFINITY), x.next_up());
            assert_eq!(F64.next_after(x, f64::NEG_INFINITY), x.next_down());
        }
        assert!(F32.next_after(f64::NAN, 1.0).is_nan());
    }

    #[test]
    fn a_scaled_number_is_rounded_once() {
        let (least, odd) = (f64::from_bits(1), 1.0 + f64::EPSILON);
        assert_eq!(F64.scale(least, 2097), F64.scale(1.0, 1023));
        assert_eq!(F64.scale(f64::MAX, -2098), least, "a bit less than the least value");
        assert_eq!(F64.scale(f64::MAX, -2099), 0.0, "a bit less than the half of it");
        assert_eq!(F64.scale(odd, -1075), least, "a bit more than the half");
        assert_eq!(F64.scale(1.0, -1075), 0.0, "the half, to even");
        assert_eq!(F64.scale(-1.0, i128::MIN), -0.0);
        assert_eq!(F64.scale(-1.0, i128::MAX), f64::NEG_INFINITY);
        assert_eq!(F32.scale(3.0, -150), f64::from(f32::from_bits(2)), "1.5 of the least to even");
        assert!(F32.scale(f64::NAN, 3).is_nan());
    }
}
