//! Reductions of a rule set on views.

#[cfg(feature = "alloc")]
use super::tensor::{Tensor, Uninit};
use super::{TensorView, TensorViewMut};
use crate::dispatch::Error;
use crate::kernel::reduction::{Reducer, dot};
use crate::kernel::{CallError, ScalarValue};
#[cfg(feature = "alloc")]
use crate::memory::room_for;
use crate::rule_set::{Operand, RuleSet};
use crate::{Op, OpTypes};

/// Along which axes elements are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes<'a> {
    /// Along all: of each there remains one element.
    All,
    /// Along these, each named once; a negative one counts from the last, which is -1. Along none, every
    /// element is reduced alone.
    Of(&'a [isize]),
}

impl Axes<'_> {
    /// Whether they fit a view of so many axes.
    fn check(self, rank: usize) -> Result<(), CallError> {
        let Axes::Of(axes) = self else { return Ok(()) };
        for (i, axis) in axes.iter().enumerate() {
            let found = place(*axis, rank).ok_or(CallError::NoAxis { axis: *axis, rank })?;
            if axes[..i].iter().any(|other| place(*other, rank) == Some(found)) {
                return Err(CallError::AxisTwice { axis: found });
            }
        }
        Ok(())
    }

    /// Whether an axis of a view of so many is among them.
    fn contain(self, axis: usize, rank: usize) -> bool {
        match self {
            Axes::All => true,
            Axes::Of(axes) => axes.iter().any(|own| place(*own, rank) == Some(axis)),
        }
    }
}

/// The axis counted from the first.
fn place(axis: isize, rank: usize) -> Option<usize> {
    let found = if axis < 0 { axis.checked_add_unsigned(rank)? } else { axis };
    usize::try_from(found).ok().filter(|found| *found < rank)
}

impl RuleSet {
    /// Returns true if [`RuleSet::reduce`] computes the op.
    pub const fn reduces(op: Op) -> bool {
        Reducer::reduces(op)
    }

    /// Reduces the elements of a view along axes, into a new array of the shape that is left: without the
    /// axes, or with `keepdims` with length 1 for each of them. The dtype is the one that the rule set says
    /// for the op over the view's dtype.
    ///
    /// - `sum`, `mean`, `prod`, `norm` (the root of the sum of the squared magnitudes): integers modulo 2^64,
    ///   and then to the dtype of the result; floats in `f64`, whatever smaller dtype the rule set computes
    ///   in, rounded once to that of the result. Where n elements x are added, the sum lies within 2^-46 ·
    ///   (|x1| + .. + |xn|) of the exact one before it is rounded, barring overflow of `f64`; a product of n
    ///   lies within n · 2^-53 of its magnitude, barring overflow and underflow on the way. Integers that are
    ///   computed as floats are cast first, or added exactly. Of no elements the sum and the norm are 0, the
    ///   product is 1 and the mean NaN.
    /// - `max`, `amax`, `min`, `amin`: NaN if an element is; +0 is greater than -0. Complex numbers are
    ///   compared by their real parts, and where these are equal by the imaginary ones.
    /// - `argmax`, `argmin`: the index of the first such element, along one axis or, of all, in row-major
    ///   order. NaN counts as the greatest and as the least; -0 and +0 are equal here, as a comparison has
    ///   them.
    /// - `any`, `all`: an element is true where it differs from 0, so NaN is. Of no elements, false and true.
    ///
    /// The result is the same on every machine, at every level and for any number of threads.
    ///
    /// # Errors
    /// The rule set refuses, or the op reduces nothing; an axis is not there or is named twice; the greatest
    /// or least of no elements is asked for, or a place along several axes; this build has no kernels, or
    /// there is no memory.
    #[cfg(feature = "alloc")]
    pub fn reduce(
        &self,
        op: Op,
        a: &TensorView<'_>,
        axes: Axes<'_>,
        keepdims: bool,
    ) -> Result<Tensor, Error> {
        let types = self.reduced_types(op, a, axes)?;
        let reducer = Reducer::find(self.kernels, op, a.dtype(), types, types.output)?;
        let rank = a.rank();
        let mut shape = room_for(rank)?;
        for (axis, len) in a.shape().iter().enumerate() {
            match axes.contain(axis, rank) {
                false => shape.push(*len),
                true if keepdims => shape.push(1),
                true => {}
            }
        }
        let mut out = Uninit::new(types.output, &shape)?;
        reducer.call(a, &|axis| axes.contain(axis, rank), out.view_mut())?;
        // SAFETY: a call that succeeds has written all.
        Ok(unsafe { out.written() })
    }

    /// The same into `out`, which has the shape of the result: without the axes, or with length 1 for each of
    /// them. Where `out` has another dtype than the result, this is rounded to its own dtype first and then
    /// cast, if the rule set lets a result go there ([`RuleSet::can_cast_result`]); what it was computed of
    /// is the same. A system that takes the dtype of its `out=` for the one to add in gives other digits
    /// there.
    ///
    /// # Errors
    /// As [`RuleSet::reduce`], and where the rule set refuses the cast or knows none, or `out` has another
    /// shape; `out` is then as it was.
    pub fn reduce_into(
        &self,
        op: Op,
        a: &TensorView<'_>,
        axes: Axes<'_>,
        out: TensorViewMut<'_>,
    ) -> Result<(), Error> {
        let (types, target) = (self.reduced_types(op, a, axes)?, out.dtype());
        if target != types.output {
            self.out_types(op, &[Operand::Array(a.dtype())], target)?;
        }
        let reducer = Reducer::find(self.kernels, op, a.dtype(), types, target)?;
        let rank = a.rank();
        Ok(reducer.call(a, &|axis| axes.contain(axis, rank), out)?)
    }

    /// The dtypes of a reduction, along axes that are there.
    fn reduced_types(&self, op: Op, a: &TensorView<'_>, axes: Axes<'_>) -> Result<OpTypes, Error> {
        if !RuleSet::reduces(op) {
            return Err(Error::Call(CallError::NoReduction { op }));
        }
        let types = self.op_types(op, &[Operand::Array(a.dtype())])?;
        axes.check(a.rank())?;
        Ok(types)
    }

    /// The sum of the products of as many elements of two views of one axis, of the dtype that the rule set's
    /// `dot` gives for them; complex numbers are not conjugated.
    ///
    /// Elements are converted to the common dtype. Products and sums of floats are computed in `f64`, of
    /// integers modulo 2^64, and rounded or cut to the dtype of the result once. With n products p the result
    /// lies within 2^-46 · (|p1| + .. + |pn|) of the exact one before that, barring overflow of `f64`, and is
    /// the same at every level and for any number of threads. Of no elements it is 0.
    ///
    /// # Errors
    /// The rule set refuses the dtypes; a view has more axes or none; lengths differ; this build has no
    /// kernels.
    pub fn dot(&self, a: &TensorView<'_>, b: &TensorView<'_>) -> Result<ScalarValue, Error> {
        let types = self.op_types(Op::Dot, &[Operand::Array(a.dtype()), Operand::Array(b.dtype())])?;
        Ok(dot(self.kernels, types, a, b)?)
    }
}
