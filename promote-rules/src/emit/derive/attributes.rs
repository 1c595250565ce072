//! The arguments of `#[promote(..)]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::spanned::Spanned as _;
use syn::{Attribute, DeriveInput, Path, Token, WherePredicate};

use super::operator::Operator;
use crate::diag::{Errors, did_you_mean};
use crate::emit::attribute::{AttributeOption, AttributeOptions};

static ON_STRUCT: AttributeOptions = AttributeOptions {
    target: "`#[promote(..)]` on a struct",
    known: &["bound(T: Copy)", "crate = path", "ops(Add, ..)", "rules(Torch, ..)", "weak(Mul, ..)"],
    beside: Some(&ON_FIELD),
};
static ON_FIELD: AttributeOptions = AttributeOptions {
    target: "`#[promote(..)]` on a field",
    known: &["bound(T: Copy)", "skip", "with = path::to::function"],
    beside: Some(&ON_STRUCT),
};

/// The arguments on a struct.
pub(super) struct StructArguments {
    /// The path of the facade.
    pub(super) krate: TokenStream,
    /// The rule sets; empty for all rule sets.
    pub(super) rules: Vec<Path>,
    /// The operators between two containers, and those between a container and a weak scalar.
    pub(super) operators: Vec<(Operator, Span)>,
    pub(super) weak: Vec<(Operator, Span)>,
    /// The rule set that the operators name.
    named: Option<Path>,
    pub(super) bounds: Vec<WherePredicate>,
}

/// The arguments on a field.
#[derive(Default)]
pub(super) struct FieldArguments {
    pub(super) skip: Option<Span>,
    pub(super) with: Option<Path>,
    pub(super) bounds: Vec<WherePredicate>,
}

impl StructArguments {
    pub(super) fn of(errors: &mut Errors, input: &DeriveInput) -> StructArguments {
        let mut arguments = StructArguments {
            krate: quote!(::promote),
            rules: Vec::new(),
            operators: Vec::new(),
            weak: Vec::new(),
            named: None,
            bounds: Vec::new(),
        };
        let mut weak_of_operators = None;
        ON_STRUCT.of_attributes(errors, "promote", &input.attrs, |errors, option| {
            match &*option.name {
                "crate" => arguments.krate = option.path()?.into_token_stream(),
                "rules" => {
                    for rules in option.list::<Path>()? {
                        if arguments.rules.contains(&rules) {
                            errors.twice(rules.span(), &text(&rules));
                        } else {
                            arguments.rules.push(rules);
                        }
                    }
                }
                "ops" => arguments.operators(errors, option)?,
                "weak" if option.has_list() => {
                    for name in option.list::<Ident>()? {
                        operator(errors, &mut arguments.weak, &name);
                    }
                }
                "weak" => weak_of_operators = Some(option.alone()?),
                _ => arguments.bounds.extend(option.list::<WherePredicate>()?),
            }
            Ok(())
        });
        arguments.check_weak(errors, weak_of_operators);
        arguments
    }

    /// Reads `ops(rules = Torch, Add, Sub)`.
    fn operators(&mut self, errors: &mut Errors, option: &AttributeOption<'_>) -> syn::Result<()> {
        let content = option.listed()?;
        while !content.is_empty() {
            let name: Ident = content.parse()?;
            if name == "rules" && content.peek(Token![=]) {
                content.parse::<Token![=]>()?;
                if self.named.replace(content.parse()?).is_some() {
                    errors.twice(name.span(), "rules");
                }
            } else {
                operator(errors, &mut self.operators, &name);
            }
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    /// Adds the operators that `weak` without a list means: those of `ops(..)` that a scalar can have.
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
                        "`weak` needs an operator of `ops(..)` that takes a weak scalar, and there is none",
                    )
                    .help("name the operators: `weak(Mul, Div)`");
            }
            self.weak.extend(new);
        }
    }

    /// Returns the one rule set in which operators compute.
    pub(super) fn rules_of_operators(&self, errors: &mut Errors) -> TokenStream {
        let krate = &self.krate;
        match (&self.named, &self.rules[..]) {
            (Some(named), _) => quote!(#named),
            (None, []) => quote!(#krate::Torch),
            (None, [only]) => quote!(#only),
            (None, [first, ..]) => {
                if let Some((_, span)) = self.operators.iter().chain(&self.weak).next() {
                    errors
                        .push(*span, "operators compute in one rule set, and the attribute names several")
                        .help(format!("say which: `ops(rules = {}, ..)`", text(first)));
                }
                quote!(#first)
            }
        }
    }
}

impl FieldArguments {
    pub(super) fn of(errors: &mut Errors, attrs: &[Attribute]) -> FieldArguments {
        let mut arguments = FieldArguments::default();
        ON_FIELD.of_attributes(errors, "promote", attrs, |_, option| {
            match &*option.name {
                "skip" => arguments.skip = Some(option.alone()?),
                "with" => arguments.with = Some(option.path()?),
                _ => arguments.bounds.extend(option.list::<WherePredicate>()?),
            }
            Ok(())
        });
        if let (Some(skip), Some(_)) = (arguments.skip, &arguments.with) {
            errors.push(skip, "`skip` and `with` exclude each other").help("leave one of them out");
        }
        arguments
    }
}

/// Returns a path without spaces.
fn text(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

fn operator(errors: &mut Errors, operators: &mut Vec<(Operator, Span)>, operator: &Ident) {
    let name = operator.to_string();
    match Operator::ALL.into_iter().find(|operator| operator.name() == name) {
        Some(found) if operators.iter().any(|(operator, _)| *operator == found) => {
            errors.twice(operator.span(), &name);
        }
        Some(found) => operators.push((found, operator.span())),
        None => {
            let known = Operator::ALL.map(Operator::name);
            let help =
                did_you_mean(&name, known).unwrap_or_else(|| format!("they are `{}`", known.join(" ")));
            errors.push(operator.span(), format!("`{name}` is no operator that can be derived")).help(help);
        }
    }
}
