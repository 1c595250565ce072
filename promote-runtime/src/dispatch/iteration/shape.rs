//! The shape of an iteration, to which its operands broadcast.

use core::ops::Deref;

use arrayvec::ArrayVec;

use crate::dispatch::iteration::IterationError;

/// The largest number of axes of an iteration.
pub(crate) const MAX_AXES: usize = 64;

/// The shape of an [`Iteration`](super::Iteration). It dereferences to a slice of lengths, one for each axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    lengths: ArrayVec<usize, MAX_AXES>,
}

impl Deref for Shape {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.lengths
    }
}

impl Shape {
    /// The shape without axes.
    pub(super) const EMPTY: Shape = Shape { lengths: ArrayVec::new_const() };

    /// Copies a shape.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than [`MAX_AXES`] axes.
    pub(super) fn new(shape: &[usize]) -> Result<Shape, IterationError> {
        let lengths = shape.try_into().map_err(|_| IterationError::Axes { found: shape.len() })?;
        Ok(Shape { lengths })
    }

    /// Broadcasts this shape with that of an operand.
    ///
    /// # Errors
    ///
    /// Returns what `error` makes of two lengths that differ, or an error if there are too many axes.
    pub(super) fn broadcast(
        &mut self,
        shape: &[usize],
        error: impl Fn(Mismatch) -> IterationError,
    ) -> Result<(), IterationError> {
        if shape.len() > self.lengths.len() {
            let mut longer = Shape::new(shape)?;
            core::mem::swap(self, &mut longer);
            // The operand's shape is the longer one now, so its lengths are `expected` below.
            let swapped = |at: Mismatch| error(Mismatch { expected: at.found, found: at.expected, ..at });
            return self.broadcast_with_shorter(&longer, swapped);
        }
        self.broadcast_with_shorter(shape, error)
    }

    fn broadcast_with_shorter(
        &mut self,
        shape: &[usize],
        error: impl Fn(Mismatch) -> IterationError,
    ) -> Result<(), IterationError> {
        for (at, (length, found)) in self.lengths.iter_mut().rev().zip(shape.iter().rev()).enumerate() {
            if *length == 1 {
                *length = *found;
            } else if *found != 1 && *found != *length {
                return Err(error(Mismatch { from_last: at + 1, expected: *length, found: *found }));
            }
        }
        Ok(())
    }
}

/// An axis along which a shape does not broadcast.
#[derive(Clone, Copy)]
pub(super) struct Mismatch {
    pub(super) from_last: usize,
    pub(super) expected: usize,
    pub(super) found: usize,
}

/// Returns the first axis along which a shape does not broadcast to another, counted from the last axis.
pub(super) fn mismatch(shape: &[usize], to: &[usize]) -> Option<Mismatch> {
    let pairs = shape.iter().rev().zip(to.iter().rev()).enumerate();
    let differ = pairs.into_iter().find(|(_, (found, expected))| **found != 1 && found != expected);
    let differ = differ.map(|(at, (found, expected))| Mismatch {
        from_last: at + 1,
        expected: *expected,
        found: *found,
    });
    // An axis that the other shape lacks counts as one of length 1.
    let additional = || {
        (shape.len() > to.len()).then(|| Mismatch {
            from_last: to.len() + 1,
            expected: 1,
            found: shape[shape.len() - to.len() - 1],
        })
    };
    differ.or_else(additional)
}
