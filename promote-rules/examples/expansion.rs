//! Measures `rules!` and `#[derive(Promote)]`: the time of the expansion of each file that is named, a rule
//! file or one of structs, and the size of what is emitted.
//!
//! ```text
//! cargo run -p promote-rules --example expansion -- rules/torch.rs promote-rules/tests/expand/containers.rs
//! ```
//!
//! In a dev build that is the time in every user's dev build, since the macro is then built without
//! optimisation too. It is the shortest of five runs; inside rustc each token costs a little more.

use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use proc_macro2::TokenStream;
use promote_rules::source::Source;
use quote::ToTokens as _;

fn main() -> ExitCode {
    println!("| rule file or struct | lines | expansion | tokens | bytes |");
    println!("| --- | --- | --- | --- | --- |");
    for path in std::env::args().skip(1) {
        let Ok(text) = fs::read_to_string(&path) else {
            eprintln!("cannot read {path}");
            return ExitCode::FAILURE;
        };
        match Source::from_text(&path, &text) {
            Ok(source) => row(&path, &text, || promote_rules::expand(source.tokens.clone())),
            Err(_) => containers(&path, &text),
        }
    }
    ExitCode::SUCCESS
}

/// A row for each struct of a file.
fn containers(path: &str, text: &str) {
    let Ok(file) = syn::parse_file(text) else {
        eprintln!("{path} is neither a rule file nor Rust");
        return;
    };
    for item in &file.items {
        let syn::Item::Struct(container) = item else { continue };
        let (name, input) = (format!("struct {}", container.ident), container.to_token_stream());
        let written = prettyplease::unparse(&syn::File {
            shebang: None,
            frontmatter: None,
            attrs: Vec::new(),
            items: vec![item.clone()],
        });
        row(&name, &written, || promote_rules::promote(input.clone()));
    }
}

/// The shortest of five expansions.
fn row(name: &str, text: &str, expand: impl Fn() -> TokenStream) {
    let runs = (0..5).map(|_| {
        let begin = Instant::now();
        let expanded = expand();
        (begin.elapsed(), expanded)
    });
    let Some((time, expanded)) = runs.min_by_key(|run| run.0) else { return };
    let (lines, bytes) = (text.lines().count(), expanded.to_string().len());
    println!("| {name} | {lines} | {:.2} ms | {} | {bytes} |", time.as_secs_f64() * 1e3, tokens(expanded));
}

/// Returns the number of tokens, those within brackets included.
fn tokens(stream: TokenStream) -> usize {
    stream
        .into_iter()
        .map(|token| match token {
            proc_macro2::TokenTree::Group(group) => 2 + tokens(group.stream()),
            _ => 1,
        })
        .sum()
}
