//! Dispatch: from a rule set, an op and operands to the kernel that computes the result, and calls on slices.

mod apply;
pub(crate) mod argument;
mod call;
#[cfg(feature = "alloc")]
mod common;
mod custom;
mod error;
mod extras;
mod iteration;
mod reduce;
pub(crate) mod typed;

use crate::kernel::scalar::{round_parts, untyped_part};
use crate::ops::exponent;
use arrayvec::ArrayVec;

use crate::Number;
use crate::dispatch::extras::{Inputs, complete};
use crate::error::PromoteError;
use crate::error::call::CallError;
use crate::kernel::user::MAX_INPUTS;
use crate::kernel::{CastKernel, DispatchCache, Enters, Kernel, Kernels};
use crate::level::Level;
use crate::memory::{Argument, ScalarValue, Slice, SliceMut};
use crate::op::{Flags, Reduction};
use crate::ops::KernelOp;
use crate::rule_set::explain::Trace;
use crate::rule_set::{Operand, RuleSet};
use crate::semantics;
use crate::semantics::{NumberOverflow, RightScalar};
use crate::table::OpTable;
use crate::{DType, Kind};
use crate::{ExtraKind, Op, OpTypes};
use promote_core::__private::order_out_of_range;

#[cfg(feature = "alloc")]
pub use apply::broadcast_shapes;
pub(crate) use argument::{Options, Target};
pub use call::{Call, CallInto};
pub use error::Error;
pub use iteration::{Iteration, IterationConfig, IterationError, Shape};
pub use reduce::Axes;

/// The arguments of an op by their roles: conditions, operands, and other extra inputs.
type Parts<'b, 'a> = (&'b [Argument<'a>], &'b [Argument<'a>], &'b [Argument<'a>]);

impl RuleSet {
    /// Returns the rule set with kernels.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_kernels(self, kernels: &'static Kernels) -> RuleSet {
        RuleSet { kernels, cache: None, ..self }
    }

    /// Returns the rule set with a cache for run-time calls. The cache must belong to these tables and
    /// kernels alone.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_cache(self, cache: &'static DispatchCache) -> RuleSet {
        let cache = if self.setting == self.tables.default_setting() { Some(cache) } else { None };
        RuleSet { cache, ..self }
    }

    /// Looks up the kernel of an op over two arrays, at the SIMD level in use: to be found once and called
    /// often. For a custom op use [`RuleSet::custom_kernel`].
    ///
    /// # Errors
    /// Returns an error if the rule set refuses the pair or the op, if this build has no kernel for it, or if
    /// the op is custom.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{DType, Op, SliceMut, Torch};
    ///
    /// let add = Torch::new().rule_set().kernel(Op::Add, DType::I32, DType::F32)?;
    /// assert_eq!(add.dtypes(), [DType::I32, DType::F32, DType::F32]);
    /// let mut out = [0.0_f32; 2];
    /// for (a, b) in [([1, 2], [0.5_f32, 0.5]), ([3, 4], [0.25, 0.75])] {
    ///     add.call_slices((&a).into(), (&b).into(), SliceMut::new(&mut out))?;
    /// }
    /// assert_eq!(out, [3.25, 4.75]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub fn kernel(&self, op: Op, a: DType, b: DType) -> Result<Kernel, Error> {
        // The cached kernel can be that of an op of one array.
        match self.cached(op, a, b).filter(|kernel| kernel.inputs() > 1) {
            Some(kernel) => Ok(kernel),
            None => self.search(op, a, Some(b)),
        }
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a call on few elements is as long as the way to it")]
    pub(crate) fn cached(&self, op: Op, a: DType, b: DType) -> Option<Kernel> {
        self.cache?.get(self.kernels, Level::active(), op, [a, b])
    }

    /// Looks a kernel up in the tables, for one operand or two.
    #[cold]
    #[inline(never)]
    fn search(&self, op: Op, a: DType, b: Option<DType>) -> Result<Kernel, Error> {
        let dtypes = [a, b.unwrap_or(a)];
        let dtypes = if b.is_some() { &dtypes[..] } else { &dtypes[..1] };
        #[cfg(feature = "alloc")]
        if !matches!(op, Op::Custom(_))
            && let Some(cache) = self.cache
            && let Some(kernel) = cache.other(Level::active(), op, dtypes.iter().copied())
        {
            return Ok(*kernel);
        }
        let operands = [Operand::Array(a), Operand::Array(b.unwrap_or(a))];
        let (table, answer) = self.decide(op, &operands[..dtypes.len()], &mut Trace::new())?;
        let (b, types) = (b.unwrap_or(a), self.tables.types(answer));
        let kernel = Kernel::find(self.kernels, computed(op, table)?, a, b, types)?;
        if let Some(cache) = self.cache {
            match kernel.entry() {
                Some(found) => cache.put(op, a, b, found),
                #[cfg(feature = "alloc")]
                None => cache.put_other(op, dtypes.iter().copied(), kernel),
                #[cfg(not(feature = "alloc"))]
                None => {}
            }
        }
        Ok(kernel)
    }

    /// Looks up the kernel at a SIMD level, or at the best level below it that the machine has. Calls beyond
    /// the caches may run functions of a lower level on machines where these are faster; results are equal,
    /// except for the sign and the payload of a NaN.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::kernel`].
    ///
    /// ```
    /// use promote::{DType, Level, Op, Slice, SliceMut, Torch};
    ///
    /// let add = Torch::new().rule_set().kernel_at(Level::Scalar, Op::Add, DType::I8, DType::F32)?;
    /// let mut sums = [0.0_f32; 2];
    /// add.call_slices(Slice::new(&[1_i8, 2]), Slice::new(&[0.5_f32, 0.25]), SliceMut::new(&mut sums))?;
    /// assert_eq!(sums, [1.5, 2.25]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[inline]
    pub fn kernel_at(&self, level: Level, op: Op, a: DType, b: DType) -> Result<Kernel, Error> {
        let (table, answer) = self.decide(op, &[Operand::Array(a), Operand::Array(b)], &mut Trace::new())?;
        let (a, b) = ((a, Enters::Common), (b, Enters::Common));
        Ok(Kernel::find_at(level, self.kernels, computed(op, table)?, a, b, self.tables.types(answer))?)
    }

    /// Computes `out[i] = a[i] op b[i]`. Arrays have the length of `out`, which may be 0.
    ///
    /// Numbers and zero-dimensional operands are broadcast. They are rounded to the common dtype or to the
    /// compute dtype, as the rule set says for the op. [`RuleSet::call`] takes arrays of any shape, and
    /// allocates the result.
    ///
    /// # Errors
    /// Returns an error, and leaves `out` unchanged, if the rule set refuses, if `out` has another dtype than
    /// the result, if an operand has another length than `out`, or if this build has no kernel.
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
                    None => self.binary_with_care(op, a, b, out.reborrow()),
                }
            }
            _ => self.binary_with_scalar(op, a, b, out),
        }
    }

    /// Computes an op over two arrays that is not cached, that runs in blocks or on threads, or that takes
    /// more than operands. A function of its own, so that the fast path keeps its slices in registers.
    #[cold]
    #[inline(never)]
    fn binary_with_care(&self, op: Op, a: Slice<'_>, b: Slice<'_>, out: SliceMut<'_>) -> Result<(), Error> {
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

    /// Computes an op over two operands, one of which is a number or a zero-dimensional array.
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

    /// Computes `out[i] = out[i] op b[i]`, as `a += b` does in the system: in the dtypes of
    /// [`RuleSet::in_place_types`], and cast to the dtype of `out` if the rule set allows this cast.
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
        let (kernel, inputs) = self.prepared(op, Options::DEFAULT, inputs, Target::InPlace)?;
        Ok(kernel.call_inputs(&inputs, out)?)
    }

    /// Computes any elementwise op on slices: one of one operand or two, or one with extra inputs.
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
        if let Op::Custom(custom) = op {
            return self.with_custom_kernel(custom, None, inputs, Target::New, |kernel, inputs| {
                kernel.call_inputs(inputs, out)
            });
        }
        let (kernel, inputs) = self.prepared(op, flags.into(), inputs, Target::New)?;
        Ok(kernel.call_inputs(&inputs, out)?)
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
        let (kernel, inputs) = self.prepared(op, options, inputs, Target::New)?;
        Ok(kernel.reduced(&inputs, reduction)?)
    }

    /// Looks up the kernel of an op over one array, at the SIMD level in use: to be found once and called
    /// often.
    ///
    /// # Errors
    /// Returns an error if the rule set refuses the dtype or the op, or if this build has no kernel for it.
    ///
    /// ```
    /// use promote::{DType, Op, Slice, SliceMut, Torch};
    ///
    /// let sqrt = Torch::new().rule_set().unary_kernel(Op::Sqrt, DType::U8)?;
    /// let mut roots = [0.0_f32; 2];
    /// sqrt.call_inputs(&[Slice::new(&[4_u8, 9]).into()], SliceMut::new(&mut roots))?;
    /// assert_eq!(roots, [2.0, 3.0]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn unary_kernel(&self, op: Op, a: DType) -> Result<Kernel, Error> {
        match self.cached(op, a, a).filter(|kernel| kernel.inputs() == 1) {
            Some(kernel) => Ok(kernel),
            None => self.search(op, a, None),
        }
    }

    /// Looks up the kernel of an op over one array at a SIMD level, or at the best level below it that the
    /// machine has.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::unary_kernel`].
    pub fn unary_kernel_at(&self, level: Level, op: Op, a: DType) -> Result<Kernel, Error> {
        let (table, answer) = self.decide(op, &[Operand::Array(a)], &mut Trace::new())?;
        let a = (a, Enters::Common);
        Ok(Kernel::find_at(level, self.kernels, computed(op, table)?, a, a, self.tables.types(answer))?)
    }

    /// Looks up the cast from one dtype to another, at the SIMD level in use: to be found once and called
    /// often.
    ///
    /// The rule set's options of `astype` decide what a float becomes that an integer dtype cannot hold.
    /// [`RuleSet::can_cast`] tells whether the rule set allows a cast; this method does not check that.
    ///
    /// # Errors
    /// Returns an error if this build has no casts, or if a dtype exists in tables only.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{DType, SliceMut, Torch};
    ///
    /// let cast = Torch::new().rule_set().cast_kernel(DType::F32, DType::I8)?;
    /// let mut out = [0_i8; 2];
    /// cast.call((&[1.9_f32, -2.5]).into(), SliceMut::new(&mut out))?;
    /// assert_eq!(out, [1, -2]);
    /// # Ok::<(), promote::CallError>(())
    /// ```
    pub fn cast_kernel(&self, from: DType, to: DType) -> Result<CastKernel, CallError> {
        self.cast_kernel_at(Level::active(), from, to)
    }

    /// Looks up a cast at a SIMD level, or at the best level below it that the machine has.
    ///
    /// # Errors
    /// Returns the errors of [`RuleSet::cast_kernel`].
    pub fn cast_kernel_at(&self, level: Level, from: DType, to: DType) -> Result<CastKernel, CallError> {
        CastKernel::find_at(level, self.kernels, from, to, self.cast_semantics())
    }

    /// Returns the semantics of the rule set's `astype`.
    fn cast_semantics(&self) -> u16 {
        let table = self.tables.ops.iter().find(|table| table.op == Op::Astype);
        table.map_or(0, OpTable::bits)
    }

    /// Returns true if casts to `f8e4m3fn` saturate on overflow instead of giving NaN.
    pub(crate) fn casts_saturate(&self) -> bool {
        self.cast_semantics() & semantics::OVERFLOW_SATURATE != 0
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

    /// Finds the kernel of a standard op, and converts the arguments of a call to its inputs. Arguments are
    /// in the order of [`RuleSet::elementwise`].
    pub(crate) fn prepared<'a>(
        &self,
        op: Op,
        options: Options,
        given: &[Argument<'a>],
        target: Target,
    ) -> Result<(Kernel, Inputs<'a>), Error> {
        if let Some(kernel) = self.prepared_arrays(op, options, given, target) {
            return Ok(kernel);
        }
        let arity = op.arity();
        let (conditions, operands, behind) = parts(op, given)?;
        let kinds = match target {
            Target::As(types) => [Operand::Array(types.common); 2],
            _ => self.operands(op, operands, behind)?,
        };
        let before = conditions.len();
        let (table, answer) = self.decide(op, &kinds[..arity], &mut Trace::new())?;
        let own = self.tables.types(answer);
        let types = self.types_for(op, &kinds[..arity], operands[0].operand(), own, target)?;
        let keeps = table.right_scalar == RightScalar::Opmath;
        let kernel = computed(op, table)?;
        let kernel = kernel.with_semantics(kernel.semantics() | options.flags.semantics(op));
        let mut ends = [operands[0], operands[operands.len() - 1]];
        let kernel = match table.number {
            NumberOverflow::Exact => clamp_comparison(kernel, &mut ends, types.common),
            _ => kernel,
        };
        let operands = &ends[..arity];
        // The result has the op's own dtype first, and is then cast to that of `out`, as in the system.
        let narrow = own.output == own.common && own.compute != own.common;
        let rounds = narrow && types.output != own.output && types.common == own.common;
        let kernel = kernel.rounding_first(rounds);
        if operands.get(1).is_some_and(|b| refuses_exponent(table, types, b)) {
            return Err(Error::Call(CallError::NegativeExponent));
        }
        let a = Self::input(operands[0], false, types, kernel.saturates())?;
        let mut found = [a; 2];
        if let Some(b) = operands.get(1) {
            let a = found[0].1.0;
            found[1] = match (exponent(kernel.for_operands(a, DType::I64)), b.for_kernel()) {
                // An integer exponent is not converted to the common dtype.
                (Some(_), Argument::Number(number @ (Number::Int(_) | Number::Bool(_)))) => (
                    Argument::ZeroDim(ScalarValue::from_number(number, DType::I64)?),
                    (DType::I64, Enters::Common),
                ),
                (Some(_), Argument::ZeroDim(value)) if value.dtype().kind() < Kind::Float => {
                    (Argument::ZeroDim(value), (value.dtype(), Enters::Common))
                }
                (_, b) => Self::input(b, keeps, types, kernel.saturates())?,
            };
        }
        let inputs = found[..arity].iter().map(|(input, _)| *input).collect();
        let extra = |k: usize| conditions.get(k).or_else(|| behind.get(k - before)).copied();
        let keys = found.map(|(_, key)| key);
        Ok(complete(self.kernels, options.level(), (op, kernel), keys, types, inputs, extra)?)
    }

    /// Returns the dtypes of an op for a target. `own` are its dtypes without one, and `left` is the first
    /// operand.
    fn types_for(
        &self,
        op: Op,
        kinds: &[Operand],
        left: Operand,
        own: OpTypes,
        target: Target,
    ) -> Result<OpTypes, PromoteError> {
        match target {
            Target::InPlace => {
                let target = left.dtype().ok_or(PromoteError::NotInPlace { rules: self.name(), op })?;
                self.types_in(op, kinds, target)
            }
            Target::Out(dtype) if own.output != dtype => self.types_into(op, own, dtype),
            Target::As(types) => Ok(types),
            _ => Ok(own),
        }
    }

    /// The fast path of [`RuleSet::prepared`] for arrays alone, whose kernel may be cached. Returns `None`
    /// for other calls, and for calls that are in error.
    fn prepared_arrays<'a>(
        &self,
        op: Op,
        options: Options,
        given: &[Argument<'a>],
        target: Target,
    ) -> Option<(Kernel, Inputs<'a>)> {
        let output = match target {
            Target::New => None,
            Target::Out(dtype) => Some(dtype),
            Target::InPlace | Target::As(_) => return None,
        };
        if options != Options::DEFAULT || op.arity() != given.len() || op.inputs() != given.len() {
            return None;
        }
        let mut dtypes = [DType::Bool; 2];
        for (dtype, argument) in dtypes.iter_mut().zip(given) {
            *dtype = argument.dtype().filter(|_| argument.has_axes())?;
        }
        let kernel = match given.len() {
            1 => self.unary_kernel(op, dtypes[0]),
            _ => self.kernel(op, dtypes[0], dtypes[1]),
        };
        let kernel = kernel.ok().filter(|kernel| output.is_none_or(|dtype| kernel.dtypes()[2] == dtype))?;
        Some((kernel, given.iter().copied().collect()))
    }

    /// Returns the two operands of a standard op as promotion sees them. For an op of one operand, both are
    /// that operand.
    fn operands(
        &self,
        op: Op,
        operands: &[Argument<'_>],
        behind: &[Argument<'_>],
    ) -> Result<[Operand; 2], Error> {
        let kinds = [operands[0].operand(), operands[operands.len() - 1].operand()];
        if op.extras().first().is_some_and(|extra| extra.kind == ExtraKind::Operand) {
            // Three operands decide the dtype, and each is converted to it.
            let joined = self.result_type(&[kinds[0], kinds[1], behind[0].operand()])?;
            return Ok([Operand::Array(joined.dtype); 2]);
        }
        Ok(kinds)
    }

    /// Returns the dtypes of a standard or custom op for the arguments of a call.
    pub(crate) fn types_of_call(&self, op: Op, given: &[Argument<'_>]) -> Result<OpTypes, Error> {
        if let Op::Custom(_) = op {
            let operands =
                given.iter().take(MAX_INPUTS).map(Argument::operand).collect::<ArrayVec<_, MAX_INPUTS>>();
            return Ok(self.custom_types(op, &operands, given.len())?.0);
        }
        let (_, operands, behind) = parts(op, given)?;
        Ok(self.op_types(op, &self.operands(op, operands, behind)?[..op.arity()])?)
    }

    /// Converts an operand to an input of a kernel. Returns the dtype by which the kernel is looked up, and
    /// how the operand is converted.
    fn input(
        operand: Argument<'_>,
        keeps: bool,
        types: OpTypes,
        saturate: bool,
    ) -> Result<(Argument<'_>, (DType, Enters)), Error> {
        let (to, enters) =
            if keeps { (types.compute, Enters::Compute) } else { (types.common, Enters::Common) };
        let value = match operand.for_kernel() {
            Argument::Array(view) | Argument::Weak(view) => {
                return Ok((operand, (view.dtype(), Enters::Common)));
            }
            Argument::InPlace(dtype) => return Ok((operand, (dtype, Enters::Common))),
            Argument::Slice(slice) => return Ok((operand, (slice.dtype(), Enters::Common))),
            scalar if untyped_part(to).is_some() => {
                return Self::rounded_input(scalar, to, types.compute);
            }
            Argument::ZeroDim(value) => value.cast(to, saturate)?,
            Argument::Number(number) => ScalarValue::from_number_with(number, to, saturate)?,
        };
        Ok((Argument::ZeroDim(value), (to, enters)))
    }

    /// Rounds a scalar to a complex dtype without a Rust type, which no kernel can do, and passes it in the
    /// compute dtype.
    fn rounded_input(
        scalar: Argument<'_>,
        common: DType,
        compute: DType,
    ) -> Result<(Argument<'_>, (DType, Enters)), Error> {
        let missing = CallError::NoElements { dtype: common };
        let number = match scalar {
            Argument::ZeroDim(value) => value.number(),
            Argument::Number(number) => Some(number),
            _ => None,
        };
        let (number, part) = (number.ok_or(missing)?, untyped_part(common).ok_or(missing)?);
        let value = ScalarValue::from_number(round_parts(number, part)?, compute)?;
        Ok((Argument::ZeroDim(value), (compute, Enters::Compute)))
    }
}

/// Splits the arguments of a standard op by their roles.
fn parts<'b, 'a>(op: Op, given: &'b [Argument<'a>]) -> Result<Parts<'b, 'a>, CallError> {
    let (arity, extras) = (op.arity(), op.extras());
    let before = usize::from(extras.first().is_some_and(|extra| extra.kind == ExtraKind::Condition));
    let needed = arity + extras.iter().filter(|extra| extra.default.is_none()).count();
    if !(1..=2).contains(&arity) || given.len() < needed || given.len() > op.inputs() {
        return Err(CallError::Inputs { expected: op.inputs(), found: given.len() });
    }
    let (conditions, given) = given.split_at(before);
    let (operands, behind) = given.split_at(arity);
    Ok((conditions, operands, behind))
}

/// Returns true if an argument is a negative number as an integer exponent, and the rule set refuses such
/// numbers. It may accept arrays of negative exponents.
fn refuses_exponent(table: &OpTable, types: OpTypes, b: &Argument<'_>) -> bool {
    matches!(b, Argument::Number(Number::Int(..0)))
        && matches!(types.compute.kind(), Kind::Signed | Kind::Unsigned)
        && table.option("negative_exponent") == Some("number_error")
}

/// Replaces a comparison with an integer number outside of the integer dtype `common` by an equivalent
/// comparison with the nearest value of that dtype. Returns other ops as they are.
fn clamp_comparison(kernel: KernelOp, operands: &mut [Argument<'_>; 2], common: DType) -> KernelOp {
    let numbers = operands.map(|operand| match operand {
        Argument::Number(number) => Some(number),
        _ => None,
    });
    let Some(other) =
        order_out_of_range(numbers[0], numbers[1], common).and_then(|order| kernel.at_nearest_end(order))
    else {
        return kernel;
    };
    for (operand, number) in operands.iter_mut().zip(numbers) {
        *operand = number.map_or(*operand, |number| Argument::Number(number.clamped(common)));
    }
    other
}

/// Returns the op with its semantics.
///
/// # Errors
/// Returns an error if the op has no kernels, or if it is custom: its kernels are its own.
const fn computed(op: Op, table: &OpTable) -> Result<KernelOp, CallError> {
    match table.kernel {
        Some(kernel) if !matches!(op, Op::Custom(_)) => Ok(kernel),
        _ => Err(CallError::NotComputed { op }),
    }
}
