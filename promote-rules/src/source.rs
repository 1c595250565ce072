//! Sources: the text of a rule file becomes the tokens of its `rules!` item.

use std::str::FromStr;

use proc_macro2::{LexError, Span, TokenStream, TokenTree};
use syn::Item;

use crate::diag::Errors;

/// The greatest nesting depth of brackets. Rule files written by hand stay below 10.
const MAX_DEPTH: usize = 64;

/// The greatest number of tokens of a rule file. PyTorch's has about 900.
const MAX_TOKENS: usize = 50_000;

/// A rule file, or the body of a macro call.
#[derive(Clone, Debug)]
pub struct Source {
    /// The tokens between the braces of `promote::rules! { .. }`.
    pub tokens: TokenStream,
    /// The file's name as messages show it.
    pub file: String,
    /// The text, if the source was read from a file; otherwise empty.
    pub text: String,
}

impl Source {
    /// Creates a source from the tokens of a macro call. Its file is that of the first token, relative to the
    /// package that is compiled.
    pub fn from_macro(tokens: TokenStream) -> Source {
        let file = tokens.clone().into_iter().next().map_or_else(String::new, |first| first.span().file());
        let root = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default() + "/";
        let file = without_parents(&file);
        let file = file.strip_prefix(&root).map_or(file.clone(), str::to_owned);
        Source { tokens, file, text: String::new() }
    }

    /// Creates a source from the text of a rule file, which is a Rust source file with one item
    /// `promote::rules! { .. }`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not Rust source, or if it has no such item or several.
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

/// Returns the sources of a `rules!` call.
///
/// A call written by a user is one source. The macro of a base set adds its own:
/// `@chain { .. } { "file" .. }` has the sources from the rule set to the last base.
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

/// Returns one source of a chain: it begins with the name of its file, or is written in the crate that is
/// compiled.
fn link(tokens: TokenStream) -> Source {
    let mut words = tokens.clone().into_iter();
    let file = words.next().and_then(|first| syn::parse2::<syn::LitStr>(first.into()).ok());
    match file {
        Some(file) => Source { tokens: words.collect(), file: file.value(), text: String::new() },
        None => Source::from_macro(tokens),
    }
}

/// Removes `..` from a path: rustc names the file of a `#[path]` module `src/../rules/x.rs`.
fn without_parents(path: &str) -> String {
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
    if let Some((position, message, help)) = unbalanced(text) {
        errors.push(position.span(), message).help(help);
        return;
    }
    errors
        .push(error.span(), "the text from here on cannot be read as Rust tokens")
        .help("check that every string, bracket and comment is closed");
}

/// A position in a text: line and column, counted from 0.
#[derive(Clone, Copy)]
struct Position {
    line: usize,
    column: usize,
}

impl Position {
    /// Returns a span that begins here: that of a token after as many lines and spaces.
    fn span(self) -> Span {
        let text = "\n".repeat(self.line) + &" ".repeat(self.column) + "x";
        let token = TokenStream::from_str(&text).ok().and_then(|tokens| tokens.into_iter().next());
        token.map_or_else(Span::call_site, |token| token.span())
    }
}

/// Finds the bracket that has no partner. Returns its position, the message and the help.
///
/// If a `}` at the start of a line is less indented than the line of its `{`, a `}` is missing between them.
/// Then the `{` is reported, not the one that is left over at the end of the text.
fn unbalanced(text: &str) -> Option<(Position, String, String)> {
    struct Open {
        bracket: char,
        position: Position,
        indent: usize,
    }
    let close = |open: char| match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    };
    let not_closed = |open: &Open| {
        let message = format!("`{}` is not closed", open.bracket);
        (open.position, message, format!("add the missing `{}`", close(open.bracket)))
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
    for (position, indent, bracket) in found {
        if ['(', '[', '{'].contains(&bracket) {
            stack.push(Open { bracket, position, indent });
            continue;
        }
        let Some(open) = stack.pop() else {
            let message = format!("`{bracket}` closes no bracket");
            return Some((position, message, format!("remove it, or a `{bracket}` before it")));
        };
        if close(open.bracket) != bracket {
            return Some(not_closed(&open));
        }
        if position.column == indent && indent < open.indent && suspect.is_none() {
            suspect = Some(not_closed(&open));
        }
    }
    let last = stack.last().map(not_closed)?;
    Some(suspect.unwrap_or(last))
}

/// Returns the brackets of a text outside of strings and comments, each with the indentation of its line.
///
/// # Errors
///
/// Returns the start of the first string that spans lines if a string is open at the end of the text.
fn brackets(text: &str) -> Result<Vec<(Position, usize, char)>, Position> {
    let mut found = Vec::new();
    // The depth of block comments, and the start of an open string.
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
                ('"', _) if comment == 0 => string = Some(Position { line, column: at }),
                ('/', Some('*')) => (comment, step) = (comment + 1, 2),
                ('*', Some('/')) if comment > 0 => (comment, step) = (comment - 1, 2),
                _ if comment > 0 => {}
                ('/', Some('/')) => break,
                // A character such as '{'.
                ('\'', Some(_)) if chars.get(at + 2) == Some(&'\'') => step = 3,
                ('(' | '[' | '{' | ')' | ']' | '}', _) => {
                    found.push((Position { line, column: at }, indent, c));
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

/// Collects the `rules!` items of a file, including those of its inline modules.
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

/// Refuses deeply nested brackets, on which a recursive parser could overflow its stack, and very long texts.
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

/// Prints tokens as a person would write them, on one line.
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
                // No space between the name of a call and its bracket.
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
    fn finds_the_rules_item_among_other_items() {
        let source = Source::from_text("t.rs", "//! doc\nuse x::y;\npromote::rules! { rules T; }").unwrap();
        assert_eq!(source.tokens.to_string(), "rules T ;");
    }

    #[test]
    fn refuses_files_without_exactly_one_rules_item() {
        assert_eq!(message("fn main() {}"), "the file holds no rules");
        assert_eq!(message("rules! {} promote::rules! {}"), "a second `rules!` in one file");
        assert_eq!(message("\"open"), "the string is not closed");
        assert_eq!(message("/* open"), "the text from here on cannot be read as Rust tokens");
        assert!(message("fn").starts_with("unexpected end of input"));
        assert_eq!(message(&"(".repeat(70)), "`(` is not closed");
        assert_eq!(message(&("(".repeat(70) + &")".repeat(70))), "brackets nest deeper than 64");
    }

    #[test]
    fn finds_the_bracket_without_a_partner() {
        let position = |text: &str| {
            let (position, message, _) = unbalanced(text)?;
            let start = position.span().start();
            assert_eq!((start.line, start.column), (position.line + 1, position.column));
            Some(format!("{}:{}: {message}", start.line, start.column + 1))
        };
        let of = |text: &str| position(text).unwrap_or_else(|| "balanced".to_owned());
        assert_eq!(of("a {\n    b {\n        c;\n}\n"), "2:7: `{` is not closed");
        assert_eq!(of("a {\n    b { c(d; }\n}\n"), "2:10: `(` is not closed");
        assert_eq!(of("a {\n    b { c; }\n"), "1:3: `{` is not closed");
        assert_eq!(of("a {\n}\n}\n"), "3:1: `}` closes no bracket");
        assert_eq!(of("a { \"}\\\"\" '{' /* ( */ // [\n}\n"), "balanced");
    }

    #[test]
    fn removes_parent_folders_from_paths() {
        assert_eq!(without_parents("src/../rules/torch.rs"), "rules/torch.rs");
        assert_eq!(without_parents("../x.rs"), "../x.rs");
        assert_eq!(without_parents("/a/b/../c"), "/a/c");
    }

    #[test]
    fn prints_tokens_as_they_were_written() {
        let text = "any, any if kind(b) <= kind(a) && !x64 => complex above a";
        assert_eq!(tidy(text.parse().unwrap()), text);
    }
}
