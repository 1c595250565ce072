//! The ways in which a case is computed here.

use promote::{
    Argument, CallError, DType, Error, Kind, Level, Number, Op, OpTypes, Operand, PromoteError, RuleSet,
    ScalarValue, Slice, SliceMut,
};
use promote_reference::{Error as ReferenceError, Options, Value, dot, evaluate, joined, reduce};

use crate::aligned::Aligned;
use crate::recorded::{Case, Input, looks_at_all};
use crate::tolerance::parts;

/// A way to compute a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    /// By the kernels, called as a user calls them.
    Kernels,
    /// By the kernels of each level of this processor.
    Levels,
    /// By the scalar reference.
    Reference,
}

/// The elements of a case as they were computed here.
pub(crate) struct Ours {
    pub(crate) lanes: Vec<ScalarValue>,
    /// The sum of the absolute values that a reduction adds up, for its bound.
    pub(crate) total: f64,
}

/// The reasons for which a case has no elements here.
#[derive(Debug)]
pub(crate) enum Without {
    /// The values are refused: a division by zero, a negative power of integers.
    Trap,
    /// There is no kernel.
    Kernel,
    /// Any other error.
    Other(#[expect(dead_code, reason = "told by `Debug`")] String),
}

/// Returns the dtypes of a case's op. Three operands decide together.
pub(crate) fn types(rules: &RuleSet, case: &Case) -> Result<OpTypes, PromoteError> {
    let mut operands: Vec<Operand> = case.inputs.iter().map(Input::operand).collect();
    if operands.len() == 3 {
        operands = vec![Operand::Array(rules.result_type(&operands)?.dtype); 2];
    }
    rules.op_types(case.op, &operands)
}

/// Computes a case. A case may be computed several times, under several names.
pub(crate) fn ours(
    way: Way,
    rules: &RuleSet,
    case: &Case,
    output: DType,
) -> Vec<(String, Result<Ours, Without>)> {
    let plain = |lanes: Vec<ScalarValue>| Ours { lanes, total: 0.0 };
    match way {
        Way::Kernels => vec![("kernel".to_owned(), by_kernel(rules, case, output).map(plain))],
        Way::Levels => {
            let levels = Level::ALL.iter().copied().filter(|level| *level <= Level::best());
            levels.map(|level| (level.to_string(), at_level(rules, level, case).map(plain))).collect()
        }
        Way::Reference => vec![("reference".to_owned(), by_reference(rules, case))],
    }
}

/// The memory of an operand for a kernel.
enum Held {
    Memory(DType, Aligned),
    Scalar(Argument<'static>),
}

impl Held {
    fn new(input: &Input) -> Held {
        match input {
            Input::Array(dtype, elements) => Held::Memory(*dtype, Aligned::of(elements)),
            Input::Scalar(Value::Number(number)) => Held::Scalar(Argument::Number(*number)),
            Input::Scalar(Value::ZeroDim(element)) => Held::Scalar(Argument::ZeroDim(*element)),
            Input::Scalar(Value::Array(_)) => unreachable!("arrays are recorded by their elements"),
        }
    }

    fn slice(&self) -> Slice<'_> {
        match self {
            Held::Memory(dtype, memory) => {
                Slice::from_bytes(*dtype, memory.bytes()).expect("whole, aligned elements")
            }
            Held::Scalar(_) => panic!("a scalar is no slice"),
        }
    }

    fn argument(&self) -> Argument<'_> {
        match self {
            Held::Memory(..) => Argument::Slice(self.slice()),
            Held::Scalar(argument) => *argument,
        }
    }
}

/// Memory for the result that holds no zeros, so that elements that are not written show.
fn memory(case: &Case, dtype: DType) -> Aligned {
    let mut out = Aligned::new(case.lanes() * dtype.size().expect("a dtype with a Rust type"));
    out.bytes_mut().fill(0xAA);
    out
}

fn by_kernel(rules: &RuleSet, case: &Case, dtype: DType) -> Result<Vec<ScalarValue>, Without> {
    let held: Vec<Held> = case.inputs.iter().map(Held::new).collect();
    let mut out = memory(case, dtype);
    let target = SliceMut::from_bytes(dtype, out.bytes_mut()).expect("whole, aligned elements");
    let arguments: Vec<Argument<'_>> = held.iter().map(Held::argument).collect();
    let called = match (case.op, &arguments[..]) {
        (Op::Astype, _) => {
            let kernel = rules.cast_kernel(held[0].slice().dtype(), dtype);
            kernel.and_then(|kernel| kernel.call(held[0].slice(), target)).map_err(Error::from)
        }
        (Op::Where, [a, b]) => {
            let condition = case.condition.as_ref().expect("a condition");
            rules.where_(condition[..].into(), *a, *b, target)
        }
        (op @ Op::Lerp, [a, b]) => {
            let weight = Argument::Number(Number::Float(case.options.weight));
            rules.elementwise(op, &[*a, *b, weight], target)
        }
        (op @ (Op::AddScaled | Op::SubtractScaled), [a, b]) => {
            let alpha = case.options.alpha;
            let alpha = if alpha % 1.0 == 0.0 { Number::Int(alpha as i128) } else { Number::Float(alpha) };
            rules.elementwise(op, &[*a, *b, Argument::Number(alpha)], target)
        }
        (op @ Op::Threshold, [a]) => {
            let numbers = [case.options.threshold, case.options.value];
            let [threshold, value] = numbers.map(|x| Argument::Number(Number::Float(x)));
            rules.elementwise(op, &[*a, threshold, value], target)
        }
        (op, [a]) => rules.unary(op, *a, target),
        (op, [a, b]) => rules.binary(op, *a, *b, target),
        (op, _) => panic!("{op} of {} operands", arguments.len()),
    };
    called.map_err(without)?;
    Ok(out.values(dtype))
}

fn at_level(rules: &RuleSet, level: Level, case: &Case) -> Result<Vec<ScalarValue>, Without> {
    let [a, b] = &case.inputs[..] else { panic!("an op of two arrays") };
    let (a, b) = (Held::new(a), Held::new(b));
    let dtype = a.slice().dtype();
    let kernel = rules.kernel_at(level, case.op, dtype, b.slice().dtype()).map_err(without)?;
    let mut out = memory(case, dtype);
    let target = SliceMut::from_bytes(dtype, out.bytes_mut()).expect("whole, aligned elements");
    kernel.call_slices(a.slice(), b.slice(), target).expect("equal lengths");
    Ok(out.values(dtype))
}

fn without(error: impl Into<Error>) -> Without {
    match error.into() {
        Error::Call(
            CallError::NotComputed { .. } | CallError::NoKernel { .. } | CallError::Inputs { .. },
        ) => Without::Kernel,
        error => Without::Other(error.to_string()),
    }
}

fn by_reference(rules: &RuleSet, case: &Case) -> Result<Ours, Without> {
    referenced(rules, case).map_err(|error| match error {
        ReferenceError::Trap(_) => Without::Trap,
        error => Without::Other(error.to_string()),
    })
}

/// Computes a case by the scalar reference.
pub(crate) fn referenced(rules: &RuleSet, case: &Case) -> Result<Ours, ReferenceError> {
    let arrays: Vec<(DType, &[ScalarValue])> = case.inputs.iter().filter_map(Input::array).collect();
    let size = |x: &ScalarValue| parts(*x).iter().map(|part| part.abs()).sum::<f64>();
    let total = |x: &[ScalarValue]| x.iter().map(size).sum();
    match arrays[..] {
        [(dtype, elements)] if looks_at_all(case.op) => {
            return Ok(Ours { lanes: reduce(rules, case.op, dtype, elements)?, total: total(elements) });
        }
        [a, b] if case.op == Op::Dot => {
            let products = a.1.iter().zip(b.1).map(|(x, y)| size(x) * size(y));
            return Ok(Ours { lanes: vec![dot(rules, a, b)?], total: products.sum() });
        }
        _ => {}
    }
    let lane = |i: usize| {
        let operands: Vec<Value> = case.inputs.iter().map(|input| input.lane(i)).collect();
        let condition = case.condition.as_ref().is_none_or(|condition| condition[i]);
        let options = Options { condition, ..case.options };
        match operands[..] {
            [a, b, c] => joined(rules, case.op, [a, b, c], &options),
            _ => evaluate(rules, case.op, &operands, &options),
        }
    };
    let lanes: Vec<ScalarValue> = (0..case.lanes()).map(lane).collect::<Result<_, _>>()?;
    let total = total(&lanes);
    match case.then {
        Some(then) => Ok(Ours { lanes: reduce(rules, then, lanes[0].dtype(), &lanes)?, total }),
        None => Ok(Ours { lanes, total }),
    }
}

/// Returns true if all arrays of a case hold integers or bools.
pub(crate) fn of_integers(case: &Case) -> bool {
    case.inputs.iter().filter_map(Input::array).all(|(dtype, _)| dtype.kind() < Kind::Float)
}
