//! `docs/defects.md`: what a test excuses a framework, with an example of each. `PROMOTE_BLESS=1` writes a section anew.

use std::sync::Mutex;
use std::{env, fs};

/// Tests of one binary run side by side, and each writes its section.
static WRITING: Mutex<()> = Mutex::new(());

/// A row: the name, the example, the reason.
pub(crate) type Row<'a> = (&'a str, String, &'a str);

/// Compares a section of the file with what the tests know. A name that another section has already told is not told again.
pub(crate) fn section(path: &str, title: &str, rows: &[Row<'_>]) {
    let _writing = WRITING.lock();
    let text = fs::read_to_string(path).expect("docs/defects.md");
    let head = format!("## {title}\n\n");
    let begin = text.find(&head).unwrap_or_else(|| panic!("docs/defects.md has no section `{title}`")) + head.len();
    let end = text[begin..].find("\n## ").map_or(text.len(), |len| begin + len);
    let elsewhere = |name: &str| [&text[..begin], &text[end..]].iter().any(|part| part.contains(&format!("| {name} |")));
    let mut table = String::from("| what | they and we | why we do not copy it |\n| --- | --- | --- |\n");
    for (name, example, reason) in rows.iter().filter(|row| !elsewhere(row.0)) {
        table += &format!("| {name} | {example} | {reason} |\n");
    }
    if env::var_os("PROMOTE_BLESS").is_some() {
        let new = [&text[..begin], &table, &text[end..]].concat();
        fs::write(path, new).expect("the folder can be written");
    } else {
        assert!(text[begin..end] == table, "docs/defects.md tells something else of {title} than the tests excuse: PROMOTE_BLESS=1 writes it");
    }
}
