//! Conversions between elements: every standard dtype to every other one.
//!
//! - integer to integer wraps; to a float it rounds to nearest even, `f16`, bf16 and f8 by way of `f32`;
//! - float to float rounds once, to nearest even: `f64` to a format below `f32` goes by way of an `f32` that
//!   is rounded to odd;
//! - float to integer truncates and saturates, NaN gives 0;
//! - to `bool`: whether it differs from zero (so NaN is true); from `bool`: 0 or 1;
//! - real to complex: the imaginary part is +0; complex to real drops the imaginary part.
//!
//! All of it is free of branches, so that a loop over it becomes vector code.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

pub(crate) mod half;
mod int;
pub(crate) mod narrow;

#[cfg(all(target_arch = "x86_64", not(miri)))]
use core::mem::transmute_copy;

use num_complex::Complex;

use self::int::{Instruction, Truncate};
pub use self::narrow::{Nan, Overflow, Saturate};
use crate::element::{Element, Register};
use crate::level::{Lanes, Scalar};

/// Conversion between register forms.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not cast to `{T}`",
    label = "this casts `{Self}` to `{T}`",
    note = "standard dtypes are cast to one another; a type with `#[derive(Element)]` says from which others it is cast: \
            `#[element(from({Self}))]` on `{T}`, with `impl From<{Self}> for {T}`"
)]
pub trait Convert<T> {
    /// Converts. `odd` asks that `f64` to `f32` rounds to odd, since the result will be rounded again.
    fn convert(self, odd: bool) -> T;

    /// Converts a float to an integer as an x86-64 processor does it: what it cannot hold is the least `i32`
    /// or `i64`; an integer below 32 bits has the low bits of an `i32`, or, `clamped`, is the nearest to it.
    /// All else is as ever.
    #[inline(always)]
    fn convert_by_instruction(self, _clamped: bool) -> T
    where
        Self: Sized,
    {
        self.convert(false)
    }
}

macro_rules! from_int {
    ($($from:ident)*) => {$(
        impl Convert<bool> for $from {
            #[inline(always)]
            fn convert(self, _: bool) -> bool {
                self != 0
            }
        }
        from_int!(@numbers $from: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);
        from_real!($from);
    )*};
    (@numbers $from:ident: $($to:ident)*) => {$(
        impl Convert<$to> for $from {
            #[inline(always)]
            fn convert(self, _: bool) -> $to {
                self as $to
            }
        }
    )*};
}

macro_rules! from_real {
    ($from:ident) => {
        from_real!($from, f32);
        from_real!($from, f64);
    };
    ($from:ident, $part:ident) => {
        impl Convert<Complex<$part>> for $from {
            #[inline(always)]
            fn convert(self, odd: bool) -> Complex<$part> {
                Complex { re: self.convert(odd), im: 0.0 }
            }
        }
    };
}

macro_rules! from_bool {
    ($($to:ident)*) => {$(
        impl Convert<$to> for bool {
            #[inline(always)]
            fn convert(self, _: bool) -> $to {
                self as u8 as $to
            }
        }
    )*};
}

/// A float is chosen and not converted: a mask of the lanes that are true is there already, and the integer
/// would be made of it first.
macro_rules! float_from_bool {
    ($($to:ident)*) => {$(
        impl Convert<$to> for bool {
            #[inline(always)]
            fn convert(self, _: bool) -> $to {
                if self { 1.0 } else { 0.0 }
            }
        }
    )*};
}

macro_rules! from_float {
    ($from:ident: $($to:ident)*) => {
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
        from_real!($from);
    };
}

macro_rules! from_complex {
    ($part:ident: $($to:ident)*) => {
        impl Convert<bool> for Complex<$part> {
            #[inline(always)]
            fn convert(self, _: bool) -> bool {
                (self.re != 0.0) | (self.im != 0.0)
            }
        }
        $(impl Convert<$to> for Complex<$part> {
            #[inline(always)]
            fn convert(self, odd: bool) -> $to {
                self.re.convert(odd)
            }

            #[inline(always)]
            fn convert_by_instruction(self, clamped: bool) -> $to {
                self.re.convert_by_instruction(clamped)
            }
        })*
        from_complex!(@complex $part f32);
        from_complex!(@complex $part f64);
    };
    (@complex $part:ident $to:ident) => {
        impl Convert<Complex<$to>> for Complex<$part> {
            #[inline(always)]
            fn convert(self, odd: bool) -> Complex<$to> {
                Complex { re: self.re.convert(odd), im: self.im.convert(odd) }
            }
        }
    };
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

from_int!(u8 u16 u32 u64 i8 i16 i32 i64);
from_bool!(u8 u16 u32 u64 i8 i16 i32 i64);
float_from_bool!(f32 f64);
from_real!(bool);
from_float!(f32: u8 u16 u32 u64 i8 i16 i32 i64);
from_float!(f64: u8 u16 u32 u64 i8 i16 i32 i64);
from_complex!(f32: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);
from_complex!(f64: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);

/// Conversion of an element, as it lies in memory, to a value of `C` in the register form of `C`.
pub trait ConvertTo<C: Element>: Element {
    /// Loads, and converts without the last rounding: what the result's own store or [`Element::quantise`]
    /// rounds.
    fn widen<L: Lanes>(lanes: L, repr: Self::Repr) -> C::Reg;

    /// Loads and converts; the result is a value of `C`, rounded once.
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
        if const { L::F16C && is_integer_of_bool(A::DTYPE, C::DTYPE) } {
            // SAFETY: a memory form has the size of the dtype, here a byte, and is initialised.
            let byte = unsafe { transmute_copy::<A::Repr, u8>(&repr) };
            // SAFETY: that of `C` has at most as many bytes, and every bit pattern of an integer's is valid.
            // The machine has the least ones first.
            return C::load(lanes, unsafe { transmute_copy::<u64, C::Repr>(&truth(byte).into()) });
        }
        Convert::convert(A::load(lanes, repr), C::NARROW)
    }

    #[inline(always)]
    fn convert_to<L: Lanes, W: Overflow>(lanes: L, repr: Self::Repr) -> C::Reg {
        let wide = <A as ConvertTo<C>>::widen(lanes, repr);
        // Where the narrow format holds every value, rounding can be left out.
        if const { C::NARROW && !C::DTYPE.holds(A::DTYPE) } { C::quantise::<W>(wide) } else { wide }
    }
}

/// Whether a conversion is of a bool to an integer.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const fn is_integer_of_bool(from: crate::DType, to: crate::DType) -> bool {
    use crate::DType as D;
    matches!((from, to), (D::Bool, D::U8 | D::U16 | D::U32 | D::U64 | D::I8 | D::I16 | D::I32 | D::I64))
}

/// 0 of a byte of 0, else 1.
///
/// That is the lesser of the byte and 1, one instruction of every level; but LLVM takes the lesser of
/// anything and 1 for a comparison, which is three where vectors are masked. So it is not told what the 1 is:
/// in loops of the SIMD levels, for elsewhere it is then told less than it could use.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn truth(byte: u8) -> u8 {
    let mut one = 1_u8;
    // SAFETY: a comment, and no instruction: the 1 stays one, and nothing else is read or written, as the
    // options say. Pure, it stands before a loop and not in it.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg_byte) one, options(pure, nomem, nostack, preserves_flags));
    }
    byte.min(one)
}

/// Conversion of one element to another, on its own.
///
/// Overflow of f8e4m3fn gives NaN; [`Cast::cast_with`] lets it saturate.
///
/// ```
/// use promote_runtime::Cast;
/// let x: u8 = 300.7_f32.cast();
/// assert_eq!(x, 255);
/// let y: f32 = true.cast();
/// assert_eq!(y, 1.0);
/// ```
pub trait Cast<C: Element>: ConvertTo<C> {
    /// Converts with one rounding.
    #[inline]
    fn cast(self) -> C {
        self.cast_with::<Nan>()
    }

    /// Converts with one rounding; `W` says what overflow of f8e4m3fn gives.
    #[inline]
    fn cast_with<W: Overflow>(self) -> C {
        C::from_repr(C::store::<Scalar, W>(Scalar, <Self as ConvertTo<C>>::widen(Scalar, self.to_repr())))
    }
}

impl<A: ConvertTo<C>, C: Element> Cast<C> for A {}

/// A register form that converts to every register form of the standard dtypes.
///
/// Implemented for all 13 of them by the blanket impl.
pub trait ConvertAll:
    Register
    + Convert<bool>
    + Convert<u8>
    + Convert<u16>
    + Convert<u32>
    + Convert<u64>
    + Convert<i8>
    + Convert<i16>
    + Convert<i32>
    + Convert<i64>
    + Convert<f32>
    + Convert<f64>
    + Convert<Complex<f32>>
    + Convert<Complex<f64>>
{
}

impl<T> ConvertAll for T where
    T: Register
        + Convert<bool>
        + Convert<u8>
        + Convert<u16>
        + Convert<u32>
        + Convert<u64>
        + Convert<i8>
        + Convert<i16>
        + Convert<i32>
        + Convert<i64>
        + Convert<f32>
        + Convert<f64>
        + Convert<Complex<f32>>
        + Convert<Complex<f64>>
{
}
