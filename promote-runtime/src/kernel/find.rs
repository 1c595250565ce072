//! From dtypes to a kernel: a loop if the build has it, otherwise a pipeline. Both give equal bits, except
//! for the sign and the payload of a NaN.

use super::RawKernel;
use super::casts::{CastLink, Casts, LINKS, goes_through_f32};
use super::entry::Entry;
use super::handle::Kernel;
use super::pipeline::CastChain;
use super::registry::Kernels;
use super::scalar::untyped_part;
use super::signature::{CastOptions, DTypeCode, KernelSignature};
use crate::OpTypes;
use crate::error::call::CallError;
use crate::level::Level;
use crate::ops::{Exponent, KernelOp, exponent, has_overflow_option};
use crate::{DType, Kind};

/// How an operand enters an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enters {
    /// Rounded to the common dtype first.
    Common,
    /// Converted to the compute dtype at once, as a scalar operand of PyTorch's multiply and divide is.
    Compute,
    /// Its low 32 bits enter, as those of an integer exponent of PyTorch's `ldexp` do.
    Exponent,
}

impl Enters {
    /// Returns the dtype to which an operand is cast on its way to the compute dtype.
    const fn dtype(self, common: DType, compute: DType) -> DType {
        match self {
            Enters::Common => common,
            Enters::Compute => compute,
            Enters::Exponent => DType::I32,
        }
    }
}

/// Returns the entry for operands that enter in the common dtype, and whether its function takes them in the
/// other order.
#[inline(always)]
pub(crate) const fn entry(
    kernels: &'static Kernels,
    op: KernelOp,
    a: DType,
    b: DType,
    types: OpTypes,
) -> Option<(&'static Entry, bool)> {
    let op = op.for_operands(a, b, types.common).for_operand(a, types.common, types.compute);
    match op.swapped() {
        Some(op) => match entry_of(kernels, op, b, a, types) {
            Some((entry, swap)) => Some((entry, !swap)),
            None => None,
        },
        None => entry_of(kernels, op, a, b, types),
    }
}

/// Returns the entry of an op that has kernels, with the semantics that it has for the operands.
#[inline(always)]
const fn entry_of(
    kernels: &'static Kernels,
    op: KernelOp,
    a: DType,
    b: DType,
    types: OpTypes,
) -> Option<(&'static Entry, bool)> {
    let narrow = has_overflow_option(types.common) || has_overflow_option(types.output);
    kernels.entry(op.canonical(types.compute, narrow), a, b, types)
}

const fn first(found: Option<(&'static Entry, bool)>) -> Option<&'static Entry> {
    match found {
        Some((entry, _)) => Some(entry),
        None => None,
    }
}

/// The entries that a call can run, and the casts.
pub(crate) type Reached = ([Option<&'static Entry>; 3], Casts);

/// Returns what calls can run at any level: for a typed call, which would otherwise link all kernels of the
/// build. `None` if a dtype is a custom one, whose casts are found at run time.
pub(crate) const fn reached(
    kernels: &'static Kernels,
    op: KernelOp,
    a: DType,
    b: DType,
    types: OpTypes,
) -> Option<Reached> {
    let (a, b) = ((a, Enters::Common), (b, Enters::Common));
    Query::new(Level::Scalar, kernels, op, a, b, types).reached()
}

impl Kernel {
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
        if let Some((entry, swap)) = entry(kernels, op, a, b, types)
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

    /// Looks up the kernel of an op with extra inputs. `third` is the dtype of its third input, if that is
    /// not a condition; it is converted as the operands are, unless it is the compute dtype.
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
}

/// The criteria by which a kernel is looked up.
pub(super) struct Query {
    level: Level,
    kernels: &'static Kernels,
    /// The op to look up, which has kernels: `less` for `greater`.
    op: KernelOp,
    /// True if that op takes the operands in the other order.
    swapped: bool,
    a: (DType, Enters),
    b: (DType, Enters),
    /// The dtype of what the op takes after the operands, where it is not the one that the op computes in.
    third: Option<DType>,
    types: OpTypes,
}

impl Query {
    #[inline(always)]
    pub(super) const fn new(
        level: Level,
        kernels: &'static Kernels,
        op: KernelOp,
        a: (DType, Enters),
        b: (DType, Enters),
        types: OpTypes,
    ) -> Query {
        let op = op.for_operands(a.0, b.0, types.common).for_operand(a.0, types.common, types.compute);
        let b = match exponent(op) {
            // The first number after one operand, which has the compute dtype, as the second one has.
            None if op.arity() == 1 && !op.op().extras().is_empty() => (types.compute, Enters::Compute),
            Some(Exponent::Low) => (b.0, Enters::Exponent),
            Some(Exponent::Whole) => (b.0, Enters::Compute),
            None => b,
        };
        let (op, swapped) = match op.swapped() {
            Some(op) => (op, true),
            None => (op, false),
        };
        Query { level, kernels, op, swapped, a, b, third: None, types }
    }

    /// Returns the query with a third input of this dtype.
    pub(super) fn with_third(self, third: DType) -> Query {
        Query { third: Some(third), ..self }
    }

    /// Returns the kernel: a loop for the operands, or a pipeline.
    ///
    /// # Errors
    ///
    /// Returns an error if this build has neither a loop nor the parts of a pipeline.
    #[inline(never)]
    pub(super) fn find(&self) -> Result<Kernel, CallError> {
        match self.in_loop().or_else(|| self.in_common_dtype()) {
            Some(kernel) => Ok(kernel),
            None => self.pipeline(),
        }
    }

    /// Returns the loop that converts the operands itself.
    fn in_loop(&self) -> Option<Kernel> {
        let OpTypes { common, compute, output } = self.types;
        if compute != common.register() || self.op.rounds_first() {
            return None;
        }
        let common = if self.a.1 == Enters::Common && self.b.1 == Enters::Common {
            common
        } else {
            // A kernel that converts both operands to the compute dtype gives equal results, if the one that
            // enters in the common dtype has it already: its values are values of the compute dtype.
            let late = |(dtype, enters): (DType, Enters)| enters == Enters::Common && dtype != common;
            if late(self.a) || late(self.b) {
                return None;
            }
            compute
        };
        let (a, b) = if self.swapped { (self.b.0, self.a.0) } else { (self.a.0, self.b.0) };
        let types = OpTypes { common, compute, output };
        let (entry, swap) = entry_of(self.kernels, self.op, a, b, types)?;
        let kernel = Kernel::of(self.kernels, entry, swap != self.swapped, self.level)?;
        let takes = |third| kernel.signature.inputs[2].is(third);
        self.third.is_none_or(takes).then_some(kernel)
    }

    /// Returns the pipeline of casts to the common dtype and the loop of that dtype.
    fn in_common_dtype(&self) -> Option<Kernel> {
        let OpTypes { common, compute, .. } = self.types;
        let enters = [self.a.1, self.b.1] == [Enters::Common; 2] && self.third.is_none();
        if compute != common.register() || self.op.rounds_first() || !enters {
            return None;
        }
        let (entry, _) = entry_of(self.kernels, self.op, common, common, self.types)?;
        let own = *entry.signature();
        if entry.wide().is_some() || own.count > 2 && !own.condition {
            return None;
        }
        let dtypes = self.inputs()?;
        let to = DTypeCode::of(common)?;
        let (mut inputs, mut chains) = (own.inputs, own.inputs.map(CastChain::none));
        for (i, dtype) in dtypes.into_iter().enumerate() {
            (inputs[i], chains[i]) = (dtype, CastChain::between(dtype, to));
        }
        let signature = KernelSignature { inputs, replaceable: 0, ..own };
        let kernel = self.kernel(entry.raw(self.level)?, signature);
        kernel.in_pipeline(chains, CastChain::none(own.output), CastOptions::of(self.op.semantics())).ok()
    }

    /// Returns the operands' dtypes in the order of the function; `None` if one has no elements.
    fn inputs(&self) -> Option<[DTypeCode; 2]> {
        let known = self.kernels.customs();
        let (first, second) = if self.swapped { (self.b, self.a) } else { (self.a, self.b) };
        Some([known.code(first.0)?, known.code(second.0)?])
    }

    fn kernel(&self, raw: RawKernel, signature: KernelSignature) -> Kernel {
        let (level, swap, home) = (self.level, self.swapped, Some(self.kernels));
        Kernel { raw, signature, level, swap, pipeline: None, home, entry: None }
    }

    /// The dtype to which operands are cast that enter in the common dtype. That is the common dtype itself,
    /// or, if it is complex and has no Rust type and all of these operands are real, the dtype of its parts.
    /// A result that has to be rounded to the common dtype needs its Rust type.
    const fn cast_to(&self, common: DType) -> DType {
        const fn is_complex((dtype, enters): (DType, Enters)) -> bool {
            matches!(enters, Enters::Common) && matches!(dtype.kind(), Kind::Complex)
        }
        match untyped_part(common) {
            Some(part) if !is_complex(self.a) && !is_complex(self.b) && !self.op.rounds_first() => part,
            _ => common,
        }
    }

    const fn reached(&self) -> Option<Reached> {
        let OpTypes { common, compute, output } = self.types;
        let dtypes = [self.a.0, self.b.0, common, compute, output];
        let mut i = 0;
        while i < dtypes.len() {
            if matches!(dtypes[i], DType::Custom(_)) {
                return None;
            }
            i += 1;
        }
        let (a, b) = if self.swapped { (self.b, self.a) } else { (self.a, self.b) };
        let computed = self.op.result(compute);
        let types = OpTypes { common: compute, compute, output: computed };
        let same = first(self.kernels.entry(self.op.canonical(compute, false), compute, compute, types));
        let entries = [
            first(entry_of(self.kernels, self.op, a.0, b.0, self.types)),
            first(entry_of(self.kernels, self.op, common, common, self.types)),
            same,
        ];
        let wide = match same {
            Some(entry) => match entry.wide() {
                Some(wide) => wide.signature().output.standard(),
                None => compute,
            },
            None => compute,
        };
        let common = self.cast_to(common);
        let rounded = if self.op.rounds_first() { common } else { computed };
        let [enters_a, enters_b] = [a.1.dtype(common, compute), b.1.dtype(common, compute)];
        let legs = [
            (a.0, enters_a),
            (enters_a, compute),
            (b.0, enters_b),
            (enters_b, compute),
            (compute, wide),
            (wide, compute),
            (computed, rounded),
            (rounded, output),
        ];
        let (mut links, mut i) = ([const { None }; LINKS], 0);
        while i < legs.len() {
            let (from, to) = legs[i];
            let through = if goes_through_f32(from, to) { DType::F32 } else { from };
            links[2 * i] = self.link(from, through);
            links[2 * i + 1] = self.link(through, to);
            i += 1;
        }
        Some((entries, Casts::of_call(links)))
    }

    /// Returns the cast between two dtypes, if it is one.
    const fn link(&self, from: DType, to: DType) -> CastLink {
        let Some(casts) = self.kernels.casts() else { return None };
        if from.index() == to.index() {
            return None;
        }
        match casts.find(from, to, CastOptions::of(self.op.semantics())) {
            Some(cast) => Some((from.index() as u8, to.index() as u8, cast)),
            None => None,
        }
    }

    /// Returns the pipeline of casts to the compute dtype and the loop of that dtype.
    #[cold]
    #[inline(never)]
    pub(super) fn pipeline(&self) -> Result<Kernel, CallError> {
        let OpTypes { common, compute, output } = self.types;
        let missing = CallError::NoKernel { op: self.op.op(), compute };
        let computed = self.op.result(compute);
        // No kernel computes in f8, so these are without the option for its overflow.
        let shared = self.op.canonical(compute, false);
        let (raw, like, wide) = if let DType::Custom(_) = compute {
            let entry = self.kernels.custom(shared, compute).ok_or(missing)?;
            (entry.raw(self.level), entry.signature(), None)
        } else {
            let same = OpTypes { common: compute, compute, output: computed };
            let (entry, _) = self.kernels.entry(shared, compute, compute, same).ok_or(missing)?;
            let wide = entry.wide();
            (
                wide.unwrap_or(entry).raw(self.level),
                entry.signature(),
                wide.map(|wide| wide.signature().output),
            )
        };
        let raw = raw.ok_or(missing)?;
        let known = self.kernels.customs();
        let code = |dtype| known.code(dtype).ok_or(CallError::NoElements { dtype });
        let operands = if self.swapped { [self.b, self.a] } else { [self.a, self.b] };
        let dtypes = [code(operands[0].0)?, code(operands[1].0)?];
        let common = self.cast_to(common);
        let enters =
            [code(operands[0].1.dtype(common, compute))?, code(operands[1].1.dtype(common, compute))?];
        let (common, compute) = (code(common)?, code(compute)?);
        let (computed, output) = (code(computed)?, code(output)?);
        let last = wide.unwrap_or(compute);
        let chain = |i: usize| CastChain::new([dtypes[i], enters[i], compute, last]);
        let mut signature = KernelSignature {
            count: like.count,
            traps: like.traps,
            ..KernelSignature::of(dtypes, [common, compute, output])
        };
        let mut chains =
            [chain(0), chain(1), CastChain::between(compute, last), CastChain::between(compute, last)];
        if like.condition {
            signature = signature.choosing();
            chains[2] = CastChain::none(DTypeCode::BOOL);
        } else if let Some(dtype) = self.third {
            let third = code(dtype)?;
            signature.inputs[2] = third;
            // What already has the compute dtype is not rounded to the common one.
            let enters = if third == compute { compute } else { common };
            chains[2] = CastChain::new([third, enters, compute, last]);
        }
        let rounds = self.op.rounds_first() && computed == compute;
        let result = if rounds { common } else { computed };
        let out = CastChain::new([wide.unwrap_or(computed), computed, result, output]);
        self.kernel(raw, signature).in_pipeline(chains, out, CastOptions::of(self.op.semantics()))
    }
}
