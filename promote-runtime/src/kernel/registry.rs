//! Registries: the kernels of a build, and their look-up by dtypes.

use core::fmt;

use super::RawKernel;
use super::casts::Casts;
use super::custom::{CustomEntry, CustomKernels, Dtypes};
use super::entry::Entry;
use super::reduction::table::Reductions;
use super::signature::{DTypeCode, KernelSignature, TYPES};
use crate::DType;
use crate::OpTypes;
use crate::level::Level;
use crate::ops::KernelOp;

/// The kernels of one op with its semantics.
///
/// Each entry is a `static` of its own, so that a program links the entries that it names and no others.
#[derive(Debug)]
pub struct Registry {
    op: KernelOp,
    entries: &'static [&'static Entry],
}

impl Registry {
    /// Creates the registry of an op. Its entries are sorted by the dtypes (a, b, common, compute, out), in
    /// the order of [`DType::index`].
    ///
    /// An op that commutes has one entry for a pair, in which `a` is not after `b`. For an op of one operand,
    /// `a` and `b` are equal. [`Registry::check`] checks all of this.
    pub const fn new(op: KernelOp, entries: &'static [&'static Entry]) -> Registry {
        Registry { op, entries }
    }

    /// Checks the entries. This is not a part of [`Registry::new`], because a crate that looks an entry up at
    /// compile time would evaluate all of them.
    ///
    /// # Panics
    ///
    /// Panics if there are no entries, or if they are of several ops, out of order, or doubled. In a `const`
    /// that is a compile error.
    pub const fn check(&self) {
        assert!(!self.entries.is_empty(), "a registry holds kernels");
        let (op, commutes) = (self.op.rank(), self.op.commutes());
        let (mut i, mut before) = (0, 0);
        while i < self.entries.len() {
            let signature = self.entries[i].signature();
            assert!(self.entries[i].op().rank() == op, "a registry holds the kernels of one op");
            assert!(i == 0 || before < signature.rank(), "kernels out of order, or one doubled");
            // The operators of a custom type need not commute.
            let swaps = commutes && signature.compute.custom_index().is_none();
            assert!(
                !swaps || signature.inputs[0].0 <= signature.inputs[1].0,
                "a kernel that commutes is stored for one order only"
            );
            before = signature.rank();
            i += 1;
        }
    }

    /// Returns the entry of exactly these dtypes, and whether it wants `b` first.
    #[inline]
    pub const fn find(&self, a: DType, b: DType, types: OpTypes) -> Option<(&'static Entry, bool)> {
        let (a, b) = (a.index(), b.index());
        if a >= TYPES || b >= TYPES {
            return None;
        }
        let swap = a > b && self.op.commutes();
        let rank =
            if swap { KernelSignature::rank_of(b, a, types) } else { KernelSignature::rank_of(a, b, types) };
        match self.at(rank) {
            Some(entry) => Some((entry, swap)),
            None => None,
        }
    }

    /// Returns the op.
    pub(super) const fn op(&self) -> KernelOp {
        self.op
    }

    /// Returns the entry whose dtypes have a [`KernelSignature::rank`].
    pub(super) const fn at(&self, rank: u64) -> Option<&'static Entry> {
        let (mut from, mut to) = (0, self.entries.len());
        while from < to {
            let middle = from.midpoint(to);
            let found = self.entries[middle].signature().rank();
            if found == rank {
                return Some(self.entries[middle]);
            }
            if found < rank {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        None
    }

    /// Returns the dtypes (a, b, common, out) of every entry, in order.
    pub fn dtypes(&self) -> impl ExactSizeIterator<Item = [DType; 4]> + use<> {
        self.entries.iter().map(|entry| {
            let KernelSignature { inputs: [a, b, ..], common, output, .. } = *entry.signature();
            [a, b, common, output].map(DTypeCode::standard)
        })
    }
}

/// The loops of several ops that another crate compiles, and those that are looked up after them.
#[derive(Debug)]
pub struct Loops {
    registries: &'static [&'static Registry],
    next: Option<&'static Loops>,
}

impl Loops {
    /// Creates the list of loops, before others.
    pub const fn new(registries: &'static [&'static Registry], next: Option<&'static Loops>) -> Loops {
        Loops { registries, next }
    }

    /// Returns the loop of an op for operands of these dtypes, and true if it takes the second one first.
    pub(super) const fn find(
        &self,
        op: KernelOp,
        [a, b]: [DType; 2],
        types: OpTypes,
        customs: Dtypes,
    ) -> Option<(&'static Entry, bool)> {
        let Some(straight) = customs.signature(a, b, types) else { return None };
        // The operators of a custom type need not commute.
        let commutes = op.commutes() && straight.compute.custom_index().is_none();
        let swap = commutes && straight.inputs[0].0 > straight.inputs[1].0;
        let [first, second, third, fourth] = straight.inputs;
        let exchanged = KernelSignature { inputs: [second, first, third, fourth], ..straight };
        let rank = if swap { exchanged.rank() } else { straight.rank() };
        let mut loops = Some(self);
        while let Some(now) = loops {
            let mut i = 0;
            while i < now.registries.len() {
                if now.registries[i].op().rank() == op.rank()
                    && let Some(entry) = now.registries[i].at(rank)
                {
                    return Some((entry, swap));
                }
                i += 1;
            }
            loops = now.next;
        }
        None
    }
}

/// The kernels of a build (registries, one for each op with its semantics, and the casts), or those of them
/// that one typed call can reach.
pub struct Kernels {
    entries: Entries,
    casts: Option<&'static Casts>,
    reductions: Option<&'static Reductions>,
    /// The kernels of the custom dtypes of a rule set.
    customs: &'static [CustomKernels],
    /// The loops that are looked up before the entries.
    loops: Option<&'static Loops>,
}

#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "a rule set has one, in static memory")]
enum Entries {
    /// The registries, and where those of each op begin and those of the last one end.
    All { registries: &'static [&'static Registry], starts: [u16; KernelOp::COUNT + 1] },
    /// The entries of one call.
    Some([Option<&'static Entry>; 3]),
}

// The fields hold nothing but addresses, thousands of them.
impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernels").field("registries", &self.ops().len()).finish_non_exhaustive()
    }
}

impl Kernels {
    /// The empty set of kernels.
    pub const EMPTY: Kernels = Kernels::new(&[], None);

    /// Creates the kernels of these registries, which are sorted by [`KernelOp::rank`], and the casts.
    ///
    /// # Panics
    ///
    /// Panics if registries are out of order, or if two have one op with its semantics. In a `static` that is
    /// a compile error.
    pub const fn new(registries: &'static [&'static Registry], casts: Option<&'static Casts>) -> Kernels {
        let mut starts = [0; KernelOp::COUNT + 1];
        let mut filled = 0;
        let mut i = 0;
        while i < registries.len() {
            let op = registries[i].op;
            assert!(
                i == 0 || registries[i - 1].op.rank() < op.rank(),
                "registries out of order, or two of one op"
            );
            while filled < op.index() {
                filled += 1;
                starts[filled] = i as u16;
            }
            i += 1;
        }
        while filled < KernelOp::COUNT {
            filled += 1;
            starts[filled] = registries.len() as u16;
        }
        Kernels {
            entries: Entries::All { registries, starts },
            casts,
            reductions: None,
            customs: &[],
            loops: None,
        }
    }

    /// Creates the kernels that one typed call can reach: entries, and the casts of pipelines.
    pub(crate) const fn of_call(entries: [Option<&'static Entry>; 3], casts: &'static Casts) -> Kernels {
        Kernels { entries: Entries::Some(entries), casts: Some(casts), ..Kernels::EMPTY }
    }

    /// Returns the kernels of one op with any semantics, and everything that is no kernel of an op.
    pub(crate) const fn of_op(&self, op: KernelOp) -> Kernels {
        let Kernels { entries, casts, reductions, customs, loops } = *self;
        let Entries::All { registries, starts } = entries else { return Kernels { ..*self } };
        let (from, to) = (starts[op.index()] as usize, starts[op.index() + 1] as usize);
        let registries = registries.split_at(to).0.split_at(from).1;
        Kernels { reductions, customs, loops, ..Kernels::new(registries, casts) }
    }

    /// Returns these kernels with those of the custom dtypes of a rule set.
    ///
    /// # Panics
    ///
    /// Panics if there are more than 128 custom dtypes. In a `static` that is a compile error.
    #[must_use]
    pub const fn with_customs(&self, customs: &'static [CustomKernels]) -> Kernels {
        assert!(
            customs.len() <= DTypeCode::CUSTOMS,
            "a rule set has at most 128 custom dtypes that have a type"
        );
        Kernels { customs, ..*self }
    }

    /// Returns these kernels with reductions.
    #[must_use]
    pub const fn with_reductions(&self, reductions: &'static Reductions) -> Kernels {
        Kernels { reductions: Some(reductions), ..*self }
    }

    /// Returns the reductions.
    pub(super) const fn reductions(&self) -> Option<&'static Reductions> {
        self.reductions
    }

    /// Returns the custom dtypes, with their kernels.
    #[inline]
    pub(super) const fn customs(&self) -> Dtypes {
        Dtypes(self.customs)
    }

    /// Returns the kernel of an op that computes in a custom dtype.
    pub(super) fn custom(&self, op: KernelOp, compute: DType) -> Option<&'static CustomEntry> {
        let own = self.customs.iter().find(|own| DType::Custom(own.dtype()) == compute)?;
        own.find(op)
    }

    /// Returns the cast of a custom dtype to itself.
    pub(super) fn copy(&self, dtype: DType, level: Level) -> Option<RawKernel> {
        let own = self.customs.iter().find(|own| DType::Custom(own.dtype()) == dtype)?;
        own.copy(level)
    }

    /// Returns these kernels with loops that are looked up before them.
    #[must_use]
    pub const fn with_loops(&self, loops: &'static Loops) -> Kernels {
        Kernels { loops: Some(loops), ..*self }
    }

    /// Returns the loops that are looked up before the registries.
    pub const fn loops(&self) -> Option<&'static Loops> {
        self.loops
    }

    /// Returns the kernels of the custom dtypes, on whose order loops of the rule set rely.
    pub const fn custom_kernels(&self) -> &'static [CustomKernels] {
        self.customs
    }

    /// Returns the entry of an op with exactly its semantics and these dtypes, and whether it wants `b`
    /// first.
    #[inline]
    pub const fn entry(
        &self,
        op: KernelOp,
        a: DType,
        b: DType,
        types: OpTypes,
    ) -> Option<(&'static Entry, bool)> {
        if let Some(loops) = self.loops
            && let Some(found) = loops.find(op, [a, b], types, self.customs())
        {
            return Some(found);
        }
        match &self.entries {
            Entries::All { registries, starts } => {
                let mut i = starts[op.index()] as usize;
                while i < starts[op.index() + 1] as usize {
                    if registries[i].op.rank() == op.rank() {
                        return registries[i].find(a, b, types);
                    }
                    i += 1;
                }
                None
            }
            Entries::Some(entries) => {
                let (a, b) = (a.index(), b.index());
                let mut i = 0;
                while i < entries.len() {
                    if let Some(entry) = entries[i]
                        && entry.op().rank() == op.rank()
                    {
                        let found = entry.signature().rank();
                        if found == KernelSignature::rank_of(a, b, types) {
                            return Some((entry, false));
                        }
                        if op.commutes() && found == KernelSignature::rank_of(b, a, types) {
                            return Some((entry, true));
                        }
                    }
                    i += 1;
                }
                None
            }
        }
    }

    /// Returns the ops that have registries, each with its semantics.
    pub fn ops(&self) -> impl ExactSizeIterator<Item = (KernelOp, &'static Registry)> + use<> {
        let registries = match self.entries {
            Entries::All { registries, .. } => registries,
            Entries::Some(_) => &[],
        };
        registries.iter().map(|registry| (registry.op, *registry))
    }

    /// Returns the casts.
    #[inline]
    pub const fn casts(&self) -> Option<&'static Casts> {
        self.casts
    }
}
