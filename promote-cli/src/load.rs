//! Makes run-time rule sets of compiled rule files.

use bumpalo::Bump;
use promote::{CustomDType, CustomOp, RuleSet};
use promote_rules::{Compiled, data};
use promote_runtime::__private::Tables;

/// Makes the run-time rule set of a compiled rule file, with the kernels of this build.
///
/// The tables are leaked: they live as long as the process, because custom dtypes are compared by address.
pub fn rule_set(compiled: &'static Compiled) -> RuleSet {
    let arena: &'static Bump = Box::leak(Box::new(Bump::new()));
    let tables: &'static Tables = Box::leak(Box::new(data::encode(
        compiled,
        arena,
        |dtype| Box::leak(Box::new(CustomDType::new(&dtype.name, dtype.bits, 1))),
        |op| Box::leak(Box::new(CustomOp::named(&op.name))),
    )));
    RuleSet::new(tables).with_kernel_tables(promote::__private::KERNELS)
}
