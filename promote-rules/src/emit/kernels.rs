//! The kernels of several rule sets, each emitted once.
//!
//! Every op gets a module with level tokens of its own, so that rustc spreads the modules over codegen units.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use promote_core::__private::ResultForm;
use promote_core::CustomDType;
use quote::{format_ident, quote};

use super::paths::{kernel_type, standard_type};
use crate::Compiled;
use crate::data;
use crate::model::{
    Category, DTypeId, Format, KernelInfo, KernelOp, NumberKind, Operand, Rules, StandardDType,
};
use crate::tables::OpCell;

/// The dtypes of a kernel: `a`, `b`, common, compute and output dtype, as positions in
/// [`StandardDType::STANDARD`] or, after these, among the [`customs`] of a rule set. A kernel of one operand
/// has `a` twice.
pub(super) type Row = [usize; 5];

/// The kernels of each op with its semantics, in the order of the registries.
pub(super) type Wanted = BTreeMap<KernelOp, BTreeSet<Row>>;

/// Emits the kernels that rule sets need, and the casts: `static KERNELS`. Pairs of two dtypes have kernels
/// if `mixed_loops` is true.
pub fn kernels<'a>(
    private: &TokenStream,
    sets: impl IntoIterator<Item = &'a Compiled>,
    mixed_loops: bool,
) -> TokenStream {
    let mut wanted = Wanted::new();
    for compiled in sets {
        let arena = bumpalo::Bump::new();
        let lookup = data::looked_up(compiled, &arena);
        for (which, op) in compiled.rules.ops.iter().enumerate() {
            if let (Some(op), Some(info)) = (op.kernel_op(), op.info.kernel) {
                let ids = || compiled.rules.ids();
                let pairs = ids().flat_map(|a| ids().map(move |b| [a, b]));
                let pairs = pairs.filter(|[a, b]| mixed_loops || a == b);
                rows(compiled, &lookup, which, (op, info), pairs, &mut wanted);
            }
        }
    }
    for op in KernelOp::all() {
        let info = info(op);
        if info.swapped_of.is_none() {
            // Pipelines of every rule set, built-in or custom, compute with these.
            same_dtype(op, info, &mut wanted);
            numeric_predicates(op, info, &mut wanted);
        }
    }
    let modules = wanted.iter().map(|(op, rows)| module(private, *op, rows));
    let names = wanted.keys().map(|op| module_name(*op));
    quote! {
        #(#modules)*
        #private::__casts! {}

        /// Every elementwise kernel and cast of this build.
        pub static KERNELS: #private::Kernels = #private::Kernels::new(
            &[#(&#names::REGISTRY),*],
            ::core::option::Option::Some(&casts::CASTS),
        );
    }
}

pub(super) fn info(op: KernelOp) -> KernelInfo {
    op.op().info().kernel.expect("an op with kernels")
}

/// Stand-ins for the custom dtypes of a rule set, in the order of [`customs`]: dtypes are compared by
/// address.
static CUSTOMS: [CustomDType; MAX_CUSTOMS] = [const { CustomDType::new("", 8, 1) }; MAX_CUSTOMS];

/// The limit of custom dtypes that have a Rust type: all dtypes of a rule set.
const MAX_CUSTOMS: usize = DTypeId::MAX;

/// Returns the custom dtypes that have a Rust type.
pub(super) fn customs(rules: &Rules) -> impl Iterator<Item = DTypeId> + '_ {
    rules.ids().filter(|id| rules.dtypes[id.index()].path.is_some())
}

/// Returns the position of a dtype that has a Rust type.
pub(super) fn position(rules: &Rules, id: DTypeId) -> Option<usize> {
    let custom = || customs(rules).take(MAX_CUSTOMS).position(|custom| custom == id);
    match rules.standard(id) {
        Some(standard) => standard.has_type().then(|| standard.index()),
        None => custom().map(|at| StandardDType::STANDARD.len() + at),
    }
}

/// Returns the dtype at a position.
fn dtype(at: usize) -> StandardDType {
    let custom = || StandardDType::Custom(&CUSTOMS[at - StandardDType::STANDARD.len()]);
    StandardDType::STANDARD.get(at).copied().unwrap_or_else(custom)
}

/// Returns true for a position of a custom dtype.
pub(super) fn is_custom(at: usize) -> bool {
    at >= StandardDType::STANDARD.len()
}

/// Adds a kernel.
fn want(wanted: &mut Wanted, op: KernelOp, row: Row) {
    wanted.entry(op).or_default().insert(row);
}

/// Adds the kernels of an op for pairs of arrays under the default parameters. The op has to compute in the
/// register form of the common dtype and of the output dtype.
pub(super) fn rows(
    compiled: &Compiled,
    lookup: &data::Lookup<'_>,
    which: usize,
    (op, info): (KernelOp, KernelInfo),
    pairs: impl IntoIterator<Item = [DTypeId; 2]>,
    wanted: &mut Wanted,
) {
    let rules = &compiled.rules;
    let array = |dtype| Operand { dtype, category: Category::Array };
    for [a, b] in pairs {
        let cell = match op.arity() {
            1 if a != b => continue,
            1 => lookup.op(which, array(a), None),
            _ => lookup.op(which, array(a), Some(array(b))),
        };
        let OpCell::Resolved { common, compute, output, .. } = cell else {
            continue;
        };
        let known = |id| position(rules, id);
        let (Some(at_a), Some(at_b), Some(at_c), Some(at_m), Some(at_o)) =
            (known(a), known(b), known(common), known(compute), known(output))
        else {
            continue;
        };
        let [x, y, c, m, o] = [at_a, at_b, at_c, at_m, at_o].map(dtype);
        let signed = op.for_signs(x, y, c);
        let canonical = signed.swapped().unwrap_or(signed).for_operand(x, m, m).canonical(m, false);
        // A pipeline casts to the common dtype and computes with the kernel of that one.
        let reason = self::info(canonical).pipeline_reason([x, y], c, o);
        if reason.is_some_and(|reason| !reason.calls_common_loop) {
            continue;
        }
        let [at_a, at_b] = if reason.is_some() { [at_c; 2] } else { [at_a, at_b] };
        // A pipeline converts the result if it is not stored in the dtype that it was computed in.
        let stored = o.register() == op.result(m);
        // Whether a custom type has the traits of the op, rustc finds out.
        let fuses = info.is_fused(m) || is_custom(at_m) && !info.fused.is_empty();
        if stored && m == c.register() && fuses {
            // The operators of a custom type need not commute.
            let commutes = info.commutes && !is_custom(at_m);
            let swap = info.swapped_of.is_some() || commutes && at_a > at_b;
            let (first, second) = if swap { (at_b, at_a) } else { (at_a, at_b) };
            want(wanted, canonical, [first, second, at_c, at_m, at_o]);
        }
    }
}

/// Returns an op with every choice of semantics that rule files and calls can make.
fn variants(op: KernelOp) -> BTreeSet<KernelOp> {
    let options = op.op().info().options().chain(op.op().flags());
    options.fold(BTreeSet::from([op]), |known, option| {
        let more = |op: &KernelOp| {
            let op = *op;
            option.values.iter().map(move |value| op.with_semantics(op.semantics() | value.1))
        };
        known.iter().flat_map(more).collect()
    })
}

/// Adds the kernels of an op for operands that already have the compute dtype, for all its semantics.
pub(super) fn same_dtype(op: KernelOp, info: KernelInfo, wanted: &mut Wanted) {
    for &compute in StandardDType::WITH_TYPE {
        if !info.is_computed_in(compute) {
            continue;
        }
        let at = compute.index();
        for op in variants(op).into_iter().filter(|op| op.is_computed_in(compute)) {
            let out = op.result(compute).index();
            // An operand that is converted to an unsigned dtype can have a sign.
            for [a, b] in [[compute; 2], [StandardDType::I8, compute], [compute, StandardDType::I8]] {
                let op = op.for_signs(a, b, compute).for_operand(compute, compute, compute);
                want(wanted, op.canonical(compute, false), [at, at, at, at, out]);
            }
        }
    }
}

/// Adds the kernels of a comparison that store 0 and 1 in the dtype of the operands, as comparisons in place
/// do.
fn numeric_predicates(op: KernelOp, info: KernelInfo, wanted: &mut Wanted) {
    if op.arity() != 2 || info.result != ResultForm::Bool {
        return;
    }
    for &dtype in StandardDType::WITH_TYPE {
        let (at, compute) = (dtype.index(), dtype.register());
        let real = matches!(NumberKind::of(dtype), Some(NumberKind::Int | NumberKind::Float));
        if real && info.pipeline_reason([dtype; 2], dtype, dtype).is_none() && info.is_fused(compute) {
            want(wanted, op.canonical(compute, false), [at, at, at, compute.index(), at]);
        }
    }
}

/// Replaces signed integers in a row by unsigned ones, for an op whose result has the same bits.
///
/// Operands that are widened keep their sign, because it decides the conversion. So do rows with operands
/// other than integers. A `bool` stays, because any byte but 0 is true.
pub(super) fn unsigned(row: Row) -> Row {
    let [a, b, common, ..] = row;
    let kind = |at: usize| NumberKind::of(dtype(at));
    let whole = [a, b].into_iter().all(|at| matches!(kind(at), Some(NumberKind::Bool | NumberKind::Int)));
    if kind(common) != Some(NumberKind::Int) || !whole {
        return row;
    }
    let unsigned = |at: usize| match dtype(at).format() {
        Some(Format::Int { signed: true, bits }) if bits == dtype(common).bits() => {
            let same = |other: &StandardDType| other.format() == Some(Format::Int { signed: false, bits });
            StandardDType::STANDARD.iter().position(same).unwrap_or(at)
        }
        _ => at,
    };
    row.map(unsigned)
}

/// The implementation of a row's kernel.
pub(super) enum Made {
    /// The kernel of this wider dtype, with casts around it.
    Widened(StandardDType),
    /// A loop that converts both operands and selects one of them.
    Select,
    /// A loop over the operands and the op's extra inputs.
    Extended,
    /// A loop that rounds each step to the narrow float of the operands.
    Rounded,
    /// A loop over operands that already have the compute dtype. Pipelines need these at every level.
    Same,
    /// A check of the operands, then the loop of this op, which never fails.
    Validated(KernelOp),
    /// A comparison whose results are stored as numbers of the operands' dtype.
    Numbers,
    /// A loop that converts, computes and stores.
    Fused,
}

/// Chooses the implementation of a row's kernel.
pub(super) fn made(op: KernelOp, info: &KernelInfo, row: Row) -> Made {
    let [first, second, converted, compute, given] = row;
    let same = first == second && second == converted;
    let stored = given == compute || dtype(given).register() == dtype(given);
    let computes = same && converted == compute && stored;
    let rounds = computes && dtype(compute).register() != dtype(compute);
    let numbers = info.result == ResultForm::Bool && dtype(given) != StandardDType::Bool;
    assert!(
        !numbers || same && given == first,
        "a comparison stores numbers of another dtype than the operands'"
    );
    if let Some(wider) = info.widened(dtype(first)) {
        return Made::Widened(wider);
    }
    if info.chooses() {
        return Made::Select;
    }
    if !info.extras.is_empty() {
        return Made::Extended;
    }
    match op.lenient(dtype(compute)) {
        _ if numbers => Made::Numbers,
        _ if rounds => Made::Rounded,
        Some(other) if computes => Made::Validated(other),
        None if computes => Made::Same,
        _ => Made::Fused,
    }
}

/// Returns the name of a row's entry.
fn entry_name(row: Row) -> proc_macro2::Ident {
    let names = row.map(|at| dtype(at).variant().to_uppercase());
    format_ident!("{}", names.join("_"))
}

fn module_name(op: KernelOp) -> proc_macro2::Ident {
    format_ident!("r#{}", full_name(op))
}

/// Returns the name of an op together with those of its semantics.
pub(super) fn full_name(op: KernelOp) -> String {
    let semantics = promote_core::__private::semantics::names(op.semantics()).map(str::to_lowercase);
    core::iter::once(op.name().to_owned()).chain(semantics).collect::<Vec<_>>().join("_")
}

/// Returns the entry of a loop that converts, computes and stores, or that converts and selects. `levels` and
/// `op` are the paths of the level tokens and of the op, `ty` returns the type at a position of a row.
pub(super) fn loop_entry(
    p: &TokenStream,
    (levels, op): (&TokenStream, &TokenStream),
    kernel_op: KernelOp,
    row: Row,
    ty: impl Fn(usize) -> TokenStream,
) -> TokenStream {
    let [a, b, common, _, out] = row.map(ty);
    // Entries find the codes of custom dtypes among those of the rule set.
    let customs = if row.into_iter().any(is_custom) { quote!(CUSTOMS) } else { quote!(&[]) };
    let (new, types) = match kernel_op.arity() {
        _ if info(kernel_op).chooses() => ("select", quote!(#a, #b, #common)),
        1 => ("fused_unary", quote!(#a, #common, #out)),
        _ => ("fused", quote!(#a, #b, #common, #out)),
    };
    let new = format_ident!("{new}");
    quote!(#p::Entry::#new::<#levels, #op, #types>(#customs))
}

fn module(private: &TokenStream, kernel_op: KernelOp, rows: &BTreeSet<Row>) -> TokenStream {
    // The path stands in thousands of lines, so a short alias saves compile time.
    let p = &quote!(__p);
    let name = module_name(kernel_op);
    let op = kernel_type(p, kernel_op);
    let info = info(kernel_op);
    let ty = |at: usize| standard_type(p, dtype(at));
    let of_one = |binary: &str| match kernel_op.arity() {
        1 => format_ident!("{binary}_unary"),
        _ => format_ident!("{binary}"),
    };
    // Kernels that the entries of several rows share.
    let mut parts = BTreeMap::new();
    let mut entries = Vec::new();
    for asked in rows {
        let row = if info.sign_agnostic { unsigned(*asked) } else { *asked };
        let [a, _, _, _, out] = row.map(ty);
        let entry = match made(kernel_op, &info, row) {
            Made::Widened(wider) => {
                let wider = wider.index();
                let (part, same, compute) = (format_ident!("WIDE"), of_one("same"), ty(wider));
                let entry = quote!(#p::Entry::#same::<Levels, Op, #compute, #compute>());
                parts.insert(part.clone(), entry);
                quote!(#p::Entry::through::<#a>(&#part))
            }
            Made::Validated(other) => {
                let (module, op) = (module_name(other), kernel_type(p, other));
                quote!(#p::Entry::looked::<Levels, super::#module::Levels, Op, #op, #a>())
            }
            Made::Extended => {
                let inputs = kernel_op.arity() + info.extras.len();
                quote!(#p::Entry::extended::<Levels, Op, #a, #out, #inputs>())
            }
            Made::Numbers => quote!(#p::Entry::numbers::<Levels, Op, #a>()),
            Made::Rounded => {
                let rounded = of_one("rounded");
                quote!(#p::Entry::#rounded::<Levels, Op, #a>())
            }
            Made::Same => {
                let same = of_one("same");
                quote!(#p::Entry::#same::<Levels, Op, #a, #out>())
            }
            Made::Select | Made::Fused => loop_entry(p, (&quote!(Levels), &quote!(Op)), kernel_op, row, ty),
        };
        let [a, b, common, _, out] = asked.map(ty);
        entries.push(if row == *asked {
            entry
        } else {
            quote!(#entry.standing_for::<#a, #b, #common, #out>())
        });
    }
    let names: Vec<_> = rows.iter().map(|row| entry_name(*row)).collect();
    let (part_names, parts): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let options = kernel_op.op().info().options().chain(kernel_op.op().flags());
    let values = options.flat_map(|option| option.values.iter().map(|value| (option.name, value)));
    let chosen = values.filter(|(_, value)| kernel_op.semantics() & value.1 != 0);
    let chosen = chosen.map(|(option, value)| format!("`{option}: {}`", value.0));
    let words: Vec<String> = core::iter::once(format!("`{}`", kernel_op.name())).chain(chosen).collect();
    let doc = format!(" The kernels of {}.", words.join(", "));
    quote! {
        #[doc = #doc]
        pub mod #name {
            use #private as __p;
            #p::__levels! {}
            type Op = #op;
            #(static #part_names: #p::Entry = #parts;)*
            // Each a static: a program links those that it names, and rustc would copy a constant beside each
            // use.
            #(static #names: #p::Entry = #entries;)*
            /// The kernels by their dtypes.
            pub static REGISTRY: #p::Registry =
                #p::Registry::new(<Op as #p::ops::KernelType>::OP, &[#(&#names),*]);
            const _: () = REGISTRY.check();
        }
    }
}
