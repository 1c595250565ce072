//! The scalar reference: computes each op under a rule set, one element at a time.
//!
//! Tests compare kernels with it, so it shares no code with them. It converts, computes and rounds in the
//! most obvious way, with one function for each op.
//!
//! An element is read as an exact number: an `i128`, an `f64`, or two of them. The rule set decides the
//! common, the compute and the output dtype ([`RuleSet::op_types`]). Each step, such as an addition or a
//! logarithm, is computed in `f64`, or exactly for integers, and rounded to the compute dtype. After the last
//! step the result is rounded once more, to the output dtype.
//!
//! - Floats round to nearest, ties to even; overflow is infinity, subnormals stay.
//! - Integers wrap.
//! - NaN operands give NaN unless an option says otherwise. Its sign and payload are not defined.
//! - +0 is greater than -0, so that `maximum` does not depend on the order of the operands.
//! - Elementary functions are those of `f64`. In narrower formats they are correctly rounded except for rare
//!   ties.
//! - Reductions run from the first element to the last.
//!
//! ```
//! use promote::{DType, Number, Op, Torch, ScalarValue};
//! use promote_reference::{Options, Value, evaluate};
//!
//! let rules = Torch::new().rule_set();
//! let seven = Value::Array(ScalarValue::new(7_i32));
//! let quotient = evaluate(&rules, Op::Divide, &[seven, Value::Number(Number::Int(2))], &Options::default())?;
//! assert_eq!(quotient.get::<f32>(), Some(3.5)); // PyTorch divides integers in its default dtype
//! # Ok::<(), promote_reference::Error>(())
//! ```
#![forbid(unsafe_code)]
#![allow(clippy::float_cmp, reason = "comparisons are exact on purpose")]

mod complex;
mod elementary;
mod error;
mod format;
mod integer;
mod losses;
mod predicate;
mod real;
mod reductions;
mod semantics;
mod value;

use num_complex::Complex;
use promote_runtime::__private::kernel::ScalarValue;
use promote_runtime::{DType, Kind, Number, Op, OpTypes, Operand, RuleSet};

pub use self::error::{Error, Trap};
use self::format::Format;
use self::semantics::Semantics;

/// An operand: an element of an array, or a scalar that is broadcast.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// An element of an array with dimensions.
    Array(ScalarValue),
    /// An array without dimensions.
    ZeroDim(ScalarValue),
    /// A number without a width.
    Number(Number),
}

/// The extra inputs of ops. Each op reads its own. Numbers are rounded to the compute dtype.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The result dtype of `astype`.
    pub to: Option<DType>,
    /// The condition of `where`.
    pub condition: bool,
    /// The weight of `lerp`.
    pub weight: f64,
    /// The weight of `binary_cross_entropy`.
    pub loss_weight: f64,
    /// The factor of the product in `addcmul`, and the result of `threshold` up to its threshold.
    pub value: f64,
    /// The factor of the second operand in `add_scaled` and `subtract_scaled`, rounded to the common dtype.
    pub alpha: f64,
    /// The greatest distance relative to the second operand that `isclose` takes for near.
    pub rtol: f64,
    /// The greatest distance that `isclose` takes for near.
    pub atol: f64,
    /// The greatest number that `threshold` replaces by `value`.
    pub threshold: f64,
    /// The distance from which `huber_loss` is linear.
    pub delta: f64,
    /// The distance from which `smooth_l1_loss` is linear.
    pub beta: f64,
    /// True if the input of `poisson_nll_loss` is a logarithm.
    pub log_input: bool,
    /// True if `poisson_nll_loss` adds Stirling's formula.
    pub full: bool,
    /// The number that `poisson_nll_loss` adds to an input that is not a logarithm.
    pub eps: f64,
}

impl Default for Options {
    /// The defaults of the frameworks; `condition` is true and `weight` a half.
    fn default() -> Self {
        Options {
            to: None,
            condition: true,
            weight: 0.5,
            loss_weight: 1.0,
            value: 1.0,
            alpha: 1.0,
            rtol: 1e-5,
            atol: 1e-8,
            threshold: 0.0,
            delta: 1.0,
            beta: 1.0,
            log_input: true,
            full: false,
            eps: 1e-8,
        }
    }
}

impl Value {
    /// Returns the operand for promotion.
    pub fn operand(&self) -> Operand {
        match self {
            Value::Array(element) => Operand::Array(element.dtype()),
            // A zero-dimensional array's value counts in some rule sets, as a number.
            Value::ZeroDim(element) => Operand::ZeroDim(element.dtype(), value::read(*element).ok()),
            Value::Number(number) => Operand::Number(*number),
        }
    }

    fn number(&self) -> Result<Number, Error> {
        match self {
            Value::Array(element) | Value::ZeroDim(element) => value::read(*element),
            Value::Number(number) => Ok(*number),
        }
    }
}

/// Computes an elementwise op for one element of each operand.
///
/// Operands are converted to the common dtype with one rounding. With `right_scalar: opmath` a scalar on the
/// right is converted to the compute dtype instead. With `number: exact` an integer number is not converted,
/// nor with `negative: exact` an integer that is compared in an unsigned dtype. Then the op computes, and the
/// result is rounded once.
///
/// `ldexp` does not convert an integer exponent, because rounding would change it; the option `exponent` says
/// for which operands. Losses are not reduced.
///
/// # Errors
///
/// Returns an error if the rule set refuses the operands or does not have the op, if the op fails for these
/// integers, if it is not elementwise, or if a dtype has no elements.
pub fn evaluate(
    rules: &RuleSet,
    op: Op,
    operands: &[Value],
    options: &Options,
) -> Result<ScalarValue, Error> {
    let kinds: Vec<Operand> = operands.iter().map(Value::operand).collect();
    let types = rules.op_types(op, &kinds)?;
    let semantics = Semantics::of(rules, op);
    match operands {
        [a] => {
            let a = enter(a.number()?, types, false, semantics)?;
            if op == Op::Astype {
                let to = options.to.ok_or(Error::NoTarget)?;
                return value::write(value::convert(a, to, semantics)?, to);
            }
            if op == Op::Threshold {
                let number = |x| value::convert(Number::Float(x), types.compute, semantics);
                let (threshold, value) = (number(options.threshold)?, number(options.value)?);
                let replaced = predicate::binary(Op::LessEqual, a, threshold, Semantics::PLAIN) == Some(true);
                return finish(if replaced { value } else { a }, types, semantics);
            }
            finish(unary(op, types.compute, a, semantics)?, types, semantics)
        }
        [a, b] => {
            let stays = semantics.right_scalar_stays && !matches!(b, Value::Array(_));
            let (left, right) = (a.number()?, b.number()?);
            // The check is on the number itself, which would be positive as a `u8`.
            let integers = matches!(types.compute.kind(), Kind::Signed | Kind::Unsigned);
            if semantics.no_negative_number
                && integers
                && matches!(b, Value::Number(Number::Int(x)) if *x < 0)
            {
                return Err(Error::Trap(Trap::NegativeExponent));
            }
            let unsigned = matches!(types.compute.kind(), Kind::Unsigned);
            let exact = |operand: &Value, number: Number| {
                let exact = match operand {
                    Value::Number(_) => semantics.exact_number && integers,
                    Value::Array(_) | Value::ZeroDim(_) => semantics.exact_negative && unsigned,
                };
                exact && matches!(number, Number::Int(_))
            };
            let a = if exact(a, left) { left } else { enter(left, types, false, semantics)? };
            let b = if exact(b, right) { right } else { enter(right, types, stays, semantics)? };
            if op == Op::Ldexp
                && let Some(exponent) = exponent(left, right, semantics)
                && let (Number::Float(x), Some(format)) = (a, Format::of(types.compute))
            {
                return finish(Number::Float(format.scale(x, exponent)), types, semantics);
            }
            let b = match (op, options.alpha) {
                (Op::AddScaled | Op::SubtractScaled, alpha) if alpha != 1.0 => {
                    let alpha = if integers { Number::Int(alpha as i128) } else { Number::Float(alpha) };
                    let alpha = enter(alpha, types, false, semantics)?;
                    // Floats and complex numbers add the product with the opposite factor.
                    let alpha = match alpha {
                        Number::Float(x) if op == Op::SubtractScaled => Number::Float(-x),
                        Number::Complex(re, im) if op == Op::SubtractScaled => Number::Complex(-re, 0.0 - im),
                        _ => alpha,
                    };
                    if let (Number::Float(a), Number::Float(b), Number::Float(alpha), Some(format)) =
                        (a, b, alpha, Format::of(types.compute))
                    {
                        return finish(Number::Float(format.multiply_add(alpha, b, a)), types, semantics);
                    }
                    binary(Op::Multiply, types.compute, alpha, b, semantics, options)?
                }
                _ => b,
            };
            let adds = matches!(a, Number::Complex(..)) && options.alpha != 1.0;
            let op = match op {
                Op::AddScaled => Op::Add,
                Op::SubtractScaled if adds => Op::Add,
                Op::SubtractScaled => Op::Subtract,
                op => op,
            };
            finish(binary(op, types.compute, a, b, semantics, options)?, types, semantics)
        }
        // `op_types` has checked the number of operands.
        _ => Err(Error::NotEvaluated { op, dtype: types.compute }),
    }
}

/// Returns the exponent by which `ldexp` scales `a`; `None` if it multiplies by a power.
fn exponent(a: Number, b: Number, semantics: Semantics) -> Option<i128> {
    match (a, b) {
        _ if semantics.power_of_two => None,
        (Number::Float(_), Number::Int(x)) if semantics.low_exponent => Some(value::wrap(x, DType::I32)),
        _ if semantics.low_exponent => None,
        (_, Number::Int(x)) => Some(x),
        (_, Number::Bool(x)) => Some(x.into()),
        _ => None,
    }
}

/// Computes one element of `where`: the left operand if the condition is true, else the right one, converted.
///
/// # Errors
///
/// Returns the errors of [`evaluate`].
///
/// ```
/// # use promote::{Torch, ScalarValue};
/// # use promote_reference::{Value, select};
/// let (a, b) = (Value::Array(ScalarValue::new(3_u8)), Value::Array(ScalarValue::new(4.5_f32)));
/// let chosen = select(&Torch::new().rule_set(), true, a, b)?;
/// assert_eq!(chosen.get::<f32>(), Some(3.0));
/// # Ok::<(), promote_reference::Error>(())
/// ```
pub fn select(rules: &RuleSet, condition: bool, a: Value, b: Value) -> Result<ScalarValue, Error> {
    evaluate(rules, Op::Where, &[a, b], &Options { condition, ..Options::default() })
}

/// Computes one element of `addcmul`, which is `a` + `value` · `b` · `c`, or of `clamp`, which is the lesser
/// one of `c` and the greater one of `a` and `b`. The rule set promotes all three operands together. For real
/// numbers the last product and the sum of `addcmul` are one step.
///
/// # Errors
///
/// Returns the errors of [`evaluate`].
///
/// ```
/// # use promote::{Op, Torch, ScalarValue};
/// # use promote_reference::{Options, Value, joined};
/// let [a, b, c] = [1, 2, 3].map(|x: i32| Value::Array(ScalarValue::new(x)));
/// let options = Options { value: 10.0, ..Options::default() };
/// let sum = joined(&Torch::new().rule_set(), Op::Addcmul, [a, b, c], &options)?;
/// assert_eq!(sum.get::<i32>(), Some(61));
/// # Ok::<(), promote_reference::Error>(())
/// ```
pub fn joined(
    rules: &RuleSet,
    op: Op,
    operands: [Value; 3],
    options: &Options,
) -> Result<ScalarValue, Error> {
    let joined = rules.result_type(&operands.map(|operand| operand.operand()))?.dtype;
    let types = rules.op_types(op, &[Operand::Array(joined), Operand::Array(joined)])?;
    let semantics = Semantics::of(rules, op);
    let enter = |x: Value| enter(x.number()?, types, false, semantics);
    let step = |op, a, b| binary(op, types.compute, a, b, semantics, options);
    let [a, b, c] = operands;
    let (a, b, c) = (enter(a)?, enter(b)?, enter(c)?);
    if op == Op::Clamp {
        return finish(step(Op::Minimum, step(Op::Maximum, a, b)?, c)?, types, semantics);
    }
    let number = value::convert(Number::Float(options.value), types.compute, semantics)?;
    let b = step(Op::Multiply, number, b)?;
    let found = match (a, b, c, Format::of(types.compute)) {
        (Number::Float(a), Number::Float(b), Number::Float(c), Some(format)) => {
            Number::Float(format.multiply_add(b, c, a))
        }
        _ => step(Op::Add, a, step(Op::Multiply, b, c)?)?,
    };
    finish(found, types, semantics)
}

/// Reduces the elements of an array. Returns a list of one element; a scan (`cumsum`, `cumprod`) returns as
/// many as the array has.
///
/// Each element is converted to the common dtype of `dtype`, the array's. Only
/// `max min amax amin argmax argmin median` need at least one element.
///
/// # Errors
///
/// Returns an error if the rule set refuses or does not have the op, if it is not a reduction, if it needs an
/// element and there is none, or if a dtype has no elements.
///
/// ```
/// # use promote::{DType, Op, Torch, ScalarValue};
/// # use promote_reference::reduce;
/// let elements = [200_u8, 100, 3].map(ScalarValue::new);
/// let sums = reduce(&Torch::new().rule_set(), Op::Cumsum, DType::U8, &elements)?;
/// let sums: Vec<Option<i64>> = sums.iter().map(ScalarValue::get).collect();
/// assert_eq!(sums, [Some(200), Some(300), Some(303)]);
/// # Ok::<(), promote_reference::Error>(())
/// ```
pub fn reduce(
    rules: &RuleSet,
    op: Op,
    dtype: DType,
    elements: &[ScalarValue],
) -> Result<Vec<ScalarValue>, Error> {
    let types = rules.op_types(op, &[Operand::Array(dtype)])?;
    let semantics = Semantics::of(rules, op);
    let numbers = entered(elements, types, semantics)?;
    let found = reductions::reduce(op, types.compute, &numbers, semantics)?;
    found.into_iter().map(|number| finish(number, types, semantics)).collect()
}

/// Computes the dot product of two arrays. The shorter one decides the number of products; without elements
/// the result is zero.
///
/// # Errors
///
/// Returns an error if the rule set refuses or does not have the op, or if a dtype has no elements.
///
/// ```
/// # use promote::{DType, Torch, ScalarValue};
/// # use promote_reference::dot;
/// let a = [1_i8, 100, 100].map(ScalarValue::new);
/// let product = dot(&Torch::new().rule_set(), (DType::I8, &a), (DType::I8, &a))?;
/// assert_eq!(product.get::<i8>(), Some(33)); // 20001 wraps
/// # Ok::<(), promote_reference::Error>(())
/// ```
pub fn dot(
    rules: &RuleSet,
    a: (DType, &[ScalarValue]),
    b: (DType, &[ScalarValue]),
) -> Result<ScalarValue, Error> {
    let types = rules.op_types(Op::Dot, &[Operand::Array(a.0), Operand::Array(b.0)])?;
    let semantics = Semantics::of(rules, Op::Dot);
    let (a, b) = (entered(a.1, types, semantics)?, entered(b.1, types, semantics)?);
    finish(reductions::dot(types.compute, &a, &b), types, semantics)
}

fn entered(elements: &[ScalarValue], types: OpTypes, semantics: Semantics) -> Result<Vec<Number>, Error> {
    elements.iter().map(|element| enter(value::read(*element)?, types, false, semantics)).collect()
}

/// Converts an operand to the compute dtype; unless it stays, it is rounded to the common dtype first.
fn enter(number: Number, types: OpTypes, stays: bool, semantics: Semantics) -> Result<Number, Error> {
    let common = if stays { number } else { value::convert(number, types.common, semantics)? };
    value::convert(common, types.compute, semantics)
}

/// Rounds the result to the output dtype.
fn finish(number: Number, types: OpTypes, semantics: Semantics) -> Result<ScalarValue, Error> {
    value::write(value::convert(number, types.output, semantics)?, types.output)
}

/// Returns true if `a` is near `b`, by their distance.
fn is_close(format: Format, a: Number, b: Number, options: &Options) -> bool {
    let (rtol, atol) = (format.round(options.rtol), format.round(options.atol));
    let (distance, size) = match (a, b) {
        (Number::Float(a), Number::Float(b)) => (format.subtract(a, b).abs(), format.multiply(rtol, b).abs()),
        (Number::Complex(a, x), Number::Complex(b, y)) => {
            let distance = complex::subtract(format, Complex::new(a, x), Complex::new(b, y));
            let product = complex::multiply(format, Complex::new(rtol, 0.0), Complex::new(b, y));
            let size = |z: Complex<f64>| format.round(z.re.hypot(z.im));
            (size(distance), size(product))
        }
        _ => (f64::NAN, f64::NAN),
    };
    let near = distance <= format.add(atol, size) && distance.is_finite();
    near || predicate::binary(Op::Equal, a, b, Semantics::PLAIN) == Some(true)
}

/// Computes an op of one value of the compute dtype.
fn unary(op: Op, dtype: DType, a: Number, semantics: Semantics) -> Result<Number, Error> {
    if let Some(holds) = predicate::unary(op, a) {
        return Ok(Number::Bool(holds));
    }
    let found = match (a, Format::of(dtype)) {
        (Number::Float(a), Some(format)) => real::unary(op, format, a, semantics).map(Number::Float),
        (Number::Complex(re, im), Some(format)) => complex::unary(op, format, Complex::new(re, im)),
        _ => integer::unary(op, dtype, value::whole(a)).map(Number::Int),
    };
    found.ok_or(Error::NotEvaluated { op, dtype })
}

/// Computes an op of two values of the compute dtype.
fn binary(
    op: Op,
    dtype: DType,
    a: Number,
    b: Number,
    semantics: Semantics,
    options: &Options,
) -> Result<Number, Error> {
    if let Some(holds) = predicate::binary(op, a, b, semantics) {
        return Ok(Number::Bool(holds));
    }
    if op == Op::Where {
        return Ok(if options.condition { a } else { b });
    }
    if let (Op::Isclose, Some(format)) = (op, Format::of(dtype)) {
        return Ok(Number::Bool(is_close(format, a, b, options)));
    }
    let found = match (a, b, Format::of(dtype)) {
        (Number::Float(a), Number::Float(b), Some(format)) => {
            let found = match op {
                Op::Lerp => Some(real::lerp(format, a, b, options.weight)),
                _ => real::binary(op, format, a, b, semantics),
            };
            match found {
                Some(x) => Some(x),
                None => losses::real(op, format, a, b, options)?,
            }
            .map(Number::Float)
        }
        (Number::Complex(..), Number::Complex(..), Some(format)) => complex_binary(op, format, a, b, options),
        _ => integer::binary(op, dtype, value::whole(a), value::whole(b), semantics)?.map(Number::Int),
    };
    found.ok_or(Error::NotEvaluated { op, dtype })
}

fn complex_binary(op: Op, format: Format, a: Number, b: Number, options: &Options) -> Option<Number> {
    let (Number::Complex(re, im), Number::Complex(re2, im2)) = (a, b) else { return None };
    complex::binary(op, format, Complex::new(re, im), Complex::new(re2, im2), options)
}
