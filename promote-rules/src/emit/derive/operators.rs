//! Operators between containers, and between a container and a weak scalar.
//!
//! All operators on the same pair of operands share one function, with the op as a parameter, because they
//! treat the fields alike. The impls of the operators call it.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::attributes::StructArguments;
use super::compare;
use super::container::{Container, Part, span, where_clause};
use super::expression::{Expression, Operand};
use super::names::Side;
use super::operator::Operator;
use super::shape::{Shape, shapes};
use crate::diag::Errors;
use crate::emit::at;

/// The kinds of the left and the right operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pair {
    Containers,
    WeakRight,
    WeakLeft,
}

struct Emit<'a> {
    container: &'a Container,
    shapes: Vec<Shape>,
    rules: &'a TokenStream,
}

pub(super) fn operators(
    errors: &mut Errors,
    container: &Container,
    arguments: &StructArguments,
    rules: &TokenStream,
) -> TokenStream {
    if arguments.operators.is_empty() && arguments.weak.is_empty() {
        return TokenStream::new();
    }
    let emit = Emit { container, shapes: shapes(errors, container), rules };
    check_functions(errors, container, arguments);
    let mut out = TokenStream::new();
    for (pairs, list) in [
        (&[Pair::Containers][..], &arguments.operators),
        (&[Pair::WeakRight, Pair::WeakLeft], &arguments.weak),
    ] {
        for &pair in pairs {
            let has = |test: fn(&Operator) -> bool| list.iter().any(|(operator, _)| test(operator));
            if has(|operator| matches!(operator, Operator::Two(..))) {
                out.extend(emit.function(pair));
            }
            if pair != Pair::WeakLeft && has(|operator| matches!(operator, Operator::Assign(..))) {
                out.extend(emit.function_in_place(pair));
            }
            out.extend(list.iter().map(|(operator, span)| match *operator {
                Operator::Two(name, method, op) => emit.two(pair, name, method, op),
                Operator::Assign(..) if pair == Pair::WeakLeft => TokenStream::new(),
                Operator::Assign(name, method, op) => emit.assign(pair, name, method, op),
                Operator::Neg => emit.neg(),
                // At its name in the attribute, where rustc then reports a second impl, such as a derived
                // one.
                Operator::PartialEq => at(*span, compare::equal(container, &emit.shapes, rules)),
                Operator::PartialOrd => {
                    let mixed = has(|operator| *operator == Operator::PartialEq);
                    at(*span, compare::order(container, &emit.shapes, rules, mixed))
                }
            }));
        }
    }
    out
}

/// Checks that fields with a function occur in binary operators only: `with` takes two fields. A mistake is:
///
/// ```text
/// #[promote(ops(Add, Neg))]
/// struct Sample<T> { value: T, #[promote(with = widest)] peak: T }
/// ```
fn check_functions(errors: &mut Errors, container: &Container, arguments: &StructArguments) {
    let negated = arguments.operators.iter().any(|(operator, _)| *operator == Operator::Neg);
    let scaled = arguments.weak.iter().any(|(operator, _)| matches!(operator, Operator::Two(..)));
    let other = match (negated, scaled) {
        (true, _) => "`-` has one operand",
        (false, true) => "a weak scalar has no fields",
        (false, false) => return,
    };
    let fields = container.fields.iter();
    for field in fields.filter(|field| matches!(field.part, Part::With(_)) && container.promotes(&field.ty)) {
        errors
            .push(span(&field.ty), format!("the function of `with` takes two containers, and {other}"))
            .help("remove the operator from the list, and write it by hand");
    }
}

impl Emit<'_> {
    /// Emits the function of both operands that returns a new container, for every op.
    fn function(&self, pair: Pair) -> TokenStream {
        let (op, (declared, parameter)) = (&self.container.op, self.any_op());
        let generics = self.generics(pair, &declared);
        let bounds = self.bounds(pair, Side::Out, &quote!(#op));
        let (a, b) = (self.parameter(pair, Side::Left), self.parameter(pair, Side::Right));
        let (name, out) = (function(pair, false), self.container.ty(Side::Out));
        let expression = self.expression(&quote!(#op), Side::Out);
        let values: Vec<TokenStream> =
            (0..self.shapes.len()).map(|i| expression.of(&self.shapes[i], &self.operands(pair, i))).collect();
        let value = self.container.build(&values);
        quote! {
            #[inline]
            fn #name #generics(#parameter, __a: #a, __b: #b) -> #out #bounds {
                #value
            }
        }
    }

    /// Emits the function that overwrites the left operand, for every op.
    fn function_in_place(&self, pair: Pair) -> TokenStream {
        let (op, (declared, parameter)) = (&self.container.op, self.any_op());
        let generics = self.generics(pair, &declared);
        let bounds = self.bounds(pair, Side::Left, &quote!(#op));
        let (a, b) = (self.container.ty(Side::Left), self.parameter(pair, Side::Right));
        let name = function(pair, true);
        let changed = (0..self.shapes.len()).filter(|&i| !is_kept(&self.shapes[i], pair));
        let expression = self.expression(&quote!(#op), Side::Left);
        let steps = changed.map(|i| {
            let member = &self.container.fields[i].member;
            let value = expression.of(&self.shapes[i], &self.operands(pair, i));
            quote!(__a.#member = #value;)
        });
        let steps: Vec<TokenStream> = steps.collect();
        quote! {
            #[inline]
            fn #name #generics(#parameter, __a: &mut #a, __b: #b) #bounds {
                #(#steps)*
            }
        }
    }

    /// Emits `left op right`, each by value and by reference.
    fn two(&self, pair: Pair, name: &str, method: &str, op: &str) -> TokenStream {
        let (name, method, op) = (format_ident!("{name}"), format_ident!("{method}"), format_ident!("{op}"));
        let op = quote!(__p::op::#op);
        let (generics, bounds) = (self.generics(pair, &quote!()), self.bounds(pair, Side::Out, &op));
        let (function, out) = (function(pair, false), self.container.ty(Side::Out));
        let forms = |weak: bool| if weak { &[false][..] } else { &[false, true] };
        let lefts = forms(pair == Pair::WeakLeft).iter();
        let impls =
            lefts.flat_map(|&by| forms(pair == Pair::WeakRight).iter().map(move |&other| (by, other)));
        impls
            .map(|(left, right)| {
                let (left, a) = self.operand(pair, Side::Left, left, &quote!(self));
                let (right, b) = self.operand(pair, Side::Right, right, &quote!(__b));
                quote! {
                    #[automatically_derived]
                    impl #generics ::core::ops::#name<#right> for #left #bounds {
                        type Output = #out;
                        #[inline]
                        fn #method(self, __b: #right) -> Self::Output {
                            #function(#op, #a, #b)
                        }
                    }
                }
            })
            .collect()
    }

    /// Emits `left op= right`, with the right operand by value and by reference.
    fn assign(&self, pair: Pair, name: &str, method: &str, op: &str) -> TokenStream {
        let (name, method, op) = (format_ident!("{name}"), format_ident!("{method}"), format_ident!("{op}"));
        let op = quote!(__p::op::#op);
        let (generics, bounds) = (self.generics(pair, &quote!()), self.bounds(pair, Side::Left, &op));
        let (function, left) = (function(pair, true), self.container.ty(Side::Left));
        let forms = if pair == Pair::Containers { &[false, true][..] } else { &[false] };
        forms
            .iter()
            .map(|&by| {
                let (right, b) = self.operand(pair, Side::Right, by, &quote!(__b));
                quote! {
                    #[automatically_derived]
                    impl #generics ::core::ops::#name<#right> for #left #bounds {
                        #[inline]
                        fn #method(&mut self, __b: #right) {
                            #function(#op, self, #b);
                        }
                    }
                }
            })
            .collect()
    }

    /// Emits `-a`, by value and by reference.
    fn neg(&self) -> TokenStream {
        let (container, rules) = (self.container, self.rules);
        let sides = [Side::Left, Side::Out];
        let generics = container.generics(&sides, &quote!());
        let computes = container.promoted.iter().flat_map(|names| {
            let (left, out) = (&names.left, &names.out);
            [
                quote!(#rules: __p::Compute<__p::op::Negative, (#left,), Output = #out>),
                quote!(#left: ::core::marker::Copy),
            ]
        });
        let inner = self.shapes.iter().flat_map(Shape::containers).map(|ty| {
            let (left, out) = (container.on(Side::Left, ty), container.on(Side::Out, ty));
            quote!(for<'__a> &'__a #left: ::core::ops::Neg<Output = #out>)
        });
        let bounds =
            where_clause(computes.chain(inner).chain(self.clones(None)).chain(container.bounds(&sides)));
        let (left, out) = (container.ty(Side::Left), container.ty(Side::Out));
        let expression = self.expression(&quote!(__p::op::Negative), Side::Out);
        let values: Vec<TokenStream> = self
            .shapes
            .iter()
            .zip(&container.fields)
            .map(|(shape, field)| {
                let member = &field.member;
                expression.of(shape, &[Operand::Place(quote!(self.#member))])
            })
            .collect();
        let value = container.build(&values);
        quote! {
            #[automatically_derived]
            impl #generics ::core::ops::Neg for &#left #bounds {
                type Output = #out;
                #[inline]
                fn neg(self) -> Self::Output {
                    #value
                }
            }
            #[automatically_derived]
            impl #generics ::core::ops::Neg for #left #bounds {
                type Output = #out;
                #[inline]
                fn neg(self) -> Self::Output {
                    -&self
                }
            }
        }
    }

    /// Returns the bounds of an operator: the rule set computes the op, and containers in fields have the
    /// operator.
    fn bounds(&self, pair: Pair, out: Side, op: &TokenStream) -> TokenStream {
        let (container, rules) = (self.container, self.rules);
        let (weak, copy) = (self.weak(), quote!(::core::marker::Copy));
        let mut bounds = Vec::new();
        for names in &container.promoted {
            let (left, right, computed) = (&names.left, &names.right, &names.out);
            let (a, b) = match pair {
                Pair::Containers => (quote!(#left), quote!(#right)),
                Pair::WeakRight => (quote!(#left), weak.clone()),
                Pair::WeakLeft => (weak.clone(), quote!(#left)),
            };
            bounds.push(quote!(#rules: __p::Compute<#op, (#a, #b), Output = #computed>));
            bounds.extend((out == Side::Left).then(|| quote!(#computed: __p::fields::Fits<#left>)));
            bounds.extend([quote!(#a: #copy), quote!(#b: #copy)]);
        }
        for ty in self.shapes.iter().flat_map(Shape::containers) {
            let [left, right, out] = [Side::Left, Side::Right, out].map(|side| container.on(side, ty));
            let (lives, a, b) = match pair {
                Pair::Containers => (quote!('__a, '__b), quote!(&'__a #left), quote!(&'__b #right)),
                Pair::WeakRight => (quote!('__a), quote!(&'__a #left), weak.clone()),
                Pair::WeakLeft => (quote!('__b), weak.clone(), quote!(&'__b #left)),
            };
            bounds.push(quote!(#op: for<#lives> __p::fields::Operator<#a, #b, Output = #out>));
        }
        if out == Side::Out {
            bounds.extend(self.clones(Some(pair)));
        }
        bounds.extend(container.bounds(&sides(pair, out)));
        where_clause(bounds)
    }

    /// Returns the `Clone` bounds of fields that are kept.
    fn clones(&self, pair: Option<Pair>) -> impl Iterator<Item = TokenStream> {
        let fields = self.shapes.iter().zip(&self.container.fields);
        let kept = fields.filter(move |(shape, field)| match (shape, pair) {
            (Shape::Kept, _) => self.container.is_generic(&field.ty),
            (Shape::With { .. }, None | Some(Pair::WeakLeft | Pair::WeakRight)) => {
                self.container.is_generic(&field.ty)
            }
            _ => false,
        });
        kept.map(|(_, field)| {
            let ty = &field.ty;
            quote!(#ty: ::core::clone::Clone)
        })
    }

    /// Returns the op as a type and as a parameter of a function for every op. Functions of fields receive
    /// it.
    fn any_op(&self) -> (TokenStream, TokenStream) {
        let op = &self.container.op;
        if self.shapes.iter().any(|shape| matches!(shape, Shape::With { .. })) {
            (quote!(#op: ::core::marker::Copy), quote!(__op: #op))
        } else {
            (quote!(#op), quote!(_: #op))
        }
    }

    fn weak(&self) -> TokenStream {
        let number = &self.container.number;
        quote!(__p::Weak<#number>)
    }

    fn generics(&self, pair: Pair, op: &TokenStream) -> TokenStream {
        let number = &self.container.number;
        let extra = match (pair, op.is_empty()) {
            (Pair::Containers, _) => op.clone(),
            (_, true) => quote!(#number),
            (_, false) => quote!(#number, #op),
        };
        self.container.generics(&sides(pair, Side::Out), &extra)
    }

    fn expression(&self, op: &TokenStream, out: Side) -> Expression<'_> {
        Expression { rules: self.rules, op: op.clone(), out }
    }

    /// Returns the type of a parameter of the functions.
    fn parameter(&self, pair: Pair, side: Side) -> TokenStream {
        self.operand(pair, side, true, &quote!()).0
    }

    /// Returns the type of an operand, and the expression that is passed to the functions.
    fn operand(
        &self,
        pair: Pair,
        side: Side,
        by_reference: bool,
        name: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let side = match (pair, side) {
            (Pair::WeakRight, Side::Right) | (Pair::WeakLeft, Side::Left) => {
                return (self.weak(), name.clone());
            }
            (Pair::WeakLeft, _) => Side::Left,
            (_, side) => side,
        };
        let ty = self.container.ty(side);
        if by_reference { (quote!(&#ty), name.clone()) } else { (ty, quote!(&#name)) }
    }

    /// Returns the operands of a field's expression.
    fn operands(&self, pair: Pair, i: usize) -> [Operand; 2] {
        let member = &self.container.fields[i].member;
        let of = |name: TokenStream, scalar: bool| {
            if scalar { Operand::Scalar(name) } else { Operand::Place(quote!(#name.#member)) }
        };
        [of(quote!(__a), pair == Pair::WeakLeft), of(quote!(__b), pair == Pair::WeakRight)]
    }
}

/// Returns true if an operator in place leaves the field unchanged.
fn is_kept(shape: &Shape, pair: Pair) -> bool {
    matches!(shape, Shape::Kept | Shape::Nothing)
        || matches!(shape, Shape::With { .. }) && pair != Pair::Containers
}

/// Returns the sides that an operator mentions.
fn sides(pair: Pair, out: Side) -> Vec<Side> {
    let mut sides = vec![Side::Left];
    sides.extend((pair == Pair::Containers).then_some(Side::Right));
    sides.extend((out == Side::Out).then_some(Side::Out));
    sides
}

/// Returns the name of a function.
fn function(pair: Pair, in_place: bool) -> Ident {
    format_ident!(
        "{}",
        match (pair, in_place) {
            (Pair::Containers, false) => "__mixed",
            (Pair::Containers, true) => "__mixed_in_place",
            (Pair::WeakRight, false) => "__by_number",
            (_, true) => "__by_number_in_place",
            (Pair::WeakLeft, false) => "__number_by",
        }
    )
}
