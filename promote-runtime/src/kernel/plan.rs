//! From dtypes to a kernel: the fused one where the build has it, else the blocked plan. Both give the same
//! bits, but for the sign and the payload of a NaN.

use super::casts::{CastLink, Casts};
use super::chain::check_casts;
use super::entry::Entry;
use super::handle::Kernel;
use super::registry::Kernels;
use super::scalar::untyped_part;
use super::types::{CastWords, Types};
use crate::OpTypes;
use crate::error::call::CallError;
use crate::level::Level;
use crate::ops::exponent;
use crate::ops::{Exponent, KernelOp};
use crate::{DType, Kind};

/// As what an operand enters an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enters {
    /// Rounded to the common dtype first.
    Common,
    /// Converted to the compute dtype at once, as a scalar operand of PyTorch's multiply and divide is.
    Compute,
    /// Its low 32 bits are, as those of a whole exponent of PyTorch's `ldexp`.
    Exponent,
}

/// The entry of the fused kernel of operands that enter in the common dtype, and whether its function wants
/// them swapped.
#[inline(always)]
pub(crate) const fn fused_entry(
    kernels: &'static Kernels,
    op: KernelOp,
    a: DType,
    b: DType,
    types: OpTypes,
) -> Option<(&'static Entry, bool)> {
    let op = op.for_operands(a, b).for_operand(a, types.common, types.compute);
    let (op, a, b, swapped) = match op.swapped() {
        Some(op) => (op, b, a, true),
        None => (op, a, b, false),
    };
    let narrow = matches!(types.common, DType::F8E4M3FN) || matches!(types.output, DType::F8E4M3FN);
    match kernels.entry(op.canonical(types.compute, narrow), a, b, types) {
        Some((entry, swap)) => Some((entry, swap != swapped)),
        None => None,
    }
}

/// The fused kernel of operands that enter in the common dtype.
#[inline(always)]
pub(super) fn fused(
    level: Level,
    kernels: &'static Kernels,
    op: KernelOp,
    a: DType,
    b: DType,
    types: OpTypes,
) -> Option<Kernel> {
    let (entry, swap) = fused_entry(kernels, op, a, b, types)?;
    Kernel::of(kernels, entry, swap, level)
}

const fn first(found: Option<(&'static Entry, bool)>) -> Option<&'static Entry> {
    match found {
        Some((entry, _)) => Some(entry),
        None => None,
    }
}

/// Returns the dtype to which an operand is cast on its way to the compute dtype.
const fn between((_, enters): (DType, Enters), common: DType, compute: DType) -> DType {
    match enters {
        Enters::Common => common,
        Enters::Compute => compute,
        Enters::Exponent => DType::I32,
    }
}

/// The entries that a call can run, and the casts.
pub(crate) type Reached = ([Option<&'static Entry>; 2], Casts);

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

/// What a kernel is searched for.
pub(super) struct Query {
    level: Level,
    kernels: &'static Kernels,
    /// The op to look up, which has kernels: `less` for `greater`.
    op: KernelOp,
    /// True if that op takes the operands in the other order.
    swapped: bool,
    a: (DType, Enters),
    b: (DType, Enters),
    /// The dtype of what the op takes behind the operands, where it is not the one that the op computes in.
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
        let op = op.for_operands(a.0, b.0).for_operand(a.0, types.common, types.compute);
        let b = match exponent(op) {
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

    /// The same with a third input of this dtype.
    pub(super) fn with_third(self, third: DType) -> Query {
        Query { third: Some(third), ..self }
    }

    /// The fused kernel, or the blocked plan.
    #[inline(never)]
    pub(super) fn find(&self) -> Result<Kernel, CallError> {
        match self.fused() {
            Some(kernel) => Ok(kernel),
            None => self.blocked(),
        }
    }

    /// The fused kernel.
    fn fused(&self) -> Option<Kernel> {
        let OpTypes { common, compute, output } = self.types;
        if compute != common.register() || self.op.rounds_first() {
            return None;
        }
        let common = if self.a.1 == Enters::Common && self.b.1 == Enters::Common {
            common
        } else {
            // A kernel that converts both operands to the compute dtype does the same, if the one that enters
            // in the common dtype has it already: its values are values of the compute dtype.
            let late = |(dtype, enters): (DType, Enters)| enters == Enters::Common && dtype != common;
            if late(self.a) || late(self.b) {
                return None;
            }
            compute
        };
        let (a, b) = if self.swapped { (self.b.0, self.a.0) } else { (self.a.0, self.b.0) };
        let mut kernel = fused(self.level, self.kernels, self.op, a, b, OpTypes { common, compute, output })?;
        if self.swapped {
            kernel.types = kernel.types.swapped();
        }
        let takes = |third| kernel.types.input(2).is(third);
        self.third.is_none_or(takes).then_some(kernel)
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
        let narrow = matches!(common, DType::F8E4M3FN) || matches!(output, DType::F8E4M3FN);
        let fused = self.kernels.entry(self.op.canonical(compute, narrow), a.0, b.0, self.types);
        let computed = self.op.result(compute);
        let types = OpTypes { common: compute, compute, output: computed };
        let same = self.kernels.entry(self.op.canonical(compute, false), compute, compute, types);
        let entries = [first(fused), first(same)];
        let common = self.cast_to(common);
        let rounded = if self.op.rounds_first() { common } else { computed };
        let [late_a, late_b] = [between(a, common, compute), between(b, common, compute)];
        let casts = [
            self.link(a.0, late_a),
            self.link(late_a, compute),
            self.link(b.0, late_b),
            self.link(late_b, compute),
            self.link(computed, rounded),
            self.link(rounded, output),
        ];
        Some((entries, Casts::of_call(casts)))
    }

    /// Returns the cast between two dtypes, if it is one.
    const fn link(&self, from: DType, to: DType) -> CastLink {
        let Some(casts) = self.kernels.casts() else { return None };
        if from.index() == to.index() {
            return None;
        }
        match casts.find(from, to, CastWords::of(self.op.semantics())) {
            Some(cast) => Some((from.index() as u8, to.index() as u8, cast)),
            None => None,
        }
    }

    /// Casts into blocks, the kernel of the compute dtype, a cast out.
    #[cold]
    #[inline(never)]
    pub(super) fn blocked(&self) -> Result<Kernel, CallError> {
        let OpTypes { common, compute, output } = self.types;
        let missing = CallError::NoKernel { op: self.op.op(), compute };
        let computed = self.op.result(compute);
        // What is computed in knows no f8, so that these kernels are those without the word for its overflow.
        let shared = self.op.canonical(compute, false);
        let (raw, like) = if let DType::Custom(_) = compute {
            let entry = self.kernels.custom(shared, compute).ok_or(missing)?;
            (entry.raw(self.level), entry.types())
        } else {
            let same = OpTypes { common: compute, compute, output: computed };
            let (entry, _) = self.kernels.entry(shared, compute, compute, same).ok_or(missing)?;
            (entry.raw(self.level), entry.types())
        };
        let raw = raw.ok_or(missing)?;
        let known = self.kernels.customs();
        let code = |dtype| known.code(dtype).ok_or(CallError::NoElements { dtype });
        let common = self.cast_to(common);
        let (first, second) = if self.swapped { (self.b, self.a) } else { (self.a, self.b) };
        let types = Types::of([
            code(first.0)?,
            code(second.0)?,
            code(common)?,
            code(compute)?,
            code(output)?,
            code(computed)?,
        ]);
        let mut types = types.at(self.level, self.swapped).like(like);
        if let Some(dtype) = self.third
            && !types.chooses()
        {
            types = types.with_third(code(dtype)?);
        }
        let home = Some(self.kernels);
        if matches!(compute, DType::Custom(_)) && types.is_direct() {
            return Ok(Kernel { raw, home, types, entry: None });
        }
        if self.kernels.casts().is_none() {
            return Err(CallError::NoCast { from: self.a.0, to: common });
        }
        let types = types.blocked(CastWords::of(self.op.semantics()), first.1, second.1);
        let types = types.rounding_first(self.op.rounds_first() && computed == compute);
        if types.has_custom() {
            check_casts(self.kernels, types)?;
        }
        Ok(Kernel { raw, home, types, entry: None })
    }
}
