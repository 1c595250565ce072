//! The numbers that the bodies of custom kernels compute with.
//!
//! A body is generic over its number type, with one of the bounds [`Arithmetic`], [`Ordered`] and
//! [`Floating`]. It is compiled for [`Num`], one lane of a kernel, in each dtype that the bound admits. Its
//! operations are those of the standard ops with the default semantics, under every rule set.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only if all of it is inlined")]

use core::fmt;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::convert::{Convert, ConvertTo, Overflow};
use crate::element::{Element, Register};
use crate::level::{Lanes, Scalar};
use crate::number::Weak;
use crate::ops::{self, KernelType, OpLane};

/// Numbers in the body of a `#[kernel]` that can be added, subtracted and multiplied: integers, floats and
/// complex numbers.
///
/// Integers wrap. Floats round to nearest even after each operation. The right operand may be a literal: `x *
/// 2.0` is `x * T::of(2.0)`.
///
/// ```
/// use promote::{Arithmetic, Torch, kernel};
///
/// /// `a * x + y`, for every dtype that can be multiplied.
/// #[kernel]
/// fn axpy<T: Arithmetic>(a: T, x: T, y: T) -> T {
///     a * x + y
/// }
/// assert_eq!(Torch::axpy(2_i8, 0.5_f32, 1_u8), 2.0_f32);
/// ```
#[diagnostic::on_unimplemented(
    message = "a kernel does not compute in `{Self}`",
    label = "make the kernel generic: `T: Arithmetic`, `T: Ordered` or `T: Floating`"
)]
pub trait Arithmetic:
    Copy
    + PartialEq
    + fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// Converts a literal to the nearest number. For integers it is truncated and saturates, and NaN becomes
    /// 0.
    fn of(x: f64) -> Self;

    /// Returns `a` if the condition is true, otherwise `b`. Both are computed, so that the loop becomes
    /// vector code.
    #[must_use]
    #[inline(always)]
    fn select(condition: bool, a: Self, b: Self) -> Self {
        core::hint::select_unpredictable(condition, a, b)
    }
}

macro_rules! ordered_trait {
    ({} ordered [$($(#[$doc:meta])* $name:ident $op:ident;)*] floating $floating:tt) => {
        /// Numbers in the body of a `#[kernel]` that can also be compared: integers and floats.
        #[diagnostic::on_unimplemented(
            message = "a kernel that compares does not compute in `{Self}`",
            label = "integers and floats have an order"
        )]
        pub trait Ordered: Arithmetic + PartialOrd {
            $($(#[$doc])* #[must_use] fn $name(self, other: Self) -> Self;)*
            /// Returns the magnitude. The least integer of a signed dtype wraps to itself.
            #[must_use]
            fn abs(self) -> Self;
            /// Returns -1, 0 or 1 by the sign, or NaN for NaN.
            #[must_use]
            fn sign(self) -> Self;
        }

        promote_core::__register_dtypes! { ordered { [$($name $op)*] } }
    };
}

/// One lane of a custom kernel in the register form `M`, computed with the instructions of the level `L`.
///
/// A number made by [`Arithmetic::of`] has no token of a level. Operations on such numbers alone use portable
/// code, and have equal bits except for NaN payloads.
#[derive(Clone, Copy)]
pub struct Num<L, M> {
    value: M,
    lanes: Option<L>,
}

impl<L: Lanes, M> Num<L, M> {
    /// Returns a lane with a value.
    #[inline(always)]
    pub fn new(lanes: L, value: M) -> Self {
        Num { value, lanes: Some(lanes) }
    }

    /// Returns the value.
    #[inline(always)]
    pub fn get(self) -> M {
        self.value
    }
}

impl<L, M: fmt::Debug> fmt::Debug for Num<L, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<L, M: PartialEq> PartialEq for Num<L, M> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<L, M: PartialOrd> PartialOrd for Num<L, M> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        self.value.partial_cmp(&other.value)
    }

    #[inline(always)]
    fn lt(&self, other: &Self) -> bool {
        self.value < other.value
    }

    #[inline(always)]
    fn le(&self, other: &Self) -> bool {
        self.value <= other.value
    }

    #[inline(always)]
    fn gt(&self, other: &Self) -> bool {
        self.value > other.value
    }

    #[inline(always)]
    fn ge(&self, other: &Self) -> bool {
        self.value >= other.value
    }
}

#[inline(always)]
fn unary<K: OpLane<M, (M,), Out = M>, L: Lanes, M>(a: Num<L, M>) -> Num<L, M> {
    let value = match a.lanes {
        Some(lanes) => K::apply(lanes, (a.value,)),
        None => K::apply(Scalar, (a.value,)),
    };
    Num { value, lanes: a.lanes }
}

#[inline(always)]
fn binary<K: OpLane<M, Out = M>, L: Lanes, M>(a: Num<L, M>, b: Num<L, M>) -> Num<L, M> {
    let lanes = a.lanes.or(b.lanes);
    let value = match lanes {
        Some(lanes) => K::apply(lanes, (a.value, b.value)),
        None => K::apply(Scalar, (a.value, b.value)),
    };
    Num { value, lanes }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl<L: Lanes, M> $trait for Num<L, M>
        where
            ops::$op<0>: OpLane<M, Out = M>,
        {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                binary::<ops::$op<0>, L, M>(self, other)
            }
        }

        impl<L: Lanes, M> $trait<f64> for Num<L, M>
        where
            ops::$op<0>: OpLane<M, Out = M>,
            f64: Convert<M>,
        {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: f64) -> Self {
                binary::<ops::$op<0>, L, M>(self, Num { value: other.convert(false), lanes: None })
            }
        }
    )*};
}

operators! { Add add Add; Sub sub Subtract; Mul mul Multiply; Div div Divide; }

impl<L: Lanes, M> Neg for Num<L, M>
where
    ops::Negative<0>: OpLane<M, (M,), Out = M>,
{
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        unary::<ops::Negative<0>, L, M>(self)
    }
}

#[doc(hidden)]
impl<L: Lanes, M: Register + PartialEq + fmt::Debug> Arithmetic for Num<L, M>
where
    ops::Add<0>: OpLane<M, Out = M>,
    ops::Subtract<0>: OpLane<M, Out = M>,
    ops::Multiply<0>: OpLane<M, Out = M>,
    ops::Negative<0>: OpLane<M, (M,), Out = M>,
    f64: Convert<M>,
{
    #[inline(always)]
    fn of(x: f64) -> Self {
        Num { value: x.convert(false), lanes: None }
    }
}

/// Implements a trait whose methods are ops, for lanes of each type.
macro_rules! methods {
    ($trait:ident [$($ty:ident)*] $unary:tt $binary:tt) => {
        $(methods! { @of $trait $ty $unary $binary })*
    };
    (@of $trait:ident $ty:ident [$($name:ident $op:ident)*] [$($name2:ident $op2:ident)*]) => {
        #[doc(hidden)]
        impl<L: Lanes> $trait for Num<L, $ty> {
            $(
                #[inline(always)]
                fn $name(self) -> Self {
                    unary::<ops::$op<0>, L, $ty>(self)
                }
            )*
            $(
                #[inline(always)]
                fn $name2(self, other: Self) -> Self {
                    binary::<ops::$op2<0>, L, $ty>(self, other)
                }
            )*
        }
    };
}

macro_rules! ordered {
    ({ $ops:tt } bool $bool:tt integer [$($integer:ident)*] float [$($float:ident)*] complex $complex:tt) => {
        methods! { Ordered [$($integer)* $($float)*] [abs Abs sign Sign] $ops }
    };
}

promote_core::__binary_methods! { ordered_trait {} }

macro_rules! floating {
    (
        { $($(#[$doc:meta])* $name:ident $op:ident;)* }
        ordered $ordered:tt
        floating [$($(#[$doc2:meta])* $name2:ident $op2:ident;)*]
    ) => {
        /// Floats in the body of a `#[kernel]`: numbers that can also be divided, with mathematical
        /// functions.
        ///
        /// Functions are within 1 unit in the last place of the exact result, and have the special values of
        /// C99 Annex F.
        ///
        /// ```
        /// use promote::{Floating, Torch, kernel};
        ///
        /// #[kernel]
        /// fn lisht<T: Floating>(x: T) -> T {
        ///     x * x.tanh()
        /// }
        /// assert_eq!(Torch::lisht(0.0_f32), 0.0);
        /// ```
        #[diagnostic::on_unimplemented(
            message = "a kernel of floats does not compute in `{Self}`",
            label = "only floats have division and mathematical functions here"
        )]
        pub trait Floating: Ordered + Div<Output = Self> + Div<f64, Output = Self> {
            $($(#[$doc])* #[must_use] fn $name(self) -> Self;)*
            $($(#[$doc2])* #[must_use] fn $name2(self, other: Self) -> Self;)*
        }

        promote_core::__register_dtypes! { floating { [$($name $op)*] [$($name2 $op2)*] } }
    };
    ({ $unary:tt $binary:tt } bool $bool:tt integer $integer:tt float $float:tt complex $complex:tt) => {
        methods! { Floating $float $unary $binary }
    };
}

promote_core::__binary_methods! {
    floating {
        /// Returns the square root, rounded once.
        sqrt Sqrt;
        /// Returns `1 / x`, rounded once.
        reciprocal Reciprocal;
        /// Returns `e^x`.
        exp Exp;
        /// Returns `e^x - 1`.
        expm1 Expm1;
        /// Returns `2^x`.
        exp2 Exp2;
        /// Returns the natural logarithm.
        log Log;
        /// Returns `log(1 + x)`.
        log1p Log1p;
        /// Returns the logarithm to the base 2.
        log2 Log2;
        /// Returns the logarithm to the base 10.
        log10 Log10;
        /// Returns the sine of `x` radians.
        sin Sin;
        /// Returns the cosine of `x` radians.
        cos Cos;
        /// Returns the tangent of `x` radians.
        tan Tan;
        /// Returns the inverse sine, in radians.
        asin Asin;
        /// Returns the inverse cosine, in radians.
        acos Acos;
        /// Returns the inverse tangent, in radians.
        atan Atan;
        /// Returns the hyperbolic sine.
        sinh Sinh;
        /// Returns the hyperbolic cosine.
        cosh Cosh;
        /// Returns the hyperbolic tangent.
        tanh Tanh;
        /// Returns the inverse hyperbolic sine.
        asinh Asinh;
        /// Returns the inverse hyperbolic cosine.
        acosh Acosh;
        /// Returns the inverse hyperbolic tangent.
        atanh Atanh;
        /// Returns `1 / (1 + e^-x)`.
        sigmoid Sigmoid;
        /// Rounds down to an integer.
        floor Floor;
        /// Rounds up to an integer.
        ceil Ceil;
        /// Rounds towards zero to an integer.
        trunc Trunc;
        /// Rounds to the nearest integer, ties to even.
        round Round;
    }
}

/// Calls a custom kernel on single elements. It computes in `M`, and rounds once to `O`.
#[doc(hidden)]
#[inline]
pub fn eval_scalars<K, M, O, Semantics, const N: usize>(inputs: [M; N]) -> O
where
    K: OpLane<M, [M; N], Out = M>,
    M: Register + Convert<O::Reg>,
    O: Element,
    Semantics: KernelType,
{
    crate::op::typed::result::<Semantics, M, O>(K::apply(Scalar, inputs))
}

/// A single element as an input of a custom kernel.
///
/// Each type has an impl of its own. With a blanket impl for `T: Element`, rustc would first report that two
/// `Vec`s do not promote, before it reported that a `Vec` is not an element.
#[diagnostic::on_unimplemented(
    message = "a kernel on single elements does not take `{Self}`",
    label = "pass one element, such as a `u64` instead of a `usize`; slices go to the function whose name ends in `_into`",
    note = "a newtype becomes an element with `#[derive(Element)]`"
)]
pub trait ScalarInput: Copy {
    /// The type itself.
    type Item: Element;

    /// Returns the element.
    fn item(self) -> Self::Item;
}

/// For emitted code: implements [`ScalarInput`] for element types.
#[doc(hidden)]
#[macro_export]
macro_rules! __scalar_inputs {
    ($($ty:ty)*) => {$(
        #[doc(hidden)]
        impl $crate::__private::lanes::ScalarInput for $ty {
            type Item = $ty;

            #[inline(always)]
            fn item(self) -> $ty {
                self
            }
        }
    )*};
}

macro_rules! standard {
    (
        {}
        typed [$($group:ident [$($variant:ident $name:ident $row:tt)*])*]
        $($rest:tt)*
    ) => {
        __scalar_inputs! { $($(crate::types::$name)*)* }
    };
}

promote_core::__dtypes! { standard {} }

#[doc(hidden)]
impl<T: Copy> ScalarInput for Weak<T>
where
    Weak<T>: Element,
{
    type Item = Weak<T>;

    #[inline(always)]
    fn item(self) -> Weak<T> {
        self
    }
}

/// Converts a single element to the common type `X`, then to the compute type `M`.
#[doc(hidden)]
#[inline]
pub fn enter_scalar<W, A, X, M>(a: A) -> M
where
    W: Overflow,
    A: ConvertTo<X>,
    X: Element,
    X::Reg: Convert<M>,
{
    <A as ConvertTo<X>>::convert_to::<Scalar, W>(Scalar, a.to_repr()).convert(false)
}
