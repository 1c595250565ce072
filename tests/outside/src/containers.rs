//! Containers that promote as their elements do.

use std::marker::PhantomData;

use dtypes::{Compute, OpOutput, Promote, op};

use crate::rules::Workshop;

/// A vector, with operators between vectors of different elements and with numbers that have no width.
#[derive(Clone, Copy, Debug, Promote)]
#[promote(crate = dtypes, ops(Add, Sub, Mul, Div, Rem, Neg, AddAssign, MulAssign, PartialEq, PartialOrd), weak(Add, Mul, Div, MulAssign))]
pub struct Vec3<T> {
    /// Along the first axis.
    pub x: T,
    /// Along the second one.
    pub y: T,
    /// Along the third one.
    pub z: T,
}

/// Two parameters, which promote independently.
#[derive(Clone, Copy, Debug, Promote)]
#[promote(crate = dtypes, ops(Add, PartialEq))]
pub struct Sample<T, W>(pub T, pub W);

/// A container without parameters.
#[derive(Clone, Copy, Debug, Promote)]
#[promote(crate = dtypes)]
pub struct Origin;

/// A container of containers, with a name that takes no part, and a kind of unit that is only a type.
#[derive(Clone, Debug, Promote)]
#[promote(crate = dtypes, ops(Add, PartialEq))]
pub struct Segment<T, U> {
    /// The beginning.
    pub from: Vec3<T>,
    /// The end.
    pub to: Vec3<T>,
    /// Its name.
    #[promote(skip)]
    pub name: String,
    /// The unit.
    pub unit: PhantomData<U>,
}

/// An array of any length, under the rules of this crate and under `PyTorch`'s.
#[derive(Clone, Copy, Debug, Promote)]
#[promote(crate = dtypes, rules(Workshop, dtypes::Torch), ops(rules = Workshop, Add, Sub, PartialEq))]
pub struct Cells<T, const N: usize> {
    /// The elements.
    pub cells: [T; N],
}

/// A measurement: errors do not add as values do.
#[derive(Clone, Copy, Debug, Promote)]
#[promote(crate = dtypes, ops(Add))]
pub struct Measured<T> {
    /// The value.
    pub value: T,
    /// The variance, of one type in all measurements.
    #[promote(with = variance)]
    pub variance: f64,
}

/// The variances of sums and differences add up.
fn variance<Op, T: Copy + std::ops::Add<Output = T>>(_: Op, a: &T, b: &T) -> T {
    *a + *b
}

/// A pair with an order, whose fields must have one.
#[derive(Clone, Copy, Debug, Promote)]
#[promote(crate = dtypes, ops(rules = dtypes::Torch, Sub), bound(T: PartialOrd))]
pub struct Range<T> {
    /// The lower end.
    pub low: T,
    /// The upper end.
    pub high: T,
}

/// A sum in generic code: the bound is that of the elements.
pub fn sum<A, B>(a: Vec3<A>, b: Vec3<B>) -> Vec3<OpOutput<op::Add, (A, B)>>
where
    dtypes::Torch: Compute<op::Add, (A, B)>,
    A: Copy,
    B: Copy,
{
    a + b
}
