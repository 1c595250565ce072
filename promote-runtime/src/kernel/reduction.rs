//! Reductions of the elements along axes, and scans along an axis.
//!
//! - `fold`: the trait of reductions, the loop over rows, and the bodies of kernel functions;
//! - `sums`, `products`, `moments`, `powers`, `order`: the reductions;
//! - `registers`: sums of contiguous elements, in vector registers; `short`: sums of few elements each;
//! - `elements`: the casts of elements, and tiles of them;
//! - `table`: the functions for each dtype; `reducer`: those of a call;
//! - `axes`: the axes of a call, and its units of work; `walk`: the order of axes, blocks, and parts for
//!   threads;
//! - `finish`: the conversion of states to elements of the result;
//! - `accumulated`: reductions of arrays that arrive in parts;
//! - `scan`: scans, their axes and tiles; `steps`: their loops;
//! - `median`: medians.
//!
//! The accumulators hold more than any dtype that a rule set computes in: `f64` for floats, 64 bits for
//! integers. If that dtype is wider than the elements, or if elements are rounded to it, they are cast to it
//! first, block by block.

#[cfg(feature = "alloc")]
mod accumulated;
mod axes;
mod elements;
mod finish;
pub(super) mod fold;
mod median;
mod moments;
mod order;
mod powers;
mod products;
mod reducer;
mod registers;
mod scan;
mod short;
mod steps;
pub(super) mod sums;
pub(super) mod table;
mod walk;

#[cfg(feature = "alloc")]
pub(crate) use accumulated::Accumulated;
use elements::{apart, fits};
use finish::Finish;
use fold::Pass;
pub(crate) use median::Selector;
use reducer::Reduction;
pub(crate) use reducer::{Reducer, Request};
pub(crate) use scan::Scanner;
pub use steps::Scans;
use table::FoldKind;
pub(crate) use walk::dot;
use walk::{Reduced, Target, To};

use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::overlap::Copied;
use crate::memory::{TensorView, TensorViewMut};

impl Reducer {
    /// Reduces elements along the axes for which `along` returns true. `out` has the other axes, or all axes,
    /// those that are reduced of length 1.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves `out` unchanged, if this build lacks a cast, if `out` has another dtype
    /// or another shape, if there are no elements and the op needs some, if a position is asked for along
    /// several axes and not all, or if `out` overlaps the elements and they cannot be copied.
    pub(crate) fn call(
        &self,
        a: &TensorView<'_>,
        along: &dyn Fn(usize) -> bool,
        mut out: TensorViewMut<'_>,
    ) -> Result<(), CallError> {
        let ([_, expected], found) = (self.output, out.dtype());
        if expected != found {
            return Err(CallError::DType { role: ArgumentRole::Out, expected, found });
        }
        fits(a, along, &out)?;
        let mut copy = Copied::NONE;
        let a = apart(a, &out, &mut copy)?;
        if out.is_empty() {
            return Ok(());
        }
        let count = self.count(a.shape(), along)?;
        let pass = self.pass();
        let finish = Finish::find(self, count, pass)?;
        let (pointer, keepdims) = (out.pointer(), out.rank() == a.rank());
        let target = Target { pointer, layout: out.layout(), keepdims, to: To::Elements(&finish) };
        let reduced = Reduced::new(self, (&a, a.shape()), along, target, pass, count);
        // SAFETY: the level was available when the functions were found; views are valid, `a` does not
        // overlap `out`, and the shape of `out` fits.
        unsafe { reduced.run() }
    }

    /// Returns the number of elements for each output.
    ///
    /// # Errors
    ///
    /// Returns an error if there are none and the op needs some, or if a position is asked for along several
    /// axes and not all.
    fn count(&self, shape: &[usize], along: &dyn Fn(usize) -> bool) -> Result<usize, CallError> {
        let axes = || shape.iter().enumerate().filter(|(axis, _)| along(*axis)).map(|(_, len)| *len);
        let kind = self.reduction.kind;
        let is_position = kind == FoldKind::Position;
        if is_position && axes().filter(|len| *len > 1).count() > 1 && axes().count() < shape.len() {
            return Err(CallError::Axes { op: self.op });
        }
        let count = axes().product::<usize>();
        if count == 0 && (is_position || kind == FoldKind::Extremum) {
            return Err(CallError::Empty { op: self.op });
        }
        Ok(count)
    }

    /// Returns the parameters of calls that all of them share.
    fn pass(&self) -> Pass {
        let Reduction { kind, reversed, .. } = self.reduction;
        let (flip, mask) = table::flip_and_mask(kind, self.read, reversed);
        Pass { flip, mask, ..Pass::default() }
    }
}
