//! The kernels of several rule sets, each once: a module with tokens of its own for every op, so that rustc
//! spreads them over codegen units.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use promote_core::Gives;
use quote::{format_ident, quote};

use super::paths::{kernel_type, standard_type};
use crate::Compiled;
use crate::data;
use crate::model::{Category, Format, KernelInfo, KernelOp, NumberKind, Operand, StandardDType};
use crate::tables::OpCell;

/// The dtypes of a kernel: `a`, `b`, the one they are converted to, the one it computes in, the one that
/// comes out; positions in [`StandardDType::STANDARD`]. A kernel of one operand has `a` twice.
type Row = [usize; 5];

/// The kernels of each op with its semantics, in the order of the registries.
type Wanted = BTreeMap<KernelOp, BTreeSet<Row>>;

/// The kernels that a set of rule sets asks for, and the casts, as Rust: `static KERNELS`.
pub fn kernels<'a>(private: &TokenStream, sets: impl IntoIterator<Item = &'a Compiled>) -> TokenStream {
    let mut wanted = Wanted::new();
    for compiled in sets {
        let arena = bumpalo::Bump::new();
        let lookup = data::looked_up(compiled, &arena);
        for (which, op) in compiled.rules.ops.iter().enumerate() {
            if let (Some(op), Some(info)) = (op.kernel_op(), op.info.kernel) {
                rows(compiled, &lookup, which, (op, info), &mut wanted);
            }
        }
    }
    for op in KernelOp::all() {
        let info = info(op);
        if info.mirror.is_none() {
            // The blocked plan computes with these, whatever the operands are, and whichever rule set asks.
            same(op, info, &mut wanted);
            numbers(op, info, &mut wanted);
        }
    }
    opposites(&mut wanted);
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

fn info(op: KernelOp) -> KernelInfo {
    op.op().info().kernel.expect("an op with kernels")
}

/// The standard dtype at a position.
fn dtype(at: usize) -> StandardDType {
    StandardDType::STANDARD[at]
}

/// Notes that a kernel is wanted.
fn want(wanted: &mut Wanted, op: KernelOp, row: Row) {
    wanted.entry(op).or_default().insert(row);
}

/// The fused kernels of an op: every pair of arrays under the default parameters, where it computes in the
/// register form of the dtype that it converts to, and of its result.
fn rows(
    compiled: &Compiled,
    lookup: &data::Lookup<'_>,
    which: usize,
    (op, info): (KernelOp, KernelInfo),
    wanted: &mut Wanted,
) {
    let rules = &compiled.rules;
    let array = |dtype| Operand { dtype, category: Category::Array };
    let kernels = op.mirrored().unwrap_or(op);
    for a in rules.ids() {
        for b in rules.ids() {
            let cell = match op.arity() {
                1 if a != b => continue,
                1 => lookup.op(which, array(a), None),
                _ => lookup.op(which, array(a), Some(array(b))),
            };
            let OpCell::Gives { common, compute, output, .. } = cell else {
                continue;
            };
            let known = |id| rules.standard(id).filter(|dtype| dtype.has_type());
            let (Some(x), Some(y), Some(c), Some(m), Some(o)) =
                (known(a), known(b), known(common), known(compute), known(output))
            else {
                continue;
            };
            if ![x, y, c, o].into_iter().all(KernelInfo::has_loops) {
                continue;
            }
            // Where the result is stored as something else than it was computed in, the blocked plan
            // converts.
            let stored = o.register() == op.result(m);
            let alike = x == c && y == c;
            if stored && m == c.register() && info.is_fused(m, alike) {
                let shared = kernels.of_operand(x, m, m).shared(m, false);
                let [x, y, c, m, o] = [x, y, c, m, o].map(StandardDType::index);
                let swap = info.mirror.is_some() || info.commutes && x > y;
                let (x, y) = if swap { (y, x) } else { (x, y) };
                want(wanted, shared, [x, y, c, m, o]);
            }
        }
    }
}

/// An op with every choice of semantics that a rule file and a call can make.
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

/// The kernels of an op whose operands already have the dtype that it computes in, for all its semantics.
fn same(op: KernelOp, info: KernelInfo, wanted: &mut Wanted) {
    for &compute in StandardDType::WITH_TYPE {
        if !info.is_computed_in(compute) {
            continue;
        }
        let at = compute.index();
        for op in variants(op).into_iter().filter(|op| op.is_computed_in(compute)) {
            let out = if compute.register() == compute { op.result(compute).index() } else { at };
            want(
                wanted,
                op.of_operand(compute, compute, compute).shared(compute, false),
                [at, at, at, at, out],
            );
        }
    }
}

/// The kernels of a comparison whose results are numbers of its operands' dtype, the place of one of which
/// they often take.
fn numbers(op: KernelOp, info: KernelInfo, wanted: &mut Wanted) {
    if op.arity() != 2 || info.gives != Gives::Truth {
        return;
    }
    for &dtype in StandardDType::WITH_TYPE {
        let (at, compute) = (dtype.index(), dtype.register());
        let real = matches!(NumberKind::of(dtype), Some(NumberKind::Int | NumberKind::Float));
        if real && KernelInfo::has_loops(dtype) && info.is_fused(compute, true) {
            want(wanted, op.shared(compute, false), [at, at, at, compute.index(), at]);
        }
    }
}

/// The dtypes of a kernel that reads, computes and stores the same bits: unsigned integers for signed ones,
/// but for operands that are widened, which is done by their sign. Where other numbers become integers, the
/// sign says to which. No bool is read as an integer: of a view's bytes all but 0 are true.
fn unsigned(row: Row) -> Row {
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

/// How the kernel of a row is made.
enum Made {
    /// Of the kernel of this wider dtype, with casts around it.
    Widened(StandardDType),
    /// Of nothing but copies of one operand or the other.
    Chosen,
    /// Of the operands and what it takes besides.
    Extended,
    /// Each of its steps is rounded to the narrow float of the operands.
    Rounded,
    /// Of operands that are of the dtype that it computes in already: the blocked plan needs these kernels,
    /// at every level.
    Same,
    /// The same, by the functions of this other kernel once no operand is an error.
    Looked(KernelOp),
    /// Of the kernel of two operands of the common dtype, to which these are cast first.
    CastFirst,
    /// Of this comparison's, whose opposite it is, and which takes the operands the other way round if that
    /// is said.
    Opposite(KernelOp, bool),
    /// Of truth values as numbers of the operands' dtype.
    Numbers,
    /// Of a loop that converts, computes and stores.
    Fused,
}

/// How the kernel of a row is made; `computed` is the row of the functions that it has, which are those of
/// another sign at most.
fn made(op: KernelOp, info: &KernelInfo, row: Row, computed: Row) -> Made {
    let [first, second, converted, compute, given] = computed;
    let same = first == second && second == converted;
    let computes = same && converted == compute;
    let rounds = computes && dtype(compute).register() != dtype(compute);
    let numbers = info.gives == Gives::Truth && dtype(given) != StandardDType::Bool;
    assert!(
        !numbers || same && given == first,
        "truth values as numbers of another dtype than the operands'"
    );
    if let Some(wider) = info.widened(dtype(first)) {
        return Made::Widened(wider);
    }
    if info.chooses() {
        return Made::Chosen;
    }
    if !info.extras.is_empty() {
        return Made::Extended;
    }
    if op.arity() == 2 && info.casts_first([first, second].map(dtype), dtype(converted)) {
        return Made::CastFirst;
    }
    if let Some((other, swaps)) = opposite(op, info, row) {
        return Made::Opposite(other, swaps);
    }
    match op.lenient(dtype(compute)) {
        _ if numbers => Made::Numbers,
        _ if rounds => Made::Rounded,
        Some(other) if computes => Made::Looked(other),
        None if computes => Made::Same,
        _ => Made::Fused,
    }
}

/// The comparison of which a kernel of two dtypes is the opposite, if it is, and whether that takes its
/// operands the other way round.
fn opposite(op: KernelOp, info: &KernelInfo, row: Row) -> Option<(KernelOp, bool)> {
    let [a, b, common, ..] = row.map(dtype);
    let opposite = info.opposite?;
    let known = NumberKind::of(common).is_some_and(|kind| opposite.kinds.contains(&kind));
    let opposes = a != b && known && !info.casts_first([a, b], common);
    opposes.then(|| (KernelOp::new(opposite.of).with_semantics(op.semantics()), opposite.swaps))
}

/// The kernels whose opposites are wanted.
fn opposites(wanted: &mut Wanted) {
    let rows = wanted.iter().flat_map(|(op, rows)| rows.iter().map(|row| (*op, *row)));
    let found: Vec<(KernelOp, Row)> = rows
        .filter_map(|(op, row)| {
            let (other, swaps) = opposite(op, &info(op), row)?;
            let [a, b, rest @ ..] = row;
            let commutes = other.commutes();
            let swap = if commutes { a > b } else { swaps };
            let (a, b) = if swap { (b, a) } else { (a, b) };
            let [common, compute, out] = rest;
            Some((other, [a, b, common, compute, out]))
        })
        .collect();
    for (op, row) in found {
        want(wanted, op, row);
    }
}

/// The name of the kernel whose operands are both of the common dtype of these.
fn alike_name([_, _, common, _, out]: Row) -> proc_macro2::Ident {
    format_ident!("{}_{}", dtype(common).variant().to_uppercase(), dtype(out).variant().to_uppercase())
}

fn module_name(op: KernelOp) -> proc_macro2::Ident {
    let semantics = promote_core::semantics::names(op.semantics()).map(str::to_lowercase);
    let parts: Vec<String> = core::iter::once(op.name().to_owned()).chain(semantics).collect();
    format_ident!("r#{}", parts.join("_"))
}

fn module(private: &TokenStream, kernel_op: KernelOp, rows: &BTreeSet<Row>) -> TokenStream {
    // One token instead of five, thousands of times.
    let p = &quote!(__p);
    let name = module_name(kernel_op);
    let op = kernel_type(p, kernel_op);
    let info = info(kernel_op);
    let ty = |at: usize| standard_type(p, dtype(at));
    let of_one = |binary: &str| match kernel_op.arity() {
        1 => format_ident!("{binary}_unary"),
        _ => format_ident!("{binary}"),
    };
    let casts = |at: usize| {
        let module = format_ident!("from_{}", dtype(at).name());
        quote!(super::casts::#module::Row)
    };
    // What the entries of several rows are made of.
    let mut parts = BTreeMap::new();
    let mut entries = Vec::new();
    for asked in rows {
        let row = if info.signless { unsigned(*asked) } else { *asked };
        let [a, b, common, _, out] = row.map(ty);
        let entry = match made(kernel_op, &info, *asked, row) {
            Made::Widened(wider) => {
                let wider = wider.index();
                let (part, same, compute) = (format_ident!("WIDE"), of_one("same"), ty(wider));
                let (enters, leaves) = (casts(row[0]), casts(wider));
                let entry = quote!(#p::Entry::#same::<Levels, Op, #compute, #compute>());
                parts.insert(part.clone(), entry);
                quote!(#p::Entry::composed(&#p::Composed::widened::<#enters, #leaves>(&#part)))
            }
            Made::CastFirst => {
                let part = alike_name(row);
                let (first, second) = (casts(row[0]), casts(row[1]));
                let entry = quote!(#p::Entry::fused::<Levels, Op, #common, #common, #common, #out>());
                parts.insert(part.clone(), entry);
                quote!(#p::Entry::composed(&#p::Composed::mixed::<#first, #second>(&#part)))
            }
            Made::Opposite(other, swaps) => {
                let module = module_name(other);
                let [a, b, common, ..] = asked.map(ty);
                let (other, not) = (quote!(super::#module::REGISTRY), quote!(super::r#logical_not::REGISTRY));
                quote!(#p::Entry::composed(&#p::Composed::opposite::<Op, #a, #b, #common>(&#other, &#not, #swaps)))
            }
            Made::Looked(other) => {
                let (module, op) = (module_name(other), kernel_type(p, other));
                quote!(#p::Entry::looked::<Levels, super::#module::Levels, Op, #op, #a>())
            }
            Made::Chosen => quote!(#p::Entry::chosen::<Levels, Op, #a>()),
            Made::Extended => {
                let extras = info.extras.len();
                quote!(#p::Entry::extended::<Levels, Op, #a, #extras>())
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
            Made::Fused if kernel_op.arity() == 1 => {
                quote!(#p::Entry::fused_unary::<Levels, Op, #a, #common, #out>())
            }
            Made::Fused => quote!(#p::Entry::fused::<Levels, Op, #a, #b, #common, #out>()),
        };
        let [a, b, common, _, out] = asked.map(ty);
        entries.push(if row == *asked {
            entry
        } else {
            quote!(#entry.standing_for::<#a, #b, #common, #out>())
        });
    }
    let count = entries.len();
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
            /// The kernels by their dtypes.
            pub static REGISTRY: #p::Registry = #p::Registry::new(&ENTRIES);
            // Static, as all that the data of several modules points to: rustc would put a constant beside
            // each of these.
            static ENTRIES: [#p::Entry; #count] = [#(#entries),*];
        }
    }
}
