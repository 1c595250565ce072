//! The rule files of `rules/` pass every check.

use std::fs;
use std::path::Path;

use promote_rules::source::Source;
use promote_rules::{base_of, compile, name_of};

#[test]
fn bundled_rule_files_have_no_mistakes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules");
    let files = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let sources: Vec<Source> = files
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a file");
            Source::from_text(&path.to_string_lossy(), &text).expect("a rule file")
        })
        .collect();
    assert!(sources.len() >= 12, "only {} files", sources.len());
    for source in &sources {
        let mut chain = vec![source.clone()];
        while let Some(base) = base_of(&chain[chain.len() - 1]) {
            let wanted = base.segments.last().map(|last| last.ident.to_string());
            let found = sources.iter().find(|source| name_of(source) == wanted).expect("the base");
            chain.push(found.clone());
        }
        if let Err(errors) = compile(&chain) {
            let told: Vec<&str> = errors.iter().map(|one| one.message.as_str()).collect();
            panic!("{}: {}", source.file, told.join("\n"));
        }
    }
}
