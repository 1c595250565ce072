//! Loops that another crate compiles for a rule set: its own, or those of a user of the rule set.

use super::cache::DispatchCache;
use super::custom::Dtypes;
use super::entry::Entry;
use super::registry::{Kernels, Registry};
use super::signature::KernelSignature;
use crate::Tables;
use crate::ops::KernelOp;
use crate::table::same_rules;
use crate::{DType, OpTypes};

/// Loops of several ops, and those that are looked up behind them.
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
        let Some(straight) = KernelSignature::among(customs, a, b, types) else { return None };
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

/// Loops for a rule set of another crate, made by
/// [`kernels!`](https://docs.rs/promote/latest/promote/macro.kernels.html).
///
/// [`RuleSet::with_kernels`](crate::RuleSet::with_kernels) puts them before the kernels that the rule set
/// has.
#[derive(Debug)]
pub struct LoopSet {
    tables: &'static Tables,
    kernels: &'static Kernels,
    // A constant cannot read a static that may change, so the cache is one of its own.
    cache: &'static DispatchCache,
}

impl LoopSet {
    /// Creates the loops of the rule set with these tables; `kernels` are its kernels and the loops, and
    /// nothing else uses `cache`.
    #[doc(hidden)]
    pub const fn new(
        tables: &'static Tables,
        kernels: &'static Kernels,
        cache: &'static DispatchCache,
    ) -> LoopSet {
        LoopSet { tables, kernels, cache }
    }

    /// Returns true if the loops are for a rule set with these tables.
    pub(crate) const fn is_for(&self, tables: &Tables) -> bool {
        same_rules(self.tables, tables)
    }

    /// Returns the kernels of the rule set with the loops, and the cache for both.
    pub(crate) const fn parts(&self) -> (&'static Kernels, &'static DispatchCache) {
        (self.kernels, self.cache)
    }
}
