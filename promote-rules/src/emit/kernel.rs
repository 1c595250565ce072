//! `#[kernel]`: a custom op, defined by a generic function of one lane.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Expr, FnArg, GenericParam, ItemFn, Pat, ReturnType, Type, TypeParamBound};

use super::attribute::AttributeOptions;
use super::functions::function;
use crate::bundled::did_you_mean_op;
use crate::diag::Errors;
use crate::model::StandardOp;
use crate::model::pascal;
use simd::SimdSignature;

mod body;
mod simd;

/// The greatest number of inputs of a kernel.
const MAX_INPUTS: usize = promote_core::CustomOp::MAX_INPUTS;

/// The bounds of kernel bodies. Without `like` and `named`, a kernel has the dtypes of the op beside its
/// bound.
const BOUNDS: [(&str, StandardOp); 3] =
    [("Arithmetic", StandardOp::Add), ("Ordered", StandardOp::Add), ("Floating", StandardOp::Divide)];

/// Emits the op, its functions and its kernels.
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let arguments = Arguments::parse(&mut errors, arguments);
    let function = match syn::parse2::<ItemFn>(item) {
        Ok(function) => function,
        Err(error) => {
            errors
                .push(error.span(), "a kernel is a function with a body")
                .help("write `#[kernel] fn name<T>(a: T, b: T) -> T { .. }`");
            return errors.to_compile_errors();
        }
    };
    let emitted = if arguments.simd {
        let signature = SimdSignature::of(&mut errors, &function);
        signature.map(|signature| signature.emit(&function, &arguments))
    } else {
        let signature = Signature::of(&mut errors, &function);
        signature.map(|signature| signature.emit(&function, &arguments))
    };
    match errors.or(()) {
        Ok(()) => emitted.unwrap_or_default(),
        Err(errors) => {
            let (errors, declarations) =
                (errors.to_compile_errors(), declarations(&function, arguments.simd));
            quote!(#errors #declarations)
        }
    }
}

/// Emits a placeholder for a kernel that has mistakes, so that rustc reports only these: its names, and its
/// signature, which uses the types that it mentions.
fn declarations(function: &ItemFn, simd: bool) -> TokenStream {
    let signature = syn::Signature {
        constness: None,
        asyncness: None,
        safety: syn::Safety::Default,
        output: syn::parse_quote!(-> !),
        ..function.sig.clone()
    };
    let stub = quote!(#[allow(dead_code, unused_variables)] #signature { loop {} });
    if signature.receiver().is_some() {
        return stub;
    }
    // Without its bound `S::f32s` would be one more mistake.
    let unbound = simd && function.sig.generics.type_params().any(|level| level.bounds.is_empty());
    let stub = (!unbound).then_some(stub);
    let (Names { op, extension, .. }, vis) = (Names::of(function), &function.vis);
    quote! {
        #[allow(dead_code, missing_docs)]
        #vis struct #op;
        #[allow(dead_code, missing_docs)]
        #vis trait #extension {}
        const _: () = { #stub };
    }
}

const OPTIONS: AttributeOptions = AttributeOptions {
    target: "`#[kernel(..)]`",
    known: &["crate = path", "like = divide", "named", "simd"],
    beside: None,
};

/// The arguments of `#[kernel(..)]`.
struct Arguments {
    krate: TokenStream,
    like: Option<StandardOp>,
    named: Option<Span>,
    /// True if the function computes vectors.
    simd: bool,
}

impl Arguments {
    fn parse(errors: &mut Errors, tokens: TokenStream) -> Arguments {
        let mut found = Arguments { krate: quote!(::promote), like: None, named: None, simd: false };
        OPTIONS.of_arguments(errors, tokens, |errors, option| {
            match &*option.name {
                "crate" => found.krate = option.path()?.into_token_stream(),
                "like" => found.like = like(errors, &option.value()?),
                "simd" => {
                    option.alone()?;
                    found.simd = true;
                }
                _ => found.named = Some(option.alone()?),
            }
            Ok(())
        });
        if let (Some(_), Some(named)) = (found.like, found.named) {
            errors.push(named, "`like` and `named` exclude each other").help(
                "keep `like` for the dtypes of a standard op, or `named` for those that rule files say",
            );
        }
        found
    }
}

/// Reads the op whose dtypes the kernel shares.
fn like(errors: &mut Errors, value: &Expr) -> Option<StandardOp> {
    let name = match value {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    };
    let Some(op) = name else {
        errors
            .push(value.span(), "`like` takes the name of an op")
            .help("write its name alone: `like = divide`");
        return None;
    };
    let known = || {
        let ops = StandardOp::STANDARD.iter().copied();
        ops.filter(|known| known.arity() == 2 && known.info().kernel.is_some())
    };
    let found = known().find(|known| op == known.name());
    if found.is_none() {
        let help = did_you_mean_op(&op.to_string(), known().map(StandardOp::name));
        errors
            .push(op.span(), format!("`{op}` is no op of two operands, as `like` needs"))
            .help(help.unwrap_or_else(|| "write one such as `like = add`, `divide` or `less`".to_owned()));
    }
    found
}

/// The parts of the function.
struct Signature<'a> {
    bound: &'static str,
    like: StandardOp,
    inputs: Vec<&'a syn::Ident>,
    /// True if the parameter has no bound, which is then added.
    bare: bool,
}

impl<'a> Signature<'a> {
    fn of(errors: &mut Errors, function: &'a ItemFn) -> Option<Signature<'a>> {
        let signature = &function.sig;
        is_new(errors, &signature.ident);
        let generic = "write it for one type of numbers: `fn name<T>(a: T, b: T) -> T`";
        let [GenericParam::Type(parameter)] = &signature.generics.params.iter().collect::<Vec<_>>()[..]
        else {
            let span = if signature.generics.params.is_empty() {
                signature.ident.span()
            } else {
                signature.generics.params.span()
            };
            errors.push(span, "a kernel has one type parameter, the type of its numbers").help(generic);
            return None;
        };
        if let Some(clause) = &signature.generics.where_clause {
            errors
                .push(clause.span(), "the bound of a kernel's numbers stands at the parameter")
                .help("write `fn name<T: Floating>(..)`");
        }
        no_qualifiers(errors, signature);
        let inputs = inputs(errors, signature, &parameter.ident);
        result(errors, signature, &parameter.ident);
        let named = |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(bound) => {
                let last = bound.path.segments.last()?.ident.to_string();
                BOUNDS.iter().find(|known| known.0 == last)
            }
            _ => None,
        };
        // The last of several bounds is the strictest.
        let strength = |known: &&(&str, StandardOp)| BOUNDS.iter().position(|bound| bound == *known);
        let bare = parameter.bounds.is_empty();
        let found = if bare {
            BOUNDS.first()
        } else {
            parameter.bounds.iter().filter_map(named).max_by_key(strength)
        };
        let Some(&(bound, like)) = found else {
            errors
                .push(parameter.bounds.span(), "unknown bound of a kernel's numbers")
                .help("bound it by `Arithmetic` (integers, floats, complex), `Ordered` (integers, floats) or `Floating`");
            return None;
        };
        // The types of a kernel's numbers are internal, so rustc would report a missing impl that no user can
        // write.
        for further in parameter.bounds.iter().filter(|bound| named(bound).is_none()) {
            let number = &parameter.ident;
            errors
                .push(further.span(), format!("the numbers of a kernel have one bound, and `{bound}` is one"))
                .help(format!(
                    "remove it: `{number}::of(2.5)` makes a number; what is compared is `Ordered`, and what is divided `Floating`"
                ));
        }
        body::check(errors, function, &parameter.ident, &inputs, bound);
        Some(Signature { bound, like, inputs, bare })
    }

    fn emit(&self, function: &ItemFn, arguments: &Arguments) -> TokenStream {
        let krate = &arguments.krate;
        let p = quote!(#krate::__private);
        let name = &function.sig.ident;
        let names = Names::of(function);
        let op = &names.op;
        let bound = format_ident!("{}", self.bound);
        let class = format_ident!("{}", self.bound.to_lowercase());
        let count = proc_macro2::Literal::usize_unsuffixed(self.inputs.len());
        let mut inner = inner(function);
        if self.bare
            && let Some(GenericParam::Type(parameter)) = inner.sig.generics.params.first_mut()
        {
            parameter.bounds.push(syn::parse_quote!(#p::lanes::#bound));
        }
        let like = format_ident!("{}", arguments.like.unwrap_or(self.like).variant());
        let named = arguments.named.is_some();
        let rule = rule(op, &like, named);
        let like = like_option(&like, named);
        let functions = functions(function, &names, &self.inputs, &p);
        let (text, extension) = (&names.text, &names.extension);
        let own: Vec<_> = (0..self.inputs.len()).map(|i| format_ident!("__input{i}")).collect();
        quote! {
            #functions

            // Other kernels may call the function. Lints of the user's code stay.
            #[allow(dead_code, clippy::inline_always)]
            #[inline(always)]
            #inner

            const _: () = {
                use #p as __p;

                impl<__R: __p::Rules> #extension for __R {}

                #rule

                __p::if_kernels! {
                    __p::levels! { mod __levels }
                }

                #[inline(always)]
                fn __eval<T: __p::lanes::#bound>([#(#own),*]: [T; #count]) -> T {
                    #name(#(#own),*)
                }

                __p::bodies! { #class #op #count __eval #text #like }
            };
        }
    }
}

/// Returns the function itself, which becomes kernels. The op's functions carry some of its attributes.
fn inner(function: &ItemFn) -> ItemFn {
    let mut inner = function.clone();
    let carried = |attribute: &syn::Attribute| {
        ["inline", "deprecated"].iter().any(|name| attribute.path().is_ident(name))
    };
    inner.attrs.retain(|attribute| !carried(attribute));
    // Lints skip an item that begins in an expansion: pedantic ones would report our `#[inline(always)]`.
    inner.sig.fn_token.span = Span::call_site();
    inner
}

/// Emits the op whose dtypes the kernel has at run time, if it has those of another op.
fn like_option(like: &syn::Ident, named: bool) -> TokenStream {
    if named {
        quote!(::core::option::Option::None)
    } else {
        quote!(::core::option::Option::Some(__p::Op::#like))
    }
}

/// Emits the op as a type, and the trait by which rule sets get its functions.
fn functions(function: &ItemFn, names: &Names, inputs: &[&syn::Ident], p: &TokenStream) -> TokenStream {
    let Names { op, extension, into, text } = names;
    let (vis, name) = (&function.vis, &function.sig.ident);
    let of =
        |name: &'static str| function.attrs.iter().filter(move |attribute| attribute.path().is_ident(name));
    let (docs, deprecated, must_use) = (of("doc"), of("deprecated"), of("must_use"));
    let docs = quote!(#(#docs)*);
    let (scalar_attributes, into_attributes) = {
        let deprecated = quote!(#(#deprecated)*);
        (quote!(#deprecated #(#must_use)*), deprecated)
    };
    let out = if inputs.iter().any(|input| *input == "out") { "results" } else { "out" };
    let out = format_ident!("{out}");
    let types: Vec<_> = (0..inputs.len()).map(|i| format_ident!("__Input{i}")).collect();
    let doc_op = format!(" The op `{text}` as a type. The trait [`{extension}`] has its functions.");
    let doc_extension = format!(
        " Functions of the op `{text}` for every rule set: `Torch::{text}(..)` and `Torch::{into}(.., &mut out)`."
    );
    let doc_scalar = " Computes the op of single elements. They are converted to their common dtype, and the result is rounded once.";
    let doc_into = " Computes the op of slices and of single elements, which are broadcast. All slices and `out` have the same length, \
                    which may be 0.";
    quote! {
        #docs
        ///
        #[doc = #doc_op]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::default::Default)]
        #vis struct #op;

        #docs
        ///
        #[doc = #doc_extension]
        #vis trait #extension: #p::Rules {
            #docs
            ///
            #[doc = #doc_scalar]
            #scalar_attributes
            fn #name<#(#types),*>(#(#inputs: #types),*) -> #p::KernelOutput<#op, Self, (#(#types,)*)>
            where
                #op: #p::ComputeKernel<Self, (#(#types,)*)>,
            {
                <#op as #p::ComputeKernel<Self, (#(#types,)*)>>::compute((#(#inputs,)*))
            }

            #p::if_kernels_method! {
                #docs
                ///
                #[doc = #doc_into]
                ///
                /// # Errors
                /// Returns an error, and leaves `out` unchanged, if the lengths differ.
                #into_attributes
                fn #into<#(#types),*>(
                    #(#inputs: #types,)*
                    #out: &mut [<#op as #p::CallKernel<Self, (#(#types,)*)>>::Output],
                ) -> ::core::result::Result<(), #p::CallError>
                where
                    #op: #p::CallKernel<Self, (#(#types,)*)>,
                {
                    <#op as #p::CallKernel<Self, (#(#types,)*)>>::call((#(#inputs,)*), #out)
                }
            }
        }
    }
}

/// Checks that the function has no qualifiers.
fn no_qualifiers(errors: &mut Errors, signature: &syn::Signature) {
    let (safety, what) = match &signature.safety {
        syn::Safety::Unsafe(token) => (Some(token.span()), "unsafe"),
        syn::Safety::Safe(token) => (Some(token.span()), "safe"),
        syn::Safety::Default => (None, ""),
    };
    for (token, what) in [
        (signature.asyncness.map(|t| t.span()), "async"),
        (safety, what),
        (signature.constness.map(|t| t.span()), "const"),
    ] {
        if let Some(span) = token {
            errors
                .push(span, format!("a kernel cannot be `{what}`"))
                .help(format!("its body is plain arithmetic: remove `{what}`"));
        }
    }
}

/// Checks that the kernel's name is not that of a rule set's own function, which would shadow it.
fn is_new(errors: &mut Errors, name: &syn::Ident) {
    const METHODS: [&str; 10] = [
        "new",
        "rule_set",
        "promote_types",
        "result_type",
        "op_types",
        "data",
        "apply",
        "common",
        "sum",
        "dot",
    ];
    let text = name.unraw().to_string();
    let ops = StandardOp::STANDARD.iter().copied().filter(|op| op.info().kernel.is_some());
    if ops.map(function).any(|op| op == text) || METHODS.contains(&text.as_str()) {
        errors
            .push(name.span(), format!("rule sets have a function `{text}` already"))
            .help(format!("give the kernel another name, such as `my_{text}`"));
    }
}

/// Returns the names of the inputs, and checks that each is a number of the parameter's type.
fn inputs<'a>(
    errors: &mut Errors,
    signature: &'a syn::Signature,
    parameter: &syn::Ident,
) -> Vec<&'a syn::Ident> {
    let mut inputs = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(pat) if is(&typed.ty, parameter) => inputs.push(&pat.ident),
                Pat::Ident(_) => {
                    errors
                        .push(typed.ty.span(), "every input of a kernel is a number of its type parameter")
                        .help(match &*typed.ty {
                            Type::Reference(_) | Type::Slice(_) | Type::Array(_) => format!(
                                "write `{}`: the body computes one element, and slices are passed to `{}_into`",
                                parameter, signature.ident
                            ),
                            _ => format!("write `{parameter}`: dtypes are chosen at each call"),
                        });
                }
                other => {
                    errors.push(other.span(), "an input of a kernel has a name").help("give it one: `x: T`");
                }
            },
            FnArg::Receiver(receiver) => {
                errors
                    .push(receiver.span(), "a kernel cannot be a method")
                    .help("write a function beside the `impl`");
            }
        }
    }
    if signature.inputs.is_empty() || signature.inputs.len() > MAX_INPUTS {
        errors
            .push(
                signature.ident.span(),
                format!("a kernel takes 1 to {MAX_INPUTS} inputs, not {}", signature.inputs.len()),
            )
            .help(if signature.inputs.is_empty() {
                format!("give it one, as `x: {parameter}`: inputs decide the dtype")
            } else {
                format!("what is the same everywhere can be a constant of the body: `{parameter}::of(2.5)`")
            });
    }
    inputs
}

/// Checks that the result is a number of the parameter's type.
fn result(errors: &mut Errors, signature: &syn::Signature, t: &syn::Ident) {
    let returns = matches!(&signature.output, ReturnType::Type(_, ty) if is(ty, t));
    if !returns {
        let span = match &signature.output {
            ReturnType::Type(_, ty) => ty.span(),
            ReturnType::Default => signature.ident.span(),
        };
        let returns_bool = matches!(&signature.output, ReturnType::Type(_, ty) if matches!(&**ty, Type::Path(path) if path.path.is_ident("bool")));
        errors.push(span, "a kernel gives a number of its type parameter").help(if returns_bool {
            format!(
                "write `-> {t}`, and `{t}::select(condition, {t}::of(1.0), {t}::of(0.0))` for a truth value"
            )
        } else {
            format!("write `-> {t}`")
        });
    }
}

fn is(ty: &Type, parameter: &syn::Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(parameter))
}

/// The names of the items that a kernel emits.
struct Names {
    op: syn::Ident,
    extension: syn::Ident,
    into: syn::Ident,
    text: String,
}

impl Names {
    fn of(function: &ItemFn) -> Names {
        let text = function.sig.ident.unraw().to_string();
        Names {
            op: format_ident!("{}", pascal(&text)),
            extension: format_ident!("{}Ext", pascal(&text)),
            into: format_ident!("{text}_into"),
            text,
        }
    }
}

/// Emits the dtypes of the op: those that rule files declare, or those of another op.
fn rule(op: &syn::Ident, like: &syn::Ident, named: bool) -> TokenStream {
    let (of, semantics) = if named {
        (quote!(__p::OpRule<#op, (__C,)>), quote!(__p::ops::Add))
    } else {
        (
            quote!(__p::OpRule<__p::op::#like, (__C, __C)>),
            quote!(<__R as __p::OpKernel<__p::op::#like>>::Kernel),
        )
    };
    let kernel = (!named).then(|| quote!(+ __p::OpKernel<__p::op::#like>));
    quote! {
        impl<__R, __C> __p::KernelRule<__R, __C> for #op
        where
            __R: #of #kernel,
        {
            type Common = <__R as #of>::Common;
            type Compute = <__R as #of>::Compute;
            type Output = <__R as #of>::Output;
            type Semantics = #semantics;
        }
    }
}
