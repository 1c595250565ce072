//! Numbers without a width, as types.

/// A number without a width, made by [`weak`], or a weak result of one: of `T`, but it yields to other dtypes
/// as a rule set says.
///
/// The numbers that rule sets know are `Weak<bool>`, `Weak<i64>`, `Weak<f64>` and `Weak<Complex<f64>>`, as
/// Python's `bool`, `int`, `float` and `complex`. What comes of one may be weak too (JAX: `u64` and `i8` are
/// a `Weak<f64>`).
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Weak<T>(pub T);

/// A value that stands for a number without a width.
#[diagnostic::on_unimplemented(
    message = "`{Self}` stands for no number without a width",
    label = "there are such of `bool`, of integers that an `i64` holds, and of `f32`, `f64` and complex numbers of these",
    note = "convert it first, `weak(x as i64)`"
)]
pub trait WeakNumber {
    /// The type of its kind: `bool`, `i64`, `f64` or `Complex<f64>`.
    type Kind: crate::Element;

    /// The same number.
    fn number(self) -> Self::Kind;
}

macro_rules! kinds {
    ($($ty:ty => $kind:ty, |$x:ident| $value:expr;)*) => {$(
        impl WeakNumber for $ty {
            type Kind = $kind;

            #[inline]
            fn number(self) -> $kind {
                let $x = self;
                $value
            }
        }
    )*};
}

kinds! {
    bool => bool, |x| x;
    u8 => i64, |x| x.into();
    u16 => i64, |x| x.into();
    u32 => i64, |x| x.into();
    i8 => i64, |x| x.into();
    i16 => i64, |x| x.into();
    i32 => i64, |x| x.into();
    i64 => i64, |x| x;
    f32 => f64, |x| x.into();
    f64 => f64, |x| x;
    num_complex::Complex<f32> => num_complex::Complex<f64>, |x| num_complex::Complex { re: x.re.into(), im: x.im.into() };
    num_complex::Complex<f64> => num_complex::Complex<f64>, |x| x;
}

/// A number without a width, such as a literal of Python's: it takes the dtype that a rule set gives it
/// beside the other operand.
///
/// ```
/// use promote_runtime::{Weak, weak};
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
    fn what_is_held_is_what_a_conversion_leaves_finite() {
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
