//! The numbers that the body of a user's kernel computes with.
//!
//! A body is generic over its numbers and bounds them by one of [`Arithmetic`], [`Ordered`] and [`Floating`].
//! It is compiled for [`Num`], one lane of a kernel, in each dtype that such kernels compute in. Its
//! operations are those of the built-in ops, and the same under every rule set.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

use core::fmt;
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::convert::{Convert, ConvertTo, Overflow};
use crate::element::{Element, Register};
use crate::kernel::ops::{self, Binary, KernelType, Unary};
use crate::level::{Lanes, Scalar};
use crate::number::Weak;

/// Numbers that are added, subtracted and multiplied: integers, floats, complex numbers.
///
/// Integers wrap; floats round to nearest even, each operation by itself. Literals may stand on the right:
/// `x * 2.0`, as [`Arithmetic::of`] makes a number of them.
#[diagnostic::on_unimplemented(
    message = "a kernel does not compute in `{Self}`",
    label = "bodies of kernels are generic: `T: Arithmetic`, `T: Ordered` or `T: Floating`"
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
    /// The nearest number to `x`; integers cut it towards zero and saturate, and NaN is 0 there.
    fn of(x: f64) -> Self;

    /// `a` where the condition holds, else `b`. Both are computed, and no branch is taken, as vector code
    /// wants it.
    #[must_use]
    #[inline(always)]
    fn select(condition: bool, a: Self, b: Self) -> Self {
        core::hint::select_unpredictable(condition, a, b)
    }
}

/// Numbers that have an order besides: integers and floats.
#[diagnostic::on_unimplemented(
    message = "a kernel that compares does not compute in `{Self}`",
    label = "integers and floats have an order"
)]
pub trait Ordered: Arithmetic + PartialOrd {
    /// The greater of two; NaN if one is.
    #[must_use]
    fn maximum(self, other: Self) -> Self;
    /// The lesser of two; NaN if one is.
    #[must_use]
    fn minimum(self, other: Self) -> Self;
    /// The magnitude; the least integer stays as it is.
    #[must_use]
    fn abs(self) -> Self;
    /// -1, 0 or 1; of NaN, NaN, whatever a rule set's own `sign` says.
    #[must_use]
    fn sign(self) -> Self;
}

/// One lane of a kernel, of the register form `M`, computed with the instructions of `L`.
///
/// A number that [`Arithmetic::of`] makes knows no instructions; what is computed of such numbers alone has
/// the same bits all the same (NaN payloads aside).
#[derive(Clone, Copy)]
pub struct Num<L, M> {
    value: M,
    lanes: Option<L>,
}

impl<L: Lanes, M> Num<L, M> {
    /// A lane.
    #[inline(always)]
    pub fn new(lanes: L, value: M) -> Self {
        Num { value, lanes: Some(lanes) }
    }

    /// Its value.
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
fn unary<K: Unary<M, Out = M>, L: Lanes, M>(a: Num<L, M>) -> Num<L, M> {
    let value = match a.lanes {
        Some(lanes) => K::apply(lanes, a.value),
        None => K::apply(Scalar, a.value),
    };
    Num { value, lanes: a.lanes }
}

#[inline(always)]
fn binary<K: Binary<M, Out = M>, L: Lanes, M>(a: Num<L, M>, b: Num<L, M>) -> Num<L, M> {
    let lanes = a.lanes.or(b.lanes);
    let value = match lanes {
        Some(lanes) => K::apply(lanes, a.value, b.value),
        None => K::apply(Scalar, a.value, b.value),
    };
    Num { value, lanes }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl<L: Lanes, M> $trait for Num<L, M>
        where
            ops::$op<0>: Binary<M, Out = M>,
        {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                binary::<ops::$op<0>, L, M>(self, other)
            }
        }

        impl<L: Lanes, M> $trait<f64> for Num<L, M>
        where
            ops::$op<0>: Binary<M, Out = M>,
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
    ops::Negative<0>: Unary<M, Out = M>,
{
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        unary::<ops::Negative<0>, L, M>(self)
    }
}

impl<L: Lanes, M: Register + PartialEq + fmt::Debug> Arithmetic for Num<L, M>
where
    ops::Add<0>: Binary<M, Out = M>,
    ops::Subtract<0>: Binary<M, Out = M>,
    ops::Multiply<0>: Binary<M, Out = M>,
    ops::Negative<0>: Unary<M, Out = M>,
    f64: Convert<M>,
{
    #[inline(always)]
    fn of(x: f64) -> Self {
        Num { value: x.convert(false), lanes: None }
    }
}

macro_rules! ordered {
    ($($ty:ident)*) => {$(
        impl<L: Lanes> Ordered for Num<L, $ty> {
            #[inline(always)]
            fn maximum(self, other: Self) -> Self {
                binary::<ops::Maximum<0>, L, $ty>(self, other)
            }

            #[inline(always)]
            fn minimum(self, other: Self) -> Self {
                binary::<ops::Minimum<0>, L, $ty>(self, other)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                unary::<ops::Abs<0>, L, $ty>(self)
            }

            #[inline(always)]
            fn sign(self) -> Self {
                unary::<ops::Sign<0>, L, $ty>(self)
            }
        }
    )*};
}

ordered! { u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 }

macro_rules! floating {
    (
        unary { $($(#[$doc:meta])* $name:ident $op:ident;)* }
        binary { $($(#[$doc2:meta])* $name2:ident $op2:ident;)* }
    ) => {
        /// Floats: numbers that are divided, and of which functions are computed, each within 1 unit in the
        /// last place, with the special values of C99 Annex F.
        #[diagnostic::on_unimplemented(
            message = "a kernel of floats does not compute in `{Self}`",
            label = "only floats are divided here, and have functions"
        )]
        pub trait Floating: Ordered + Div<Output = Self> + Div<f64, Output = Self> {
            $($(#[$doc])* #[must_use] fn $name(self) -> Self;)*
            $($(#[$doc2])* #[must_use] fn $name2(self, other: Self) -> Self;)*
        }

        floating! { @of f32 [$($name $op)*] [$($name2 $op2)*] }
        floating! { @of f64 [$($name $op)*] [$($name2 $op2)*] }
    };
    (@of $ty:ident [$($name:ident $op:ident)*] [$($name2:ident $op2:ident)*]) => {
        impl<L: Lanes> Floating for Num<L, $ty> {
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

floating! {
    unary {
        /// The square root, rounded once.
        sqrt Sqrt;
        /// `1 / x`, rounded once.
        reciprocal Reciprocal;
        /// `e^x`
        exp Exp;
        /// `e^x - 1`
        expm1 Expm1;
        /// `2^x`
        exp2 Exp2;
        /// The natural logarithm.
        log Log;
        /// `log(1 + x)`
        log1p Log1p;
        /// The logarithm to the base 2.
        log2 Log2;
        /// The logarithm to the base 10.
        log10 Log10;
        /// The sine of `x` radians.
        sin Sin;
        /// The cosine of `x` radians.
        cos Cos;
        /// The tangent of `x` radians.
        tan Tan;
        /// The inverse sine, in radians.
        asin Asin;
        /// The inverse cosine, in radians.
        acos Acos;
        /// The inverse tangent, in radians.
        atan Atan;
        /// The hyperbolic sine.
        sinh Sinh;
        /// The hyperbolic cosine.
        cosh Cosh;
        /// The hyperbolic tangent.
        tanh Tanh;
        /// The inverse hyperbolic sine.
        asinh Asinh;
        /// The inverse hyperbolic cosine.
        acosh Acosh;
        /// The inverse hyperbolic tangent.
        atanh Atanh;
        /// `1 / (1 + e^-x)`
        sigmoid Sigmoid;
        /// Rounded down to a whole number.
        floor Floor;
        /// Rounded up to a whole number.
        ceil Ceil;
        /// Rounded towards zero to a whole number.
        trunc Trunc;
        /// Rounded to the nearest whole number, ties to even.
        round Round;
    }
    binary {
        /// `self` to the power of `other`.
        pow Pow;
        /// The angle of the point `(other, self)`, in radians.
        atan2 Atan2;
        /// `sqrt(self² + other²)`
        hypot Hypot;
        /// `log(e^self + e^other)`
        logaddexp Logaddexp;
        /// With the sign of `other`.
        copysign Copysign;
        /// The remainder of the quotient cut towards zero, which is exact.
        fmod Fmod;
    }
}

/// The body of a user's kernel of `N` inputs in the register form `M`; `#[kernel]` implements it.
#[diagnostic::on_unimplemented(
    message = "the body of the kernel `{Self}` does not compute in `{M}`",
    label = "the rule set computes this in `{M}`",
    note = "a body computes in integers, floats and complex numbers if its numbers are `Arithmetic`, in integers and floats if they are `Ordered`, in f32 and f64 if they are `Floating`",
    note = "convert the inputs, or give the kernel the dtypes of another op: `#[kernel(like = divide)]`"
)]
pub trait KernelBody<M, const N: usize>: 'static {
    /// Computes one lane.
    fn eval<L: Lanes>(lanes: L, inputs: [M; N]) -> M;
}

/// One input of a typed kernel on its way in: as the common type `X`, then as `M`, in which it is computed.
#[inline(always)]
pub(crate) fn enter<L, W, A, X, M>(lanes: L, repr: A::Repr) -> M
where
    L: Lanes,
    W: Overflow,
    A: ConvertTo<X>,
    X: Element,
    X::Reg: Convert<M>,
{
    <A as ConvertTo<X>>::convert_to::<L, W>(lanes, repr).convert(false)
}

/// A user's kernel on single elements: computed in `M`, and rounded once to `O`.
#[doc(hidden)]
#[inline]
pub fn eval_scalars<K, M, O, Words, const N: usize>(inputs: [M; N]) -> O
where
    K: KernelBody<M, N>,
    M: Register + Convert<O::Reg>,
    O: Element,
    Words: KernelType,
{
    crate::op::typed::result::<Words, M, O>(K::eval(Scalar, inputs))
}

/// One element that a user's kernel takes.
///
/// Each type has an impl of its own: of one for all `T: Element` rustc would conclude that the item of a
/// `Vec` is a `Vec`, and first of all tell how these do not promote.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no element of any dtype",
    label = "convert it first: `usize` to `u64`, `char` to `u32`, a reference with `*`; slices are given to the function in `_into`",
    note = "a newtype becomes one with `#[derive(Element)]`"
)]
pub trait ScalarInput: Copy {
    /// The type itself.
    type Item: Element;

    /// The element.
    fn item(self) -> Self::Item;
}

/// For emitted code: elements of these types are taken.
#[doc(hidden)]
#[macro_export]
macro_rules! __scalar_inputs {
    ($($ty:ty)*) => {$(
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
        typed [$({ $doc:literal } $variant:ident $name:ident $bits:literal $align:literal $format:expr;)*]
        $($rest:tt)*
    ) => {
        __scalar_inputs! { $(crate::__types::$name)* }
    };
}

promote_core::__dtypes! { standard {} }

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

/// A single element on its way in.
#[doc(hidden)]
#[inline]
pub fn enter_scalar<W, A, X, M>(a: A) -> M
where
    W: Overflow,
    A: ConvertTo<X>,
    X: Element,
    X::Reg: Convert<M>,
{
    enter::<Scalar, W, A, X, M>(Scalar, a.to_repr())
}
