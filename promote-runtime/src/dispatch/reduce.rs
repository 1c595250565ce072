//! Reductions of views along axes, and dot products.

use crate::dispatch::{Error, Options};
use crate::error::call::{ArgumentRole, CallError};
#[cfg(feature = "alloc")]
use crate::kernel::reduction::Accumulated;
use crate::kernel::reduction::{Reducer, dot};
#[cfg(feature = "alloc")]
use crate::memory::Tensor;
#[cfg(feature = "alloc")]
use crate::memory::allocation::room_for;
use crate::memory::{Argument, ScalarValue, TensorView, TensorViewMut};
use crate::rule_set::{Operand, RuleSet};
use crate::{DType, Op};

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
    pub(super) fn contain(self, axis: usize, rank: usize) -> bool {
        self.listed().is_none_or(|axes| axes.iter().any(|own| from_first(*own, rank) == Some(axis)))
    }
}

/// Returns the position of an axis, counted from the first one; `None` if there is no such axis.
pub(super) fn from_first(axis: isize, rank: usize) -> Option<usize> {
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

    /// Reduces the elements of an operand along axes, into an array that `out` makes; see
    /// [`Call::axes`](super::Call::axes).
    #[cfg(feature = "alloc")]
    pub(super) fn reduce<'o, E: From<Error>>(
        &self,
        op: Op,
        options: Options,
        operand: &Argument<'_>,
        (axes, keepdims): (Axes<'_>, bool),
        out: impl FnOnce(DType, &[usize]) -> Result<TensorViewMut<'o>, E>,
    ) -> Result<(), E> {
        let number = operand.number_as_array(self)?;
        let (a, reducer) = self.reducer(op, options, number.as_ref().unwrap_or(operand), axes, None)?;
        let rank = a.rank();
        let mut shape = room_for(rank).map_err(Error::Call)?;
        for (axis, len) in a.shape().iter().enumerate() {
            match axes.contain(axis, rank) {
                false => shape.push(*len),
                true if keepdims => shape.push(1),
                true => {}
            }
        }
        let out = out(reducer.target(), &shape)?;
        Ok(reducer.call(&a, &|axis| axes.contain(axis, rank), out).map_err(Error::Call)?)
    }

    /// Finds the functions that reduce an array, and returns them with its elements. The dtype of `out` is
    /// `target`; `None` for that of the result.
    pub(super) fn reducer<'e>(
        &self,
        op: Op,
        options: Options,
        array: &'e Argument<'_>,
        axes: Axes<'_>,
        target: Option<DType>,
    ) -> Result<(TensorView<'e>, Reducer), Error> {
        let (operand, a) = (array.reduced()?, array.elements()?);
        let types = self.op_types(op, &[operand])?;
        axes.check(a.rank())?;
        let target = target.unwrap_or(types.output);
        if target != types.output {
            self.out_types(op, &[operand], target)?;
        }
        Ok((a, Reducer::find(self.kernels, options.level(), op, a.dtype(), types, target)?))
    }

    /// Computes the dot product of two vectors, whose dtype a rule set lets be cast to `target`; see
    /// [`RuleSet::call`].
    pub(super) fn dot(
        &self,
        options: Options,
        [a, b]: [&Argument<'_>; 2],
        target: Option<DType>,
    ) -> Result<ScalarValue, Error> {
        let numbers = [a.number_as_array(self)?, b.number_as_array(self)?];
        let [a, b] = [numbers[0].as_ref().unwrap_or(a), numbers[1].as_ref().unwrap_or(b)];
        let operands = [a.reduced()?, b.reduced()?];
        let types = self.op_types(Op::Dot, &operands)?;
        if let Some(target) = target.filter(|target| *target != types.output) {
            self.out_types(Op::Dot, &operands, target)?;
        }
        Ok(dot(self.kernels, options.level(), types, &a.elements()?, &b.elements()?)?)
    }

    /// Computes the dot product of two vectors into an array without axes.
    pub(super) fn dot_into(
        &self,
        options: Options,
        operands: [&Argument<'_>; 2],
        out: TensorViewMut<'_>,
    ) -> Result<(), Error> {
        if out.rank() != 0 {
            let (role, found) = (ArgumentRole::Out, out.rank());
            return Err(Error::Call(CallError::Rank { role, expected: 0, found }));
        }
        let value = self.dot(options, operands, Some(out.dtype()))?;
        self.astype_into(&Argument::from(value).elements()?, None, out)
    }
}

/// A reduction of an array whose elements arrive in parts, so that the array need not be in memory.
///
/// ```
/// use promote::{Axes, DType, Op, Operand, TensorView, Torch};
/// use promote_runtime::__private::kernel::Accumulator;
///
/// // The sums of the columns of a matrix of 3 x 2 elements, of which the last row arrives by itself.
/// let array = Operand::Array(DType::I8);
/// let mut sums = Accumulator::new(&Torch::new().rule_set(), Op::Sum, array, &[3, 2], Axes::One(0))?;
/// sums.add(&[0, 0], &TensorView::new(&[1_i8, 2, 3, 4], &[2, 2])?)?;
/// sums.add(&[2, 0], &TensorView::new(&[5_i8, 6], &[1, 2])?)?;
/// assert_eq!(sums.finish(false)?.to_string(), "[9, 12]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub struct Accumulator(Accumulated);

#[cfg(feature = "alloc")]
impl Accumulator {
    /// Starts a reduction of an array of this shape along axes. `operand` says which dtype the array has.
    ///
    /// The memory that is allocated grows with the number of elements of the result: up to 32 bytes for each.
    ///
    /// # Errors
    /// Returns the errors of [`Call::axes`](super::Call::axes) and of the call.
    pub fn new(
        rules: &RuleSet,
        op: Op,
        operand: Operand,
        shape: &[usize],
        axes: Axes<'_>,
    ) -> Result<Accumulator, Error> {
        let (operand, dtype) = match operand {
            Operand::Weak(dtype) => (operand, dtype),
            Operand::Array(dtype) | Operand::ZeroDim(dtype, _) => (Operand::Array(dtype), dtype),
            Operand::Number(_) => {
                let dtype = rules.result_type(&[operand])?.dtype;
                (Operand::Array(dtype), dtype)
            }
        };
        let types = rules.op_types(op, &[operand])?;
        axes.check(shape.len())?;
        let level = Options::DEFAULT.level();
        let reducer = Reducer::find(rules.kernels, level, op, dtype, types, types.output)?;
        Ok(Accumulator(Accumulated::new(reducer, (dtype, shape), &|axis| axes.contain(axis, shape.len()))?))
    }

    /// Adds a part: a box of the array whose first element is at `at`. Each element has to be added once.
    ///
    /// # Errors
    /// Returns an error if the part has another dtype than the array, or reaches beyond it.
    pub fn add(&mut self, at: &[usize], part: &TensorView<'_>) -> Result<(), Error> {
        Ok(self.0.add(at, part)?)
    }

    /// Returns the result. With `keepdims`, axes that are reduced have the length 1.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory, or if this build lacks a cast to the result's dtype.
    pub fn finish(self, keepdims: bool) -> Result<Tensor, Error> {
        Ok(self.0.finish(keepdims)?)
    }
}

impl<'a> Argument<'a> {
    /// Returns a number as the array that a reduction or a dot product takes, with the dtype that the rule
    /// set gives it; `None` for an array.
    pub(super) fn number_as_array(&self, rules: &RuleSet) -> Result<Option<Argument<'a>>, Error> {
        match self {
            Argument::Number(number) => {
                let dtype = rules.result_type(&[self.operand()])?.dtype;
                Ok(Some(ScalarValue::from_number(*number, dtype)?.into()))
            }
            Argument::InPlace(_) => Err(Error::Call(CallError::Uninitialised)),
            _ => Ok(None),
        }
    }

    /// Returns the operand of a reduction as promotion sees it: every array counts as one with axes.
    fn reduced(&self) -> Result<Operand, CallError> {
        let dtype = self.dtype().ok_or(CallError::Uninitialised)?;
        Ok(if let Argument::Weak(_) = self { Operand::Weak(dtype) } else { Operand::Array(dtype) })
    }
}
