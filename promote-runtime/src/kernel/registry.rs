//! Registries: which kernels a build has, found by dtypes in a nanosecond or two.

use core::fmt;

use super::Code;
use super::casts::Casts;
use super::custom::{CustomEntry, CustomKernels, Dtypes};
use super::entry::Entry;
use super::pointers::Function;
use super::reduction::table::Reductions;
use super::types::Key;
use crate::DType;
use crate::OpTypes;
use crate::level::Level;
use crate::ops::KernelOp;

/// How many dtypes have elements.
pub(super) const TYPES: usize = DType::WITH_TYPE.len();

/// The kernels of one op.
#[derive(Debug)]
pub struct Registry {
    entries: &'static [Entry],
    /// Where the entries of each pair begin, the pair after it where they end.
    starts: [u16; TYPES * TYPES + 1],
}

impl Registry {
    /// A registry of entries that are all of one op with one set of words and stand in the order of (a, b,
    /// common, compute, out), each in the order of [`DType::index`].
    ///
    /// Of an op that commutes, a pair is stored once: `a` does not stand after `b`. Of an op of one operand
    /// `a` stands for both.
    ///
    /// # Panics
    ///
    /// When there are no entries, or they are of several ops, out of order, doubled, or of a dtype that is no
    /// standard one; in a `static` that is a compile error.
    pub const fn new(entries: &'static [Entry]) -> Registry {
        assert!(!entries.is_empty(), "a registry holds kernels");
        assert!(entries.len() <= u16::MAX as usize, "a registry holds at most 65535 kernels");
        let op = entries[0].op();
        let (op_rank, commutes) = (op.rank(), op.commutes());
        let mut starts = [0; TYPES * TYPES + 1];
        let mut filled = 0;
        let (mut i, mut before) = (0, 0);
        while i < entries.len() {
            let entry = &entries[i];
            let types = entry.types();
            let (a, b) = (types.first().0 as usize, types.second().0 as usize);
            let (pair, rank) = (a * TYPES + b, types.rank());
            assert!(entry.op().rank() == op_rank, "a registry holds the kernels of one op");
            assert!(i == 0 || before < rank, "kernels out of order, or one doubled");
            assert!(a <= b || !commutes, "a kernel that commutes is stored for one order only");
            before = rank;
            while filled < pair {
                filled += 1;
                starts[filled] = i as u16;
            }
            i += 1;
        }
        while filled < TYPES * TYPES {
            filled += 1;
            starts[filled] = entries.len() as u16;
        }
        Registry { entries, starts }
    }

    /// The entry of exactly these dtypes, and whether it wants `b` first.
    #[inline]
    pub const fn find(&self, a: DType, b: DType, types: OpTypes) -> Option<(&Entry, bool)> {
        let (a, b) = (a.index(), b.index());
        if a >= TYPES || b >= TYPES {
            return None;
        }
        let swap = a > b && self.op().commutes();
        let pair = if swap { b * TYPES + a } else { a * TYPES + b };
        let key = Key::new(types);
        let mut i = self.starts[pair] as usize;
        while i < self.starts[pair + 1] as usize {
            let entry = &self.entries[i];
            if entry.types().key().is(key) {
                return Some((entry, swap));
            }
            i += 1;
        }
        None
    }

    const fn op(&self) -> KernelOp {
        self.entries[0].op()
    }

    /// The dtypes (a, b, common, out) of every entry, in order.
    pub fn dtypes(&self) -> impl ExactSizeIterator<Item = [DType; 4]> + use<> {
        self.entries.iter().map(|entry| {
            let types = entry.types();
            [types.first(), types.second(), types.common(), types.out()].map(super::Code::standard)
        })
    }
}

/// All the kernels of a build: registries, one for each op with its words, and the casts.
pub struct Kernels {
    registries: &'static [&'static Registry],
    /// Where the registries of each op begin, the op after it where they end.
    starts: [u16; KernelOp::COUNT + 1],
    casts: Option<&'static Casts>,
    reductions: Option<&'static Reductions>,
    /// Of the dtypes of a rule set's own.
    customs: &'static [CustomKernels],
}

// All that is in them is addresses, thousands.
impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernels").field("registries", &self.registries.len()).finish_non_exhaustive()
    }
}

impl Kernels {
    /// No kernels at all.
    pub const EMPTY: Kernels = Kernels::new(&[], None);

    /// The kernels of these registries, in the order of [`KernelOp::index`] and, of one op, of its words; and
    /// the casts.
    ///
    /// # Panics
    ///
    /// When registries stand out of order, or two are of one op and its words; in a `static` that is a
    /// compile error.
    pub const fn new(registries: &'static [&'static Registry], casts: Option<&'static Casts>) -> Kernels {
        let mut starts = [0; KernelOp::COUNT + 1];
        let mut filled = 0;
        let mut i = 0;
        while i < registries.len() {
            let op = registries[i].op();
            assert!(
                i == 0 || registries[i - 1].op().rank() < op.rank(),
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
        Kernels { registries, starts, casts, reductions: None, customs: &[] }
    }

    /// These kernels and those of the dtypes of a rule set's own.
    ///
    /// # Panics
    ///
    /// When there are more than 14 of these; in a `static` that is a compile error.
    #[must_use]
    pub const fn with_customs(&self, customs: &'static [CustomKernels]) -> Kernels {
        assert!(
            customs.len() <= Code::CUSTOMS,
            "a rule set has at most 14 dtypes of its own that have a type"
        );
        let Kernels { registries, starts, casts, reductions, .. } = *self;
        Kernels { registries, starts, casts, reductions, customs }
    }

    /// These kernels and reductions.
    #[must_use]
    pub const fn with_reductions(&self, reductions: &'static Reductions) -> Kernels {
        let Kernels { registries, starts, casts, customs, .. } = *self;
        Kernels { registries, starts, casts, reductions: Some(reductions), customs }
    }

    /// The reductions.
    pub(super) const fn reductions(&self) -> Option<&'static Reductions> {
        self.reductions
    }

    /// The kernels of the dtypes of a rule set's own.
    #[inline]
    pub(super) const fn customs(&self) -> Dtypes {
        Dtypes(self.customs)
    }

    /// The kernel of an op on a dtype of a rule set's own, in which it computes.
    pub(super) fn custom(&self, op: KernelOp, compute: DType) -> Option<&'static CustomEntry> {
        let own = self.customs.iter().find(|own| DType::Custom(own.dtype()) == compute)?;
        own.find(op)
    }

    /// The cast of a dtype of a rule set's own to itself.
    pub(super) fn copy(&self, dtype: DType, level: Level) -> Option<&'static Function> {
        let own = self.customs.iter().find(|own| DType::Custom(own.dtype()) == dtype)?;
        own.copy(level)
    }

    /// The registry of an op with exactly its words.
    #[inline]
    pub const fn registry(&self, op: KernelOp) -> Option<&'static Registry> {
        let mut i = self.starts[op.index()] as usize;
        while i < self.starts[op.index() + 1] as usize {
            let registry = self.registries[i];
            if registry.op().rank() == op.rank() {
                return Some(registry);
            }
            i += 1;
        }
        None
    }

    /// The ops that have kernels, each with its words.
    pub fn ops(&self) -> impl ExactSizeIterator<Item = (KernelOp, &'static Registry)> + use<> {
        self.registries.iter().map(|registry| (registry.op(), *registry))
    }

    /// The casts.
    #[inline]
    pub const fn casts(&self) -> Option<&'static Casts> {
        self.casts
    }
}
