//! `#[derive(Promote)]`: a container promotes as its type parameters do, and gets operators between
//! containers of different element types.
//!
//! ```text
//! tokens -> attributes::StructArguments, container::Container -> shape (of each field) -> promote, operators, compare
//! ```
//!
//! A type parameter that a field uses has three names in the emitted code: its own on the left, one on the
//! right and one in the result (`T`, `RhsT`, `OutT`). The third is a parameter too, tied by `Output = OutT`,
//! so that the struct's bounds can be repeated for each side by replacing names.

mod attributes;
mod compare;
mod container;
mod expression;
mod names;
mod operator;
mod operators;
mod shape;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Meta};

use crate::diag::Errors;
use attributes::StructArguments;
use container::Container;
use names::Side;

/// Emits the impls for a struct, and a `compile_error!` at each mistake.
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

/// Emits the impls for everything that is correct, so that code which uses the struct adds no further errors.
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
    let arguments = StructArguments::of(errors, input);
    let container = Container::new(errors, input, fields, &arguments);
    let promote = promotions(&container, &arguments);
    let rules = arguments.rules_of_operators(errors);
    let operators = operators::operators(errors, &container, &arguments, &rules);
    let (krate, lints) = (&arguments.krate, lints(&input.attrs));
    Some(quote! {
        #lints
        const _: () = {
            use #krate::__private as __p;
            #promote
            #operators
        };
    })
}

/// Returns `allow` attributes for the lints that the struct allows, because its names occur in the impls. No
/// other lint is allowed, because a crate may forbid it.
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

/// Emits `impl Promote`: one for all rule sets, or one for each rule set that is named.
fn promotions(container: &Container, arguments: &StructArguments) -> TokenStream {
    if arguments.rules.is_empty() {
        let rules = &container.rules;
        return promotion(container, &quote!(#rules), &quote!(#rules));
    }
    arguments.rules.iter().map(|rules| promotion(container, &quote!(#rules), &quote!())).collect()
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
