//! Kernels and casts that are looked up once and called often.

use super::Error;
use crate::error::call::CallError;
use crate::kernel::{CastKernel, DispatchCache, Enters, Kernel, Kernels, LoopSet};
use crate::level::Level;
use crate::ops::KernelOp;
use crate::rule_set::explain::Trace;
use crate::rule_set::{Operand, RuleSet};
use crate::table::OpTable;
use crate::{DType, Kind, Op, semantics};

impl RuleSet {
    /// Returns the rule set with the kernels of a build.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_kernel_tables(self, kernels: &'static Kernels) -> RuleSet {
        RuleSet { kernels, cache: None, ..self }
    }

    /// Returns the rule set with loops that this crate compiles for it, made by
    /// [`kernels!`](https://docs.rs/promote/latest/promote/macro.kernels.html). A call uses such a loop if
    /// there is one for its op and its dtypes, and otherwise the kernel that it had before.
    ///
    /// # Panics
    /// Panics if the loops were made for another rule set. In a constant that is a compile error.
    ///
    /// ```
    /// use promote::{DType, Op, RuleSet, Torch};
    ///
    /// promote::kernels!(static MINE = promote::Torch: add multiply; i16 f32);
    ///
    /// const RULES: RuleSet = Torch::new().rule_set().with_kernels(&MINE);
    /// assert!(RULES.kernel(Op::Add, DType::I16, DType::F32)?.is_fused());
    /// # Ok::<(), promote::Error>(())
    /// ```
    ///
    /// ```compile_fail,E0080
    /// # use promote::RuleSet;
    /// # promote::kernels!(static MINE = promote::Torch: add multiply; i16 f32);
    /// mod rules {
    ///     promote::rules! {
    ///         rules Other;
    ///         dtypes i16 f64;
    ///         promote { any, any => join; }
    ///         op add;
    ///     }
    /// }
    /// // These loops are for another rule set.
    /// const RULES: RuleSet = rules::Other::new().rule_set().with_kernels(&MINE);
    /// # fn main() {}
    /// ```
    #[must_use]
    pub const fn with_kernels(self, loops: &'static LoopSet) -> RuleSet {
        assert!(
            loops.is_for(self.tables),
            "these loops are for another rule set: `kernels!` has to name the set whose `rule_set()` gets them"
        );
        let (kernels, cache) = loops.parts();
        RuleSet { kernels, ..self }.with_cache(cache)
    }

    /// Returns the rule set with a cache for run-time calls. The cache must belong to these tables and
    /// kernels alone.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_cache(self, cache: &'static DispatchCache) -> RuleSet {
        let cache = if self.setting == self.tables.default_setting() { Some(cache) } else { None };
        RuleSet { cache, ..self }
    }

    /// Looks up the kernel of an op over two arrays, at the SIMD level in use. The handle can be kept and
    /// called often. For a custom op, use [`RuleSet::custom_kernel`].
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
    pub(super) fn search(&self, op: Op, a: DType, b: Option<DType>) -> Result<Kernel, Error> {
        #[cfg(feature = "alloc")]
        let both = [a, b.unwrap_or(a)];
        #[cfg(feature = "alloc")]
        let dtypes = both[..=usize::from(b.is_some())].iter().copied();
        #[cfg(feature = "alloc")]
        if !matches!(op, Op::Custom(_))
            && let Some(cache) = self.cache
            && let Some(kernel) = cache.other(Level::active(), op, &dtypes)
        {
            return Ok(*kernel);
        }
        let kernel = self.search_at(Level::active(), op, a, b)?;
        let b = b.unwrap_or(a);
        if let Some(cache) = self.cache {
            match kernel.entry() {
                // A custom dtype has no slot of its own.
                Some(found) if a.kind() < Kind::Custom && b.kind() < Kind::Custom => {
                    cache.put(op, a, b, found);
                }
                _ => {
                    #[cfg(feature = "alloc")]
                    cache.put_other(op, &dtypes, kernel);
                }
            }
        }
        Ok(kernel)
    }

    /// Looks a kernel up in the tables at a level, for one operand or two.
    fn search_at(&self, level: Level, op: Op, a: DType, b: Option<DType>) -> Result<Kernel, Error> {
        let operands = [Operand::Array(a), Operand::Array(b.unwrap_or(a))];
        let operands = &operands[..=usize::from(b.is_some())];
        let (table, answer) = self.decide(op, operands, &mut Trace::new())?;
        let (a, b) = ((a, Enters::Common), (b.unwrap_or(a), Enters::Common));
        Ok(Kernel::find_at(level, self.kernels, computed(op, table)?, a, b, self.tables.types(answer))?)
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
        self.search_at(level, op, a, Some(b))
    }

    /// Looks up the kernel of an op over one array, at the SIMD level in use. The handle can be kept and
    /// called often.
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
        self.search_at(level, op, a, None)
    }

    /// Looks up the cast from one dtype to another, at the SIMD level in use. The handle can be kept and
    /// called often.
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
        self.tables.op_table(Op::Astype).map_or(0, OpTable::bits)
    }

    /// Returns true if casts to `f8e4m3fn` saturate on overflow instead of giving NaN.
    pub(crate) fn casts_saturate(&self) -> bool {
        self.cast_semantics() & semantics::OVERFLOW_SATURATE != 0
    }
}

/// Returns the op with its semantics.
///
/// # Errors
/// Returns an error if the op has no kernels, or if it is custom: its kernels are its own.
pub(super) const fn computed(op: Op, table: &OpTable) -> Result<KernelOp, CallError> {
    match table.kernel {
        Some(kernel) if !matches!(op, Op::Custom(_)) => Ok(kernel),
        _ => Err(CallError::NotComputed { op }),
    }
}
