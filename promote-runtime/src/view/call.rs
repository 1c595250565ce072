//! One way to call any op on operands of any kind.

use super::tensor::Tensor;
use super::{Axes, TensorView, TensorViewMut};
use crate::Op;
use crate::dispatch::{Argument, Error};
use crate::kernel::{CallError, ScalarValue};
use crate::op::{Flags, Reduction};
use crate::rule_set::RuleSet;

impl RuleSet {
    /// Computes an op on operands of any kind, and returns a new array.
    ///
    /// Elementwise ops broadcast their operands ([`RuleSet::apply`]); reductions reduce all axes
    /// ([`RuleSet::reduce`]); `dot` multiplies two vectors. Tensors, vectors, slices, views and Rust's numbers
    /// convert to operands. [`RuleSet::prepare`] has options.
    ///
    /// # Errors
    /// Returns an error if the rule set refuses the operands, if they do not broadcast, if the op takes another
    /// number of operands or refuses a value, if this build has no kernel, or if there is not enough memory.
    pub fn call(&self, op: Op, operands: &[Argument<'_>]) -> Result<Tensor, Error> {
        self.prepare(op, operands).run()
    }

    /// Prepares a call of an op: a builder for what [`RuleSet::call`] leaves at its defaults.
    pub const fn prepare<'c, 'a>(&self, op: Op, operands: &'c [Argument<'a>]) -> Call<'c, 'a> {
        let flags = Flags::DEFAULT;
        Call { rules: *self, op, operands, flags, axes: None, keep_dims: false, reduction: None }
    }
}

/// A call that is being prepared, from [`RuleSet::prepare`]. Nothing is looked up or computed before
/// [`Call::run`].
#[derive(Clone, Copy, Debug)]
#[must_use = "a call computes nothing before it is run"]
pub struct Call<'c, 'a> {
    rules: RuleSet,
    op: Op,
    operands: &'c [Argument<'a>],
    flags: Flags,
    axes: Option<Axes<'c>>,
    keep_dims: bool,
    reduction: Option<Reduction>,
}

impl<'c, 'a> Call<'c, 'a> {
    /// Reduces along these axes instead of all; a negative axis counts from the last, which is -1.
    pub const fn axes(self, axes: &'c [isize]) -> Self {
        Call { axes: Some(Axes::Of(axes)), ..self }
    }

    /// Keeps each reduced axis with length 1.
    pub const fn keep_dims(self, keep_dims: bool) -> Self {
        Call { keep_dims, ..self }
    }

    /// Chooses the options that the op leaves to a call.
    pub const fn flags(self, flags: Flags) -> Self {
        Call { flags, ..self }
    }

    /// Reduces the results of an elementwise op, such as a loss, to their sum or mean, without memory for them.
    pub const fn reduction(self, reduction: Reduction) -> Self {
        Call { reduction: Some(reduction), ..self }
    }

    /// Writes the result into an existing array, which has the shape of the result; its dtype is that of the
    /// result, or one to which the rule set lets a result be cast ([`RuleSet::out_types`]).
    pub const fn out<'o>(self, out: TensorViewMut<'o>) -> CallInto<'c, 'a, 'o> {
        CallInto { call: self, out, in_place: false }
    }

    /// Computes in place: `out` is the first operand and takes the result, and the operands of this call are
    /// those after it.
    pub const fn in_place<'o>(self, out: TensorViewMut<'o>) -> CallInto<'c, 'a, 'o> {
        CallInto { call: self, out, in_place: true }
    }

    /// Computes the op, and returns a new array.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::call`], and an error if axes are given and the op is no reduction.
    pub fn run(self) -> Result<Tensor, Error> {
        let Call { rules, op, operands, flags, axes, keep_dims, reduction } = self;
        if let Some(reduction) = reduction {
            return scalar(&rules.reduced(op, flags, operands, reduction)?);
        }
        if RuleSet::reduces(op) {
            let axes = axes.unwrap_or(Axes::All);
            return self.with_operand(|view| rules.reduce(op, view, axes, keep_dims));
        }
        if axes.is_some() || keep_dims {
            return Err(Error::Call(CallError::NoReduction { op }));
        }
        match (op, operands) {
            (Op::Dot, [a, b]) => {
                let (a, b) = (Operand::of(&rules, a)?, Operand::of(&rules, b)?);
                scalar(&rules.dot(&a.view(), &b.view())?)
            }
            _ => rules.apply_with(op, flags, operands),
        }
    }

    /// Calls a function with the one operand of a reduction.
    fn with_operand<T>(&self, f: impl FnOnce(&TensorView<'_>) -> Result<T, Error>) -> Result<T, Error> {
        match self.operands {
            [operand] => f(&Operand::of(&self.rules, operand)?.view()),
            others => Err(Error::Call(CallError::Inputs { expected: 1, found: others.len() })),
        }
    }
}

/// A call into an existing array, from [`Call::out`] or [`Call::in_place`].
#[derive(Debug)]
#[must_use = "a call computes nothing before it is run"]
pub struct CallInto<'c, 'a, 'o> {
    call: Call<'c, 'a>,
    out: TensorViewMut<'o>,
    in_place: bool,
}

impl CallInto<'_, '_, '_> {
    /// Computes the op.
    ///
    /// # Errors
    /// Returns the errors of [`Call::run`], and an error if the array has another shape than the result, or if
    /// the rule set refuses the cast to its dtype. The array is then unchanged.
    pub fn run(self) -> Result<(), Error> {
        let CallInto { call, out, in_place } = self;
        let Call { rules, op, operands, flags, axes, .. } = call;
        if call.reduction.is_some() || op == Op::Dot {
            return Err(Error::Call(CallError::NoReduction { op }));
        }
        if RuleSet::reduces(op) && !in_place {
            let axes = axes.unwrap_or(Axes::All);
            return call.with_operand(|view| rules.reduce_into(op, view, axes, out));
        }
        if axes.is_some() || call.keep_dims {
            return Err(Error::Call(CallError::NoReduction { op }));
        }
        if in_place {
            return rules.apply_in_place(op, out, operands);
        }
        rules.apply_into_with(op, flags, operands, out)
    }
}

/// An operand with a shape.
enum Operand<'a> {
    View(TensorView<'a>),
    /// A number or an element as an array without axes.
    Made(Tensor),
}

impl<'a> Operand<'a> {
    fn of(rules: &RuleSet, argument: &Argument<'a>) -> Result<Operand<'a>, Error> {
        match argument {
            Argument::Array(slice) => Ok(Operand::View((*slice).into())),
            Argument::View(view) => Ok(Operand::View(**view)),
            Argument::ZeroDim(value) => scalar(value).map(Operand::Made),
            Argument::Number(_) | Argument::InPlace(_) => {
                let mut made = rules.common(core::slice::from_ref(argument))?;
                made.pop().map(Operand::Made).ok_or(Error::Call(CallError::Uninitialised))
            }
        }
    }

    fn view(&self) -> TensorView<'_> {
        match self {
            Operand::View(view) => *view,
            Operand::Made(tensor) => tensor.view(),
        }
    }
}

/// An array without axes.
fn scalar(value: &ScalarValue) -> Result<Tensor, Error> {
    let mut tensor = Tensor::zeros(value.dtype(), &[])?;
    tensor.bytes_mut().copy_from_slice(value.bytes());
    Ok(tensor)
}
