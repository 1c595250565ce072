//! The struct as the derive understands it: the promoted parameters, and the role of each field.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{
    DeriveInput, Fields, GenericParam, Generics, Index, Member, Path, Token, Type, TypeParamBound,
    WherePredicate,
};

use super::attributes::{FieldArguments, StructArguments};
use super::names::{Promoted, Side, Taken, mentions, mentions_lifetime, replace};
use crate::diag::Errors;

type Bounds = Punctuated<TypeParamBound, Token![+]>;

/// A struct that promotes.
pub(super) struct Container {
    name: Ident,
    params: Generics,
    /// The type parameters that fields use, in order.
    pub(super) promoted: Vec<Promoted>,
    pub(super) fields: Vec<Field>,
    named: bool,
    unit: bool,
    /// The bounds of the struct, and those of its attributes.
    bounds: Vec<TokenStream>,
    /// Names for parameters of the emitted impls.
    pub(super) rules: Ident,
    pub(super) op: Ident,
    pub(super) number: Ident,
}

/// A field of the struct.
pub(super) struct Field {
    pub(super) member: Member,
    pub(super) ty: Type,
    pub(super) part: Part,
}

/// The role of a field.
#[derive(PartialEq)]
pub(super) enum Part {
    /// The field is computed according to its type.
    Computed,
    /// The field is skipped: the left operand's is kept.
    Skipped,
    /// A function of both operands computes the field.
    With(Path),
}

impl Container {
    pub(super) fn new(
        errors: &mut Errors,
        input: &DeriveInput,
        fields: &Fields,
        arguments: &StructArguments,
    ) -> Container {
        let mut taken = Taken::new(input.to_token_stream());
        let mut added = arguments.bounds.clone();
        let fields: Vec<Field> = fields
            .iter()
            .enumerate()
            .map(|(i, field)| {
                let arguments = FieldArguments::of(errors, &field.attrs);
                added.extend(arguments.bounds);
                let part = match arguments.with {
                    Some(path) => Part::With(path),
                    None if arguments.skip.is_some() => Part::Skipped,
                    None => Part::Computed,
                };
                let member =
                    field.ident.clone().map_or_else(|| Member::Unnamed(Index::from(i)), Member::Named);
                Field { member, ty: field.ty.clone(), part }
            })
            .collect();
        let promoted = input.generics.type_params().map(|param| &param.ident);
        let promoted: Vec<&Ident> = promoted.filter(|param| uses(&fields, param)).collect();
        check_skipped(errors, &fields, &promoted);
        let mut bounds = bounds_of(&input.generics, &promoted);
        bounds.extend(added.iter().map(ToTokens::to_token_stream));
        Container {
            name: input.ident.clone(),
            params: input.generics.clone(),
            promoted: promoted.into_iter().map(|param| taken.promoted(param)).collect(),
            named: fields.iter().any(|field| matches!(field.member, Member::Named(_))),
            unit: matches!(input.data, syn::Data::Struct(ref data) if matches!(data.fields, Fields::Unit)),
            fields,
            bounds,
            rules: taken.fresh("Rules"),
            op: taken.fresh("Op"),
            number: taken.fresh("Number"),
        }
    }

    /// Returns true if a promoted parameter occurs in a type.
    pub(super) fn promotes(&self, ty: &Type) -> bool {
        self.promoted.iter().any(|names| mentions(ty.to_token_stream(), &names.left))
    }

    /// Returns true if a parameter that is not promoted occurs in a type.
    pub(super) fn is_generic(&self, ty: &Type) -> bool {
        self.params.type_params().any(|param| mentions(ty.to_token_stream(), &param.ident))
    }

    /// Returns tokens of the struct with the parameter names of a side.
    pub(super) fn on(&self, side: Side, tokens: impl ToTokens) -> TokenStream {
        let by = |ident: &Ident| {
            let names = self.promoted.iter().find(|names| names.left == *ident)?;
            let mut name = names.at(side).clone();
            name.set_span(ident.span());
            Some(TokenTree::Ident(name))
        };
        replace(tokens.to_token_stream(), &by)
    }

    /// Returns the type of the container on a side.
    pub(super) fn ty(&self, side: Side) -> TokenStream {
        let name = &self.name;
        let arguments = self.params.params.iter().map(|param| match param {
            GenericParam::Lifetime(param) => param.lifetime.to_token_stream(),
            GenericParam::Type(param) => self.on(side, &param.ident),
            GenericParam::Const(param) => param.ident.to_token_stream(),
        });
        let arguments: Vec<TokenStream> = arguments.collect();
        if arguments.is_empty() { quote!(#name) } else { quote!(#name<#(#arguments),*>) }
    }

    /// Returns the parameters of an impl that mentions these sides. Their bounds go into its `where` clause.
    pub(super) fn generics(&self, sides: &[Side], extra: &TokenStream) -> TokenStream {
        let params = || self.params.params.iter();
        let lifetimes = params().filter_map(|param| match param {
            GenericParam::Lifetime(param) => Some(param.lifetime.to_token_stream()),
            _ => None,
        });
        let own = params().filter_map(|param| match param {
            GenericParam::Lifetime(_) => None,
            GenericParam::Type(param) => Some(param.ident.to_token_stream()),
            GenericParam::Const(param) => {
                let (name, ty) = (&param.ident, &param.ty);
                Some(quote!(const #name: #ty))
            }
        });
        let others = sides
            .iter()
            .filter(|side| **side != Side::Left)
            .flat_map(|&side| self.promoted.iter().map(move |names| names.at(side).to_token_stream()));
        let extra = (!extra.is_empty()).then(|| extra.clone());
        let all: Vec<TokenStream> = lifetimes.chain(own).chain(others).chain(extra).collect();
        if all.is_empty() { TokenStream::new() } else { quote!(<#(#all),*>) }
    }

    /// Returns the bounds of the struct on each of these sides.
    pub(super) fn bounds(&self, sides: &[Side]) -> Vec<TokenStream> {
        let mut out = Vec::new();
        for bound in &self.bounds {
            let promotes = self.promoted.iter().any(|names| mentions(bound.clone(), &names.left));
            let sides = if promotes { sides } else { &sides[..1] };
            out.extend(sides.iter().map(|side| self.on(*side, bound)));
        }
        if sides.contains(&Side::Out) {
            out.extend(self.outlives());
        }
        out
    }

    /// Returns the bounds `T: 'a` that a field `&'a T` implies. An impl infers them for the types in its
    /// header, but not for the result.
    fn outlives(&self) -> impl Iterator<Item = TokenStream> {
        let pairs =
            self.promoted.iter().flat_map(|names| self.params.lifetimes().map(move |life| (names, life)));
        let together = pairs.filter(|(names, life)| {
            let types = self.fields.iter().map(|field| field.ty.to_token_stream());
            let mut both = types.filter(|ty| {
                mentions(ty.clone(), &names.left) && mentions_lifetime(ty.clone(), &life.lifetime)
            });
            both.next().is_some()
        });
        together.map(|(names, life)| {
            let (out, life) = (&names.out, &life.lifetime);
            quote!(#out: #life)
        })
    }

    /// Emits a value of the container from an expression for each field.
    pub(super) fn build(&self, values: &[TokenStream]) -> TokenStream {
        let name = &self.name;
        if self.named {
            let members = self.fields.iter().map(|field| &field.member);
            quote!(#name { #(#members: #values),* })
        } else if self.unit {
            quote!(#name)
        } else {
            quote!(#name(#(#values),*))
        }
    }
}

/// Returns a `where` clause with each bound once.
pub(super) fn where_clause(bounds: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let mut known = std::collections::BTreeSet::new();
    let bounds: Vec<TokenStream> =
        bounds.into_iter().filter(|bound| known.insert(bound.to_string())).collect();
    if bounds.is_empty() { TokenStream::new() } else { quote!(where #(#bounds),*) }
}

fn uses(fields: &[Field], param: &Ident) -> bool {
    fields.iter().any(|field| field.part != Part::Skipped && mentions(field.ty.to_token_stream(), param))
}

/// Returns the bounds on the parameters and those of the `where` clause. Promoted parameters are always
/// `Sized`.
fn bounds_of(generics: &Generics, promoted: &[&Ident]) -> Vec<TokenStream> {
    let relaxed = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => bound.maybe.is_some(),
        _ => false,
    };
    let on_type = |ty: TokenStream, bounds: &Bounds| {
        let is_promoted = promoted.iter().any(|param| ty.to_string() == param.to_string());
        let bounds: Vec<_> = bounds.iter().filter(|bound| !(is_promoted && relaxed(bound))).collect();
        (!bounds.is_empty()).then(|| quote!(#ty: #(#bounds)+*))
    };
    let on_params = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => on_type(param.ident.to_token_stream(), &param.bounds),
        GenericParam::Lifetime(param) if !param.bounds.is_empty() => {
            let (lifetime, bounds) = (&param.lifetime, &param.bounds);
            Some(quote!(#lifetime: #bounds))
        }
        _ => None,
    });
    let stated = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let stated = stated.filter_map(|predicate| match predicate {
        WherePredicate::Type(stated) if stated.lifetimes.is_none() => {
            on_type(stated.bounded_ty.to_token_stream(), &stated.bounds)
        }
        other => Some(other.to_token_stream()),
    });
    on_params.chain(stated).collect()
}

/// Checks that a skipped field has one type on all sides. A mistake is:
///
/// ```text
/// struct Sample<T> { value: T, #[promote(skip)] peak: T }
/// ```
fn check_skipped(errors: &mut Errors, fields: &[Field], promoted: &[&Ident]) {
    for field in fields.iter().filter(|field| field.part == Part::Skipped) {
        let other = promoted.iter().find(|param| mentions(field.ty.to_token_stream(), param));
        if let Some(param) = other {
            errors
                .push(
                    span(&field.ty),
                    format!("the field is skipped, and another field promotes its parameter `{param}`"),
                )
                .help(format!("do not skip it, or give it a parameter of its own beside `{param}`"));
        }
    }
}

/// Returns the span at which a type begins.
pub(super) fn span(ty: &impl ToTokens) -> Span {
    syn::spanned::Spanned::span(ty)
}
