//! The one way to call an op at run time: [`RuleSet::call`], and [`RuleSet::prepare`] with options.

#[cfg(feature = "alloc")]
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
    /// Tensors, vectors, slices, views and Rust's numbers convert to [operands](Argument). An integer or a
    /// float is a number without a width; a typed scalar is `Argument::ZeroDim`.
    ///
    /// - Elementwise ops broadcast their operands to one shape: seen from the last axis, each has the length of
    ///   the result or 1, and missing axes count as 1. Numbers and zero-dimensional operands alone give an
    ///   array without axes. The inputs of an op that takes more than operands follow in the order of
    ///   [`Op::extras`]; the condition of `where` comes first. Those that have a default may be left out.
    /// - Reductions reduce all axes, or those of [`Call::axes`].
    /// - `dot` multiplies two vectors of one length: the products are added in `f64`, or modulo 2^64 for
    ///   integers, and the sum is rounded once. Complex numbers are not conjugated.
    ///
    /// [`RuleSet::prepare`] has options: an output, in-place results, axes, flags.
    ///
    /// # Errors
    ///
    /// Returns an error if the rule set refuses the operands, if they do not broadcast, if the op takes another
    /// number of operands or refuses a value, if this build has no kernel, or if there is not enough memory.
    ///
    /// # Examples
    ///
    /// See the facade's documentation: a compiled rule set with kernels comes from there.
    #[cfg(feature = "alloc")]
    pub fn call(&self, op: Op, operands: &[Argument<'_>]) -> Result<Tensor, Error> {
        self.prepare(op, operands).run()
    }

    /// Prepares a call of an op: a builder for what [`RuleSet::call`] leaves at its defaults.
    #[inline]
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
    ///
    /// - `sum`, `mean`, `prod`, `norm` (the root of the sum of the squared magnitudes) compute integers modulo
    ///   2^64 and floats in `f64`, and round once. Sums of n elements lie within 2^-46 times the sum of their
    ///   magnitudes, products of n within n · 2^-53, barring overflow and underflow on the way. Of no elements
    ///   the sum and the norm are 0, the product is 1 and the mean NaN.
    /// - `max`, `amax`, `min`, `amin` give NaN if an element is; +0 is greater than -0. Complex numbers are
    ///   compared by their real parts, and where these are equal by the imaginary ones.
    /// - `argmax`, `argmin` give the index of the first such element along one axis or, of all axes, in
    ///   row-major order. NaN counts as the greatest and as the least; -0 and +0 are equal.
    /// - `any`, `all`: an element is true if it differs from 0, so NaN is. Of no elements, false and true.
    ///
    /// The result is the same on every machine, at every level and for any number of threads.
    #[inline]
    pub fn axes(self, axes: impl Into<Axes<'c>>) -> Self {
        Call { axes: Some(axes.into()), ..self }
    }

    /// Keeps each reduced axis with length 1.
    #[inline]
    pub const fn keep_dims(self, keep_dims: bool) -> Self {
        Call { keep_dims, ..self }
    }

    /// Chooses the options that the op leaves to a call.
    #[inline]
    pub const fn flags(self, flags: Flags) -> Self {
        Call { flags, ..self }
    }

    /// Reduces the results of an elementwise op, such as a loss, to their sum or mean, without memory for them.
    #[inline]
    pub const fn reduction(self, reduction: Reduction) -> Self {
        Call { reduction: Some(reduction), ..self }
    }

    /// Writes the result into an existing array, which has the shape of the result. Its dtype is that of the
    /// result, or one to which the rule set lets a result be cast ([`RuleSet::out_types`]).
    ///
    /// A reduction's result has the reduced axes with length 1, or not at all. For an `out` of another dtype it
    /// is rounded to its own dtype first, and then cast.
    #[inline]
    pub fn out<'o>(self, out: impl Into<TensorViewMut<'o>>) -> CallInto<'c, 'a, 'o> {
        CallInto { call: self, out: out.into(), in_place: false }
    }

    /// Computes in place, as in `a += b`: `out` is the first operand and takes the result, and the operands of
    /// this call are those after it, which broadcast to its shape.
    ///
    /// The dtypes are those of [`RuleSet::in_place_types`]; the result is cast to the dtype of `out` if the
    /// rule set allows this cast.
    #[inline]
    pub fn in_place<'o>(self, out: impl Into<TensorViewMut<'o>>) -> CallInto<'c, 'a, 'o> {
        CallInto { call: self, out: out.into(), in_place: true }
    }

    /// Computes the op, and returns a new array.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`RuleSet::call`], and an error if axes are given that are not there or are named
    /// twice, if axes are given to an op that is no reduction, or if an op that has no answer for it reduces no
    /// elements.
    #[cfg(feature = "alloc")]
    pub fn run(self) -> Result<Tensor, Error> {
        let Call { rules, op, operands, flags, axes, keep_dims, reduction } = self;
        if let Some(reduction) = reduction {
            return zero_dim(&rules.reduced(op, flags, operands, reduction)?);
        }
        if RuleSet::reduces(op) {
            let axes = axes.unwrap_or(Axes::All);
            return self.with_operand(|view| rules.reduce(op, view, axes, keep_dims));
        }
        if axes.is_some() || keep_dims {
            return Err(Error::Call(CallError::NoReduction { op }));
        }
        if let (Op::Dot, [a, b]) = (op, operands) {
            let (a, b) = (Operand::of(&rules, a)?, Operand::of(&rules, b)?);
            return zero_dim(&rules.dot(&a.view()?, &b.view()?)?);
        }
        rules.apply(op, flags, operands)
    }

    /// Calls a function with the one operand of a reduction.
    fn with_operand<T>(&self, f: impl FnOnce(&TensorView<'_>) -> Result<T, Error>) -> Result<T, Error> {
        match self.operands {
            [operand] => f(&Operand::of(&self.rules, operand)?.view()?),
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
    ///
    /// Returns the errors of [`RuleSet::call`] and [`Call::axes`], and an error if the array has another shape
    /// than the result, or if the rule set refuses the cast to its dtype. The array is then unchanged. `where`
    /// has no in-place form, since its first input is no operand.
    pub fn run(self) -> Result<(), Error> {
        let CallInto { call, out, in_place } = self;
        let Call { rules, op, operands, flags, axes, .. } = call;
        if call.reduction.is_some() {
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
            return rules.apply_in_place(op, flags, out, operands);
        }
        if let (Op::Dot, [a, b]) = (op, operands) {
            let (a, b) = (Operand::of(&rules, a)?, Operand::of(&rules, b)?);
            return rules.dot_into(&a.view()?, &b.view()?, out);
        }
        rules.apply_into(op, flags, operands, out)
    }
}

/// An operand with a shape.
enum Operand<'a> {
    View(TensorView<'a>),
    /// A number or an element: an array without axes.
    Scalar(ScalarValue),
}

impl<'a> Operand<'a> {
    fn of(rules: &RuleSet, argument: &Argument<'a>) -> Result<Operand<'a>, Error> {
        match argument {
            Argument::Array(slice) => Ok(Operand::View((*slice).into())),
            Argument::View(view) => Ok(Operand::View(**view)),
            Argument::ZeroDim(value) => Ok(Operand::Scalar(*value)),
            Argument::Number(number) => {
                let dtype = rules.result_type(&[argument.operand()])?.dtype;
                Ok(Operand::Scalar(ScalarValue::from_number(*number, dtype)?))
            }
            Argument::InPlace(_) => Err(Error::Call(CallError::Uninitialised)),
        }
    }

    fn view(&self) -> Result<TensorView<'_>, Error> {
        match self {
            Operand::View(view) => Ok(*view),
            Operand::Scalar(value) => {
                TensorView::from_bytes(value.dtype(), value.bytes(), &[], &[], 0).map_err(Error::from)
            }
        }
    }
}

/// An array without axes.
#[cfg(feature = "alloc")]
fn zero_dim(value: &ScalarValue) -> Result<Tensor, Error> {
    let mut tensor = Tensor::zeros(value.dtype(), &[])?;
    tensor.bytes_mut().copy_from_slice(value.bytes());
    Ok(tensor)
}
