//! From a compiled rule file to a run-time rule set: where the two libraries meet.

use bumpalo::Bump;
use promote::{CustomDType, CustomOp, RuleSet};
use promote_rules::{Compiled, data};
use promote_runtime::Tables;

/// Makes the run-time rule set of a compiled rule file, with the kernels of this build.
///
/// Its tables live as long as the process, as those of a compiled set do: a dtype is known by its address.
pub fn rule_set(compiled: &'static Compiled) -> RuleSet {
    let arena: &'static Bump = Box::leak(Box::new(Bump::new()));
    let tables: &'static Tables = Box::leak(Box::new(data::encode(
        compiled,
        arena,
        |dtype| Box::leak(Box::new(CustomDType::new(&dtype.name, dtype.bits, 1))),
        |op| Box::leak(Box::new(CustomOp::named(&op.name))),
    )));
    RuleSet::new(tables).with_kernels(promote::__private::KERNELS)
}
