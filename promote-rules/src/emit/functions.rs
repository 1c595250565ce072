//! The ops of a rule set as functions of its type: `Torch::add(a, b)` and
//! `Torch::add_into(&a, &b, &mut out)`; of losses `Torch::mse_loss_reduced(&a, &b, Reduction::Mean)` besides.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::paths::Paths;
use promote_core::{Extra, ExtraKind, ResultForm};

use crate::model::{KernelInfo, NumberKind, Op, Rules, StandardOp};

pub(super) fn functions(rules: &Rules, paths: &Paths) -> TokenStream {
    let (p, set) = (&paths.private, &rules.name);
    let computed =
        || rules.ops.iter().filter_map(|op| Some((Named { op, name: op.standard? }, op.info.kernel?)));
    // A message that points at a bound shows the line of the set's name, not the whole rule file.
    let span = set.span();
    let scalars = computed().map(|(op, kernel)| scalar(op, kernel, p, span));
    let slices = computed().map(|(op, kernel)| slice(op, kernel, p));
    let reduced = computed().filter(|(_, kernel)| kernel.loss).map(|(op, kernel)| reduced(op, kernel, p));
    let in_place = computed().map(|(op, kernel)| in_place(op, kernel, p));
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

/// An op of a rule set that has kernels.
#[derive(Clone, Copy)]
struct Named<'a> {
    op: &'a Op,
    name: StandardOp,
}

/// The Rust function of an op: `where` is a keyword.
pub(super) fn function(op: StandardOp) -> String {
    if op == StandardOp::Where { "where_".to_owned() } else { op.name().to_owned() }
}

/// What the functions of an op say beside the operands.
struct Call {
    /// The parameters before the operands, and behind them.
    before: TokenStream,
    behind: TokenStream,
    /// The flags, and the list of all else.
    flags: TokenStream,
    extras: TokenStream,
}

impl Call {
    /// On slices: a weight is an array or a number.
    fn of_slices(kernel: KernelInfo, p: &TokenStream) -> Call {
        let name = |extra: &Extra| format_ident!("{}", extra.name);
        let behind = kernel.extras.iter().map(|extra| {
            let name = name(extra);
            match extra.kind {
                ExtraKind::Condition | ExtraKind::Operand => quote!(),
                ExtraKind::Weight => quote!(#name: impl ::core::convert::Into<#p::Argument<'a>>,),
                _ => quote!(#name: ::core::primitive::f64,),
            }
        });
        let behind = quote!(#(#behind)*);
        let before =
            if kernel.chooses() { quote!(condition: &'a [::core::primitive::bool],) } else { quote!() };
        let extras = kernel.extras.iter().map(name);
        let extras = quote!(&[#(::core::convert::Into::into(#extras)),*]);
        let (behind, flags) = if kernel.flags.is_empty() {
            (behind, quote!(<#p::op::Flags as ::core::default::Default>::default()))
        } else {
            (quote!(#behind flags: #p::op::Flags,), quote!(flags))
        };
        Call { before, behind, flags, extras }
    }
}

/// Whether a third operand decides about the dtype.
fn joins(kernel: KernelInfo) -> bool {
    kernel.extras.iter().any(|extra| extra.kind == ExtraKind::Operand)
}

/// What an op makes of one place, where its name does not say it.
fn formula(op: StandardOp) -> Option<&'static str> {
    Some(match op.name() {
        "lerp" => {
            "`a + weight · (b - a)` for a weight of less than a half, else `b - (b - a) · (1 - weight)`: from the nearer end, \
             the product and the sum fused."
        }
        "addcmul" => {
            "`a + value · b · c`; among reals the last product and the sum are fused, integers wrap. A `value` for integers is whole."
        }
        "ldexp" => {
            "`a · 2^b`: rounded once where `b` is a whole exponent, which then enters as it is; else the power is rounded too."
        }
        "l1_loss" => "`|a - b|`.",
        "mse_loss" => "`(a - b)²`.",
        "huber_loss" => {
            "With `d = |a - b|` it is `d² / 2` below `delta`, else `delta · (d - delta / 2)`. `delta` is above 0."
        }
        "smooth_l1_loss" => {
            "With `d = |a - b|` it is `d² / (2 · beta)` below `beta`, else `d - beta / 2`. `beta` is at least 0."
        }
        "poisson_nll_loss" => {
            "`exp(a) - b · a`, or `a - b · log(a + eps)` unless `flags.log_input`; with `flags.full`, where `b > 1`, Stirling's \
             `b · log(b) - b + log(2π · b) / 2` is added. `eps` is at least 0."
        }
        "binary_cross_entropy" => {
            "`weight · -(b · log(a) + (1 - b) · log(1 - a))`, each logarithm at least -100. `a` and `b` lie in 0 to 1."
        }
        _ => return None,
    })
}

/// The function of single elements: its parameters are the arguments of `Compute`.
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
    } else if op.arity() == 1 {
        (quote!(A), quote!(a: A), quote!((A,)), quote!((a,)))
    } else if joins(kernel) {
        (
            quote!(A, B, C),
            quote!(a: A, b: B, c: C, value: #f64),
            quote!((A, B, C, #p::Numbers<1>)),
            quote!((a, b, c, #p::Numbers::new([value]))),
        )
    } else if kernel.extras.is_empty() {
        (quote!(A, B), quote!(a: A, b: B), quote!((A, B)), quote!((a, b)))
    } else {
        let names: Vec<Ident> = kernel.extras.iter().map(|extra| format_ident!("{}", extra.name)).collect();
        let (count, flags, with_flags) = (names.len(), flags(kernel, p), with_flags(kernel));
        (
            quote!(A, B),
            quote!(a: A, b: B, #(#names: #f64,)* #flags),
            quote!((A, B, #p::Numbers<#count>)),
            quote!((a, b, #p::Numbers::new([#(#names),*])#with_flags)),
        )
    };
    let computes = "converted to the common dtype, the op computes in its compute dtype, and the";
    let doc = if kernel.chooses() {
        " Returns `a` if the condition is true, else `b`, converted to their common dtype.".to_owned()
    } else {
        let elements = match op.arity() {
            1 => "an element: it is",
            _ if joins(kernel) => "three elements: each is",
            _ => "two elements: each is",
        };
        format!(" `{name}` of {elements} {computes}\n result is rounded once.{wraps}")
    };
    let formula = formula(op).map(|formula| {
        let unchecked = if kernel.extras.is_empty() { "" } else { " What it takes is not checked here." };
        let formula = format!(" {formula} NaN where an operand is.{unchecked}");
        quote! {
            ///
            #[doc = #formula]
        }
    });
    let bound = super::with_span(span, quote!(Self: #p::Compute<#p::op::#ty, #types>));
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

/// The parameter for what a call of the op chooses, if it chooses anything.
fn flags(kernel: KernelInfo, p: &TokenStream) -> Option<TokenStream> {
    (!kernel.flags.is_empty()).then(|| quote!(flags: #p::op::Flags))
}

fn with_flags(kernel: KernelInfo) -> Option<TokenStream> {
    (!kernel.flags.is_empty()).then(|| quote!(.with_flags(flags)))
}

fn slice(Named { op, name }: Named<'_>, kernel: KernelInfo, p: &TokenStream) -> TokenStream {
    let (errors, op) = (errors(op, kernel), name);
    let (name, ty) = (format_ident!("{}_into", op.name()), format_ident!("{}", op.variant()));
    if op.arity() == 1 {
        let doc = format!(" `out[i] = {}(a[i])`. `a` and `out` have the same length; 0 is fine.", op.name());
        return quote! {
            #[doc = #doc]
            ///
            /// # Errors
            /// The lengths differ; `out` is then as it was.
            #[inline]
            pub fn #name<A>(
                a: &[A],
                out: &mut [<Self as #p::OpRule<#p::op::#ty, (A,)>>::Output],
            ) -> ::core::result::Result<(), #p::CallError>
            where
                A: #p::Element,
                Self: #p::OpRule<#p::op::#ty, (A,)> + #p::OpKernel<#p::op::#ty>,
            {
                #p::call_unary::<Self, #p::op::#ty, A>(a, out)
            }
        };
    }
    let doc = doc_of_slices(op, kernel);
    if joins(kernel) {
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
                value: ::core::primitive::f64,
                out: &mut [#p::OpOutput<#p::op::#ty, (#p::OpOutput<#p::op::#ty, (A, B), Self>, C), Self>],
            ) -> ::core::result::Result<(), #p::CallError>
            where
                A: #p::Element,
                B: #p::Element,
                C: #p::Element,
                Self: #p::OpRule<#p::op::#ty, (A, B)>
                    + #p::OpRule<#p::op::#ty, (#p::OpOutput<#p::op::#ty, (A, B), Self>, C)>
                    + #p::OpKernel<#p::op::#ty>,
            {
                #p::call_joined::<Self, #p::op::#ty, #p::OpOutput<#p::op::#ty, (A, B), Self>, A, B, C>(a, b, c, value, out)
            }
        };
    }
    let Call { before, behind, flags, extras } = Call::of_slices(kernel, p);
    let (life, borrow, call) = if kernel.extras.is_empty() {
        (quote!(), quote!(&), quote!(#p::call::<Self, #p::op::#ty, A, B>(a, b, out)))
    } else {
        let call = quote!(#p::call_extended::<Self, #p::op::#ty, A, B>(#flags, a, b, #extras, out));
        (quote!('a,), quote!(&'a), call)
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
            #behind
            out: &mut [#p::OpOutput<#p::op::#ty, (A, B), Self>],
        ) -> ::core::result::Result<(), #p::CallError>
        where
            A: #p::Element,
            B: #p::Element,
            Self: #p::OpRule<#p::op::#ty, (A, B)> + #p::OpKernel<#p::op::#ty>,
        {
            #call
        }
    }
}

/// The op with its result in the place of its left operand; nothing for what always gives a bool, and for
/// what takes more than operands.
fn in_place(Named { op, name }: Named<'_>, kernel: KernelInfo, p: &TokenStream) -> TokenStream {
    let (errors, op) = (errors(op, kernel), name);
    if kernel.result == ResultForm::Bool || !kernel.extras.is_empty() {
        return TokenStream::new();
    }
    let (name, ty) = (format_ident!("{}_in_place", op.name()), format_ident!("{}", op.variant()));
    if op.arity() == 1 {
        let doc = format!(" `out[i] = {}(out[i])`, for a dtype of which the op gives the same.", op.name());
        return quote! {
            #[doc = #doc]
            ///
            /// # Errors
            /// This build has no kernel.
            #[inline]
            pub fn #name<A>(out: &mut [A]) -> ::core::result::Result<(), #p::CallError>
            where
                A: #p::Element,
                Self: #p::OpRule<#p::op::#ty, (A,), Output = A> + #p::OpKernel<#p::op::#ty>,
            {
                #p::call_unary_in_place::<Self, #p::op::#ty, A>(out)
            }
        };
    }
    let doc = format!(
        " `out[i] = {}(out[i], b[i])`, where the result has the dtype of the left operand. Both have the same length; 0 is fine.",
        op.name()
    );
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
            Self: #p::OpRule<#p::op::#ty, (A, B), Output = A> + #p::OpKernel<#p::op::#ty>,
        {
            #p::call_in_place::<Self, #p::op::#ty, A, B>(out, b)
        }
    }
}

/// The sum or the mean of a loss.
fn reduced(Named { op, name }: Named<'_>, kernel: KernelInfo, p: &TokenStream) -> TokenStream {
    let (errors, op) = (errors(op, kernel), name);
    let (name, ty) = (format_ident!("{}_reduced", op.name()), format_ident!("{}", op.variant()));
    let Call { behind, flags, extras, .. } = Call::of_slices(kernel, p);
    let errors = errors.replace("; `out` is then as it was", ", or what it gives is no float");
    let doc = format!(
        " The sum or the mean of `{}(a[i], b[i])`, each rounded to the dtype that comes out; added up in `f64`, within 2^-46 of\n \
         the sum of their absolute values, and rounded once. Nothing is allocated. `a` and `b` have the same length; where it is\n \
         0 the sum is 0 and the mean NaN. {}",
        op.name(),
        formula(op).unwrap_or_default()
    );
    quote! {
        #[doc = #doc]
        ///
        /// # Errors
        #[doc = #errors]
        #[inline]
        pub fn #name<'a, A, B>(
            a: &'a [A],
            b: &'a [B],
            #behind
            reduction: #p::op::Reduction,
        ) -> ::core::result::Result<#p::OpOutput<#p::op::#ty, (A, B), Self>, #p::CallError>
        where
            A: #p::Element,
            B: #p::Element,
            Self: #p::OpRule<#p::op::#ty, (A, B)> + #p::OpKernel<#p::op::#ty>,
        {
            #p::call_reduced::<Self, #p::op::#ty, A, B>(#flags, a, b, #extras, reduction)
        }
    }
}

fn doc_of_slices(op: StandardOp, kernel: KernelInfo) -> String {
    if kernel.chooses() {
        return " `out[i] = if condition[i] { a[i] } else { b[i] }`. All have the same length; 0 is fine."
            .to_owned();
    }
    let third = if joins(kernel) { ("`b`, `c`", ", c[i]") } else { ("`b`", "") };
    let formula = formula(op).map_or(String::new(), |formula| format!(" {formula} NaN where an operand is."));
    format!(
        " `out[i] = {}(a[i], b[i]{})`. `a`, {} and `out` have the same length; 0 is fine.{formula}",
        op.name(),
        third.1,
        third.0
    )
}

fn wraps(kernel: KernelInfo) -> &'static str {
    if kernel.result == ResultForm::Compute && kernel.kinds.contains(&NumberKind::Int) {
        " Integers wrap."
    } else {
        ""
    }
}

/// On which elements a function stops, as the words of the file have it.
fn panics(op: &Op) -> TokenStream {
    let says = |key| op.option(key) == Some("error") && (key != "by_zero" || op.computes(NumberKind::Int));
    let causes = [
        ("by_zero", "an integer is divided by zero"),
        ("negative_exponent", "an integer is raised to a negative power"),
        ("number", "a number without a width does not fit the integer dtype that it enters"),
    ];
    let found: Vec<&str> = causes.into_iter().filter(|(key, _)| says(key)).map(|(_, cause)| cause).collect();
    if found.is_empty() {
        return TokenStream::new();
    }
    let text = format!(" If {}.", found.join(", or "));
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
    let value = if refuses { ", or the op refuses a value of `b`" } else { "" };
    let taken =
        kernel.extras.iter().filter(|extra| !matches!(extra.kind, ExtraKind::Condition | ExtraKind::Operand));
    let taken: Vec<String> =
        taken.map(|extra| format!(", or `{}` is none that the op takes", extra.name)).collect();
    let operands = kernel.refuses.map_or(String::new(), |operands| format!(", or {operands}"));
    format!(" The lengths differ{value}{}{operands}; `out` is then as it was.", taken.concat())
}
