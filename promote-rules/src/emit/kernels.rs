//! The kernels of several rule sets, each once: a module with tokens of its own for every op, so that rustc
//! spreads them over codegen units.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::paths::{kernel_type, standard_type};
use crate::Compiled;
use crate::model::{
    Category, Format, Gives, KernelInfo, KernelKey, NumberKind, OP_CATALOG, OpInfo, Operand, Rules, STANDARD,
    WITH_TYPE, fuses, op_info, register,
};
use crate::tables::OpCell;

/// The dtypes of a kernel: `a`, `b`, the one they are converted to, the one it computes in, the one that
/// comes out; by place in [`STANDARD`]. Of one operand, `a` stands for both.
type Row = [usize; 5];

/// The kernels of each op: by its place in the catalogue and its words, in the order that the run time asks
/// for.
type Wanted = BTreeMap<(usize, u16), BTreeSet<Row>>;

/// The kernels that a set of rule sets asks for, and the casts, as Rust: `static KERNELS`.
pub fn kernels<'a>(private: &TokenStream, sets: impl IntoIterator<Item = &'a Compiled>) -> TokenStream {
    let mut wanted = Wanted::new();
    for compiled in sets {
        for (which, op) in compiled.rules.ops.iter().enumerate() {
            if let (Some(key), Some(info)) = (op.kernel_key(), op.info.kernel) {
                rows(compiled, which, key, info, &mut wanted);
            }
        }
    }
    for op in OP_CATALOG {
        if let Some(info) = op.kernel.filter(|kernel| !kernel.mirrored) {
            // The blocked plan computes with these, whatever the operands are, and whichever rule set asks.
            same(op, info, &mut wanted);
            numbers(op, info, &mut wanted);
        }
    }
    opposites(&mut wanted);
    let modules = wanted.iter().map(|(at, rows)| module(private, key_at(*at), rows));
    let names = wanted.keys().map(|at| module_name(key_at(*at)));
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

fn key_at((op, words): (usize, u16)) -> KernelKey {
    KernelKey { name: OP_CATALOG[op].name, words }
}

/// Notes that a kernel is wanted.
fn want(wanted: &mut Wanted, key: KernelKey, row: Row) {
    let op = OP_CATALOG.iter().position(|op| op.name == key.name).expect("an op of the catalogue");
    wanted.entry((op, key.words)).or_default().insert(row);
}

/// The fused kernels of an op: every pair of arrays under the default parameters, where it computes in the
/// register form of the dtype that it converts to, and of its result.
fn rows(compiled: &Compiled, which: usize, key: KernelKey, info: KernelInfo, wanted: &mut Wanted) {
    let Compiled { rules, tables } = compiled;
    let op = &rules.ops[which];
    let setting = tables.default_setting(rules);
    let array = |dtype| Operand { dtype, category: Category::Array };
    for a in rules.ids() {
        for b in rules.ids() {
            let cell = match op.info.arity {
                1 if a != b => continue,
                1 => tables.unary(rules, setting, which, array(a)),
                _ => tables.op(rules, setting, which, array(a), array(b)),
            };
            let OpCell::Gives { common, compute, output, .. } = cell else {
                continue;
            };
            let place = |id| place(rules, id);
            let (Some(x), Some(y), Some(c), Some(m), Some(o)) =
                (place(a), place(b), place(common), place(compute), place(output))
            else {
                continue;
            };
            if ![x, y, c, o].into_iter().all(|at| fuses(STANDARD[at].0)) {
                continue;
            }
            let (common, compute, output) = (STANDARD[c].0, STANDARD[m].0, STANDARD[o].0);
            // Where the result is stored as something else than it was computed in, the blocked plan
            // converts.
            let stored = register(output) == info.result(compute);
            let alike = x == c && y == c;
            if stored && compute == register(common) && info.is_fused(compute, alike) {
                let shared =
                    KernelKey { name: info.name, ..key }.of_operand(STANDARD[x].0, compute).shared(compute);
                let swap = info.mirrored || info.commutes && x > y;
                let (x, y) = if swap { (y, x) } else { (x, y) };
                want(wanted, shared, [x, y, c, m, o]);
            }
        }
    }
}

/// Where a dtype of a rule set stands among the standard ones with a Rust type.
fn place(rules: &Rules, id: crate::model::DTypeId) -> Option<usize> {
    STANDARD[..WITH_TYPE].iter().position(|row| row.0 == rules.dtype_name(id))
}

fn place_of(name: &str) -> usize {
    STANDARD.iter().position(|row| row.0 == name).expect("a standard dtype")
}

/// The kernels of an op whose operands already have the dtype that it computes in, under all its words.
fn same(op: &OpInfo, info: KernelInfo, wanted: &mut Wanted) {
    for (at, &(name, ..)) in STANDARD[..WITH_TYPE].iter().enumerate() {
        let rounded = register(name) != name;
        if !info.is_computed_in(name) {
            continue;
        }
        for key in op.kernel_keys().into_iter().filter(|key| key.is_computed_in(name)) {
            let out = if rounded { at } else { place_of(info.result(name)) };
            want(wanted, key.of_operand(name, name).shared(name), [at, at, at, at, out]);
        }
    }
}

/// The kernels of a comparison whose results are numbers of its operands' dtype, the place of one of which
/// they often take.
fn numbers(op: &OpInfo, info: KernelInfo, wanted: &mut Wanted) {
    if op.arity != 2 || info.gives != Gives::Truth {
        return;
    }
    let key = KernelKey { name: op.name, words: 0 };
    for (at, &(name, ..)) in STANDARD[..WITH_TYPE].iter().enumerate() {
        let compute = register(name);
        let real = matches!(NumberKind::of_standard(name), NumberKind::Int | NumberKind::Float);
        if real && fuses(name) && info.is_fused(compute, true) {
            want(wanted, key.shared(compute), [at, at, at, place_of(compute), at]);
        }
    }
}

/// The dtypes of a kernel that reads, computes and stores the same bits: unsigned integers for signed ones,
/// but for operands that are widened, which is done by their sign. Where other numbers become integers, the
/// sign says to which. No bool is read as an integer: of a view's bytes all but 0 are true.
fn unsigned(row: Row) -> Row {
    let [a, b, common, ..] = row;
    let kind = |at: usize| NumberKind::of_standard(STANDARD[at].0);
    let whole = [a, b].into_iter().all(|at| matches!(kind(at), NumberKind::Bool | NumberKind::Int));
    if kind(common) != NumberKind::Int || !whole {
        return row;
    }
    row.map(|at| match STANDARD[at] {
        (_, Format::Int { signed: true, .. }, width) if width == STANDARD[common].2 => {
            place_of(&format!("u{width}"))
        }
        _ => at,
    })
}

/// How the kernel of a row is made.
enum Made {
    /// Of the kernel of this wider dtype, with casts around it.
    Widened(&'static str),
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
    Looked(KernelKey),
    /// Of the kernel of two operands of the common dtype, to which these are cast first.
    CastFirst,
    /// Of this comparison's, whose opposite it is, and which takes the operands the other way round if that
    /// is said.
    Opposite(KernelKey, bool),
    /// Of truth values as numbers of the operands' dtype.
    Numbers,
    /// Of a loop that converts, computes and stores.
    Fused,
}

/// How the kernel of a row is made; `computed` is the row of the functions that it has, which are those of
/// another sign at most.
fn made(key: KernelKey, info: &KernelInfo, arity: usize, row: Row, computed: Row) -> Made {
    let [first, second, converted, compute, given] = computed;
    let same = first == second && second == converted;
    let computes = same && converted == compute;
    let rounds = computes && register(STANDARD[compute].0) != STANDARD[compute].0;
    let numbers = info.gives == Gives::Truth && STANDARD[given].0 != "bool";
    assert!(
        !numbers || same && given == first,
        "truth values as numbers of another dtype than the operands'"
    );
    if let Some(wider) = info.widened(STANDARD[first].0) {
        return Made::Widened(wider);
    }
    if info.chooses() {
        return Made::Chosen;
    }
    if !info.extras.is_empty() {
        return Made::Extended;
    }
    if arity == 2 && info.casts_first([first, second].map(|at| STANDARD[at].0), STANDARD[converted].0) {
        return Made::CastFirst;
    }
    if let Some((other, swaps)) = opposite(key, info, row) {
        return Made::Opposite(other, swaps);
    }
    match key.lenient(STANDARD[compute].0) {
        _ if numbers => Made::Numbers,
        _ if rounds => Made::Rounded,
        Some(other) if computes => Made::Looked(other),
        None if computes => Made::Same,
        _ => Made::Fused,
    }
}

/// The comparison of which a kernel of two dtypes is the opposite, if it is, and whether that takes its
/// operands the other way round.
fn opposite(key: KernelKey, info: &KernelInfo, row: Row) -> Option<(KernelKey, bool)> {
    let [a, b, common, ..] = row.map(|at| STANDARD[at].0);
    let opposite = info.opposite?;
    let known = opposite.kinds.contains(&NumberKind::of_standard(common));
    let opposes = a != b && known && !info.casts_first([a, b], common);
    opposes.then_some((KernelKey { name: opposite.of, ..key }, opposite.swaps))
}

/// The kernels whose opposites are wanted.
fn opposites(wanted: &mut Wanted) {
    let rows = wanted.iter().flat_map(|(at, rows)| rows.iter().map(|row| (key_at(*at), *row)));
    let found: Vec<(KernelKey, Row)> = rows
        .filter_map(|(key, row)| {
            let (other, swaps) = opposite(key, &op_info(key.name)?.kernel?, row)?;
            let [a, b, rest @ ..] = row;
            let commutes = op_info(other.name)?.kernel?.commutes;
            let swap = if commutes { a > b } else { swaps };
            let (a, b) = if swap { (b, a) } else { (a, b) };
            let [common, compute, out] = rest;
            Some((other, [a, b, common, compute, out]))
        })
        .collect();
    for (key, row) in found {
        want(wanted, key, row);
    }
}

/// The name of the kernel whose operands are both of the common dtype of these.
fn alike_name([_, _, common, _, out]: Row) -> proc_macro2::Ident {
    format_ident!("{}_{}", STANDARD[common].0.to_uppercase(), STANDARD[out].0.to_uppercase())
}

fn module_name(key: KernelKey) -> proc_macro2::Ident {
    let words = key.words().map(|(key, word)| format!("{key}_{word}"));
    let parts: Vec<String> = core::iter::once(key.name.to_owned()).chain(words).collect();
    format_ident!("r#{}", parts.join("_"))
}

fn module(private: &TokenStream, key: KernelKey, rows: &BTreeSet<Row>) -> TokenStream {
    // One token instead of five, thousands of times.
    let p = &quote!(__p);
    let name = module_name(key);
    let op = kernel_type(p, key);
    let OpInfo { arity, kernel, .. } = op_info(key.name).expect("an op of the catalogue");
    let info = kernel.expect("an op that is computed");
    let ty = |at: usize| standard_type(p, STANDARD[at].0);
    let of_one = |binary: &str| match arity {
        1 => format_ident!("{binary}_unary"),
        _ => format_ident!("{binary}"),
    };
    let casts = |at: usize| {
        let module = format_ident!("from_{}", STANDARD[at].0);
        quote!(super::casts::#module::Row)
    };
    // What the entries of several rows are made of.
    let mut parts = BTreeMap::new();
    let mut entries = Vec::new();
    for asked in rows {
        let row = if info.signless { unsigned(*asked) } else { *asked };
        let [a, b, common, _, out] = row.map(ty);
        let entry = match made(key, &info, *arity, *asked, row) {
            Made::Widened(wider) => {
                let wider = place_of(wider);
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
            Made::Fused if *arity == 1 => {
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
    let words = key.words().map(|(key, word)| format!("`{key}: {word}`"));
    let words: Vec<String> = core::iter::once(format!("`{}`", key.name)).chain(words).collect();
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
