//! From text to the tokens of the one `rules!` item in it.

use std::str::FromStr;

use proc_macro2::{LexError, Span, TokenStream, TokenTree};
use syn::Item;

use crate::diag::Errors;

/// How deep brackets may nest; what a person writes stays below 10.
const MAX_DEPTH: usize = 64;

/// How many tokens a rule file has at most; PyTorch's has about 900.
const MAX_TOKENS: usize = 50_000;

/// A rule file, or the body of a macro call.
#[derive(Clone, Debug)]
pub struct Source {
    /// The tokens between the braces of `promote::rules! { .. }`.
    pub tokens: TokenStream,
    /// The file's name as messages show it.
    pub file: String,
    /// The text, where the source is a file that we have read.
    pub text: String,
}

impl Source {
    /// The tokens of a macro call: rustc knows their places, and their file is that of the first one,
    /// relative to the package that is compiled.
    pub fn from_macro(tokens: TokenStream) -> Source {
        let file = tokens.clone().into_iter().next().map_or_else(String::new, |first| first.span().file());
        let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default() + "/";
        let file = normal(&file);
        let file = file.strip_prefix(&root).map_or(file.clone(), str::to_owned);
        Source { tokens, file, text: String::new() }
    }

    /// The text of a rule file: an ordinary Rust source file with one `promote::rules! { .. }` item.
    ///
    /// # Errors
    /// The text is no Rust source, holds no such item, or more than one.
    pub fn from_text(file: &str, text: &str) -> Result<Source, Errors> {
        let mut errors = Errors::default();
        let tokens = match TokenStream::from_str(text) {
            Ok(tokens) => tokens,
            Err(error) => {
                lex_error(&mut errors, &error);
                return Err(errors);
            }
        };
        check_bounds(&mut errors, &tokens);
        errors.or(())?;

        let mut errors = Errors::default();
        let items = match syn::parse2::<syn::File>(tokens) {
            Ok(file) => file.items,
            Err(error) => {
                errors.syn(&error);
                return Err(errors);
            }
        };
        let mut found = Vec::new();
        rules_items(items, &mut found);
        let mut found = found.into_iter();
        let Some(first) = found.next() else {
            errors
                .push(Span::call_site(), "the file holds no rules")
                .help("a rule file is a Rust source file with one item `promote::rules! { rules Name; .. }`");
            return Err(errors);
        };
        if let Some(second) = found.next() {
            let at = second.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
            errors.push(at, "a second `rules!` in one file").help("give each rule set a file of its own");
        }
        errors.or(Source { tokens: first.tokens, file: file.to_owned(), text: text.to_owned() })
    }
}

/// The sources of a `rules!` call: a rule set's own, or, when the macro of the set it builds on has called
/// back, those of all sets from its own to the last: `@chain { .. } { "file" .. }`.
pub(crate) fn chain(tokens: TokenStream) -> Vec<Source> {
    let mut words = tokens.clone().into_iter();
    let at = matches!(words.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == '@');
    let marked = at && matches!(words.next(), Some(TokenTree::Ident(word)) if word == "chain");
    let groups = words.filter_map(|token| match token {
        TokenTree::Group(group) => Some(link(group.stream())),
        _ => None,
    });
    let chain: Vec<Source> = if marked { groups.collect() } else { Vec::new() };
    if chain.is_empty() { vec![Source::from_macro(tokens)] } else { chain }
}

/// One of them: with the name of its file, or written in the crate that is compiled.
fn link(tokens: TokenStream) -> Source {
    let mut words = tokens.clone().into_iter();
    let file = words.next().and_then(|first| syn::parse2::<syn::LitStr>(first.into()).ok());
    match file {
        Some(file) => Source { tokens: words.collect(), file: file.value(), text: String::new() },
        None => Source::from_macro(tokens),
    }
}

/// A path without detours: a `#[path]` module's file is named `src/../rules/x.rs`.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match parts.last() {
            Some(last) if part == ".." && !["", ".."].contains(last) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn lex_error(errors: &mut Errors, error: &LexError) {
    errors
        .push(error.span(), format!("this is no Rust token: {error}"))
        .help("a rule file is lexed as Rust: check quotes, brackets and comments from here on");
}

/// The `rules!` items of a file, those of its inline modules among them.
fn rules_items(items: Vec<Item>, found: &mut Vec<syn::Macro>) {
    for item in items {
        match item {
            Item::Macro(call) if call.mac.path.segments.last().is_some_and(|last| last.ident == "rules") => {
                found.push(call.mac);
            }
            Item::Mod(module) => {
                if let Some((_, items)) = module.content {
                    rules_items(items, found);
                }
            }
            _ => {}
        }
    }
}

/// Refuses what a recursive parser could run out of stack on: brackets that nest deep, and texts beyond any
/// use.
pub fn check_bounds(errors: &mut Errors, tokens: &TokenStream) {
    let mut open = vec![tokens.clone().into_iter()];
    let mut count = 0;
    while let Some(level) = open.last_mut() {
        let Some(token) = level.next() else {
            open.pop();
            continue;
        };
        count += 1;
        if count > MAX_TOKENS {
            errors.push(token.span(), format!("more than {MAX_TOKENS} tokens"));
            return;
        }
        if let TokenTree::Group(group) = token {
            if open.len() >= MAX_DEPTH {
                errors.push(group.span_open(), format!("brackets nest deeper than {MAX_DEPTH}"));
                return;
            }
            open.push(group.stream().into_iter());
        }
    }
}

/// Tokens as a person would write them, on one line.
pub(crate) fn tidy(tokens: TokenStream) -> String {
    let mut text = String::new();
    let mut glue = true;
    write(tokens, &mut text, &mut glue);
    text
}

fn write(tokens: TokenStream, text: &mut String, glue: &mut bool) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                // A call's bracket stands at its name.
                text.push('(');
                *glue = true;
                write(group.stream(), text, glue);
                text.push(')');
                *glue = false;
            }
            TokenTree::Punct(punct) => {
                let tight = matches!(punct.as_char(), ',' | ';' | ':');
                if !*glue && !tight {
                    text.push(' ');
                }
                text.push(punct.as_char());
                *glue = punct.spacing() == proc_macro2::Spacing::Joint || punct.as_char() == '!';
            }
            other => {
                if !*glue {
                    text.push(' ');
                }
                text.push_str(&other.to_string());
                *glue = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        match Source::from_text("t.rs", text) {
            Ok(_) => "fine".to_owned(),
            Err(errors) => errors.iter().map(|e| e.message.clone()).collect::<Vec<_>>().join("; "),
        }
    }

    #[test]
    fn one_rules_item_is_found_among_other_items() {
        let source = Source::from_text("t.rs", "//! doc\nuse x::y;\npromote::rules! { rules T; }").unwrap();
        assert_eq!(source.tokens.to_string(), "rules T ;");
    }

    #[test]
    fn a_file_without_rules_or_with_two_or_with_no_rust_in_it_is_refused() {
        assert_eq!(message("fn main() {}"), "the file holds no rules");
        assert_eq!(message("rules! {} promote::rules! {}"), "a second `rules!` in one file");
        assert!(message("\"open").starts_with("this is no Rust token"));
        assert!(message("fn").starts_with("unexpected end of input"));
        assert_eq!(message(&"(".repeat(70)), "this is no Rust token: cannot parse string into token stream");
        assert_eq!(message(&("(".repeat(70) + &")".repeat(70))), "brackets nest deeper than 64");
    }

    #[test]
    fn a_path_loses_its_detours() {
        assert_eq!(normal("src/../rules/torch.rs"), "rules/torch.rs");
        assert_eq!(normal("../x.rs"), "../x.rs");
        assert_eq!(normal("/a/b/../c"), "/a/c");
    }

    #[test]
    fn tidy_text_reads_as_written() {
        let text = "any, any if kind(b) <= kind(a) && !x64 => least complex holding a";
        assert_eq!(tidy(text.parse().unwrap()), text);
    }
}
