//! `#[kernel(simd)]`: a custom op, defined by a function of one vector.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{FnArg, GenericParam, ItemFn, Pat, Path, ReturnType, Type, TypeParamBound};

use super::{Arguments, MAX_INPUTS, Names, is_new, no_qualifiers, rule};
use crate::diag::Errors;
use crate::model::StandardOp;

/// The vectors of a body, and the type of their lanes.
const VECTORS: [(&str, &str); 2] = [("f32s", "f32"), ("f64s", "f64")];

/// The parts of a function of vectors.
pub(super) struct SimdSignature<'a> {
    /// The type of the lanes.
    number: &'static str,
    inputs: Vec<&'a Ident>,
}

/// A form of the signature, for messages.
const FORM: &str = "fn name<S: pulp::Simd>(simd: S, x: S::f32s, y: S::f32s) -> S::f32s";

impl<'a> SimdSignature<'a> {
    pub(super) fn of(errors: &mut Errors, function: &'a ItemFn) -> Option<SimdSignature<'a>> {
        let signature = &function.sig;
        is_new(errors, &signature.ident);
        let form = format!("write `{FORM}`");
        let [GenericParam::Type(parameter)] = &signature.generics.params.iter().collect::<Vec<_>>()[..]
        else {
            let generics = &signature.generics.params;
            let span = if generics.is_empty() { signature.ident.span() } else { generics.span() };
            errors.push(span, "a kernel of vectors has one type parameter, the SIMD instructions").help(form);
            return None;
        };
        let level = &parameter.ident;
        if let Some(clause) = &signature.generics.where_clause {
            errors
                .push(clause.span(), "the bound of a kernel's SIMD instructions stands at the parameter")
                .help(format!("write `fn {}<{level}: pulp::Simd>(..)`", signature.ident));
        }
        let is_simd = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == "Simd"));
        if signature.generics.where_clause.is_none()
            && (parameter.bounds.len() != 1 || !parameter.bounds.iter().all(is_simd))
        {
            let span = if parameter.bounds.is_empty() { level.span() } else { parameter.bounds.span() };
            errors
                .push(span, format!("the bound of `{level}` is `pulp::Simd` alone"))
                .help(format!("write `{level}: pulp::Simd`, with `use promote::pulp;`"));
        }
        no_qualifiers(errors, signature);
        let mut arguments = signature.inputs.iter();
        match arguments.next() {
            Some(FnArg::Typed(first)) if is_parameter(&first.ty, level) => {}
            first => {
                let span = first.map_or_else(|| signature.ident.span(), Spanned::span);
                errors
                    .push(
                        span,
                        format!("the first argument of a kernel of vectors is the token, of type `{level}`"),
                    )
                    .help(form);
                return None;
            }
        }
        // All vectors are like the result.
        let result = match &signature.output {
            ReturnType::Type(_, ty) => vector(ty, level),
            ReturnType::Default => None,
        };
        let Some((vector, number)) = result else {
            let span = match &signature.output {
                ReturnType::Type(_, ty) => ty.span(),
                ReturnType::Default => signature.ident.span(),
            };
            errors
                .push(span, "a kernel of vectors gives a vector of `f32` or of `f64`")
                .help(format!("write `-> {level}::f32s` or `-> {level}::f64s`"));
            return None;
        };
        let mut inputs = Vec::new();
        for argument in arguments {
            let FnArg::Typed(argument) = argument else { continue };
            if !matches!(self::vector(&argument.ty, level), Some((found, _)) if found == vector) {
                errors
                    .push(
                        argument.ty.span(),
                        format!("the inputs of this kernel are vectors of `{number}`, as its result is"),
                    )
                    .help(format!("write `{level}::{vector}`: operands of other dtypes are converted to it"));
            }
            match &*argument.pat {
                Pat::Ident(pat) => inputs.push(&pat.ident),
                other => {
                    errors
                        .push(other.span(), "an input of a kernel has a name")
                        .help(format!("give it one: `x: {level}::{vector}`"));
                }
            }
        }
        let count = signature.inputs.len() - 1;
        if count == 0 || count > MAX_INPUTS {
            errors
                .push(
                    signature.ident.span(),
                    format!("a kernel takes 1 to {MAX_INPUTS} inputs beside the token, not {count}"),
                )
                .help(if count == 0 {
                    format!("give it one, as `x: {level}::{vector}`")
                } else {
                    format!("what is the same everywhere can be a constant of the body: `simd.splat_{vector}(2.5)`")
                });
        }
        Some(SimdSignature { number, inputs })
    }

    pub(super) fn emit(&self, function: &ItemFn, arguments: &Arguments) -> TokenStream {
        let krate = &arguments.krate;
        let p = quote!(#krate::__private);
        let name = &function.sig.ident;
        let names = Names::of(function);
        let (op, text, extension) = (&names.op, &names.text, &names.extension);
        let count = proc_macro2::Literal::usize_unsuffixed(self.inputs.len());
        let (number, vector) = (format_ident!("{}", self.number), format_ident!("{}s", self.number));
        let inner = super::inner(function);
        let like = format_ident!("{}", arguments.like.unwrap_or(StandardOp::Divide).variant());
        let named = arguments.named.is_some();
        let rule = rule(op, &like, named);
        let like = super::like_option(&like, named);
        let functions = super::functions(function, &names, &self.inputs, &p);
        let own: Vec<_> = (0..self.inputs.len()).map(|i| format_ident!("__input{i}")).collect();
        quote! {
            #functions

            #[allow(dead_code, clippy::inline_always)]
            #[inline(always)]
            #inner

            const _: () = {
                use #p as __p;

                impl<__R: __p::Rules> #extension for __R {}

                #rule

                __p::levels! { mod __levels }

                impl __p::SimdBody<#number, #count> for #op {
                    #[inline(always)]
                    fn eval<__S: __p::pulp::Simd>(__simd: __S, [#(#own),*]: [__S::#vector; #count]) -> __S::#vector {
                        #name(__simd, #(#own),*)
                    }
                }

                __p::simd_body! { #op #number #count #text #like }
            };
        }
    }
}

fn is_parameter(ty: &Type, parameter: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(parameter))
}

/// Returns the name of a vector type of a level, such as `S::f32s`, and the type of its lanes.
fn vector(ty: &Type, level: &Ident) -> Option<(&'static str, &'static str)> {
    let path: &Path = match ty {
        Type::Path(ty) if ty.qself.is_none() => &ty.path,
        _ => return None,
    };
    let [of, name] = &path.segments.iter().collect::<Vec<_>>()[..] else { return None };
    let found = VECTORS.into_iter().find(|(vector, _)| name.ident == vector)?;
    (of.ident == *level && of.arguments.is_none() && name.arguments.is_none()).then_some(found)
}
