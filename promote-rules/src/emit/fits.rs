//! Impls of `FitsIn`: for each standard type, the standard types that hold all its values.

use proc_macro2::TokenStream;
use promote_core::DType;
use quote::quote;

use super::paths::standard_type;

/// Emits the impls for the facade, which has `FitsIn` at its root.
pub fn fits_in() -> TokenStream {
    let p = quote!(crate::__private);
    let impls = DType::WITH_TYPE.iter().map(|from| {
        let ty = standard_type(&p, *from);
        let holders: Vec<_> = DType::WITH_TYPE.iter().filter(|to| to.holds(*from)).collect();
        let types = holders.iter().map(|to| standard_type(&p, **to));
        // With a single impl rustc would report another type as a mismatch with that one, and show no reason.
        let alone =
            (holders.len() == 1).then(|| quote!(impl<R> crate::FitsIn<#p::NoPartner<0>, R> for #ty {}));
        quote! {
            #(impl<R> crate::FitsIn<#types, R> for #ty {})*
            #alone
        }
    });
    quote!(#(#impls)*)
}
