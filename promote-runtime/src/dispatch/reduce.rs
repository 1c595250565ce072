//! Reductions of views along axes, scans along an axis, and dot products.

use crate::dispatch::{Error, Options};
use crate::error::call::{ArgumentRole, CallError};
#[cfg(feature = "alloc")]
use crate::kernel::reduction::Accumulated;
use crate::kernel::reduction::{Reducer, Request, Scanner, Selector, dot};
#[cfg(feature = "alloc")]
use crate::memory::Tensor;
#[cfg(feature = "alloc")]
use crate::memory::allocation::room_for;
use crate::memory::{Argument, ScalarValue, TensorView, TensorViewMut};
use crate::rule_set::{Operand, RuleSet};
use crate::{DType, Op, OpTypes};

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

    /// Returns the axis of a scan of a view of `rank` axes; `None` if there are no axes. Without a name it is
    /// the only one.
    fn one(self, op: Op, rank: usize) -> Result<Option<usize>, CallError> {
        self.check(rank)?;
        match self.listed() {
            None if rank <= 1 => Ok(rank.checked_sub(1)),
            Some([axis]) => Ok(from_first(*axis, rank)),
            _ => Err(CallError::OneAxis { op }),
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

/// What a call says of a reduction or a scan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Along<'c> {
    pub(super) axes: Option<Axes<'c>>,
    /// Whether the result has the axes that are reduced; `None` if the call does not say.
    pub(super) keep_dims: Option<bool>,
    /// The dtype that elements are cast to first, which is that of the result.
    pub(super) dtype: Option<DType>,
    /// What `std` and `var` take from the number of elements; `None` for the choice of the rule file.
    pub(super) correction: Option<f64>,
}

/// The functions of a reduction.
#[allow(clippy::large_enum_variant, reason = "it lives for one call")]
pub(super) enum ReductionKernel {
    Reducer(Reducer),
    Selector(Selector),
}

impl ReductionKernel {
    /// Returns the dtype of `out`.
    #[cfg(feature = "alloc")]
    const fn target(&self) -> DType {
        match self {
            ReductionKernel::Reducer(reducer) => reducer.target(),
            ReductionKernel::Selector(selector) => selector.target(),
        }
    }

    /// Reduces elements along the axes for which `along` returns true.
    pub(super) fn call(
        &self,
        a: &TensorView<'_>,
        along: &dyn Fn(usize) -> bool,
        out: TensorViewMut<'_>,
    ) -> Result<(), CallError> {
        match self {
            ReductionKernel::Reducer(reducer) => reducer.call(a, along, out),
            ReductionKernel::Selector(selector) => selector.call(a, along, out),
        }
    }
}

impl<'c> Along<'c> {
    pub(super) const ALL: Along<'c> = Along { axes: None, keep_dims: None, dtype: None, correction: None };

    pub(super) fn axes(&self) -> Axes<'c> {
        self.axes.unwrap_or(Axes::All)
    }

    /// Returns true if the result has the axes that are reduced.
    pub(super) const fn keeps_dims(&self) -> bool {
        matches!(self.keep_dims, Some(true))
    }

    /// Checks that `out`, of `found` axes, has the axes of the result of reducing an array of `rank` axes.
    pub(super) fn check_rank(&self, rank: usize, found: usize) -> Result<(), CallError> {
        let Some(keeps) = self.keep_dims else { return Ok(()) };
        let expected = (0..rank).filter(|axis| keeps || !self.axes().contain(*axis, rank)).count();
        if found == expected {
            return Ok(());
        }
        Err(CallError::Rank { role: ArgumentRole::Out, expected, found })
    }

    /// Returns true if no argument is given.
    pub(super) const fn is_empty(&self) -> bool {
        self.axes.is_none() && self.names_axes_only()
    }

    /// Returns true if no argument but axes is given.
    pub(super) const fn names_axes_only(&self) -> bool {
        !self.keeps_dims() && self.dtype.is_none() && self.correction.is_none()
    }

    /// Returns the names of the arguments that are given.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("axis", self.axes.is_some()),
            ("keepdims", self.keeps_dims()),
            ("dtype", self.dtype.is_some()),
            ("correction", self.correction.is_some()),
        ];
        given.into_iter().filter_map(|(name, is_given)| is_given.then_some(name))
    }
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
        Reducer::reduces(op) || Selector::selects(op)
    }

    /// Returns true if [`RuleSet::call`] computes the op as a scan along an axis: `cumsum` and `cumprod`.
    ///
    /// ```
    /// use promote::{Op, RuleSet};
    ///
    /// assert!(RuleSet::is_scan(Op::Cumsum) && !RuleSet::is_scan(Op::Sum));
    /// ```
    pub const fn is_scan(op: Op) -> bool {
        Scanner::scans(op)
    }

    /// Scans the elements of an operand along an axis, into an array that `out` makes; see
    /// [`Call::axis`](super::Call::axis).
    #[cfg(feature = "alloc")]
    pub(super) fn scan<'o, E: From<Error>>(
        &self,
        op: Op,
        options: Options,
        operand: &Argument<'_>,
        along: Along<'_>,
        out: impl FnOnce(DType, &[usize]) -> Result<TensorViewMut<'o>, E>,
    ) -> Result<(), E> {
        let number = operand.number_as_array(self)?;
        let (a, axis, scanner) =
            self.scanner(op, options, number.as_ref().unwrap_or(operand), along, None)?;
        let out = out(scanner.target(), a.shape())?;
        Ok(scanner.call(&a, axis, out).map_err(Error::Call)?)
    }

    /// Scans the elements of an operand along an axis, into `out`.
    pub(super) fn scan_into(
        &self,
        op: Op,
        options: Options,
        operand: &Argument<'_>,
        along: Along<'_>,
        out: TensorViewMut<'_>,
    ) -> Result<(), Error> {
        let number = operand.number_as_array(self)?;
        let operand = number.as_ref().unwrap_or(operand);
        let (a, axis, scanner) = self.scanner(op, options, operand, along, Some(out.dtype()))?;
        Ok(scanner.call(&a, axis, out)?)
    }

    /// Finds the functions that scan an array, and returns them with its elements and the axis.
    fn scanner<'e>(
        &self,
        op: Op,
        options: Options,
        array: &'e Argument<'_>,
        along: Along<'_>,
        target: Option<DType>,
    ) -> Result<(TensorView<'e>, Option<usize>, Scanner), Error> {
        let (operand, a) = (array.as_array_operand()?, array.elements()?);
        let request = self.request(op, options, (operand, a.dtype()), along, target)?;
        let axis = along.axes().one(op, a.rank())?;
        Ok((a, axis, Scanner::find(self.kernels, options.level(), &request)?))
    }

    /// Returns the dtypes of a reduction or a scan of elements of a dtype. The dtype of `out` is `target`;
    /// `None` for that of the result.
    fn request(
        &self,
        op: Op,
        options: Options,
        (operand, from): (Operand, DType),
        along: Along<'_>,
        target: Option<DType>,
    ) -> Result<Request, Error> {
        let no_argument = |name| Err(Error::Call(CallError::NoArgument { op, name }));
        let takes = |name| op.info().arguments.contains(&name);
        let correction = match along.correction {
            Some(_) if !takes("correction") => return no_argument("correction"),
            Some(correction) if !correction.is_finite() => {
                let (name, problem) = ("correction", "is not finite");
                return Err(Error::Call(CallError::Parameter { name, problem }));
            }
            Some(correction) => correction,
            None if takes("correction") => f64::from(self.tables.chooses(op, "correction", "one")),
            None => 0.0,
        };
        let Some(dtype) = along.dtype else {
            let types = self.op_types(op, &[operand])?;
            let target = target.unwrap_or(types.output);
            if target != types.output {
                self.out_types(op, &[operand], target)?;
            }
            return Ok(Request { op, from, cast: None, types, target, correction });
        };
        if !takes("dtype") {
            return no_argument("dtype");
        }
        let types = OpTypes { common: dtype, output: dtype, ..self.op_types(op, &[Operand::Array(dtype)])? };
        if let Some(found) = target.filter(|target| *target != dtype) {
            return Err(Error::Call(CallError::DType { role: ArgumentRole::Out, expected: dtype, found }));
        }
        let cast = match from {
            same if same == dtype => None,
            _ => Some(self.cast_kernel_at(options.level(), from, dtype)?),
        };
        Ok(Request { op, from, cast, types, target: dtype, correction })
    }

    /// Reduces the elements of an operand along axes, into an array that `out` makes; see
    /// [`Call::axes`](super::Call::axes).
    #[cfg(feature = "alloc")]
    pub(super) fn reduce<'o, E: From<Error>>(
        &self,
        op: Op,
        options: Options,
        operand: &Argument<'_>,
        along: Along<'_>,
        out: impl FnOnce(DType, &[usize]) -> Result<TensorViewMut<'o>, E>,
    ) -> Result<(), E> {
        let number = operand.number_as_array(self)?;
        let (a, reducer) = self.reducer(op, options, number.as_ref().unwrap_or(operand), along, None)?;
        let (rank, axes, keepdims) = (a.rank(), along.axes(), along.keeps_dims());
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
        along: Along<'_>,
        target: Option<DType>,
    ) -> Result<(TensorView<'e>, ReductionKernel), Error> {
        let (operand, a) = (array.as_array_operand()?, array.elements()?);
        let request = self.request(op, options, (operand, a.dtype()), along, target)?;
        along.axes().check(a.rank())?;
        let (kernels, level) = (self.kernels, options.level());
        let found = if Selector::selects(op) {
            let lower = self.tables.chooses(op, "middle", "lower");
            ReductionKernel::Selector(Selector::find(kernels, level, &request, lower)?)
        } else {
            ReductionKernel::Reducer(Reducer::find(kernels, level, &request)?)
        };
        Ok((a, found))
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
        let operands = [a.as_array_operand()?, b.as_array_operand()?];
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
/// use promote::{DType, Op, Operand, TensorView, Torch};
/// use promote_runtime::__private::kernel::Accumulator;
///
/// // The sums of the columns of a matrix of 3 x 2 elements, of which the last row arrives by itself.
/// let call = Torch::new().rule_set().prepare(Op::Sum, &[]).axis(0);
/// let mut sums = Accumulator::new(&call, Operand::Array(DType::I8), &[3, 2])?;
/// sums.add(&[0, 0], &TensorView::new(&[1_i8, 2, 3, 4], &[2, 2])?)?;
/// sums.add(&[2, 0], &TensorView::new(&[5_i8, 6], &[1, 2])?)?;
/// assert_eq!(sums.finish()?.to_string(), "[9, 12]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub struct Accumulator {
    accumulated: Accumulated,
    keep_dims: bool,
}

#[cfg(feature = "alloc")]
impl Accumulator {
    /// Starts a reduction of an array of this shape. `call` has no operands, and `operand` says which dtype
    /// the array has.
    ///
    /// The memory that is allocated grows with the number of elements of the result: up to 56 bytes for each.
    ///
    /// # Errors
    /// Returns the errors of [`Call::axes`](super::Call::axes) and of the call.
    pub fn new(call: &super::Call<'_, '_>, operand: Operand, shape: &[usize]) -> Result<Accumulator, Error> {
        let (rules, op, along) = call.reduction_along();
        let (operand, dtype) = match operand {
            Operand::Weak(dtype) => (operand, dtype),
            Operand::Array(dtype) | Operand::ZeroDim(dtype, _) => (Operand::Array(dtype), dtype),
            Operand::Number(_) => {
                let dtype = rules.result_type(&[operand])?.dtype;
                (Operand::Array(dtype), dtype)
            }
        };
        let options = Options::DEFAULT;
        let request = rules.request(op, options, (operand, dtype), along, None)?;
        let axes = along.axes();
        axes.check(shape.len())?;
        let reducer = Reducer::find(rules.kernels, options.level(), &request)?;
        let accumulated = Accumulated::new(reducer, (dtype, shape), &|axis| axes.contain(axis, shape.len()))?;
        Ok(Accumulator { accumulated, keep_dims: along.keeps_dims() })
    }

    /// Adds a part: a box of the array whose first element is at `at`. Each element has to be added once.
    ///
    /// # Errors
    /// Returns an error if the part has another dtype than the array, or reaches beyond it.
    pub fn add(&mut self, at: &[usize], part: &TensorView<'_>) -> Result<(), Error> {
        Ok(self.accumulated.add(at, part)?)
    }

    /// Returns the result.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory, or if this build lacks a cast to the result's dtype.
    pub fn finish(self) -> Result<Tensor, Error> {
        Ok(self.accumulated.finish(self.keep_dims)?)
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

    /// Returns the operand as promotion sees it, if every array counts as one with axes.
    pub(super) fn as_array_operand(&self) -> Result<Operand, CallError> {
        let dtype = self.dtype().ok_or(CallError::Uninitialised)?;
        Ok(if let Argument::Weak(_) = self { Operand::Weak(dtype) } else { Operand::Array(dtype) })
    }
}
