//! `#[derive(Element)]`: a newtype becomes the element type of a dtype of its own.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{DeriveInput, LitStr, Type};

use super::attribute::Words;
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
    let inner = &field.ty;
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

            __p::scalar_inputs! { #ty }

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

const WORDS: Words = Words {
    place: "`#[element(..)]`",
    known: &["crate = path", "from(Q7)", "name = \"q16\"", "via = f64"],
    beside: None,
};

/// What `#[element(name = "q16", via = f64, from(Q15, Q7), crate = path)]` says.
struct Arguments {
    /// The dtype's name.
    name: String,
    /// Where the facade lives.
    krate: TokenStream,
    /// By way of which type it is cast.
    via: Option<Type>,
    /// From which other types of a user's own.
    from: Vec<Type>,
}

fn arguments(errors: &mut Errors, input: &DeriveInput) -> Arguments {
    let name = input.ident.unraw().to_string().to_lowercase();
    let mut found = Arguments { name, krate: quote!(::promote), via: None, from: Vec::new() };
    WORDS.of_attributes(errors, "element", &input.attrs, |_, word| {
        match &*word.name {
            "crate" => found.krate = word.path()?.into_token_stream(),
            "name" => found.name = word.value::<LitStr>()?.value(),
            "via" => found.via = Some(word.value()?),
            _ => found.from.extend(word.list::<Type>()?),
        }
        Ok(())
    });
    found
}
