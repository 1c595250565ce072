//! Reductions of a rule set on views.

#[cfg(feature = "alloc")]
use super::tensor::{Tensor, Uninit};
use super::{TensorView, TensorViewMut};
use crate::dispatch::Error;
use crate::kernel::reduction::{Reducer, dot};
use crate::kernel::{CallError, Place, ScalarValue};
#[cfg(feature = "alloc")]
use crate::memory::room_for;
use crate::rule_set::{Operand, RuleSet};
use crate::{Op, OpTypes};

/// The axes along which elements are reduced. References to arrays and slices of axes convert to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes<'a> {
    /// Along all: of each there remains one element.
    All,
    /// Along these, each named once; a negative one counts from the last, which is -1. Along none, every
    /// element is reduced alone.
    Of(&'a [isize]),
}

impl<'a> From<&'a [isize]> for Axes<'a> {
    fn from(axes: &'a [isize]) -> Axes<'a> {
        Axes::Of(axes)
    }
}

impl<'a, const N: usize> From<&'a [isize; N]> for Axes<'a> {
    fn from(axes: &'a [isize; N]) -> Axes<'a> {
        Axes::Of(axes)
    }
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
    /// Returns true if [`RuleSet::call`] computes the op as a reduction over axes.
    pub const fn reduces(op: Op) -> bool {
        Reducer::reduces(op)
    }

    /// Reduces the elements of a view along axes, into a new array; see [`Call::axes`](super::Call::axes).
    #[cfg(feature = "alloc")]
    pub(super) fn reduce(
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

    /// The same into `out`; see [`Call::out`](super::Call::out).
    pub(super) fn reduce_into(
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

    /// The dot product of two vectors; see [`RuleSet::call`].
    pub(super) fn dot(&self, a: &TensorView<'_>, b: &TensorView<'_>) -> Result<ScalarValue, Error> {
        let types = self.op_types(Op::Dot, &[Operand::Array(a.dtype()), Operand::Array(b.dtype())])?;
        Ok(dot(self.kernels, types, a, b)?)
    }

    /// The dot product into an array without axes.
    pub(super) fn dot_into(
        &self,
        a: &TensorView<'_>,
        b: &TensorView<'_>,
        out: TensorViewMut<'_>,
    ) -> Result<(), Error> {
        if out.rank() != 0 {
            let (place, found) = (Place::Out, out.rank());
            return Err(Error::Call(CallError::Rank { place, expected: 0, found }));
        }
        let operands = [Operand::Array(a.dtype()), Operand::Array(b.dtype())];
        if self.op_types(Op::Dot, &operands)?.output != out.dtype() {
            self.out_types(Op::Dot, &operands, out.dtype())?;
        }
        let value = self.dot(a, b)?;
        let view = TensorView::from_bytes(value.dtype(), value.bytes(), &[], &[], 0)?;
        self.astype_into(&view, None, out)
    }
}
