//! Gradients of the ops that have some.
//!
//! Products and quotients are computed by `promote`, so that an operand of another dtype is not copied and a
//! number keeps its precision. Everything else is candle's. A gradient is summed over the axes along which
//! its operand was broadcast, and then cast to the dtype of the operand.

use candle_core::{Error, Result, Tensor};
use promote::{Number, Op, RuleSet};

use crate::apply;
use crate::operand::Operand;

/// Returns the gradient of each operand that is a tensor; `None` for one that needs none.
pub(crate) fn gradients(
    rules: RuleSet,
    op: Op,
    operands: &[Operand<'_>],
    result: &Tensor,
    gradient: &Tensor,
) -> Result<Vec<Option<Tensor>>> {
    let back = Back { rules, op, operands, result, gradient };
    let mut found = Vec::with_capacity(operands.len());
    for (i, operand) in operands.iter().enumerate() {
        if let Operand::Tensor(tensor) = operand {
            let needed = tensor.track_op() && tensor.dtype().is_float();
            found.push(if needed { Some(sum_to(back.gradient(i)?, tensor)?) } else { None });
        }
    }
    Ok(found)
}

/// Sums a gradient over the axes along which an operand was broadcast, and casts it to the operand's dtype.
fn sum_to(gradient: Tensor, operand: &Tensor) -> Result<Tensor> {
    let (dims, to) = (gradient.dims(), operand.dims());
    let added = dims.len() - to.len();
    let axes = (0..dims.len()).filter(|axis| *axis < added || to[axis - added] == 1 && dims[*axis] != 1);
    let axes = axes.collect::<Vec<_>>();
    let summed = if axes.is_empty() { gradient } else { gradient.sum_keepdim(axes)? };
    summed.reshape(to)?.to_dtype(operand.dtype())
}

/// A call whose gradients are computed.
struct Back<'a> {
    rules: RuleSet,
    op: Op,
    operands: &'a [Operand<'a>],
    result: &'a Tensor,
    /// The gradient of the result.
    gradient: &'a Tensor,
}

impl Back<'_> {
    /// Returns the gradient of an operand, in the shape of the result.
    fn gradient(&self, i: usize) -> Result<Tensor> {
        let Back { operands, result, gradient, .. } = *self;
        match (self.op, i) {
            (Op::Add, _) | (Op::Subtract, 0) => Ok(gradient.clone()),
            (Op::Subtract | Op::Negative, _) => gradient.neg(),
            (Op::Multiply, i) => self.mixed(Op::Multiply, gradient, operands[1 - i]),
            (Op::Divide, 0) | (Op::Log, _) => self.mixed(Op::Divide, gradient, operands[self.op.arity() - 1]),
            (Op::Divide, _) => self.mixed(Op::Divide, &gradient.mul(result)?, operands[1])?.neg(),
            (Op::Maximum | Op::Minimum, i) => self.extremum(operands[i], operands[1 - i]),
            (Op::Where, 1) => self.where_mask(gradient, &gradient.zeros_like()?),
            (Op::Where, 2) => self.where_mask(&gradient.zeros_like()?, gradient),
            (Op::Pow, 0) => self.base(operands[0], operands[1]),
            (Op::Abs, _) => self.mixed(Op::Multiply, gradient, (&self.of_operand(Op::Sign)?).into()),
            (Op::Square, _) => self.mixed(Op::Multiply, &(gradient * 2.0)?, operands[0]),
            (Op::Reciprocal, _) => gradient.mul(&result.sqr()?)?.neg(),
            (Op::Sqrt, _) => gradient.div(&(result * 2.0)?),
            (Op::Exp, _) => gradient.mul(result),
            (Op::Sin, _) => gradient.mul(&self.of_operand(Op::Cos)?),
            (Op::Cos, _) => gradient.mul(&self.of_operand(Op::Sin)?)?.neg(),
            (Op::Tanh, _) => gradient.mul(&result.sqr()?.affine(-1.0, 1.0)?),
            (Op::Sigmoid, _) => gradient.mul(&result.mul(&result.affine(-1.0, 1.0)?)?),
            (op, _) => Err(Error::BackwardNotSupported { op: op.name() }),
        }
    }

    /// Computes an op on a tensor of the result's dtype and an operand.
    fn mixed(&self, op: Op, a: &Tensor, b: Operand<'_>) -> Result<Tensor> {
        apply(self.rules, op, &[a.into(), b])
    }

    /// Computes a function of the only operand.
    fn of_operand(&self, op: Op) -> Result<Tensor> {
        apply(self.rules, op, self.operands)
    }

    /// Returns the gradient of an operand of `maximum` or `minimum`: that of the result where the operand is
    /// the result, and half of it where the other operand is equal, as in candle and PyTorch.
    fn extremum(&self, operand: Operand<'_>, other: Operand<'_>) -> Result<Tensor> {
        let is_result =
            |operand| self.mixed(Op::Equal, self.result, operand)?.to_dtype(self.gradient.dtype());
        self.gradient.mul(&is_result(operand)?)?.div(&(is_result(other)? + 1.0)?)
    }

    /// Takes elements of `on_true` where the condition of this call is true, and of `on_false` elsewhere.
    fn where_mask(&self, on_true: &Tensor, on_false: &Tensor) -> Result<Tensor> {
        apply(self.rules, Op::Where, &[self.operands[0], on_true.into(), on_false.into()])
    }

    /// Returns the gradient of the base of a power: `gradient · b · a^(b - 1)`, and 0 where `b` is 0.
    fn base(&self, a: Operand<'_>, b: Operand<'_>) -> Result<Tensor> {
        let times_exponent = || self.mixed(Op::Multiply, self.gradient, b);
        match b {
            Operand::Number(Number::Bool(false) | Number::Int(0) | Number::Float(0.0)) => {
                self.gradient.zeros_like()
            }
            Operand::Number(number) => {
                let less = match number {
                    Number::Bool(one) => Number::Int(i128::from(one) - 1),
                    Number::Int(exponent) => Number::Int(exponent - 1),
                    Number::Float(exponent) => Number::Float(exponent - 1.0),
                    Number::Complex(..) => return Err(Error::BackwardNotSupported { op: self.op.name() }),
                };
                let power = apply(self.rules, Op::Pow, &[a, less.into()])?;
                self.mixed(Op::Multiply, &times_exponent()?, (&power).into())
            }
            Operand::Tensor(exponent) => {
                let less = apply(self.rules, Op::Subtract, &[b, 1.into()])?;
                let power = apply(self.rules, Op::Pow, &[a, (&less).into()])?;
                let product = self.mixed(Op::Multiply, &times_exponent()?, (&power).into())?;
                // An unsigned exponent of 0 has wrapped.
                let is_nonzero = exponent.ne(0_u8)?;
                apply(self.rules, Op::Where, &[(&is_nonzero).into(), (&product).into(), 0.into()])
            }
        }
    }
}
