//! `promote check`.

use std::fs;

use crate::{promote, promote_in, repository};

#[test]
fn summarizes_a_file_without_mistakes() {
    let told = promote(&["check", "torch"]).told();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "Torch (rules/torch.rs): no mistakes");
    for part in [
        "  dtypes   37: bool u8 ",
        "  param    default_dtype: bf16 | f16 | f32 (default) | f64",
        "  cells    1369 pairs of arrays: 319 promote, 1050 refused; 4 settings of the parameters",
        "  ops      212: add add_scaled multiply pow ",
        "  law      commutative: holds",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(part)), "{part} in\n{told}");
    }
    let path = repository("rules/torch.rs");
    let by_path = promote(&["check", path.to_str().expect("UTF-8")]).told();
    assert_eq!(by_path.lines().skip(1).collect::<Vec<_>>(), lines[1..]);
}

/// Every mistake that the library has a test for is shown as its `.check` says; `PROMOTE_BLESS=1` writes
/// those anew.
#[test]
fn mistakes_are_shown_at_their_positions() {
    let folder = repository("promote-rules/tests/mistakes");
    let bless = std::env::var_os("PROMOTE_BLESS").is_some();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .filter(|name| std::path::Path::new(name).extension().is_some_and(|extension| extension == "rs"))
        .collect();
    names.sort();
    assert!(names.len() >= 70, "{names:?}");
    for name in names {
        let found = promote_in(&folder, &["check", &name]).refused();
        let golden = folder.join(&name).with_extension("check");
        if bless {
            fs::write(&golden, &found).expect("the folder can be written");
        }
        assert_eq!(found, fs::read_to_string(&golden).unwrap_or_default(), "{name}");
    }
}

#[test]
fn every_verb_reports_the_mistakes_of_a_rule_file() {
    let folder = repository("promote-rules/tests/mistakes");
    let told = promote_in(&folder, &["check", "undecided.rs"]).refused();
    for verb in ["table", "lattice"] {
        assert_eq!(promote_in(&folder, &[verb, "undecided.rs"]).refused(), told);
    }
}

#[test]
fn checks_a_file_with_those_that_it_extends() {
    let at = |name: &str| {
        repository(&format!("tests/agreement/extends/{name}")).to_str().expect("UTF-8").to_owned()
    };
    let (wide, strict) = (at("wide.rs"), at("strict.rs"));
    // A bundled set is known by its name.
    assert!(promote(&["check", &wide]).told().contains("no mistakes"));
    let told = promote(&["explain", &wide, "i32", "bf16"]).told();
    assert!(told.starts_with("Wide: i32 and bf16 promote to f32\n"), "{told}");
    // Another one is named.
    let told = promote(&["check", &strict]).refused();
    assert!(told.starts_with("error: the rule set `Wide`, which this one extends, is not known\n"), "{told}");
    assert!(told.contains("strict.rs:") && told.contains("`--base FILE`"), "{told}");
    let told = promote(&["explain", &strict, "--base", &wide, "u8", "i8"]).told();
    assert!(
        told.starts_with("Strict: u8 and i8 promote to i16\n")
            && told.contains("`any, any => join` in `promote` (rules/torch.rs:"),
        "{told}"
    );
}

#[test]
fn suggests_a_base_of_a_similar_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.rs");
    let text = "promote::rules! {\n    rules Mine extends crate::NumPyy;\n    law commutative;\n}\n";
    std::fs::write(&file, text).expect("the folder can be written");
    let told = promote(&["check", file.to_str().expect("UTF-8")]).refused();
    assert!(told.contains("mine.rs:2:31") && told.contains("did you mean `NumPy`?"), "{told}");
    let told = promote(&["explain", "torch", "--base", "nowhere.rs", "u8"]).refused();
    assert!(told.starts_with("error: `--base`: there is no rule set `nowhere.rs`"), "{told}");
}

#[test]
fn several_files_are_checked_at_once() {
    let told = promote(&["check", "torch", "numpy"]).told();
    let titles: Vec<&str> = told.lines().filter(|line| line.ends_with(": no mistakes")).collect();
    assert_eq!(titles, ["Torch (rules/torch.rs): no mistakes", "NumPy (rules/numpy.rs): no mistakes"]);
    let folder = repository("promote-rules/tests/mistakes");
    let ran = promote_in(&folder, &["check", "undecided.rs", "numpy", "nowhere.rs"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.starts_with("NumPy (rules/numpy.rs): no mistakes\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains(" in undecided.rs\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: there is no rule set `nowhere.rs`"), "{}", ran.stderr);
}

#[test]
fn mistakes_are_listed_for_programs() {
    assert_eq!(promote(&["check", "torch", "numpy", "--format", "json"]).told(), "[]\n");
    let folder = tempfile::tempdir().expect("a folder");
    let text = "promote::rules! {\n    rules Mine extends crate::NumPyy;\n    law commutative;\n}\n";
    fs::write(folder.path().join("mine.rs"), text).expect("the folder can be written");
    let ran = promote_in(folder.path(), &["check", "mine.rs", "torch", "none.rs", "--format", "json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, "error: 2 mistakes in 2 rule files\n"));
    let list: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(list.as_array().map(Vec::len), Some(2), "{list}");
    let first = &list[0];
    assert_eq!(
        (&first["file"], &first["line"], &first["column"]),
        (&"mine.rs".into(), &2.into(), &31.into())
    );
    assert_eq!(first["message"], "the rule set `NumPyy`, which this one extends, is not known");
    assert!(first["help"].as_str().is_some_and(|help| help == "did you mean `NumPy`?"), "{first}");
    assert_eq!((&list[1]["file"], &list[1]["line"]), (&"none.rs".into(), &serde_json::Value::Null));
    assert!(list[1]["message"].as_str().is_some_and(|text| text.contains("no rule set `none.rs`")), "{list}");
}
