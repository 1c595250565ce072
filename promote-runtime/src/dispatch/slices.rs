//! Calls on slices.

use super::{Error, Options, Target};
use crate::Op;
use crate::error::call::CallError;
use crate::kernel::Kernel;
use crate::memory::{Argument, ScalarValue, Slice, SliceMut};
use crate::op::{Flags, Reduction};
use crate::rule_set::RuleSet;

impl RuleSet {
    /// Computes `out[i] = a[i] op b[i]`. Arrays have the length of `out`, which may be 0.
    ///
    /// Numbers and zero-dimensional operands are broadcast. They are rounded to the common dtype or to the
    /// compute dtype, as the rule set says for the op. [`RuleSet::call`] takes arrays of any shape, and
    /// allocates the result.
    ///
    /// # Errors
    /// Returns an error, and leaves `out` unchanged, if the rule set refuses the operands, if `out` has
    /// another dtype than the result, if an operand has another length than `out`, or if this build has no
    /// kernel.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{Op, SliceMut, Torch};
    ///
    /// let mut out = [0.0_f32; 3];
    /// let rules = Torch::new().rule_set();
    /// rules.binary(Op::Divide, (&[1_u8, 2, 4]).into(), 2.into(), SliceMut::new(&mut out))?;
    /// assert_eq!(out, [0.5, 1.0, 2.0]); // PyTorch divides integers in its default dtype
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a call on few elements is as long as the way to it")]
    pub fn binary(
        &self,
        op: Op,
        a: Argument<'_>,
        b: Argument<'_>,
        mut out: SliceMut<'_>,
    ) -> Result<(), Error> {
        match (a, b) {
            (Argument::Slice(a), Argument::Slice(b)) => {
                match self.cache.and_then(|cache| cache.call(op, &a, &b, &mut out)) {
                    Some(done) => done.map_err(Error::Call),
                    None => self.binary_general(op, a, b, out.reborrow()),
                }
            }
            _ => self.binary_with_scalar(op, a, b, out),
        }
    }

    /// Handles what the fast path of [`RuleSet::binary`] does not: kernels that are not cached, pipelines,
    /// threads, custom ops and ops with extra inputs. It is a separate function so that the fast path keeps
    /// its slices in registers.
    #[cold]
    #[inline(never)]
    fn binary_general(&self, op: Op, a: Slice<'_>, b: Slice<'_>, out: SliceMut<'_>) -> Result<(), Error> {
        let kernel = match self.cached(op, a.dtype(), b.dtype()) {
            Some(kernel) => Some(kernel),
            None if matches!(op, Op::Custom(_)) => None,
            None => Some(self.search(op, a.dtype(), Some(b.dtype()))?),
        };
        match kernel {
            Some(kernel) if kernel.inputs() == 2 => kernel.call_slices(a, b, out).map_err(Error::Call),
            _ => self.binary_with_scalar(op, Argument::Slice(a), Argument::Slice(b), out),
        }
    }

    /// Computes an op over two operands of any kind, for example a number, or an op that is custom or has
    /// extra inputs.
    #[inline(never)]
    fn binary_with_scalar(
        &self,
        op: Op,
        a: Argument<'_>,
        b: Argument<'_>,
        out: SliceMut<'_>,
    ) -> Result<(), Error> {
        self.elementwise_with(op, Flags::default(), &[a, b], out)
    }

    /// Computes `out[i] = op a[i]`. Both have the same length, which may be 0.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::binary`].
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{Op, SliceMut, Torch};
    ///
    /// let mut out = [0.0_f32; 2];
    /// Torch::new().rule_set().unary(Op::Sqrt, (&[4_i64, 2]).into(), SliceMut::new(&mut out))?;
    /// assert_eq!(out, [2.0, 2.0_f32.sqrt()]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn unary(&self, op: Op, a: Argument<'_>, out: SliceMut<'_>) -> Result<(), Error> {
        match a {
            Argument::Slice(slice) if !matches!(op, Op::Custom(_)) => {
                Ok(self.unary_kernel(op, slice.dtype())?.call_inputs(&[Argument::Slice(slice)], out)?)
            }
            _ => self.elementwise_with(op, Flags::default(), &[a], out),
        }
    }

    /// Computes `out[i] = out[i] op b[i]`, as `a += b` does in the system. The dtypes are those of
    /// [`RuleSet::in_place_types`]. The result is cast to the dtype of `out` if the rule set allows this
    /// cast.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::binary`], and an error if the rule set refuses the cast.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{NumPy, Op, SliceMut};
    ///
    /// let rules = NumPy::new().rule_set();
    /// let mut a = [1_u8, 255];
    /// rules.binary_in_place(Op::Add, SliceMut::new(&mut a), (&[1_u8, 1]).into())?;
    /// assert_eq!(a, [2, 0]); // integers wrap
    /// let refused = rules.binary_in_place(Op::Add, SliceMut::new(&mut a), (&[0.5_f32, 0.5]).into());
    /// assert!(refused.is_err()); // a float does not become a `u8` on its own
    /// assert_eq!(a, [2, 0]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn binary_in_place(&self, op: Op, out: SliceMut<'_>, b: Argument<'_>) -> Result<(), Error> {
        self.in_place(op, &[Argument::InPlace(out.dtype()), b], out)
    }

    /// Computes `out[i] = op out[i]`, with the dtypes of [`RuleSet::binary_in_place`].
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::binary_in_place`].
    pub fn unary_in_place(&self, op: Op, out: SliceMut<'_>) -> Result<(), Error> {
        self.in_place(op, &[Argument::InPlace(out.dtype())], out)
    }

    fn in_place(&self, op: Op, inputs: &[Argument<'_>], out: SliceMut<'_>) -> Result<(), Error> {
        let call = |kernel: &Kernel, inputs: &[Argument<'_>]| kernel.call_inputs(inputs, out);
        self.with_kernel(op, Options::DEFAULT, inputs, Target::InPlace, call)
    }

    /// Computes any elementwise op on slices: of one operand, of two operands, or with extra inputs.
    ///
    /// The inputs are the operands and the op's [extra inputs](Op::extras), as in `huber_loss(a, b, delta)`.
    /// The condition of `where` comes before the operands, all others after them. Trailing inputs that have a
    /// default may be left out.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::binary`], and an error if the op takes another number of inputs or
    /// refuses the value of one: `delta` must be above 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{Op, SliceMut, Torch};
    ///
    /// let (start, end) = ([0.0_f32, 10.0], [1.0_f32, 20.0]);
    /// let mut out = [0.0_f32; 2];
    /// let inputs = [(&start).into(), (&end).into(), 0.25.into()];
    /// Torch::new().rule_set().elementwise(Op::Lerp, &inputs, SliceMut::new(&mut out))?;
    /// assert_eq!(out, [0.25, 12.5]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn elementwise(&self, op: Op, inputs: &[Argument<'_>], out: SliceMut<'_>) -> Result<(), Error> {
        match inputs {
            [a, b] if op.inputs() == 2 => self.binary(op, *a, *b, out),
            _ => self.elementwise_with(op, Flags::default(), inputs, out),
        }
    }

    /// Computes any elementwise op as [`RuleSet::elementwise`] does, with flags.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::elementwise`].
    ///
    /// ```
    /// use promote::op::Flags;
    /// use promote::{Op, SliceMut, Torch};
    ///
    /// let (mut losses, rules) = ([0.0_f32], Torch::new().rule_set());
    /// let inputs = [(&[2.0_f32]).into(), (&[1.0_f32]).into()];
    /// // With `log_input`, the loss is `exp(a) - b * a`.
    /// let flags = Flags::DEFAULT.with_log_input(false);
    /// rules.elementwise_with(Op::PoissonNllLoss, flags, &inputs, SliceMut::new(&mut losses))?;
    /// assert!((losses[0] - (2.0 - 2.0_f32.ln())).abs() < 1e-6);
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn elementwise_with(
        &self,
        op: Op,
        flags: Flags,
        inputs: &[Argument<'_>],
        out: SliceMut<'_>,
    ) -> Result<(), Error> {
        let call = |kernel: &Kernel, inputs: &[Argument<'_>]| kernel.call_inputs(inputs, out);
        self.with_kernel(op, flags.into(), inputs, Target::New, call)
    }

    /// Computes the sum or the mean of an elementwise op's results, without allocating them. The inputs are
    /// those of [`RuleSet::elementwise`].
    ///
    /// Each result is rounded to its dtype, which must be a float; the sum is rounded once to that dtype.
    /// Over no elements the sum is 0 and the mean NaN.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::elementwise`], and an error if the op's results are not floats.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{Flags, Op, Reduction, Torch};
    ///
    /// let (prediction, target) = ([1.0_f32, 4.0], [0.0_f32, 2.0]);
    /// let inputs = [(&prediction).into(), (&target).into()];
    /// let loss = Torch::new().rule_set().reduced(Op::L1Loss, Flags::DEFAULT, &inputs, Reduction::Mean)?;
    /// assert_eq!(loss.get(), Some(1.5_f32));
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn reduced(
        &self,
        op: Op,
        flags: Flags,
        inputs: &[Argument<'_>],
        reduction: Reduction,
    ) -> Result<ScalarValue, Error> {
        self.reduced_with(op, flags.into(), inputs, reduction)
    }

    /// Computes [`RuleSet::reduced`] with all options of a call.
    pub(crate) fn reduced_with(
        &self,
        op: Op,
        options: Options,
        inputs: &[Argument<'_>],
        reduction: Reduction,
    ) -> Result<ScalarValue, Error> {
        if let Op::Custom(_) = op {
            return Err(Error::Call(CallError::NotComputed { op }));
        }
        self.with_kernel(op, options, inputs, Target::New, |kernel, inputs| kernel.reduced(inputs, reduction))
    }

    /// Computes `out[i] = if condition[i] { a[i] } else { b[i] }`, with `a` and `b` converted to the dtype
    /// that they promote to.
    ///
    /// All arrays have the same length, which may be 0. The condition is `bool`; every byte other than 0 is
    /// true.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::binary`], and an error if the condition is not `bool`.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{SliceMut, Torch};
    ///
    /// let mut out = [0_i16; 2];
    /// let (condition, a, b) = ([true, false], [1_u8, 2], [-1_i8, -2]);
    /// let rules = Torch::new().rule_set();
    /// rules.where_((&condition).into(), (&a).into(), (&b).into(), SliceMut::new(&mut out))?;
    /// assert_eq!(out, [1, -2]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn where_(
        &self,
        condition: Argument<'_>,
        a: Argument<'_>,
        b: Argument<'_>,
        out: SliceMut<'_>,
    ) -> Result<(), Error> {
        self.elementwise_with(Op::Where, Flags::default(), &[condition, a, b], out)
    }
}
