//! What an iteration does: its dtypes and its shape, decided and checked.

use arrayvec::ArrayVec;

use super::shape::{Misfit, misfit};
use super::{Given, IterationConfig, IterationError, Output, Shape};
use crate::dispatch::{Argument, Error};
use crate::kernel::ScalarValue;
use crate::kernel::strided::several::INPUTS;
use crate::kernel::strided::{in_same_places, overlaps};
use crate::rule_set::{Operand, RuleSet};
#[cfg(feature = "alloc")]
use crate::view::tensor::Tensor;
use crate::view::{TensorView, TensorViewMut};
use crate::{DType, Kind};
use crate::{Op, OpTypes};

/// A configuration whose dtypes and shape are decided: what is asked of it, and what runs it.
///
/// It borrows the [`IterationConfig`], which can be built again afterwards: outputs that were allocated are
/// then outputs that are given.
#[derive(Debug)]
pub struct Iteration<'c, 'a> {
    pub(super) config: &'c mut IterationConfig<'a>,
    pub(super) rules: RuleSet,
    /// There where inputs are promoted, are all of one dtype, or an op decided.
    pub(super) common: Option<DType>,
    compute: Option<DType>,
    /// Of which dtype a function gives results, where that is one.
    pub(super) result: Option<DType>,
    /// Whether all inputs and outputs are there and have one shape.
    pub(super) same_shape: bool,
}

/// An error with the builder's word for it.
pub(super) fn wrong(error: IterationError) -> Error {
    Error::Iteration(error)
}

impl<'c, 'a> Iteration<'c, 'a> {
    pub(super) fn new(config: &'c mut IterationConfig<'a>, rules: RuleSet) -> Result<Self, Error> {
        let mut made = Iteration::undecided(config, rules)?;
        made.decide_dtypes()?;
        made.check()?;
        Ok(made)
    }

    pub(super) fn of_op(config: &'c mut IterationConfig<'a>, rules: RuleSet, op: Op) -> Result<Self, Error> {
        let mut made = Iteration::undecided(config, rules)?;
        let OpTypes { common, compute, output } = rules.types_of_call(op, &made.arguments())?;
        (made.common, made.compute, made.result) = (Some(common), Some(compute), Some(output));
        made.check_casts(output)?;
        made.check()?;
        Ok(made)
    }

    /// # Errors
    ///
    /// There are more operands than there is room for: an input may then be what an output holds that is not
    /// there.
    fn undecided(config: &'c mut IterationConfig<'a>, rules: RuleSet) -> Result<Self, Error> {
        if config.too_many {
            return Err(wrong(IterationError::TooMany));
        }
        Ok(Iteration { config, rules, common: None, compute: None, result: None, same_shape: false })
    }

    /// The dtype to which inputs are cast; none where they are of several and are not promoted.
    pub const fn common_dtype(&self) -> Option<DType> {
        self.common
    }

    /// The dtype in which the op of [`IterationConfig::build_op`] computes, which may be wider; else the
    /// common dtype.
    pub const fn compute_dtype(&self) -> Option<DType> {
        self.compute
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.config.inputs.len()
    }

    /// How many outputs there are.
    pub fn outputs(&self) -> usize {
        self.config.outputs.len()
    }

    /// The dtype that a function is handed of an input.
    ///
    /// # Panics
    ///
    /// If there is no such input.
    pub fn input_dtype(&self, input: usize) -> DType {
        let own = self.own_dtype(self.config.inputs[input]);
        match (self.common, self.config.words.promote || self.result.is_some()) {
            (Some(common), true) => common,
            // That it promotes to one was seen when the iteration was built.
            _ => self.at_least(own).unwrap_or(own),
        }
    }

    /// Whether an input is cast before a function has it. A number without a width is none of a dtype yet,
    /// and is not cast.
    ///
    /// # Panics
    ///
    /// If there is no such input.
    pub fn is_cast(&self, input: usize) -> bool {
        let given = self.config.inputs[input];
        !matches!(given, Given::Argument(Argument::Number(_)))
            && self.own_dtype(given) != self.input_dtype(input)
    }

    /// The dtype of an output.
    ///
    /// # Panics
    ///
    /// If there is no such output.
    pub fn output_dtype(&self, output: usize) -> DType {
        match &self.config.outputs[output] {
            Output::View(view) => view.dtype(),
            #[cfg(feature = "alloc")]
            Output::Tensor(tensor) => tensor.dtype(),
            #[cfg(feature = "alloc")]
            Output::Made(tensor) => tensor.dtype(),
            // That there is one was seen when the iteration was built.
            Output::New => self.config.static_dtype.or(self.result).or(self.common).unwrap_or(DType::F64),
        }
    }

    /// The dtype in which a function is to write an output, which is cast to its own afterwards.
    ///
    /// # Panics
    ///
    /// If there is no such output.
    pub fn result_dtype(&self, output: usize) -> DType {
        self.result.unwrap_or_else(|| self.output_dtype(output))
    }

    /// The shape to which the inputs broadcast, or the one that was declared.
    pub fn shape(&self) -> Shape {
        // All of it was seen when the iteration was built.
        self.find_shape().unwrap_or(Shape::EMPTY)
    }

    /// Gives room to an output: one that is to be allocated, or in place of another.
    ///
    /// # Errors
    ///
    /// It has another dtype than [`Iteration::output_dtype`], or another shape than [`Iteration::shape`]; it
    /// overlaps another operand, as in [`IterationConfig::build`]; or there is no such output. The output is
    /// then what it was.
    pub fn set_output(&mut self, output: usize, view: TensorViewMut<'a>) -> Result<(), Error> {
        if output >= self.outputs() {
            return Err(wrong(IterationError::NoRoom { output }));
        }
        let (expected, found) = (self.output_dtype(output), view.dtype());
        if found != expected {
            return Err(wrong(IterationError::OutputDType { output, expected, found }));
        }
        if *view.shape() != *self.shape() {
            return Err(wrong(IterationError::OutputShape { output }));
        }
        let before = core::mem::replace(&mut self.config.outputs[output], Output::View(view));
        let checked = self.check_memory();
        if checked.is_err() {
            self.config.outputs[output] = before;
        }
        self.same_shape = self.all_of_one_shape();
        Ok(checked?)
    }

    /// An output that was allocated, once it is computed.
    #[cfg(feature = "alloc")]
    pub fn take_output(&mut self, output: usize) -> Option<Tensor> {
        let place = self.config.outputs.get_mut(output)?;
        if !matches!(place, Output::Made(_)) {
            return None;
        }
        match core::mem::replace(place, Output::New) {
            Output::Made(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The inputs as a call takes them.
    pub(super) fn arguments(&self) -> ArrayVec<Argument<'a>, INPUTS> {
        let of = |given: &Given<'a>| match given {
            Given::Argument(argument) => *argument,
            Given::Held(j) => self.held(*j),
        };
        self.config.inputs.iter().map(of).collect()
    }

    /// An input as promotion sees it.
    #[inline]
    fn operand(&self, given: &Given<'a>) -> Operand {
        match given {
            Given::Argument(argument) => argument.operand(),
            Given::Held(j) => self.held(*j).operand(),
        }
    }

    /// An input that an output holds.
    fn held(&self, output: usize) -> Argument<'a> {
        // Whether the rule set takes it for a zero-dimensional one, it sees by its value.
        match self.held_element(output) {
            Some(element) => Argument::ZeroDim(element),
            None => Argument::InPlace(self.output_dtype(output)),
        }
    }

    /// What an output holds that has no axes.
    fn held_element(&self, output: usize) -> Option<ScalarValue> {
        if let Output::View(view) = self.config.outputs.get(output)? {
            view.as_view()?.zero_dim()
        } else {
            None
        }
    }

    fn decide_dtypes(&mut self) -> Result<(), Error> {
        let words = self.config.words;
        if words.promote && !words.same_dtype && !self.config.inputs.is_empty() {
            self.common = Some(self.promoted()?);
        } else {
            self.common = self.given_dtype()?;
        }
        self.compute = self.common;
        self.result = self.common.filter(|_| words.cast_to_outputs);
        match self.common.filter(|_| words.safe_casting) {
            Some(common) => self.check_casts(common),
            None => Ok(()),
        }
    }

    /// The common dtype of inputs of which each has its own: what they promote to, if they are promoted, or
    /// the one that all have. They, and the outputs, may have to have one.
    fn given_dtype(&self) -> Result<Option<DType>, Error> {
        let words = self.config.words;
        let (mut first, mut differ) = (None, false);
        for (input, given) in self.config.inputs.iter().enumerate() {
            let found = match given {
                Given::Argument(Argument::Number(number)) => {
                    self.rules.result_type(&[Operand::Number(*number)])?.dtype
                }
                given => self.own_dtype(*given),
            };
            let expected = *first.get_or_insert(found);
            differ |= found != expected;
            if words.same_dtype && found != expected {
                return Err(wrong(IterationError::InputDType { input, expected, found }));
            }
            self.at_least(found)?;
        }
        if words.same_dtype {
            let mut first = first;
            for (output, given) in self.config.outputs.iter().enumerate() {
                if !matches!(given, Output::New) {
                    let found = self.output_dtype(output);
                    let expected = *first.get_or_insert(found);
                    if found != expected {
                        return Err(wrong(IterationError::OutputDType { output, expected, found }));
                    }
                }
            }
        }
        match first.filter(|_| !differ) {
            Some(_) if words.promote => return self.promoted().map(Some),
            Some(common) if !words.integers_to_float => return self.at_least(common).map(Some),
            _ => {}
        }
        let is_new = |output: &Output<'_>| matches!(output, Output::New);
        let new = self.config.static_dtype.is_none() && self.config.outputs.iter().any(is_new);
        let needs = [
            (words.integers_to_float && !words.promote, "promote_integer_inputs_to_float"),
            (words.cast_to_outputs, "cast_common_dtype_to_outputs"),
            (words.safe_casting, "enforce_safe_casting_to_output"),
            (new, "add_new_output"),
        ];
        match needs.iter().find(|(needed, _)| *needed) {
            Some((_, word)) => Err(wrong(IterationError::NoCommonDType { word })),
            None => Ok(None),
        }
    }

    /// What the inputs promote to.
    fn promoted(&self) -> Result<DType, Error> {
        let of = |given| self.operand(given);
        let found = match &self.config.inputs[..] {
            [a, b] => self.rules.result_type(&[of(a), of(b)]),
            inputs => self.rules.result_type(&inputs.iter().map(of).collect::<ArrayVec<_, INPUTS>>()),
        };
        let common = self.at_least(found?.dtype)?;
        if !self.config.words.integers_to_float || common.kind() >= Kind::Float {
            return Ok(common);
        }
        let quotient = self.rules.op_types(Op::Divide, &[Operand::Array(common); 2])?;
        if quotient.compute.kind() < Kind::Float {
            return Err(wrong(IterationError::NoFloat { common }));
        }
        Ok(quotient.common)
    }

    /// What a dtype and the lowest one promote to.
    fn at_least(&self, dtype: DType) -> Result<DType, Error> {
        match self.config.lowest {
            Some(lowest) => Ok(self.rules.promote_types(dtype, lowest)?),
            None => Ok(dtype),
        }
    }

    /// Of a number the dtype that it has alone, or the one that it enters.
    fn own_dtype(&self, given: Given<'_>) -> DType {
        match given {
            Given::Held(j) => self.output_dtype(j),
            Given::Argument(Argument::Array(slice)) => slice.dtype(),
            Given::Argument(Argument::View(view)) => view.dtype(),
            Given::Argument(Argument::ZeroDim(value)) => value.dtype(),
            Given::Argument(Argument::InPlace(dtype)) => dtype,
            Given::Argument(Argument::Number(number)) => {
                let alone = self.rules.result_type(&[Operand::Number(number)]);
                // What it is alone was seen when the iteration was built, unless it has a common dtype.
                alone.map_or(self.common.unwrap_or(DType::F64), |found| found.dtype)
            }
        }
    }

    /// Whether the rule set allows the cast of a result to each output that is given.
    fn check_casts(&self, result: DType) -> Result<(), Error> {
        for (j, output) in self.config.outputs.iter().enumerate() {
            let own = self.output_dtype(j);
            if own != result && !matches!(output, Output::New) {
                self.rules.can_cast_result(result, own)?;
            }
        }
        Ok(())
    }

    /// Shapes and memory.
    fn check(&mut self) -> Result<(), Error> {
        self.same_shape = self.all_of_one_shape();
        self.check_shapes().and_then(|()| self.check_memory()).map_err(wrong)
    }

    fn check_shapes(&self) -> Result<(), IterationError> {
        if self.same_shape {
            return Ok(());
        }
        let shape = self.find_shape()?;
        for (output, given) in self.config.outputs.iter().enumerate() {
            let held =
                || self.config.inputs.iter().any(|input| matches!(input, Given::Held(j) if *j == output));
            let resized = given.is_resizable() && self.config.words.resize && !held();
            if given.shape().is_some_and(|own| *own != *shape) && !resized {
                return Err(IterationError::OutputShape { output });
            }
        }
        Ok(())
    }

    /// Whether every operand but numbers has one shape: the usual case, seen soon.
    fn all_of_one_shape(&self) -> bool {
        let Some(first) = self.config.outputs.first().and_then(Output::shape) else { return false };
        let inputs = self.config.inputs.iter().all(|given| match given {
            Given::Argument(Argument::View(view)) => view.shape() == first,
            Given::Argument(Argument::Array(slice)) => [slice.len()] == *first,
            Given::Argument(_) => false,
            Given::Held(j) => *j == 0,
        });
        let outputs = || self.config.outputs.iter().all(|output| output.shape() == Some(first));
        inputs
            && !self.config.inputs.is_empty()
            && self.config.static_shape.is_none_or(|shape| shape == first)
            && outputs()
    }

    pub(super) fn find_shape(&self) -> Result<Shape, IterationError> {
        let mut shape = Shape::EMPTY;
        if let Some(declared) = self.config.static_shape {
            shape = Shape::new(declared)?;
        }
        for (input, given) in self.config.inputs.iter().enumerate() {
            let alone;
            let own = match given {
                Given::Argument(Argument::View(view)) => view.shape(),
                Given::Argument(Argument::Array(slice)) => {
                    alone = [slice.len()];
                    &alone[..]
                }
                Given::Argument(_) => &[],
                Given::Held(j) => self.config.outputs[*j].shape().unwrap_or(&[]),
            };
            let misfits = |Misfit { from_last, expected, found }| IterationError::InputShape {
                input,
                from_last,
                expected,
                found,
            };
            match self.config.static_shape {
                Some(declared) => misfit(own, declared).map_or(Ok(()), |at| Err(misfits(at)))?,
                None => shape.grow(own, misfits)?,
            }
        }
        let decide = !self.config.words.resize || self.config.inputs.is_empty();
        if decide && self.config.static_shape.is_none() {
            for (output, given) in self.config.outputs.iter().enumerate() {
                shape.grow(given.shape().unwrap_or(&[]), |_| IterationError::OutputShape { output })?;
            }
        }
        Ok(shape)
    }

    /// Whether outputs overlap what they must not.
    fn check_memory(&self) -> Result<(), IterationError> {
        for (output, given) in self.config.outputs.iter().enumerate() {
            let Output::View(out) = given else { continue };
            if out.is_borrowed() {
                // No other operand shares its memory.
                continue;
            }
            for (input, given) in self.config.inputs.iter().enumerate() {
                let view = match given {
                    Given::Argument(Argument::View(view)) => **view,
                    Given::Argument(Argument::Array(slice)) => TensorView::from(*slice),
                    _ => continue,
                };
                let partly = overlaps(&view, out) && !in_same_places(&view, out);
                let dense = || view.layout().is_dense() && out.layout().is_dense();
                if self.config.words.check_overlap && partly && dense() {
                    return Err(IterationError::Overlap { input, output });
                }
            }
            for (second, other) in self.config.outputs.iter().enumerate().skip(output + 1) {
                if let Output::View(other) = other
                    && overlaps(&other.places(), out)
                {
                    return Err(IterationError::Outputs { first: output, second });
                }
            }
        }
        Ok(())
    }
}
