//! The arguments in the attributes of the macros: `#[element(via = f64, from(Q7))]`, `#[kernel(named)]`,
//! `#[promote(ops(Add))]`.
//!
//! The options of an attribute are data. All mistakes are reported here, so that the messages are alike.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseBuffer, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Path, Token, token};

use crate::diag::{Errors, did_you_mean};

/// The options of an attribute.
pub(super) struct AttributeOptions {
    /// The attribute, as messages name it.
    pub(super) target: &'static str,
    /// An example of each option: `via = f64`.
    pub(super) known: &'static [&'static str],
    /// Another attribute, whose options are easily written here by mistake.
    pub(super) beside: Option<&'static AttributeOptions>,
}

/// A known option, before its value is read.
pub(super) struct AttributeOption<'a> {
    pub(super) name: String,
    pub(super) span: Span,
    form: &'static str,
    input: ParseStream<'a>,
}

impl AttributeOptions {
    /// Calls `read` with each option of all attributes of this name.
    pub(super) fn of_attributes(
        &self,
        errors: &mut Errors,
        name: &str,
        attrs: &[Attribute],
        mut read: impl FnMut(&mut Errors, &AttributeOption<'_>) -> syn::Result<()>,
    ) {
        let mut said = Vec::new();
        for attribute in attrs.iter().filter(|attribute| attribute.path().is_ident(name)) {
            let parsed = attribute.parse_nested_meta(|meta| self.option(errors, &mut said, &meta, &mut read));
            parsed.unwrap_or_else(|error| errors.syn(&error));
        }
    }

    /// Calls `read` with each option in the parentheses of an attribute macro.
    pub(super) fn of_arguments(
        &self,
        errors: &mut Errors,
        tokens: TokenStream,
        mut read: impl FnMut(&mut Errors, &AttributeOption<'_>) -> syn::Result<()>,
    ) {
        let mut said = Vec::new();
        let parser = syn::meta::parser(|meta| self.option(errors, &mut said, &meta, &mut read));
        parser.parse2(tokens).unwrap_or_else(|error| errors.syn(&error));
    }

    /// Reads an option. An unknown option is skipped with its value; an option that cannot be read ends its
    /// attribute.
    fn option(
        &self,
        errors: &mut Errors,
        said: &mut Vec<String>,
        meta: &ParseNestedMeta<'_>,
        read: &mut impl FnMut(&mut Errors, &AttributeOption<'_>) -> syn::Result<()>,
    ) -> syn::Result<()> {
        let (name, span, input) = (meta.path.to_token_stream().to_string(), meta.path.span(), meta.input);
        let Some(form) = self.form(&name) else {
            let (message, help) = self.unknown(&name);
            errors.push(span, message).help(help);
            return pass_over(input);
        };
        // Lists may be repeated: one may be in a `cfg_attr` of its own.
        if !input.peek(token::Paren) {
            if said.contains(&name) {
                errors.twice(span, &name);
                return pass_over(input);
            }
            said.push(name.clone());
        }
        read(errors, &AttributeOption { name, span, form, input })
    }

    fn form(&self, name: &str) -> Option<&'static str> {
        self.known.iter().copied().find(|form| name_of(form) == name)
    }

    /// Returns the message and the help for an unknown option.
    fn unknown(&self, name: &str) -> (String, String) {
        let message = format!("`{name}` is no option of {}", self.target);
        let help = match self.beside {
            Some(other) if other.form(name).is_some() => format!("it is an option of {}", other.target),
            _ => did_you_mean(name, self.known.iter().map(|form| name_of(form)))
                .unwrap_or_else(|| format!("the options are `{}`", self.known.join("`, `"))),
        };
        (message, help)
    }
}

impl<'a> AttributeOption<'a> {
    /// Returns true if a list follows.
    pub(super) fn has_list(&self) -> bool {
        self.input.peek(token::Paren)
    }

    /// Reads an option without a value: `named`.
    pub(super) fn alone(&self) -> syn::Result<Span> {
        if ends(self.input) {
            return Ok(self.span);
        }
        let message = format!("`{}` takes no value\nhelp: write the option alone", self.name);
        Err(syn::Error::new(self.span, message))
    }

    /// Reads a value: `via = f64`.
    pub(super) fn value<T: Parse>(&self) -> syn::Result<T> {
        self.value_by(T::parse)
    }

    /// Reads a path: `crate = path::to::it`.
    pub(super) fn path(&self) -> syn::Result<Path> {
        self.value_by(Path::parse_mod_style)
    }

    fn value_by<T>(&self, parse: fn(ParseStream<'_>) -> syn::Result<T>) -> syn::Result<T> {
        let equals: Option<Token![=]> = self.input.parse()?;
        if equals.is_none() || ends(self.input) {
            return Err(self.without_value());
        }
        parse(self.input)
    }

    /// Reads a list of at least one item: `from(Q7, Q15)`.
    pub(super) fn list<T: Parse>(&self) -> syn::Result<Vec<T>> {
        let content = self.listed()?;
        Ok(Punctuated::<T, Token![,]>::parse_terminated(&content)?.into_iter().collect())
    }

    /// Returns the tokens in the parentheses.
    pub(super) fn listed(&self) -> syn::Result<ParseBuffer<'a>> {
        if !self.has_list() {
            return Err(self.without_value());
        }
        let content;
        syn::parenthesized!(content in self.input);
        if content.is_empty() { Err(self.without_value()) } else { Ok(content) }
    }

    fn without_value(&self) -> syn::Error {
        let AttributeOption { name, form, .. } = self;
        syn::Error::new(self.span, format!("`{name}` has no value here\nhelp: write `{form}`"))
    }
}

/// Returns the name of the option in an example.
fn name_of(form: &str) -> &str {
    form.split([' ', '(']).next().unwrap_or(form)
}

fn ends(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,])
}

fn pass_over(input: ParseStream<'_>) -> syn::Result<()> {
    while !ends(input) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}
