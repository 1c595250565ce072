//! The shape to which operands broadcast.

use core::ops::Deref;

use arrayvec::ArrayVec;

use super::IterationError;

/// How many axes a shape of an iteration has at most.
pub(crate) const MOST_AXES: usize = 64;

/// The shape of an iteration: a slice of lengths, the last index running fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The last axis comes first, until all operands are seen.
    lengths: ArrayVec<usize, MOST_AXES>,
}

impl Deref for Shape {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.lengths
    }
}

impl Shape {
    /// Of no axes.
    pub(super) const EMPTY: Shape = Shape { lengths: ArrayVec::new_const() };

    /// This one.
    ///
    /// # Errors
    ///
    /// There are more axes than there is room for.
    pub(super) fn new(shape: &[usize]) -> Result<Shape, IterationError> {
        let lengths = shape.try_into().map_err(|_| IterationError::Axes { found: shape.len() })?;
        Ok(Shape { lengths })
    }

    /// To which this one and that of an operand broadcast.
    ///
    /// # Errors
    ///
    /// They do not; or there are more axes than there is room for.
    pub(super) fn grow(
        &mut self,
        shape: &[usize],
        misfit: impl Fn(Misfit) -> IterationError,
    ) -> Result<(), IterationError> {
        if shape.len() > self.lengths.len() {
            let mut longer = Shape::new(shape)?;
            core::mem::swap(self, &mut longer);
            // What is found is then the longer one's.
            let turned = |at: Misfit| misfit(Misfit { expected: at.found, found: at.expected, ..at });
            return self.grow_by_shorter(&longer, turned);
        }
        self.grow_by_shorter(shape, misfit)
    }

    fn grow_by_shorter(
        &mut self,
        shape: &[usize],
        misfit: impl Fn(Misfit) -> IterationError,
    ) -> Result<(), IterationError> {
        for (at, (length, found)) in self.lengths.iter_mut().rev().zip(shape.iter().rev()).enumerate() {
            if *length == 1 {
                *length = *found;
            } else if *found != 1 && *found != *length {
                return Err(misfit(Misfit { from_last: at + 1, expected: *length, found: *found }));
            }
        }
        Ok(())
    }
}

/// An axis along which a shape does not broadcast.
#[derive(Clone, Copy)]
pub(super) struct Misfit {
    pub(super) from_last: usize,
    pub(super) expected: usize,
    pub(super) found: usize,
}

/// Whether a shape broadcasts to another: seen from the last axis, each length is that or 1.
pub(super) fn misfit(shape: &[usize], to: &[usize]) -> Option<Misfit> {
    let pairs = shape.iter().rev().zip(to.iter().rev()).enumerate();
    let apart = pairs.into_iter().find(|(_, (found, expected))| **found != 1 && found != expected);
    let apart =
        apart.map(|(at, (found, expected))| Misfit { from_last: at + 1, expected: *expected, found: *found });
    // An axis that the other does not have counts as one of 1.
    let more = || {
        (shape.len() > to.len()).then(|| Misfit {
            from_last: to.len() + 1,
            expected: 1,
            found: shape[shape.len() - to.len() - 1],
        })
    };
    apart.or_else(more)
}
