//! What rustc says about a wrong rule file, a refused pair, a refused op: one mistake a file, its message
//! beside it. The wrong rule files are those that `promote-rules` and the command line are tested with.
//!
//! rustc lists some impls of other rule sets in its notes, so the messages are those of a build with every
//! set, as `cargo test --workspace` has it. `TRYBUILD=overwrite cargo test --features all-sets --test ui`
//! writes them anew; read them before you commit.

#[test]
#[cfg_attr(not(feature = "all-sets"), ignore = "the messages are those with every rule set")]
fn mistakes_are_told_in_our_words() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*/*.rs");
    let mut wrong: Vec<_> = std::fs::read_dir("promote-rules/tests/mistakes")
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    wrong.sort();
    for path in wrong.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        // To rustc a file without a rule set is a file like any other.
        if !path.ends_with("no_rules_item.rs") {
            cases.compile_fail(path);
        }
    }
}
