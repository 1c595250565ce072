//! Shapes that operands broadcast to.

use core::ops::Deref;

use arrayvec::ArrayVec;

/// The largest number of axes of a shape.
pub(crate) const MAX_RANK: usize = 64;

/// The shape of an [`Iteration`](crate::Iteration). It dereferences to a slice of lengths, one for each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    lengths: ArrayVec<usize, MAX_RANK>,
}

impl Deref for Shape {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.lengths
    }
}

impl Shape {
    /// The shape without axes.
    pub(crate) const EMPTY: Shape = Shape { lengths: ArrayVec::new_const() };

    /// Broadcasts this shape with that of an operand.
    pub(crate) fn broadcast(&mut self, shape: &[usize]) -> Result<(), Mismatch> {
        if shape.len() > MAX_RANK {
            return Err(Mismatch::Axes { most: MAX_RANK, found: shape.len() });
        }
        while self.lengths.len() < shape.len() {
            self.lengths.insert(0, 1);
        }
        for (at, (length, found)) in self.lengths.iter_mut().rev().zip(shape.iter().rev()).enumerate() {
            if *length == 1 {
                *length = *found;
            } else if *found != 1 && *found != *length {
                return Err(Mismatch::Length { from_last: at + 1, expected: *length, found: *found });
            }
        }
        Ok(())
    }
}

/// The reason why a shape does not broadcast.
#[derive(Clone, Copy)]
pub(crate) enum Mismatch {
    /// A shape has too many axes.
    Axes { most: usize, found: usize },
    /// Two lengths differ along an axis, counted from the last one, which is 1. Neither is 1.
    Length { from_last: usize, expected: usize, found: usize },
}

/// Returns the first axis, counted from the last one, along which a shape does not broadcast to another.
pub(crate) fn mismatch(shape: &[usize], to: &[usize]) -> Option<Mismatch> {
    let lengths = to.iter().rev().chain(core::iter::repeat(&1));
    let mut pairs = shape.iter().rev().zip(lengths).enumerate();
    let differ = |(at, (found, expected)): &(usize, (&usize, &usize))| {
        *at >= to.len() || **found != 1 && found != expected
    };
    let (at, (found, expected)) = pairs.find(differ)?;
    Some(Mismatch::Length { from_last: at + 1, expected: *expected, found: *found })
}
