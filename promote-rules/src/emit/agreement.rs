//! Tests that all surfaces of a rule set agree: for every pair and op a row that names the types, with what this
//! library's own tables say as literals beside it. The facade's `agreement` module compares.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::pascal;
use super::paths::Paths;
use crate::Compiled;
use crate::model::{Category, DTypeId, Operand};
use crate::tables::{Cell, OpCell};

/// A module of tests for the rule set `set`, which the tests' crate sees by that path.
pub fn agreement(set: &syn::Path, compiled: &Compiled) -> TokenStream {
    let Compiled { rules, tables } = compiled;
    let paths = Paths::new(rules);
    let p = &paths.private;
    let setting = tables.default_setting(rules);
    let array = |dtype| Operand { dtype, category: Category::Array };
    let typed: Vec<(DTypeId, TokenStream)> =
        rules.ids().filter_map(|id| Some((id, paths.ty(rules, id)?))).collect();
    let pairs: Vec<_> = typed.iter().flat_map(|a| typed.iter().map(move |b| (a, b))).collect();

    let promotions =
        pairs.iter().map(|((i, a), (j, b))| match tables.promote(rules, setting, array(*i), array(*j)) {
            Cell::Gives(dtype, false, _) if rules.has_type(dtype) => {
                let name = rules.dtype_name(dtype);
                quote!(#p::agreement::promotion::<#set, #a, #b>(rules, #name);)
            }
            Cell::Gives(dtype, ..) => {
                let name = rules.dtype_name(dtype);
                quote!(#p::agreement::promotion_at_run_time::<#a, #b>(rules, #name);)
            }
            Cell::Refused(_) | Cell::Unreachable => quote!(#p::agreement::refusal::<#a, #b>(rules);),
        });
    let cell = |which: usize, a: DTypeId, b: Option<DTypeId>| match b {
        Some(b) => tables.op(rules, setting, which, array(a), array(b)),
        None => tables.unary(rules, setting, which, array(a)),
    };
    let ops = rules.ops.iter().enumerate().map(|(which, op)| {
        let name = format_ident!("r#{}", op.info.name);
        let ty = format_ident!("{}", pascal(op.info.name));
        // What kernels there are of a dtype of the file's own, its type decides.
        let standard = |id: DTypeId| rules.dtypes[id.index()].path.is_none();
        let operands: Vec<_> = if op.info.arity == 1 {
            typed.iter().map(|a| (a, None)).collect()
        } else {
            pairs.iter().map(|(a, b)| (*a, Some(*b))).collect()
        };
        // The types of all cells stand in one constant, which costs the compiler little.
        let (mut types, mut expected, mut untyped) = (Vec::new(), Vec::new(), Vec::new());
        // The kernels and the scalar functions are compared on one cell of each (common, compute, output): conversions have
        // tests of their own.
        let (mut kernels, mut seen) = (TokenStream::new(), BTreeSet::new());
        for ((i, a), b) in operands {
            let operands: Vec<&str> =
                core::iter::once(*i).chain(b.map(|b| b.0)).map(|id| rules.dtype_name(id)).collect();
            let operands = operands.join(" ");
            let OpCell::Gives { common, compute, output, .. } = cell(which, *i, b.map(|b| b.0)) else {
                untyped.push(format!("{operands} :"));
                continue;
            };
            let [x, y, z] = [common, compute, output].map(|id| rules.dtype_name(id));
            let row = format!("{operands} : {x} {y} {z}");
            if ![common, compute, output].into_iter().all(|id| rules.has_type(id)) {
                untyped.push(row);
                continue;
            }
            let rule = if let Some((_, b)) = b {
                quote!(<#set as #p::OpRule<#p::op::#ty, #a, #b>>)
            } else {
                quote!(<#set as #p::UnaryRule<#p::op::#ty, #a>>)
            };
            types.push(quote!([
                <#rule::Common as #p::Element>::DTYPE,
                <#rule::Compute as #p::Element>::DTYPE,
                <#rule::Output as #p::Element>::DTYPE
            ]));
            expected.push(row);
            let all = [*i, b.map_or(*i, |b| b.0), common, compute, output];
            if all.into_iter().all(standard)
                && op.info.is_computed_in(y)
                && seen.insert([common, compute, output])
            {
                kernels.extend(match b {
                    None => quote!(#p::agreement::unary::<#set, #p::op::#ty, #a>(rules);),
                    // What takes more than operands, or an exponent, is compared with the reference only.
                    Some(_) if super::functions::scales(op.info) => quote!(),
                    Some(_) if op.info.kernel.is_some_and(|kernel| !kernel.extras.is_empty()) => quote!(),
                    Some((_, b)) => quote!(#p::agreement::binary::<#set, #p::op::#ty, #a, #b>(rules);),
                });
            }
        }
        let rows = quote! {
            const TYPES: &[[#p::DType; 3]] = &[#(#types),*];
            #p::agreement::op_types(rules, #p::Op::#ty, TYPES, &[#(#expected),*], &[#(#untyped),*]);
            #kernels
        };
        quote! {
            #[test]
            fn #name() {
                let rules = #set::new().rule_set();
                #rows
            }
        }
    });
    quote! {
        #[test]
        fn promotion() {
            let rules = #set::new().rule_set();
            #(#promotions)*
        }

        #(#ops)*
    }
}
