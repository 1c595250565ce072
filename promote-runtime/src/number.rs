//! Types of operands other than elements: numbers without a width, and zero-dimensional arrays.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only if all of it is inlined")]

use core::mem::MaybeUninit;

use num_complex::Complex;

use crate::convert::{Cast, Overflow};
use crate::element::{self, Element};
use crate::level::Lanes;
use crate::{DType, Number, types};

/// A number without a width, or a weakly typed result, with a value of type `T`. It yields to the dtypes of
/// other operands as the rule set says.
///
/// [`weak`] makes the four types of numbers, `Weak<bool>`, `Weak<i64>`, `Weak<f64>` and `Weak<Complex<f64>>`,
/// which correspond to Python's `bool`, `int`, `float` and `complex`. A result may be weak as well: under
/// JAX's rules `u64` and `i8` promote to `Weak<f64>`.
///
/// ```
/// use promote::{Promoted, Torch, Weak, weak};
///
/// let scaled: Promoted<f32, Weak<f64>> = Torch::multiply(1.5_f32, weak(2.0));
/// assert_eq!(scaled, 3.0_f32); // the number does not widen the `f32`
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Weak<T>(pub T);

/// A zero-dimensional array of `T`, as an operand of promotion. Under PyTorch's rules it yields to an array
/// with axes, and a number without a width yields to it.
///
/// If the other operand has axes, the result is a plain type, as for arrays. Two zero-dimensional arrays, or
/// one and a number, give a `ZeroDim`. `ZeroDim` is not an element: calls take a typed scalar as
/// [`Argument::ZeroDim`](crate::Argument::ZeroDim).
///
/// ```
/// use promote::{Promoted, Torch, Weak, ZeroDim};
///
/// let kept: Promoted<f32, ZeroDim<f64>> = 1.0_f32;
/// let higher: Promoted<i32, ZeroDim<f64>> = 1.0_f64;
/// let both: Promoted<ZeroDim<f32>, ZeroDim<f64>> = ZeroDim(1.0_f64);
/// let number: Promoted<ZeroDim<i32>, Weak<f64>> = ZeroDim(1.0_f32);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct ZeroDim<T>(pub T);

/// A Rust type whose values [`weak`] turns into numbers without a width.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that `weak` takes",
    label = "`weak` takes `bool`, integers that fit `i64`, `f32`, `f64`, and complex numbers of these",
    note = "convert it first: `weak(x as i64)`"
)]
pub trait WeakNumber {
    /// The type of the number's kind: `bool`, `i64`, `f64` or `Complex<f64>`.
    type Kind: Element;

    /// Converts the number to the type of its kind, without loss.
    fn number(self) -> Self::Kind;
}

macro_rules! kinds {
    ({} bool $bool:tt integer $integers:tt float $floats:tt complex $complex:tt) => {
        kinds! { @of bool $bool }
        kinds! { @of i64 $integers }
        kinds! { @of f64 $floats }
        kinds! { @complex $floats }
    };
    (@complex [$($float:ident)*]) => {
        // The names of the complex dtypes are aliases in a hidden module, which documentation would print.
        $(impl WeakNumber for Complex<$float> {
            type Kind = Complex<f64>;

            #[inline]
            fn number(self) -> Complex<f64> {
                Complex { re: self.re.into(), im: self.im.into() }
            }
        })*
    };
    (@of $kind:ident [$($ty:ident)*]) => {
        $(kinds! { @one $kind $ty })*
    };
    // Its upper half is beyond `i64`.
    (@one i64 u64) => {};
    (@one $kind:ident $ty:ident) => {
        impl WeakNumber for $ty {
            type Kind = $kind;

            #[inline]
            fn number(self) -> $kind {
                self.into()
            }
        }
    };
}

promote_core::__register_dtypes! { kinds {} }

/// Returns a number without a width, such as a literal in Python. The other operand and the rule set decide
/// its dtype.
///
/// ```
/// use promote::{Weak, weak};
///
/// assert_eq!(weak(2), Weak(2_i64));
/// assert_eq!(weak(2.5_f32), Weak(2.5_f64));
/// ```
#[inline]
pub fn weak<T: WeakNumber>(number: T) -> Weak<T::Kind> {
    Weak(number.number())
}

macro_rules! weak {
    (
        {}
        typed [
            bool [$($bool:ident $bool_ty:ident $bool_row:tt)*]
            integer [$($integer:ident $integer_ty:ident $integer_row:tt)*]
            narrow_float [$($narrow_float:ident $narrow_float_ty:ident $narrow_float_row:tt)*]
            float [$($float:ident $float_ty:ident $float_row:tt)*]
            narrow_complex [$($narrow_complex:ident $narrow_complex_ty:ident $narrow_complex_row:tt)*]
            complex [$($complex:ident $complex_ty:ident $complex_row:tt)*]
        ]
        untyped $untyped:tt
    ) => {
        // Documentation prints the aliases in `types` of complex dtypes, and the types behind private ones.
        weak! {
            $(types::$bool_ty, |x| Number::Bool(x);)*
            $(types::$integer_ty, |x| Number::Int(x.into());)*
            $(types::$narrow_float_ty, |x| Number::Float(x.cast());)*
            $(types::$float_ty, |x| Number::Float(x.into());)*
            $(element::$narrow_complex, |x| complex(x.cast());)*
            $(element::$complex, |x| complex(x.cast());)*
        }
    };
    ($($ty:ty, |$x:ident| $number:expr;)*) => {$(
        // SAFETY: `Weak` is transparent over the type, and everything else is that of the type.
        unsafe impl Element for Weak<$ty> {
            const DTYPE: DType = <$ty as Element>::DTYPE;
            type Repr = <$ty as Element>::Repr;
            type Reg = <$ty as Element>::Reg;
            type Itself = Self;
            const NARROW: bool = <$ty as Element>::NARROW;
            const WEAK: bool = true;
            const STORE_IN_BLOCKS: bool = <$ty as Element>::STORE_IN_BLOCKS;

            #[inline(always)]
            fn from_repr(repr: Self::Repr) -> Self {
                Weak(<$ty as Element>::from_repr(repr))
            }

            #[inline(always)]
            fn to_repr(self) -> Self::Repr {
                self.0.to_repr()
            }

            #[inline]
            fn number(self) -> Option<Number> {
                let $x = self.0;
                Some($number)
            }

            #[inline(always)]
            fn load<L: Lanes>(lanes: L, repr: Self::Repr) -> Self::Reg {
                <$ty as Element>::load(lanes, repr)
            }

            #[inline(always)]
            fn store<L: Lanes, W: Overflow>(lanes: L, reg: Self::Reg) -> Self::Repr {
                <$ty as Element>::store::<L, W>(lanes, reg)
            }

            #[inline(always)]
            fn quantise<W: Overflow>(reg: Self::Reg) -> Self::Reg {
                <$ty as Element>::quantise::<W>(reg)
            }

            #[inline(always)]
            fn store_block<L: Lanes, W: Overflow>(lanes: L, regs: &[Self::Reg], out: &mut [MaybeUninit<Self::Repr>]) {
                <$ty as Element>::store_block::<L, W>(lanes, regs, out);
            }
        }
    )*};
}

promote_core::__dtypes! { weak {} }

fn complex(x: Complex<f64>) -> Number {
    Number::Complex(x.re, x.im)
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::Weak;
    use crate::{Cast, DType, Element, Number};

    #[test]
    fn weak_elements_of_every_width_are_numbers() {
        fn of<T>(value: T) -> Option<Number>
        where
            Weak<T>: Element,
        {
            Weak(value).number()
        }
        assert_eq!(of(true), Some(Number::Bool(true)));
        assert_eq!(of(u64::MAX), Some(Number::Int(u64::MAX.into())));
        for found in [of(f16::from_f32(1.5)), of(bf16::from_f32(1.5)), of(1.5_f32), of(1.5_f64)] {
            assert_eq!(found, Some(Number::Float(1.5)));
        }
        for found in [of(float8::F8E4M3::from_f32(1.5)), of(float8::F8E5M2::from_f32(1.5))] {
            assert_eq!(found, Some(Number::Float(1.5)));
        }
        let halves = num_complex::Complex::new(f16::from_f32(1.5), f16::from_f32(-2.0));
        assert_eq!(of(halves), Some(Number::Complex(1.5, -2.0)));
    }

    #[test]
    fn number_fits_if_its_conversion_is_finite() {
        for bits in (0..=u16::MAX).step_by(7) {
            let x = f64::from(f32::from_bits(u32::from(bits) << 16));
            if x.is_finite() {
                let half: f16 = x.cast();
                assert_eq!(Number::Float(x).fits(DType::F16), half.is_finite(), "{x}");
                let brain: bf16 = x.cast();
                assert_eq!(Number::Float(x).fits(DType::BF16), brain.is_finite(), "{x}");
            }
        }
    }
}
