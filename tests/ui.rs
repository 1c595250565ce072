//! What rustc says about a wrong rule file, a refused pair, a refused op: one mistake a file, its message beside it.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the messages anew; read them before you commit.

#[test]
fn mistakes_are_told_in_our_words() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
}
