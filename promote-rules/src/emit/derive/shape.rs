//! Shapes: the way in which operators compute a field, derived from its type.

use quote::ToTokens as _;
use syn::{Type, TypePath};

use super::container::{Container, Part, span};
use crate::diag::Errors;

/// The way in which a field is computed.
pub(super) enum Shape {
    /// The field is a `PhantomData`.
    Nothing,
    /// The left operand's field is kept.
    Kept,
    /// A promoted parameter, computed by the rule set.
    Element,
    /// An array, computed item by item.
    Array(Box<Shape>),
    /// A tuple, computed item by item.
    Tuple(Vec<Shape>),
    /// Another container, computed by its own operators.
    Container(Box<Type>),
    /// A field that a function of both operands computes.
    With { function: syn::Path, promotes: bool },
    /// A field that cannot be computed; a mistake was reported.
    Unknown,
}

/// Returns the shapes of a container's fields, and reports fields that cannot be computed.
pub(super) fn shapes(errors: &mut Errors, container: &Container) -> Vec<Shape> {
    let fields = container.fields.iter();
    fields
        .map(|field| match &field.part {
            Part::Skipped => Shape::Kept,
            Part::With(function) => {
                Shape::With { function: function.clone(), promotes: container.promotes(&field.ty) }
            }
            Part::Computed => shape(errors, container, &field.ty),
        })
        .collect()
}

fn shape(errors: &mut Errors, container: &Container, ty: &Type) -> Shape {
    match ty {
        Type::Paren(inner) => shape(errors, container, &inner.elem),
        Type::Group(inner) => shape(errors, container, &inner.elem),
        Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData") => {
            Shape::Nothing
        }
        _ if !container.promotes(ty) => {
            errors
                .push(
                    span(ty),
                    "operators cannot compute the field: its type has no parameter of the struct",
                )
                .help("write `#[promote(skip)]` to keep the field of the left operand, or make its type a parameter");
            Shape::Kept
        }
        Type::Path(TypePath { qself: None, path, .. })
            if container.promoted.iter().any(|names| path.is_ident(&names.left)) =>
        {
            Shape::Element
        }
        Type::Array(array) => Shape::Array(Box::new(shape(errors, container, &array.elem))),
        Type::Tuple(tuple) => {
            Shape::Tuple(tuple.elems.iter().map(|elem| shape(errors, container, elem)).collect())
        }
        Type::Path(TypePath { path, .. }) if is_collection(path) => {
            let written = ty.to_token_stream().to_string().replace(' ', "");
            errors
                .push(span(ty), format!("operators cannot compute the field: `{written}` has none"))
                .help("compute the field by `#[promote(with = function)]`, or keep the left one by `#[promote(skip)]`");
            Shape::Unknown
        }
        Type::Path(_) | Type::Macro(_) => Shape::Container(Box::new(ty.clone())),
        _ => {
            let written = ty.to_token_stream().to_string().replace(' ', "");
            errors
                .push(
                    span(ty),
                    format!("operators cannot make a value of the field: `{written}` does not own one"),
                )
                .help("hold the value itself, or compute the field by `#[promote(with = function)]`");
            Shape::Unknown
        }
    }
}

/// Returns true if a path names a type of the standard library that holds elements and has no arithmetic.
fn is_collection(path: &syn::Path) -> bool {
    const NAMES: [&str; 8] = ["Vec", "VecDeque", "Option", "Box", "Rc", "Arc", "HashMap", "BTreeMap"];
    let of_std = path.segments.len() == 1
        || path
            .segments
            .first()
            .is_some_and(|first| ["std", "core", "alloc"].iter().any(|name| first.ident == name));
    of_std && path.segments.last().is_some_and(|last| NAMES.iter().any(|name| last.ident == name))
}

impl Shape {
    /// Returns the containers in the shape.
    pub(super) fn containers(&self) -> Vec<&Type> {
        match self {
            Shape::Array(inner) => inner.containers(),
            Shape::Tuple(inner) => inner.iter().flat_map(Shape::containers).collect(),
            Shape::Container(ty) => vec![ty],
            _ => Vec::new(),
        }
    }
}
