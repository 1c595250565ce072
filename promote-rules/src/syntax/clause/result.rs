//! The result of a clause: `b`, `weak f32`, `join(a, f32) or refuse "reason"`.

use proc_macro2::{Span, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, LitStr, Token};

use super::pattern::{Set, set};
use crate::diag::did_you_mean;
use crate::model::Category;
use crate::syntax::{expected, mark, name, peek_name, word};

/// The result of a clause.
#[derive(Clone, Debug)]
pub struct ResultExpr {
    /// The expression.
    pub kind: ResultKind,
    /// The position of its first token.
    pub span: Span,
}

/// The forms of a result.
#[derive(Clone, Debug)]
pub enum ResultKind {
    /// `a`, a dtype, a parameter.
    Name(Ident),
    /// `weak r`, `array r`.
    Strength(Category, Box<ResultExpr>),
    /// `promote(r, r)`, `real(r)`, `default(kind)`.
    Call(Ident, Vec<ResultExpr>),
    /// `refuse reason`, `lacks reason`.
    Refuse(Refusal),
    /// `join`, `join(r, ..)` or `set above r, ..`, each with an optional `or refuse reason`.
    Join {
        /// The dtypes to choose from; `None` for all.
        among: Option<Set>,
        /// The results that the dtype must hold; empty for the operands.
        above: Vec<ResultExpr>,
        /// The refusal if there is no such dtype.
        or_refuse: Option<Refusal>,
    },
    /// `first_of(name, ..)`: the operand whose dtype stands first in the list.
    FirstOf(Vec<Ident>),
}

/// `refuse reason`, or `lacks reason`.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// True for `lacks`.
    pub lacks: bool,
    /// The reason.
    pub reason: Reason,
}

/// The reason for a refusal.
#[derive(Clone, Debug)]
pub enum Reason {
    /// `"text"`.
    Text(LitStr),
    /// The name of a `reason` declaration.
    Named(Ident),
}

/// The words with which a result begins.
pub const RESULT_WORDS: [&str; 9] =
    ["join", "first_of", "refuse", "lacks", "promote", "real", "default", "weak", "array"];

/// The limit of nesting for results such as `weak real(join(..))`, brackets aside. Two or three are usual.
const MAX_NESTING: usize = 16;

pub(in crate::syntax) fn result(input: ParseStream<'_>) -> syn::Result<ResultExpr> {
    nested(input, 0)
}

fn nested(input: ParseStream<'_>, depth: usize) -> syn::Result<ResultExpr> {
    if depth > MAX_NESTING {
        return Err(input.error(format!(
            "results nest deeper than {MAX_NESTING}\nhelp: write a simpler result, or several clauses"
        )));
    }
    let span = input.span();
    let kind = match peek_name(input).as_deref() {
        Some("refuse" | "lacks") => ResultKind::Refuse(refusal(input)?),
        Some(strength @ ("weak" | "array")) => {
            word(input, strength);
            let category = if strength == "weak" { Category::Weak } else { Category::Array };
            ResultKind::Strength(category, Box::new(nested(input, depth + 1)?))
        }
        Some("join") => {
            word(input, "join");
            let listed = input.peek(syn::token::Paren);
            let above = if listed { arguments(input, depth)? } else { Vec::new() };
            if listed && above.is_empty() {
                return Err(syn::Error::new(
                    span,
                    "`join()` joins nothing\nhelp: write `join` for the operands, or `join(a, f32)`",
                ));
            }
            misspelled_or(input, "join")?;
            ResultKind::Join { among: None, above, or_refuse: or_refuse(input)? }
        }
        Some("first_of") => {
            word(input, "first_of");
            ResultKind::FirstOf(list_of_names(input)?)
        }
        Some("least") => {
            return Err(input.error(
                "unknown word `least` at the beginning of a result\nhelp: write `join` for the least dtype that holds the operands, or `float above common` for the least one of a set",
            ));
        }
        Some(_) if is_above(input) => {
            let among = Some(set(input)?);
            word(input, "above");
            let mut above = vec![nested(input, depth + 1)?];
            while input.peek(Token![,]) {
                input.parse::<Token![,]>()?;
                above.push(nested(input, depth + 1)?);
            }
            ResultKind::Join { among, above, or_refuse: or_refuse(input)? }
        }
        Some(_) => {
            let ident = name(input, "a result")?;
            if input.peek(syn::token::Paren) {
                ResultKind::Call(ident, arguments(input, depth)?)
            } else {
                goes_on_as_word(input, &ident, depth)?;
                ResultKind::Name(ident)
            }
        }
        None => {
            return Err(expected(
                input,
                "a result: a dtype, `a`, `b`, `common`, `join`, `promote(..)` or `refuse \"reason\"`",
            ));
        }
    };
    Ok(ResultExpr { kind, span })
}

/// Refuses a name after which a result goes on as after a word: then the word is misspelled.
fn goes_on_as_word(input: ParseStream<'_>, ident: &Ident, depth: usize) -> syn::Result<()> {
    let next = peek_name(input);
    // A complete result may be followed by `in`, `stepwise`, or the `or refuse` of the enclosing result.
    let ends = matches!(next.as_deref(), None | Some("in" | "stepwise"))
        || depth > 0 && next.as_deref() == Some("or");
    // Suggestions are slow to compute, so they are computed only after a mistake.
    if ends && !input.peek(LitStr) {
        return Ok(());
    }
    match (did_you_mean(&ident.to_string(), RESULT_WORDS), next) {
        (Some(near), _) => Err(syn::Error::new(
            ident.span(),
            format!("unknown word `{ident}` at the beginning of a result\nhelp: {near}"),
        )),
        (None, Some(next)) if !ends => misspelled_after(input, ident, &next),
        (None, _) => Ok(()),
    }
}

/// Refuses a word after a dtype or a set that is nearly `above`, `stepwise` or `in`.
fn misspelled_after(input: ParseStream<'_>, ident: &Ident, next: &str) -> syn::Result<()> {
    let help = match next {
        "holding" => Some(format!("write `{ident} above ..`")),
        _ => did_you_mean(next, ["above", "stepwise"]),
    };
    match help {
        Some(help) => Err(input.error(format!("unknown word `{next}` after `{ident}`\nhelp: {help}"))),
        None => Ok(()),
    }
}

/// Returns true if a set of dtypes comes next, and `above` after it.
fn is_above(input: ParseStream<'_>) -> bool {
    let mut cursor = input.cursor();
    loop {
        let Some((_, rest)) = cursor.ident() else { return false };
        match rest.punct() {
            Some((bar, rest)) if bar.as_char() == '|' => cursor = rest,
            _ => return rest.ident().is_some_and(|(word, _)| word == "above"),
        }
    }
}

/// Reads `refuse reason` or `lacks reason`.
fn refusal(input: ParseStream<'_>) -> syn::Result<Refusal> {
    let lacks = word(input, "lacks");
    if !lacks && !word(input, "refuse") {
        return Err(expected(input, "`refuse \"reason\"` or `lacks \"reason\"`"));
    }
    if input.cursor().ident().is_some() {
        let named = name(input, "the name of a reason").map(Reason::Named)?;
        return Ok(Refusal { lacks, reason: named });
    }
    let text = input.parse::<LitStr>().map_err(|_| {
        let written = if lacks { "lacks" } else { "refuse" };
        let error = expected(input, &format!("the reason after `{written}`"));
        syn::Error::new(error.span(), format!("{error}\nhelp: write `{written} \"reason\"`"))
    })?;
    Ok(Refusal { lacks, reason: Reason::Text(text) })
}

/// Reads `or refuse reason` or `or lacks reason`, if it comes next.
fn or_refuse(input: ParseStream<'_>) -> syn::Result<Option<Refusal>> {
    if !word(input, "or") {
        return Ok(None);
    }
    if !matches!(peek_name(input).as_deref(), Some("refuse" | "lacks")) {
        return Err(expected(input, "`refuse \"reason\"` after `or`"));
    }
    refusal(input).map(Some)
}

/// Refuses a word after `join` that is nearly `or`, or with which `join` does not go on.
fn misspelled_or(input: ParseStream<'_>, after: &str) -> syn::Result<()> {
    let Some(next) = peek_name(input) else { return Ok(()) };
    if ["in", "or", "stepwise"].contains(&next.as_str()) {
        return Ok(());
    }
    let help = match next.as_str() {
        "holding" | "above" => Some(format!("write `{after}(x, y)`, or `set above x, y`")),
        _ => did_you_mean(&next, ["or", "stepwise"]),
    };
    match help {
        Some(help) => Err(input.error(format!("unknown word `{next}` after `{after}`\nhelp: {help}"))),
        None => Ok(()),
    }
}

/// Reads `(name, ..)`.
fn list_of_names(input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    if !input.peek(syn::token::Paren) {
        let error = expected(input, "`(` after `first_of`");
        return Err(syn::Error::new(error.span(), format!("{error}\nhelp: write `first_of(f32, f16)`")));
    }
    let Some(TokenTree::Group(group)) = input.parse::<TokenTree>().ok() else {
        return Err(expected(input, "`(`"));
    };
    let parse = |input: ParseStream<'_>| {
        let mut list = Vec::new();
        while !input.is_empty() {
            list.push(name(input, "a dtype or a group")?);
            if !input.is_empty() {
                mark::<Token![,]>(input, ",", "first_of(f32, f16)")?;
            }
        }
        Ok(list)
    };
    let list = parse.parse2(group.stream())?;
    if list.is_empty() {
        return Err(syn::Error::new(
            group.span(),
            "`first_of()` names no dtypes\nhelp: list them, the first one first: `first_of(f32, f16)`",
        ));
    }
    Ok(list)
}

fn arguments(input: ParseStream<'_>, depth: usize) -> syn::Result<Vec<ResultExpr>> {
    let Some(TokenTree::Group(group)) = input.parse::<TokenTree>().ok() else {
        return Err(expected(input, "`(`"));
    };
    let parse = |input: ParseStream<'_>| {
        let mut list = Vec::new();
        while !input.is_empty() {
            list.push(nested(input, depth + 1)?);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(list)
    };
    parse.parse2(group.stream())
}
