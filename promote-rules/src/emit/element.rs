//! `#[derive(Element)]`: a newtype becomes the element type of a custom dtype.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{DeriveInput, LitStr, Type};

use super::attribute::AttributeOptions;
use crate::diag::Errors;

/// Emits the impl for a `#[repr(transparent)]` struct of one field.
pub fn element(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let out = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => newtype(&mut errors, &input),
        Err(error) => {
            errors.syn(&error);
            None
        }
    };
    // The impl is emitted besides the mistakes, so that a rule file that names the type adds no further
    // errors.
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
            .push(ty.span(), "an element type cannot have parameters")
            .help("derive it on a type without parameters");
    }
    if !is_transparent(input) {
        errors
            .push(ty.span(), "an element type needs the layout of its field")
            .help("add `#[repr(transparent)]`");
    }
    let Arguments { name, krate, via, from } = arguments(errors, input);
    // No alias for this path: it could shadow a module of the user's in the types that the attribute names.
    let p = quote!(#krate::__private);
    let layout = layout(field, &p);
    let via = via.as_ref();
    let casts = via.map(|via| {
        let (become_, made) =
            (quote_spanned!(via.span() => #p::become_), quote_spanned!(via.span() => #p::made_from));
        quote! {
            #[automatically_derived]
            impl #p::CastVia for #ty {
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
    let conversions = from.iter().map(|other| {
        let made = quote_spanned!(other.span() => #p::made_from);
        quote! {
            #[automatically_derived]
            impl #p::Convert<#ty> for #other {
                #[inline(always)]
                fn convert(self, _: ::core::primitive::bool) -> #ty {
                    #made::<#ty, #other>(self)
                }
            }
        }
    });
    Some(quote! {
        const _: () = {
            #p::custom_dtype! { #name, #ty, [#via], [#(#from),*] }
            #p::zero_dim_operand! { #ty }

            // SAFETY: `LAYOUT` takes the compiled type apart by an exhaustive pattern with one field, and
            // compares its size and alignment with those of the field and of the dtype: so it has no padding,
            // and every bit pattern is a value. The methods return their argument; the others are not
            // overridden. If two types share a dtype (the compiler may give equal statics one address), both
            // have its size and alignment, and each has all bit patterns.
            #[automatically_derived]
            unsafe impl #p::Element for #ty {
                const DTYPE: #p::DType = #p::DType::Custom(&__DTYPE);
                const LAYOUT: #p::ElementLayout<Self> = #layout;
                type Repr = Self;
                type Reg = Self;
                type Itself = Self;

                #[inline(always)]
                fn from_repr(repr: Self) -> Self {
                    repr
                }

                #[inline(always)]
                fn to_repr(self) -> Self {
                    self
                }

                #[inline(always)]
                fn load<L: #p::Lanes>(_: L, repr: Self) -> Self {
                    repr
                }

                #[inline(always)]
                fn store<L: #p::Lanes, W: #p::Overflow>(_: L, reg: Self) -> Self {
                    reg
                }
            }

            // Evaluates the proof, so that a layout which breaks it is an error here and not at the first
            // use.
            const _: #p::ElementLayout<#ty> = <#ty as #p::Element>::LAYOUT;

            #[automatically_derived]
            impl #p::CustomElement for #ty {}

            #p::scalar_inputs! { #ty }

            #casts
            #(#conversions)*
        };
    })
}

/// Emits the proof that the struct has the layout of its one field.
///
/// The tokens that a derive sees prove nothing: an attribute below it may change the struct afterwards, and a
/// name may mean another type than it seems to. The proof is therefore a pattern that takes the compiled
/// struct apart. A second field makes the pattern incomplete, a union makes it unsafe, and
/// `ElementLayout::wraps` bounds the field's type. The trait declares the type of `Element::LAYOUT`, so no
/// path of the user's can replace it.
fn layout(field: &syn::Field, p: &TokenStream) -> TokenStream {
    let member = field.ident.as_ref().map_or_else(|| quote!(0), |name| quote!(#name));
    // The span of the field, so that errors about it are reported there.
    quote_spanned! { field.ty.span() =>
        #p::ElementLayout::wraps(|element: Self| {
            let Self { #member: field } = element;
            field
        })
    }
}

fn is_transparent(input: &DeriveInput) -> bool {
    let mut reprs = input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr"));
    reprs.any(|repr| {
        let mut found = false;
        // rustc reports mistakes in the attribute.
        let _ = repr.parse_nested_meta(|meta| {
            found |= meta.path.is_ident("transparent");
            Ok(())
        });
        found
    })
}

const OPTIONS: AttributeOptions = AttributeOptions {
    target: "`#[element(..)]`",
    known: &["crate = path", "from(Q7)", "name = \"q16\"", "via = f64"],
    beside: None,
};

/// The arguments of `#[element(name = "q16", via = f64, from(Q15, Q7), crate = path)]`.
struct Arguments {
    /// The dtype's name.
    name: String,
    /// The path of the facade.
    krate: TokenStream,
    /// The type through which casts go.
    via: Option<Type>,
    /// The other custom types from which there are casts.
    from: Vec<Type>,
}

fn arguments(errors: &mut Errors, input: &DeriveInput) -> Arguments {
    let name = input.ident.unraw().to_string().to_lowercase();
    let mut found = Arguments { name, krate: quote!(::promote), via: None, from: Vec::new() };
    OPTIONS.of_attributes(errors, "element", &input.attrs, |_, option| {
        match &*option.name {
            "crate" => found.krate = option.path()?.into_token_stream(),
            "name" => found.name = option.value::<LitStr>()?.value(),
            "via" => found.via = Some(option.value()?),
            _ => found.from.extend(option.list::<Type>()?),
        }
        Ok(())
    });
    found
}
