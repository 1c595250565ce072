//! Loops that another crate compiles for a rule set: its own, or those of a user of the rule set.

use super::cache::DispatchCache;
use super::registry::Kernels;
use crate::Tables;
use crate::table::same_rules;

/// Loops for a rule set of another crate, made by
/// [`kernels!`](https://docs.rs/promote/latest/promote/macro.kernels.html).
///
/// [`RuleSet::with_kernels`](crate::RuleSet::with_kernels) makes a rule set look them up before its own
/// kernels.
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
