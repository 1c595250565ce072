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
                lex_error(&mut errors, text, &error);
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

fn lex_error(errors: &mut Errors, text: &str, error: &LexError) {
    if let Some((place, message, help)) = unbalanced(text) {
        errors.push(place.span(), message).help(help);
        return;
    }
    errors
        .push(error.span(), "the text from here on cannot be read as Rust tokens")
        .help("check that every string, bracket and comment is closed");
}

/// A character of a text: line and column, counted from 0.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    /// Returns a span that begins here: that of a token behind as many lines and spaces.
    fn span(self) -> Span {
        let text = "\n".repeat(self.line) + &" ".repeat(self.column) + "x";
        let token = TokenStream::from_str(&text).ok().and_then(|tokens| tokens.into_iter().next());
        token.map_or_else(Span::call_site, |token| token.span())
    }
}

/// Finds the bracket that has no partner: its place, what is wrong, and what to do.
///
/// Where a `}` that begins its line is less indented than the line of its `{`, one is missing between them:
/// then the `{` is at fault, not the one that is left over at the end of the text.
fn unbalanced(text: &str) -> Option<(Place, String, String)> {
    struct Open {
        bracket: char,
        place: Place,
        indent: usize,
    }
    let close = |open: char| match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    };
    let not_closed = |open: &Open| {
        let message = format!("`{}` is not closed", open.bracket);
        (open.place, message, format!("add the missing `{}`", close(open.bracket)))
    };
    let mut stack: Vec<Open> = Vec::new();
    let mut suspect = None;
    let found = brackets(text).map_err(|string| {
        (string, "the string is not closed".to_owned(), "add a `\"` at its end".to_owned())
    });
    let found = match found {
        Ok(found) => found,
        Err(mistake) => return Some(mistake),
    };
    for (place, indent, bracket) in found {
        if ['(', '[', '{'].contains(&bracket) {
            stack.push(Open { bracket, place, indent });
            continue;
        }
        let Some(open) = stack.pop() else {
            let message = format!("`{bracket}` closes no bracket");
            return Some((place, message, format!("remove it, or a `{bracket}` before it")));
        };
        if close(open.bracket) != bracket {
            return Some(not_closed(&open));
        }
        if place.column == indent && indent < open.indent && suspect.is_none() {
            suspect = Some(not_closed(&open));
        }
    }
    let last = stack.last().map(not_closed)?;
    Some(suspect.unwrap_or(last))
}

/// Returns the brackets of a text outside of strings and comments, each with the indentation of its line.
///
/// # Errors
/// A string is open at the end of the text: the first string that goes on over the end of a line.
fn brackets(text: &str) -> Result<Vec<(Place, usize, char)>, Place> {
    let mut found = Vec::new();
    // The depth of block comments, and where a string that is open begins.
    let (mut comment, mut string) = (0_usize, None);
    let mut long_string = None;
    for (line, text) in text.lines().enumerate() {
        let chars: Vec<char> = text.chars().collect();
        let indent = chars.iter().take_while(|c| c.is_whitespace()).count();
        let mut at = 0;
        while let Some(&c) = chars.get(at) {
            let next = chars.get(at + 1).copied();
            let mut step = 1;
            match (c, next) {
                ('\\', _) if string.is_some() => step = 2,
                ('"', _) if string.is_some() => string = None,
                _ if string.is_some() => {}
                ('"', _) if comment == 0 => string = Some(Place { line, column: at }),
                ('/', Some('*')) => (comment, step) = (comment + 1, 2),
                ('*', Some('/')) if comment > 0 => (comment, step) = (comment - 1, 2),
                _ if comment > 0 => {}
                ('/', Some('/')) => break,
                // A character such as '{'.
                ('\'', Some(_)) if chars.get(at + 2) == Some(&'\'') => step = 3,
                ('(' | '[' | '{' | ')' | ']' | '}', _) => {
                    found.push((Place { line, column: at }, indent, c));
                }
                _ => {}
            }
            at += step;
        }
        long_string = long_string.or(string);
    }
    match (string, long_string) {
        (Some(_), Some(first)) => Err(first),
        _ => Ok(found),
    }
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
        assert_eq!(message("\"open"), "the string is not closed");
        assert_eq!(message("/* open"), "the text from here on cannot be read as Rust tokens");
        assert!(message("fn").starts_with("unexpected end of input"));
        assert_eq!(message(&"(".repeat(70)), "`(` is not closed");
        assert_eq!(message(&("(".repeat(70) + &")".repeat(70))), "brackets nest deeper than 64");
    }

    #[test]
    fn the_bracket_without_a_partner_is_found() {
        let place = |text: &str| {
            let (place, message, _) = unbalanced(text)?;
            let start = place.span().start();
            assert_eq!((start.line, start.column), (place.line + 1, place.column));
            Some(format!("{}:{}: {message}", start.line, start.column + 1))
        };
        let of = |text: &str| place(text).unwrap_or_else(|| "balanced".to_owned());
        assert_eq!(of("a {\n    b {\n        c;\n}\n"), "2:7: `{` is not closed");
        assert_eq!(of("a {\n    b { c(d; }\n}\n"), "2:10: `(` is not closed");
        assert_eq!(of("a {\n    b { c; }\n"), "1:3: `{` is not closed");
        assert_eq!(of("a {\n}\n}\n"), "3:1: `}` closes no bracket");
        assert_eq!(of("a { \"}\\\"\" '{' /* ( */ // [\n}\n"), "balanced");
    }

    #[test]
    fn a_path_loses_its_detours() {
        assert_eq!(normal("src/../rules/torch.rs"), "rules/torch.rs");
        assert_eq!(normal("../x.rs"), "../x.rs");
        assert_eq!(normal("/a/b/../c"), "/a/c");
    }

    #[test]
    fn tidy_text_reads_as_written() {
        let text = "any, any if kind(b) <= kind(a) && !x64 => complex above a";
        assert_eq!(tidy(text.parse().unwrap()), text);
    }
}
