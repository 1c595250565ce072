//! A rule file as written: names are not looked up yet, and everything keeps its span.
//!
//! After a mistake the parser goes on with the next declaration or clause, so that all mistakes are reported
//! at once.

mod call;
mod clause;
mod guard;
mod item;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::Ident;
use syn::ext::IdentExt as _;
use syn::parse::discouraged::AnyDelimiter as _;
use syn::parse::{ParseBuffer, ParseStream, Parser as _};

pub use call::KernelsCall;
pub use clause::{
    BlockItem, Clause, Compute, Pattern, Patterns, RESULT_WORDS, Reason, Refusal, ResultExpr, ResultKind, Set,
};
pub use guard::{Comparison, Guard, GuardKind};
pub use item::{
    Block, BlockName, DECLARATIONS, DTypeItem, HoldsItem, Item, KernelsItem, LawItem, LetItem, NamesItem,
    NamesLine, OpItem, ParamItem, ReasonItem, YieldItem,
};

use crate::diag::Errors;

/// The whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// `#![no_implicit_prelude]`: the crate has it, and so lacks the compiler's `diagnostic` attributes.
    pub bare: bool,
    /// `crate = path;`: the path of the facade in emitted code.
    pub krate: Option<syn::Path>,
    /// The name after `rules`.
    pub name: Option<Ident>,
    /// `extends path`, or the path in `= path { .. }`: the rule set that this one builds on.
    pub base: Option<syn::Path>,
    /// `{ param = value, .. }`: the parameters that have another default here.
    pub settings: Vec<(Ident, Ident)>,
    /// The declarations, in order.
    pub items: Vec<Item>,
}

impl File {
    /// Reads the tokens of a `rules!` call.
    pub fn parse(errors: &mut Errors, tokens: TokenStream) -> File {
        let mut file = File::default();
        let outcome = (|input: ParseStream<'_>| {
            let input = &braces(input)?;
            head(errors, input, &mut file);
            while !input.is_empty() {
                match item::parse(errors, input) {
                    Ok(item) => file.items.push(item),
                    Err(error) => {
                        errors.syn(&error);
                        skip_statement(input);
                    }
                }
            }
            Ok(())
        })
        .parse2(closed(tokens).into());
        if let Err(error) = outcome {
            errors.syn(&error);
        }
        file
    }
}

/// Puts tokens in braces at the position of the last token, where mistakes at the end of the file are
/// reported.
fn closed(tokens: TokenStream) -> TokenTree {
    let last = tokens.clone().into_iter().last();
    let mut group = Group::new(Delimiter::Brace, tokens);
    match last {
        Some(TokenTree::Group(last)) => group.set_span(last.span_close()),
        Some(last) => group.set_span(last.span()),
        None => {}
    }
    TokenTree::Group(group)
}

/// `[#![no_implicit_prelude]] [crate = path;] rules Name;`
fn head(errors: &mut Errors, input: ParseStream<'_>, file: &mut File) {
    match input.call(syn::Attribute::parse_inner) {
        Ok(attributes) => {
            for attribute in attributes {
                if attribute.path().is_ident("no_implicit_prelude") {
                    file.bare = true;
                } else {
                    errors.push(attribute.pound_token.span, "unknown attribute of a rule set").help(
                        "remove it; the only attribute is `#![no_implicit_prelude]`, for crates that have it",
                    );
                }
            }
        }
        Err(error) => errors.syn(&error),
    }
    if input.peek(syn::Token![crate]) {
        match krate(input) {
            Ok(path) => file.krate = Some(path),
            Err(error) => {
                errors.syn(&error);
                skip_statement(input);
            }
        }
    }
    if let Err(error) = rules_name(errors, input, file) {
        errors.syn(&error);
        skip_statement(input);
    }
}

fn krate(input: ParseStream<'_>) -> syn::Result<syn::Path> {
    input.parse::<syn::Token![crate]>()?;
    input.parse::<syn::Token![=]>()?;
    let path = input.call(syn::Path::parse_mod_style)?;
    input.parse::<syn::Token![;]>()?;
    Ok(path)
}

/// `rules Name;`, `rules Name extends path;` or `rules Name = path { param = value, .. };`
fn rules_name(errors: &mut Errors, input: ParseStream<'_>, file: &mut File) -> syn::Result<()> {
    let begin = input.cursor();
    let keyword = name(input, "`rules Name;`")?;
    if keyword != "rules" {
        return Err(syn::Error::new(keyword.span(), "a rule file begins with `rules Name;`"));
    }
    file.name = Some(name(input, "the name of the rule set")?);
    if word(input, "extends") {
        file.base = Some(input.call(syn::Path::parse_mod_style)?);
    } else if input.peek(syn::Token![=]) {
        input.parse::<syn::Token![=]>()?;
        file.base = Some(input.call(syn::Path::parse_mod_style)?);
        let settings = braces(input)?;
        while !settings.is_empty() {
            let param = name(&settings, "the name of a parameter")?;
            settings.parse::<syn::Token![=]>()?;
            file.settings.push((param, name(&settings, "a value of the parameter")?));
            if !settings.is_empty() {
                settings.parse::<syn::Token![,]>()?;
            }
        }
    }
    clause::end(errors, input, begin)
}

/// Reads any word, Rust's keywords among them: `where` is an op, `yield` a declaration. `what` says what the
/// word is the name of.
fn name(input: ParseStream<'_>, what: &str) -> syn::Result<Ident> {
    Ident::parse_any(input).map(|ident| ident.unraw()).map_err(|_| expected(input, what))
}

/// Returns the error that the next token is not `what`.
fn expected(input: ParseStream<'_>, what: &str) -> syn::Error {
    let message = match found(input) {
        Some(found) => format!("expected {what}, found `{found}`"),
        None => format!("expected {what} before the end"),
    };
    syn::Error::new(input.span(), message)
}

/// Reads a punctuation mark; `form` is an example of its use.
fn mark<T: syn::parse::Parse>(input: ParseStream<'_>, mark: &str, form: &str) -> syn::Result<()> {
    if input.parse::<T>().is_ok() {
        return Ok(());
    }
    let error = expected(input, &format!("`{mark}`"));
    Err(syn::Error::new(error.span(), format!("{error}\nhelp: write `{form}`")))
}

/// The next token as written; of a group the opening bracket.
fn found(input: ParseStream<'_>) -> Option<String> {
    let (token, mut rest) = input.cursor().token_tree()?;
    Some(match token {
        TokenTree::Group(group) => match group.delimiter() {
            Delimiter::Parenthesis => "(".to_owned(),
            Delimiter::Bracket => "[".to_owned(),
            Delimiter::Brace | Delimiter::None => "{".to_owned(),
        },
        TokenTree::Punct(mut punct) => {
            let mut text = punct.as_char().to_string();
            while punct.spacing() == proc_macro2::Spacing::Joint
                && let Some((next, after)) = rest.punct()
            {
                text.push(next.as_char());
                (punct, rest) = (next, after);
            }
            text
        }
        other => other.to_string(),
    })
}

/// The next word, if one comes next.
fn peek_name(input: ParseStream<'_>) -> Option<String> {
    input.cursor().ident().map(|(ident, _)| ident.unraw().to_string())
}

/// Takes the word if it comes next.
fn word(input: ParseStream<'_>, word: &str) -> bool {
    let next = peek_name(input).as_deref() == Some(word);
    if next {
        // The token was peeked at, so this reads it.
        let _ = Ident::parse_any(input);
    }
    next
}

/// Skips to the token after the next `;` or the next brace group.
fn skip_statement(input: ParseStream<'_>) {
    while !input.is_empty() {
        if input.peek(syn::token::Brace) {
            let _ = input.parse::<proc_macro2::TokenTree>();
            return;
        }
        if input.parse::<syn::Token![;]>().is_ok() || input.parse::<proc_macro2::TokenTree>().is_err() {
            return;
        }
    }
}

/// Reads what is between braces.
fn braces(input: ParseStream<'_>) -> syn::Result<ParseBuffer<'_>> {
    if !input.peek(syn::token::Brace) {
        return Err(expected(input, "`{`"));
    }
    input.parse_any_delimiter().map(|(_, _, content)| content)
}
