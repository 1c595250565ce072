//! `[pattern [, pattern]] [if guard] => result;`

mod pattern;
mod result;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{Ident, Token};

pub(super) use pattern::set;
pub use pattern::{Pattern, Patterns, Set};
pub(super) use result::result;
pub use result::{RESULT_WORDS, Reason, Refusal, ResultExpr, ResultKind};

use self::pattern::{PATTERN_WORDS, patterns};
use super::guard::Guard;
use super::{braces, expected, found, name, peek_name, skip_statement, word};
use crate::diag::{Errors, did_you_mean};
use crate::model::StandardOp;
use crate::source::tidy;

/// The dtype that an op computes in, where a clause overrides `opmath`.
#[derive(Clone, Debug)]
pub enum Compute {
    /// `in result`.
    In(ResultExpr),
    /// `stepwise`: the dtype that the operands are converted to.
    Stepwise,
}

/// One clause.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The patterns.
    pub patterns: Patterns,
    /// The guard.
    pub guard: Option<Guard>,
    /// The result.
    pub result: ResultExpr,
    /// `in result` or `stepwise`: the dtype to compute in, instead of the one that `opmath` names.
    pub compute: Option<Compute>,
    /// `-> result`: the dtype of the output, if it is not the one that the operands are converted to.
    pub output: Option<ResultExpr>,
    /// The clause's first token.
    pub span: Span,
    /// The clause as written.
    pub tokens: TokenStream,
}

/// An item of a block.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a few dozen of them, each read once")]
pub enum BlockItem {
    /// A clause.
    Clause(Clause),
    /// `when guard { .. }`.
    When(Guard, Vec<BlockItem>),
    /// `option: value;` of an op.
    Option(Ident, Ident),
    /// `category as array;`: operands of the category count as arrays in the op.
    AsArray(Ident),
}

/// Reads the items of a brace group. After a mistake, reading goes on with the next item.
pub(super) fn block(errors: &mut Errors, input: ParseStream<'_>) -> syn::Result<Vec<BlockItem>> {
    let content = braces(input)?;
    let mut items = Vec::new();
    while !content.is_empty() {
        match block_item(errors, &content) {
            Ok(item) => items.push(item),
            Err(error) => {
                errors.syn(&error);
                skip_statement(&content);
            }
        }
    }
    Ok(items)
}

fn block_item(errors: &mut Errors, input: ParseStream<'_>) -> syn::Result<BlockItem> {
    let begin = input.cursor();
    if word(input, "when") {
        let guard = Guard::parse(input)?;
        return Ok(BlockItem::When(guard, block(errors, input)?));
    }
    if input.cursor().ident().is_some() && input.peek2(Token![:]) && !input.peek2(Token![::]) {
        let key = name(input, "the name of an option")?;
        input.parse::<Token![:]>()?;
        let value = name(input, &format!("a value of the option `{key}`"))?;
        end(errors, input, begin)?;
        return Ok(BlockItem::Option(key, value));
    }
    if let Some(category) = as_array(input)? {
        end(errors, input, begin)?;
        return Ok(BlockItem::AsArray(category));
    }
    if input.peek(Token![->]) {
        return Err(input.error(
            "`->` stands before the block, or after the result of a clause\nhelp: write `op less -> bool;`, `op less -> bool { .. }` or the clause `any => common -> bool;`",
        ));
    }
    if let Some(error) = no_colon(input) {
        return Err(error);
    }
    let span = input.span();
    let patterns = patterns(input)?;
    let guard = if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        Some(Guard::parse(input)?)
    } else {
        None
    };
    if input.parse::<Token![=>]>().is_err() {
        return Err(no_arrow(input, begin));
    }
    let result_begin = input.cursor();
    let result = result(input)?;
    let compute = compute(input, &tidy(between(result_begin, input.cursor())))?;
    let output = arrow(input)?;
    let tokens = between(begin, input.cursor());
    end(errors, input, begin)?;
    Ok(BlockItem::Clause(Clause { patterns, guard, result, compute, output, span, tokens }))
}

/// Reads `category as array`, if it comes next.
fn as_array(input: ParseStream<'_>) -> syn::Result<Option<Ident>> {
    let Some((_, rest)) = input.cursor().ident() else { return Ok(None) };
    if rest.ident().is_none_or(|(next, _)| next != "as") {
        return Ok(None);
    }
    let category = name(input, "a category")?;
    word(input, "as");
    if word(input, "array") {
        return Ok(Some(category));
    }
    let error = expected(input, "`array` after `as`");
    Err(syn::Error::new(
        error.span(),
        format!(
            "{error}\nhelp: write `zero_dim as array;`: then zero-dimensional operands count as arrays in the op"
        ),
    ))
}

/// Reads `stepwise` or `in result`, if one comes next. `in` with a repeated result is a mistake: `stepwise`
/// says that.
fn compute(input: ParseStream<'_>, converted: &str) -> syn::Result<Option<Compute>> {
    if word(input, "stepwise") {
        return Ok(Some(Compute::Stepwise));
    }
    let span = input.span();
    if !word(input, "in") {
        return Ok(None);
    }
    let begin = input.cursor();
    let compute = result(input)?;
    let written = tidy(between(begin, input.cursor()));
    if written == converted || written == "result" {
        return Err(syn::Error::new(
            span,
            format!(
                "`in {written}` repeats the dtype that the operands are converted to\nhelp: write `{converted} stepwise`"
            ),
        ));
    }
    Ok(Some(Compute::In(compute)))
}

/// `-> result`, if it comes next.
pub(super) fn arrow(input: ParseStream<'_>) -> syn::Result<Option<ResultExpr>> {
    if !input.peek(Token![->]) {
        return Ok(None);
    }
    input.parse::<Token![->]>()?;
    result(input).map(Some)
}

/// Returns the values of the options with a name, of any op; none if there is no such option.
fn values_of(key: &Ident) -> Vec<&'static str> {
    let options = StandardOp::STANDARD.iter().flat_map(|op| op.info().options());
    let options = options.filter(|option| key == option.name);
    options.flat_map(|option| option.values.iter().map(|value| value.0)).collect()
}

/// Returns an error for an option with `=>` or `=` instead of `:`, if a value of the option follows.
fn no_colon(input: ParseStream<'_>) -> Option<syn::Error> {
    let (key, rest) = input.cursor().ident()?;
    let (_, rest) = rest.punct().filter(|(first, _)| first.as_char() == '=')?;
    let arrow = rest.punct().filter(|(second, _)| second.as_char() == '>');
    let (mark, rest) = arrow.map_or(("=", rest), |(_, rest)| ("=>", rest));
    let (value, _) = rest.ident()?;
    values_of(&key).iter().find(|known| value == **known)?;
    let message =
        format!("expected `:` after the option `{key}`, found `{mark}`\nhelp: write `{key}: {value};`");
    Some(syn::Error::new(key.span(), message))
}

/// Returns the error that a clause has no `=>`. The name of an option alone was meant to set it.
fn no_arrow(input: ParseStream<'_>, begin: syn::buffer::Cursor<'_>) -> syn::Error {
    let error = expected(input, "`=>`");
    let with_help = |help: &str| syn::Error::new(error.span(), format!("{error}\nhelp: {help}"));
    let Some((first, rest)) = begin.ident() else {
        return with_help("write a clause such as `bool | int => f64;` or `bool, any => b;`");
    };
    if let Some(value) = values_of(&first).last().filter(|_| rest == input.cursor()) {
        let error = expected(input, &format!("`:` after the option `{first}`"));
        return syn::Error::new(error.span(), format!("{error}\nhelp: write `{first}: {value};`"));
    }
    let misspelled = peek_name(input).is_some() && PATTERN_WORDS.iter().all(|word| first != word);
    match did_you_mean(&first.to_string(), PATTERN_WORDS).filter(|_| misspelled) {
        Some(near) => {
            let message = format!("unknown word `{first}` at the beginning of a pattern\nhelp: {near}");
            syn::Error::new(first.span(), message)
        }
        None => with_help("write a clause such as `bool | int => f64;` or `bool, any => b;`"),
    }
}

/// Reads the `;` that ends a clause or a declaration. A missing one is reported at the last token before it;
/// where the next line begins something new, reading goes on there.
pub(super) fn end(
    errors: &mut Errors,
    input: ParseStream<'_>,
    begin: syn::buffer::Cursor<'_>,
) -> syn::Result<()> {
    if input.parse::<Token![;]>().is_ok() {
        return Ok(());
    }
    let error = expected_after(input, begin, "`;`");
    if input.is_empty() || input.span().start().line > error.span().end().line {
        errors.syn(&error);
        return Ok(());
    }
    Err(error)
}

/// Returns the error that something is missing after the tokens from `begin` to here, at the last of them.
pub(super) fn expected_after(
    input: ParseStream<'_>,
    begin: syn::buffer::Cursor<'_>,
    what: &str,
) -> syn::Error {
    let last = between(begin, input.cursor()).into_iter().last();
    let (span, last) = match last {
        Some(TokenTree::Group(group)) => {
            let close = match group.delimiter() {
                Delimiter::Parenthesis => ")",
                Delimiter::Bracket => "]",
                Delimiter::Brace | Delimiter::None => "}",
            };
            (group.span_close(), close.to_owned())
        }
        Some(token) => (token.span(), token.to_string()),
        None => return expected(input, what),
    };
    let found = found(input).map(|found| format!(", found `{found}`")).unwrap_or_default();
    syn::Error::new(span, format!("expected {what} after `{last}`{found}"))
}

/// Returns the token trees between two positions of one stream.
fn between(begin: syn::buffer::Cursor<'_>, end: syn::buffer::Cursor<'_>) -> TokenStream {
    let mut cursor = begin;
    let mut tokens = Vec::new();
    while cursor != end {
        let Some((token, next)) = cursor.token_tree() else {
            break;
        };
        tokens.push(token);
        cursor = next;
    }
    tokens.into_iter().collect()
}
