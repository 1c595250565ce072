//! Reductions of views along axes, and dot products.

use crate::dispatch::{Error, Options};
use crate::error::call::{ArgumentRole, CallError};
use crate::kernel::reduction::{Reducer, dot};
use crate::memory::ScalarValue;
#[cfg(feature = "alloc")]
use crate::memory::allocation::room_for;
#[cfg(feature = "alloc")]
use crate::memory::{Tensor, Uninit};
use crate::memory::{TensorView, TensorViewMut};
use crate::rule_set::{Operand, RuleSet};
use crate::{Op, OpTypes};

/// The axes along which elements are reduced.
///
/// A negative axis counts from the end: the last axis is -1. An axis, and references to arrays and slices of
/// axes, convert to this type.
///
/// ```
/// use promote::Axes;
///
/// assert_eq!(Axes::from(-1), Axes::One(-1));
/// assert_eq!(Axes::from(&[0, 2]), Axes::Of(&[0, 2]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Axes<'a> {
    /// All axes: the result is one element.
    All,
    /// A single axis.
    One(isize),
    /// Several axes, each named once. With an empty list each element is reduced by itself.
    Of(&'a [isize]),
}

impl From<isize> for Axes<'_> {
    fn from(axis: isize) -> Self {
        Axes::One(axis)
    }
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
    /// Returns the axes as a list; `None` for all of them.
    fn listed(&self) -> Option<&[isize]> {
        match self {
            Axes::All => None,
            Axes::One(axis) => Some(core::slice::from_ref(axis)),
            Axes::Of(axes) => Some(axes),
        }
    }

    /// Checks that each axis exists in a view of `rank` axes, and is named once.
    fn check(self, rank: usize) -> Result<(), CallError> {
        let Some(axes) = self.listed() else { return Ok(()) };
        for (i, axis) in axes.iter().enumerate() {
            let found = from_first(*axis, rank).ok_or(CallError::NoAxis { axis: *axis, rank })?;
            if axes[..i].iter().any(|other| from_first(*other, rank) == Some(found)) {
                return Err(CallError::AxisTwice { axis: found });
            }
        }
        Ok(())
    }

    /// Returns true if an axis of a view of `rank` axes is among these.
    fn contain(self, axis: usize, rank: usize) -> bool {
        self.listed().is_none_or(|axes| axes.iter().any(|own| from_first(*own, rank) == Some(axis)))
    }
}

/// Returns the position of an axis, counted from the first one; `None` if there is no such axis.
fn from_first(axis: isize, rank: usize) -> Option<usize> {
    let found = if axis < 0 { axis.checked_add_unsigned(rank)? } else { axis };
    usize::try_from(found).ok().filter(|found| *found < rank)
}

impl RuleSet {
    /// Returns true if [`RuleSet::call`] computes the op as a reduction along axes.
    ///
    /// ```
    /// use promote::{Op, RuleSet};
    ///
    /// assert!(RuleSet::is_reduction(Op::Sum));
    /// assert!(!RuleSet::is_reduction(Op::Dot) && !RuleSet::is_reduction(Op::Add));
    /// ```
    pub const fn is_reduction(op: Op) -> bool {
        Reducer::reduces(op)
    }

    /// Reduces the elements of a view along axes, into a new array; see [`Call::axes`](super::Call::axes).
    #[cfg(feature = "alloc")]
    pub(super) fn reduce(
        &self,
        op: Op,
        options: Options,
        (operand, a): (Operand, &TensorView<'_>),
        axes: Axes<'_>,
        keepdims: bool,
    ) -> Result<Tensor, Error> {
        let types = self.reduced_types(op, operand, a.rank(), axes)?;
        let reducer = Reducer::find(self.kernels, options.level(), op, a.dtype(), types, types.output)?;
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

    /// Reduces the elements of a view along axes into `out`; see [`Call::out`](super::Call::out).
    pub(super) fn reduce_into(
        &self,
        op: Op,
        options: Options,
        (operand, a): (Operand, &TensorView<'_>),
        axes: Axes<'_>,
        out: TensorViewMut<'_>,
    ) -> Result<(), Error> {
        let (types, target) = (self.reduced_types(op, operand, a.rank(), axes)?, out.dtype());
        if target != types.output {
            self.out_types(op, &[operand], target)?;
        }
        let reducer = Reducer::find(self.kernels, options.level(), op, a.dtype(), types, target)?;
        let rank = a.rank();
        Ok(reducer.call(a, &|axis| axes.contain(axis, rank), out)?)
    }

    /// Returns the dtypes of a reduction, after checking its axes.
    fn reduced_types(&self, op: Op, operand: Operand, rank: usize, axes: Axes<'_>) -> Result<OpTypes, Error> {
        if !RuleSet::is_reduction(op) {
            return Err(Error::Call(CallError::NoReduction { op }));
        }
        let types = self.op_types(op, &[operand])?;
        axes.check(rank)?;
        Ok(types)
    }

    /// Computes the dot product of two vectors; see [`RuleSet::call`].
    pub(super) fn dot(
        &self,
        options: Options,
        operands: [Operand; 2],
        a: &TensorView<'_>,
        b: &TensorView<'_>,
    ) -> Result<ScalarValue, Error> {
        let types = self.op_types(Op::Dot, &operands)?;
        Ok(dot(self.kernels, options.level(), types, a, b)?)
    }

    /// Computes the dot product of two vectors into an array without axes.
    pub(super) fn dot_into(
        &self,
        options: Options,
        operands: [Operand; 2],
        a: &TensorView<'_>,
        b: &TensorView<'_>,
        out: TensorViewMut<'_>,
    ) -> Result<(), Error> {
        if out.rank() != 0 {
            let (role, found) = (ArgumentRole::Out, out.rank());
            return Err(Error::Call(CallError::Rank { role, expected: 0, found }));
        }
        if self.op_types(Op::Dot, &operands)?.output != out.dtype() {
            self.out_types(Op::Dot, &operands, out.dtype())?;
        }
        let value = self.dot(options, operands, a, b)?;
        let view = TensorView::from_bytes(value.dtype(), value.as_bytes(), &[], &[], 0)?;
        self.astype_into(&view, None, out)
    }
}
