//! Rule files that are read while a program runs: `promote::rule_file`.

#![cfg(all(feature = "rule-files", feature = "torch", feature = "kernels"))]

use std::fs;
use std::path::Path;

use promote::rule_file::{self, RuleFileError};
use promote::{DType, Op, RULE_SETS, rule_set};
use promote_rules::bundled::BUNDLED;

/// A folder of the build, so that the tests write nowhere else.
const FOLDER: &str = env!("CARGO_TARGET_TMPDIR");

fn told(text: &str) -> String {
    rule_file::compile("mine.rs", text).expect_err("a mistake").to_string()
}

#[test]
fn every_bundled_rule_file_gives_the_compiled_tables() {
    for name in RULE_SETS {
        let file = BUNDLED.iter().find(|file| file.name == *name).expect("a file for each rule set");
        let read = rule_file::compile(file.file, file.text).unwrap_or_else(|error| panic!("{error}"));
        let built = rule_set(name).expect("a rule set of this build");
        let [read, built] = [read, built].map(|rules| format!("{:?}", rules.tables()));
        assert!(read == built, "{name}: the tables differ");
    }
}

#[test]
fn a_rule_set_that_was_read_has_kernels() {
    let text = "promote::rules! { rules Halves extends Torch; promote { i32, i32 => f16; } }";
    let rules = rule_file::compile("halves.rs", text).expect("no mistakes");
    let sum = rules.call(Op::Add, &[(&[1_i32, 2]).into(), (&[3_i32, 4]).into()]).expect("a kernel");
    assert_eq!(sum.dtype(), DType::F16);
    assert_eq!(sum.to_string(), "[4.0, 6.0]");
}

#[test]
fn a_text_that_is_compiled_again_gives_the_same_rule_set() {
    let text = "promote::rules! { rules Own; dtypes bool; dtype own: int 16; promote { any, any => refuse \"apart\"; } }";
    let dtype = |file| *rule_file::compile(file, text).expect("no mistakes").dtypes().last().expect("two");
    // Custom dtypes are equal only if they are one.
    assert_eq!(dtype("own.rs"), dtype("own.rs"));
    assert_ne!(dtype("own.rs"), dtype("another.rs"));
}

#[test]
fn every_mistake_has_its_line_and_its_column() {
    let error = rule_file::compile(
        "mine.rs",
        "promote::rules! {\n    rules Mine;\n    dtypes bool i23;\n    dtypes f46;\n}",
    );
    let Err(RuleFileError::Mistakes(mistakes)) = error else { panic!("mistakes") };
    let at: Vec<_> = mistakes.iter().map(|one| (one.file.as_str(), one.line, one.column)).collect();
    assert_eq!(at, [("mine.rs", 3, 17), ("mine.rs", 4, 12)], "{mistakes:?}");
    assert!(mistakes.iter().all(|one| one.help.is_some()), "{mistakes:?}");
}

#[test]
fn a_base_that_is_not_bundled_is_named() {
    assert_eq!(
        told("promote::rules! { rules Mine extends some::Torhc; }"),
        "mine.rs:1:44: the rule set `Torhc`, which this one extends, is not known; help: did you mean `Torch`?"
    );
    let all = told("promote::rules! { rules Mine extends Something; }");
    assert!(all.contains("help: the bundled rule sets are ArrayApi, DataFusion, Jax,"), "{all}");
    // The file itself is not among them.
    let own = told("promote::rules! { rules Mine extends Mine; }");
    assert!(
        own.starts_with("mine.rs:1:38: the rule set `Mine`, which this one extends, is not known"),
        "{own}"
    );
}

#[test]
fn a_mistake_about_clauses_of_the_base_is_told_in_the_file_itself() {
    assert_eq!(
        told("promote::rules! { rules Mine extends Torch; op linear = crate::Linear; }"),
        "mine.rs:1:48: the base has clauses of two operands for `linear`, and a custom op has the common dtype \
         alone; help: give the op with a Rust type another name"
    );
}

#[test]
fn text_that_is_no_rule_file_is_an_error() {
    let long = " ".repeat((1 << 20) + 1);
    for text in [long.as_str(), "", "fn main() {}", "{", "\u{0}", "rules Mine;"] {
        let error = told(text);
        assert!(error.starts_with("mine.rs:1:"), "{text:?}: {error}");
    }
}

#[test]
fn files_that_cannot_be_read_are_named_with_the_reason() {
    let folder = Path::new(FOLDER).join("rule_file");
    fs::create_dir_all(&folder).expect("a folder");
    let long = folder.join("long.rs");
    fs::write(&long, "\u{e9}".repeat(1 << 20)).expect("a file");
    let bytes = folder.join("bytes.rs");
    fs::write(&bytes, [0xff, 0xfe]).expect("a file");
    for (path, reason) in [
        (folder.join("none.rs"), "No such file"),
        (long, "the file is longer than 1048576 bytes"),
        (bytes, "it is not UTF-8 text"),
        (folder, "Is a directory"),
    ] {
        let error = rule_file::read(&path).expect_err("a file that cannot be read");
        assert!(matches!(error, RuleFileError::Io { .. }));
        let error = error.to_string();
        let begin = format!("cannot read the rule file `{}`: ", path.display());
        assert!(error.starts_with(&begin) && error.contains(reason), "{error}");
    }
}

#[test]
fn a_file_with_a_byte_order_mark_is_read() {
    let path = Path::new(FOLDER).join("marked.rs");
    fs::write(&path, "\u{feff}promote::rules! { rules Marked extends Torch; }").expect("a file");
    assert_eq!(rule_file::read(&path).expect("no mistakes").name(), "Marked");
}
