//! What `rules!` costs: the time of the expansion of each rule file that is named, and the size of what it emits.
//!
//! ```text
//! cargo run -p promote-rules --example expansion -- rules/torch.rs
//! ```
//!
//! In a dev build that is the time in every user's dev build, since the macro is then built without optimisation too. It is
//! the shortest of five runs; inside rustc each token costs a little more.

use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use promote_rules::source::Source;

fn main() -> ExitCode {
    println!("| rule file | lines | expansion | tokens | bytes |");
    println!("| --- | --- | --- | --- | --- |");
    for path in std::env::args().skip(1) {
        let Ok(text) = fs::read_to_string(&path) else {
            eprintln!("cannot read {path}");
            return ExitCode::FAILURE;
        };
        let Ok(source) = Source::from_text(&path, &text) else {
            eprintln!("{path} has no rules");
            return ExitCode::FAILURE;
        };
        let runs = (0..5).map(|_| {
            let begin = Instant::now();
            let expanded = promote_rules::expand(source.tokens.clone());
            (begin.elapsed(), expanded)
        });
        let Some((time, expanded)) = runs.min_by_key(|run| run.0) else { continue };
        let (lines, bytes) = (text.lines().count(), expanded.to_string().len());
        println!("| {path} | {lines} | {} ms | {} | {bytes} |", time.as_millis(), tokens(expanded));
    }
    ExitCode::SUCCESS
}

/// How many tokens there are, those within brackets included.
fn tokens(stream: proc_macro2::TokenStream) -> usize {
    stream
        .into_iter()
        .map(|token| match token {
            proc_macro2::TokenTree::Group(group) => 2 + tokens(group.stream()),
            _ => 1,
        })
        .sum()
}
