//! `[pattern [, pattern]] [if guard] => result;`

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, LitStr, Token};

use super::guard::Guard;
use super::{braces, expected, found, name, peek_name, skip_statement, word};
use crate::diag::{Errors, did_you_mean};
use crate::model::{Category, StandardOp};

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
    /// Where it begins.
    pub span: Span,
}

/// What stands before `=>` or `if`.
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

/// What a clause gives.
#[derive(Clone, Debug)]
pub struct ResultExpr {
    /// The expression.
    pub kind: ResultKind,
    /// Where it begins.
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
    /// `refuse "reason"`.
    Refuse(LitStr),
    /// `least [set] [holding r, ..] [or refuse "reason"]`.
    Least {
        /// Among which dtypes.
        among: Option<Set>,
        /// What it must hold; nothing written means the operands.
        holding: Vec<ResultExpr>,
        /// The reason if there is none.
        or_refuse: Option<LitStr>,
    },
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
    /// `in r`: what the op computes in, where `opmath` does not say it.
    pub compute: Option<ResultExpr>,
    /// `-> r`: what comes out, where it is not what the operands are converted to.
    pub output: Option<ResultExpr>,
    /// The clause's first token.
    pub span: Span,
    /// The clause as written.
    pub tokens: TokenStream,
}

/// What stands in a block.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a few dozen of them, each read once")]
pub enum BlockItem {
    /// A clause.
    Clause(Clause),
    /// `when guard { .. }`.
    When(Guard, Vec<BlockItem>),
    /// `key: word;`: the semantics of an op.
    Word(Ident, Ident),
}

/// The items of a brace group; mistakes cost one clause each.
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
        return Ok(BlockItem::Word(key, value));
    }
    if input.peek(Token![->]) {
        return Err(input.error(
            "`->` stands before the block, or behind the result of a clause\nhelp: write `op less -> bool;`, `op less -> bool { .. }` or the clause `any => c -> bool;`",
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
    let result = result(input)?;
    let compute = if word(input, "in") { Some(self::result(input)?) } else { None };
    let output = arrow(input)?;
    let tokens = between(begin, input.cursor());
    end(errors, input, begin)?;
    Ok(BlockItem::Clause(Clause { patterns, guard, result, compute, output, span, tokens }))
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

/// Returns the error that `=>` or `=` stands where `:` belongs, if a value of the option follows.
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

/// The token trees between two places of one stream.
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
pub const RESULT_WORDS: [&str; 7] = ["least", "refuse", "promote", "real", "default", "weak", "array"];

/// How deep results nest (`weak least holding ..`), brackets aside: a person writes two or three.
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
        Some("least") => {
            word(input, "least");
            least(input, depth)?
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
                "a result: a dtype, `a`, `b`, `c`, `least`, `promote(..)` or `refuse \"reason\"`",
            ));
        }
    };
    Ok(ResultExpr { kind, span })
}

/// Refuses a name behind which a result goes on as after a word: then the word is misspelled.
fn goes_on_as_word(input: ParseStream<'_>, ident: &Ident, depth: usize) -> syn::Result<()> {
    let next = peek_name(input);
    // What one dtype holds may end with `or refuse`; and `in` says what an op computes in.
    let ends = matches!(next.as_deref(), None | Some("in")) || depth > 0 && next.as_deref() == Some("or");
    match did_you_mean(&ident.to_string(), RESULT_WORDS) {
        Some(near) if !ends || input.peek(LitStr) => Err(syn::Error::new(
            ident.span(),
            format!("unknown word `{ident}` at the beginning of a result\nhelp: {near}"),
        )),
        _ => Ok(()),
    }
}

fn reason(input: ParseStream<'_>) -> syn::Result<LitStr> {
    input.parse::<LitStr>().map_err(|_| {
        let error = expected(input, "the reason after `refuse`");
        syn::Error::new(error.span(), format!("{error}\nhelp: write `refuse \"reason\"`"))
    })
}

fn least(input: ParseStream<'_>, depth: usize) -> syn::Result<ResultKind> {
    let among = match peek_name(input).as_deref() {
        None | Some("holding" | "or") => None,
        Some(_) => Some(set(input)?),
    };
    misspelled_least(input, among.as_ref())?;
    let mut holding = Vec::new();
    if word(input, "holding") {
        holding.push(nested(input, depth + 1)?);
        while input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
            holding.push(nested(input, depth + 1)?);
        }
    }
    let or_refuse = if word(input, "or") {
        if !word(input, "refuse") {
            return Err(expected(input, "`refuse \"reason\"` after `or`"));
        }
        Some(reason(input)?)
    } else {
        None
    };
    Ok(ResultKind::Least { among, holding, or_refuse })
}

/// Refuses a word behind `least` or its dtypes that is nearly `holding` or `or`.
fn misspelled_least(input: ParseStream<'_>, among: Option<&Set>) -> syn::Result<()> {
    let words = ["holding", "or"];
    let Some((next, _)) = input.cursor().ident() else { return Ok(()) };
    if next == "in" || words.iter().any(|word| next == word) {
        return Ok(());
    }
    // `least holdng a` reads as a set of dtypes and a word.
    let last = among.and_then(|among| among.names.last());
    let near = |ident: &Ident| Some((ident.clone(), did_you_mean(&ident.to_string(), words)?));
    match last.and_then(near).or_else(|| near(&next)) {
        Some((ident, near)) => {
            let message = format!("unknown word `{ident}` after `least`\nhelp: {near}");
            Err(syn::Error::new(ident.span(), message))
        }
        None => Ok(()),
    }
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
