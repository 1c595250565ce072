//! Promotion of zero-dimensional arrays, at the type level.
//!
//! The impls are shared by all rule sets. They look up tables of pairs as [`pairs`](super::pairs) does: a
//! rule set has an impl for each dtype and table, and not for each pair.

use promote_runtime::__private::types as t;
use promote_runtime::{Weak, ZeroDim};

use super::pairs::{OpClass, RowOf};
use crate::Promote;

/// The tables of a rule set for pairs with a zero-dimensional operand.
#[diagnostic::on_unimplemented(
    message = "zero-dimensional arrays have no type under `{Self}`",
    label = "their values decide: call the rule set's `result_type` at run time"
)]
pub trait ZeroDims {
    /// The table for a zero-dimensional right operand.
    type Right;
    /// The table for a zero-dimensional left operand.
    type Left;
    /// The table for two of them.
    type Both;
}

/// The type of a result that has no axes: `ZeroDim<Self>`, except for weak results.
pub trait InZeroDim {
    /// The type.
    type Output;
}

impl<T> InZeroDim for Weak<T> {
    type Output = Weak<T>;
}

/// The rule for a pair of dtypes: `A` and `B` are the types of the elements.
pub trait ZeroDimRule<A, B, R> {
    /// The element type of the result.
    type Output;
}

/// The rule of a pair that gives the type of the left operand.
pub enum First {}

impl<A, B, R> ZeroDimRule<A, B, R> for First {
    type Output = A;
}

/// The rule of a pair that gives the type of the right operand.
pub enum Second {}

impl<A, B, R> ZeroDimRule<A, B, R> for Second {
    type Output = B;
}

/// The rule of a pair that gives another type.
pub struct To<T>(core::marker::PhantomData<T>);

impl<A, B, R, T> ZeroDimRule<A, B, R> for To<T> {
    type Output = T;
}

/// The look-up of a pair in a table.
pub trait JoinIn<Table, B, R> {
    /// The element type of the result.
    type Output;
}

impl<Table, A, B, R> JoinIn<Table, B, R> for A
where
    A: OpClass<Table>,
    B: OpClass<Table>,
    A::Left: RowOf<B::Right>,
    <A::Left as RowOf<B::Right>>::Rule: ZeroDimRule<A, B, R>,
{
    type Output = <<A::Left as RowOf<B::Right>>::Rule as ZeroDimRule<A, B, R>>::Output;
}

impl<A, B, R> Promote<ZeroDim<B>, R> for ZeroDim<A>
where
    R: ZeroDims,
    A: JoinIn<R::Both, B, R, Output: InZeroDim>,
{
    type Output = <A::Output as InZeroDim>::Output;
}

impl<A, B, R> Promote<ZeroDim<B>, R> for Weak<A>
where
    R: ZeroDims,
    Weak<A>: JoinIn<R::Right, B, R, Output: InZeroDim>,
{
    type Output = <<Weak<A> as JoinIn<R::Right, B, R>>::Output as InZeroDim>::Output;
}

impl<A, B, R> Promote<Weak<B>, R> for ZeroDim<A>
where
    R: ZeroDims,
    A: JoinIn<R::Left, Weak<B>, R, Output: InZeroDim>,
{
    type Output = <A::Output as InZeroDim>::Output;
}

/// Implements promotion of an element type with zero-dimensional arrays.
#[doc(hidden)]
#[macro_export]
macro_rules! __zero_dim {
    ($($ty:ty),*) => {$(
        impl $crate::__private::zero_dim::InZeroDim for $ty {
            type Output = $crate::ZeroDim<$ty>;
        }

        impl<B, R> $crate::Promote<$crate::ZeroDim<B>, R> for $ty
        where
            R: $crate::__private::zero_dim::ZeroDims,
            $ty: $crate::__private::zero_dim::JoinIn<R::Right, B, R>,
        {
            type Output = <$ty as $crate::__private::zero_dim::JoinIn<R::Right, B, R>>::Output;
        }

        impl<A, R> $crate::Promote<$ty, R> for $crate::ZeroDim<A>
        where
            R: $crate::__private::zero_dim::ZeroDims,
            A: $crate::__private::zero_dim::JoinIn<R::Left, $ty, R>,
        {
            type Output = A::Output;
        }
    )*};
}

macro_rules! of_dtypes {
    ({} typed [$($group:ident [$($dtype:ident $ty:ident $row:tt)*])*] $($rest:tt)*) => {
        $($(__zero_dim! { t::$ty })*)*
    };
}

promote_runtime::__private::dtypes! { of_dtypes {} }

/// A type for results with axes, or without.
pub enum Shape<const ZERO_DIM: bool> {}

/// The choice of a [`Shape`].
pub trait Of<T> {
    /// The type of the result whose elements are `T`.
    type Type;
}

impl<T> Of<T> for Shape<false> {
    type Type = T;
}

impl<T: InZeroDim> Of<T> for Shape<true> {
    type Type = T::Output;
}
