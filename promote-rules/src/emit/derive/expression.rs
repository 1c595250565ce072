//! The expression of a field: what an operator makes of it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::names::Side;
use super::shape::Shape;

/// The expressions of an op's fields.
pub(super) struct Expression<'a> {
    /// The rule set that computes elements.
    pub(super) rules: &'a TokenStream,
    pub(super) op: TokenStream,
    /// Whether it is for a new container, or for the place of the left one.
    pub(super) out: Side,
}

/// What an expression of a field is made of.
#[derive(Clone)]
pub(super) enum Operand {
    /// A place in a container, or a reference to it.
    Place { place: TokenStream, reference: bool },
    /// The scalar, at every place.
    Scalar(TokenStream),
}

impl Operand {
    pub(super) fn place(place: TokenStream) -> Operand {
        Operand::Place { place, reference: false }
    }

    /// The element, copied.
    fn read(&self) -> TokenStream {
        match self {
            Operand::Place { place, reference: true } => quote!(*#place),
            Operand::Place { place, reference: false } | Operand::Scalar(place) => quote!(#place),
        }
    }

    fn borrow(&self) -> TokenStream {
        match self {
            Operand::Place { place, reference: false } => quote!(&#place),
            Operand::Place { place, reference: true } | Operand::Scalar(place) => quote!(#place),
        }
    }

    /// A place in the tuple.
    fn at(&self, i: usize) -> Operand {
        match self {
            Operand::Place { place, .. } => {
                let i = syn::Index::from(i);
                Operand::place(quote!(#place.#i))
            }
            Operand::Scalar(_) => self.clone(),
        }
    }
}

impl Expression<'_> {
    pub(super) fn of(&self, shape: &Shape, operands: &[Operand]) -> TokenStream {
        let Expression { rules, op, out } = self;
        match shape {
            Shape::Nothing => quote!(::core::marker::PhantomData),
            Shape::With { function, .. } if places(operands).count() == 2 => {
                let both = operands.iter().map(Operand::borrow);
                quote!(#function(__op, #(#both),*))
            }
            Shape::Unknown | Shape::With { promotes: true, .. } => quote!(__p::fields::unknown()),
            Shape::Kept | Shape::With { .. } => {
                let left = places(operands).next().map(Operand::borrow);
                quote!(::core::clone::Clone::clone(#left))
            }
            Shape::Element => {
                let elements = operands.iter().map(Operand::read);
                if operands.len() == 1 {
                    quote!(<#rules as __p::ComputeUnary<#op, _>>::compute(#(#elements),*))
                } else {
                    let value = quote!(<#rules as __p::Compute<#op, _, _>>::compute(#(#elements),*));
                    if *out == Side::Out { value } else { quote!(__p::fields::Fits::put(#value)) }
                }
            }
            Shape::Array(inner) => {
                let each = ["__a", "__b"].map(|name| Ident::new(name, Span::call_site()));
                let (mut of, mut names, mut within) = (Vec::new(), Vec::new(), Vec::new());
                for (operand, name) in operands.iter().zip(&each) {
                    within.push(match operand {
                        Operand::Place { .. } => {
                            of.push(operand.borrow());
                            names.push(name);
                            Operand::Place { place: quote!(#name), reference: true }
                        }
                        Operand::Scalar(_) => operand.clone(),
                    });
                }
                let value = self.of(inner, &within);
                let over = format_ident!("{}", if of.len() == 2 { "each" } else { "map" });
                quote!(__p::fields::#over(#(#of,)* |#(#names),*| #value))
            }
            Shape::Tuple(inner) => {
                let values = inner.iter().enumerate().map(|(i, shape)| {
                    let operands: Vec<Operand> = operands.iter().map(|operand| operand.at(i)).collect();
                    self.of(shape, &operands)
                });
                quote!((#(#values,)*))
            }
            Shape::Container(_) => {
                let operands: Vec<TokenStream> = operands.iter().map(Operand::borrow).collect();
                match &operands[..] {
                    [only] => quote!(-#only),
                    both => quote!(<#op as __p::fields::Operator<_, _>>::apply(#(#both),*)),
                }
            }
        }
    }
}

fn places(operands: &[Operand]) -> impl Iterator<Item = &Operand> {
    operands.iter().filter(|operand| matches!(operand, Operand::Place { .. }))
}
