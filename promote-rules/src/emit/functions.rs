//! The ops of a rule set as functions of its type.
//!
//! `Torch::add(a, b)` computes single elements, `Torch::add_into(&a, &b, &mut out)` slices, and
//! `Torch::add_in_place(&mut out, &b)` into its left operand. Losses also have
//! `Torch::mse_loss_reduced(&a, &b, Reduction::Mean)`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::paths::Paths;
use promote_core::__private::ResultForm;
use promote_core::{Extra, ExtraKind};

use crate::model::{KernelInfo, NumberKind, Op, Rules, StandardOp};

pub(super) fn functions(rules: &Rules, paths: &Paths) -> TokenStream {
    let set = &rules.name;
    let computed =
        || rules.ops.iter().filter_map(|op| Some((Named { op, name: op.standard? }, op.info.kernel?)));
    // A message that points at a bound shows the line of the set's name, not the whole rule file.
    let span = set.span();
    let p = &with_span(span, paths.private.clone());
    let scalars = computed().map(|(op, kernel)| scalar(op, kernel, p, span));
    let slices = computed().map(|(op, kernel)| slice(op, kernel, p, span));
    let reduced =
        computed().filter(|(_, kernel)| kernel.loss).map(|(op, kernel)| reduced(op, kernel, p, span));
    let in_place = computed().map(|(op, kernel)| in_place(op, kernel, p, span));
    quote! {
        impl #set {
            #(#scalars)*
        }

        #p::if_kernels! {
            impl #set {
                #(#slices)*
                #(#in_place)*
                #(#reduced)*
            }
        }
    }
}

/// Gives tokens the position and the hygiene of `span`.
fn with_span(span: Span, tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(span);
            token
        })
        .collect()
}

/// An op of a rule set that has kernels.
#[derive(Clone, Copy)]
struct Named<'a> {
    op: &'a Op,
    name: StandardOp,
}

/// Returns the name of an op's Rust function: `where` is a keyword.
pub(super) fn function(op: StandardOp) -> String {
    if op == StandardOp::Where { "where_".to_owned() } else { op.name().to_owned() }
}

/// The parts of an op's functions beside the operands.
struct Call {
    /// The parameters before the operands and after them.
    before: TokenStream,
    after: TokenStream,
    /// The flags, and the list of all other extra inputs.
    flags: TokenStream,
    extras: TokenStream,
}

impl Call {
    /// Returns the parts for functions on slices, in which a weight is an array or a number.
    fn of_slices(kernel: KernelInfo, p: &TokenStream) -> Call {
        let name = |extra: &Extra| format_ident!("{}", extra.name);
        let after = kernel.extras.iter().map(|extra| {
            let name = name(extra);
            match extra.kind {
                ExtraKind::Condition | ExtraKind::Operand => quote!(),
                ExtraKind::Weight => quote!(#name: impl ::core::convert::Into<#p::Argument<'a>>,),
                _ => quote!(#name: ::core::primitive::f64,),
            }
        });
        let after = quote!(#(#after)*);
        let before =
            if kernel.chooses() { quote!(condition: &'a [::core::primitive::bool],) } else { quote!() };
        let extras = kernel.extras.iter().map(name);
        let extras = quote!(&[#(::core::convert::Into::into(#extras)),*]);
        let (after, flags) = if kernel.flags.is_empty() {
            (after, quote!(<#p::op::Flags as ::core::default::Default>::default()))
        } else {
            (quote!(#after flags: #p::op::Flags,), quote!(flags))
        };
        Call { before, after, flags, extras }
    }
}

/// Returns true if a third operand takes part in promotion.
fn joins(kernel: KernelInfo) -> bool {
    kernel.extras.iter().any(|extra| extra.kind == ExtraKind::Operand)
}

/// Returns the names of the numbers after the operands.
fn numbers(kernel: KernelInfo) -> Vec<Ident> {
    let numbers =
        kernel.extras.iter().filter(|extra| !matches!(extra.kind, ExtraKind::Condition | ExtraKind::Operand));
    numbers.map(|extra| format_ident!("{}", extra.name)).collect()
}

/// Emits the function on single elements. Its parameters are the arguments of `Compute`.
fn scalar(Named { op, name }: Named<'_>, kernel: KernelInfo, p: &TokenStream, span: Span) -> TokenStream {
    let (panics, op) = (panics(op), name);
    let (name, ty) = (format_ident!("{}", function(op), span = span), format_ident!("{}", op.variant()));
    let wraps = wraps(kernel);
    let f64 = quote!(::core::primitive::f64);
    let (operands, parameters, types, values) = if kernel.chooses() {
        (
            quote!(A, B),
            quote!(condition: ::core::primitive::bool, a: A, b: B),
            quote!((::core::primitive::bool, A, B)),
            quote!((condition, a, b)),
        )
    } else {
        let mut operands = vec![("A", "a"), ("B", "b"), ("C", "c")];
        operands.truncate(op.arity() + usize::from(joins(kernel)));
        let ident = |name| format_ident!("{name}");
        let (types, values): (Vec<Ident>, Vec<Ident>) =
            operands.into_iter().map(|(ty, value)| (ident(ty), ident(value))).unzip();
        let names = numbers(kernel);
        let (count, flags, with_flags) = (names.len(), flags(kernel, p), with_flags(kernel));
        let (given, number) = if kernel.extras.is_empty() {
            (quote!(), quote!())
        } else {
            (quote!(#p::Numbers<#count>), quote!(#p::Numbers::new([#(#names),*])#with_flags))
        };
        (
            quote!(#(#types),*),
            quote!(#(#values: #types,)* #(#names: #f64,)* #flags),
            quote!((#(#types,)* #given)),
            quote!((#(#values,)* #number)),
        )
    };
    let doc = if kernel.chooses() {
        " Returns `a` if the condition is true, else `b`, converted to their common dtype.".to_owned()
    } else {
        let (elements, operands) = match op.arity() {
            1 => ("one element", "The operand is"),
            _ if joins(kernel) => ("three elements", "Each operand is"),
            _ => ("two elements", "Each operand is"),
        };
        format!(
            " Computes `{name}` of {elements}.\n\n {operands} converted to the common dtype, the op computes in its compute \
             dtype, and the\n result is rounded once.{wraps}"
        )
    };
    let formula = kernel.formula.map(|formula| {
        let unchecked =
            if numbers(kernel).is_empty() { "" } else { " The parameters are not checked in this form." };
        let formula = format!(" {formula}{}{unchecked}", of_nan(kernel));
        quote! {
            ///
            #[doc = #formula]
        }
    });
    let bound = quote_spanned!(span=> Self: #p::Compute<#p::op::#ty, #types>);
    quote! {
        #[doc = #doc]
        #formula
        #panics
        #[inline]
        pub fn #name<#operands>(#parameters) -> #p::OpOutput<#p::op::#ty, #types, Self>
        where
            #bound,
        {
            <Self as #p::Compute<#p::op::#ty, #types>>::compute(#values)
        }
    }
}

/// Returns the parameter for the options that a call chooses, if the op has any.
fn flags(kernel: KernelInfo, p: &TokenStream) -> Option<TokenStream> {
    (!kernel.flags.is_empty()).then(|| quote!(flags: #p::op::Flags))
}

fn with_flags(kernel: KernelInfo) -> Option<TokenStream> {
    (!kernel.flags.is_empty()).then(|| quote!(.with_flags(flags)))
}

fn slice(Named { op, name }: Named<'_>, kernel: KernelInfo, p: &TokenStream, span: Span) -> TokenStream {
    let (errors, op) = (errors(op, kernel), name);
    let (name, ty) = (format_ident!("{}_into", op.name()), format_ident!("{}", op.variant()));
    if op.arity() == 1 {
        let doc = format!(
            " Computes `{0}` of a slice: `out[i] = {0}(a[i])`. `a` and `out` have the same length, which may be 0.",
            op.name()
        );
        let Call { after, flags, extras, .. } = Call::of_slices(kernel, p);
        let call = if kernel.extras.is_empty() {
            quote!(#p::call_unary::<Self, #p::op::#ty, A>(a, out))
        } else {
            quote!(#p::call_unary_extended::<Self, #p::op::#ty, A>(#flags, a, #extras, out))
        };
        let bounds = quote_spanned! {span=>
            A: #p::Element,
            Self: #p::OpRule<#p::op::#ty, (A,)>
                + #p::OpKernel<#p::op::#ty>,
        };
        return quote! {
            #[doc = #doc]
            ///
            /// # Errors
            #[doc = #errors]
            #[inline]
            pub fn #name<A>(
                a: &[A],
                #after
                out: &mut [<Self as #p::OpRule<#p::op::#ty, (A,)>>::Output],
            ) -> ::core::result::Result<(), #p::CallError>
            where
                #bounds
            {
                #call
            }
        };
    }
    let doc = doc_of_slices(op, kernel);
    if joins(kernel) {
        let numbers = numbers(kernel);
        let bounds = quote_spanned! {span=>
            A: #p::Element, B: #p::Element, C: #p::Element,
            Self: #p::OpRule<#p::op::#ty, (A, B)>
                + #p::OpRule<#p::op::#ty, (#p::OpOutput<#p::op::#ty, (A, B), Self>, C)>
                + #p::OpKernel<#p::op::#ty>,
        };
        return quote! {
            #[doc = #doc]
            ///
            /// # Errors
            #[doc = #errors]
            #[inline]
            pub fn #name<A, B, C>(
                a: &[A],
                b: &[B],
                c: &[C],
                #(#numbers: ::core::primitive::f64,)*
                out: &mut [#p::OpOutput<#p::op::#ty, (#p::OpOutput<#p::op::#ty, (A, B), Self>, C), Self>],
            ) -> ::core::result::Result<(), #p::CallError>
            where
                #bounds
            {
                #p::call_joined::<Self, #p::op::#ty, #p::OpOutput<#p::op::#ty, (A, B), Self>, A, B, C>(a, b, c, &[#(#numbers),*], out)
            }
        };
    }
    let Call { before, after, flags, extras } = Call::of_slices(kernel, p);
    let (life, borrow, call) = if kernel.extras.is_empty() {
        (quote!(), quote!(&), quote!(#p::call::<Self, #p::op::#ty, A, B>(a, b, out)))
    } else {
        let call = quote!(#p::call_extended::<Self, #p::op::#ty, A, B>(#flags, a, b, #extras, out));
        (quote!('a,), quote!(&'a), call)
    };
    let bounds = quote_spanned! {span=>
        A: #p::Element, B: #p::Element,
        Self: #p::OpRule<#p::op::#ty, (A, B)>
            + #p::OpKernel<#p::op::#ty>,
    };
    quote! {
        #[doc = #doc]
        ///
        /// # Errors
        #[doc = #errors]
        #[inline]
        pub fn #name<#life A, B>(
            #before
            a: #borrow [A],
            b: #borrow [B],
            #after
            out: &mut [#p::OpOutput<#p::op::#ty, (A, B), Self>],
        ) -> ::core::result::Result<(), #p::CallError>
        where
            #bounds
        {
            #call
        }
    }
}

/// Emits the function that overwrites its left operand. Ops whose result is always `bool` and ops with extra
/// inputs have none.
fn in_place(Named { op, name }: Named<'_>, kernel: KernelInfo, p: &TokenStream, span: Span) -> TokenStream {
    let (errors, op) = (errors(op, kernel), name);
    if kernel.result == ResultForm::Bool || !kernel.extras.is_empty() {
        return TokenStream::new();
    }
    let (name, ty) = (format_ident!("{}_in_place", op.name()), format_ident!("{}", op.variant()));
    if op.arity() == 1 {
        let doc = format!(
            " Computes `{0}` in place: `out[i] = {0}(out[i])`. The result has the dtype of the operand.",
            op.name()
        );
        let bounds = quote_spanned! {span=>
            A: #p::Element,
            Self: #p::OpRule<#p::op::#ty, (A,), Output = A>
                + #p::OpKernel<#p::op::#ty>,
        };
        return quote! {
            #[doc = #doc]
            ///
            /// # Errors
            /// Returns an error if this build has no kernel for the dtype.
            #[inline]
            pub fn #name<A>(out: &mut [A]) -> ::core::result::Result<(), #p::CallError>
            where
                #bounds
            {
                #p::call_unary_in_place::<Self, #p::op::#ty, A>(out)
            }
        };
    }
    let doc = format!(
        " Computes `{0}` in place: `out[i] = {0}(out[i], b[i])`. The result has the dtype of the left operand. Both\n slices \
         have the same length, which may be 0.",
        op.name()
    );
    let bounds = quote_spanned! {span=>
        A: #p::Element, B: #p::Element,
        Self: #p::OpRule<#p::op::#ty, (A, B), Output = A>
            + #p::OpKernel<#p::op::#ty>,
    };
    quote! {
        #[doc = #doc]
        ///
        /// # Errors
        #[doc = #errors]
        #[inline]
        pub fn #name<A, B>(out: &mut [A], b: &[B]) -> ::core::result::Result<(), #p::CallError>
        where
            #bounds
        {
            #p::call_in_place::<Self, #p::op::#ty, A, B>(out, b)
        }
    }
}

/// Emits the function that returns the sum or the mean of a loss.
fn reduced(Named { op, name }: Named<'_>, kernel: KernelInfo, p: &TokenStream, span: Span) -> TokenStream {
    let (errors, op) = (errors(op, kernel), name);
    let (name, ty) = (format_ident!("{}_reduced", op.name()), format_ident!("{}", op.variant()));
    let Call { after, flags, extras, .. } = Call::of_slices(kernel, p);
    let errors = errors
        .replace(", and leaves `out` unchanged,", "")
        .replace("the lengths differ", "the lengths differ, or the result is not a float");
    let doc = format!(
        " Returns the sum or the mean of `{}(a[i], b[i])`.\n\n Each loss is rounded to the output dtype. The losses are added \
         in `f64`, with an error below 2^-46 of the sum\n of their absolute values, and the result is rounded once. Nothing is \
         allocated. `a` and `b` have the same length;\n if it is 0, the sum is 0 and the mean NaN.\n\n {}",
        op.name(),
        kernel.formula.unwrap_or_default()
    );
    let bounds = quote_spanned! {span=>
        A: #p::Element, B: #p::Element,
        Self: #p::OpRule<#p::op::#ty, (A, B)>
            + #p::OpKernel<#p::op::#ty>,
    };
    quote! {
        #[doc = #doc]
        ///
        /// # Errors
        #[doc = #errors]
        #[inline]
        pub fn #name<'a, A, B>(
            a: &'a [A],
            b: &'a [B],
            #after
            reduction: #p::op::Reduction,
        ) -> ::core::result::Result<#p::OpOutput<#p::op::#ty, (A, B), Self>, #p::CallError>
        where
            #bounds
        {
            #p::call_reduced::<Self, #p::op::#ty, A, B>(#flags, a, b, #extras, reduction)
        }
    }
}

fn doc_of_slices(op: StandardOp, kernel: KernelInfo) -> String {
    if kernel.chooses() {
        return " Chooses between the elements of two slices: `out[i] = if condition[i] { a[i] } else { b[i] }`.\n All \
                slices have the same length, which may be 0."
            .to_owned();
    }
    let (slices, names, third) =
        if joins(kernel) { ("three", "`b`, `c`", ", c[i]") } else { ("two", "`b`", "") };
    let formula = kernel.formula.map_or(String::new(), |formula| format!("\n\n {formula}{}", of_nan(kernel)));
    format!(
        " Computes `{0}` of {slices} slices: `out[i] = {0}(a[i], b[i]{third})`.\n `a`, {names} and `out` have the same length, \
         which may be 0.{formula}",
        op.name(),
    )
}

fn of_nan(kernel: KernelInfo) -> &'static str {
    if kernel.result == ResultForm::Bool { "" } else { " The result is NaN if an operand is." }
}

fn wraps(kernel: KernelInfo) -> &'static str {
    if kernel.result == ResultForm::Compute && kernel.kinds.contains(&NumberKind::Int) {
        " Integers wrap."
    } else {
        ""
    }
}

/// Emits the section on panics, from the options that the rule file chooses.
fn panics(op: &Op) -> TokenStream {
    let says = |key| op.option(key) == Some("error") && (key != "by_zero" || op.computes(NumberKind::Int));
    let causes = [
        ("by_zero", "an integer is divided by zero"),
        ("negative_exponent", "an integer is raised to a negative power"),
        ("number", "a number without a width does not fit the integer dtype of the other operand"),
    ];
    let found: Vec<&str> = causes.into_iter().filter(|(key, _)| says(key)).map(|(_, cause)| cause).collect();
    if found.is_empty() {
        return TokenStream::new();
    }
    let text = format!(" Panics if {}.", found.join(", or "));
    quote! {
        ///
        /// # Panics
        #[doc = #text]
    }
}

fn errors(op: &Op, kernel: KernelInfo) -> String {
    let mut options = op.info.semantics.iter();
    let refuses = options.any(|option| ["by_zero", "negative_exponent"].contains(&option.name));
    let refuses = refuses && op.computes(NumberKind::Int);
    let value = if refuses { ", or the op refuses an element of `b`" } else { "" };
    let taken =
        kernel.extras.iter().filter(|extra| !matches!(extra.kind, ExtraKind::Condition | ExtraKind::Operand));
    let taken: Vec<String> = taken.map(|extra| format!(", or `{}` is out of range", extra.name)).collect();
    let operands = kernel.refuses.map_or(String::new(), |operands| format!(", or {operands}"));
    format!(
        " Returns an error, and leaves `out` unchanged, if the lengths differ{value}{}{operands}.",
        taken.concat()
    )
}
