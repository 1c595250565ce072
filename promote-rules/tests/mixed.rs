//! The expansion of `mixed!` for long expressions: its size grows with their length, and its depth does not,
//! since rustc's time to check nested calls grows with the square of their depth.

use proc_macro2::{TokenStream, TokenTree};

/// Counts the tokens of what `mixed!` makes of an expression, and how deep its brackets nest.
fn size(expression: &str) -> (usize, usize) {
    let tokens = format!("Torch => {expression}").parse().expect("tokens");
    let expanded = promote_rules::mixed(tokens);
    assert!(!expanded.to_string().contains("compile_error"), "{expanded}");
    measure(expanded)
}

fn measure(tokens: TokenStream) -> (usize, usize) {
    let mut size = (0, 0);
    for token in tokens {
        size.0 += 1;
        if let TokenTree::Group(group) = token {
            let (count, depth) = measure(group.stream());
            size = (size.0 + count, size.1.max(depth + 1));
        }
    }
    size
}

#[test]
fn long_chains_of_operators_make_flat_code_of_linear_size() {
    let chain = |operator: &str, terms: usize| size(&vec!["x"; terms].join(operator));
    for operator in [" + ", " * ", " + 1 - ", " + a * "] {
        let [(small, depth), (medium, same_depth), (large, _)] =
            [160, 320, 480].map(|terms| chain(operator, terms));
        assert_eq!(depth, same_depth, "`{operator}` nests");
        assert_eq!(medium - small, large - medium, "`{operator}` grows faster than its length");
    }
}

#[test]
fn calls_and_brackets_make_flat_code() {
    let nested = |depth: usize| size(&("-sqrt(1.0 + ".repeat(depth) + "x" + &")".repeat(depth)));
    assert_eq!(nested(10).1, nested(20).1);
}
