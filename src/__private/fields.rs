//! Functions that derived operators of containers call for their fields.

use core::cmp::Ordering;
use core::ops::{Add, Div, Mul, Rem, Sub};

use promote_runtime::{Compute, op};

/// The Rust operator of an op, by which fields that are containers themselves are computed.
#[diagnostic::on_unimplemented(
    message = "`{A}` and `{B}` have no operator for this op",
    label = "a field of a container needs the operator",
    note = "derive it on the field's type, `#[derive(Promote)] #[promote(ops(..))]`, or compute the field by `#[promote(with = function)]`"
)]
pub trait Operator<A, B> {
    /// The type of the result.
    type Output;

    /// Applies the operator to `a` and `b`.
    fn apply(a: A, b: B) -> Self::Output;
}

macro_rules! operators {
    ($($op:ident $operator:ident $method:ident)*) => {$(
        impl<A: $operator<B>, B> Operator<A, B> for op::$op {
            type Output = A::Output;

            #[inline]
            fn apply(a: A, b: B) -> A::Output {
                a.$method(b)
            }
        }
    )*};
}

operators! { Add Add add Subtract Sub sub Multiply Mul mul Divide Div div Remainder Rem rem }

/// A result that is stored back into a field of the left operand, and therefore has its type.
///
/// The bound is on the result and not on the field, so that rustc infers the type of the result before it
/// looks for an impl.
#[diagnostic::on_unimplemented(
    message = "the result is `{Self}`, and the field it is assigned to holds `{Place}`",
    label = "the promoted type is not that of the left operand",
    note = "convert the right operand first, or make a new container: `a + b`"
)]
pub trait Fits<Place> {
    /// Returns the result as it is.
    fn put(self) -> Place;
}

impl<T> Fits<T> for T {
    #[inline]
    fn put(self) -> T {
        self
    }
}

/// Replaces a value that cannot be computed, next to the compile error that says so, so that no other errors
/// follow.
pub fn unknown<T>() -> T {
    unreachable!("a compile error is emitted with this call")
}

/// Applies a function to each pair of items of two arrays.
#[inline]
pub fn each<A, B, C, const N: usize>(a: &[A; N], b: &[B; N], f: impl Fn(&A, &B) -> C) -> [C; N] {
    core::array::from_fn(|i| f(&a[i], &b[i]))
}

/// Applies a function to each item of an array.
#[inline]
pub fn map<A, B, const N: usize>(a: &[A; N], f: impl Fn(&A) -> B) -> [B; N] {
    core::array::from_fn(|i| f(&a[i]))
}

/// Returns true if a predicate is true for each pair of items.
#[inline]
pub fn all<A, B, const N: usize>(a: &[A; N], b: &[B; N], f: impl Fn(&A, &B) -> bool) -> bool {
    a.iter().zip(b).all(|(a, b)| f(a, b))
}

/// Returns the order of the first pair of items that are not equal.
#[inline]
pub fn first<A, B, const N: usize>(
    a: &[A; N],
    b: &[B; N],
    f: impl Fn(&A, &B) -> Option<Ordering>,
) -> Option<Ordering> {
    let mut orders = a.iter().zip(b).map(|(a, b)| f(a, b));
    orders.find(|order| *order != Some(Ordering::Equal)).unwrap_or(Some(Ordering::Equal))
}

/// Returns the order of two elements under the rule set `R`; `None` if an operand is NaN.
#[inline]
pub fn order<R, A, B>(a: A, b: B) -> Option<Ordering>
where
    R: Compute<op::Equal, (A, B), Output = bool>
        + Compute<op::Less, (A, B), Output = bool>
        + Compute<op::Greater, (A, B), Output = bool>,
    A: Copy,
    B: Copy,
{
    if <R as Compute<op::Equal, (A, B)>>::compute((a, b)) {
        Some(Ordering::Equal)
    } else if <R as Compute<op::Less, (A, B)>>::compute((a, b)) {
        Some(Ordering::Less)
    } else {
        <R as Compute<op::Greater, (A, B)>>::compute((a, b)).then_some(Ordering::Greater)
    }
}
