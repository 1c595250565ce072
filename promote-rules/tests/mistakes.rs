//! Every file of `tests/mistakes` is refused with the messages that stand beside it: line, column, what is
//! wrong, help.
//!
//! `PROMOTE_BLESS=1 cargo test -p promote-rules --test mistakes` writes the messages anew; read them before
//! you commit.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use promote_rules::compile;
use promote_rules::source::Source;

fn messages(text: &str) -> String {
    let Err(errors) = Source::from_text("rules.rs", text).and_then(|source| compile(&[source])) else {
        return "no mistake was found\n".to_owned();
    };
    let mut out = String::new();
    for one in errors.iter() {
        let at = one.span.start();
        let _ = writeln!(out, "{}:{}: {}", at.line, at.column + 1, one.message);
        if let Some(help) = &one.help {
            let _ = writeln!(out, "    help: {help}");
        }
    }
    out
}

#[test]
fn each_mistake_is_told_at_its_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let bless = std::env::var_os("PROMOTE_BLESS").is_some();
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    assert!(files.len() >= 25, "only {} files", files.len());
    let mut wrong = String::new();
    for path in files {
        let found = messages(&fs::read_to_string(&path).expect("a file"));
        let expected = path.with_extension("expected");
        if bless {
            fs::write(&expected, &found).expect("the folder can be written");
        } else if fs::read_to_string(&expected).unwrap_or_default() != found {
            let _ = writeln!(wrong, "{}:\n{found}", path.display());
        }
    }
    assert!(wrong.is_empty(), "these messages changed:\n{wrong}");
}
