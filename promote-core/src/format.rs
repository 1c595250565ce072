//! The values that a dtype represents, and from them, which dtype holds every value of another.

use crate::{DType, Kind};

/// The values of a standard dtype, apart from NaN, infinities and the sign of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// 0 and 1.
    Bool,
    /// Integers, in two's complement if they are signed.
    Int {
        /// True if there are negative values.
        signed: bool,
        /// The width in bits, the sign included.
        bits: u32,
    },
    /// Binary floating point.
    Float {
        /// The digits of the significand, the hidden one included.
        digits: u32,
        /// The exponent of the largest power of two.
        max: i32,
        /// The exponent of the smallest power of two, subnormals included.
        min: i32,
    },
    /// Two floats.
    Complex {
        /// The dtype of the parts.
        part: DType,
    },
}

impl Format {
    /// Returns the kind of a dtype of this format.
    pub const fn kind(self) -> Kind {
        match self {
            Format::Bool => Kind::Bool,
            Format::Int { signed: false, .. } => Kind::Unsigned,
            Format::Int { signed: true, .. } => Kind::Signed,
            Format::Float { .. } => Kind::Float,
            Format::Complex { .. } => Kind::Complex,
        }
    }

    /// Returns the binary digits that are exact, and the exponents of the largest and the smallest power of
    /// two. A complex format has those of its parts.
    pub const fn precision_and_range(self) -> (u32, i32, i32) {
        match self {
            Format::Bool => (1, 0, 0),
            // The least signed value is a power of two, whose exponent is that of the largest unsigned one.
            Format::Int { signed, bits } => (bits - signed as u32, bits as i32 - 1, 0),
            Format::Float { digits, max, min } => (digits, max, min),
            Format::Complex { part } => match part.format() {
                Some(part) => part.precision_and_range(),
                None => (0, 0, 0),
            },
        }
    }

    /// Returns true if this format represents every value of the other format.
    ///
    /// ```
    /// # use promote_core as promote;
    /// use promote::DType;
    ///
    /// let holds = |a: DType, b: DType| a.format().unwrap().holds(b.format().unwrap());
    /// assert!(holds(DType::F32, DType::U16));
    /// assert!(!holds(DType::F32, DType::I32)); // 24 of 31 digits
    /// assert!(!holds(DType::F16, DType::BF16) && !holds(DType::BF16, DType::F16));
    /// ```
    pub const fn holds(self, other: Format) -> bool {
        match (self, other) {
            (Format::Bool, Format::Bool) => true,
            (Format::Complex { part: a }, Format::Complex { part: b }) => a.holds(b),
            (Format::Complex { part }, real) => match part.format() {
                Some(part) => part.holds(real),
                None => false,
            },
            (_, Format::Complex { .. })
            | (Format::Bool, _)
            | (Format::Int { .. }, Format::Float { .. })
            | (Format::Int { signed: false, .. }, Format::Int { signed: true, .. }) => false,
            (Format::Int { .. }, _) => self.precision_and_range().0 >= other.precision_and_range().0,
            (Format::Float { digits, max, min }, _) => {
                let (d, x, n) = other.precision_and_range();
                digits >= d && max >= x && min <= n
            }
        }
    }

    /// Returns true if there are negative values.
    pub const fn is_signed(self) -> bool {
        !matches!(self, Format::Bool | Format::Int { signed: false, .. })
    }
}

/// Bits of a float in memory, the sign first, then the exponent, then the significand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatBits {
    /// The bit of the sign.
    pub sign: u64,
    /// The greatest magnitude that is not NaN: infinity, or without one the greatest finite value.
    pub greatest: u64,
    /// The highest stored bit of the significand, which makes a NaN quiet.
    pub quiet: u64,
    /// The number of stored bits of the significand.
    pub mantissa: u32,
    /// The exponent of 1, as it is stored.
    pub bias: u32,
}

impl FloatBits {
    /// Returns the bits of a float dtype that has a Rust type; `None` for every other dtype. Some floats
    /// without a Rust type encode NaN in another way.
    pub const fn of(dtype: DType) -> Option<FloatBits> {
        let (true, Some(Format::Float { digits, max, min })) = (dtype.has_type(), dtype.format()) else {
            return None;
        };
        let (sign, mantissa) = (1 << (dtype.bits() - 1), digits - 1);
        let bias = 1 - mantissa as i32 - min;
        let ones = (sign >> mantissa) - 1;
        // IEEE 754 keeps the greatest exponent for infinity and NaN. If finite values have it, too, NaN is
        // the magnitude of ones alone.
        let greatest = if max + bias < ones as i32 { ones << mantissa } else { sign - 2 };
        Some(FloatBits { sign, greatest, quiet: 1 << (mantissa - 1), mantissa, bias: bias as u32 })
    }

    /// Returns true if there are infinities.
    pub const fn has_infinity(self) -> bool {
        self.greatest.trailing_zeros() >= self.mantissa
    }
}

#[cfg(test)]
mod tests {
    use super::FloatBits;
    use crate::DType as D;

    #[test]
    fn bits_of_floats_follow_from_their_formats() {
        for (dtype, sign, greatest, quiet, mantissa, bias) in [
            (D::F8E4M3FN, 0x80, 0x7E, 0x04, 3, 7),
            (D::F8E5M2, 0x80, 0x7C, 0x02, 2, 15),
            (D::F16, 0x8000, 0x7C00, 0x0200, 10, 15),
            (D::BF16, 0x8000, 0x7F80, 0x0040, 7, 127),
            (D::F32, 0x8000_0000, f32::INFINITY.to_bits().into(), 0x0040_0000, 23, 127),
            (D::F64, 1 << 63, f64::INFINITY.to_bits(), 1 << 51, 52, 1023),
        ] {
            let bits = FloatBits { sign, greatest, quiet, mantissa, bias };
            assert_eq!(FloatBits::of(dtype), Some(bits), "{dtype}");
            assert_eq!(bits.has_infinity(), dtype != D::F8E4M3FN, "{dtype}");
        }
        assert!(
            [D::C64, D::I32, D::Bool, D::F8E4M3FNUZ].into_iter().all(|other| FloatBits::of(other).is_none())
        );
    }

    #[test]
    fn floats_hold_the_integers_that_fit_their_significand() {
        assert!(D::F32.holds(D::I16) && D::F32.holds(D::U16) && D::F16.holds(D::U8) && D::F64.holds(D::U32));
        assert!(
            !D::F32.holds(D::I32) && !D::F64.holds(D::I64) && !D::BF16.holds(D::I16) && !D::F16.holds(D::I16)
        );
    }

    #[test]
    fn neither_half_holds_the_other() {
        assert!(!D::F16.holds(D::BF16) && !D::BF16.holds(D::F16) && D::F32.holds(D::BF16));
    }

    #[test]
    fn complex_dtypes_hold_the_values_of_their_parts() {
        assert!(D::C64.holds(D::I16) && D::C128.holds(D::C64) && D::C64.holds(D::BC32));
        assert!(!D::C64.holds(D::F64) && !D::F64.holds(D::C64));
    }

    #[test]
    fn integers_hold_by_range() {
        assert!(D::I16.holds(D::U8) && D::U16.holds(D::U8) && D::U8.holds(D::Bool));
        assert!(!D::U16.holds(D::I8) && !D::I8.holds(D::U8) && !D::Bool.holds(D::U8));
    }

    #[test]
    fn every_standard_dtype_holds_itself() {
        for &dtype in D::STANDARD {
            assert!(dtype.holds(dtype), "{dtype}");
        }
    }
}
