//! `#[promote(..)]`, as it is written.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::meta::ParseNestedMeta;
use syn::parse::ParseBuffer;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, DeriveInput, Path, Token, WherePredicate, token};

use super::operators::Operator;
use crate::diag::{Errors, did_you_mean};

const ON_STRUCT: [&str; 5] = ["bound", "crate", "ops", "rules", "weak"];
const ON_FIELD: [&str; 3] = ["bound", "skip", "with"];

/// What is asked of a struct.
pub(super) struct Asked {
    /// Where the facade lives.
    pub(super) krate: TokenStream,
    /// The rule sets; all, if none is named.
    pub(super) rules: Vec<Path>,
    /// The operators between two containers, and those between a container and a weak scalar.
    pub(super) operators: Vec<(Operator, Span)>,
    pub(super) weak: Vec<(Operator, Span)>,
    /// The rule set that the operators name.
    named: Option<Path>,
    pub(super) bounds: Vec<WherePredicate>,
}

/// What is asked of a field.
#[derive(Default)]
pub(super) struct AskedOfField {
    pub(super) skip: Option<Span>,
    pub(super) with: Option<Path>,
    pub(super) bounds: Vec<WherePredicate>,
}

impl Asked {
    pub(super) fn of(errors: &mut Errors, input: &DeriveInput) -> Asked {
        let mut asked = Asked {
            krate: quote!(::promote),
            rules: Vec::new(),
            operators: Vec::new(),
            weak: Vec::new(),
            named: None,
            bounds: Vec::new(),
        };
        let mut weak_of_operators = None;
        each_word(errors, &input.attrs, |errors, meta| {
            if meta.path.is_ident("crate") {
                let path = path(meta)?;
                asked.krate = quote!(#path);
            } else if meta.path.is_ident("rules") {
                for rules in list::<Path>(meta)? {
                    if asked.rules.contains(&rules) {
                        errors
                            .push(rules.span(), "this rule set is named twice")
                            .help("leave one of them out");
                    } else {
                        asked.rules.push(rules);
                    }
                }
            } else if meta.path.is_ident("ops") {
                asked.operators(errors, meta)?;
            } else if meta.path.is_ident("weak") {
                if meta.input.peek(token::Paren) {
                    for word in list::<Ident>(meta)? {
                        operator(errors, &mut asked.weak, &word);
                    }
                } else {
                    weak_of_operators = Some(meta.path.span());
                }
            } else if meta.path.is_ident("bound") {
                asked.bounds.extend(list::<WherePredicate>(meta)?);
            } else {
                unknown(errors, meta, "a struct", &ON_STRUCT, ("a field", &ON_FIELD))?;
            }
            Ok(())
        });
        asked.check_weak(errors, weak_of_operators);
        asked
    }

    /// `ops(rules = Torch, Add, Sub)`
    fn operators(&mut self, errors: &mut Errors, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let content = listed(meta)?;
        while !content.is_empty() {
            let word: Ident = content.parse()?;
            if word == "rules" && content.peek(Token![=]) {
                content.parse::<Token![=]>()?;
                self.named = Some(content.parse()?);
            } else {
                operator(errors, &mut self.operators, &word);
            }
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    /// `weak` alone means those of the operators that a scalar can have.
    fn check_weak(&mut self, errors: &mut Errors, of_operators: Option<Span>) {
        for (operator, span) in &self.weak {
            if !operator.takes_weak() {
                let name = operator.name();
                errors
                    .push(*span, format!("`{name}` is no operator of a container and a weak scalar"))
                    .help("name `Add Sub Mul Div Rem`, or the same with `Assign`");
            }
        }
        self.weak.retain(|(operator, _)| operator.takes_weak());
        if let Some(span) = of_operators {
            let new = self.operators.iter().filter(|(operator, _)| operator.takes_weak());
            let new: Vec<_> =
                new.filter(|(new, _)| self.weak.iter().all(|(old, _)| old != new)).copied().collect();
            if new.is_empty() && self.weak.is_empty() {
                errors
                    .push(
                        span,
                        "`weak` gives the operators of `ops(..)` weak scalars, and none there takes one",
                    )
                    .help("name them here: `weak(Mul, Div)`");
            }
            self.weak.extend(new);
        }
    }

    /// The one rule set in which operators compute.
    pub(super) fn rules_of_operators(&self, errors: &mut Errors) -> TokenStream {
        let krate = &self.krate;
        match (&self.named, &self.rules[..]) {
            (Some(named), _) => quote!(#named),
            (None, []) => quote!(#krate::Torch),
            (None, [only]) => quote!(#only),
            (None, [first, ..]) => {
                if let Some((_, span)) = self.operators.iter().chain(&self.weak).next() {
                    let name = quote!(#first).to_string().replace(' ', "");
                    errors
                        .push(*span, "operators compute in one rule set, and several are named")
                        .help(format!("say which: `ops(rules = {name}, ..)`"));
                }
                quote!(#first)
            }
        }
    }
}

impl AskedOfField {
    pub(super) fn of(errors: &mut Errors, attrs: &[Attribute]) -> AskedOfField {
        let mut asked = AskedOfField::default();
        each_word(errors, attrs, |errors, meta| {
            if meta.path.is_ident("skip") {
                asked.skip = Some(meta.path.span());
            } else if meta.path.is_ident("with") {
                asked.with = Some(path(meta)?);
            } else if meta.path.is_ident("bound") {
                asked.bounds.extend(list::<WherePredicate>(meta)?);
            } else {
                unknown(errors, meta, "a field", &ON_FIELD, ("the struct", &ON_STRUCT))?;
            }
            Ok(())
        });
        if let (Some(skip), Some(_)) = (asked.skip, &asked.with) {
            errors
                .push(skip, "a field that is skipped is not computed, and `with` computes it")
                .help("leave one of them out");
        }
        asked
    }
}

/// Reads the words of all `#[promote(..)]`; one that cannot be read ends its list.
fn each_word(
    errors: &mut Errors,
    attrs: &[Attribute],
    mut read: impl FnMut(&mut Errors, &ParseNestedMeta<'_>) -> syn::Result<()>,
) {
    for attribute in attrs.iter().filter(|attribute| attribute.path().is_ident("promote")) {
        if let Err(error) = attribute.parse_nested_meta(|meta| read(errors, &meta)) {
            errors.syn(&error);
        }
    }
}

/// `(a, b, c)`: at least one.
fn list<T: syn::parse::Parse>(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<T>> {
    let content = listed(meta)?;
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

/// What stands in the parentheses behind a word.
fn listed<'a>(meta: &ParseNestedMeta<'a>) -> syn::Result<ParseBuffer<'a>> {
    let word = word(meta);
    let none =
        || syn::Error::new(meta.path.span(), format!("nothing is named here\nhelp: write `{word}(..)`"));
    if !meta.input.peek(token::Paren) {
        return Err(none());
    }
    let content;
    syn::parenthesized!(content in meta.input);
    if content.is_empty() { Err(none()) } else { Ok(content) }
}

/// The path behind a word and `=`.
fn path(meta: &ParseNestedMeta<'_>) -> syn::Result<Path> {
    if !meta.input.peek(Token![=]) {
        let word = word(meta);
        let message = format!("`{word}` names a path\nhelp: write `{word} = path::to::it`");
        return Err(syn::Error::new(meta.path.span(), message));
    }
    meta.value()?.call(Path::parse_mod_style)
}

fn word(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.get_ident().map(Ident::to_string).unwrap_or_default()
}

fn operator(errors: &mut Errors, operators: &mut Vec<(Operator, Span)>, word: &Ident) {
    let name = word.to_string();
    match Operator::ALL.into_iter().find(|operator| operator.name() == name) {
        Some(found) if operators.iter().any(|(operator, _)| *operator == found) => {
            errors.push(word.span(), format!("`{name}` is named twice")).help("leave one of them out");
        }
        Some(found) => operators.push((found, word.span())),
        None => {
            let known = Operator::ALL.map(Operator::name);
            let help =
                did_you_mean(&name, known).unwrap_or_else(|| format!("they are `{}`", known.join(" ")));
            errors.push(word.span(), format!("`{name}` is no operator that can be derived")).help(help);
        }
    }
}

/// A word that is not known here, with what follows it.
fn unknown(
    errors: &mut Errors,
    meta: &ParseNestedMeta<'_>,
    here: &str,
    known: &[&str],
    (there, others): (&str, &[&str]),
) -> syn::Result<()> {
    let word = word(meta);
    let help = if others.contains(&&*word) {
        format!("it stands on {there}")
    } else {
        let list = || format!("the words are `{}`", known.join(" "));
        did_you_mean(&word, known.iter().copied()).unwrap_or_else(list)
    };
    errors.push(meta.path.span(), format!("`#[promote({word})]` means nothing on {here}")).help(help);
    while !meta.input.is_empty() && !meta.input.peek(Token![,]) {
        meta.input.parse::<proc_macro2::TokenTree>()?;
    }
    Ok(())
}
