//! Expansions of rule sets, and of containers that derive `Promote`: whole expansions of small
//! files, to be read.
//!
//! `PROMOTE_BLESS=1 cargo test -p promote-rules --test expand` writes it anew; read it before you commit.

use std::fs;
use std::path::Path;

use promote_rules::source::Source;
use promote_rules::{compile, emit};

#[test]
fn the_expansion_of_a_small_rule_set() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let text = fs::read_to_string(folder.join("tiny.rs")).expect("the rule file");
    let compiled = Source::from_text("rules/tiny.rs", &text).and_then(|source| compile(&[source]));
    let compiled = compiled.unwrap_or_else(|errors| panic!("{:?}", errors.iter().collect::<Vec<_>>()));
    compare("tiny.expanded.rs", emit::rule_set(&compiled));
}

#[test]
fn the_expansion_of_containers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let text = fs::read_to_string(folder.join("containers.rs")).expect("the containers");
    let file = syn::parse_file(&text).expect("the containers are Rust");
    compare(
        "containers.expanded.rs",
        file.items.into_iter().map(|item| emit::promote(quote::quote!(#item))).collect(),
    );
}

fn compare(golden: &str, tokens: proc_macro2::TokenStream) {
    let found = prettyplease::unparse(&syn::parse2(tokens).expect("the expansion is Rust"));
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand").join(golden);
    if std::env::var_os("PROMOTE_BLESS").is_some() {
        fs::write(expected, found).expect("the folder can be written");
    } else {
        assert_eq!(found, fs::read_to_string(expected).unwrap_or_default(), "the expansion changed");
    }
}
