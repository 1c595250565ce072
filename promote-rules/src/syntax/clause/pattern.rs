//! The patterns of a clause: `same set`, `array int | float, any`.

use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{Ident, Token};

use crate::model::Category;
use crate::syntax::{name, peek_name, word};

/// `name | name ..`: dtypes, groups, kinds.
#[derive(Clone, Debug)]
pub struct Set {
    /// The names, at least one.
    pub names: Vec<Ident>,
}

/// One side of a clause: which categories and dtypes of operand it takes.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The categories; none written means all.
    pub categories: Vec<Category>,
    /// `no_higher`: of the kind of `a`, or of a lower one.
    pub no_higher: bool,
    /// The dtypes; none written (`number => ..`) means all.
    pub set: Option<Set>,
    /// The position of its first token.
    pub span: Span,
}

/// The patterns of a clause, before `if` or `=>`.
#[derive(Clone, Debug)]
pub enum Patterns {
    /// Nothing: every operand.
    Any,
    /// `same [set]`: two operands of one dtype.
    Same(Option<Set>),
    /// One pattern.
    One(Pattern),
    /// Two patterns.
    Two(Pattern, Pattern),
}

pub(super) fn patterns(input: ParseStream<'_>) -> syn::Result<Patterns> {
    if input.peek(Token![if]) || input.peek(Token![=>]) {
        return Ok(Patterns::Any);
    }
    if word(input, "same") {
        let over = input.peek(Token![=>]) || input.peek(Token![if]);
        return Ok(Patterns::Same(if over { None } else { Some(set(input)?) }));
    }
    let first = pattern(input)?;
    if !input.peek(Token![,]) {
        return Ok(Patterns::One(first));
    }
    input.parse::<Token![,]>()?;
    Ok(Patterns::Two(first, pattern(input)?))
}

fn pattern(input: ParseStream<'_>) -> syn::Result<Pattern> {
    let span = input.span();
    if input.peek(Token![!]) {
        return Err(input.error(
            "a pattern cannot be negated\nhelp: name the other dtypes, `int | float | complex`, or write a condition: `any if !(a in bool) => ..`",
        ));
    }
    let mut categories = Vec::new();
    while let Some(category) = peek_name(input).as_deref().and_then(Category::from_name) {
        word(input, category.name());
        categories.push(category);
        if !input.peek(Token![|]) {
            break;
        }
        input.parse::<Token![|]>()?;
    }
    let no_higher = word(input, "no_higher");
    let over = input.peek(Token![,]) || input.peek(Token![=>]) || input.peek(Token![if]);
    let set = if over && (no_higher || !categories.is_empty()) { None } else { Some(set(input)?) };
    Ok(Pattern { categories, no_higher, set, span })
}

/// `name | name ..`
pub(in crate::syntax) fn set(input: ParseStream<'_>) -> syn::Result<Set> {
    let mut names = vec![of_set(input)?];
    while input.peek(Token![|]) && !input.peek(Token![||]) {
        input.parse::<Token![|]>()?;
        names.push(of_set(input)?);
    }
    Ok(Set { names })
}

fn of_set(input: ParseStream<'_>) -> syn::Result<Ident> {
    if input.peek(Token![!]) {
        return Err(input.error(
            "a set of dtypes cannot be negated\nhelp: name the other dtypes, kinds or groups: `int | float | complex`",
        ));
    }
    name(input, "a dtype, a kind, a group or `any`")
}

/// The words that stand before the dtypes of a pattern.
pub(super) const PATTERN_WORDS: [&str; 6] = ["same", "no_higher", "array", "zero_dim", "number", "weak"];
