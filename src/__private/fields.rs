//! What derived operators of containers do with their fields.

use core::cmp::Ordering;
use core::ops::{Add, Div, Mul, Rem, Sub};

use promote_runtime::{Compute, op};

/// The operator of Rust that stands for an op: how a field that is a container of its own is computed.
#[diagnostic::on_unimplemented(
    message = "`{A}` and `{B}` have no operator for this op",
    label = "a field of a container needs the operator",
    note = "derive it on the field's type, `#[derive(Promote)] #[promote(ops(..))]`, or compute the field by `#[promote(with = function)]`"
)]
pub trait Operator<A, B> {
    /// What comes out.
    type Output;

    /// `a` and `b` with the operator between them.
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

/// A result that goes back into a place of the left operand: one of the place's own type.
///
/// It stands on the result and not on the place, so that rustc finds out what the result is before it looks
/// for an impl.
#[diagnostic::on_unimplemented(
    message = "the result is `{Self}`, and its place holds `{Place}`",
    label = "the promoted type is not that of the left operand",
    note = "convert the right operand first, or make a new container: `a + b`"
)]
pub trait Fits<Place> {
    /// The same.
    fn put(self) -> Place;
}

impl<T> Fits<T> for T {
    #[inline]
    fn put(self) -> T {
        self
    }
}

/// Stands for a value that nobody knows how to compute, beside the error that says so: so that no other
/// errors follow.
pub fn unknown<T>() -> T {
    unreachable!("this stands beside a compile error")
}

/// A function of two arrays, place by place.
#[inline]
pub fn each<A, B, C, const N: usize>(a: &[A; N], b: &[B; N], f: impl Fn(&A, &B) -> C) -> [C; N] {
    core::array::from_fn(|i| f(&a[i], &b[i]))
}

/// A function of an array, place by place.
#[inline]
pub fn map<A, B, const N: usize>(a: &[A; N], f: impl Fn(&A) -> B) -> [B; N] {
    core::array::from_fn(|i| f(&a[i]))
}

/// Whether something is true at every place.
#[inline]
pub fn all<A, B, const N: usize>(a: &[A; N], b: &[B; N], f: impl Fn(&A, &B) -> bool) -> bool {
    a.iter().zip(b).all(|(a, b)| f(a, b))
}

/// The order of the first places that are not equal.
#[inline]
pub fn first<A, B, const N: usize>(
    a: &[A; N],
    b: &[B; N],
    f: impl Fn(&A, &B) -> Option<Ordering>,
) -> Option<Ordering> {
    let mut orders = a.iter().zip(b).map(|(a, b)| f(a, b));
    orders.find(|order| *order != Some(Ordering::Equal)).unwrap_or(Some(Ordering::Equal))
}

/// The order of two elements under the rule set `R`; none where an operand is NaN.
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
