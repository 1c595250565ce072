//! The ops that give a bool, on every kind of number.

use core::cmp::Ordering;

use num_complex::Complex;

use super::{
    Binary, Equal, Greater, GreaterEqual, Isfinite, Isinf, Isnan, KernelType, Less, LessEqual, LogicalAnd,
    LogicalNot, LogicalOr, LogicalXor, NotEqual, Unary,
};
use crate::level::Lanes;

/// The comparisons of a form whose numbers stand in one order.
macro_rules! comparisons {
    ($ty:ident; $($op:ident $sign:tt)*) => {$(
        impl<const SEMANTICS: u16> Binary<$ty> for $op<SEMANTICS> {
            type Out = bool;

            #[inline]
            fn compares(order: Ordering) -> Option<bool> {
                Self::OP.compares(order)
            }

            #[inline(always)]
            fn apply<L: Lanes>(_: L, a: $ty, b: $ty) -> bool {
                a $sign b
            }
        }
    )*};
}

/// What integers and reals have in common; each with its zero.
macro_rules! ordered {
    ({} bool $bool:tt integer [$($integer:ident)*] float [$($float:ident)*] complex $complex:tt) => {
        ordered! { $($integer 0)* $($float 0.0)* }
    };
    ($($ty:ident $zero:literal)*) => {$(
        comparisons! { $ty; Equal == NotEqual != Less < LessEqual <= Greater > GreaterEqual >= }
        rows! { $ty => bool;
            LogicalAnd |a, b| (a != $zero) & (b != $zero);
            LogicalOr |a, b| (a != $zero) | (b != $zero);
            LogicalXor |a, b| (a != $zero) ^ (b != $zero);
        }
        unary_rows! { $ty => bool;
            LogicalNot |a| a == $zero;
        }
    )*};
}

promote_core::__register_dtypes! { ordered {} }

/// What is never infinite and no NaN.
macro_rules! always_finite {
    ({} bool [$($bool:ident)*] integer [$($integer:ident)*] float $float:tt complex $complex:tt) => {
        always_finite! { $($bool)* $($integer)* }
    };
    ($($ty:ident)*) => {$(
        unary_rows! { $ty => bool;
            Isnan |_a| false;
            Isinf |_a| false;
            Isfinite |_a| true;
        }
    )*};
}

promote_core::__register_dtypes! { always_finite {} }

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

unary_rows! { bool => bool;
    LogicalNot |a| !a;
}

macro_rules! reals {
    ($($ty:ident)*) => {$(
        unary_rows! { $ty => bool;
            Isnan |a| a != a;
            Isinf |a| a.abs() == $ty::INFINITY;
            Isfinite |a| a.abs() < $ty::INFINITY;
        }

        rows! { Complex<$ty> => bool;
            Equal |a, b| equal(a, b);
            NotEqual |a, b| !equal(a, b);
            // By the real part, then by the imaginary one; with NaN in either nothing is less, greater or
            // equal.
            Less |a, b| ((a.re < b.re) & parts(a, b)) | ((a.re == b.re) & (a.im < b.im));
            LessEqual |a, b| ((a.re < b.re) & parts(a, b)) | ((a.re == b.re) & (a.im <= b.im));
            Greater |a, b| ((b.re < a.re) & parts(a, b)) | ((b.re == a.re) & (b.im < a.im));
            GreaterEqual |a, b| ((b.re < a.re) & parts(a, b)) | ((b.re == a.re) & (b.im <= a.im));
            LogicalAnd |a, b| truth(a) & truth(b);
            LogicalOr |a, b| truth(a) | truth(b);
            LogicalXor |a, b| truth(a) ^ truth(b);
        }
        unary_rows! { Complex<$ty> => bool;
            LogicalNot |a| !truth(a);
            Isnan |a| (a.re != a.re) | (a.im != a.im);
            Isinf |a| (a.re.abs() == $ty::INFINITY) | (a.im.abs() == $ty::INFINITY);
            Isfinite |a| (a.re.abs() < $ty::INFINITY) & (a.im.abs() < $ty::INFINITY);
        }
    )*};
}

reals! { f32 f64 }

/// Whether the parts are equal, of which NaN is equal to nothing.
///
/// That neither number has a NaN is asked too, though it says nothing new. Of the two comparisons alone, of
/// two numbers of one type, LLVM makes one in the order of memory, and where there are no masks it then takes
/// the bools apart one by one: that took four times as long in c64. It does so unless each part is needed for
/// something else. Pairs of two types, of which it does not, take half as long again.
#[inline(always)]
fn equal<T: Copy + PartialOrd>(a: Complex<T>, b: Complex<T>) -> bool {
    let no_nan = |z: Complex<T>| (z.re <= z.im) | (z.re > z.im);
    (a.re == b.re) & (a.im == b.im) & no_nan(a) & no_nan(b)
}

/// Whether neither imaginary part is NaN.
#[inline(always)]
fn parts<T: Copy + PartialEq>(a: Complex<T>, b: Complex<T>) -> bool {
    (a.im == a.im) & (b.im == b.im)
}

/// Whether a complex number is not zero.
#[inline(always)]
fn truth<T: Copy + PartialEq + Default>(a: Complex<T>) -> bool {
    (a.re != T::default()) | (a.im != T::default())
}
