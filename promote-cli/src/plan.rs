//! From an expression and arrays to the calls of kernels that compute it, block by block.
//!
//! What has no dimensions is computed when the plan is made; what is left are calls over arrays of one shape, which
//! [`Plan::run`] makes for one block of elements after another, so that what lies between them stays in the cache.

use promote::kernel::{Enters, Kernel, KernelOp, ScalarValue};
use promote::{Argument, DType, Flags, Kind, Level, Number, Op, OpTypes, Operand, Reduction, RuleSet, Takes};

use crate::array::{self, Array, Bytes};
use crate::expr::{Expression, Step};
use crate::failure::Failure;

/// How many elements a block has.
const BLOCK: usize = 1 << 14;

/// How many inputs an op has at most.
const MOST: usize = 4;

/// What is to be called, and what comes of it.
#[derive(Debug)]
pub struct Plan<'a> {
    rules: RuleSet,
    inputs: &'a [Array],
    calls: Vec<Call>,
    /// How many blocks lie between the calls.
    slots: usize,
    result: Value,
    shape: Vec<usize>,
}

/// A call for every block.
#[derive(Clone, Copy, Debug)]
struct Call {
    op: Op,
    flags: Flags,
    /// As many as [`Op::inputs`] says; the first stands for those that are not there.
    operands: [Source; MOST],
    dtype: DType,
    slot: usize,
}

/// Where an operand of a call comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Input(usize),
    Slot(usize, DType),
    ZeroDim(ScalarValue),
    Number(Number),
}

/// What is known of a value when the plan is made.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// Of an array, where it will be.
    Array(Source, DType),
    ZeroDim(ScalarValue),
    Number(Number),
}

impl<'a> Plan<'a> {
    /// Plans an expression over arrays, of which each belongs to the name of the same position.
    ///
    /// Numbers stay numbers: what comes of two of them is computed in 64 bits (integers wrap), in each part if it is
    /// complex, and is a number again, of the kind of the dtype that the rule set gives. Only where that dtype is not
    /// what a number of this kind is when it stands alone, the result is an array without dimensions.
    ///
    /// # Errors
    /// The rule set refuses, or the shapes of two arrays differ.
    pub fn new(rules: RuleSet, expression: &Expression, inputs: &'a [Array]) -> Result<Plan<'a>, Failure> {
        let shape = common_shape(&expression.names, inputs)?;
        for input in inputs {
            rules.result_type(&[operand_of(input)])?;
        }
        let mut planner = Planner {
            rules,
            inputs,
            shape: shape.clone(),
            calls: Vec::new(),
            free: Vec::new(),
            slots: 0,
            weak: false,
        };
        let mut stack = Vec::new();
        for step in &expression.steps {
            let value = match *step {
                Step::Name(index) => named(inputs, index)?,
                Step::Number(number) => Value::Number(number),
                Step::Op(op) => planner.apply(op, Flags::default(), &taken(&mut stack, op)?)?,
                Step::Chosen(op, flags, None) => planner.apply(op, flags, &taken(&mut stack, op)?)?,
                Step::Chosen(op, flags, Some(reduction)) => {
                    planner.reduce(op, flags, reduction, &taken(&mut stack, op)?)?
                }
                Step::Infix(op) => {
                    let (Some(b), Some(a)) = (stack.pop(), stack.pop()) else { return Err(broken()) };
                    planner.apply(op, Flags::default(), &planner.reflected(op, a, b))?
                }
            };
            stack.push(value);
        }
        let result = stack.pop().ok_or_else(broken)?;
        let Planner { calls, slots, .. } = planner;
        let shape = if matches!(result, Value::Array(..)) { shape } else { Vec::new() };
        Ok(Plan { rules, inputs, calls, slots, result, shape })
    }

    /// The dtype of the result.
    ///
    /// # Errors
    /// The result is a number that is no operand under the rule set.
    pub fn dtype(&self) -> Result<DType, Failure> {
        match self.result {
            Value::Array(_, dtype) => Ok(dtype),
            Value::ZeroDim(value) => Ok(value.dtype()),
            Value::Number(number) => Ok(self.rules.result_type(&[Operand::Scalar(number)])?.dtype),
        }
    }

    /// How many elements are computed, by all calls.
    pub fn work(&self) -> usize {
        array::count(&self.shape).unwrap_or(usize::MAX).saturating_mul(self.calls.len())
    }

    /// Computes the result, and tells after each block how many elements were computed for it.
    ///
    /// # Errors
    /// There is not enough memory, or no kernel.
    pub fn run(&self, mut done: impl FnMut(usize)) -> Result<Array, Failure> {
        let source = match self.result {
            Value::Array(source, _) => source,
            Value::ZeroDim(value) => return Array::scalar(&value),
            Value::Number(number) => return Array::scalar(&array::number_value(number, self.dtype()?)?),
        };
        let mut out = Array::zeros(self.dtype()?, self.shape.clone())?;
        if let Source::Input(index) = source {
            out.bytes_mut().copy_from_slice(self.inputs[index].bytes());
            return Ok(out);
        }
        let n = out.len();
        let memory =
            |_| Bytes::zeros(BLOCK.min(n) * LARGEST).ok_or_else(|| Failure::new("there is no memory"));
        let mut slots: Vec<Bytes> = (0..self.slots).map(memory).collect::<Result<_, _>>()?;
        let Some((last, others)) = self.calls.split_last() else {
            return Err(broken());
        };
        for start in (0..n).step_by(BLOCK) {
            let range = start..n.min(start + BLOCK);
            for call in others {
                // It reads other slots than the one it writes.
                let mut bytes = std::mem::take(&mut slots[call.slot]);
                let outcome = self.call(call, &slots, &range, bytes.get_mut(), 0..range.len());
                slots[call.slot] = bytes;
                outcome?;
            }
            self.call(last, &slots, &range, out.bytes_mut(), range.clone())?;
            done(range.len() * self.calls.len());
        }
        Ok(out)
    }

    fn call(
        &self,
        call: &Call,
        slots: &[Bytes],
        range: &std::ops::Range<usize>,
        out: &mut [u8],
        place: std::ops::Range<usize>,
    ) -> Result<(), Failure> {
        let argument = |source| -> Result<Argument<'_>, Failure> {
            Ok(match source {
                Source::Input(index) => {
                    let input: &Array = &self.inputs[index];
                    Argument::Array(array::block(input.dtype(), input.bytes(), range.clone())?)
                }
                Source::Slot(slot, dtype) => {
                    Argument::Array(array::block(dtype, slots[slot].get(), 0..range.len())?)
                }
                Source::ZeroDim(value) => Argument::ZeroDim(value),
                Source::Number(number) => Argument::Number(number),
            })
        };
        let count = call.op.inputs();
        let mut arguments = [Argument::Number(Number::Bool(false)); MOST];
        for (argument_, source) in arguments.iter_mut().zip(&call.operands[..count]) {
            *argument_ = argument(*source)?;
        }
        let out = array::block_mut(call.dtype, out, place)?;
        Ok(self.rules.elementwise_with(call.op, call.flags, &arguments[..count], out)?)
    }
}

/// The size of the largest element.
const LARGEST: usize = 16;

struct Planner<'a> {
    rules: RuleSet,
    inputs: &'a [Array],
    /// Of all arrays that have dimensions.
    shape: Vec<usize>,
    calls: Vec<Call>,
    /// Slots whose value was used.
    free: Vec<usize>,
    slots: usize,
    /// Whether an array among the values is weak.
    weak: bool,
}

impl Planner<'_> {
    /// A number before an array, as Python has it: `number * array` is `array * number` there, and a rule set may treat
    /// a number on the right in a way of its own. Only where the order does not matter otherwise.
    fn reflected(&self, op: Op, a: Value, b: Value) -> [Value; 2] {
        let types =
            |first: &Value, second: &Value| self.rules.op_types(op, &[operand(first), operand(second)]);
        let commutes = KernelOp::from_name(op.name()).is_some_and(KernelOp::commutes);
        let number_first = matches!((&a, &b), (Value::Number(_), Value::Array(..)));
        if commutes && number_first && types(&a, &b) == types(&b, &a) { [b, a] } else { [a, b] }
    }

    /// The dtypes of a call, and whether its result is weak.
    fn types(&self, op: Op, values: &[Value]) -> Result<(OpTypes, bool), Failure> {
        if self.weak {
            return Err(Failure::new(format!("`{op}` of a weakly typed array cannot be computed yet"))
                .help("give its operands dtypes that promote to one that is not weak"));
        }
        // A condition, which stands before the operands, and what stands behind them decide no dtype.
        let is = |k: usize, takes| op.extras().get(k).is_some_and(|extra| extra.takes == takes);
        let first = usize::from(is(0, Takes::Truth));
        let mut promoted: Vec<Operand> = values[first..].iter().take(op.arity()).map(operand).collect();
        if is(0, Takes::Operand) {
            promoted.push(operand(&values[op.arity()]));
            let joined = self.rules.result_type(&promoted)?.dtype;
            promoted = vec![Operand::Array(joined); op.arity()];
        }
        let explained = self.rules.explain(Some(op), &promoted)?;
        Ok((explained.types.ok_or_else(broken)?, explained.result.weak))
    }

    /// The slots of these values are free for others.
    fn release(&mut self, values: &[Value]) {
        for value in values {
            // The same value cannot be an operand twice: only names can.
            if let Value::Array(Source::Slot(slot, _), _) = *value {
                self.free.push(slot);
            }
        }
    }

    /// The sum or the mean of what an op gives. It looks at all elements at once, so what it takes is computed first.
    fn reduce(
        &mut self,
        op: Op,
        flags: Flags,
        reduction: Reduction,
        values: &[Value],
    ) -> Result<Value, Failure> {
        self.types(op, values)?;
        let whole = |value: &Value| match *value {
            Value::Array(Source::Slot(slot, _), _) => self.computed(slot, *value).map(Some),
            _ => Ok(None),
        };
        let computed = values.iter().map(whole).collect::<Result<Vec<_>, _>>()?;
        let mut arguments = Vec::new();
        for (value, computed) in values.iter().zip(&computed) {
            arguments.push(match (source(*value), computed) {
                (_, Some(computed)) => Argument::Array(computed.elements()?),
                (Source::Input(index), _) => Argument::Array(self.inputs[index].elements()?),
                (Source::ZeroDim(value), _) => Argument::ZeroDim(value),
                (Source::Number(number), _) => Argument::Number(number),
                (Source::Slot(..), None) => return Err(broken()),
            });
        }
        let found = self.rules.reduced(op, flags, &arguments, reduction)?;
        self.release(values);
        Ok(Value::ZeroDim(found))
    }

    /// All elements of what the calls so far leave in a slot.
    fn computed(&self, slot: usize, result: Value) -> Result<Array, Failure> {
        let last = self.calls.iter().rposition(|call| call.slot == slot).ok_or_else(broken)?;
        let (rules, inputs, shape) = (self.rules, self.inputs, self.shape.clone());
        let calls = self.calls[..=last].to_vec();
        Plan { rules, inputs, calls, slots: self.slots, result, shape }.run(|_| {})
    }

    fn apply(&mut self, op: Op, flags: Flags, values: &[Value]) -> Result<Value, Failure> {
        let (types, weak) = self.types(op, values)?;
        if values.iter().any(|value| matches!(value, Value::Array(..))) {
            let mut operands = [source(values[0]); MOST];
            for (operand, value) in operands.iter_mut().zip(values) {
                *operand = source(*value);
            }
            let slot = self.free.pop().unwrap_or_else(|| {
                self.slots += 1;
                self.slots - 1
            });
            let dtype = types.output;
            array::element_size(dtype)?;
            self.calls.push(Call { op, flags, operands, dtype, slot });
            self.release(values);
            self.weak = weak;
            return Ok(Value::Array(Source::Slot(slot, dtype), dtype));
        }
        let numbers = values.iter().map(|value| match value {
            Value::Number(number) => Some(*number),
            _ => None,
        });
        match numbers.collect::<Option<Vec<Number>>>() {
            // An exponent is no number of the kind of the result.
            Some(numbers) if op.extras().is_empty() && op != Op::Ldexp => self.numbers(op, &numbers, types),
            _ => self.zero_dim(op, flags, values, types),
        }
    }

    fn zero_dim(&self, op: Op, flags: Flags, values: &[Value], types: OpTypes) -> Result<Value, Failure> {
        let argument = |value: &Value| match *value {
            Value::ZeroDim(value) => Ok(Argument::ZeroDim(value)),
            Value::Number(number) => Ok(Argument::Number(number)),
            Value::Array(..) => Err(broken()),
        };
        let arguments = values.iter().map(argument).collect::<Result<Vec<_>, _>>()?;
        let mut out = Array::zeros(types.output, Vec::new())?;
        let place = array::block_mut(types.output, out.bytes_mut(), 0..1)?;
        self.rules.elementwise_with(op, flags, &arguments, place)?;
        out.value().map(Value::ZeroDim).ok_or_else(broken)
    }

    /// Numbers alone, in the widest dtypes of their kind.
    fn numbers(&self, op: Op, numbers: &[Number], types: OpTypes) -> Result<Value, Failure> {
        let zero_dim = || {
            let values: Vec<Value> = numbers.iter().map(|x| Value::Number(*x)).collect();
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
        let table = self.rules.tables().ops.iter().find(|table| table.op == op);
        let kernel = table.and_then(|table| table.kernel).ok_or_else(broken)?;
        let operand = (common, Enters::Common);
        let kernel =
            Kernel::find_at(Level::active(), promote::__private::KERNELS, kernel, operand, operand, wide)?;
        let mut inputs = Vec::new();
        for number in numbers {
            inputs.push(number.to_element(common)?.into());
        }
        let mut out = Array::zeros(output, Vec::new())?;
        kernel.call_inputs(&inputs, array::block_mut(output, out.bytes_mut(), 0..1)?)?;
        let number = out.value().and_then(|value| value.number()).ok_or_else(broken)?;
        if self.rules.result_type(&[Operand::Scalar(number)]).is_ok_and(|alone| alone.dtype == types.output) {
            Ok(Value::Number(number))
        } else {
            zero_dim()
        }
    }
}

/// The widest dtype of a dtype's kind.
fn widest(dtype: DType) -> Option<DType> {
    match dtype.kind() {
        Kind::Bool => Some(DType::Bool),
        Kind::Unsigned | Kind::Signed => Some(DType::I64),
        Kind::Float => Some(DType::F64),
        Kind::Complex => Some(DType::C128),
        _ => None,
    }
}

/// The inputs of an op.
fn taken(stack: &mut Vec<Value>, op: Op) -> Result<Vec<Value>, Failure> {
    let first = stack.len().checked_sub(op.inputs()).ok_or_else(broken)?;
    Ok(stack.split_off(first))
}

fn named(inputs: &[Array], index: usize) -> Result<Value, Failure> {
    let input = inputs.get(index).ok_or_else(broken)?;
    Ok(match input.value() {
        Some(value) => Value::ZeroDim(value),
        None => Value::Array(Source::Input(index), input.dtype()),
    })
}

fn source(value: Value) -> Source {
    match value {
        Value::Array(source, _) => source,
        Value::ZeroDim(value) => Source::ZeroDim(value),
        Value::Number(number) => Source::Number(number),
    }
}

fn operand(value: &Value) -> Operand {
    match value {
        Value::Array(_, dtype) => Operand::Array(*dtype),
        Value::ZeroDim(value) => Operand::ZeroDim(value.dtype()),
        Value::Number(number) => Operand::Scalar(*number),
    }
}

fn operand_of(input: &Array) -> Operand {
    if input.shape().is_empty() { Operand::ZeroDim(input.dtype()) } else { Operand::Array(input.dtype()) }
}

/// The one shape of all arrays that have dimensions.
fn common_shape(names: &[String], inputs: &[Array]) -> Result<Vec<usize>, Failure> {
    let mut first: Option<(&String, &Array)> = None;
    for (name, input) in names.iter().zip(inputs).filter(|(_, input)| !input.shape().is_empty()) {
        match first {
            None => first = Some((name, input)),
            Some((known, array)) if array.shape() != input.shape() => {
                let [a, b] = [array, input].map(|array| array::shape_text(array.shape()));
                let message = format!("`{known}` has the shape {a}, and `{name}` the shape {b}");
                return Err(Failure::new(message).help("arrays must be of one shape, or without dimensions"));
            }
            Some(_) => {}
        }
    }
    Ok(first.map_or_else(Vec::new, |(_, array)| array.shape().to_vec()))
}

fn broken() -> Failure {
    Failure::new("a mistake of `promote` itself: an expression was planned wrongly")
}
