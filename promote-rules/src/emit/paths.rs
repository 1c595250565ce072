//! How emitted code names things: absolute paths, so that no name of the user's is in the way.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use promote_core::semantics;

use crate::model::{DTypeId, KernelOp, Op, Rules, StandardDType, StandardOp};

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
        dtype.standard.filter(|standard| standard.has_type()).map(|standard| standard_type(p, standard))
    }

    /// The `DType` of a dtype.
    pub(super) fn dtype(&self, rules: &Rules, id: DTypeId) -> TokenStream {
        let (p, dtype) = (&self.private, &rules.dtypes[id.index()]);
        // A dtype is known by its address: one that a base declares is the base's.
        if let (Some(base), None, None, 1..) = (&rules.base, &dtype.path, dtype.standard, dtype.layer) {
            let name = &dtype.name;
            return quote!(#base::TABLES.dtype(#name));
        }
        match (&dtype.path, dtype.standard) {
            (Some(path), _) => quote!(<#path as #p::Element>::DTYPE),
            (None, Some(standard)) => {
                let variant = format_ident!("{}", standard.variant());
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
        let p = &self.private;
        let name = format_ident!("{}", op.standard.map_or("", StandardOp::variant));
        quote!(#p::op::#name)
    }

    /// The `Op` of an op.
    pub(super) fn op_value(&self, op: &Op) -> TokenStream {
        let p = &self.private;
        if let Some(path) = &op.path {
            return quote!(<#path as #p::OpType>::OP);
        }
        let variant = format_ident!("{}", op.standard.map_or("", StandardOp::variant));
        quote!(#p::Op::#variant)
    }

    /// The type of an op's kernels, with the words of its semantics, if it has kernels.
    pub(super) fn kernel(&self, op: &Op) -> Option<TokenStream> {
        op.kernel_op().map(|op| kernel_type(&self.private, op))
    }
}

/// The type of the kernels of an op with its semantics.
pub(super) fn kernel_type(p: &TokenStream, op: KernelOp) -> TokenStream {
    let name = format_ident!("{}", op.op().variant());
    let mut bits = semantics::names(op.semantics()).map(|name| format_ident!("{name}"));
    let Some(first) = bits.next() else {
        return quote!(#p::ops::#name);
    };
    quote!(#p::ops::#name<{ #p::semantics::#first #(| #p::semantics::#bits)* }>)
}

/// The Rust type of a standard dtype.
pub(super) fn standard_type(private: &TokenStream, dtype: StandardDType) -> TokenStream {
    let ty = format_ident!("{}", dtype.name());
    quote!(#private::t::#ty)
}
