//! The kernels of several rule sets, each once: a module with tokens of its own for every op, so that rustc spreads
//! them over codegen units.

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

/// The dtypes of a kernel: `a`, `b`, the one they are converted to, the one it computes in, the one that comes out; by place
/// in [`STANDARD`]. Of one operand, `a` stands for both.
type Row = [usize; 5];

/// The kernels of each op: by its place in the catalogue and its words, in the order that the run time asks for.
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

/// The fused kernels of an op: every pair of arrays under the default parameters, where it computes in the register
/// form of the dtype that it converts to, and of its result.
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
            // Where the result is stored as something else than it was computed in, the blocked plan converts.
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

/// The kernels of a comparison whose results are numbers of its operands' dtype, the place of one of which they often take.
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

/// The dtypes of a kernel that reads, computes and stores the same bits: unsigned integers for signed ones, but for operands that are widened, which is done
/// by their sign. Where other numbers become integers, the sign says to which. No bool is read as an integer: of a view's bytes all but 0 are true.
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

/// Whether operands are cast to the common dtype before.
fn casts_first(key: KernelKey, row: Row) -> bool {
    let [a, b, common, ..] = row.map(|at| STANDARD[at].0);
    op_info(key.name)
        .filter(|op| op.arity == 2)
        .and_then(|op| op.kernel)
        .is_some_and(|kernel| kernel.casts_first([a, b], common))
}

/// Whether the kernel is that of c128 with casts around it.
fn widens(key: KernelKey, [a, ..]: Row) -> bool {
    STANDARD[a].0 == "c64" && op_info(key.name).and_then(|op| op.kernel).is_some_and(|kernel| kernel.wide)
}

/// The comparison of which a kernel of two dtypes is the opposite, if it is, and whether that takes its operands the other way round.
fn opposite(key: KernelKey, row: Row) -> Option<(KernelKey, bool)> {
    let [a, b, common, ..] = row;
    let opposite = op_info(key.name)?.kernel?.opposite?;
    let known = opposite.kinds.contains(&NumberKind::of_standard(STANDARD[common].0));
    let opposes = a != b && known && !casts_first(key, row);
    opposes.then_some((KernelKey { name: opposite.of, ..key }, opposite.swaps))
}

/// The kernels whose opposites are wanted.
fn opposites(wanted: &mut Wanted) {
    let rows = wanted.iter().flat_map(|(at, rows)| rows.iter().map(|row| (key_at(*at), *row)));
    let found: Vec<(KernelKey, Row)> = rows
        .filter_map(|(key, row)| {
            let (other, swaps) = opposite(key, row)?;
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
    let info = op_info(key.name).expect("an op of the catalogue");
    let (chooses, extras) = info.kernel.map_or((false, 0), |kernel| (kernel.chooses(), kernel.extras.len()));
    let ty = |at: usize| standard_type(p, STANDARD[at].0);
    let signless = info.kernel.is_some_and(|kernel| kernel.signless);
    let count = rows.len();
    let computed = |asked: &Row| if signless { unsigned(*asked) } else { *asked };
    let alike: BTreeMap<proc_macro2::Ident, Row> = rows
        .iter()
        .map(computed)
        .filter(|row| casts_first(key, *row))
        .map(|row| (alike_name(row), row))
        .collect();
    let alike = alike.into_iter().map(|(name, row)| {
        let [_, _, common, _, out] = row.map(ty);
        quote! {
            static #name: #p::Entry = #p::Entry::fused::<Levels, Op, #common, #common, #common, #out>();
        }
    });
    let wide = rows.iter().any(|row| widens(key, *row)).then(|| {
        let (same, ty) =
            (if info.arity == 1 { quote!(same_unary) } else { quote!(same) }, standard_type(p, "c128"));
        quote!(static WIDE: #p::Entry = #p::Entry::#same::<Levels, Op, #ty, #ty>();)
    });
    let entries = rows.iter().map(|asked| {
        let row = computed(asked);
        let [a, b, common, _, out] = row.map(ty);
        let [first, second, converted, compute, given] = row;
        // The blocked plan needs the kernels of its own dtypes at every level.
        let same = first == second && second == converted;
        let computes = same && converted == compute;
        let rounds = computes && register(STANDARD[compute].0) != STANDARD[compute].0;
        let truths = info.kernel.is_some_and(|kernel| kernel.gives == Gives::Truth);
        let numbers = truths && STANDARD[given].0 != "bool";
        assert!(
            !numbers || same && given == first,
            "truth values as numbers of another dtype than the operands'"
        );
        let opposite = opposite(key, *asked).map(|(other, swaps)| {
            let module = module_name(other);
            let [a, b, common, ..] = asked.map(ty);
            let (other, not) = (quote!(super::#module::REGISTRY), quote!(super::r#logical_not::REGISTRY));
            quote!(#p::Entry::composed(&#p::Composed::opposite::<Op, #a, #b, #common>(&#other, &#not, #swaps)))
        });
        let lenient = key.lenient(STANDARD[compute].0).filter(|_| computes).map(|other| {
            let (module, op) = (module_name(other), kernel_type(p, other));
            quote!(#p::Entry::looked::<Levels, super::#module::Levels, Op, #op, #a>())
        });
        let entering = |at: usize| format_ident!("from_{}", STANDARD[at].0);
        let (enters, enters_second) = (entering(first), entering(second));
        let alike = alike_name(row);
        let entry = match info.arity {
            _ if widens(key, row) => {
                let (enters, leaves) = (quote!(super::casts::from_c64::Row), quote!(super::casts::from_c128::Row));
                quote!(#p::Entry::composed(&#p::Composed::widened::<#enters, #leaves>(&WIDE)))
            }
            _ if chooses => quote!(#p::Entry::chosen::<Levels, Op, #a>()),
            _ if extras > 0 => quote!(#p::Entry::extended::<Levels, Op, #a, #extras>()),
            1 if rounds => quote!(#p::Entry::rounded_unary::<Levels, Op, #a>()),
            1 if computes => quote!(#p::Entry::same_unary::<Levels, Op, #a, #out>()),
            1 => quote!(#p::Entry::fused_unary::<Levels, Op, #a, #common, #out>()),
            _ if casts_first(key, row) => quote! {
                #p::Entry::composed(&#p::Composed::mixed::<super::casts::#enters::Row, super::casts::#enters_second::Row>(&#alike))
            },
            _ if opposite.is_some() => quote!(#opposite),
            _ if numbers => quote!(#p::Entry::numbers::<Levels, Op, #a>()),
            _ if rounds => quote!(#p::Entry::rounded::<Levels, Op, #a>()),
            _ if lenient.is_some() => quote!(#lenient),
            _ if computes => quote!(#p::Entry::same::<Levels, Op, #a, #out>()),
            _ => quote!(#p::Entry::fused::<Levels, Op, #a, #b, #common, #out>()),
        };
        let [a, b, common, _, out] = asked.map(ty);
        if row == *asked { entry } else { quote!(#entry.standing_for::<#a, #b, #common, #out>()) }
    });
    let words = key.words().map(|(key, word)| format!("`{key}: {word}`"));
    let parts: Vec<String> = core::iter::once(format!("`{}`", key.name)).chain(words).collect();
    let doc = format!(" The kernels of {}.", parts.join(", "));
    quote! {
        #[doc = #doc]
        pub mod #name {
            use #private as __p;
            #p::__levels! {}
            type Op = #op;
            #(#alike)*
            #wide
            /// The kernels by their dtypes.
            pub static REGISTRY: #p::Registry = #p::Registry::new(&ENTRIES);
            // Static, as all that the data of several modules points to: rustc would put a constant beside each of these.
            static ENTRIES: [#p::Entry; #count] = [#(#entries),*];
        }
    }
}
