//! Absolute paths in emitted code, so that no name of the user's shadows them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use promote_core::__private::semantics;

use crate::model::{DTypeId, KernelOp, Op, Rules, StandardDType, StandardOp};

/// The paths in the emitted code of a rule set.
pub(super) struct Paths {
    /// The facade's module for emitted code.
    pub(super) private: TokenStream,
}

impl Paths {
    pub(super) fn new(rules: &Rules) -> Paths {
        let krate = rules.krate.as_ref().map_or_else(|| quote!(::promote), |krate| quote!(#krate));
        Paths { private: quote!(#krate::__private) }
    }

    /// Returns the paths in a block that begins with `use .. as __p;`. They occur thousands of times, so a
    /// short alias saves compile time.
    pub(super) fn short() -> Paths {
        Paths { private: quote!(__p) }
    }

    /// Returns the Rust type of a dtype, if it has one.
    pub(super) fn ty(&self, rules: &Rules, id: DTypeId) -> Option<TokenStream> {
        let (p, dtype) = (&self.private, &rules.dtypes[id.index()]);
        if let Some(path) = &dtype.path {
            return Some(quote!(#path));
        }
        dtype.standard.filter(|standard| standard.has_type()).map(|standard| standard_type(p, standard))
    }

    /// Returns the `DType` of a dtype.
    pub(super) fn dtype(&self, rules: &Rules, id: DTypeId) -> TokenStream {
        let (p, dtype) = (&self.private, &rules.dtypes[id.index()]);
        // Dtypes are compared by address, so a dtype that a base declares has to be the base's.
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

    /// Returns the type of an op that has one: a standard op, or a custom op with kernels.
    pub(super) fn op(&self, op: &Op) -> TokenStream {
        if let Some(path) = &op.path {
            return quote!(#path);
        }
        let p = &self.private;
        let name = format_ident!("{}", op.standard.map_or("", StandardOp::variant));
        quote!(#p::op::#name)
    }

    /// Returns the `Op` of an op.
    pub(super) fn op_value(&self, op: &Op) -> TokenStream {
        let p = &self.private;
        if let Some(path) = &op.path {
            return quote!(<#path as #p::OpType>::OP);
        }
        if let Some(arity) = op.declared {
            let name = &op.name;
            return quote! {
                {
                    static OP: #p::CustomOp = #p::CustomOp::without_kernels(#name, #arity);
                    #p::Op::Custom(&OP)
                }
            };
        }
        let variant = format_ident!("{}", op.standard.map_or("", StandardOp::variant));
        quote!(#p::Op::#variant)
    }

    /// Returns the type of an op's kernels, with its semantics, if it has kernels.
    pub(super) fn kernel(&self, op: &Op) -> Option<TokenStream> {
        op.kernel_op().map(|op| kernel_type(&self.private, op))
    }
}

/// Returns the type of the kernels of an op with its semantics.
pub(super) fn kernel_type(p: &TokenStream, op: KernelOp) -> TokenStream {
    let name = format_ident!("{}", op.op().variant());
    let mut bits = semantics::names(op.semantics()).map(|name| format_ident!("{name}"));
    let Some(first) = bits.next() else {
        return quote!(#p::ops::#name);
    };
    quote!(#p::ops::#name<{ #p::semantics::#first #(| #p::semantics::#bits)* }>)
}

/// Returns the Rust type of a standard dtype.
pub(super) fn standard_type(private: &TokenStream, dtype: StandardDType) -> TokenStream {
    let ty = format_ident!("{}", dtype.name());
    quote!(#private::t::#ty)
}
