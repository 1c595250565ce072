//! The tables as one constant. Planes are byte strings, which rustc compiles fastest.

use proc_macro2::{Literal, TokenStream};
use promote_core::__private::{Category, Tables, table};
use quote::{format_ident, quote};

use super::paths::Paths;
use crate::model::Rules;

pub(super) fn tables(rules: &Rules, tables: &Tables<'_>, paths: &Paths) -> TokenStream {
    let p = &paths.private;
    let Tables { name, file, by_kind, .. } = tables;
    let dtypes = rules.ids().map(|id| paths.dtype(rules, id));
    let names = tables.names.iter().map(|names| quote!(&[#(#names),*]));
    let params = tables.params.iter().map(|table::Param { name, values, default }| {
        quote!(#p::table::Param { name: #name, values: &[#(#values),*], default: #default })
    });
    let clauses = tables.clauses.iter().map(|clause| self::clause(clause, p));
    let ranks = tables.ranks;
    let ops = rules.ops.iter().zip(tables.ops).map(|(op, table)| {
        let value = paths.op_value(op);
        let kernel = option(paths.kernel(op).map(|kernel| quote!(<#kernel as #p::KernelType>::OP)));
        let (scalar, number) = (variant(&table.right_scalar), variant(&table.number));
        let semantics = table.semantics.iter().map(|(name, value)| quote!((#name, #value)));
        quote! {
            #p::table::OpTable {
                op: #value,
                kernel: #kernel,
                right_scalar: #p::semantics::RightScalar::#scalar,
                number: #p::semantics::NumberOverflow::#number,
                semantics: &[#(#semantics),*],
            }
        }
    });
    let settings = tables.settings.iter().map(|setting| self::setting(setting, p));
    let bytes = |planes: &[&[u8]]| planes.iter().map(|plane| Literal::byte_string(plane)).collect::<Vec<_>>();
    let (planes, maps, pairs) = (bytes(tables.planes), bytes(tables.maps), bytes(tables.pairs));
    let rows = Literal::byte_string(tables.rows);
    let (stored, casts) = (bytes(tables.stored), bytes(tables.casts));
    let castings = tables.castings.iter().map(variant);
    let inplace = option(tables.inplace.map(|inplace| match inplace {
        table::InPlace::Cast(level) => quote!(#p::table::InPlace::Cast(#level)),
        table::InPlace::Result => quote!(#p::table::InPlace::Result),
    }));
    quote! {
        {
            const DTYPES: &[#p::DType] = &[#(#dtypes),*];
            const OPS: &[#p::table::OpTable<'static>] = &[#(#ops),*];
            static TABLES: #p::Tables = #p::Tables {
                name: #name,
                file: #file,
                dtypes: DTYPES,
                positions: #p::Tables::positions(DTYPES),
                names: &[#(#names),*],
                params: &[#(#params),*],
                clauses: &[#(#clauses),*],
                ranks: [#(#ranks),*],
                ops: OPS,
                op_positions: #p::Tables::op_positions(OPS),
                settings: &[#(#settings),*],
                planes: &[#(#planes),*],
                maps: &[#(#maps),*],
                rows: #rows,
                pairs: &[#(#pairs),*],
                stored: &[#(#stored),*],
                castings: &[#(#p::Casting::#castings),*],
                casts: &[#(#casts),*],
                inplace: #inplace,
                by_kind: #by_kind,
            };
            &TABLES
        }
    }
}

/// Returns the name of an enum's variant.
fn variant(value: &impl core::fmt::Debug) -> proc_macro2::Ident {
    format_ident!("{value:?}")
}

fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}

fn clause(clause: &table::Clause<'_>, p: &TokenStream) -> TokenStream {
    let table::Clause { text, block, reason, lacks, file, line } = clause;
    let reason = option(reason.map(|reason| quote!(#reason)));
    quote!(#p::table::Clause { text: #text, block: #block, reason: #reason, lacks: #lacks, file: #file, line: #line })
}

fn setting(setting: &table::Setting<'_>, p: &TokenStream) -> TokenStream {
    let table::Setting { planes, values, stored, casts, .. } = setting;
    let numbers = setting.numbers.map(|(dtype, category, clause): (u8, Category, u16)| {
        let category = variant(&category);
        quote!((#dtype, #p::table::Category::#category, #clause))
    });
    let (ops, op_values) = (Literal::byte_string(setting.ops), Literal::byte_string(setting.op_values));
    quote! {
        #p::table::Setting {
            numbers: [#(#numbers),*],
            planes: [#(#planes),*],
            values: [#(#values),*],
            stored: #stored,
            ops: #ops,
            op_values: #op_values,
            casts: &[#(#casts),*],
        }
    }
}
