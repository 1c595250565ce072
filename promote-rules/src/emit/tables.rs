//! The tables as one constant: planes are byte strings, which cost the compiler nothing.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::paths::Paths;
use crate::model::{CASTINGS, Category, ClauseId, InPlace, Rules};
use crate::tables::{Cell, OpCell, Setting};
use crate::{Compiled, data};

pub(super) fn tables(compiled: &Compiled, paths: &Paths) -> TokenStream {
    let Compiled { rules, tables } = compiled;
    let p = &paths.private;
    let (name, file) = (rules.name.to_string(), &rules.files[0]);
    let dtypes: Vec<_> = rules.ids().map(|id| paths.dtype(rules, id)).collect();
    let params = params(rules, p);
    let clauses = clauses(rules, p);
    let ranks = data::ranks(rules);
    let ops = rules.ops.iter().map(|op| {
        let value = paths.op_value(op);
        let kernel = if let Some(kernel) = paths.kernel(op) {
            quote!(::core::option::Option::Some(<#kernel as #p::KernelType>::OP))
        } else {
            quote!(::core::option::Option::None)
        };
        let scalar = format_ident!("{}", super::pascal(op.word("scalar").unwrap_or("rounded")));
        let number = format_ident!("{}", super::pascal(op.word("number").unwrap_or("wraps")));
        let words = op.words().map(|(key, word)| quote!((#key, #word)));
        quote! {
            #p::table::OpTable {
                op: #value,
                kernel: #kernel,
                scalar: #p::table::ScalarEntry::#scalar,
                number: #p::table::NumberEntry::#number,
                words: &[#(#words),*],
            }
        }
    });
    let settings = tables.settings.iter().map(|setting| self::setting(setting, p));
    let planes = tables.planes.iter().map(|plane| bytes(plane, |cell: &Cell| data::cell(*cell)));
    let maps = tables.maps.iter().map(|plane| bytes(plane, |cell: &OpCell| data::op_cell(*cell)));
    let pairs = tables.pairs.iter().map(|plane| bytes(plane, |cell: &OpCell| data::op_cell(*cell)));
    let casts = tables.casts.iter().map(|plane| bytes(plane, |cell: &Option<ClauseId>| data::cast(*cell)));
    let stored = tables.stored.iter().map(|plane| bytes(plane, |cell| data::stored(*cell)));
    let levels = rules.casts.iter().map(|cast| {
        let level = format_ident!("{}", super::pascal(CASTINGS[cast.level]));
        quote!(#p::Casting::#level)
    });
    let inplace = match rules.inplace {
        Some(InPlace::Cast(level)) => {
            let level = level as u16;
            quote!(::core::option::Option::Some(#p::table::InPlace::Cast(#level)))
        }
        Some(InPlace::Result) => quote!(::core::option::Option::Some(#p::table::InPlace::Result)),
        None => quote!(::core::option::Option::None),
    };
    let by_kind = rules.by_kind;
    quote! {
        {
            const DTYPES: &[#p::DType] = &[#(#dtypes),*];
            const OPS: &[#p::table::OpTable] = &[#(#ops),*];
            static TABLES: #p::Tables = #p::Tables {
                name: #name,
                file: #file,
                dtypes: DTYPES,
                places: #p::Tables::places(DTYPES),
                params: &[#(#params),*],
                clauses: &[#(#clauses),*],
                ranks: [#(#ranks),*],
                ops: OPS,
                op_places: #p::Tables::op_places(OPS),
                settings: &[#(#settings),*],
                planes: &[#(#planes),*],
                maps: &[#(#maps),*],
                pairs: &[#(#pairs),*],
                stored: &[#(#stored),*],
                castings: &[#(#levels),*],
                casts: &[#(#casts),*],
                inplace: #inplace,
                by_kind: #by_kind,
            };
            &TABLES
        }
    }
}

fn params(rules: &Rules, p: &TokenStream) -> Vec<TokenStream> {
    let param = |param: &crate::model::Param| {
        let (name, default) = (&param.name, param.default as u16);
        let values = param.values.iter().map(|value| rules.value_text(value));
        quote!(#p::table::Param { name: #name, values: &[#(#values),*], default: #default })
    };
    rules.params.iter().map(param).collect()
}

fn clauses(rules: &Rules, p: &TokenStream) -> Vec<TokenStream> {
    let clause = |clause: &crate::model::ClauseInfo| {
        let (text, block, line) = (&clause.text, &clause.block, clause.span.start().line as u32);
        let reason = if let Some(reason) = &clause.reason {
            quote!(::core::option::Option::Some(#reason))
        } else {
            quote!(::core::option::Option::None)
        };
        let file = &rules.files[clause.layer];
        quote!(#p::table::Clause { text: #text, block: #block, reason: #reason, file: #file, line: #line })
    };
    rules.clauses.iter().map(clause).collect()
}

fn setting(setting: &Setting, p: &TokenStream) -> TokenStream {
    let numbers = data::numbers(setting).map(|(dtype, category, clause)| {
        let category = match category {
            Category::Array => quote!(Array),
            Category::ZeroDim => quote!(ZeroDim),
            Category::Number => quote!(Number),
            Category::Weak => quote!(Weak),
        };
        quote!((#dtype, #p::table::Category::#category, #clause))
    });
    let planes = data::square(&setting.planes);
    let ops = bytes(&setting.ops, data::op_index);
    let values = data::sparse_square(&setting.values);
    let op_values = Literal::byte_string(&data::op_values(setting));
    let stored = setting.stored.map_or(data::NO_PLANE, |plane| plane as u16);
    let casts = setting.casts.iter().map(|plane| *plane as u16);
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

fn bytes<T, const N: usize>(plane: &[T], encode: impl Fn(&T) -> [u8; N]) -> Literal {
    Literal::byte_string(&plane.iter().flat_map(encode).collect::<Vec<u8>>())
}
