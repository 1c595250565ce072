//! How emitted code names things: absolute paths, so that no name of the user's is in the way.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::pascal;
use crate::model::{DTypeId, KernelKey, Op, Rules, has_type};

/// The paths of one rule set's emitted code.
pub(super) struct Paths {
    /// What the facade keeps for emitted code.
    pub(super) private: TokenStream,
}

impl Paths {
    pub(super) fn new(rules: &Rules) -> Paths {
        let krate = rules.krate.as_ref().map_or_else(|| quote!(::promote), |krate| quote!(#krate));
        Paths { private: quote!(#krate::__private) }
    }

    /// The paths in a block that begins with `use .. as __p;`: one token instead of five, thousands of times.
    pub(super) fn short() -> Paths {
        Paths { private: quote!(__p) }
    }

    /// The Rust type of a dtype that has one.
    pub(super) fn ty(&self, rules: &Rules, id: DTypeId) -> Option<TokenStream> {
        let (p, dtype) = (&self.private, &rules.dtypes[id.index()]);
        if let Some(path) = &dtype.path {
            return Some(quote!(#path));
        }
        has_type(&dtype.name).then(|| standard_type(p, &dtype.name))
    }

    /// The `DType` of a dtype.
    pub(super) fn dtype(&self, rules: &Rules, id: DTypeId) -> TokenStream {
        let (p, dtype) = (&self.private, &rules.dtypes[id.index()]);
        // A dtype is known by its address: one that a base declares is the base's.
        if let (Some(base), None, None, 1..) = (&rules.base, &dtype.path, dtype.format, dtype.layer) {
            let name = &dtype.name;
            return quote!(#base::TABLES.dtype(#name));
        }
        match (&dtype.path, dtype.format) {
            (Some(path), _) => quote!(<#path as #p::Element>::DTYPE),
            (None, Some(_)) => {
                // The variants are the names in capitals, and `Bool`.
                let capitals = dtype.name.bytes().any(|byte| byte.is_ascii_digit());
                let variant = if capitals { dtype.name.to_uppercase() } else { pascal(&dtype.name) };
                let variant = format_ident!("{variant}");
                quote!(#p::DType::#variant)
            }
            (None, None) => {
                let (name, bits) = (&dtype.name, dtype.bits);
                // A static has one address; a constant may have several.
                quote! {
                    {
                        static DTYPE: #p::CustomDType = #p::CustomDType::new(#name, #bits, 1);
                        #p::DType::Custom(&DTYPE)
                    }
                }
            }
        }
    }

    /// The type of an op.
    pub(super) fn op(&self, op: &Op) -> TokenStream {
        if let Some(path) = &op.path {
            return quote!(#path);
        }
        let (p, name) = (&self.private, format_ident!("{}", pascal(&op.name)));
        quote!(#p::op::#name)
    }

    /// The `Op` of an op.
    pub(super) fn op_value(&self, op: &Op) -> TokenStream {
        let p = &self.private;
        if let Some(path) = &op.path {
            return quote!(<#path as #p::OpType>::OP);
        }
        let variant = format_ident!("{}", pascal(&op.name));
        quote!(#p::Op::#variant)
    }

    /// The type of an op's kernels, with the words of its semantics, if it has kernels.
    pub(super) fn kernel(&self, op: &Op) -> Option<TokenStream> {
        op.kernel_key().map(|key| kernel_type(&self.private, key))
    }
}

/// The type of the kernels of an op with its words.
pub(super) fn kernel_type(p: &TokenStream, key: KernelKey) -> TokenStream {
    let name = format_ident!("{}", pascal(key.name));
    let mut words = key.words().map(|(key, word)| {
        format_ident!("{key}_{word}", key = key.to_uppercase(), word = word.to_uppercase())
    });
    let Some(first) = words.next() else {
        return quote!(#p::ops::#name);
    };
    quote!(#p::ops::#name<{ #p::ops::words::#first #(| #p::ops::words::#words)* }>)
}

/// The Rust type of a standard dtype.
pub(super) fn standard_type(private: &TokenStream, name: &str) -> TokenStream {
    let ty = format_ident!("{name}");
    quote!(#private::t::#ty)
}
