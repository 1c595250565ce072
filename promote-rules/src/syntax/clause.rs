//! `[pattern [, pattern]] [if guard] => result;`

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, LitStr, Token};

use super::guard::Guard;
use super::{braces, expected, found, mark, name, peek_name, skip_statement, word};
use crate::diag::{Errors, did_you_mean};
use crate::model::{Category, StandardOp};
use crate::source::tidy;

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
    /// `refuse reason`.
    Refuse(Reason),
    /// `join`, `join(r, ..)` or `set above r, ..`, each with an optional `or refuse reason`.
    Join {
        /// The dtypes to choose from; `None` for all.
        among: Option<Set>,
        /// The results that the dtype must hold; empty for the operands.
        above: Vec<ResultExpr>,
        /// The reason for a refusal if there is no such dtype.
        or_refuse: Option<Reason>,
    },
    /// `first_of(name, ..)`: the operand whose dtype stands first in the list.
    FirstOf(Vec<Ident>),
}

/// The reason for a refusal.
#[derive(Clone, Debug)]
pub enum Reason {
    /// `"text"`.
    Text(LitStr),
    /// The name of a `reason` declaration.
    Named(Ident),
}

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
            "`->` stands before the block, or behind the result of a clause\nhelp: write `op less -> bool;`, `op less -> bool { .. }` or the clause `any => common -> bool;`",
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

/// Returns the error that something is missing behind the tokens from `begin` to here, at the last of them.
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

fn patterns(input: ParseStream<'_>) -> syn::Result<Patterns> {
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
pub(super) fn set(input: ParseStream<'_>) -> syn::Result<Set> {
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
const PATTERN_WORDS: [&str; 6] = ["same", "no_higher", "array", "zero_dim", "number", "weak"];

/// The words with which a result begins.
pub const RESULT_WORDS: [&str; 8] =
    ["join", "first_of", "refuse", "promote", "real", "default", "weak", "array"];

/// The limit of nesting for results such as `weak real(join(..))`, brackets aside. Two or three are usual.
const MAX_NESTING: usize = 16;

pub(super) fn result(input: ParseStream<'_>) -> syn::Result<ResultExpr> {
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
        Some("refuse") => {
            word(input, "refuse");
            ResultKind::Refuse(reason(input)?)
        }
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

/// Refuses a name behind which a result goes on as after a word: then the word is misspelled.
fn goes_on_as_word(input: ParseStream<'_>, ident: &Ident, depth: usize) -> syn::Result<()> {
    let next = peek_name(input);
    // Behind a whole result stand `in` and `stepwise`, and `or refuse` of the result around it.
    let ends = matches!(next.as_deref(), None | Some("in" | "stepwise"))
        || depth > 0 && next.as_deref() == Some("or");
    // A suggestion is looked for behind a mistake only, since that takes time.
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

/// Refuses a word behind a dtype or a set that is nearly `above`, `stepwise` or `in`.
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

/// Returns true if a set of dtypes comes next, and `above` behind it.
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

/// Reads the reason after `refuse`.
fn reason(input: ParseStream<'_>) -> syn::Result<Reason> {
    if input.cursor().ident().is_some() {
        return name(input, "the name of a reason").map(Reason::Named);
    }
    input.parse::<LitStr>().map(Reason::Text).map_err(|_| {
        let error = expected(input, "the reason after `refuse`");
        syn::Error::new(error.span(), format!("{error}\nhelp: write `refuse \"reason\"`"))
    })
}

/// Reads `or refuse reason`, if it comes next.
fn or_refuse(input: ParseStream<'_>) -> syn::Result<Option<Reason>> {
    if !word(input, "or") {
        return Ok(None);
    }
    if !word(input, "refuse") {
        return Err(expected(input, "`refuse \"reason\"` after `or`"));
    }
    reason(input).map(Some)
}

/// Refuses a word behind `join` that is nearly `or`, or with which `join` does not go on.
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
