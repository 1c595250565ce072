//! The ops of a rule set as functions of its type: `Torch::add(a, b)` and `Torch::add_into(&a, &b, &mut out)`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::pascal;
use super::paths::Paths;
use crate::model::{Gives, OpInfo, Rules};

pub(super) fn functions(rules: &Rules, paths: &Paths) -> TokenStream {
    let (p, set) = (&paths.private, &rules.name);
    let computed = || rules.ops.iter().filter(|op| op.info.kernel.is_some());
    let scalars = computed().map(|op| scalar(op.info, p));
    let slices = computed().map(|op| slice(op.info, p));
    let in_place = computed().map(|op| in_place(op.info, p));
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
                #(#in_place)*
            }
        }
    }
}

/// The Rust function of an op: `where` is a keyword.
fn function(op: &OpInfo) -> String {
    if op.name == "where" { "where_".to_owned() } else { op.name.to_owned() }
}

fn scalar(op: &OpInfo, p: &TokenStream) -> TokenStream {
    let (name, ty) = (format_ident!("{}", function(op)), format_ident!("{}", pascal(op.name)));
    if op.name == "where" {
        return quote! {
            /// `a` where the condition holds, else `b`, converted to their common dtype.
            #[inline]
            pub fn #name<A, B>(condition: ::core::primitive::bool, a: A, b: B) -> #p::OpOutput<#p::op::#ty, A, B, Self>
            where
                Self: #p::OpRule<#p::op::#ty, A, B>,
                A: #p::ConvertTo<#p::OpOutput<#p::op::#ty, A, B, Self>>,
                B: #p::ConvertTo<#p::OpOutput<#p::op::#ty, A, B, Self>>,
            {
                #p::op::choose::<Self, #p::op::#ty, A, B>(condition, a, b)
            }
        };
    }
    if op.arity == 1 {
        let doc = format!(
            " `{name}` of an element: it is converted to the common dtype, the op computes in its compute dtype, and the\n \
             result is rounded once. Integers wrap."
        );
        return quote! {
            #[doc = #doc]
            #[inline]
            pub fn #name<A>(a: A) -> <Self as #p::UnaryRule<#p::op::#ty, A>>::Output
            where
                Self: #p::ComputeUnary<#p::op::#ty, A>,
            {
                <Self as #p::ComputeUnary<#p::op::#ty, A>>::compute(a)
            }
        };
    }
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
}

fn slice(op: &OpInfo, p: &TokenStream) -> TokenStream {
    let (name, ty) = (format_ident!("{}_into", op.name), format_ident!("{}", pascal(op.name)));
    if op.arity == 1 {
        let doc = format!(" `out[i] = {}(a[i])`. `a` and `out` have the same length; 0 is fine.", op.name);
        return quote! {
            #[doc = #doc]
            ///
            /// # Errors
            /// The lengths differ; `out` is then as it was.
            #[inline]
            pub fn #name<A>(
                a: &[A],
                out: &mut [<Self as #p::UnaryRule<#p::op::#ty, A>>::Output],
            ) -> ::core::result::Result<(), #p::CallError>
            where
                A: #p::Element,
                Self: #p::UnaryRule<#p::op::#ty, A> + #p::OpKernel<#p::op::#ty>,
            {
                #p::call_unary::<Self, #p::op::#ty, A>(a, out)
            }
        };
    }
    let (doc, condition, call, argument) = if op.name == "where" {
        let doc = " `out[i] = if condition[i] { a[i] } else { b[i] }`. All have the same length; 0 is fine."
            .to_owned();
        let condition = quote!(condition: &[::core::primitive::bool],);
        (doc, condition, quote!(call_where), quote!(condition,))
    } else {
        let doc = format!(
            " `out[i] = {}(a[i], b[i])`. `a`, `b` and `out` have the same length; 0 is fine.",
            op.name
        );
        (doc, quote!(), quote!(call), quote!())
    };
    let errors = errors(op);
    quote! {
        #[doc = #doc]
        ///
        /// # Errors
        #[doc = #errors]
        #[inline]
        pub fn #name<A, B>(
            #condition
            a: &[A],
            b: &[B],
            out: &mut [#p::OpOutput<#p::op::#ty, A, B, Self>],
        ) -> ::core::result::Result<(), #p::CallError>
        where
            A: #p::Element,
            B: #p::Element,
            Self: #p::OpRule<#p::op::#ty, A, B> + #p::OpKernel<#p::op::#ty>,
        {
            #p::#call::<Self, #p::op::#ty, A, B>(#argument a, b, out)
        }
    }
}

/// What a call over slices can refuse.
fn errors(op: &OpInfo) -> String {
    let refuses = op.semantics.iter().any(|choice| ["by_zero", "negative_exponent"].contains(&choice.key));
    let values = if refuses { ", or the op refuses a value of `b`" } else { "" };
    format!(" The lengths differ{values}; `out` is then as it was.")
}

/// The op with its result in the place of its left operand; nothing for what always gives a bool, and for `where`.
fn in_place(op: &OpInfo, p: &TokenStream) -> TokenStream {
    let keeps = op.kernel.is_some_and(|kernel| kernel.gives != Gives::Truth);
    if !keeps || op.name == "where" {
        return TokenStream::new();
    }
    let (name, ty) = (format_ident!("{}_in_place", op.name), format_ident!("{}", pascal(op.name)));
    if op.arity == 1 {
        let doc = format!(" `out[i] = {}(out[i])`, for a dtype of which the op gives the same.", op.name);
        return quote! {
            #[doc = #doc]
            ///
            /// # Errors
            /// This build has no kernel.
            #[inline]
            pub fn #name<A>(out: &mut [A]) -> ::core::result::Result<(), #p::CallError>
            where
                A: #p::Element,
                Self: #p::UnaryRule<#p::op::#ty, A, Output = A> + #p::OpKernel<#p::op::#ty>,
            {
                #p::call_unary_in_place::<Self, #p::op::#ty, A>(out)
            }
        };
    }
    let doc = format!(
        " `out[i] = {}(out[i], b[i])`, where the result has the dtype of the left operand. Both have the same length; 0 is fine.",
        op.name
    );
    let errors = errors(op);
    quote! {
        #[doc = #doc]
        ///
        /// # Errors
        #[doc = #errors]
        #[inline]
        pub fn #name<A, B>(out: &mut [A], b: &[B]) -> ::core::result::Result<(), #p::CallError>
        where
            A: #p::Element,
            B: #p::Element,
            Self: #p::OpRule<#p::op::#ty, A, B, Output = A> + #p::OpKernel<#p::op::#ty>,
        {
            #p::call_in_place::<Self, #p::op::#ty, A, B>(out, b)
        }
    }
}
