//! The ops of a rule set as functions of its type: `Torch::add(a, b)` and `Torch::add_into(&a, &b, &mut out)`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::pascal;
use super::paths::Paths;
use crate::model::Rules;

pub(super) fn functions(rules: &Rules, paths: &Paths) -> TokenStream {
    let (p, set) = (&paths.private, &rules.name);
    let computed = || rules.ops.iter().filter(|op| op.info.kernel.is_some());
    let scalars = computed().map(|op| {
        let (name, ty) = (format_ident!("{}", op.info.name), format_ident!("{}", pascal(op.info.name)));
        let doc = format!(
            " `{name}` of two elements: each is converted to the common dtype, the op computes in its compute dtype, and the\n \
             result is rounded once. Integers wrap."
        );
        quote! {
            #[doc = #doc]
            #[inline]
            pub fn #name<A, B>(a: A, b: B) -> #p::OpOutput<#p::op::#ty, A, B, Self>
            where
                Self: #p::Compute<#p::op::#ty, A, B>,
            {
                <Self as #p::Compute<#p::op::#ty, A, B>>::compute(a, b)
            }
        }
    });
    let slices = computed().map(|op| {
        let (name, ty) = (format_ident!("{}_into", op.info.name), format_ident!("{}", pascal(op.info.name)));
        let doc = format!(
            " `out[i] = {}(a[i], b[i])`. `a`, `b` and `out` have the same length; 0 is fine.",
            op.info.name
        );
        quote! {
            #[doc = #doc]
            ///
            /// # Errors
            /// The lengths differ; `out` is then as it was.
            #[inline]
            pub fn #name<A, B>(
                a: &[A],
                b: &[B],
                out: &mut [#p::OpOutput<#p::op::#ty, A, B, Self>],
            ) -> ::core::result::Result<(), #p::CallError>
            where
                A: #p::Element,
                B: #p::Element,
                Self: #p::OpRule<#p::op::#ty, A, B> + #p::OpKernel<#p::op::#ty>,
            {
                #p::call::<Self, #p::op::#ty, A, B>(a, b, out)
            }
        }
    });
    quote! {
        impl #set {
            #(#scalars)*
        }

        #p::if_kernels! {
            impl #p::KernelSource for #set {
                const KERNELS: &'static #p::Kernels = #p::KERNELS;
            }

            impl #set {
                #(#slices)*
            }
        }
    }
}
