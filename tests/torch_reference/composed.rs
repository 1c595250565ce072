//! What comes out of ops that PyTorch makes of other ops, each with dtypes of its own: the reference, op by
//! op.

use promote::ScalarValue;
use promote::{DType, Kind, Number, Op, RuleSet};
use promote_reference::{Error, Options, Value, evaluate};

/// One lane of an op as PyTorch composes it, and the dtype in whose units an elementary step of it may be
/// off; none where it does not compose the op.
pub(crate) fn composed(
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

/// A number beside a complex operand, as PyTorch has its factors.
fn factor(x: f64, dtype: DType) -> Result<Value, Error> {
    let element = ScalarValue::from_number(Number::Complex(x, 0.0), dtype);
    element.map(Value::Array).map_err(|_| Error::NoElements { dtype })
}

/// `a` + 1 · `b`, or `a` - 1 · `b`, where the 1 is complex too.
fn added(rules: &RuleSet, op: Op, a: Value, b: Value, output: DType) -> Result<ScalarValue, Error> {
    let cast = Options { to: Some(output), ..Options::default() };
    let b = array(evaluate(rules, Op::Astype, &[b], &cast))?;
    let b = array(step(rules, Op::Multiply, &[b, factor(1.0, output)?]))?;
    step(rules, op, &[a, b])
}

/// `a` + weight · (`b` - `a`), where the weight is complex.
fn lerp(rules: &RuleSet, a: Value, b: Value, weight: f64, output: DType) -> Result<ScalarValue, Error> {
    let distance = array(step(rules, Op::Subtract, &[b, a]))?;
    let part = array(step(rules, Op::Multiply, &[factor(weight, output)?, distance]))?;
    step(rules, Op::Add, &[a, part])
}

/// exp(`a`) - `b` · `a`
fn poisson_nll(rules: &RuleSet, a: Value, b: Value, output: DType) -> Result<ScalarValue, Error> {
    let power = array(step(rules, Op::Exp, &[a]))?;
    let product = array(step(rules, Op::Multiply, &[b, a]))?;
    if output.kind() == Kind::Complex {
        return added(rules, Op::Subtract, power, product, output);
    }
    step(rules, Op::Subtract, &[power, product])
}

/// `a` · pow(2, `b`); the power of a zero-dimensional `b` is one again.
fn ldexp(rules: &RuleSet, a: Value, b: Value) -> Result<ScalarValue, Error> {
    let power = step(rules, Op::Pow, &[Value::Number(Number::Float(2.0)), b])?;
    let power = if matches!(b, Value::ZeroDim(_)) { Value::ZeroDim(power) } else { Value::Array(power) };
    step(rules, Op::Multiply, &[a, power])
}

/// The product of 64 halves: four accumulators of 16 lanes, (0 · 1) · (2 · 3), and then the 16 lanes in turn.
pub(crate) fn product_of_halves(rules: &RuleSet, elements: &[ScalarValue]) -> Option<ScalarValue> {
    let times = |a, b| step(rules, Op::Multiply, &[Value::Array(a), Value::Array(b)]);
    let lane =
        |j: usize| times(times(elements[j], elements[16 + j])?, times(elements[32 + j], elements[48 + j])?);
    (1..16).try_fold(lane(0), |product, j| Ok::<_, Error>(times(product?, lane(j)?))).ok()?.ok()
}
