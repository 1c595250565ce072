//! Rounding of `f32` to the formats below it, on the bits and without a branch.
//!
//! The idea, for a format with `23 - SHIFT` mantissa bits whose exponent bias is smaller than that of `f32`
//! by `BIAS`, and a magnitude `m`:
//! - a normal result: add half a unit less one, and one more where the last kept bit is odd, then cut;
//! - a subnormal result: add a power of two so great that its unit is the smallest subnormal, and the
//!   adder of the machine rounds;
//! - overflow and NaN are selected last.
//!
//! Both results are computed and one is selected, so that LLVM makes vector code of it.

use core::marker::PhantomData;

/// What becomes of a finite value or an infinity that is too great for [`F8E4M3`](float8::F8E4M3), which has
/// no infinity.
pub trait Overflow: Copy + Send + Sync + 'static {
    /// Whether it becomes the greatest finite value; else it becomes NaN.
    const SATURATE: bool;
}

/// Overflow of f8e4m3fn gives NaN, as in JAX and `ml_dtypes`.
#[derive(Clone, Copy, Debug)]
pub struct Nan;

/// Overflow of f8e4m3fn gives the greatest finite value, as in PyTorch.
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

/// A format with fewer exponent and mantissa bits than `f32`.
pub(crate) trait Narrow {
    /// Mantissa bits that `f32` has and the format has not.
    const SHIFT: u32;
    /// 127 less the exponent bias of the format.
    const BIAS: u32;
    /// The least magnitude, as the bits of an `f32` that is already rounded, that is not finite.
    const OVERFLOW: u32;
    /// The code that stands for it.
    const OVERFLOW_CODE: u32;
    /// The same as the bits of an `f32`.
    const OVERFLOW_VALUE: u32;
    /// The code of NaN.
    const NAN_CODE: u32;
    /// The least code that is not finite.
    const SPECIAL: u32;
    /// The sign bit's place is this much lower than in `f32`.
    const SIGN_SHIFT: u32;

    /// The bits of the smallest normal value.
    const MIN_NORMAL: u32 = (Self::BIAS + 1) << 23;
    /// The bits of the power of two whose unit is the smallest subnormal.
    const MAGIC: u32 = (Self::BIAS + 1 + Self::SHIFT) << 23;

    /// The magnitude rounded as if the exponent were unbounded and the result normal.
    #[inline(always)]
    fn cut(magnitude: u32) -> u32 {
        let half = (1 << (Self::SHIFT - 1)) - 1;
        let odd = (magnitude >> Self::SHIFT) & 1;
        (magnitude + half + odd) & !((1 << Self::SHIFT) - 1)
    }

    /// The nearest value of the format, ties to even, still as an `f32`.
    #[inline(always)]
    fn quantise(x: f32) -> f32 {
        let bits = x.to_bits();
        let magnitude = bits & !SIGN;
        let cut = Self::cut(magnitude);
        let magic = f32::from_bits(Self::MAGIC);
        let small = ((f32::from_bits(magnitude) + magic) - magic).to_bits();
        let finite = if magnitude < Self::MIN_NORMAL { small } else { cut };
        let bounded = if cut >= Self::OVERFLOW { Self::OVERFLOW_VALUE } else { finite };
        let rounded = if magnitude > INFINITY { magnitude | QUIET } else { bounded };
        f32::from_bits(rounded | (bits & SIGN))
    }

    /// The code of the nearest value of the format, ties to even.
    #[inline(always)]
    fn encode(x: f32) -> u32 {
        let bits = x.to_bits();
        let magnitude = bits & !SIGN;
        let cut = Self::cut(magnitude);
        let small =
            (f32::from_bits(magnitude) + f32::from_bits(Self::MAGIC)).to_bits().wrapping_sub(Self::MAGIC);
        let normal = (cut >> Self::SHIFT).wrapping_sub(Self::BIAS << (23 - Self::SHIFT));
        let finite = if magnitude < Self::MIN_NORMAL { small } else { normal };
        let bounded = if cut >= Self::OVERFLOW { Self::OVERFLOW_CODE } else { finite };
        let code = if magnitude > INFINITY { Self::NAN_CODE } else { bounded };
        code | ((bits & SIGN) >> Self::SIGN_SHIFT)
    }

    /// The value of a code.
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

    /// The bits of the infinity or NaN whose code, decoded as a normal value, is `normal`: the greatest
    /// exponent of the format becomes that of `f32`, as IEEE 754 has it.
    #[inline(always)]
    fn special(normal: u32) -> u32 {
        normal + (Self::BIAS << 23)
    }
}

/// IEEE 754 binary16.
pub(crate) struct Binary16;

impl Narrow for Binary16 {
    const SHIFT: u32 = 13;
    const BIAS: u32 = 112;
    const OVERFLOW: u32 = 143 << 23;
    const OVERFLOW_CODE: u32 = 0x7C00;
    const OVERFLOW_VALUE: u32 = INFINITY;
    const NAN_CODE: u32 = 0x7E00;
    const SPECIAL: u32 = 0x7C00;
    const SIGN_SHIFT: u32 = 16;
}

/// f8e5m2: the upper byte of binary16.
pub(crate) struct E5M2;

impl Narrow for E5M2 {
    const SHIFT: u32 = 21;
    const BIAS: u32 = 112;
    const OVERFLOW: u32 = 143 << 23;
    const OVERFLOW_CODE: u32 = 0x7C;
    const OVERFLOW_VALUE: u32 = INFINITY;
    const NAN_CODE: u32 = 0x7E;
    const SPECIAL: u32 = 0x7C;
    const SIGN_SHIFT: u32 = 24;
}

/// f8e4m3fn: no infinity, one NaN for each sign, 448 the greatest value.
pub(crate) struct E4M3<W>(PhantomData<W>);

impl<W: Overflow> Narrow for E4M3<W> {
    const SHIFT: u32 = 20;
    const BIAS: u32 = 120;
    /// 480, which would be the next value after 448.
    const OVERFLOW: u32 = 0x43F0_0000;
    const OVERFLOW_CODE: u32 = if W::SATURATE { 0x7E } else { 0x7F };
    const OVERFLOW_VALUE: u32 = if W::SATURATE { 0x43E0_0000 } else { INFINITY | QUIET };
    const NAN_CODE: u32 = 0x7F;
    const SPECIAL: u32 = 0x7F;
    const SIGN_SHIFT: u32 = 24;

    #[inline(always)]
    fn special(_: u32) -> u32 {
        INFINITY | QUIET
    }
}

/// The nearest bf16, ties to even, still as an `f32`: bf16 is the upper half of `f32`, so the carry does all.
#[inline(always)]
pub(crate) fn quantise_bf16(x: f32) -> f32 {
    let bits = x.to_bits();
    let rounded = bits.wrapping_add(0x7FFF + ((bits >> 16) & 1)) & 0xFFFF_0000;
    // Asked of the float, not of its bits: LLVM knows that what was an integer is a number.
    f32::from_bits(if x.is_nan() { (bits | QUIET) & 0xFFFF_0000 } else { rounded })
}

/// `x` rounded to odd: cut towards zero, and the last bit set where something was cut off.
///
/// Rounding the result again, to a format of at most 21 mantissa bits, is then one correct rounding of `x`.
#[inline(always)]
pub(crate) fn to_odd(x: f64) -> f32 {
    let near = x as f32;
    let back = near as f64;
    let bits = near.to_bits();
    // The nearest value lies beyond `x` by less than one unit, so one less is `x` cut; a NaN is not beyond.
    let cut = if back.abs() > x.abs() { bits.wrapping_sub(1) } else { bits };
    #[allow(clippy::float_cmp, reason = "whether anything was cut off is asked exactly")]
    let exact = back == x;
    f32::from_bits(if exact { bits } else { cut | 1 })
}
