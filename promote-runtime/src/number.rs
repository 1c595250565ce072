//! Numbers without a width as types: `Weak<T>`.

use crate::__private::types;

/// A number without a width, or a weakly typed result. It has a value of type `T`, and yields to the dtypes
/// of other operands as the rule set says.
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

/// A Rust type whose values [`weak`] turns into numbers without a width.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that `weak` takes",
    label = "`weak` takes `bool`, integers that fit `i64`, `f32`, `f64`, and complex numbers of these",
    note = "convert it first: `weak(x as i64)`"
)]
pub trait WeakNumber {
    /// The type of the number's kind: `bool`, `i64`, `f64` or `Complex<f64>`.
    type Kind: crate::Element;

    /// Converts the number to the type of its kind, without loss.
    fn number(self) -> Self::Kind;
}

macro_rules! kinds {
    ({} bool $bool:tt integer $integers:tt float $floats:tt complex [$($complex:ident)*]) => {
        kinds! { @of bool $bool }
        kinds! { @of i64 $integers }
        kinds! { @of f64 $floats }
        $(impl WeakNumber for types::$complex {
            type Kind = types::c128;

            #[inline]
            fn number(self) -> types::c128 {
                types::c128 { re: self.re.into(), im: self.im.into() }
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

/// Returns a number without a width, such as a literal in Python. The rule set decides which dtype it takes
/// beside another operand.
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

#[cfg(test)]
mod tests {
    use crate::{Cast, DType, Number};

    #[test]
    fn number_fits_if_its_conversion_is_finite() {
        use half::{bf16, f16};
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
