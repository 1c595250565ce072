//! Comparisons and predicates, for every kind of number.

use core::cmp::Ordering;

use num_complex::Complex;

use super::{
    Equal, Greater, GreaterEqual, Isfinite, Isinf, Isnan, KernelType, Less, LessEqual, LogicalAnd,
    LogicalNot, LogicalOr, LogicalXor, NotEqual, OpLane, Signbit,
};
use crate::level::Lanes;
use crate::semantics::{NAN_GREATEST, SIGNED_LEFT, SIGNED_RIGHT};

/// Comparisons in register forms whose numbers are ordered: the result if NaN is unordered, and the result if
/// it is greater than all numbers. A number of which a bit says that it has a sign is negative if its highest
/// bit is set, and less than the other one then.
macro_rules! comparisons {
    ($ty:ident; $($op:ident |$a:ident, $b:ident| $unordered:expr, $greatest:expr;)*) => {$(
        impl<const SEMANTICS: u16> OpLane<$ty> for $op<SEMANTICS> {
            type Out = bool;

            #[inline]
            fn compares(order: Ordering) -> Option<bool> {
                Self::OP.compares(order)
            }

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, args: ($ty, $ty)) -> bool {
                Self::apply_with(lanes, SEMANTICS, args)
            }

            #[inline(always)]
            fn apply_with<L: Lanes>(_: L, semantics: u16, ($a, $b): ($ty, $ty)) -> bool {
                let mut found = if semantics & NAN_GREATEST == 0 { $unordered } else { $greatest };
                let signed = [(SIGNED_LEFT, $a, Ordering::Less), (SIGNED_RIGHT, $b, Ordering::Greater)];
                for (bit, number, order) in signed {
                    let is_negative = (semantics & bit != 0) & (number > $ty::MAX / (2 as $ty));
                    match Self::OP.compares(order) {
                        Some(true) => found |= is_negative,
                        _ => found &= !is_negative,
                    }
                }
                found
            }
        }
    )*};
}

/// Comparisons and predicates of integers and reals; each type is listed with its zero.
macro_rules! ordered {
    ({} bool $bool:tt integer [$($integer:ident)*] float [$($float:ident)*] complex $complex:tt) => {
        ordered! { $($integer 0)* $($float 0.0)* }
    };
    ($($ty:ident $zero:literal)*) => {$(
        comparisons! { $ty;
            Equal |a, b| a == b, (a == b) | ((a != a) & (b != b));
            NotEqual |a, b| a != b, (a != b) & ((a == a) | (b == b));
            Less |a, b| a < b, (a < b) | ((a == a) & (b != b));
            LessEqual |a, b| a <= b, (a <= b) | (b != b);
            Greater |a, b| a > b, (a > b) | ((a != a) & (b == b));
            GreaterEqual |a, b| a >= b, (a >= b) | (a != a);
        }
        rows! { $ty => bool;
            LogicalAnd |a, b| (a != $zero) & (b != $zero);
            LogicalOr |a, b| (a != $zero) | (b != $zero);
            LogicalXor |a, b| (a != $zero) ^ (b != $zero);
        }
        rows! { $ty => bool;
            LogicalNot |a| a == $zero;
        }
    )*};
}

promote_core::__register_dtypes! { ordered {} }

/// Predicates of types without infinity and NaN.
macro_rules! always_finite {
    ({} bool [$($bool:ident)*] integer [$($integer:ident)*] float $float:tt complex $complex:tt) => {
        always_finite! { $($bool)* $($integer)* }
    };
    ($($ty:ident)*) => {$(
        rows! { $ty => bool;
            Isnan |_a| false;
            Isinf |_a| false;
            Isfinite |_a| true;
        }
    )*};
}

promote_core::__register_dtypes! { always_finite {} }

macro_rules! below_zero {
    ({} bool $bool:tt integer [$($ty:ident)*] float $float:tt complex $complex:tt) => {$(
        rows! { $ty => bool;
            // Of unsigned integers it is false.
            Signbit |a| a < <$ty>::default();
        }
    )*};
}

promote_core::__register_dtypes! { below_zero {} }

rows! { bool => bool;
    Equal |a, b| a == b;
    NotEqual |a, b| a != b;
    Less |a, b| !a & b;
    LessEqual |a, b| !a | b;
    Greater |a, b| a & !b;
    GreaterEqual |a, b| a | !b;
    LogicalAnd |a, b| a & b;
    LogicalOr |a, b| a | b;
    LogicalXor |a, b| a ^ b;
}

rows! { bool => bool;
    LogicalNot |a| !a;
    Signbit |_a| false;
}

macro_rules! reals {
    ($($ty:ident)*) => {$(
        rows! { $ty => bool;
            Isnan |a| a != a;
            Isinf |a| a.abs() == $ty::INFINITY;
            Isfinite |a| a.abs() < $ty::INFINITY;
            Signbit |a| a.is_sign_negative();
        }

        rows! { Complex<$ty> => bool;
            Equal |a, b| equal(a, b);
            NotEqual |a, b| !equal(a, b);
            // Numbers are ordered by the real part, then by the imaginary part. A number with NaN is
            // unordered.
            Less |a, b| ((a.re < b.re) & parts(a, b)) | ((a.re == b.re) & (a.im < b.im));
            LessEqual |a, b| ((a.re < b.re) & parts(a, b)) | ((a.re == b.re) & (a.im <= b.im));
            Greater |a, b| ((b.re < a.re) & parts(a, b)) | ((b.re == a.re) & (b.im < a.im));
            GreaterEqual |a, b| ((b.re < a.re) & parts(a, b)) | ((b.re == a.re) & (b.im <= a.im));
            LogicalAnd |a, b| is_nonzero(a) & is_nonzero(b);
            LogicalOr |a, b| is_nonzero(a) | is_nonzero(b);
            LogicalXor |a, b| is_nonzero(a) ^ is_nonzero(b);
        }
        rows! { Complex<$ty> => bool;
            LogicalNot |a| !is_nonzero(a);
            Isnan |a| (a.re != a.re) | (a.im != a.im);
            Isinf |a| (a.re.abs() == $ty::INFINITY) | (a.im.abs() == $ty::INFINITY);
            Isfinite |a| (a.re.abs() < $ty::INFINITY) & (a.im.abs() < $ty::INFINITY);
        }
    )*};
}

reals! { f32 f64 }

/// Returns true if the parts are equal; NaN equals nothing.
///
/// The checks for NaN are redundant, but make the code faster. For two numbers of one type, LLVM merges the
/// two comparisons into one in memory order unless each part is needed elsewhere. Without mask registers it
/// then extracts the bools one by one, which took four times as long in c64. With the checks, pairs of two
/// types, which LLVM does not merge, take half as long again.
#[inline(always)]
fn equal<T: Copy + PartialOrd>(a: Complex<T>, b: Complex<T>) -> bool {
    let no_nan = |z: Complex<T>| (z.re <= z.im) | (z.re > z.im);
    (a.re == b.re) & (a.im == b.im) & no_nan(a) & no_nan(b)
}

/// Returns true if neither imaginary part is NaN.
#[inline(always)]
fn parts<T: Copy + PartialEq>(a: Complex<T>, b: Complex<T>) -> bool {
    (a.im == a.im) & (b.im == b.im)
}

/// Returns true if a complex number is not zero.
#[inline(always)]
fn is_nonzero<T: Copy + PartialEq + Default>(a: Complex<T>) -> bool {
    (a.re != T::default()) | (a.im != T::default())
}
