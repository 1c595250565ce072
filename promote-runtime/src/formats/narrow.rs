//! Rounding of `f32` to narrower formats, on bits and without branches.
//!
//! For a format with `23 - SHIFT` mantissa bits, whose exponent bias is smaller than that of `f32` by `BIAS`:
//! - A normal result adds half a unit less one, and one more if the last kept bit is odd; then the low bits
//!   are cleared.
//! - A subnormal result adds a power of two whose unit is the smallest subnormal, so that the processor's
//!   addition rounds.
//! - Overflow and NaN are selected last.
//!
//! Both results are computed and one is selected, so LLVM can make vector code of it.

use core::marker::PhantomData;

use promote_core::__private::FloatBits;

use crate::DType;

/// The result of values that are too large for [`F8E4M3`](float8::F8E4M3), which has no infinity.
pub trait Overflow: Copy + Send + Sync + 'static {
    /// True if they become the greatest finite value, false if they become NaN.
    const SATURATE: bool;
}

/// Overflow of `f8e4m3fn` gives NaN, as in JAX and `ml_dtypes`.
#[derive(Clone, Copy, Debug)]
pub struct Nan;

/// Overflow of `f8e4m3fn` gives the greatest finite value, as in PyTorch.
#[derive(Clone, Copy, Debug)]
pub struct Saturate;

impl Overflow for Nan {
    const SATURATE: bool = false;
}

impl Overflow for Saturate {
    const SATURATE: bool = true;
}

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7F80_0000;
const QUIET: u32 = 0x0040_0000;

/// A format with fewer exponent and mantissa bits than `f32`. All its constants follow from the catalogue.
pub(crate) trait Narrow {
    /// The dtype of the format.
    const DTYPE: DType;
    /// True if values that overflow a format without infinity become the greatest finite value.
    const SATURATE: bool = false;

    /// The bits of the format.
    const BITS: FloatBits = match FloatBits::of(Self::DTYPE) {
        Some(bits) => bits,
        None => panic!("a dtype that is no float with a Rust type"),
    };
    /// The number of mantissa bits that `f32` has in addition.
    const SHIFT: u32 = 23 - Self::BITS.mantissa;
    /// 127 minus the exponent bias of the format.
    const BIAS: u32 = 127 - Self::BITS.bias;
    /// The number of bits by which the sign is lower than in `f32`.
    const SIGN_SHIFT: u32 = (Self::BITS.sign as u32).leading_zeros();
    /// The code of the greatest magnitude that is not NaN.
    const GREATEST: u32 = Self::BITS.greatest as u32;
    /// The least code that is an infinity or NaN.
    const SPECIAL: u32 = if Self::BITS.has_infinity() { Self::GREATEST } else { Self::GREATEST + 1 };
    /// The code of NaN.
    const NAN_CODE: u32 =
        if Self::BITS.has_infinity() { Self::GREATEST | Self::BITS.quiet as u32 } else { Self::SPECIAL };
    /// The least rounded magnitude that overflows, as the bits of an `f32`: the value that the first code
    /// after the greatest finite value would have.
    const OVERFLOW: u32 = (Self::SPECIAL << Self::SHIFT) + (Self::BIAS << 23);
    /// The code that a magnitude takes on overflow.
    const OVERFLOW_CODE: u32 =
        if Self::BITS.has_infinity() || Self::SATURATE { Self::GREATEST } else { Self::NAN_CODE };
    /// The value of that code, as the bits of an `f32`.
    const OVERFLOW_VALUE: u32 = if Self::BITS.has_infinity() {
        INFINITY
    } else if Self::SATURATE {
        (Self::GREATEST << Self::SHIFT) + (Self::BIAS << 23)
    } else {
        INFINITY | QUIET
    };

    /// The bits of the smallest normal value.
    const MIN_NORMAL: u32 = (Self::BIAS + 1) << 23;
    /// The bits of the power of two whose unit is the smallest subnormal.
    const MAGIC: u32 = (Self::BIAS + 1 + Self::SHIFT) << 23;

    /// Rounds a magnitude as if the exponent were unbounded and the result normal.
    #[inline(always)]
    fn round_normal(magnitude: u32) -> u32 {
        let half = (1 << (Self::SHIFT - 1)) - 1;
        let odd = (magnitude >> Self::SHIFT) & 1;
        (magnitude + half + odd) & !((1 << Self::SHIFT) - 1)
    }

    /// Returns the nearest value of the format, ties to even, as an `f32`.
    #[inline(always)]
    fn quantise(x: f32) -> f32 {
        let bits = x.to_bits();
        let magnitude = bits & !SIGN;
        let cut = Self::round_normal(magnitude);
        let magic = f32::from_bits(Self::MAGIC);
        let small = ((f32::from_bits(magnitude) + magic) - magic).to_bits();
        let finite = if magnitude < Self::MIN_NORMAL { small } else { cut };
        let bounded = if cut >= Self::OVERFLOW { Self::OVERFLOW_VALUE } else { finite };
        let rounded = if magnitude > INFINITY { magnitude | QUIET } else { bounded };
        f32::from_bits(rounded | (bits & SIGN))
    }

    /// Returns the code of the nearest value of the format, ties to even.
    #[inline(always)]
    fn encode(x: f32) -> u32 {
        let bits = x.to_bits();
        let magnitude = bits & !SIGN;
        let cut = Self::round_normal(magnitude);
        let small =
            (f32::from_bits(magnitude) + f32::from_bits(Self::MAGIC)).to_bits().wrapping_sub(Self::MAGIC);
        let normal = (cut >> Self::SHIFT).wrapping_sub(Self::BIAS << (23 - Self::SHIFT));
        let finite = if magnitude < Self::MIN_NORMAL { small } else { normal };
        let bounded = if cut >= Self::OVERFLOW { Self::OVERFLOW_CODE } else { finite };
        let code = if magnitude > INFINITY { Self::NAN_CODE } else { bounded };
        code | ((bits & SIGN) >> Self::SIGN_SHIFT)
    }

    /// Returns the value of a code.
    #[inline(always)]
    fn decode(code: u32) -> f32 {
        let sign = (code << Self::SIGN_SHIFT) & SIGN;
        let magnitude = code & ((SIGN >> Self::SIGN_SHIFT) - 1);
        let normal = (magnitude << Self::SHIFT) + (Self::BIAS << 23);
        let least = Self::MIN_NORMAL;
        let small = (f32::from_bits((magnitude << Self::SHIFT) + least) - f32::from_bits(least)).to_bits();
        let finite = if magnitude < (1 << (23 - Self::SHIFT)) { small } else { normal };
        let value = if magnitude >= Self::SPECIAL { Self::special(normal) } else { finite };
        f32::from_bits(value | sign)
    }

    /// Returns the bits of an infinity or NaN whose code would decode to the normal value `normal`. In a
    /// format with infinities, the greatest exponent becomes that of `f32`.
    #[inline(always)]
    fn special(normal: u32) -> u32 {
        if const { Self::BITS.has_infinity() } { normal + (Self::BIAS << 23) } else { INFINITY | QUIET }
    }
}

/// IEEE 754 binary16.
pub(crate) struct Binary16;

impl Narrow for Binary16 {
    const DTYPE: DType = DType::F16;
}

/// f8e5m2: the upper byte of binary16.
pub(crate) struct E5M2;

impl Narrow for E5M2 {
    const DTYPE: DType = DType::F8E5M2;
}

/// f8e4m3fn: no infinity, one NaN for each sign, 448 the greatest value.
pub(crate) struct E4M3<W>(PhantomData<W>);

impl<W: Overflow> Narrow for E4M3<W> {
    const DTYPE: DType = DType::F8E4M3FN;
    const SATURATE: bool = W::SATURATE;
}

/// bf16: the upper half of an `f32`, so the carry of an integer addition rounds.
pub(crate) struct Brain16;

impl Narrow for Brain16 {
    const DTYPE: DType = DType::BF16;

    #[inline(always)]
    fn quantise(x: f32) -> f32 {
        let bits = x.to_bits();
        let rounded = bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) & 0xFFFF_0000;
        // `is_nan` of the float and not a test of its bits, because LLVM knows that a converted integer is
        // not NaN.
        f32::from_bits(if x.is_nan() { (bits | QUIET) & 0xFFFF_0000 } else { rounded })
    }

    #[inline(always)]
    fn encode(x: f32) -> u32 {
        Self::quantise(x).to_bits() >> 16
    }

    #[inline(always)]
    fn decode(code: u32) -> f32 {
        f32::from_bits(code << 16)
    }
}

/// Rounds `x` to odd: truncates it, and sets the last bit if the result is not exact.
///
/// Rounding the result to a format of at most 21 mantissa bits is then one correct rounding of `x`.
#[inline(always)]
pub(crate) fn to_odd(x: f64) -> f32 {
    let near = x as f32;
    let back = near as f64;
    let bits = near.to_bits();
    // If the nearest value is greater in magnitude, it is so by less than one unit, so the value below it is
    // `x` truncated. The comparison is false for NaN.
    let cut = if back.abs() > x.abs() { bits.wrapping_sub(1) } else { bits };
    #[allow(clippy::float_cmp, reason = "the conversion is exact if and only if it can be reversed")]
    let exact = back == x;
    f32::from_bits(if exact { bits } else { cut | 1 })
}
