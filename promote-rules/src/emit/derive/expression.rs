//! The expression by which an operator computes a field.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::Side;
use super::shape::Shape;

/// The expressions of all fields for one op.
pub(super) struct Expression<'a> {
    /// The rule set in which elements are computed.
    pub(super) rules: &'a TokenStream,
    pub(super) op: TokenStream,
    /// True if the result overwrites the left operand, false if it is a new container.
    pub(super) out: Side,
}

/// An operand of a field's expression.
#[derive(Clone)]
pub(super) enum Operand {
    /// A field of a container, or a part of one.
    Place(TokenStream),
    /// A reference to a part of a field.
    Reference(TokenStream),
    /// The scalar, which is broadcast.
    Scalar(TokenStream),
}

impl Operand {
    /// Returns the element, copied.
    pub(super) fn read(&self) -> TokenStream {
        match self {
            Operand::Reference(reference) => quote!(*#reference),
            Operand::Place(value) | Operand::Scalar(value) => value.clone(),
        }
    }

    pub(super) fn borrow(&self) -> TokenStream {
        match self {
            Operand::Place(place) => quote!(&#place),
            Operand::Reference(value) | Operand::Scalar(value) => value.clone(),
        }
    }

    /// Returns an item of a tuple.
    pub(super) fn at(&self, i: usize) -> Operand {
        match self {
            Operand::Place(tuple) | Operand::Reference(tuple) => {
                let i = syn::Index::from(i);
                Operand::Place(quote!(#tuple.#i))
            }
            Operand::Scalar(_) => self.clone(),
        }
    }

    fn is_scalar(&self) -> bool {
        matches!(self, Operand::Scalar(_))
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
                    quote!(<#rules as __p::Compute<#op, (_,)>>::compute((#(#elements,)*)))
                } else {
                    let value = quote!(<#rules as __p::Compute<#op, (_, _)>>::compute((#(#elements),*)));
                    if *out == Side::Out { value } else { quote!(__p::fields::Fits::put(#value)) }
                }
            }
            Shape::Array(inner) => {
                let (mut of, mut names, mut within) = (Vec::new(), Vec::new(), Vec::new());
                for (operand, name) in operands.iter().zip([quote!(__a), quote!(__b)]) {
                    if operand.is_scalar() {
                        within.push(operand.clone());
                    } else {
                        of.push(operand.borrow());
                        within.push(Operand::Reference(name.clone()));
                        names.push(name);
                    }
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
    operands.iter().filter(|operand| !operand.is_scalar())
}
