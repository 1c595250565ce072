//! Kernel handles, which are looked up once and called often.

use core::fmt;

use super::RawKernel;
use super::custom::Dtypes;
use super::entry::{Entry, Functions};
use super::find::{self, Enters, Query};
use super::pipeline::{CastChain, Pipeline, PipelineCasts};
use super::registry::Kernels;
use super::run::{check, run};
use super::signature::{CastOptions, DTypeCode, KernelSignature, MAX_INPUTS};
use crate::error::call::{ArgumentRole, CallError};
use crate::level::Level;
use crate::level::function::invoke;
use crate::memory::non_temporal::{self, WorkingSet};
use crate::memory::operand::{Operand, Out};
use crate::memory::{Argument, ScalarValue, Slice, SliceMut, threads};
use crate::ops::KernelOp;
use crate::{DType, OpTypes};

/// Calls a method with as many inputs as there are, 1 to 4, and `out`; of another number there is none. By
/// reference: moved, they would wait for memory.
macro_rules! by_count {
    ($inputs:expr, $out:expr, $self:ident.$method:ident, $expected:expr) => {
        if let Ok(one) = <&[_; 1]>::try_from($inputs) {
            $self.$method(one, $out)
        } else if let Ok(two) = <&[_; 2]>::try_from($inputs) {
            $self.$method(two, $out)
        } else if let Ok(three) = <&[_; 3]>::try_from($inputs) {
            $self.$method(three, $out)
        } else if let Ok(four) = <&[_; 4]>::try_from($inputs) {
            $self.$method(four, $out)
        } else {
            Err(CallError::Inputs { expected: $expected, found: $inputs.len() })
        }
    };
}
pub(super) use by_count;

/// A handle to the kernel of an op for operands and a result of fixed dtypes.
///
/// It is looked up once, by [`RuleSet::kernel`](crate::RuleSet::kernel) or
/// [`RuleSet::unary_kernel`](crate::RuleSet::unary_kernel), and called often.
///
/// ```
/// use promote::{Argument, DType, Op, SliceMut, Torch};
///
/// let multiply = Torch::new().rule_set().kernel(Op::Multiply, DType::F32, DType::F32)?;
/// let mut x = [1.0_f32, 2.0, 3.0];
/// // `x *= x` and `x *= 0.5`
/// let own = Argument::InPlace(DType::F32);
/// multiply.call(own, own, SliceMut::new(&mut x))?;
/// multiply.call(own, 0.5.into(), SliceMut::new(&mut x))?;
/// assert_eq!(x, [0.5, 2.0, 4.5]);
/// # Ok::<(), promote::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Kernel {
    /// The loop, or the function of a pipeline.
    pub(super) raw: RawKernel,
    pub(super) signature: KernelSignature,
    pub(super) level: Level,
    /// True if the function takes the first two inputs in the other order than a call.
    pub(super) swap: bool,
    /// The casts around the function; `None` for a loop, which needs none.
    pub(super) pipeline: Option<Pipeline>,
    /// The kernels among which casts, custom dtypes and other kernels of the op are found.
    pub(super) home: Option<&'static Kernels>,
    /// The entry of a loop of a registry.
    pub(super) entry: Option<&'static Entry>,
}

/// Prints the dtypes. The op is not kept: ops that compute alike share functions.
impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, output] = self.dtypes();
        f.debug_struct("Kernel")
            .field("operands", &&[a, b][..self.inputs().min(2)])
            .field("output", &output)
            .finish_non_exhaustive()
    }
}

impl Kernel {
    /// Returns the kernel of an entry, at a level that the machine has; `None` if the entry has no function
    /// for the level.
    #[inline(always)]
    pub(super) fn of(
        kernels: &'static Kernels,
        entry: &'static Entry,
        swap: bool,
        level: Level,
    ) -> Option<Kernel> {
        if let Some(wide) = entry.wide() {
            return Kernel::through(kernels, entry, wide, swap, level);
        }
        let (raw, home, entry, signature) =
            (entry.raw(level)?, Some(kernels), Some(entry), *entry.signature());
        Some(Kernel { raw, signature, level, swap, pipeline: None, home, entry })
    }

    /// Returns the kernel of an entry that is computed by that of a wider dtype.
    #[cold]
    #[inline(never)]
    fn through(
        kernels: &'static Kernels,
        entry: &'static Entry,
        wide: &'static Entry,
        swap: bool,
        level: Level,
    ) -> Option<Kernel> {
        let (raw, home, signature) = (wide.raw(level)?, Some(kernels), *entry.signature());
        let (own, wide) = (signature.output, wide.signature().output);
        let kernel = Kernel { raw, signature, level, swap, pipeline: None, home, entry: None };
        let (enter, leave) = (CastChain::between(own, wide), CastChain::between(wide, own));
        kernel.in_pipeline([enter; MAX_INPUTS], leave, CastOptions::of(0)).ok()
    }

    /// Returns the kernel with these casts around its function, if they are any.
    ///
    /// # Errors
    ///
    /// Returns an error if a cast is missing.
    pub(super) fn in_pipeline(
        self,
        inputs: [CastChain; MAX_INPUTS],
        out: CastChain,
        options: CastOptions,
    ) -> Result<Kernel, CallError> {
        let pipeline = Pipeline::new(self.known(), inputs, out, options);
        if let Some(pipeline) = &pipeline {
            self.fill_casts(pipeline, &mut PipelineCasts::<MAX_INPUTS>::new())?;
        }
        Ok(Kernel { pipeline, ..self })
    }

    /// Looks up the functions of the casts of a pipeline.
    #[inline(always)]
    pub(super) fn fill_casts<const N: usize>(
        &self,
        pipeline: &Pipeline,
        casts: &mut PipelineCasts<N>,
    ) -> Result<(), CallError> {
        casts.fill(pipeline, self.home.unwrap_or(&Kernels::EMPTY), self.level)
    }

    /// Returns true if the function waits for nothing but memory. If so, the machine has AVX: every level but
    /// the first has it.
    #[inline(always)]
    pub(super) fn is_memory_bound(&self) -> bool {
        self.signature.memory_bound && self.level != Level::BASE
    }

    /// Returns the functions for a call that takes so much of the caches, and whether its results go past
    /// them. Where a call waits for the last cache or the memory, they may be those of a level below, which
    /// the machine has, too.
    #[inline(always)]
    pub(super) fn functions(&self, reach: WorkingSet) -> (Functions, bool) {
        let waits = reach != WorkingSet::Private && self.is_memory_bound();
        let level = if waits { non_temporal::level(self.level) } else { self.level };
        let found = self.entry.and_then(|entry| entry.functions_at(level));
        (found.unwrap_or(Functions::apart(self.raw)), waits && reach == WorkingSet::Memory)
    }

    /// Returns true if results are cast on their way out, so that all that a block reads is read before any
    /// of it is written.
    #[inline(always)]
    pub(super) fn casts_results(&self) -> bool {
        self.pipeline.as_ref().is_some_and(Pipeline::casts_results)
    }

    /// Returns how many of the first inputs may be what `out` holds, if they come first. If that is not 0,
    /// the second input may be one element.
    #[inline(always)]
    pub(super) fn replaceable(&self) -> usize {
        if self.in_place().is_some() { usize::from(self.signature.replaceable) } else { 0 }
    }

    /// Returns the function whose `out` is the first input, if there is one.
    #[inline(always)]
    fn in_place(&self) -> Option<RawKernel> {
        self.entry?.in_place(self.level)
    }

    /// Returns the dtype of an input, in the order of a call.
    #[inline(always)]
    pub(super) const fn at_call(&self, i: usize) -> DTypeCode {
        self.signature.inputs[if self.swap && i < 2 { 1 - i } else { i }]
    }

    /// The dtypes that its codes stand for.
    #[inline(always)]
    pub(super) const fn known(&self) -> Dtypes {
        match self.home {
            Some(kernels) => kernels.customs(),
            None => Dtypes(&[]),
        }
    }

    /// Looks up the kernel for operands of the dtypes `a` and `b`, at the level in use.
    ///
    /// # Errors
    ///
    /// Returns an error if the build has neither a fused kernel nor the parts of a pipeline.
    #[doc(hidden)]
    #[inline]
    pub fn find(
        kernels: &'static Kernels,
        op: KernelOp,
        a: DType,
        b: DType,
        types: OpTypes,
    ) -> Result<Kernel, CallError> {
        // The common case in a few instructions.
        if let Some((entry, swap)) = find::entry(kernels, op, a, b, types)
            && let Some(kernel) = Kernel::of(kernels, entry, swap, Level::active())
        {
            return Ok(kernel);
        }
        let (a, b) = ((a, Enters::Common), (b, Enters::Common));
        Query::new(Level::active(), kernels, op, a, b, types).find()
    }

    /// Looks up the kernel at a level, or at the best level below it that the machine has.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::find`].
    #[doc(hidden)]
    pub fn find_at(
        level: Level,
        kernels: &'static Kernels,
        op: KernelOp,
        a: (DType, Enters),
        b: (DType, Enters),
        types: OpTypes,
    ) -> Result<Kernel, CallError> {
        Query::new(level.or_below(), kernels, op, a, b, types).find()
    }

    /// Looks up the kernel of an op with extra inputs. `third` is the dtype of the first of
    /// [`Op::extras`](crate::Op::extras) that is not a condition; it is converted as the operands are, unless
    /// it is the compute dtype.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::find`].
    #[doc(hidden)]
    pub fn find_extended(
        level: Level,
        kernels: &'static Kernels,
        op: KernelOp,
        [a, b]: [(DType, Enters); 2],
        third: DType,
        types: OpTypes,
    ) -> Result<Kernel, CallError> {
        Query::new(level.or_below(), kernels, op, a, b, types).with_third(third).find()
    }

    /// Looks up the kernel of the compute dtype and the casts around it, although there may be a loop for
    /// these operands. Tests compare the two.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::find`].
    #[doc(hidden)]
    pub fn find_pipeline(
        level: Level,
        kernels: &'static Kernels,
        op: KernelOp,
        a: (DType, Enters),
        b: (DType, Enters),
        types: OpTypes,
    ) -> Result<Kernel, CallError> {
        Query::new(level.or_below(), kernels, op, a, b, types).pipeline()
    }

    /// Returns the dtypes of `a`, `b` and `out`. For an op of one operand, the first two are equal.
    #[inline]
    pub const fn dtypes(&self) -> [DType; 3] {
        let known = self.known();
        [known.dtype(self.at_call(0)), known.dtype(self.at_call(1)), known.dtype(self.signature.output)]
    }

    /// Whether it converts operands to a dtype, if that is said, and gives another: standard ones, as those
    /// of kernels that are cached.
    #[inline]
    pub(crate) fn is_for(&self, wanted: Option<DType>, out: DType) -> bool {
        let known = self.known();
        let KernelSignature { common, output, .. } = self.signature;
        wanted.is_none_or(|dtype| known.is(common, dtype)) && known.is(output, out)
    }

    /// Returns true if one loop loads, converts, computes and stores, with no staging buffer in between.
    ///
    /// Other kernels run several loops over blocks that stay in the L1 cache: first casts, then the op, then
    /// a cast of its results. The results are the same, except for the sign and the payload of a NaN.
    #[inline]
    pub const fn is_fused(&self) -> bool {
        self.pipeline.is_none()
    }

    /// Returns the entry of a loop of a registry, and whether its function takes the operands in the other
    /// order.
    pub(crate) fn entry(&self) -> Option<(&'static Entry, bool)> {
        Some((self.entry?, self.swap))
    }

    /// Returns true if the inputs have these dtypes, in the order of a call.
    #[cfg(feature = "alloc")]
    pub(super) fn takes(&self, dtypes: impl Iterator<Item = DType> + Clone) -> bool {
        let known = self.known();
        dtypes.clone().count() == self.inputs()
            && dtypes.enumerate().all(|(i, dtype)| known.is(self.at_call(i), dtype))
    }

    /// Computes `out` from two slices. All three have the same length, which may be 0.
    ///
    /// # Errors
    ///
    /// Returns an error, and leaves `out` unchanged, if a dtype is not that of the kernel, if lengths differ,
    /// or if the op refuses a value.
    #[inline(always)]
    pub fn call_slices(&self, a: Slice<'_>, b: Slice<'_>, mut out: SliceMut<'_>) -> Result<(), CallError> {
        let signature = &self.signature;
        // Values are exchanged, and not slices, which then would have to be in memory.
        let [first, second] = [self.at_call(0), self.at_call(1)];
        let dtypes = first.is(a.dtype()) & second.is(b.dtype());
        let fits =
            (signature.count == 2) & dtypes & signature.output.is(out.dtype()) & self.pipeline.is_none();
        if fits & out.takes_at_once(&a, &b) {
            let (a, b) = (a.pointer(), b.pointer());
            let pointers = if self.swap { [b, a] } else { [a, b] };
            // SAFETY: the slices hold as many aligned elements as `out` has room for, of the dtypes that the
            // kernel was found for, checked above; the level was available when it was found; as all are
            // plain, `out` overlaps neither input.
            return check(unsafe { invoke(self.raw, out.len(), &pointers, out.pointer()) });
        }
        // Made anew, so that these are not in memory on the way above.
        self.call_with_care(a.again(), b.again(), out.reborrow())
    }

    /// The same by way of blocks, on threads, or past the caches, where something is wrong or a dtype is a
    /// rule set's own. Apart, so that the way above has its slices in registers.
    #[cold]
    #[inline(never)]
    fn call_with_care(&self, a: Slice<'_>, b: Slice<'_>, mut out: SliceMut<'_>) -> Result<(), CallError> {
        let (signature, known) = (&self.signature, self.known());
        let dtypes = known.is(self.at_call(0), a.dtype())
            && known.is(self.at_call(1), b.dtype())
            && known.is(signature.output, out.dtype());
        if signature.count == 2 && dtypes && self.pipeline.is_none() && out.takes_at_once(&a, &b) {
            let (a, b) = (a.pointer(), b.pointer());
            let pointers = if self.swap { [b, a] } else { [a, b] };
            // SAFETY: as in `call_slices`, for dtypes that may be custom ones.
            return check(unsafe { invoke(self.raw, out.len(), &pointers, out.pointer()) });
        }
        self.call_arrays(&[Argument::Slice(a), Argument::Slice(b)], out)
    }

    /// Computes `out` from two operands: slices of its length, or views, zero-dimensional arrays and numbers,
    /// which broadcast to it.
    ///
    /// Arrays must have the dtypes for which the kernel was found. A number is converted to that dtype, as
    /// [`ScalarValue::from_number`](crate::ScalarValue::from_number) does. [`Argument::InPlace`] is the array
    /// `out`: `kernel.call(Argument::InPlace(dtype), b.into(), out)` is `out op= b`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_slices`].
    #[inline]
    pub fn call(&self, a: Argument<'_>, b: Argument<'_>, out: SliceMut<'_>) -> Result<(), CallError> {
        match (&a, &b) {
            (Argument::Slice(a), Argument::Slice(b)) => self.call_slices(*a, *b, out),
            (Argument::InPlace(dtype), Argument::Slice(b)) if *dtype == out.dtype() => {
                self.call_in_place(*b, out)
            }
            _ => self.call_inputs(&[a, b], out),
        }
    }

    /// `out = out op b`: where nothing has to be looked at, at once.
    #[inline(always)]
    pub(crate) fn call_in_place(&self, b: Slice<'_>, mut out: SliceMut<'_>) -> Result<(), CallError> {
        let (n, signature) = (out.len(), &self.signature);
        let output = signature.output;
        let dtypes = output.is(out.dtype()) & output.is(b.dtype()) & out.is_initialised();
        let plain = b.is_plain() & out.is_plain();
        // Behind the exchange of operands `out` is the second one.
        let in_place = usize::from(self.swap) < self.replaceable();
        if (signature.count == 2) & dtypes & (b.len() == n) & plain & in_place
            && n < threads::LEAST
            && let Some(raw) = self.in_place()
        {
            let pointers = [out.pointer().cast_const(), b.pointer()];
            // SAFETY: both hold `n` aligned elements of the one dtype of the kernel, checked above; the level
            // was available when it was found; as both are plain, `out` does not overlap `b`, and the
            // function takes it for its first input.
            return check(unsafe { invoke(raw, n, &pointers, out.pointer()) });
        }
        self.call_arrays(&[Argument::InPlace(out.dtype()), Argument::Slice(b)], out)
    }

    /// Converts the numbers among the inputs to the dtypes of the kernel; `None` if there are none.
    #[cold]
    #[inline(never)]
    pub(super) fn with_numbers<'a, const N: usize>(
        &self,
        inputs: &[Argument<'a>; N],
    ) -> Result<Option<[Argument<'a>; N]>, CallError> {
        // With another number of inputs there is an error anyway.
        if N != self.inputs() {
            return Ok(None);
        }
        let saturate = match (self.entry, &self.pipeline) {
            (Some(entry), _) => entry.op().saturates(),
            (None, Some(pipeline)) => pipeline.saturates(),
            (None, None) => false,
        };
        let mut converted = None;
        for (i, input) in inputs.iter().enumerate() {
            if let Argument::Number(number) = *input {
                let value = ScalarValue::from_number_with(number, self.input_dtype(i), saturate)?;
                converted.get_or_insert(*inputs)[i] = Argument::ZeroDim(value);
            }
        }
        Ok(converted)
    }

    /// Returns the number of inputs of a call: operands and extra inputs.
    #[inline(always)]
    pub const fn inputs(&self) -> usize {
        self.signature.count()
    }

    /// What an input is called.
    #[cfg(feature = "alloc")]
    pub(crate) fn role(&self, i: usize) -> ArgumentRole {
        self.signature.role(i)
    }

    /// Returns the dtype of an input, in the order of [`Kernel::call_inputs`].
    #[inline]
    pub const fn input_dtype(&self, i: usize) -> DType {
        self.known().dtype(self.at_call(i))
    }

    /// Computes `out` from all inputs of an op: its operands, then its [extra inputs](crate::Op::extras), the
    /// condition of `where` included.
    ///
    /// Inputs are as for [`Kernel::call`]. A condition is `bool`; extra numbers have the compute dtype.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_slices`], and an error if the number of inputs is not that of the
    /// op.
    #[inline(never)]
    pub fn call_inputs(&self, inputs: &[Argument<'_>], out: SliceMut<'_>) -> Result<(), CallError> {
        by_count!(inputs, out, self.run, self.inputs())
    }

    #[inline(always)]
    fn run<const N: usize>(&self, inputs: &[Argument<'_>; N], out: SliceMut<'_>) -> Result<(), CallError> {
        if self.fits(inputs, &out) {
            // SAFETY: the arguments fit.
            return unsafe { self.run_fitting(inputs, out) };
        }
        if has_views(inputs) {
            return self.call_views(inputs, out.into());
        }
        if let Some(inputs) = self.with_numbers(inputs)? {
            return self.call_inputs(&inputs, out);
        }
        Err(self.mismatch(inputs, out.dtype(), Some(out.len()), out.is_initialised()))
    }

    /// Computes `out` from slices, from `out` itself and from zero-dimensional arrays.
    ///
    /// Callers that know what they pass link nothing that views need.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Kernel::call_slices`].
    #[inline(never)]
    pub(crate) fn call_arrays<const N: usize>(
        &self,
        inputs: &[Argument<'_>; N],
        out: SliceMut<'_>,
    ) -> Result<(), CallError> {
        if !self.fits(inputs, &out) {
            return Err(self.mismatch(inputs, out.dtype(), Some(out.len()), out.is_initialised()));
        }
        // SAFETY: the arguments fit.
        unsafe { self.run_fitting(inputs, out) }
    }

    /// Returns true if all arguments are as long as `out` or have no length, and all dtypes are those of the
    /// kernel.
    #[inline(always)]
    fn fits<const N: usize>(&self, inputs: &[Argument<'_>; N], out: &SliceMut<'_>) -> bool {
        let (n, known) = (out.len(), self.known());
        let fits = |i: usize| match &inputs[i] {
            Argument::Slice(slice) => known.is(self.at_call(i), slice.dtype()) && slice.len() == n,
            Argument::ZeroDim(value) => known.is(self.at_call(i), value.dtype()),
            Argument::InPlace(dtype) => {
                known.is(self.at_call(i), *dtype) && *dtype == out.dtype() && out.is_initialised()
            }
            Argument::Array(_) | Argument::Weak(_) | Argument::Number(_) => false,
        };
        self.inputs() == N && known.is(self.signature.output, out.dtype()) && (0..N).all(fits)
    }

    /// Computes `out`.
    ///
    /// # Safety
    ///
    /// The arguments fit, as [`Kernel::fits`] says.
    #[inline(always)]
    unsafe fn run_fitting<const N: usize>(
        &self,
        inputs: &[Argument<'_>; N],
        mut out: SliceMut<'_>,
    ) -> Result<(), CallError> {
        let own = Operand::out_slice(&mut out);
        // A loop, since `map` moves the operands once more.
        let mut operands = [Operand::NONE; N];
        for (operand, input) in operands.iter_mut().zip(inputs) {
            *operand = Operand::of(input, own);
        }
        if self.swap && N > 1 {
            operands.swap(0, 1);
        }
        let to = Out::new(out.pointer(), out.size(), out.is_aligned());
        // SAFETY: the operands are of the dtypes that the kernel was found for, and the slices hold as many
        // elements as `out`, which the caller promises; so does `out`, where it is an operand; the level was
        // available when it was found.
        unsafe { run(self, out.len(), &operands, to) }
    }

    /// Returns what of the inputs is not as the kernel expects. `n` is the length of all, if they have no
    /// shapes; an `out` of this dtype is `initialised` or not.
    #[cold]
    #[inline(never)]
    pub(super) fn mismatch(
        &self,
        inputs: &[Argument<'_>],
        out: DType,
        n: Option<usize>,
        initialised: bool,
    ) -> CallError {
        let (known, signature) = (self.known(), &self.signature);
        let dtype = |role: ArgumentRole, expected: DTypeCode, found: DType| {
            (!known.is(expected, found)).then(|| CallError::DType {
                role,
                expected: known.dtype(expected),
                found,
            })
        };
        let check = |(i, input): (usize, &Argument<'_>)| {
            let (role, expected) = (signature.role(i), self.at_call(i));
            match input {
                Argument::ZeroDim(value) => dtype(role, expected, value.dtype()),
                Argument::Array(view) | Argument::Weak(view) => dtype(role, expected, view.dtype()),
                Argument::InPlace(found) => dtype(role, expected, *found)
                    .or_else(|| dtype(role, expected, out))
                    .or_else(|| (!initialised).then_some(CallError::Uninitialised)),
                // It was converted.
                Argument::Number(_) => None,
                Argument::Slice(slice) => dtype(role, expected, slice.dtype()).or_else(|| {
                    let expected = n.filter(|n| *n != slice.len())?;
                    Some(CallError::Length { role, expected, found: slice.len() })
                }),
            }
        };
        let inputs_differ = CallError::Inputs { expected: self.inputs(), found: inputs.len() };
        if inputs.len() != self.inputs() {
            return inputs_differ;
        }
        dtype(ArgumentRole::Out, signature.output, out)
            .or_else(|| inputs.iter().enumerate().find_map(check))
            // Not reached: this is called where one of them is there.
            .unwrap_or(inputs_differ)
    }
}

/// Returns true if an input is a view.
pub(super) fn has_views(inputs: &[Argument<'_>]) -> bool {
    inputs.iter().any(|input| matches!(input, Argument::Array(_) | Argument::Weak(_)))
}
