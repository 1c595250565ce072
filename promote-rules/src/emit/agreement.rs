//! Tests that the types, the tables and the kernels of a rule set agree.
//!
//! Each pair and op has a row that names the types, beside the answer of this library's tables as a literal.
//! The facade's `agreement` module compares them.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;

use super::paths::Paths;
use super::types::{Typed, operands};
use crate::model::{Category, DTypeId, Op, Rules};
use crate::tables::{Cell, OpCell};
use crate::{Compiled, data};

/// Returns the tests for the rule set `set`, which the tests' crate sees by that path.
pub fn agreement(set: &syn::Path, compiled: &Compiled) -> TokenStream {
    let Compiled { rules, tables } = compiled;
    let paths = Paths::new(rules);
    let p = &paths.private;
    let setting = tables.default_setting(rules);
    let test = |what: &str| test_name(set, what);
    let typed: Vec<(DTypeId, TokenStream)> =
        rules.ids().filter_map(|id| Some((id, paths.ty(rules, id)?))).collect();
    let arena = bumpalo::Bump::new();
    let lookup = data::looked_up(compiled, &arena);
    let all = operands(compiled, &lookup, &paths, &typed).0;
    let (arrays, others) = all.split_at(typed.len());
    // Numbers and weak results are paired with arrays only.
    let mixed = arrays.iter().flat_map(|a| others.iter().flat_map(move |b| [(a, b), (b, a)]));
    let pairs: Vec<_> = arrays.iter().flat_map(|a| arrays.iter().map(move |b| (a, b))).chain(mixed).collect();

    // If arrays are stored in another dtype, promotion by name is compared for named dtypes only, and numbers
    // have no name.
    let named =
        if tables.settings[setting].stored.is_some() { arrays.len() * arrays.len() } else { pairs.len() };
    let promotions = pairs[..named].iter().map(|(x, y)| {
        let operands = [x, y].map(|typed| spelled(rules, typed)).join(" ");
        let (a, b) = (&x.ty, &y.ty);
        match lookup.promote(x.operand, y.operand) {
            Cell::Resolved(dtype, weak, _) => {
                let name = rules.dtype_name(dtype);
                let typed = rules.has_type(dtype).then(|| quote!(promotion::<#set, #a, #b>));
                let test = typed.unwrap_or_else(|| quote!(promotion_at_run_time));
                quote!(#p::agreement::#test(rules, #operands, #name, #weak);)
            }
            Cell::Refused(_) | Cell::Unreachable => quote!(#p::agreement::refusal(rules, #operands);),
        }
    });
    let ops = rules.ops.iter().enumerate().map(|(which, op)| {
        // A custom op may have any name, also `promotion`.
        let name = test(&format!("{}{}", if op.standard.is_none() { "op_" } else { "" }, op.name));
        // An op without kernels has no type.
        let ty = op.declared.is_none().then(|| paths.op(op));
        let value = paths.op_value(op);
        // The kernels of a custom dtype depend on its type.
        let standard = |id: DTypeId| rules.dtypes[id.index()].path.is_none();
        let operands: Vec<_> = if op.info.arity == 1 || op.joins_operands() {
            arrays.iter().map(|a| (a, None)).collect()
        } else {
            pairs.iter().map(|(a, b)| (*a, Some(*b))).collect()
        };
        // The types of all cells are in one constant, which compiles fast.
        let (mut types, mut expected, mut untyped) = (Vec::new(), Vec::new(), Vec::new());
        // Kernels and scalar functions are compared on one cell of each (common, compute, output).
        // Conversions have tests of their own.
        let (mut kernels, mut seen) = (TokenStream::new(), BTreeSet::new());
        for (x, y) in operands {
            let both = || core::iter::once(x).chain(y);
            // The second operand of an op that looks at three or more stands for all that follow.
            let more = op.declared.map_or(0, |arity| arity.saturating_sub(2));
            let rest = || y.into_iter().cycle().take(if y.is_some() { more } else { 0 });
            let operands: Vec<String> = both().chain(rest()).map(|typed| spelled(rules, typed)).collect();
            let operands = operands.join(" ");
            let (a, b) = (&x.ty, y.map(|y| &y.ty));
            let OpCell::Resolved { common, compute, output, .. } =
                lookup.op_of(which, x.operand, y.map(|y| y.operand), rest().map(|typed| typed.operand))
            else {
                untyped.push(format!("{operands} :"));
                continue;
            };
            let [first, second, third] = [common, compute, output].map(|id| rules.dtype_name(id));
            let row = format!("{operands} : {first} {second} {third}");
            if op.declared.is_some() || ![common, compute, output].into_iter().all(|id| rules.has_type(id)) {
                untyped.push(row);
                continue;
            }
            let arguments = b.map_or_else(|| quote!((#a,)), |b| quote!((#a, #b)));
            let rule = quote!(<#set as #p::OpRule<#ty, #arguments>>);
            types.push(quote!([
                <#rule::Common as #p::Element>::DTYPE,
                <#rule::Compute as #p::Element>::DTYPE,
                <#rule::Output as #p::Element>::DTYPE
            ]));
            expected.push(row);
            let of_arrays = both().all(|typed| typed.operand.category == Category::Array);
            let all = both().map(|typed| typed.operand.dtype).chain([common, compute, output]);
            let known = of_arrays && all.into_iter().all(standard);
            if known
                && rules.standard(compute).is_some_and(|compute| op.info.is_computed_in(compute))
                && seen.insert([common, compute, output])
            {
                kernels.extend(compared(set, op, &paths, a, b));
            }
        }
        quote! {
            #[test]
            #[allow(non_snake_case)]
            fn #name() {
                const TYPES: &[[#p::DType; 3]] = &[#(#types),*];
                let rules = #set::new().rule_set();
                #p::agreement::op_types(rules, #value, TYPES, &[#(#expected),*], &[#(#untyped),*]);
                #kernels
            }
        }
    });
    let promotion = test("promotion");
    quote! {
        #[test]
        #[allow(non_snake_case)]
        fn #promotion() {
            let rules = #set::new().rule_set();
            #(#promotions)*
        }

        #(#ops)*
    }
}

/// Emits the comparison of kernels and scalar functions of an op that has no extra inputs.
fn compared(
    set: &syn::Path,
    op: &Op,
    paths: &Paths,
    a: &TokenStream,
    b: Option<&TokenStream>,
) -> TokenStream {
    let (p, ty) = (&paths.private, paths.op(op));
    match b {
        // An op with extra inputs is compared with the reference only.
        _ if op.info.kernel.is_some_and(|kernel| !kernel.extras.is_empty()) => quote!(),
        None => quote!(#p::agreement::unary::<#set, #ty, #a>(rules);),
        Some(b) => quote!(#p::agreement::binary::<#set, #ty, #a, #b>(rules);),
    }
}

/// Names a test after the rule set, so that the tests of several sets can stand in one module.
fn test_name(set: &syn::Path, what: &str) -> Ident {
    let segments = set.segments.iter().map(|segment| segment.ident.unraw().to_string());
    format_ident!("{what}_under_{}", segments.collect::<Vec<_>>().join("_"))
}

/// Spells an operand as the facade's `agreement` module reads it: a dtype, `number:float`, or `weak:f64`.
fn spelled(rules: &Rules, typed: &Typed) -> String {
    let dtype = rules.dtype_name(typed.operand.dtype);
    match (typed.number, typed.operand.category) {
        (Some(kind), _) => format!("number:{}", kind.name()),
        (None, Category::Weak) => format!("weak:{dtype}"),
        (None, _) => dtype.to_owned(),
    }
}
