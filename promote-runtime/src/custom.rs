//! Dtypes of a user's own, as types: which they are, how they are cast, and what is asked of them that an op
//! may compute in them.
//!
//! `derive(Element)` implements [`CustomElement`] and, where it is told by way of which type casts go,
//! [`CastVia`]; all else follows by blanket impls from ordinary Rust traits. So the derive need not know what
//! a type implements, and its expansion is short.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

use num_complex::Complex;

use crate::CustomDType;
use crate::convert::{Convert, ConvertAll};
use crate::element::{Element, Register};
#[cfg(feature = "kernels")]
use crate::kernel::CustomCasts;

/// A type that `derive(Element)` made the element type of a dtype of its own: it is its own register form.
///
/// Ops compute in it by the traits of `core::ops` and of `num-traits`: `add` by [`core::ops::Add`], `equal`
/// by [`PartialEq`], `less` and `maximum` by [`PartialOrd`], and so on;
/// [`kernel::ops::custom`](crate::kernel::ops::custom) lists them.
pub trait CustomElement: Register {}

/// How a type of a user's own is cast to and from the standard dtypes: by way of one of their types.
///
/// A cast to another dtype than that of [`CastVia::Via`] is two: [`CastVia::to_via`], and what a cast of the
/// standard dtype is; from another dtype the other way round.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not cast: nothing says by way of which type",
    label = "this casts `{Self}`",
    note = "write `#[element(via = f64)]` below `#[derive(Element)]`, with `impl From<f64> for {Self}` and `impl From<{Self}> for f64`"
)]
pub trait CastVia: CustomElement {
    /// The type by way of which casts go.
    type Via: ViaForm;

    /// The value in that type.
    fn to_via(self) -> Self::Via;

    /// The value of this type that stands for one of that type.
    fn of_via(via: Self::Via) -> Self;
}

/// A type by way of which others can be cast: that of a standard dtype which is its own register form.
#[diagnostic::on_unimplemented(
    message = "casts cannot go by way of `{Self}`",
    label = "no type of a standard dtype in which is computed",
    note = "they go by way of `bool`, an integer of 8 to 64 bits, `f32`, `f64`, or a complex number of these two"
)]
pub trait ViaForm: Sized {
    /// The type itself. Apart, so that of a type which is none no more is said than that.
    type Form: ConvertAll;

    /// The same value.
    fn form(self) -> Self::Form;

    /// The value nearest to that of another type, as a cast of the standard dtypes.
    fn of<T: ConvertAll>(value: T) -> Self;
}

/// The type by way of which `T` is cast.
pub type ViaOf<T> = <<T as CastVia>::Via as ViaForm>::Form;

/// A target of casts that nobody has. Where a type has only one, rustc takes any other for a mismatch with
/// that one, and never comes to say why there is no cast.
#[doc(hidden)]
#[derive(Debug)]
pub enum NoTarget {}

impl<T: CustomElement> Convert<NoTarget> for T {
    fn convert(self, _: bool) -> NoTarget {
        unreachable!("nobody asks for it")
    }
}

/// What casts make of a `V`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not made from `{V}`, as its casts are",
    label = "`From<{V}>` is missing on `{Self}`",
    note = "write `impl From<{V}> for {Self}`"
)]
pub trait MadeFrom<V>: From<V> {}

#[diagnostic::do_not_recommend]
impl<T: From<V>, V> MadeFrom<V> for T {}

/// What casts make a `V` of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not become `{V}`, as its casts do",
    label = "`From<{Self}>` is missing on `{V}`",
    note = "write `impl From<{Self}> for {V}`"
)]
pub trait Becomes<V>: Into<V> {}

#[diagnostic::do_not_recommend]
impl<T: Into<V>, V> Becomes<V> for T {}

/// For emitted code: a cast by `From`.
#[doc(hidden)]
#[inline(always)]
pub fn made_from<T: MadeFrom<V>, V>(via: V) -> T {
    T::from(via)
}

/// For emitted code: a cast by `Into`.
#[doc(hidden)]
#[inline(always)]
pub fn become_<T: Becomes<V>, V>(value: T) -> V {
    value.into()
}

/// For emitted code: the dtype of a type's elements.
#[doc(hidden)]
pub const fn dtype<T: Element>(name: &'static str) -> CustomDType {
    CustomDType::new(name, 8 * size_of::<T>() as u32, align_of::<T>())
}

/// For emitted code: the dtype of a type's elements, with the casts of the type.
///
/// # Panics
///
/// Panics if the casts are those of a type of another size or alignment. In a `static` that is a compile
/// error.
#[doc(hidden)]
#[cfg(feature = "kernels")]
pub const fn dtype_with_casts<T: Element>(name: &'static str, casts: &'static CustomCasts) -> CustomDType {
    let dtype = dtype::<T>(name);
    assert!(casts.are_of(dtype.bits() as usize, dtype.align()), "casts of another type");
    dtype.with_casts(casts)
}

/// The casts of a custom dtype, if it has any.
#[cfg(feature = "kernels")]
pub(crate) fn casts(dtype: &CustomDType) -> Option<&'static CustomCasts> {
    dtype.casts()?.downcast_ref()
}

/// Defines the `static DTYPE` of an element type: name, type, by way of which type casts go if by one, from
/// which types there are others.
#[doc(hidden)]
#[macro_export]
#[cfg(feature = "kernels")]
macro_rules! __custom_dtype {
    ($name:literal, $ty:ty, [], []) => {
        static __DTYPE: $crate::CustomDType = $crate::__private::custom::dtype::<$ty>($name);
    };
    ($name:literal, $ty:ty, [], [$($from:ty),+]) => {
        $crate::__custom_dtype! { @casts $name, $ty, from, [$ty], [$($from),+] }
    };
    ($name:literal, $ty:ty, [$via:ty], [$($from:ty),*]) => {
        $crate::__custom_dtype! { @casts $name, $ty, new, [__tokens::Levels, $ty], [$($from),*] }
    };
    (@casts $name:literal, $ty:ty, $new:ident, [$($parameter:ty),*], [$($from:ty),*]) => {
        static __DTYPE: $crate::CustomDType = {
            $crate::__levels! { mod __tokens }
            static __CASTS: $crate::__private::kernel::CustomCasts = $crate::__private::kernel::CustomCasts::$new::<$($parameter),*>(
                &[$($crate::__private::kernel::CustomCast::new::<__tokens::Levels, $from, $ty>()),*],
            );
            $crate::__private::custom::dtype_with_casts::<$ty>($name, &__CASTS)
        };
    };
}

/// The same without casts, in a build without kernels.
#[doc(hidden)]
#[macro_export]
#[cfg(not(feature = "kernels"))]
macro_rules! __custom_dtype {
    ($name:literal, $ty:ty, [$($via:ty)?], [$($from:ty),*]) => {
        static __DTYPE: $crate::CustomDType = $crate::__private::custom::dtype::<$ty>($name);
    };
}

impl<T: CustomElement> Convert<T> for T {
    #[inline(always)]
    fn convert(self, _: bool) -> T {
        self
    }
}

macro_rules! via {
    ($($ty:ty)*) => {$(
        impl ViaForm for $ty {
            type Form = $ty;

            #[inline(always)]
            fn form(self) -> $ty {
                self
            }

            #[inline(always)]
            fn of<T: ConvertAll>(value: T) -> $ty {
                value.convert(false)
            }
        }

        impl<T: CastVia> Convert<$ty> for T {
            #[inline(always)]
            fn convert(self, odd: bool) -> $ty {
                self.to_via().form().convert(odd)
            }

            #[inline(always)]
            fn convert_by_instruction(self, clamped: bool) -> $ty {
                self.to_via().form().convert_by_instruction(clamped)
            }
        }

        impl<T: CastVia> Convert<T> for $ty {
            #[inline(always)]
            fn convert(self, _: bool) -> T {
                T::of_via(<T::Via as ViaForm>::of(self))
            }
        }
    )*};
}

via! { bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 Complex<f32> Complex<f64> }

/// Traits that stand for one of Rust's each, so that the message names the op and the way out.
macro_rules! can {
    ($($(#[$doc:meta])* $name:ident: $bound:path, $what:literal, $note:literal;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = $what,
            label = "an op of the rule set computes in `{Self}`",
            note = $note,
            note = "or let the rule file compute in another dtype: `opmath {{ own => f64; }}`, or `own => c in f64;` in the op's block"
        )]
        pub trait $name: $bound {}

        #[diagnostic::do_not_recommend]
        impl<T: $bound> $name for T {}
    )*};
}

/// What a Rust operator gives of two values of a type: of that type again.
macro_rules! closed {
    ($($closed:ident: $($operator:ident)::+;)*) => {$(
        /// The operator, where it gives its own type.
        pub trait $closed: Copy + $($operator)::+<Output = Self> {}
        impl<T: Copy + $($operator)::+<Output = T>> $closed for T {}
    )*};
}

/// The operators that give their own type.
#[doc(hidden)]
pub mod closed {
    closed! {
        Add: core::ops::Add;
        Sub: core::ops::Sub;
        Mul: core::ops::Mul;
        Div: core::ops::Div;
        Rem: core::ops::Rem;
        Neg: core::ops::Neg;
        Not: core::ops::Not;
        BitAnd: core::ops::BitAnd;
        BitOr: core::ops::BitOr;
        BitXor: core::ops::BitXor;
        Shl: core::ops::Shl;
        Shr: core::ops::Shr;
    }

    /// Powers of its own type.
    pub trait Pow: Copy + num_traits::Pow<Self, Output = Self> {}
    impl<T: Copy + num_traits::Pow<T, Output = T>> Pow for T {}
}

can! {
    /// `add`.
    CanAdd: closed::Add, "`{Self}` cannot be added", "implement `core::ops::Add<Output = {Self}>` for it";
    /// `subtract`.
    CanSubtract: closed::Sub, "`{Self}` cannot be subtracted", "implement `core::ops::Sub<Output = {Self}>` for it";
    /// `multiply` and `square`.
    CanMultiply: closed::Mul, "`{Self}` cannot be multiplied", "implement `core::ops::Mul<Output = {Self}>` for it";
    /// `divide` and `reciprocal`.
    CanDivide: closed::Div, "`{Self}` cannot be divided", "implement `core::ops::Div<Output = {Self}>` for it";
    /// `fmod` and `remainder`.
    CanLeaveRest: closed::Rem, "`{Self}` has no remainder", "implement `core::ops::Rem<Output = {Self}>` for it";
    /// `negative`, `abs` and `sign`.
    CanNegate: closed::Neg, "`{Self}` cannot be negated", "implement `core::ops::Neg<Output = {Self}>` for it";
    /// `bitwise_not`.
    CanNot: closed::Not, "the bits of `{Self}` cannot be inverted", "implement `core::ops::Not<Output = {Self}>` for it";
    /// `bitwise_and`.
    CanAnd: closed::BitAnd, "`{Self}` has no bitwise and", "implement `core::ops::BitAnd<Output = {Self}>` for it";
    /// `bitwise_or`.
    CanOr: closed::BitOr, "`{Self}` has no bitwise or", "implement `core::ops::BitOr<Output = {Self}>` for it";
    /// `bitwise_xor`.
    CanXor: closed::BitXor, "`{Self}` has no bitwise exclusive or", "implement `core::ops::BitXor<Output = {Self}>` for it";
    /// `left_shift`.
    CanShiftLeft: closed::Shl, "`{Self}` cannot be shifted to the left", "implement `core::ops::Shl<Output = {Self}>` for it";
    /// `right_shift`.
    CanShiftRight: closed::Shr, "`{Self}` cannot be shifted to the right", "implement `core::ops::Shr<Output = {Self}>` for it";
    /// `equal`, `not_equal` and `isnan`.
    CanEqual: PartialEq, "`{Self}` cannot be compared", "derive or implement `PartialEq` for it";
    /// `less` to `greater_equal`, the extrema, `abs`, `sign` and `remainder`.
    CanOrder: PartialOrd, "`{Self}` has no order", "derive or implement `PartialOrd` for it";
    /// `pow`.
    CanRaise: closed::Pow, "`{Self}` cannot be raised to a power", "implement `num_traits::Pow<{Self}, Output = {Self}>` for it";
    /// The logical ops, `abs`, `sign`, `imag` and `remainder`.
    HasZero: num_traits::Zero, "`{Self}` has no zero", "implement `num_traits::Zero` for it";
    /// `sign` and `reciprocal`.
    HasOne: num_traits::One, "`{Self}` has no one", "implement `num_traits::One` for it";
}
