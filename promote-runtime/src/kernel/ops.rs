//! The ops with their semantics, as types: what a kernel computes for one lane.
//!
//! An op is one row of `codes!` and one impl of [`Binary`] for each register form it accepts. Integers
//! wrap; floats round to nearest even and are never fused; a type parameter `W` says what overflow of
//! f8e4m3fn gives, on the way in and on the way out.

#![allow(
    clippy::eq_op,
    clippy::float_cmp,
    clippy::needless_bitwise_bool,
    reason = "exact comparisons without branches are what is computed"
)]

use core::fmt;
use core::marker::PhantomData;

use num_complex::Complex;

use crate::DType;
use crate::convert::{Nan, Overflow};
use crate::element::Register;

/// An op together with its semantics: the first half of a kernel's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KernelOp {
    code: Code,
    saturate: bool,
}

/// An op with its semantics as a type.
pub trait KernelType: 'static {
    /// The same as a value.
    const OP: KernelOp;
    /// What overflow of f8e4m3fn gives.
    type Overflow: Overflow;
}

/// What an op makes of two lanes of the register form `M`.
pub trait Binary<M>: KernelType {
    /// The register form of the result: `M`, or `bool` for a comparison.
    type Out: Register;

    /// Computes one lane.
    fn apply(a: M, b: M) -> Self::Out;
}

macro_rules! codes {
    ($($variant:ident $constant:ident $name:literal $commutes:literal;)*) => {
        /// The closed list of what kernels compute.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        enum Code { $($variant),* }

        impl KernelOp {
            $(
                #[doc = concat!("`", $name, "`")]
                pub const $constant: KernelOp = KernelOp { code: Code::$variant, saturate: false };
            )*

            /// Every kernel op whose f8e4m3fn overflows to NaN; [`KernelOp::saturating`] gives the others.
            pub const ALL: &'static [KernelOp] = &[$(KernelOp::$constant),*];

            /// How many there are, the saturating ones included: one more than the greatest index.
            pub const COUNT: usize = 2 * KernelOp::ALL.len();

            /// The op of [`KernelOp::ALL`] whose [`KernelOp::name`] this is.
            ///
            /// ```
            /// # use promote_runtime::kernel::KernelOp;
            /// assert_eq!(KernelOp::from_name("less_equal"), Some(KernelOp::LESS_EQUAL));
            /// assert_eq!(KernelOp::from_name("<="), None);
            /// ```
            pub fn from_name(name: &str) -> Option<KernelOp> {
                KernelOp::ALL.iter().copied().find(|op| op.name() == name)
            }

            /// The name of the op, without the word for overflow.
            pub const fn name(self) -> &'static str {
                match self.code {
                    $(Code::$variant => $name,)*
                }
            }

            /// Whether the operands may be swapped.
            #[inline]
            pub const fn commutes(self) -> bool {
                match self.code {
                    $(Code::$variant => $commutes,)*
                }
            }
        }

        $(
            #[doc = concat!("`", $name, "`")]
            #[derive(Clone, Copy, Debug)]
            pub struct $variant<W = Nan>(PhantomData<W>);

            impl<W: Overflow> KernelType for $variant<W> {
                const OP: KernelOp = KernelOp { code: Code::$variant, saturate: W::SATURATE };
                type Overflow = W;
            }
        )*
    };
}

codes! {
    Add ADD "add" true;
    Subtract SUBTRACT "subtract" false;
    Multiply MULTIPLY "multiply" true;
    Divide DIVIDE "divide" false;
    Equal EQUAL "equal" true;
    NotEqual NOT_EQUAL "not_equal" true;
    Less LESS "less" false;
    LessEqual LESS_EQUAL "less_equal" false;
    Greater GREATER "greater" false;
    GreaterEqual GREATER_EQUAL "greater_equal" false;
    Maximum MAXIMUM "maximum" true;
    Minimum MINIMUM "minimum" true;
}

impl KernelOp {
    /// The position in a table of [`KernelOp::COUNT`] places.
    #[inline]
    pub const fn index(self) -> usize {
        2 * self.code as usize + self.saturate as usize
    }

    /// The same op where overflow of f8e4m3fn gives the greatest finite value.
    #[must_use]
    pub const fn saturating(self) -> KernelOp {
        KernelOp { saturate: true, ..self }
    }

    /// The same op where overflow of f8e4m3fn gives NaN.
    #[must_use]
    pub const fn overflowing(self) -> KernelOp {
        KernelOp { saturate: false, ..self }
    }

    /// The same op without the word for overflow, where neither dtype is f8e4m3fn: its kernels are then shared.
    #[must_use]
    #[inline]
    pub const fn for_dtypes(self, common: DType, output: DType) -> KernelOp {
        if matches!(common, DType::F8E4M3FN) || matches!(output, DType::F8E4M3FN) {
            self
        } else {
            self.overflowing()
        }
    }

    /// Whether overflow of f8e4m3fn gives the greatest finite value.
    #[inline]
    pub const fn saturates(self) -> bool {
        self.saturate
    }

    /// The op that gives the same with its operands swapped and has kernels where this one has none:
    /// `greater` is `less`, `greater_equal` is `less_equal`.
    #[inline]
    pub const fn mirrored(self) -> Option<KernelOp> {
        let code = match self.code {
            Code::Greater => Code::Less,
            Code::GreaterEqual => Code::LessEqual,
            _ => return None,
        };
        Some(KernelOp { code, ..self })
    }
}

impl KernelOp {
    /// The register form of the result, for operands of the register form `compute`.
    pub const fn result(self, compute: DType) -> DType {
        match self.code {
            Code::Add | Code::Subtract | Code::Multiply | Code::Divide | Code::Maximum | Code::Minimum => {
                compute
            }
            Code::Equal
            | Code::NotEqual
            | Code::Less
            | Code::LessEqual
            | Code::Greater
            | Code::GreaterEqual => DType::Bool,
        }
    }
}

impl fmt::Display for KernelOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if self.saturate { f.write_str(".saturate") } else { Ok(()) }
    }
}

/// Rows `Op: types => out = |a, b| body`, for each of the types.
macro_rules! lanes {
    ($($op:ident: $($ty:ty)* => $out:tt |$a:ident, $b:ident| $body:expr;)*) => {$(
        lanes!(@each $op $out $a $b $body, $($ty)*);
    )*};
    (@each $op:ident $out:tt $a:ident $b:ident $body:expr, $($ty:ty)*) => {$(
        impl<W: Overflow> Binary<$ty> for $op<W> {
            type Out = lanes!(@out $out $ty);

            #[inline(always)]
            fn apply($a: $ty, $b: $ty) -> Self::Out {
                $body
            }
        }
    )*};
    (@out same $ty:ty) => { $ty };
    (@out bool $ty:ty) => { bool };
}

lanes! {
    Add: u8 u16 u32 u64 i8 i16 i32 i64 => same |a, b| a.wrapping_add(b);
    Subtract: u8 u16 u32 u64 i8 i16 i32 i64 => same |a, b| a.wrapping_sub(b);
    Multiply: u8 u16 u32 u64 i8 i16 i32 i64 => same |a, b| a.wrapping_mul(b);
    Maximum: u8 u16 u32 u64 i8 i16 i32 i64 => same |a, b| if a > b { a } else { b };
    Minimum: u8 u16 u32 u64 i8 i16 i32 i64 => same |a, b| if a < b { a } else { b };

    Add: bool => same |a, b| a | b;
    Multiply: bool => same |a, b| a & b;
    Maximum: bool => same |a, b| a | b;
    Minimum: bool => same |a, b| a & b;

    Add: f32 f64 Complex<f32> Complex<f64> => same |a, b| a + b;
    Subtract: f32 f64 Complex<f32> Complex<f64> => same |a, b| a - b;
    Multiply: f32 f64 => same |a, b| a * b;
    Multiply: Complex<f32> Complex<f64> => same |a, b| Complex {
        re: a.re * b.re - a.im * b.im,
        im: a.re * b.im + a.im * b.re,
    };
    Divide: f32 f64 => same |a, b| a / b;

    Equal: u8 u16 u32 u64 i8 i16 i32 i64 bool f32 f64 => bool |a, b| a == b;
    Equal: Complex<f32> Complex<f64> => bool |a, b| (a.re == b.re) & (a.im == b.im);
    NotEqual: u8 u16 u32 u64 i8 i16 i32 i64 bool f32 f64 => bool |a, b| a != b;
    NotEqual: Complex<f32> Complex<f64> => bool |a, b| (a.re != b.re) | (a.im != b.im);
    Less: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 => bool |a, b| a < b;
    Less: bool => bool |a, b| !a & b;
    LessEqual: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 => bool |a, b| a <= b;
    LessEqual: bool => bool |a, b| !a | b;
    Greater: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 => bool |a, b| a > b;
    Greater: bool => bool |a, b| a & !b;
    GreaterEqual: u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 => bool |a, b| a >= b;
    GreaterEqual: bool => bool |a, b| a | !b;
}

macro_rules! float_lanes {
    ($($ty:ident)*) => {$(
        /// A NaN of either side is the result; +0 is greater than -0, so that swapped operands give the same bits.
        impl<W: Overflow> Binary<$ty> for Maximum<W> {
            type Out = $ty;

            #[inline(always)]
            fn apply(a: $ty, b: $ty) -> $ty {
                let tie = $ty::from_bits(a.to_bits() & b.to_bits());
                let right = if a == b { tie } else { b };
                if (a > b) | a.is_nan() { a } else { right }
            }
        }

        /// A NaN of either side is the result; -0 is less than +0, so that swapped operands give the same bits.
        impl<W: Overflow> Binary<$ty> for Minimum<W> {
            type Out = $ty;

            #[inline(always)]
            fn apply(a: $ty, b: $ty) -> $ty {
                let tie = $ty::from_bits(a.to_bits() | b.to_bits());
                let right = if a == b { tie } else { b };
                if (a < b) | a.is_nan() { a } else { right }
            }
        }

        /// By the real part, then by the imaginary one; with NaN in either nothing is less, greater or equal.
        impl<W: Overflow> Binary<Complex<$ty>> for Less<W> {
            type Out = bool;

            #[inline(always)]
            fn apply(a: Complex<$ty>, b: Complex<$ty>) -> bool {
                let parts = (a.im == a.im) & (b.im == b.im);
                ((a.re < b.re) & parts) | ((a.re == b.re) & (a.im < b.im))
            }
        }

        /// As for `Less`.
        impl<W: Overflow> Binary<Complex<$ty>> for LessEqual<W> {
            type Out = bool;

            #[inline(always)]
            fn apply(a: Complex<$ty>, b: Complex<$ty>) -> bool {
                let parts = (a.im == a.im) & (b.im == b.im);
                ((a.re < b.re) & parts) | ((a.re == b.re) & (a.im <= b.im))
            }
        }

        /// As for `Less`.
        impl<W: Overflow> Binary<Complex<$ty>> for Greater<W> {
            type Out = bool;

            #[inline(always)]
            fn apply(a: Complex<$ty>, b: Complex<$ty>) -> bool {
                <Less<W> as Binary<Complex<$ty>>>::apply(b, a)
            }
        }

        /// As for `Less`.
        impl<W: Overflow> Binary<Complex<$ty>> for GreaterEqual<W> {
            type Out = bool;

            #[inline(always)]
            fn apply(a: Complex<$ty>, b: Complex<$ty>) -> bool {
                <LessEqual<W> as Binary<Complex<$ty>>>::apply(b, a)
            }
        }

        /// The greater by the real part, then by the imaginary one, +0 being greater than -0. Where a part of either is NaN, both
        /// parts of the result are.
        impl<W: Overflow> Binary<Complex<$ty>> for Maximum<W> {
            type Out = Complex<$ty>;

            #[inline(always)]
            fn apply(a: Complex<$ty>, b: Complex<$ty>) -> Complex<$ty> {
                let re = <Maximum<W> as Binary<$ty>>::apply(a.re, b.re);
                let im = <Maximum<W> as Binary<$ty>>::apply(a.im, b.im);
                extremum(a, b, Complex { re, im }, a.re > b.re)
            }
        }

        /// The lesser by the real part, then by the imaginary one, -0 being less than +0. Where a part of either is NaN, both
        /// parts of the result are.
        impl<W: Overflow> Binary<Complex<$ty>> for Minimum<W> {
            type Out = Complex<$ty>;

            #[inline(always)]
            fn apply(a: Complex<$ty>, b: Complex<$ty>) -> Complex<$ty> {
                let re = <Minimum<W> as Binary<$ty>>::apply(a.re, b.re);
                let im = <Minimum<W> as Binary<$ty>>::apply(a.im, b.im);
                extremum(a, b, Complex { re, im }, a.re < b.re)
            }
        }

        /// Smith's algorithm, with selects where it branches; by zero, both parts are divided by the zero.
        impl<W: Overflow> Binary<Complex<$ty>> for Divide<W> {
            type Out = Complex<$ty>;

            #[inline(always)]
            fn apply(a: Complex<$ty>, b: Complex<$ty>) -> Complex<$ty> {
                let by_real = b.re.abs() >= b.im.abs();
                let zero = (b.re == 0.0) & (b.im == 0.0);
                let (great, small) = if by_real { (b.re, b.im) } else { (b.im, b.re) };
                let ratio = small / great;
                let scale = 1.0 / (great + small * ratio);
                let (p, q) = if by_real { (a.re, a.im) } else { (a.im, a.re) };
                let re = (p + q * ratio) * scale;
                let im = if by_real { a.im - a.re * ratio } else { a.im * ratio - a.re } * scale;
                let by = b.re.abs();
                Complex { re: if zero { a.re / by } else { re }, im: if zero { a.im / by } else { im } }
            }
        }
    )*};
}

float_lanes!(f32 f64);

/// Of two complex numbers the one that `first` names, where their real parts differ; where they are equal, the parts of `both`,
/// which are the extrema of the parts. NaN anywhere is NaN in both parts.
#[inline(always)]
fn extremum<T: Float>(a: Complex<T>, b: Complex<T>, both: Complex<T>, first: bool) -> Complex<T> {
    let nan = (both.re != both.re) | (both.im != both.im);
    let one = if first { a } else { b };
    let ordered = if a.re == b.re { both } else { one };
    if nan { Complex { re: T::NAN, im: T::NAN } } else { ordered }
}

/// What [`extremum`] asks of a part.
trait Float: Copy + PartialEq {
    const NAN: Self;
}

impl Float for f32 {
    const NAN: f32 = f32::NAN;
}

impl Float for f64 {
    const NAN: f64 = f64::NAN;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_as_its_op_without_the_word_for_overflow() {
        for &op in KernelOp::ALL {
            assert_eq!(KernelOp::from_name(op.name()), Some(op));
            assert_eq!(KernelOp::from_name(op.saturating().name()), Some(op));
        }
        for name in ["", "Add", "add.saturate", "power"] {
            assert_eq!(KernelOp::from_name(name), None);
        }
    }
}
