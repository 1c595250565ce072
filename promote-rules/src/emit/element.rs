//! `#[derive(Element)]`: a newtype becomes the element type of a dtype of its own.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{DeriveInput, LitStr};

use crate::diag::Errors;

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
    match (out, errors.or(())) {
        (Some(out), Ok(())) => out,
        (_, Ok(())) => TokenStream::new(),
        (_, Err(errors)) => errors.to_compile_errors(),
    }
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
    let (name, krate) = arguments(errors, input);
    let (krate, inner) = (krate.map_or_else(|| quote!(::promote), |path| quote!(#path)), &field.ty);
    Some(quote! {
        const _: () = {
            use #krate::__private as __p;

            // The field's type says that every bit pattern is a value of it, and that it has no padding.
            const fn any_bits<T: __p::Element<Repr = T>>() {}
            any_bits::<#inner>();

            static DTYPE: __p::CustomDType = __p::CustomDType {
                name: #name,
                bits: 8 * ::core::mem::size_of::<#ty>() as ::core::primitive::u32,
                align: ::core::mem::align_of::<#ty>(),
            };

            // SAFETY: the type is transparent over its field, and the field's type is an element that is its own `Repr`: so size
            // and alignment are those of the dtype above, there is no padding, and every bit pattern is valid. Nothing is
            // overridden, and no other type has this dtype: it is known by the address of this `static`.
            #[automatically_derived]
            unsafe impl __p::Element for #ty {
                const DTYPE: __p::DType = __p::DType::Custom(&DTYPE);
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

/// The dtype's name and the path of the facade: `#[element(name = "q16", crate = path)]`.
fn arguments(errors: &mut Errors, input: &DeriveInput) -> (String, Option<syn::Path>) {
    let (mut name, mut krate) = (input.ident.unraw().to_string().to_lowercase(), None);
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("element")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("name") {
                name = meta.value()?.parse::<LitStr>()?.value();
                Ok(())
            } else if meta.path.is_ident("crate") {
                krate = Some(meta.value()?.call(syn::Path::parse_mod_style)?);
                Ok(())
            } else {
                Err(meta.error("an element has a `name` and a `crate`"))
            }
        });
        if let Err(error) = parsed {
            errors.syn(&error);
        }
    }
    (name, krate)
}
