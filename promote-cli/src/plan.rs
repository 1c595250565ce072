//! Plans the kernel calls that compute an expression over arrays, block by block.
//!
//! Zero-dimensional values are computed when the plan is made, since they may decide dtypes. So are results
//! of reductions, results of calls that broadcast, and what is needed as a whole, which is said on standard
//! error if it is long. What remains are calls over arrays of one shape and operands that broadcast to it.
//! [`Plan::run`] makes all of them for one block of elements after another, so that intermediate results stay
//! in the cache. The operands of reductions are computed block by block as well.

mod blocks;
mod condition;
mod shapes;

use promote::{
    Argument, Call, DType, ExtraKind, Flags, Kind, Level, Number, Op, OpTypes, Operand, Reduction, RuleSet,
};
use promote::{Kernel, ScalarValue, Tensor, TensorView};
use promote_core::__private::KernelOp;
use promote_runtime::__private::kernel::{Accumulator, Enters};

use self::blocks::{Calls, Memory, Source, What, is_cut};
use self::shapes::broadcast;
use crate::array::{self, Array};
use crate::expr::{Along, Expression, Step};
use crate::failure::Failure;
use crate::files::Sink;
use crate::memory::tell;
use crate::progress;
use crate::stored::Input;

/// The number of bytes that a reduction block by block keeps for each element of its result, at most.
const STATE: usize = 56;

/// The calls that compute an expression, and its result.
#[derive(Debug)]
pub struct Plan<'a> {
    memory: Memory<'a>,
    result: Value,
}

/// A value, as far as it is known when the plan is made.
#[derive(Clone, Debug)]
enum Value {
    Array(Held),
    ZeroDim(ScalarValue),
    Number(Number),
}

/// An array with dimensions: its origin, or the calls that compute it block by block.
#[derive(Clone, Debug)]
struct Held {
    source: Source,
    /// Empty for an array in memory or in a file.
    calls: Calls,
    dtype: DType,
    shape: Vec<usize>,
}

/// The value of a step of the expression.
#[derive(Debug)]
struct Placed {
    value: Value,
    step: usize,
}

impl<'a> Plan<'a> {
    /// Plans an expression over arrays, one for each name in the expression.
    ///
    /// Numbers stay numbers: an op of two numbers is computed in 64 bits (integers wrap), in each part of a
    /// complex number, and its result is a number whose kind is that of the result's dtype. If that dtype is
    /// not the one of a number alone, the result is a zero-dimensional array.
    ///
    /// # Errors
    /// Returns an error if the rule set refuses operands, or if the shapes of two operands do not broadcast.
    pub fn new(rules: RuleSet, expression: &Expression, inputs: &'a [Input]) -> Result<Plan<'a>, Failure> {
        let is_copy = matches!(expression.steps[..], [Step::Name(_)]);
        for (name, input) in expression.names.iter().zip(inputs) {
            let dtype = input.dtype();
            if dtype.has_type() {
                rules.result_type(&[operand_of(input)])?;
            } else if !is_copy {
                let why = format!("nothing computes with elements of `{dtype}`, the dtype of `{name}`");
                return Err(Failure::new(why).help(format!(
                    "the expression `{name}` alone copies the array to a `.safetensors` file"
                )));
            }
        }
        let memory = Memory { rules, inputs, made: Vec::new() };
        let mut planner = Planner { rules, expression, memory, weak: false };
        let mut stack: Vec<Placed> = Vec::new();
        for (at, step) in expression.steps.iter().enumerate() {
            let value = match step.clone() {
                Step::Name(index) => named(inputs, index)?,
                Step::Number(number) => Value::Number(number),
                Step::Op(op) => planner.apply(op, Flags::default(), taken(&mut stack, op)?)?,
                Step::Chosen(op, flags, None) => planner.apply(op, flags, taken(&mut stack, op)?)?,
                Step::Chosen(op, flags, Some(reduction)) => {
                    planner.reduce(op, flags, reduction, &taken(&mut stack, op)?)?
                }
                Step::Infix(op) => {
                    let (Some(b), Some(a)) = (stack.pop(), stack.pop()) else { return Err(broken()) };
                    planner.apply(op, Flags::default(), planner.reflected(op, a, b))?
                }
                Step::Whole(op, count, axis) => {
                    let first = stack.len().checked_sub(count).ok_or_else(broken)?;
                    let taken = stack.split_off(first);
                    planner.apply_whole(op, axis, &taken).map_err(|failure| match op {
                        Op::Dot => failure,
                        _ => failure.of(&format!("in `{}`", expression.text(at))),
                    })?
                }
                Step::Cast(dtype) => planner.cast(dtype, stack.pop().ok_or_else(broken)?)?,
                Step::Reduce(op, along) => {
                    let taken = stack.pop().ok_or_else(broken)?;
                    planner.reduce_along((op, at), &along, taken).map_err(|failure| match along.axes {
                        None => failure,
                        Some(_) => failure.of(&format!("in `{}`", expression.text(at))),
                    })?
                }
            };
            stack.push(Placed { value, step: at });
        }
        let result = stack.pop().ok_or_else(broken)?.value;
        Ok(Plan { memory: planner.memory, result })
    }

    /// Returns the dtype of the result.
    ///
    /// # Errors
    /// Returns an error if the result is a number that the rule set does not accept.
    pub fn dtype(&self) -> Result<DType, Failure> {
        match &self.result {
            Value::Array(held) => Ok(held.dtype),
            Value::ZeroDim(value) => Ok(value.dtype()),
            Value::Number(number) => Ok(self.memory.rules.result_type(&[Operand::Number(*number)])?.dtype),
        }
    }

    /// Returns the shape of the result.
    pub fn shape(&self) -> &[usize] {
        match &self.result {
            Value::Array(held) => &held.shape,
            Value::ZeroDim(_) | Value::Number(_) => &[],
        }
    }

    /// Returns the number of elements that [`Plan::run`] computes, or copies.
    pub fn work(&self) -> usize {
        match &self.result {
            Value::Array(held) => held.work(),
            _ => 0,
        }
    }

    /// Computes the result, and passes it to `sink` block by block, in C order. After each block, `done` gets
    /// the number of elements that were computed for it.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory or no kernel, if an op refuses a value, if a file
    /// cannot be read, or if `sink` fails.
    pub fn run(&self, sink: &mut Sink<'_>, mut done: impl FnMut(usize)) -> Result<(), Failure> {
        let held = match &self.result {
            Value::ZeroDim(value) => return sink(Array::scalar(value)?.bytes_mut()),
            Value::Number(number) => {
                return sink(Array::scalar(&array::number_value(*number, self.dtype()?)?)?.bytes_mut());
            }
            Value::Array(held) => held,
        };
        if let Some(stored) = self.memory.stored(held.source).filter(|_| held.calls.is_empty()) {
            let size = held.dtype.size().unwrap_or(1).max(1);
            return stored.copy(&mut |block| {
                done(block.len() / size);
                sink(block)
            });
        }
        let calls = held.calls.len().max(1);
        let size = array::element_size(held.dtype)?;
        self.memory.each_block(held, |_, block| {
            done(block.len() / size * calls);
            sink(block)
        })
    }
}

impl Held {
    /// Returns the number of elements that its calls compute.
    fn work(&self) -> usize {
        array::count(&self.shape).unwrap_or(usize::MAX).saturating_mul(self.calls.len().max(1))
    }

    /// Returns the number of bytes of all elements.
    fn bytes(&self) -> usize {
        let size = self.dtype.size().unwrap_or(1);
        array::count(&self.shape).unwrap_or(usize::MAX).saturating_mul(size)
    }
}

struct Planner<'e, 'a> {
    rules: RuleSet,
    expression: &'e Expression,
    memory: Memory<'a>,
    /// True if an array among the values is weak.
    weak: bool,
}

impl Planner<'_, '_> {
    /// Returns the operands of an infix operator. A number before an array becomes the right operand, as in
    /// Python, where `number * array` calls the array's method: rule sets may convert a number on the right
    /// in another way. Operands stay in order if the order matters.
    fn reflected(&self, op: Op, a: Placed, b: Placed) -> Vec<Placed> {
        let types = |first: &Placed, second: &Placed| {
            self.rules.op_types(op, &[operand(&first.value), operand(&second.value)])
        };
        let commutes = KernelOp::of(op).is_some_and(KernelOp::commutes);
        let number_first = matches!((&a.value, &b.value), (Value::Number(_), Value::Array(_)));
        if commutes && number_first && types(&a, &b) == types(&b, &a) { vec![b, a] } else { vec![a, b] }
    }

    /// Returns the dtypes of a call, and true if its result is weak.
    fn types(&self, op: Op, values: &[Placed]) -> Result<(OpTypes, bool), Failure> {
        self.refuse_weak(op)?;
        // A condition, which precedes the operands, and further inputs take no part in promotion.
        let is = |k: usize, takes| op.extras().get(k).is_some_and(|extra| extra.kind == takes);
        let first = usize::from(is(0, ExtraKind::Condition));
        let operand = |placed: &Placed| operand(&placed.value);
        let mut promoted: Vec<Operand> = values[first..].iter().take(op.arity()).map(operand).collect();
        if is(0, ExtraKind::Operand) {
            promoted.push(operand(&values[op.arity()]));
            let joined = self.rules.result_type(&promoted)?.dtype;
            promoted = vec![Operand::Array(joined); op.arity()];
        }
        let explained = self.rules.explain(Some(op), &promoted)?;
        Ok((explained.types.ok_or_else(broken)?, explained.result.weak))
    }

    fn refuse_weak(&self, op: Op) -> Result<(), Failure> {
        if self.weak {
            return Err(Failure::new(format!("`{op}` of a weakly typed array cannot be computed yet"))
                .help("give its operands dtypes that promote to one that is not weak"));
        }
        Ok(())
    }

    fn apply(&mut self, op: Op, flags: Flags, values: Vec<Placed>) -> Result<Value, Failure> {
        condition::check(self.expression, op, &values)?;
        let (types, weak) = self.types(op, &values)?;
        if values.iter().any(|placed| matches!(placed.value, Value::Array(_))) {
            let shape = broadcast(self.expression, &values)?;
            let call = self.call(What::Op(op, flags), types.output, shape, values)?;
            self.weak = weak;
            return Ok(call);
        }
        let numbers = values.iter().map(|placed| match placed.value {
            Value::Number(number) => Some(number),
            _ => None,
        });
        match numbers.collect::<Option<Vec<Number>>>() {
            // The exponent of `ldexp` has another kind than the result.
            Some(numbers) if op.extras().is_empty() && op != Op::Ldexp => self.numbers(op, &numbers, types),
            _ => self.zero_dim(op, flags, &values, types),
        }
    }

    /// Adds a call over operands of a shape, or that broadcast to it, and returns its value.
    fn call(
        &mut self,
        what: What,
        dtype: DType,
        shape: Vec<usize>,
        values: Vec<Placed>,
    ) -> Result<Value, Failure> {
        array::element_size(dtype)?;
        let (mut calls, mut operands) = (Calls::default(), Vec::new());
        for Placed { value, step } in values {
            operands.push(match value {
                Value::Number(number) => Source::Number(number),
                Value::ZeroDim(value) => Source::ZeroDim(value),
                Value::Array(held) if held.calls.is_empty() => held.source,
                Value::Array(held) if held.shape == shape => calls.after(held.calls, &operands)?,
                // An operand that broadcasts would be computed again for each repetition.
                Value::Array(held) => {
                    let text = self.expression.text(step);
                    tell(&format!("`{text}` broadcasts, and is held in memory as a whole"), held.bytes());
                    let computed = self.memory.compute(&held)?;
                    self.made(computed)
                }
            });
        }
        let source = calls.push(what, operands, dtype);
        Ok(Value::Array(Held { source, calls, dtype, shape }))
    }

    /// Casts a value.
    fn cast(&mut self, dtype: DType, placed: Placed) -> Result<Value, Failure> {
        self.refuse_weak(Op::Astype)?;
        self.rules.result_type(&[Operand::Array(dtype)])?;
        let value = match placed.value {
            Value::Array(Held { ref shape, .. }) => {
                let shape = shape.clone();
                return self.call(What::Cast, dtype, shape, vec![placed]);
            }
            Value::ZeroDim(value) => value,
            Value::Number(number) => {
                let alone = self.rules.result_type(&[Operand::Number(number)])?.dtype;
                array::number_value(number, alone)?
            }
        };
        let (from, mut out) = (Array::scalar(&value)?, Array::zeros(dtype, Vec::new())?);
        self.rules.astype_into(&from.view()?, None, out.view_mut()?)?;
        out.value().map(Value::ZeroDim).ok_or_else(broken)
    }

    /// Keeps an array in memory, and returns it as an operand.
    fn made(&mut self, array: Array) -> Source {
        self.memory.made.push(array);
        Source::Made(self.memory.made.len() - 1)
    }

    /// Reduces an array along axes, or scans it along one, at a step of the expression.
    fn reduce_along(
        &mut self,
        (op, step): (Op, usize),
        along: &Along,
        placed: Placed,
    ) -> Result<Value, Failure> {
        let operand = [placed];
        let (output, weak) = if let Some(dtype) = along.dtype {
            // Elements are cast to it, so that the dtype of the array does not count.
            self.refuse_weak(op)?;
            (dtype, false)
        } else {
            let (types, weak) = self.types(op, &operand)?;
            (types.output, weak)
        };
        let made = match &operand[0].value {
            Value::Array(held) if self.memory.array(held.source).is_none() && RuleSet::is_reduction(op) => {
                self.reduce_blocks((op, output), along, (held, step))?
            }
            value => {
                let computed = self.computed(value, step)?;
                let array = self.whole(value, computed.as_ref())?;
                let view = array.view()?;
                copied(&along.call(self.rules.prepare(op, &[(&view).into()])).run()?)?
            }
        };
        let kept = self.kept(made);
        self.weak |= weak && matches!(kept, Value::Array(_));
        Ok(kept)
    }

    /// Keeps an array in memory, and returns its value.
    fn kept(&mut self, made: Array) -> Value {
        if let Some(value) = made.value() {
            return Value::ZeroDim(value);
        }
        let (dtype, shape) = (made.dtype(), made.shape().to_vec());
        let source = self.made(made);
        Value::Array(Held { source, calls: Calls::default(), dtype, shape })
    }

    /// Reduces an array that is not in memory, block by block if that takes less memory than the array.
    fn reduce_blocks(
        &self,
        (op, output): (Op, DType),
        along: &Along,
        (held, step): (&Held, usize),
    ) -> Result<Array, Failure> {
        let (rules, shape) = (&self.rules, &held.shape);
        array::checked_count(held.dtype, shape)?;
        let text = self.expression.text(step);
        let is_reduced = |axis: usize| {
            let own = axis.cast_signed();
            along.axes.as_ref().is_none_or(|axes| {
                axes.iter().any(|axis| *axis == own || *axis == own - shape.len().cast_signed())
            })
        };
        let progress = progress::bar(held.work());
        let calls = held.calls.len().max(1) as u64;
        let kept: Vec<usize> =
            shape.iter().enumerate().map(|(axis, len)| if is_reduced(axis) { 1 } else { *len }).collect();
        let outputs = array::count(&kept).unwrap_or(usize::MAX);
        tell(
            &format!("the result of `{text}` is held in memory as a whole"),
            outputs.saturating_mul(output.size().unwrap_or(1)),
        );
        // Where each block has all elements of its outputs, it is reduced by itself.
        let alone = (0..shape.len()).all(|axis| !is_reduced(axis) || !is_cut(shape, axis));
        if alone && !shape.contains(&0) {
            let mut flat = Array::zeros(output, vec![outputs])?;
            let mut done = 0;
            self.memory.each_block(held, |block, bytes| {
                let (_, lengths) = block.bounds();
                let count = lengths.iter().product();
                let view = TensorView::new(array::block(held.dtype, bytes, 0..count)?, &lengths)?;
                let found = along.call(rules.prepare(op, &[(&view).into()])).run()?;
                let part = found.as_bytes();
                flat.bytes_mut()[done..done + part.len()].copy_from_slice(part);
                done += part.len();
                progress.inc(count as u64 * calls);
                Ok(())
            })?;
            progress.finish_and_clear();
            let shape = if along.keepdims {
                kept
            } else {
                let lengths = shape.iter().enumerate();
                lengths.filter(|(axis, _)| !is_reduced(*axis)).map(|(_, len)| *len).collect()
            };
            return flat.shaped(shape);
        }
        let states = outputs.saturating_mul(STATE);
        // The median needs all elements at once.
        if op == Op::Median || states > held.bytes().max(STATE) {
            let what = format!("the operand of `{text}` is held in memory as a whole");
            tell(&what, held.bytes());
            let array = self.memory.compute(held)?;
            let view = array.view()?;
            return copied(&along.call(rules.prepare(op, &[(&view).into()])).run()?);
        }
        tell(&format!("`{text}` keeps intermediate results in memory"), states);
        let call = along.call(rules.prepare(op, &[]));
        let mut states = Accumulator::new(&call, Operand::Array(held.dtype), shape)?;
        self.memory.each_block(held, |block, bytes| {
            let (first, lengths) = block.bounds();
            let count = lengths.iter().product();
            let elements = array::block(held.dtype, bytes, 0..count)?;
            states.add(&first, &TensorView::new(elements, &lengths)?)?;
            progress.inc(count as u64 * calls);
            Ok(())
        })?;
        progress.finish_and_clear();
        copied(&states.finish()?)
    }

    /// Computes an op of whole arrays, which are computed first.
    fn apply_whole(&mut self, op: Op, axis: Option<isize>, operands: &[Placed]) -> Result<Value, Failure> {
        self.refuse_weak(op)?;
        let computed = operands.iter().map(|placed| self.computed(&placed.value, placed.step));
        let computed = computed.collect::<Result<Vec<_>, _>>()?;
        let mut views = Vec::new();
        for (placed, computed) in operands.iter().zip(&computed) {
            let array = self.whole(&placed.value, computed.as_ref())?;
            if op == Op::Dot && array.shape().len() != 1 {
                let (text, shape) = (self.expression.text(placed.step), array::shape_text(array.shape()));
                return Err(Failure::new(format!(
                    "`dot` takes arrays of one axis, and `{text}` has the shape {shape}"
                ))
                .help("for the sum over all axes, write `sum(a * b)`"));
            }
            views.push(array.view()?);
        }
        let mut arguments = Vec::new();
        for (placed, view) in operands.iter().zip(&views) {
            arguments.push(match placed.value {
                Value::Number(number) if op == Op::Isin => Argument::Number(number),
                _ => Argument::Array(view),
            });
        }
        let call = self.rules.prepare(op, &arguments);
        let found = copied(&axis.map_or(call, |axis| call.axis(axis)).run()?)?;
        Ok(self.kept(found))
    }

    /// Computes all elements of a value, of this step; `None` if they are in memory already.
    fn computed(&self, value: &Value, step: usize) -> Result<Option<Array>, Failure> {
        match value {
            Value::Array(held) => self.broadcast(held, &held.shape, step),
            Value::ZeroDim(value) => Array::scalar(value).map(Some),
            Value::Number(number) => {
                let alone = self.rules.result_type(&[Operand::Number(*number)])?.dtype;
                Array::scalar(&array::number_value(*number, alone)?).map(Some)
            }
        }
    }

    /// Returns all elements of a value, after [`Planner::computed`].
    fn whole<'w>(&'w self, value: &Value, computed: Option<&'w Array>) -> Result<&'w Array, Failure> {
        let held = match value {
            Value::Array(held) => self.memory.array(held.source),
            _ => None,
        };
        computed.or(held).ok_or_else(broken)
    }

    /// Computes the sum or the mean of a loss. The operands are computed as a whole first.
    fn reduce(
        &mut self,
        op: Op,
        flags: Flags,
        reduction: Reduction,
        values: &[Placed],
    ) -> Result<Value, Failure> {
        self.types(op, values)?;
        let shape = broadcast(self.expression, values)?;
        let whole = |placed: &Placed| match &placed.value {
            Value::Array(held) => self.broadcast(held, &shape, placed.step),
            _ => Ok(None),
        };
        let computed = values.iter().map(whole).collect::<Result<Vec<_>, _>>()?;
        let mut arguments = Vec::new();
        for (placed, computed) in values.iter().zip(&computed) {
            arguments.push(match (&placed.value, computed) {
                (_, Some(computed)) => Argument::Slice(computed.elements()?),
                (Value::Array(held), None) => {
                    Argument::Slice(self.memory.array(held.source).ok_or_else(broken)?.elements()?)
                }
                (Value::ZeroDim(value), None) => Argument::ZeroDim(*value),
                (Value::Number(number), None) => Argument::Number(*number),
            });
        }
        Ok(Value::ZeroDim(self.rules.reduced(op, flags, &arguments, reduction)?))
    }

    /// Broadcasts an array, of this step, to a shape in memory; `None` if the array has the shape and is in
    /// memory.
    fn broadcast(&self, held: &Held, shape: &[usize], step: usize) -> Result<Option<Array>, Failure> {
        let text = self.expression.text(step);
        let whole = array::count(shape).unwrap_or(usize::MAX).saturating_mul(held.dtype.size().unwrap_or(1));
        let computed = match self.memory.array(held.source) {
            Some(_) if held.shape == shape => return Ok(None),
            Some(_) => None,
            None => {
                tell(&format!("`{text}` is held in memory as a whole"), held.bytes());
                Some(self.memory.compute(held)?)
            }
        };
        if held.shape == shape {
            return Ok(computed);
        }
        tell(&format!("`{text}` is repeated in memory"), whole);
        let array = computed.as_ref().or(self.memory.array(held.source)).ok_or_else(broken)?;
        let mut out = Array::zeros(held.dtype, shape.to_vec())?;
        self.rules.astype_into(&array.view()?, None, out.view_mut()?)?;
        Ok(Some(out))
    }

    fn zero_dim(&self, op: Op, flags: Flags, values: &[Placed], types: OpTypes) -> Result<Value, Failure> {
        let argument = |placed: &Placed| match placed.value {
            Value::ZeroDim(value) => Ok(Argument::ZeroDim(value)),
            Value::Number(number) => Ok(Argument::Number(number)),
            Value::Array(_) => Err(broken()),
        };
        let arguments = values.iter().map(argument).collect::<Result<Vec<_>, _>>()?;
        let mut out = Array::zeros(types.output, Vec::new())?;
        self.rules.prepare(op, &arguments).flags(flags).out(out.view_mut()?).run()?;
        out.value().map(Value::ZeroDim).ok_or_else(broken)
    }

    /// Computes an op of numbers, in the widest dtype of their kind.
    fn numbers(&self, op: Op, numbers: &[Number], types: OpTypes) -> Result<Value, Failure> {
        let zero_dim = || {
            let placed = |x: &Number| Placed { value: Value::Number(*x), step: 0 };
            let values: Vec<Placed> = numbers.iter().map(placed).collect();
            self.zero_dim(op, Flags::default(), &values, types)
        };
        let (Some(common), Some(output)) = (widest(types.common), widest(types.output)) else {
            return zero_dim();
        };
        for number in numbers {
            if let Number::Int(int) = *number
                && common == DType::I64
                && i64::try_from(int).is_err()
            {
                let message =
                    format!("{int} cannot be computed with among numbers alone: it has more than 63 bits");
                return Err(Failure::new(message).help("compute with an array first"));
            }
        }
        let wide = OpTypes { common, compute: common, output };
        let table = self.rules.tables().op_table(op);
        let kernel = table.and_then(|table| table.kernel).ok_or_else(broken)?;
        let operand = (common, Enters::Common);
        let kernel =
            Kernel::find_at(Level::active(), promote::__private::KERNELS, kernel, operand, operand, wide)?;
        let mut inputs = Vec::new();
        for number in numbers {
            inputs.push(ScalarValue::from_number(*number, common)?.into());
        }
        let mut out = Array::zeros(output, Vec::new())?;
        kernel.call_inputs(&inputs, array::block_mut(output, out.bytes_mut(), 0..1)?)?;
        let number = out.value().and_then(|value| value.number()).ok_or_else(broken)?;
        if self.rules.result_type(&[Operand::Number(number)]).is_ok_and(|alone| alone.dtype == types.output) {
            Ok(Value::Number(number))
        } else {
            zero_dim()
        }
    }
}

impl Along {
    /// Adds the arguments to a call.
    fn call<'c, 'a>(&'c self, mut call: Call<'c, 'a>) -> Call<'c, 'a> {
        if let Some(axes) = &self.axes {
            call = call.axes(&axes[..]);
        }
        if let Some(dtype) = self.dtype {
            call = call.dtype(dtype);
        }
        if let Some(correction) = self.correction {
            call = call.correction(correction);
        }
        call.keep_dims(self.keepdims)
    }
}

/// Returns the widest dtype of a dtype's kind.
fn widest(dtype: DType) -> Option<DType> {
    match dtype.kind() {
        Kind::Bool => Some(DType::Bool),
        Kind::Unsigned | Kind::Signed => Some(DType::I64),
        Kind::Float => Some(DType::F64),
        Kind::Complex => Some(DType::C128),
        _ => None,
    }
}

/// Pops the inputs of an op.
fn taken(stack: &mut Vec<Placed>, op: Op) -> Result<Vec<Placed>, Failure> {
    let first = stack.len().checked_sub(op.inputs()).ok_or_else(broken)?;
    Ok(stack.split_off(first))
}

fn named(inputs: &[Input], index: usize) -> Result<Value, Failure> {
    let input = inputs.get(index).ok_or_else(broken)?;
    if let Input::Held(array) = input
        && let Some(value) = array.value()
    {
        return Ok(Value::ZeroDim(value));
    }
    let (dtype, shape) = (input.dtype(), input.shape().to_vec());
    Ok(Value::Array(Held { source: Source::Input(index), calls: Calls::default(), dtype, shape }))
}

/// Returns a value as an operand of promotion. Rule sets that look at values see that of a zero-dimensional
/// array.
fn operand(value: &Value) -> Operand {
    match value {
        Value::Array(held) => Operand::Array(held.dtype),
        Value::ZeroDim(value) => Operand::ZeroDim(value.dtype(), value.number()),
        Value::Number(number) => Operand::Number(*number),
    }
}

fn copied(tensor: &Tensor) -> Result<Array, Failure> {
    let mut array = Array::zeros(tensor.dtype(), tensor.shape().to_vec())?;
    array.bytes_mut().copy_from_slice(tensor.as_bytes());
    Ok(array)
}

/// Returns an array as an operand of promotion.
pub(crate) fn operand_of(input: &Input) -> Operand {
    match input {
        Input::Held(array) if array.shape().is_empty() => {
            Operand::ZeroDim(array.dtype(), array.value().and_then(|value| value.number()))
        }
        _ => Operand::Array(input.dtype()),
    }
}

fn broken() -> Failure {
    Failure::new("a mistake of `promote` itself: an expression was planned wrongly")
}
