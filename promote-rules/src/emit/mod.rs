//! Emission: a rule set's tables become Rust code.
//!
//! The emitted code is data and impls of one line. The functions that it calls are in `promote-runtime`.

mod agreement;
mod attribute;
mod chain;
mod customs;
mod derive;
mod element;
mod fits;
mod functions;
mod kernel;
mod kernels;
mod loop_set;
mod mixed;
mod paths;
mod tables;
mod types;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use crate::model::{Param, Rules, Value, pascal};
use crate::{Compiled, data};
use paths::Paths;

pub use agreement::agreement;
pub use chain::{ask_for_base, hand_on};
pub use derive::promote;
pub use element::element;
pub use fits::fits_in;
pub use kernel::kernel;
pub use kernels::kernels;
pub(crate) use loop_set::check as check_loops;
pub use loop_set::{all as loops, loop_set};
pub use mixed::mixed;

/// Emits a rule set: its type, its tables and its impls.
pub fn rule_set(compiled: &Compiled) -> TokenStream {
    let Compiled { rules, tables } = compiled;
    let paths = Paths::new(rules);
    let p = &paths.private;
    let name = &rules.name;
    let doc = format!(
        " The rule set of the file `{}`.\n\n The type `{name}` stands for the rules at compile time, with the default values of \
         the parameters. A value of it\n holds a choice of the parameters, for promotion at run time.",
        rules.files[0]
    );
    let (enums, setters): (TokenStream, TokenStream) =
        rules.params.iter().enumerate().map(|(i, param)| parameter(rules, i, param)).unzip();
    let default = tables.default_setting(rules) as u16;
    let arena = bumpalo::Bump::new();
    let lookup = data::looked_up(compiled, &arena);
    let statics = tables::tables(rules, &lookup.tables, &paths);
    let impls = types::impls(compiled, &lookup, &paths);
    let functions = functions::functions(rules, &paths);
    let kernels = customs::source(compiled, &lookup, &paths);
    let elements = elements(rules, &paths);

    quote! {
        #[doc = #doc]
        #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash
        )]
        pub struct #name {
            setting: ::core::primitive::u16,
        }

        #enums

        impl #name {
            #[doc(hidden)]
            pub const TABLES: &'static #p::Tables = #statics;

            /// Creates the rule set with the default values of its parameters.
            pub const fn new() -> Self {
                Self { setting: #default }
            }

            #setters

            /// Returns the dtype that two arrays promote to.
            ///
            /// # Errors
            /// Returns an error if the rule set refuses the pair, or does not have one of the dtypes.
            #[inline]
            pub const fn promote_types(&self, a: #p::DType, b: #p::DType) -> ::core::result::Result<#p::DType, #p::PromoteError> {
                #p::RuleSet::at(Self::TABLES, self.setting).promote_types(a, b)
            }

            /// Returns the dtype that arrays, zero-dimensional arrays and numbers promote to.
            ///
            /// # Errors
            /// Returns an error if there are no operands, or the rule set refuses two of them or does not
            /// have one of the dtypes.
            #[inline]
            pub const fn result_type(&self, operands: &[#p::Operand]) -> ::core::result::Result<#p::ResultType, #p::PromoteError> {
                #p::RuleSet::at(Self::TABLES, self.setting).result_type(operands)
            }

            /// Returns the common, the compute and the output dtype of an op.
            ///
            /// # Errors
            /// Returns an error if the rule set refuses the operands, does not have the op or a dtype, or the
            /// op takes another number of operands.
            #[inline]
            pub const fn op_types(&self, op: #p::Op, operands: &[#p::Operand]) -> ::core::result::Result<#p::OpTypes, #p::PromoteError> {
                #p::RuleSet::at(Self::TABLES, self.setting).op_types(op, operands)
            }

            /// Returns the rule set as data, with the kernels of this build.
            #[inline]
            pub const fn rule_set(&self) -> #p::RuleSet {
                static CACHE: #p::DispatchCache = #p::DispatchCache::new();
                #p::with_kernels::<Self>(#p::RuleSet::at(Self::TABLES, self.setting), &CACHE)
            }
        }

        #[automatically_derived]
        impl ::core::default::Default for #name {
            #[inline]
            fn default() -> Self {
                Self::new()
            }
        }

        #p::serialized! { #name }

        #functions

        #kernels

        #elements

        #impls
    }
}

/// Emits assertions that the Rust types of custom dtypes and ops agree with the rule file. Macros share no
/// state, so only rustc can compare them.
fn elements(rules: &Rules, paths: &Paths) -> TokenStream {
    let p = &paths.private;
    let named = rules.dtypes.iter().filter_map(|dtype| Some((dtype, dtype.path.as_ref()?)));
    let dtypes = named
        .map(|(dtype, path)| {
            let (name, bits) = (&dtype.name, dtype.bits);
            let message =
                format!("the rule file declares `{name}` with {bits} bits, and its Rust type has another name or width");
            quote_spanned! { dtype.span =>
                const _: () = ::core::assert!(#p::table::is_dtype(<#path as #p::Element>::DTYPE, #name, #bits), #message);
            }
        });
    let ops = rules.ops.iter().filter_map(|op| Some((op, op.path.as_ref()?))).map(|(op, path)| {
        let name = &op.name;
        let message = format!("the Rust type of `{name}` is no `#[kernel(named)]` of that name");
        quote_spanned! { op.span =>
            const _: () = ::core::assert!(#p::table::is_named(<#path as #p::OpType>::OP, #name), #message);
        }
    });
    dtypes.chain(ops).collect()
}

/// Emits a placeholder for a rule set that has mistakes, so that rustc reports these and nothing else.
pub fn placeholder(name: Option<&syn::Ident>) -> TokenStream {
    name.map(|name| {
        quote! {
            #[allow(missing_docs)]
            #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash
        )]
            pub struct #name;
            #[allow(missing_docs)]
            impl #name {
                pub const fn new() -> Self {
                    Self
                }
            }
        }
    })
    .unwrap_or_default()
}

/// Emits the enum of a parameter's values, and the method that sets the parameter.
fn parameter(rules: &Rules, at: usize, param: &Param) -> (TokenStream, TokenStream) {
    let setter = format_ident!("with_{}", param.name);
    let stride: u16 = rules.params[at + 1..].iter().map(|p| p.values.len() as u16).product();
    let count = param.values.len() as u16;
    let doc = format!(" Returns the rule set with another value of the parameter `{}`.", param.name);
    let set = |value: TokenStream, ty: TokenStream| {
        quote! {
            #[doc = #doc]
            #[must_use]
            pub const fn #setter(self, value: #ty) -> Self {
                let now = self.setting / #stride % #count;
                Self { setting: self.setting - now * #stride + #value * #stride }
            }
        }
    };
    if let [Value::Bool(_), ..] = param.values[..] {
        // The values of `bool` are true and false, in this order.
        let value = quote!((1 - value as ::core::primitive::u16));
        return (TokenStream::new(), set(value, quote!(::core::primitive::bool)));
    }
    let name = format_ident!("{}{}", rules.name, pascal(&param.name));
    let doc = format!(" The values of the parameter `{}` of [`{}`].", param.name, rules.name);
    let variants = param.values.iter().map(|value| {
        let text = rules.value_text(value);
        let (variant, doc) = (format_ident!("{}", pascal(&text)), format!(" `{text}`"));
        quote!(#[doc = #doc] #variant,)
    });
    let values = quote! {
        #[doc = #doc]
        #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash
        )]
        pub enum #name { #(#variants)* }
    };
    (values, set(quote!(value as ::core::primitive::u16), quote!(#name)))
}

/// Moves tokens to another span, with the hygiene that they have.
fn at(span: Span, tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(token.span().located_at(span));
            token
        })
        .collect()
}
