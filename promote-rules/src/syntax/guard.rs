//! The condition of a clause: `kind(b) <= kind(a) && !x64`.

use proc_macro2::Span;
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, LitInt, Token};

use super::clause::{Set, set};
use super::{name, word};

/// A comparison between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are the operators' usual names")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A guard, or a term of one.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The expression.
    pub kind: GuardKind,
    /// The position of its first token.
    pub span: Span,
}

/// The forms of a guard.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "each variant is the form that its name says")]
pub enum GuardKind {
    Not(Box<Guard>),
    And(Box<Guard>, Box<Guard>),
    Or(Box<Guard>, Box<Guard>),
    Compare(Comparison, Box<Guard>, Box<Guard>),
    Times(Box<Guard>, Box<Guard>),
    In(Box<Guard>, Set),
    Call(Ident, Vec<Guard>),
    Name(Ident),
    Number(i64),
}

/// The limit of conditions that one `&&` or `||` chain joins, and of factors of a product. Functions that
/// walk a guard are recursive.
const MAX_CHAIN: usize = 64;

fn longer(input: ParseStream<'_>, length: &mut usize) -> syn::Result<()> {
    *length += 1;
    if *length > MAX_CHAIN {
        Err(input.error(format!(
            "a condition joins at most {MAX_CHAIN} terms\nhelp: split the clause into several clauses"
        )))
    } else {
        Ok(())
    }
}

impl Guard {
    pub(super) fn parse(input: ParseStream<'_>) -> syn::Result<Guard> {
        let mut left = and(input)?;
        let mut length = 1;
        while input.peek(Token![||]) {
            longer(input, &mut length)?;
            input.parse::<Token![||]>()?;
            let span = left.span;
            left = Guard { kind: GuardKind::Or(Box::new(left), Box::new(and(input)?)), span };
        }
        Ok(left)
    }
}

fn and(input: ParseStream<'_>) -> syn::Result<Guard> {
    let mut left = comparison(input)?;
    let mut length = 1;
    while input.peek(Token![&&]) {
        longer(input, &mut length)?;
        input.parse::<Token![&&]>()?;
        let span = left.span;
        left = Guard { kind: GuardKind::And(Box::new(left), Box::new(comparison(input)?)), span };
    }
    Ok(left)
}

fn comparison(input: ParseStream<'_>) -> syn::Result<Guard> {
    let left = product(input)?;
    let span = left.span;
    if word(input, "in") {
        return Ok(Guard { kind: GuardKind::In(Box::new(left), set(input)?), span });
    }
    let Some(operator) = operator(input)? else {
        return Ok(left);
    };
    let right = product(input)?;
    Ok(Guard { kind: GuardKind::Compare(operator, Box::new(left), Box::new(right)), span })
}

fn operator(input: ParseStream<'_>) -> syn::Result<Option<Comparison>> {
    // `=>` ends the guard; the longer operators come first.
    Ok(Some(if input.peek(Token![=>]) {
        return Ok(None);
    } else if input.peek(Token![==]) {
        input.parse::<Token![==]>()?;
        Comparison::Equal
    } else if input.peek(Token![!=]) {
        input.parse::<Token![!=]>()?;
        Comparison::NotEqual
    } else if input.peek(Token![<=]) {
        input.parse::<Token![<=]>()?;
        Comparison::LessEqual
    } else if input.peek(Token![>=]) {
        input.parse::<Token![>=]>()?;
        Comparison::GreaterEqual
    } else if input.peek(Token![<]) {
        input.parse::<Token![<]>()?;
        Comparison::Less
    } else if input.peek(Token![>]) {
        input.parse::<Token![>]>()?;
        Comparison::Greater
    } else {
        return Ok(None);
    }))
}

fn product(input: ParseStream<'_>) -> syn::Result<Guard> {
    let mut left = atom(input)?;
    let mut length = 1;
    while input.peek(Token![*]) {
        longer(input, &mut length)?;
        input.parse::<Token![*]>()?;
        let span = left.span;
        left = Guard { kind: GuardKind::Times(Box::new(left), Box::new(atom(input)?)), span };
    }
    Ok(left)
}

fn atom(input: ParseStream<'_>) -> syn::Result<Guard> {
    let span = input.span();
    // A loop, not a recursion: the number of `!` has no bound.
    let mut negations = 0_usize;
    while input.peek(Token![!]) {
        input.parse::<Token![!]>()?;
        negations += 1;
    }
    let mut guard = if input.peek(syn::LitInt) {
        let literal = input.parse::<LitInt>()?;
        Guard { kind: GuardKind::Number(literal.base10_parse()?), span }
    } else if input.peek(syn::token::Paren) {
        Guard::parse.parse2(parenthesis(input)?)?
    } else {
        let ident = name(
            input,
            "a condition: `kind(a)`, `bits(a)`, `holds(a, b)`, `promote(a, b)`, a parameter or a dtype",
        )?;
        let kind = if input.peek(syn::token::Paren) {
            let parse = |input: ParseStream<'_>| input.parse_terminated(Guard::parse, Token![,]);
            GuardKind::Call(ident, parse.parse2(parenthesis(input)?)?.into_iter().collect())
        } else {
            GuardKind::Name(ident)
        };
        Guard { kind, span }
    };
    if negations % 2 == 1 {
        guard = Guard { kind: GuardKind::Not(Box::new(guard)), span };
    }
    Ok(guard)
}

fn parenthesis(input: ParseStream<'_>) -> syn::Result<proc_macro2::TokenStream> {
    match input.parse::<proc_macro2::TokenTree>()? {
        proc_macro2::TokenTree::Group(group) => Ok(group.stream()),
        other => Err(syn::Error::new(other.span(), "expected `(`")),
    }
}
