//! Ops that PyTorch makes of other ops, each with dtypes of its own.
//!
//! PyTorch rounds the steps of these ops. The scalar reference computes each step here, so that an exception
//! can require that the recorded value is what these steps give.

use promote::{DType, Kind, Number, Op, RuleSet, ScalarValue};
use promote_reference::{Error, Options, Value, evaluate};

use crate::recorded::{Case, Input};
use crate::tolerance::{distance, same, unit};

/// Returns true if a recorded value is what PyTorch's steps give, within the tolerance of the lane.
pub(crate) fn is_composed(
    rules: &RuleSet,
    case: &Case,
    i: usize,
    theirs: ScalarValue,
    (allowed, size): (f64, f64),
) -> bool {
    if case.op == Op::Prod {
        let elements = case.inputs[0].array().map_or(&[][..], |array| array.1);
        return elements.len() == 64
            && product_of_halves(rules, elements).is_some_and(|found| same(found, theirs));
    }
    let inputs: Vec<Value> = case.inputs.iter().map(|input: &Input| input.lane(i)).collect();
    let dtype = theirs.dtype();
    let Some((found, step)) = composed(rules, case.op, &inputs, dtype, &case.options) else {
        return false;
    };
    let allowed = allowed * unit(step, 1.0) / unit(dtype, 1.0);
    same(found, theirs) || distance(found, theirs, size) <= allowed
}

/// Returns one lane of an op as PyTorch composes it, and the dtype in whose units an elementary step of it
/// may be off; `None` if PyTorch does not compose the op.
fn composed(
    rules: &RuleSet,
    op: Op,
    operands: &[Value],
    output: DType,
    options: &Options,
) -> Option<(ScalarValue, DType)> {
    let [a, b] = *operands else { return None };
    let complex = output.kind() == Kind::Complex;
    let plain = !options.full && options.log_input;
    let found = match op {
        Op::Add | Op::Subtract if complex => added(rules, op, a, b, output),
        Op::Lerp if complex => lerp(rules, a, b, options.weight, output),
        Op::PoissonNllLoss if plain => poisson_nll(rules, a, b, output),
        Op::Ldexp => ldexp(rules, a, b),
        _ => return None,
    };
    // A complex power may be off before it is widened; the real ones are those of halves, which are exact.
    let step = match a {
        Value::Array(a) if a.dtype() == DType::C64 && op == Op::PoissonNllLoss => DType::C64,
        _ => output,
    };
    found.ok().map(|found| (found, step))
}

fn step(rules: &RuleSet, op: Op, operands: &[Value]) -> Result<ScalarValue, Error> {
    evaluate(rules, op, operands, &Options::default())
}

fn array(found: Result<ScalarValue, Error>) -> Result<Value, Error> {
    found.map(Value::Array)
}

/// Returns a real factor of a complex operand, which PyTorch makes complex.
fn factor(x: f64, dtype: DType) -> Result<Value, Error> {
    let element = ScalarValue::from_number(Number::Complex(x, 0.0), dtype);
    element.map(Value::Array).map_err(|_| Error::NoElements { dtype })
}

/// Computes `a` + 1 · `b`, or `a` - 1 · `b`, with a complex 1.
fn added(rules: &RuleSet, op: Op, a: Value, b: Value, output: DType) -> Result<ScalarValue, Error> {
    let cast = Options { to: Some(output), ..Options::default() };
    let b = array(evaluate(rules, Op::Astype, &[b], &cast))?;
    let b = array(step(rules, Op::Multiply, &[b, factor(1.0, output)?]))?;
    step(rules, op, &[a, b])
}

/// Computes `a` + weight · (`b` - `a`) with a complex weight.
fn lerp(rules: &RuleSet, a: Value, b: Value, weight: f64, output: DType) -> Result<ScalarValue, Error> {
    let distance = array(step(rules, Op::Subtract, &[b, a]))?;
    let part = array(step(rules, Op::Multiply, &[factor(weight, output)?, distance]))?;
    step(rules, Op::Add, &[a, part])
}

/// Computes exp(`a`) - `b` · `a`.
fn poisson_nll(rules: &RuleSet, a: Value, b: Value, output: DType) -> Result<ScalarValue, Error> {
    let power = array(step(rules, Op::Exp, &[a]))?;
    let product = array(step(rules, Op::Multiply, &[b, a]))?;
    if output.kind() == Kind::Complex {
        return added(rules, Op::Subtract, power, product, output);
    }
    step(rules, Op::Subtract, &[power, product])
}

/// Computes `a` · pow(2, `b`). The power of a zero-dimensional `b` is zero-dimensional, too.
fn ldexp(rules: &RuleSet, a: Value, b: Value) -> Result<ScalarValue, Error> {
    let power = step(rules, Op::Pow, &[Value::Number(Number::Float(2.0)), b])?;
    let power = if matches!(b, Value::ZeroDim(_)) { Value::ZeroDim(power) } else { Value::Array(power) };
    step(rules, Op::Multiply, &[a, power])
}

/// Computes the product of 64 halves: four accumulators of 16 lanes, (0 · 1) · (2 · 3), then the 16 lanes in
/// turn.
fn product_of_halves(rules: &RuleSet, elements: &[ScalarValue]) -> Option<ScalarValue> {
    let times = |a, b| step(rules, Op::Multiply, &[Value::Array(a), Value::Array(b)]);
    let lane =
        |j: usize| times(times(elements[j], elements[16 + j])?, times(elements[32 + j], elements[48 + j])?);
    (1..16).try_fold(lane(0), |product, j| Ok::<_, Error>(times(product?, lane(j)?))).ok()?.ok()
}
