//! `#[derive(Element)]`: a newtype becomes the element type of a dtype of its own.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::parse::Parse as _;
use syn::spanned::Spanned as _;
use syn::{DeriveInput, LitStr, Token, Type};

use crate::diag::{Errors, did_you_mean};

/// The impl for a `#[repr(transparent)]` struct of one field.
pub fn element(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let out = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => newtype(&mut errors, &input),
        Err(error) => {
            errors.syn(&error);
            None
        }
    };
    // The impl stands beside mistakes, so that the rule file that names the type has none for them.
    let errors = errors.or(()).err().map(|errors| errors.to_compile_errors());
    quote!(#errors #out)
}

fn newtype(errors: &mut Errors, input: &DeriveInput) -> Option<TokenStream> {
    let ty = &input.ident;
    let field = match &input.data {
        syn::Data::Struct(data) if data.fields.len() == 1 => data.fields.iter().next(),
        _ => None,
    };
    let Some(field) = field else {
        errors
            .push(ty.span(), "an element is a struct of one field")
            .help("wrap the bits: `struct Q16(i32);`");
        return None;
    };
    if !input.generics.params.is_empty() {
        errors
            .push(ty.span(), "an element has one dtype, and so no parameters")
            .help("derive it on a type without parameters");
    }
    if !is_transparent(input) {
        errors
            .push(ty.span(), "an element lies in memory as its field does, and nothing says so here")
            .help("add `#[repr(transparent)]`");
    }
    let Arguments { name, krate, via, from } = arguments(errors, input);
    let (krate, inner) = (krate.map_or_else(|| quote!(::promote), |path| quote!(#path)), &field.ty);
    let any_bits = quote_spanned!(inner.span() => any_bits::<#inner>(););
    let dtype = quote!(__p::custom_dtype! { #name, #ty, [#via], [#(#from),*] });
    let via = via.map(|via| {
        let (become_, made) =
            (quote_spanned!(via.span() => __p::become_), quote_spanned!(via.span() => __p::made_from));
        quote! {
            #[automatically_derived]
            impl __p::CastVia for #ty {
                type Via = #via;

                #[inline(always)]
                fn to_via(self) -> #via {
                    #become_::<Self, #via>(self)
                }

                #[inline(always)]
                fn of_via(via: #via) -> Self {
                    #made::<Self, #via>(via)
                }
            }
        }
    });
    let from = from.iter().map(|other| {
        let made = quote_spanned!(other.span() => __p::made_from);
        quote! {
            #[automatically_derived]
            impl __p::Convert<#ty> for #other {
                #[inline(always)]
                fn convert(self, _: ::core::primitive::bool) -> #ty {
                    #made::<#ty, #other>(self)
                }
            }
        }
    });
    Some(quote! {
        const _: () = {
            use #krate::__private as __p;

            // The field's type says that every bit pattern is a value of it, and that it has no padding.
            const fn any_bits<T: __p::AnyBits>() {}
            #any_bits

            #dtype

            // SAFETY: the type is transparent over its field, and the field's type is an element that is its own `Repr`: so size
            // and alignment are those of the dtype above, there is no padding, and every bit pattern is valid. Nothing is
            // overridden, and no other type has this dtype: it is known by the address of this `static`.
            #[automatically_derived]
            unsafe impl __p::Element for #ty {
                const DTYPE: __p::DType = __p::DType::Custom(&__DTYPE);
                type Repr = Self;
                type Reg = Self;

                #[inline(always)]
                fn from_repr(repr: Self) -> Self {
                    repr
                }

                #[inline(always)]
                fn to_repr(self) -> Self {
                    self
                }

                #[inline(always)]
                fn load<L: __p::Lanes>(_: L, repr: Self) -> Self {
                    repr
                }

                #[inline(always)]
                fn store<L: __p::Lanes, W: __p::Overflow>(_: L, reg: Self) -> Self {
                    reg
                }
            }

            #[automatically_derived]
            impl __p::CustomElement for #ty {}

            #via
            #(#from)*
        };
    })
}

fn is_transparent(input: &DeriveInput) -> bool {
    let mut reprs = input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr"));
    reprs.any(|repr| {
        let mut found = false;
        // What is wrong with it, rustc says.
        let _ = repr.parse_nested_meta(|meta| {
            found |= meta.path.is_ident("transparent");
            Ok(())
        });
        found
    })
}

/// What `#[element(name = "q16", via = f64, from(Q15, Q7), crate = path)]` says.
struct Arguments {
    /// The dtype's name.
    name: String,
    /// Where the facade lives.
    krate: Option<syn::Path>,
    /// By way of which type it is cast.
    via: Option<Type>,
    /// From which other types of a user's own.
    from: Vec<Type>,
}

fn arguments(errors: &mut Errors, input: &DeriveInput) -> Arguments {
    let name = input.ident.unraw().to_string().to_lowercase();
    let mut found = Arguments { name, krate: None, via: None, from: Vec::new() };
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("element")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("name") {
                found.name = meta.value()?.parse::<LitStr>()?.value();
                Ok(())
            } else if meta.path.is_ident("crate") {
                found.krate = Some(meta.value()?.call(syn::Path::parse_mod_style)?);
                Ok(())
            } else if meta.path.is_ident("via") {
                found.via = Some(meta.value()?.parse()?);
                Ok(())
            } else if meta.path.is_ident("from") {
                let types;
                syn::parenthesized!(types in meta.input);
                found.from.extend(types.parse_terminated(Type::parse, Token![,])?);
                Ok(())
            } else {
                let word = meta.path.to_token_stream().to_string();
                let help = did_you_mean(&word, ["name", "via", "from", "crate"]);
                let all = || {
                    "the words are `name = \"q16\"`, `via = f64`, `from(Q7)` and `crate = path`".to_owned()
                };
                errors
                    .push(meta.path.span(), format!("`{word}` says nothing about an element"))
                    .help(help.unwrap_or_else(all));
                while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
                    meta.input.parse::<proc_macro2::TokenTree>()?;
                }
                Ok(())
            }
        });
        if let Err(error) = parsed {
            errors.syn(&error);
        }
    }
    found
}
