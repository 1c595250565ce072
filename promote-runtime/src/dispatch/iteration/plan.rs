//! The decisions of an iteration: its dtypes and its shape, and the checks of operands.

use arrayvec::ArrayVec;

use crate::dispatch::Error;
use crate::dispatch::iteration::{Given, IterationConfig, IterationError, Output};
use crate::kernel::strided::several::INPUTS;
use crate::memory::Argument;
#[cfg(feature = "alloc")]
use crate::memory::Tensor;
use crate::memory::{Mismatch, Shape, TensorViewMut, mismatch, operand};
use crate::rule_set::{Operand, RuleSet};
use crate::{DType, Kind};
use crate::{Op, OpTypes};

/// An iteration whose dtypes and shape are decided, made by [`IterationConfig::build`].
///
/// [`Iteration::op`] or [`Iteration::for_each`] runs it. An iteration borrows its [`IterationConfig`], which
/// can be built again afterwards. Outputs that the first iteration allocated then count as existing outputs.
#[derive(Debug)]
pub struct Iteration<'c, 'a> {
    pub(super) config: &'c mut IterationConfig<'a>,
    pub(super) rules: RuleSet,
    /// `None` if the inputs have several dtypes and are not promoted.
    pub(super) common: Option<DType>,
    compute: Option<DType>,
    /// The dtype of results before the cast to each output; `None` if results have the outputs' dtypes.
    pub(super) result: Option<DType>,
    /// True if all inputs and outputs exist and have one shape.
    pub(super) same_shape: bool,
}

impl<'c, 'a> Iteration<'c, 'a> {
    /// Decides the dtypes, which are those of `op` if there is one, and checks the operands.
    pub(super) fn new(
        config: &'c mut IterationConfig<'a>,
        rules: RuleSet,
        op: Option<Op>,
    ) -> Result<Self, Error> {
        if config.too_many {
            // An input in place may refer to a missing output.
            return Err(IterationError::TooMany.into());
        }
        let mut made =
            Iteration { config, rules, common: None, compute: None, result: None, same_shape: false };
        match op {
            None => made.decide_dtypes()?,
            Some(op) => made.take_dtypes_of(op)?,
        }
        made.same_shape = made.all_of_one_shape();
        made.check_shapes()?;
        made.check_memory()?;
        Ok(made)
    }

    /// Returns the dtype that inputs are cast to; `None` if they have several dtypes and are not promoted.
    pub const fn common_dtype(&self) -> Option<DType> {
        self.common
    }

    /// Returns the dtype that the op of [`IterationConfig::build_op`] computes in, which may be wider than
    /// the common dtype; without an op, the common dtype.
    pub const fn compute_dtype(&self) -> Option<DType> {
        self.compute
    }

    /// Returns the number of inputs.
    pub fn inputs(&self) -> usize {
        self.config.inputs.len()
    }

    /// Returns the number of outputs.
    pub fn outputs(&self) -> usize {
        self.config.outputs.len()
    }

    /// Returns the dtype of an input as the function of [`Iteration::for_each`] receives it.
    ///
    /// # Panics
    ///
    /// Panics if there is no such input.
    pub fn input_dtype(&self, input: usize) -> DType {
        let own = self.own_dtype(input);
        match (self.common, self.config.promote || self.result.is_some()) {
            (Some(common), true) => common,
            // `build` has checked that the two dtypes promote.
            _ => self.at_least(own).unwrap_or(own),
        }
    }

    /// Returns true if an input is cast to [`Iteration::input_dtype`]. A number without a width has no dtype
    /// of its own, so it is not cast.
    ///
    /// # Panics
    ///
    /// Panics if there is no such input.
    pub fn is_cast(&self, input: usize) -> bool {
        let is_number = matches!(self.config.inputs[input], Given::Argument(Argument::Number(_)));
        !is_number && self.own_dtype(input) != self.input_dtype(input)
    }

    /// Returns the dtype of an output.
    ///
    /// # Panics
    ///
    /// Panics if there is no such output.
    pub fn output_dtype(&self, output: usize) -> DType {
        // `build` has checked that a new output has one of these dtypes.
        let new = || self.config.static_dtype.or(self.result).or(self.common).unwrap_or(DType::F64);
        self.config.outputs[output].dtype_and_shape().map_or_else(new, |(dtype, _)| dtype)
    }

    /// Returns the dtype in which the function of [`Iteration::for_each`] writes an output, before the cast
    /// to [`Iteration::output_dtype`].
    ///
    /// # Panics
    ///
    /// Panics if there is no such output.
    pub fn result_dtype(&self, output: usize) -> DType {
        self.result.unwrap_or_else(|| self.output_dtype(output))
    }

    /// Returns the shape that the inputs broadcast to, or the one that was declared.
    pub fn shape(&self) -> Shape {
        // `build` has checked that the shape exists.
        self.find_shape().unwrap_or(Shape::EMPTY)
    }

    /// Sets the memory of an output that would be allocated, or replaces that of an existing one.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves the output as it was, if there is no such output, if the dtype is not
    /// [`Iteration::output_dtype`] or the shape is not [`Iteration::shape`], or if the view overlaps another
    /// operand as in [`IterationConfig::build`].
    ///
    /// ```
    /// use promote::{IterationConfig, Op, TensorViewMut, Torch};
    ///
    /// let mut sums = [0_i8; 2];
    /// let mut config = IterationConfig::new();
    /// config.add_new_output().add_input(&[1_i8, 2]).add_input(&[10_i8]);
    /// let mut iteration = config.build(&Torch::new().rule_set())?;
    /// iteration.set_output(0, TensorViewMut::from(&mut sums))?;
    /// iteration.op(Op::Add)?;
    /// assert_eq!(sums, [11, 12]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn set_output(&mut self, output: usize, view: TensorViewMut<'a>) -> Result<(), Error> {
        if output >= self.outputs() {
            return Err(IterationError::NoMemory { output }.into());
        }
        let (expected, found) = (self.output_dtype(output), view.dtype());
        if found != expected {
            return Err(IterationError::OutputDType { output, expected, found }.into());
        }
        if *view.shape() != *self.shape() {
            return Err(IterationError::OutputShape { output }.into());
        }
        let before = core::mem::replace(&mut self.config.outputs[output], Output::View(view));
        let checked = self.check_memory();
        if checked.is_err() {
            self.config.outputs[output] = before;
        }
        self.same_shape = self.all_of_one_shape();
        Ok(checked?)
    }

    /// Takes an output that was allocated; `None` if the output existed before, or if the iteration has not
    /// run.
    #[cfg(feature = "alloc")]
    pub fn take_output(&mut self, output: usize) -> Option<Tensor> {
        let slot = self.config.outputs.get_mut(output)?;
        match core::mem::replace(slot, Output::New) {
            Output::Allocated(tensor) => Some(tensor),
            other => {
                *slot = other;
                None
            }
        }
    }

    /// Returns the inputs as arguments of a call.
    pub(super) fn arguments(&self) -> ArrayVec<Argument<'a>, INPUTS> {
        self.config.inputs.iter().map(|given| self.argument(given)).collect()
    }

    /// Returns an input as an argument of a call.
    #[inline]
    fn argument(&self, given: &Given<'a>) -> Argument<'a> {
        match given {
            Given::Argument(argument) => *argument,
            Given::InPlace(output) => {
                if let Output::View(view) = &self.config.outputs[*output] {
                    return Argument::of_out(view);
                }
                Argument::InPlace(self.output_dtype(*output))
            }
        }
    }

    /// Takes the dtypes of an op. A function of its own, so that building without an op uses little stack.
    #[inline(never)]
    fn take_dtypes_of(&mut self, op: Op) -> Result<(), Error> {
        let OpTypes { common, compute, output } = self.rules.types_of_call(op, &self.arguments())?;
        (self.common, self.compute, self.result) = (Some(common), Some(compute), Some(output));
        self.check_casts(output)
    }

    fn decide_dtypes(&mut self) -> Result<(), Error> {
        let IterationConfig { inputs, promote, same_dtype, cast_to_outputs, safe_casting, .. } =
            &*self.config;
        if *promote && !same_dtype && !inputs.is_empty() {
            self.common = Some(self.promoted()?);
        } else {
            self.common = self.given_dtype()?;
        }
        self.compute = self.common;
        self.result = self.common.filter(|_| *cast_to_outputs);
        match self.common.filter(|_| *safe_casting) {
            Some(common) => self.check_casts(common),
            None => Ok(()),
        }
    }

    /// Returns the one dtype that all inputs have, with the lowest dtype applied, or the dtype that they
    /// promote to. Checks that operands have one dtype if that is required.
    fn given_dtype(&self) -> Result<Option<DType>, Error> {
        let options = &*self.config;
        let (mut first, mut differ) = (None, false);
        for (input, given) in self.config.inputs.iter().enumerate() {
            let found = self.dtype_alone(given)?;
            let expected = *first.get_or_insert(found);
            differ |= found != expected;
            if options.same_dtype && found != expected {
                return Err(IterationError::InputDType { input, expected, found }.into());
            }
            self.at_least(found)?;
        }
        if options.same_dtype {
            let mut first = first;
            for (output, given) in self.config.outputs.iter().enumerate() {
                if !matches!(given, Output::New) {
                    let found = self.output_dtype(output);
                    let expected = *first.get_or_insert(found);
                    if found != expected {
                        return Err(IterationError::OutputDType { output, expected, found }.into());
                    }
                }
            }
        }
        match first.filter(|_| !differ) {
            Some(_) if options.promote => return self.promoted().map(Some),
            Some(common) if !options.integers_to_float => return self.at_least(common).map(Some),
            _ => {}
        }
        let is_new = |output: &Output<'_>| matches!(output, Output::New);
        let new = self.config.static_dtype.is_none() && self.config.outputs.iter().any(is_new);
        let needs = [
            (options.integers_to_float && !options.promote, "promote_integer_inputs_to_float"),
            (options.cast_to_outputs, "cast_common_dtype_to_outputs"),
            (options.safe_casting, "enforce_safe_casting_to_output"),
            (new, "add_new_output"),
        ];
        match needs.iter().find(|(needed, _)| *needed) {
            Some((_, option)) => Err(IterationError::NoCommonDType { option }.into()),
            None => Ok(None),
        }
    }

    /// Returns the dtype that the inputs promote to.
    fn promoted(&self) -> Result<DType, Error> {
        let of = |given: &Given<'a>| match given {
            Given::Argument(argument) => argument.operand(),
            Given::InPlace(_) => self.argument(given).operand(),
        };
        let found = match &self.config.inputs[..] {
            [a, b] => self.rules.result_type(&[of(a), of(b)]),
            inputs => self.rules.result_type(&inputs.iter().map(of).collect::<ArrayVec<_, INPUTS>>()),
        };
        let common = self.at_least(found?.dtype)?;
        if !self.config.integers_to_float || common.kind() >= Kind::Float {
            return Ok(common);
        }
        let quotient = self.rules.op_types(Op::Divide, &[Operand::Array(common); 2])?;
        if quotient.compute.kind() < Kind::Float {
            return Err(IterationError::NoFloat { common }.into());
        }
        Ok(quotient.common)
    }

    /// Promotes a dtype with the lowest dtype, if there is one.
    fn at_least(&self, dtype: DType) -> Result<DType, Error> {
        match self.config.lowest {
            Some(lowest) => Ok(self.rules.promote_types(dtype, lowest)?),
            None => Ok(dtype),
        }
    }

    /// Returns the dtype of an input before any cast; of a number, the one that it promotes to by itself.
    fn dtype_alone(&self, given: &Given<'a>) -> Result<DType, Error> {
        let argument = self.argument(given);
        match argument.dtype() {
            Some(dtype) => Ok(dtype),
            None => Ok(self.rules.result_type(&[argument.operand()])?.dtype),
        }
    }

    /// Returns [`Iteration::dtype_alone`]; the common dtype if the rule set gives a number none.
    fn own_dtype(&self, input: usize) -> DType {
        // `build` has checked that there is one.
        self.dtype_alone(&self.config.inputs[input]).unwrap_or(self.common.unwrap_or(DType::F64))
    }

    /// Checks that the rule set allows the cast of a result to each existing output.
    fn check_casts(&self, result: DType) -> Result<(), Error> {
        for (j, output) in self.config.outputs.iter().enumerate() {
            let own = self.output_dtype(j);
            if own != result && !matches!(output, Output::New) {
                self.rules.can_cast_result(result, own)?;
            }
        }
        Ok(())
    }

    /// Checks that existing outputs have the shape of the iteration, or are resized.
    fn check_shapes(&self) -> Result<(), IterationError> {
        if self.same_shape {
            return Ok(());
        }
        let shape = self.find_shape()?;
        for (output, given) in self.config.outputs.iter().enumerate() {
            let held =
                || self.config.inputs.iter().any(|input| matches!(input, Given::InPlace(j) if *j == output));
            let resized = !matches!(given, Output::View(_)) && self.config.resize && !held();
            if given.shape().is_some_and(|own| *own != *shape) && !resized {
                return Err(IterationError::OutputShape { output });
            }
        }
        Ok(())
    }

    /// Returns true if all operands exist and have one shape: a fast check for the usual case.
    fn all_of_one_shape(&self) -> bool {
        let Some(first) = self.config.outputs.first().and_then(Output::shape) else { return false };
        let IterationConfig { inputs, outputs, static_shape, .. } = &*self.config;
        !inputs.is_empty()
            && inputs.iter().all(|given| self.shape_of(given) == first)
            && static_shape.is_none_or(|shape| shape == first)
            && outputs.iter().all(|output| output.shape() == Some(first))
    }

    fn shape_of<'s>(&'s self, given: &'s Given<'a>) -> &'s [usize] {
        match given {
            Given::Argument(argument) => argument.shape(),
            Given::InPlace(j) => self.config.outputs[*j].shape().unwrap_or(&[]),
        }
    }

    pub(super) fn find_shape(&self) -> Result<Shape, IterationError> {
        let IterationConfig { inputs, outputs, static_shape, resize, .. } = &*self.config;
        let mut shape = Shape::EMPTY;
        if let Some(declared) = static_shape {
            shape.broadcast(declared).map_err(|_| IterationError::Axes { found: declared.len() })?;
        }
        for (input, given) in inputs.iter().enumerate() {
            let own = self.shape_of(given);
            let broadcast = match static_shape {
                Some(declared) => mismatch(own, declared).map_or(Ok(()), Err),
                None => shape.broadcast(own),
            };
            broadcast.map_err(|mismatch| match mismatch {
                Mismatch::Axes { found, .. } => IterationError::Axes { found },
                Mismatch::Length { from_last, expected, found } => {
                    IterationError::InputShape { input, from_last, expected, found }
                }
            })?;
        }
        if (!resize || inputs.is_empty()) && static_shape.is_none() {
            for (output, given) in outputs.iter().enumerate() {
                let broadcast = shape.broadcast(given.shape().unwrap_or(&[]));
                broadcast.map_err(|mismatch| match mismatch {
                    Mismatch::Axes { found, .. } => IterationError::Axes { found },
                    Mismatch::Length { .. } => IterationError::OutputShape { output },
                })?;
            }
        }
        Ok(shape)
    }

    /// Checks that no output overlaps another output, or an input at other positions.
    fn check_memory(&self) -> Result<(), IterationError> {
        for (output, given) in self.config.outputs.iter().enumerate() {
            let Output::View(out) = given else { continue };
            if out.is_borrowed() {
                // A mutable reference is the only one to its memory.
                continue;
            }
            for (input, given) in self.config.inputs.iter().enumerate() {
                let Given::Argument(array @ (Argument::Array(_) | Argument::Weak(_) | Argument::Slice(_))) =
                    given
                else {
                    continue;
                };
                let operand = operand::Operand::of(array, operand::Operand::NONE);
                let partly = operand.overlaps(out) && !operand.is_in_place(out);
                let dense = || operand.layout().is_some_and(|own| own.is_dense()) && out.layout().is_dense();
                if self.config.check_overlap && partly && dense() {
                    return Err(IterationError::Overlap { input, output });
                }
            }
            for (second, other) in self.config.outputs.iter().enumerate().skip(output + 1) {
                if let Output::View(other) = other
                    && operand::Operand::view(other.memory()).overlaps(out)
                {
                    return Err(IterationError::Outputs { first: output, second });
                }
            }
        }
        Ok(())
    }
}
