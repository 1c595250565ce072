//! The loops that a rule set asks for by `kernels ..;`, compiled in the crate of the rule set.
//!
//! They are chosen and emitted as the kernels of the bundled rule sets are. What every build has is left out:
//! the loops of each dtype with itself.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

use super::kernels::{
    Made, Row, Wanted, customs, full_name, info, is_custom, loop_entry, made, position, rows, same_dtype,
    unsigned,
};
use super::paths::{Paths, kernel_type};
use crate::diag::Errors;
use crate::model::{DTypeId, DTypeSet, KernelOp, LoopRequest, Rules, StandardDType};
use crate::syntax::KernelsCall;
use crate::{Compiled, data};

/// Reports the ops and the dtypes of the rule set's own requests for which there is no loop to compile. A
/// base is checked where it is compiled itself.
pub(crate) fn check(errors: &mut Errors, compiled: &Compiled) {
    let requests: Vec<_> = compiled.rules.loops.iter().filter(|request| request.layer == 0).collect();
    if requests.is_empty() {
        return;
    }
    let arena = bumpalo::Bump::new();
    let lookup = data::looked_up(compiled, &arena);
    for request in requests {
        let mut used = DTypeSet::default();
        let mut idle = Vec::new();
        for name in &request.ops {
            let found = name.all.iter().flat_map(|op| pairs(compiled, &lookup, *op, request.all_dtypes()));
            let dtypes: DTypeSet = found.flatten().collect();
            if dtypes.is_empty() {
                idle.push(name);
            }
            used = used.or(dtypes);
        }
        let listed: Vec<&str> = request.dtypes.iter().map(|dtypes| dtypes.name.as_str()).collect();
        for name in idle {
            errors
                .push(name.span, format!("no pair of {} needs a loop of `{}`", listed.join(" "), name.name))
                .help("leave the op out, or name further dtypes; every build has the loops of a dtype with itself");
        }
        for name in request.dtypes.iter().filter(|name| name.all.and(used).is_empty() && !used.is_empty()) {
            errors.push(name.span, format!("no loop of these ops has an operand of `{}`", name.name)).help(
                "leave the dtype out: its pairs are refused, or cast first and computed in another dtype",
            );
        }
    }
}

/// Returns the ops for which the files ask for loops, each with the pairs of dtypes that have one.
pub fn all(compiled: &Compiled) -> Vec<(usize, Vec<[DTypeId; 2]>)> {
    let arena = bumpalo::Bump::new();
    let lookup = data::looked_up(compiled, &arena);
    let mut all: BTreeMap<usize, BTreeSet<[DTypeId; 2]>> = BTreeMap::new();
    for request in &compiled.rules.loops {
        for op in request.all_ops() {
            all.entry(op).or_default().extend(pairs(compiled, &lookup, op, request.all_dtypes()));
        }
    }
    all.into_iter().map(|(op, pairs)| (op, pairs.into_iter().collect())).collect()
}

/// Returns the pairs of dtypes for which a request adds a loop of an op.
fn pairs(
    compiled: &Compiled,
    lookup: &data::Lookup<'_>,
    which: usize,
    dtypes: DTypeSet,
) -> Vec<[DTypeId; 2]> {
    let has_loop = |pair: &[DTypeId; 2]| {
        let mut wanted = Wanted::new();
        add(compiled, lookup, which, [*pair], &mut wanted);
        !wanted.is_empty()
    };
    every_two(dtypes).filter(has_loop).collect()
}

fn every_two(dtypes: DTypeSet) -> impl Iterator<Item = [DTypeId; 2]> {
    dtypes.iter().flat_map(move |a| dtypes.iter().map(move |b| [a, b]))
}

/// Adds the loops of an op for pairs of dtypes that no build has already.
fn add(
    compiled: &Compiled,
    lookup: &data::Lookup<'_>,
    which: usize,
    pairs: impl IntoIterator<Item = [DTypeId; 2]>,
    wanted: &mut Wanted,
) {
    let op = &compiled.rules.ops[which];
    let (Some(kernel_op), Some(kernel)) = (op.kernel_op(), op.info.kernel) else { return };
    for pair in pairs {
        let mut found = Wanted::new();
        rows(compiled, lookup, which, (kernel_op, kernel), [pair], &mut found);
        let [a, b] = pair.map(|id| position(&compiled.rules, id));
        for (op, rows) in found {
            for row in rows {
                // The loop of the common dtype is for pipelines.
                let of_pair =
                    [Some(row[0]), Some(row[1])] == [a, b] || [Some(row[1]), Some(row[0])] == [a, b];
                if of_pair && !is_in_every_build(op, row) {
                    wanted.entry(op).or_default().insert(row);
                }
            }
        }
    }
}

/// Returns true for a kernel that each build has: of a standard dtype that computes in itself, and of a
/// custom dtype with itself.
fn is_in_every_build(op: KernelOp, row: Row) -> bool {
    if is_custom(row[0]) && row[..4].iter().all(|at| *at == row[0]) {
        return true;
    }
    let mut bundled = Wanted::new();
    same_dtype(op, info(op), &mut bundled);
    let is_bundled = bundled.get(&op).is_some_and(|rows| rows.contains(&row));
    is_bundled || !matches!(made(op, &info(op), row), Made::Select | Made::Fused)
}

/// Emits the static of a `kernels!` call. `compiled` is the rule set with the statement of the call before
/// those of its own; without it the static has no loops, so that rustc reports the mistakes and nothing else.
pub fn loop_set(call: &KernelsCall, compiled: Option<&Compiled>) -> TokenStream {
    let KernelsCall { krate, attributes, visibility, name, set, .. } = call;
    let p = krate.as_ref().map_or_else(|| quote!(::promote::__private), |krate| quote!(#krate::__private));
    let kernels = quote!(<#set as __p::KernelSource>::KERNELS);
    let next = quote!(#kernels.loops());
    let own = compiled.and_then(|compiled| Some((compiled, compiled.rules.loops.first()?)));
    let loops = own.and_then(|(compiled, own)| {
        let arena = bumpalo::Bump::new();
        loops(compiled, &data::looked_up(compiled, &arena), [own], &next)
    });
    let (loops, all) = match loops {
        Some(loops) => {
            let loops = quote! {
                #[allow(dead_code)]
                const CUSTOMS: &[__p::CustomKernels] = #kernels.custom_kernels();
                #loops
                static KERNELS: __p::Kernels = #kernels.with_loops(&LOOPS);
            };
            (loops, quote!(&KERNELS))
        }
        None => (TokenStream::new(), kernels),
    };
    quote! {
        #p::if_kernels! {
            #(#attributes)*
            #visibility static #name: #p::LoopSet = {
                use #p as __p;
                static CACHE: __p::DispatchCache = __p::DispatchCache::new();
                #loops
                __p::LoopSet::new(<#set>::TABLES, #all, &CACHE)
            };
        }
    }
}

/// Emits the loops of requests as `static LOOPS`, or nothing if there are none. The tokens are for a block
/// with `use .. as __p;` and `CUSTOMS`, the kernels of the custom dtypes. `next` are the loops of another set
/// that are looked up after these.
pub(super) fn loops<'a>(
    compiled: &Compiled,
    lookup: &data::Lookup<'_>,
    requests: impl IntoIterator<Item = &'a LoopRequest>,
    next: &TokenStream,
) -> Option<TokenStream> {
    let (mut wanted, mut spans) = (Wanted::new(), BTreeMap::new());
    for request in requests {
        for name in &request.ops {
            for op in &name.all {
                let mut found = Wanted::new();
                add(compiled, lookup, *op, every_two(request.all_dtypes()), &mut found);
                for (op, rows) in found {
                    spans.entry(op).or_insert(name.span);
                    wanted.entry(op).or_default().extend(rows);
                }
            }
        }
    }
    if wanted.is_empty() {
        return None;
    }
    let types = types(&compiled.rules);
    let ops = wanted.iter().map(|(op, rows)| op_loops(*op, spans[op], rows, &types));
    let (statics, registries): (Vec<_>, Vec<_>) = ops.unzip();
    Some(quote! {
        #(#statics)*
        static LOOPS: __p::Loops = __p::Loops::new(&[#(#registries),*], #next);
    })
}

/// Returns the types of the dtypes at all positions of rows.
fn types(rules: &Rules) -> BTreeMap<usize, TokenStream> {
    let paths = Paths::short();
    let standard = StandardDType::WITH_TYPE
        .iter()
        .map(|dtype| (dtype.index(), super::paths::standard_type(&paths.private, *dtype)));
    let custom = customs(rules).enumerate().map(|(at, id)| {
        let path = &rules.dtypes[id.index()].path;
        (StandardDType::STANDARD.len() + at, quote!(#path))
    });
    standard.chain(custom).collect()
}

/// Emits the entries of an op and their registry, and returns a reference to it.
fn op_loops(
    op: KernelOp,
    span: Span,
    rows: &BTreeSet<Row>,
    types: &BTreeMap<usize, TokenStream>,
) -> (TokenStream, TokenStream) {
    let p = &quote!(__p);
    let (name, info) = (full_name(op), info(op));
    // Level tokens of its own put each op into a codegen unit of its own.
    let tokens = format_ident!("__{name}");
    let levels = quote!(#tokens::Levels);
    // Here rustc reports a trait that a custom type lacks.
    let path = super::at(span, kernel_type(p, op));
    let ty = |at: usize| types[&at].clone();
    let mut statics = Vec::new();
    let mut names = Vec::new();
    for (at, asked) in rows.iter().enumerate() {
        let row = if info.sign_agnostic { unsigned(*asked) } else { *asked };
        let mut entry = loop_entry(p, (&levels, &path), op, row, ty);
        if row != *asked {
            let [a, b, common, _, out] = asked.map(ty);
            entry = quote!(#entry.standing_for::<#a, #b, #common, #out>());
        }
        let name = format_ident!("{}_{at}", name.to_uppercase());
        statics.push(quote!(static #name: #p::Entry = #entry;));
        names.push(name);
    }
    let registry = format_ident!("{}", name.to_uppercase());
    let statics = quote! {
        #p::levels! { mod #tokens }
        #(#statics)*
        static #registry: #p::Registry =
            #p::Registry::new(<#path as #p::KernelType>::OP, &[#(&#names),*]);
        const _: () = #registry.check();
    };
    (statics, quote!(&#registry))
}
