//! Element types of custom dtypes: their casts, and the traits that ops require of them.
//!
//! `derive(Element)` implements [`CustomElement`] and, with the attribute `via`, [`CastVia`]. Blanket impls
//! over ordinary Rust traits do the rest. So the derive does not have to know which traits a type implements,
//! and its expansion is short.

#![allow(clippy::inline_always, reason = "a kernel becomes vector code only if all of it is inlined")]

use crate::CustomDType;
use crate::convert::{Convert, ConvertAll};
use crate::element::{Element, Register};
use crate::types;

/// An element type of a custom dtype, made by `derive(Element)`. It is its own register form.
///
/// Ops compute in it by the traits of `core::ops` and `num-traits`: `add` by [`core::ops::Add`], `equal` by
/// [`PartialEq`], `less` and `maximum` by [`PartialOrd`], and so on. The traits of each op are listed in
/// `ops/custom.rs`.
pub trait CustomElement: Register {}

/// Casts between a custom element type and the standard dtypes, through the type of one of them.
///
/// A cast to a dtype other than that of [`CastVia::Via`] has two steps: [`CastVia::to_via`], and the cast of
/// the standard dtype. A cast from another dtype takes these steps in reverse.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no casts: `derive(Element)` does not say through which type",
    label = "this casts `{Self}`",
    note = "write `#[element(via = f64)]` below `#[derive(Element)]`, with `impl From<f64> for {Self}` and `impl From<{Self}> for f64`"
)]
pub trait CastVia: CustomElement {
    /// The type that casts go through.
    type Via: ViaForm;

    /// Converts a value to that type.
    fn to_via(self) -> Self::Via;

    /// Converts a value from that type.
    fn of_via(via: Self::Via) -> Self;
}

/// A type that casts can go through: one of a standard dtype that is its own register form.
#[diagnostic::on_unimplemented(
    message = "casts cannot go through `{Self}`",
    label = "not a type that ops compute in",
    note = "casts go through `bool`, an integer of 8 to 64 bits, `f32`, `f64`, or a complex number of these two"
)]
pub trait ViaForm: Sized {
    /// The type itself. As an associated type, it keeps rustc from reporting more about a type that does not
    /// implement this trait.
    type Form: ConvertAll;

    /// Returns the value.
    fn form(self) -> Self::Form;

    /// Converts a value of another type, as casts of the standard dtypes do.
    fn of<T: ConvertAll>(value: T) -> Self;
}

/// The type that casts of `T` go through.
pub type ViaOf<T> = <<T as CastVia>::Via as ViaForm>::Form;

/// A target of casts that is never used. If a type had a single target, rustc would report a type mismatch
/// with that target instead of the reason why there is no cast.
#[doc(hidden)]
#[derive(Debug)]
pub enum NoTarget {}

impl<T: CustomElement> Convert<NoTarget> for T {
    fn convert(self, _: bool) -> NoTarget {
        unreachable!("`NoTarget` has no values")
    }
}

/// A type that casts make of a `V`, by `From`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is cast from `{V}`, and does not implement `From<{V}>`",
    label = "`From<{V}>` is missing on `{Self}`",
    note = "write `impl From<{V}> for {Self}`"
)]
pub trait MadeFrom<V>: From<V> {}

#[diagnostic::do_not_recommend]
impl<T: From<V>, V> MadeFrom<V> for T {}

/// A type that casts turn into a `V`, by `Into`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is cast to `{V}`, and `{V}` does not implement `From<{Self}>`",
    label = "`From<{Self}>` is missing on `{V}`",
    note = "write `impl From<{Self}> for {V}`"
)]
pub trait Becomes<V>: Into<V> {}

#[diagnostic::do_not_recommend]
impl<T: Into<V>, V> Becomes<V> for T {}

/// For emitted code: casts by `From`.
#[doc(hidden)]
#[inline(always)]
pub fn made_from<T: MadeFrom<V>, V>(via: V) -> T {
    T::from(via)
}

/// For emitted code: casts by `Into`.
#[doc(hidden)]
#[inline(always)]
pub fn become_<T: Becomes<V>, V>(value: T) -> V {
    value.into()
}

/// For emitted code: returns the dtype of an element type.
#[doc(hidden)]
pub const fn dtype<T: Element>(name: &'static str) -> CustomDType {
    CustomDType::new(name, 8 * size_of::<T>() as u32, align_of::<T>())
}

/// Defines the `static __DTYPE` of an element type without its casts, in a build without kernels. With
/// kernels, `kernel/custom.rs` defines it.
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
    ({} $($kind:ident [$($ty:ident)*])*) => {
        via! { $($(types::$ty)*)* }
    };
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

promote_core::__register_dtypes! { via {} }

/// Defines traits that are aliases of Rust's traits, so that rustc's message names the op and what to
/// implement.
macro_rules! can {
    ($($(#[$doc:meta])* $name:ident: $bound:path, $what:literal, $note:literal;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = $what,
            label = "an op of the rule set computes in `{Self}`",
            note = $note,
            note = "or let the rule file compute in another dtype: `opmath {{ own => f64; }}`, or `own => common in f64;` in the op's block"
        )]
        pub trait $name: $bound {}

        #[diagnostic::do_not_recommend]
        impl<T: $bound> $name for T {}
    )*};
}

/// Defines aliases of operators whose output is their own type.
macro_rules! closed {
    ($($closed:ident: $($operator:ident)::+;)*) => {$(
        /// The operator with its own type as output.
        pub trait $closed: Copy + $($operator)::+<Output = Self> {}
        impl<T: Copy + $($operator)::+<Output = T>> $closed for T {}
    )*};
}

/// Operators with their own type as output.
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

    /// Powers with their own type as output.
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
