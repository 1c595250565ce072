//! `==` and `<` between containers, which compare field by field in order.

use proc_macro2::TokenStream;
use quote::quote;

use super::container::{Container, where_clause};
use super::expression::Operand;
use super::names::Side;
use super::shape::Shape;

/// The comparison of the parts of a shape.
trait Comparison {
    fn elements(&self, a: &Operand, b: &Operand) -> TokenStream;
    fn containers(&self, a: &Operand, b: &Operand) -> TokenStream;
    fn array(&self, a: &Operand, b: &Operand, within: &TokenStream) -> TokenStream;
    /// Combines comparisons, which run one after the other.
    fn all(&self, parts: Vec<TokenStream>) -> TokenStream;

    /// Emits the comparison of all fields that take part.
    fn of(&self, container: &Container, shapes: &[Shape]) -> TokenStream {
        let mut parts = Vec::new();
        for (shape, field) in shapes.iter().zip(&container.fields) {
            let member = &field.member;
            let (a, b) = (Operand::Place(quote!(self.#member)), Operand::Place(quote!(__b.#member)));
            self.parts(&mut parts, shape, &a, &b);
        }
        self.all(parts)
    }

    fn parts(&self, parts: &mut Vec<TokenStream>, shape: &Shape, a: &Operand, b: &Operand) {
        match shape {
            Shape::Nothing | Shape::Kept | Shape::With { .. } | Shape::Unknown => {}
            Shape::Element => parts.push(self.elements(a, b)),
            Shape::Container(_) => parts.push(self.containers(a, b)),
            Shape::Array(inner) => {
                let mut within = Vec::new();
                let each = [quote!(__a), quote!(__b)].map(Operand::Reference);
                self.parts(&mut within, inner, &each[0], &each[1]);
                parts.push(self.array(a, b, &self.all(within)));
            }
            Shape::Tuple(inner) => {
                for (i, shape) in inner.iter().enumerate() {
                    self.parts(parts, shape, &a.at(i), &b.at(i));
                }
            }
        }
    }
}

struct Equal<'a>(&'a TokenStream);

impl Comparison for Equal<'_> {
    fn elements(&self, a: &Operand, b: &Operand) -> TokenStream {
        let (rules, a, b) = (self.0, a.read(), b.read());
        quote!(<#rules as __p::Compute<__p::op::Equal, (_, _)>>::compute((#a, #b)))
    }

    fn containers(&self, a: &Operand, b: &Operand) -> TokenStream {
        let (a, b) = (a.read(), b.read());
        quote!(#a == #b)
    }

    fn array(&self, a: &Operand, b: &Operand, within: &TokenStream) -> TokenStream {
        let (a, b) = (a.borrow(), b.borrow());
        quote!(__p::fields::all(#a, #b, |__a, __b| #within))
    }

    fn all(&self, parts: Vec<TokenStream>) -> TokenStream {
        if parts.is_empty() { quote!(true) } else { quote!(#(#parts)&&*) }
    }
}

struct Order<'a>(&'a TokenStream);

impl Comparison for Order<'_> {
    fn elements(&self, a: &Operand, b: &Operand) -> TokenStream {
        let (rules, a, b) = (self.0, a.read(), b.read());
        quote!(__p::fields::order::<#rules, _, _>(#a, #b))
    }

    fn containers(&self, a: &Operand, b: &Operand) -> TokenStream {
        let (a, b) = (a.borrow(), b.borrow());
        quote!(::core::cmp::PartialOrd::partial_cmp(#a, #b))
    }

    fn array(&self, a: &Operand, b: &Operand, within: &TokenStream) -> TokenStream {
        let (a, b) = (a.borrow(), b.borrow());
        quote!(__p::fields::first(#a, #b, |__a, __b| #within))
    }

    fn all(&self, mut parts: Vec<TokenStream>) -> TokenStream {
        let equal = quote!(::core::option::Option::Some(::core::cmp::Ordering::Equal));
        match (parts.pop(), &parts[..]) {
            (None, _) => equal,
            (Some(only), []) => only,
            (Some(last), before) => quote! {{
                #(match #before {
                    #equal => {}
                    __order => return __order,
                })*
                #last
            }},
        }
    }
}

/// Emits `impl PartialEq`.
pub(super) fn equal(container: &Container, shapes: &[Shape], rules: &TokenStream) -> TokenStream {
    let (generics, left, right) = header(container);
    let bounds = bounds(container, shapes, rules, &["Equal"], &quote!(PartialEq));
    let (bounds, body) = (where_clause(bounds), Equal(rules).of(container, shapes));
    quote! {
        #[automatically_derived]
        impl #generics ::core::cmp::PartialEq<#right> for #left #bounds {
            #[inline]
            fn eq(&self, __b: &#right) -> ::core::primitive::bool {
                #body
            }
        }
    }
}

/// Emits `impl PartialOrd`. Its supertrait `PartialEq` is derived here if `mixed` is true, and written
/// elsewhere otherwise.
pub(super) fn order(
    container: &Container,
    shapes: &[Shape],
    rules: &TokenStream,
    mixed: bool,
) -> TokenStream {
    let (generics, left, right) = header(container);
    let mut bounds = bounds(container, shapes, rules, &["Equal", "Less", "Greater"], &quote!(PartialOrd));
    bounds.extend((!mixed).then(|| quote!(#left: ::core::cmp::PartialEq<#right>)));
    let (bounds, body) = (where_clause(bounds), Order(rules).of(container, shapes));
    quote! {
        #[automatically_derived]
        impl #generics ::core::cmp::PartialOrd<#right> for #left #bounds {
            #[inline]
            fn partial_cmp(&self, __b: &#right) -> ::core::option::Option<::core::cmp::Ordering> {
                #body
            }
        }
    }
}

fn header(container: &Container) -> (TokenStream, TokenStream, TokenStream) {
    let generics = container.generics(&[Side::Left, Side::Right], &quote!());
    (generics, container.ty(Side::Left), container.ty(Side::Right))
}

fn bounds(
    container: &Container,
    shapes: &[Shape],
    rules: &TokenStream,
    ops: &[&str],
    of_containers: &TokenStream,
) -> Vec<TokenStream> {
    let mut bounds = Vec::new();
    for names in &container.promoted {
        let (left, right) = (&names.left, &names.right);
        let ops = ops.iter().map(|op| quote::format_ident!("{op}"));
        bounds.extend(ops.map(
            |op| quote!(#rules: __p::Compute<__p::op::#op, (#left, #right), Output = ::core::primitive::bool>),
        ));
        bounds.extend([quote!(#left: ::core::marker::Copy), quote!(#right: ::core::marker::Copy)]);
    }
    for ty in shapes.iter().flat_map(Shape::containers) {
        let (left, right) = (container.on(Side::Left, ty), container.on(Side::Right, ty));
        bounds.push(quote!(#left: ::core::cmp::#of_containers<#right>));
    }
    bounds.extend(container.bounds(&[Side::Left, Side::Right]));
    bounds
}
