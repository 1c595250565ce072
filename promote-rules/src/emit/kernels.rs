//! The kernels of several rule sets, each once: a module with tokens of its own for every op, so that rustc spreads
//! them over codegen units.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::pascal;
use super::paths::standard_type;
use crate::Compiled;
use crate::model::{
    Category, KernelInfo, NumberKind, OP_CATALOG, Op, OpInfo, Operand, Rules, STANDARD, WITH_TYPE, register,
};
use crate::tables::OpCell;

/// The dtypes of a kernel: `a`, `b`, the one they are converted to, the one that comes out; by place in [`STANDARD`].
type Row = [usize; 4];

/// The op whose kernels these are, and whether overflow saturates.
type Key = (&'static str, bool);

/// The kernels that a set of rule sets asks for, as Rust: `static KERNELS`.
pub fn kernels<'a>(private: &TokenStream, sets: impl IntoIterator<Item = &'a Compiled>) -> TokenStream {
    let mut wanted: BTreeMap<Key, BTreeSet<Row>> = BTreeMap::new();
    for compiled in sets {
        for (which, op) in compiled.rules.ops.iter().enumerate() {
            if let Some(info) = op.info.kernel {
                rows(compiled, which, info, &mut wanted);
            }
        }
    }
    for op in OP_CATALOG.iter().filter(|op| op.kernel.is_some_and(|kernel| !kernel.mirrored)) {
        // The blocked plan computes with these, whatever the operands are, and whichever rule set asks.
        wanted.entry((op.name, false)).or_default().extend(same(op));
    }
    let modules = wanted.iter().map(|(key, rows)| module(private, *key, rows));
    let names = wanted.keys().map(|key| module_name(*key));
    quote! {
        #(#modules)*
        #private::__casts! {}

        /// Every kernel of this build.
        pub static KERNELS: #private::Kernels =
            #private::Kernels::EMPTY #(.with(&#names::REGISTRY))* .with_casts(&casts::CASTS);
    }
}

/// The fused kernels of an op: every pair of arrays under the default parameters, where it computes in the register
/// form of the dtype that it converts to, and of its result.
fn rows(compiled: &Compiled, which: usize, info: KernelInfo, wanted: &mut BTreeMap<Key, BTreeSet<Row>>) {
    let Compiled { rules, tables } = compiled;
    let op = &rules.ops[which];
    let setting = tables.default_setting(rules);
    let array = |dtype| Operand { dtype, category: Category::Array };
    for a in rules.ids() {
        for b in rules.ids() {
            let cell = tables.op(rules, setting, which, array(a), array(b));
            let OpCell::Gives { common, compute, output, .. } = cell else {
                continue;
            };
            let place = |id| place(rules, id);
            let (Some(x), Some(y), Some(c), Some(o)) = (place(a), place(b), place(common), place(output))
            else {
                continue;
            };
            // Where the result is stored as something else than it was computed in, the blocked plan converts.
            let stored =
                op.info.gives_bool() || register(rules.dtype_name(output)) == rules.dtype_name(compute);
            if stored && rules.dtype_name(compute) == register(rules.dtype_name(common)) {
                let (key, row) = kernel(op, info, [x, y, c, o]);
                wanted.entry(key).or_default().insert(row);
            }
        }
    }
}

/// Where a dtype of a rule set stands among the standard ones with a Rust type.
fn place(rules: &Rules, id: crate::model::DTypeId) -> Option<usize> {
    STANDARD[..WITH_TYPE].iter().position(|row| row.0 == rules.dtype_name(id))
}

/// The kernel that computes an op: a mirrored op is another one with its operands swapped, one that commutes is kept
/// for one order only.
fn kernel(op: &Op, info: KernelInfo, [a, b, common, out]: Row) -> (Key, Row) {
    let swap = info.mirrored || info.commutes && a > b;
    let (a, b) = if swap { (b, a) } else { (a, b) };
    // The word for overflow matters where that format is: in the other kernels it is the same code.
    let narrow = [common, out].iter().any(|at| STANDARD[*at].0 == "f8e4m3fn");
    let saturate = narrow && op.word("overflow") == Some("saturate");
    ((info.name, saturate), [a, b, common, out])
}

/// The kernels of an op whose operands already have the dtype that it computes in.
fn same(op: &'static OpInfo) -> impl Iterator<Item = Row> {
    let computes = |at: &usize| {
        let name = STANDARD[*at].0;
        register(name) == name && op.computes.contains(&kind(name))
    };
    (0..WITH_TYPE).filter(computes).map(|at| [at, at, at, if op.gives_bool() { 0 } else { at }])
}

fn kind(name: &str) -> NumberKind {
    match name.as_bytes()[0] {
        b'b' if name == "bool" => NumberKind::Bool,
        b'c' => NumberKind::Complex,
        b'i' | b'u' => NumberKind::Int,
        _ => NumberKind::Float,
    }
}

fn module_name((op, saturate): Key) -> proc_macro2::Ident {
    if saturate { format_ident!("{op}_saturate") } else { format_ident!("{op}") }
}

fn module(p: &TokenStream, key: Key, rows: &BTreeSet<Row>) -> TokenStream {
    let (op, saturate) = key;
    let name = module_name(key);
    let kernel = format_ident!("{}", pascal(op));
    let overflow = if saturate { format_ident!("Saturate") } else { format_ident!("Nan") };
    let ty = |at: usize| standard_type(p, STANDARD[at].0);
    let entries = rows.iter().map(|row| {
        let [a, b, common, out] = row.map(ty);
        // The blocked plan needs the kernels of its own dtypes at every level.
        if row[0] == row[1] && row[1] == row[2] && register(STANDARD[row[0]].0) == STANDARD[row[0]].0 {
            quote!(#p::Entry::same::<Levels, Op, #a, #out>())
        } else {
            quote!(#p::Entry::fused::<Levels, Op, #a, #b, #common, #out>())
        }
    });
    let doc = format!(" The kernels of `{op}`{}.", if saturate { ", where overflow saturates" } else { "" });
    quote! {
        #[doc = #doc]
        pub mod #name {
            #p::__levels! {}
            type Op = #p::ops::#kernel<#p::#overflow>;
            /// The kernels by their dtypes.
            pub static REGISTRY: #p::Registry = #p::Registry::new(&[#(#entries),*]);
        }
    }
}
