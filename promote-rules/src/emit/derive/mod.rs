//! `#[derive(Promote)]`: a container promotes as its parameters do, and gets operators between containers of
//! different ones.
//!
//! ```text
//! tokens -> attributes::Asked, container::Container -> shape (how each field is computed) -> promote, operators, compare
//! ```
//!
//! A type parameter that a field uses has three names in what is emitted: its own on the left, one on the
//! right and one in the result (`T`, `RhsT`, `OutT`). The third is a parameter too, tied by `Output = OutT`:
//! so that the struct's bounds can be repeated for each of them by replacing names.

mod attributes;
mod compare;
mod container;
mod expression;
mod names;
mod operators;
mod shape;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Meta};

use crate::diag::Errors;
use attributes::Asked;
use container::Container;
use names::Side;

/// The impls for a struct, and a `compile_error!` at each mistake.
pub fn promote(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let impls = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => impls(&mut errors, &input),
        Err(error) => {
            errors.syn(&error);
            None
        }
    };
    let mut out = match errors.or(()) {
        Ok(()) => TokenStream::new(),
        Err(errors) => errors.to_compile_errors(),
    };
    out.extend(impls);
    out
}

/// What is understood is emitted beside the mistakes, so that code which uses it does not add errors of its
/// own.
fn impls(errors: &mut Errors, input: &DeriveInput) -> Option<TokenStream> {
    let name = &input.ident;
    let fields = match &input.data {
        Data::Struct(data) => &data.fields,
        Data::Enum(_) => {
            errors
                .push(
                    name.span(),
                    "`Promote` cannot be derived on an enum: two values may be different variants",
                )
                .help("derive it on a struct, or write `impl Promote<..>` by hand");
            return None;
        }
        Data::Union(_) => {
            errors
                .push(name.span(), "`Promote` cannot be derived on a union: its active field is not known")
                .help("derive it on a struct, or write `impl Promote<..>` by hand");
            return None;
        }
    };
    let asked = Asked::of(errors, input);
    let container = Container::new(errors, input, fields, &asked);
    let promote = promotions(&container, &asked);
    let rules = asked.rules_of_operators(errors);
    let operators = operators::operators(errors, &container, &asked, &rules);
    let (krate, lints) = (&asked.krate, lints(&input.attrs));
    Some(quote! {
        #lints
        const _: () = {
            use #krate::__private as __p;
            #promote
            #operators
        };
    })
}

/// The lints that the struct is excused from: names that it is allowed stand in the impls as well. Nothing
/// else is allowed there, since a crate may forbid it.
fn lints(attrs: &[Attribute]) -> TokenStream {
    let lints = attrs.iter().filter_map(|attribute| match &attribute.meta {
        Meta::List(list) if ["allow", "expect"].iter().any(|word| list.path.is_ident(word)) => {
            let lints = &list.tokens;
            Some(quote!(#[allow(#lints)]))
        }
        meta => meta.path().is_ident("deprecated").then(|| quote!(#[allow(deprecated)])),
    });
    lints.collect()
}

/// `impl Promote`: one for all rule sets, or one for each that is named.
fn promotions(container: &Container, asked: &Asked) -> TokenStream {
    if asked.rules.is_empty() {
        let rules = &container.rules;
        return promotion(container, &quote!(#rules), &quote!(#rules));
    }
    asked.rules.iter().map(|rules| promotion(container, &quote!(#rules), &quote!())).collect()
}

fn promotion(container: &Container, rules: &TokenStream, parameter: &TokenStream) -> TokenStream {
    let sides = [Side::Left, Side::Right, Side::Out];
    let generics = container.generics(&sides, parameter);
    let (left, right, out) = (container.ty(Side::Left), container.ty(Side::Right), container.ty(Side::Out));
    let promoted = container.promoted.iter().map(|names| {
        let (left, right, out) = (&names.left, &names.right, &names.out);
        quote!(#left: __p::Promote<#right, #rules, Output = #out>)
    });
    let bounds = container::where_clause(promoted.chain(container.bounds(&sides)));
    quote! {
        #[automatically_derived]
        impl #generics __p::Promote<#right, #rules> for #left #bounds {
            type Output = #out;
        }
    }
}
