//! Conversions between elements of all standard dtypes.
//!
//! - Integer to integer wraps. Integer to float rounds to nearest even; to 16-bit and 8-bit floats it goes
//!   through `f32`.
//! - Float to float rounds once, to nearest even. `f64` to a format narrower than `f32` goes through an `f32`
//!   that is rounded to odd.
//! - Float to integer truncates and saturates; NaN becomes 0.
//! - To `bool`, every value other than 0 is true, NaN included. From `bool`, the result is 0 or 1.
//! - Real to complex has the imaginary part +0. Complex to real drops the imaginary part.
//!
//! Conversions have no branches, so loops over them become vector code.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only if all of it is inlined")]

mod int;

#[cfg(target_arch = "x86_64")]
use core::mem::transmute_copy;

use num_complex::Complex;

use self::int::{Instruction, Truncate};
use crate::element::{Element, Register};
use crate::formats::narrow;
pub use crate::formats::narrow::{Nan, Overflow, Saturate};
#[cfg(target_arch = "x86_64")]
use crate::level::Level;
use crate::level::{Lanes, Scalar};
use crate::types;

/// Converts between register forms.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not cast to `{T}`",
    label = "this casts `{Self}` to `{T}`",
    note = "standard dtypes are cast to one another; a type with `#[derive(Element)]` says from which others it is cast: \
            `#[element(from({Self}))]` on `{T}`, with `impl From<{Self}> for {T}`"
)]
pub trait Convert<T> {
    /// Converts the value. If `odd` is true, `f64` to `f32` rounds to odd, because the result will be rounded
    /// again.
    fn convert(self, odd: bool) -> T;

    /// Converts a float to an integer as the instruction of x86-64 does; other conversions are those of
    /// [`Convert::convert`].
    ///
    /// A float out of range becomes the least `i32` or `i64`. An integer of fewer than 32 bits takes the low
    /// bits of the `i32` or, if `clamped` is true, the value nearest to it.
    #[inline(always)]
    fn convert_by_instruction(self, _clamped: bool) -> T
    where
        Self: Sized,
    {
        self.convert(false)
    }
}

macro_rules! from_int {
    ([$($from:ident)*] $integers:tt $floats:tt) => {$(
        impl Convert<bool> for $from {
            #[inline(always)]
            fn convert(self, _: bool) -> bool {
                self != 0
            }
        }
        from_int! { @numbers $from $integers }
        from_int! { @numbers $from $floats }
        from_real! { $from $floats }
    )*};
    (@numbers $from:ident [$($to:ident)*]) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self, _: bool) -> $to {
                self as $to
            }
        }
    )*};
}

macro_rules! from_real {
    ($from:ident [$($part:ident)*]) => {$(
        impl Convert<Complex<$part>> for $from {
            #[inline(always)]
            fn convert(self, odd: bool) -> Complex<$part> {
                Complex { re: self.convert(odd), im: 0.0 }
            }
        }
    )*};
}

macro_rules! from_bool {
    ([$($to:ident)*]) => {$(
        impl Convert<$to> for bool {
            #[inline(always)]
            fn convert(self, _: bool) -> $to {
                self as u8 as $to
            }
        }
    )*};
}

/// A float is selected and not converted: a comparison leaves a mask of the true lanes, from which an integer
/// would have to be made first.
macro_rules! float_from_bool {
    ([$($to:ident)*]) => {$(
        impl Convert<$to> for bool {
            #[inline(always)]
            fn convert(self, _: bool) -> $to {
                if self { 1.0 } else { 0.0 }
            }
        }
    )*};
}

macro_rules! from_float {
    ([$($from:ident)*] $integers:tt $floats:tt) => {$(
        from_float! { @one $from $integers }
        from_real! { $from $floats }
    )*};
    (@one $from:ident [$($to:ident)*]) => {
        impl Convert<bool> for $from {
            #[inline(always)]
            fn convert(self, _: bool) -> bool {
                self != 0.0
            }
        }
        $(impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self, _: bool) -> $to {
                self.truncate()
            }

            #[inline(always)]
            fn convert_by_instruction(self, clamped: bool) -> $to {
                self.instruction(clamped)
            }
        })*
        impl Convert<f64> for $from {
            #[inline(always)]
            fn convert(self, _: bool) -> f64 {
                self as f64
            }
        }
    };
}

macro_rules! from_complex {
    ([$($part:ident)*] $integers:tt $floats:tt) => {$(
        from_complex! { @bool $part }
        from_complex! { @reals $part $integers }
        from_complex! { @reals $part $floats }
        from_complex! { @complex $part $floats }
    )*};
    (@bool $part:ident) => {
        impl Convert<bool> for Complex<$part> {
            #[inline(always)]
            fn convert(self, _: bool) -> bool {
                (self.re != 0.0) | (self.im != 0.0)
            }
        }
    };
    (@reals $part:ident [$($to:ident)*]) => {$(
        impl Convert<$to> for Complex<$part> {
            #[inline(always)]
            fn convert(self, odd: bool) -> $to {
                self.re.convert(odd)
            }

            #[inline(always)]
            fn convert_by_instruction(self, clamped: bool) -> $to {
                self.re.convert_by_instruction(clamped)
            }
        }
    )*};
    (@complex $part:ident [$($to:ident)*]) => {$(
        impl Convert<Complex<$to>> for Complex<$part> {
            #[inline(always)]
            fn convert(self, odd: bool) -> Complex<$to> {
                Complex { re: self.re.convert(odd), im: self.im.convert(odd) }
            }
        }
    )*};
}

impl Convert<bool> for bool {
    #[inline(always)]
    fn convert(self, _: bool) -> bool {
        self
    }
}

impl Convert<f32> for f32 {
    #[inline(always)]
    fn convert(self, _: bool) -> f32 {
        self
    }
}

impl Convert<f32> for f64 {
    #[inline(always)]
    fn convert(self, odd: bool) -> f32 {
        if odd { narrow::to_odd(self) } else { self as f32 }
    }
}

macro_rules! conversions {
    ({} bool [bool] integer $integers:tt float $floats:tt complex $complex:tt) => {
        from_bool! { $integers }
        float_from_bool! { $floats }
        from_real! { bool $floats }
        from_int! { $integers $integers $floats }
        from_float! { $floats $integers $floats }
        // A complex number has a float for its parts.
        from_complex! { $floats $integers $floats }
    };
}

promote_core::__register_dtypes! { conversions {} }

/// Converts an element from its form in memory to the register form of `C`.
///
/// Generic code that converts between element types uses it as a bound. [`Cast`] has the methods for single
/// values.
pub trait ConvertTo<C: Element>: Element {
    /// Loads and converts, without the last rounding. A store of `C`, or [`Element::quantise`], rounds
    /// afterwards.
    #[doc(hidden)]
    fn widen<L: Lanes>(lanes: L, repr: Self::Repr) -> C::Reg;

    /// Loads, converts and rounds once. The result is a value of `C`.
    #[doc(hidden)]
    fn convert_to<L: Lanes, W: Overflow>(lanes: L, repr: Self::Repr) -> C::Reg;
}

impl<A, C> ConvertTo<C> for A
where
    A: Element,
    C: Element,
    A::Reg: Convert<C::Reg>,
{
    #[inline(always)]
    fn widen<L: Lanes>(lanes: L, repr: Self::Repr) -> C::Reg {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if const { L::F16C && is_bool_to_integer(A::DTYPE, C::DTYPE) } {
            // SAFETY: the form in memory has the size of the dtype, here one byte, and is initialised.
            let byte = unsafe { transmute_copy::<A::Repr, u8>(&repr) };
            // SAFETY: the form in memory of `C` is that of an integer: it has at most as many bytes, and
            // every bit pattern is valid. The machine is little-endian, so the low bytes are copied.
            return C::load(lanes, unsafe { transmute_copy::<u64, C::Repr>(&zero_or_one(byte).into()) });
        }
        #[cfg(target_arch = "x86_64")]
        if const { matches!(L::LEVEL, Level::V3) && is_i64_to_f64(A::DTYPE, C::DTYPE) } {
            // SAFETY: the form in memory of the dtype i64 has 8 bytes, which are those of an `i64`.
            let wide = i64_to_f64(unsafe { transmute_copy::<A::Repr, i64>(&repr) });
            // SAFETY: the register form of the dtype f64 is `f64`.
            return unsafe { transmute_copy::<f64, C::Reg>(&wide) };
        }
        Convert::convert(A::load(lanes, repr), C::NARROW)
    }

    #[inline(always)]
    fn convert_to<L: Lanes, W: Overflow>(lanes: L, repr: Self::Repr) -> C::Reg {
        let wide = <A as ConvertTo<C>>::widen(lanes, repr);
        // No rounding is needed if the narrow format holds every value of `A`.
        if const { C::NARROW && !C::DTYPE.holds(A::DTYPE) } { C::quantise::<W>(wide) } else { wide }
    }
}

/// Returns true for a conversion of `bool` to an integer dtype.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const fn is_bool_to_integer(from: crate::DType, to: crate::DType) -> bool {
    use crate::Kind;
    matches!((from.kind(), to.kind()), (Kind::Bool, Kind::Unsigned | Kind::Signed))
}

/// Returns 0 for 0, and 1 for every other byte.
///
/// This is the minimum of the byte and 1, one instruction at every level. LLVM would replace the minimum with
/// a constant 1 by a comparison, which takes three instructions with masks. So the 1 is hidden from LLVM.
/// Only loops at SIMD levels call this function, because scalar code is better with the constant.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn zero_or_one(byte: u8) -> u8 {
    let mut one = 1_u8;
    // SAFETY: the assembly is a comment without an instruction. The register keeps its value, and nothing
    // else is read or written, as the options say. `pure` lets LLVM move it out of loops.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg_byte) one, options(pure, nomem, nostack, preserves_flags));
    }
    byte.min(one)
}

/// Returns true for a conversion of the dtype i64 to the dtype f64.
#[cfg(target_arch = "x86_64")]
const fn is_i64_to_f64(from: crate::DType, to: crate::DType) -> bool {
    matches!((from, to), (crate::DType::I64, crate::DType::F64))
}

/// Converts an i64 to an f64 like `as`, by operations that AVX2 has for vectors. AVX2 has no instruction for
/// this conversion, and LLVM would convert lane by lane.
///
/// Both halves enter the mantissa of a large power of 2. Subtracting the powers is exact, so the sum of the
/// halves is rounded once.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn i64_to_f64(x: i64) -> f64 {
    // 2^84, plus 2^31 in units of 2^32, so that the upper half becomes unsigned.
    const UPPER: u64 = 0x4530_0000_8000_0000;
    // 2^52.
    const LOWER: u64 = 0x4330_0000_0000_0000;
    // 2^84 + 2^63 + 2^52.
    const POWERS: f64 = f64::from_bits(0x4530_0000_8010_0000);
    let bits = x.cast_unsigned();
    let upper = f64::from_bits((bits >> 32) ^ UPPER);
    let lower = f64::from_bits((bits & 0xFFFF_FFFF) | LOWER);
    (upper - POWERS) + lower
}

/// Converts single elements to another element type.
///
/// Integers wrap. Floats are rounded once to nearest even; to an integer they are truncated and saturate, and
/// NaN becomes 0. Every value other than 0 becomes `true`. Complex to real drops the imaginary part. Overflow
/// of `f8e4m3fn` gives NaN.
///
/// ```
/// use promote::{Cast, half::f16};
///
/// let x: u8 = 300.7_f32.cast();
/// assert_eq!(x, 255);
/// let x: i8 = 300_i32.cast();
/// assert_eq!(x, 44);
/// let x: f16 = 1e6_f64.cast();
/// assert_eq!(x, f16::INFINITY);
/// let x: bool = f64::NAN.cast();
/// assert!(x);
/// ```
pub trait Cast<C: Element>: ConvertTo<C> {
    /// Converts the value, rounding once.
    #[inline]
    fn cast(self) -> C {
        self.cast_with::<Nan>()
    }

    /// Converts the value, rounding once. `W` decides what overflow of `f8e4m3fn` gives.
    #[doc(hidden)]
    #[inline]
    fn cast_with<W: Overflow>(self) -> C {
        C::from_repr(C::store::<Scalar, W>(Scalar, <Self as ConvertTo<C>>::widen(Scalar, self.to_repr())))
    }
}

impl<A: ConvertTo<C>, C: Element> Cast<C> for A {}

macro_rules! convert_all {
    ({} $($kind:ident [$($ty:ident)*])*) => {
        /// A register form that converts to the register forms of all standard dtypes.
        pub trait ConvertAll: Register $($(+ Convert<types::$ty>)*)* {}

        impl<T> ConvertAll for T where T: Register $($(+ Convert<types::$ty>)*)* {}
    };
}

promote_core::__register_dtypes! { convert_all {} }

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::i64_to_f64;

    /// Bits are compared, so that -0 is not 0.
    fn assert_like_as(x: i64) {
        assert_eq!(i64_to_f64(x).to_bits(), (x as f64).to_bits(), "{x}");
    }

    #[test]
    fn i64_becomes_f64_as_the_instruction_has_it() {
        for bit in 0..64 {
            for near in -3..=3 {
                let x = (1_i64 << bit).wrapping_add(near);
                assert_like_as(x);
                assert_like_as(x.wrapping_neg());
                // Half a unit in the last place, and a little more and less.
                assert_like_as(x.wrapping_add((1_i64 << bit) >> 53));
                assert_like_as(x.wrapping_add((1_i64 << bit) >> 54));
            }
        }
        let mut x = 1_i64;
        for shift in (0..64).cycle().take(if cfg!(miri) { 1000 } else { 1_000_000 }) {
            x = x.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            assert_like_as(x >> shift);
        }
    }
}
