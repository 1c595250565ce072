//! Resolves `kernels` statements: the ops and the dtypes for whose pairs loops are emitted.

use std::collections::BTreeMap;

use syn::Ident;

use super::names::Names;
use crate::bundled::did_you_mean_op;
use crate::diag::Errors;
use crate::model::{DTypeSet, LoopRequest, Requested, Rules};
use crate::syntax::{self, Item, KernelsItem};

/// Adds the requests of a file. `rules` has all ops.
pub(super) fn requests(errors: &mut Errors, file: &syntax::File, rules: &mut Rules, names: &Names) {
    // The dtypes that earlier statements of this file name for each op. A base may name them as well.
    let mut seen: BTreeMap<usize, Vec<DTypeSet>> = BTreeMap::new();
    for item in &file.items {
        let Item::Kernels(item) = item else { continue };
        let request = request(errors, item, rules, names);
        let dtypes = request.all_dtypes();
        for name in &request.ops {
            for op in &name.all {
                let earlier = seen.entry(*op).or_default();
                let mut both = earlier.iter().map(|earlier| earlier.and(dtypes).iter());
                if let Some((a, b)) = both.find_map(|mut both| both.next().zip(both.next())) {
                    let (op, a, b) = (&rules.ops[*op].name, rules.dtype_name(a), rules.dtype_name(b));
                    errors
                        .push(
                            name.span,
                            format!("two statements ask for the loops of `{op}` of `{a}` and `{b}`"),
                        )
                        .help("name each op in one statement, with all of its dtypes");
                }
                earlier.push(dtypes);
            }
        }
        rules.loops.push(request);
    }
}

/// Resolves the names of one statement.
pub(crate) fn request(errors: &mut Errors, item: &KernelsItem, rules: &Rules, names: &Names) -> LoopRequest {
    let mut request = LoopRequest { layer: names.layer, ops: Vec::new(), dtypes: Vec::new() };
    for name in &item.ops {
        let all = ops_of(errors, name, rules, names);
        let twice = request.all_ops().find(|op| all.contains(op));
        if let Some(twice) = twice {
            errors.twice(name.span(), &rules.ops[twice].name);
        }
        request.ops.push(Requested { name: name.to_string(), span: name.span(), all });
    }
    for name in &item.dtypes {
        let all = dtypes_of(errors, name, rules, names);
        let twice = all.and(request.all_dtypes()).iter().next();
        if let Some(twice) = twice {
            errors.twice(name.span(), rules.dtype_name(twice));
        }
        request.dtypes.push(Requested { name: name.to_string(), span: name.span(), all });
    }
    request
}

/// Returns the ops of a name that can have loops: of a group those that the rule set has and whose operands
/// are worth it.
fn ops_of(errors: &mut Errors, name: &Ident, rules: &Rules, names: &Names) -> Vec<usize> {
    let known = names.ops_of(&name.to_string());
    if known.is_empty() {
        let own = rules.ops.iter().map(|op| op.name.as_str()).chain(names.op_names());
        let near = did_you_mean_op(&name.to_string(), own);
        errors
            .push(name.span(), format!("unknown op `{name}`"))
            .help(near.unwrap_or_else(|| "name ops of the rule set, or groups of them".to_owned()));
    }
    let at = |name: &str| rules.ops.iter().position(|op| op.name == name);
    let in_file: Vec<usize> = known.iter().filter_map(|known| at(&known.name)).collect();
    if in_file.is_empty() {
        if let Some(known) = known.first() {
            errors
                .push(name.span(), format!("the rule set has no op `{}`", known.name))
                .help(format!("declare it: `op {};`", known.name));
        }
        return in_file;
    }
    let has_loops = |op: &usize| rules.ops[*op].info.kernel.is_some_and(|kernel| !kernel.fused.is_empty());
    let with_loops: Vec<usize> = in_file.iter().copied().filter(has_loops).collect();
    if with_loops.is_empty() {
        let first = &rules.ops[in_file[0]];
        let why = match first.info.kernel {
            _ if first.path.is_some() => "it is compiled where its function is defined",
            None => "it is not computed element by element",
            Some(_) => "it takes so long that casting its operands first costs next to nothing",
        };
        errors
            .push(name.span(), format!("`{}` has no loops of pairs of dtypes", first.name))
            .help(format!("leave it out: {why}"));
    }
    with_loops
}

/// Returns the dtypes of a name that have a Rust type.
fn dtypes_of(errors: &mut Errors, name: &Ident, rules: &Rules, names: &Names) -> DTypeSet {
    let all = names.one(errors, rules, name);
    let typed: DTypeSet = all.iter().filter(|id| rules.has_type(*id)).collect();
    if let (true, Some(untyped)) = (typed.is_empty(), all.iter().next()) {
        let dtype = &rules.dtypes[untyped.index()];
        let help = match dtype.standard {
            Some(_) => "leave it out: nothing computes with it".to_owned(),
            None => format!("name the type of its elements: `dtype {}: .. = path::to::Type;`", dtype.name),
        };
        errors.push(name.span(), format!("the dtype `{}` has no Rust type", dtype.name)).help(help);
    }
    typed
}
