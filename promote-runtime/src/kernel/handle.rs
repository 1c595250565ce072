//! Kernel handles, which are looked up once and called often.

use core::fmt;

use super::RawKernel;
use super::custom::Dtypes;
use super::entry::{Entry, Functions};
use super::fused::Stores;
use super::pipeline::{CastChain, Pipeline};
use super::registry::Kernels;
use super::signature::{CastOptions, DTypeCode, KernelSignature, MAX_INPUTS};
#[cfg(feature = "alloc")]
use crate::error::call::ArgumentRole;
use crate::error::call::CallError;
use crate::level::Level;
use crate::memory::non_temporal::{self, WorkingSet};
use crate::{DType, OpTypes};

/// A handle to the kernel of an op for operands and a result of fixed dtypes.
///
/// A handle is looked up once, by [`RuleSet::kernel`](crate::RuleSet::kernel) or
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
    /// See [`Kernel::kernels`].
    pub(super) home: Option<&'static Kernels>,
    /// The entry of a loop of a registry.
    pub(super) entry: Option<&'static Entry>,
}

/// Prints the dtypes. The op is not stored, because ops with equal results share functions.
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

    /// Returns the kernel of an entry that the kernel of a wider dtype computes.
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
        Ok(Kernel { pipeline: Pipeline::new(self.kernels(), self.level, inputs, out, options)?, ..self })
    }

    /// Returns the kernels among which casts, custom dtypes and other kernels of the op are found.
    #[inline(always)]
    pub(super) const fn kernels(&self) -> &'static Kernels {
        match self.home {
            Some(kernels) => kernels,
            None => &Kernels::EMPTY,
        }
    }

    /// Returns true if the function waits for nothing but memory. If so, the machine has AVX: every level but
    /// the first has it.
    #[inline(always)]
    pub(super) fn is_memory_bound(&self) -> bool {
        self.signature.memory_bound && self.level != Level::BASE
    }

    /// Returns the functions for a call with this working set, and how it stores its results. A call that
    /// waits for the last-level cache or for memory may get the functions of a lower level.
    #[inline(always)]
    pub(super) fn functions(&self, working_set: WorkingSet) -> (Functions, Stores) {
        let (level, stores) = match working_set {
            _ if !self.is_memory_bound() => (self.level, Stores::Plain),
            WorkingSet::Private => (self.level, Stores::Lines),
            WorkingSet::Memory => (non_temporal::level(self.level), Stores::NonTemporal),
            WorkingSet::Shared => (non_temporal::level(self.level), Stores::Lines),
        };
        let found = self.entry.and_then(|entry| entry.functions_at(level));
        (found.unwrap_or(Functions::apart(self.raw)), stores)
    }

    /// Returns true if results are cast to the output dtype, so that a block reads all of its operands before
    /// it writes results.
    #[inline(always)]
    pub(super) fn casts_results(&self) -> bool {
        self.pipeline.as_ref().is_some_and(Pipeline::casts_results)
    }

    /// Returns how many of the first inputs may be the elements of `out`, if they come first. If that is not
    /// 0, the second input may be one element.
    #[inline(always)]
    pub(super) fn replaceable(&self) -> usize {
        if self.in_place().is_some() { usize::from(self.signature.replaceable) } else { 0 }
    }

    /// Returns the function whose `out` is the first input, if there is one.
    #[inline(always)]
    pub(super) fn in_place(&self) -> Option<RawKernel> {
        self.entry?.in_place(self.level)
    }

    /// Returns the dtype of an input, in the order of a call.
    #[inline(always)]
    pub(super) const fn at_call(&self, i: usize) -> DTypeCode {
        self.signature.inputs[if self.swap && i < 2 { 1 - i } else { i }]
    }

    /// Returns the dtypes that the kernel's codes stand for.
    #[inline(always)]
    pub(super) const fn known(&self) -> Dtypes {
        self.kernels().customs()
    }

    /// Returns the dtypes of `a`, `b` and `out`. For an op of one operand, the first two are equal.
    #[inline]
    pub const fn dtypes(&self) -> [DType; 3] {
        let known = self.known();
        [known.dtype(self.at_call(0)), known.dtype(self.at_call(1)), known.dtype(self.signature.output)]
    }

    /// Returns true if the common dtype is `wanted`, if that is given, and the output dtype is `out`. Both
    /// are standard dtypes, as those of all cached kernels.
    #[inline]
    pub(crate) fn is_for(&self, wanted: Option<DType>, out: DType) -> bool {
        let known = self.known();
        let KernelSignature { common, output, .. } = self.signature;
        wanted.is_none_or(|dtype| known.is(common, dtype)) && known.is(output, out)
    }

    /// Returns true if the kernel has these dtypes between its operands and its results.
    pub(crate) fn computes(&self, types: OpTypes) -> bool {
        let known = self.known();
        let KernelSignature { common, compute, output, .. } = self.signature;
        known.is(common, types.common) && known.is(compute, types.compute) && known.is(output, types.output)
    }

    /// Returns true if one loop loads, converts, computes and stores, with no staging buffer in between.
    ///
    /// Other kernels run several loops over blocks that stay in the L1 cache: first casts, then the op, then
    /// a cast of its results. Both kinds give equal results, except for the sign and the payload of a NaN.
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

    /// Returns the number of inputs of a call: operands and extra inputs.
    #[inline(always)]
    pub const fn inputs(&self) -> usize {
        self.signature.count()
    }

    /// Returns the name of an input in errors.
    #[cfg(feature = "alloc")]
    pub(crate) fn role(&self, i: usize) -> ArgumentRole {
        self.signature.role(i)
    }

    /// Returns the dtype of an input, in the order of [`Kernel::call_inputs`].
    ///
    /// # Panics
    ///
    /// May panic if there is no such input.
    #[inline]
    pub const fn input_dtype(&self, i: usize) -> DType {
        self.known().dtype(self.at_call(i))
    }
}
