//! Every statement, example and table of the five documents from which the project began, and how it is shown
//! here.
//!
//! `statements.txt` has them; this test runs its commands, looks for the tests and the words that it names,
//! and writes `docs/statements.md` of it. A line that begins with
//!
//! - `== ` is the title of a document;
//! - `> ` is a command of `promote` and, behind ` | `, what it has to say: `gives DTYPE`, `refuses PART`,
//!   `prints PART`;
//! - `@ ` is a file and the name of a test, or of a module of tests, in it;
//! - `# ` is a file and words that stand in it;
//! - `later: ` says what is missing; `never: ` why it cannot be shown;
//!
//! and every other line is a statement, of which the lines below it speak.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::{promote, repository};

/// A statement of a document.
struct Statement<'a> {
    text: &'a str,
    shown: Vec<Shown<'a>>,
}

/// The way in which a statement is shown.
enum Shown<'a> {
    Command { command: &'a str, expected: &'a str },
    Test { file: &'a str, name: &'a str },
    Words { file: &'a str, words: &'a str },
    Later(&'a str),
    Never(&'a str),
}

/// The rule sets that follow a document where its system does not any more.
const VARIANTS: [&str; 3] = [" paddle26 ", " oneflow2021 ", " jax2020 "];

fn documents(text: &str) -> Vec<(&str, Vec<Statement<'_>>)> {
    let mut documents: Vec<(&str, Vec<Statement<'_>>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(title) = line.strip_prefix("== ") {
            documents.push((title, Vec::new()));
            continue;
        }
        let (_, statements) = documents.last_mut().expect("a title before the first statement");
        let Some(shown) = shown(line) else {
            statements.push(Statement { text: line, shown: Vec::new() });
            continue;
        };
        statements.last_mut().expect("a statement before what shows it").shown.push(shown);
    }
    documents
}

fn shown(line: &str) -> Option<Shown<'_>> {
    let (mark, rest) = line.split_once(' ')?;
    let split = |by: &str| rest.split_once(by).unwrap_or_else(|| panic!("`{line}` is not whole"));
    Some(match mark {
        ">" => {
            let (command, expected) = split(" | ");
            Shown::Command { command, expected }
        }
        "@" => {
            let (file, name) = split(" ");
            Shown::Test { file, name }
        }
        "#" => {
            let (file, words) = split(" ");
            Shown::Words { file, words }
        }
        "later:" => Shown::Later(rest),
        "never:" => Shown::Never(rest),
        _ => return None,
    })
}

impl Shown<'_> {
    /// Checks that it does show the statement.
    fn check(&self, statement: &str) -> Result<(), String> {
        let file = |path: &str| {
            std::fs::read_to_string(repository(path)).map_err(|error| format!("{statement}: {path}: {error}"))
        };
        match self {
            Shown::Command { command, expected } => {
                let arguments: Vec<&str> = command.split(' ').collect();
                let ran = promote(&arguments);
                let (verb, what) = expected.split_once(' ').expect("what it has to say");
                let holds = match verb {
                    "gives" => ran.stdout.lines().next().is_some_and(|line| {
                        ["gives", "promote to", "is"]
                            .iter()
                            .any(|verb| line.ends_with(&format!(" {verb} {what}")))
                    }),
                    "prints" => ran.code == 0 && ran.stdout.contains(what),
                    "refuses" => ran.code == 1 && ran.stderr.contains(what),
                    verb => panic!("{statement}: `{verb}` is none of `gives`, `prints`, `refuses`"),
                };
                if holds {
                    Ok(())
                } else {
                    Err(format!("{statement}: `promote {command}` says {}", ran.everything()))
                }
            }
            Shown::Test { file: path, name } => {
                let text = file(path)?;
                let is_there =
                    [format!("fn {name}("), format!("mod {name} {{")].iter().any(|it| text.contains(it));
                if is_there { Ok(()) } else { Err(format!("{statement}: {path} has no test `{name}`")) }
            }
            Shown::Words { file: path, words } => {
                if file(path)?.contains(words) {
                    Ok(())
                } else {
                    Err(format!("{statement}: {path} does not say `{words}`"))
                }
            }
            Shown::Later(_) | Shown::Never(_) => Ok(()),
        }
    }

    /// Returns the words of the page.
    fn text(&self) -> String {
        match self {
            Shown::Command { command, expected } => format!("`promote {command}` {expected}"),
            Shown::Test { file, name } => format!("`{name}` in {file}"),
            Shown::Words { file, words } => format!("\u{201c}{words}\u{201d} in {file}"),
            Shown::Later(missing) => format!("missing: {missing}"),
            Shown::Never(reason) => (*reason).to_owned(),
        }
    }
}

impl Statement<'_> {
    fn status(&self) -> &'static str {
        let any = |is: fn(&Shown) -> bool| self.shown.iter().any(is);
        let is_variant = |shown: &Shown| matches!(shown, Shown::Command { command, .. } if VARIANTS.iter().any(|set| command.contains(set)));
        match () {
            () if any(|shown| matches!(shown, Shown::Later(_))) => "not yet",
            () if any(|shown| matches!(shown, Shown::Never(_))) => "cannot be",
            () if any(is_variant) => "variant",
            () => "shown",
        }
    }
}

const HEAD: &str = "\
# What five documents say, and where it is shown

Made of `promote-cli/tests/cli/statements.txt` by a test
(`PROMOTE_BLESS=1 cargo test -p promote-cli --test cli statements`). The test runs every command, and checks
that every test and every word that is named is there.

*Variant*: the system has changed since, and a rule set that follows the document shows the statement;
[documents.md](documents.md) lists all cells that differ. *Not yet*: something is missing, which is named.
";

fn page(documents: &[(&str, Vec<Statement<'_>>)]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut tables = String::new();
    for (title, statements) in documents {
        let _ = write!(
            tables,
            "\n## {title}\n\n| | what it says | how it is shown | status |\n| --- | --- | --- | --- |\n"
        );
        for (at, statement) in statements.iter().enumerate() {
            let how: Vec<String> = statement.shown.iter().map(Shown::text).collect();
            let how = how.join("; ").replace('|', "\\|");
            let (text, status) = (statement.text.replace('|', "\\|"), statement.status());
            *counts.entry(status).or_default() += 1;
            let _ = writeln!(tables, "| {} | {text} | {how} | {status} |", at + 1);
        }
    }
    let total: usize = counts.values().sum();
    let counts: Vec<String> = counts.iter().map(|(status, count)| format!("{count} {status}")).collect();
    format!("{HEAD}\n{total} statements: {}.\n{tables}", counts.join(", "))
}

#[test]
fn statements_of_documents_hold_as_the_page_says() {
    let documents = documents(include_str!("statements.txt"));
    assert_eq!(documents.len(), 5);
    let statements: Vec<&Statement<'_>> = documents.iter().flat_map(|(_, statements)| statements).collect();
    let checks: Vec<(&str, &Shown<'_>)> = statements
        .iter()
        .flat_map(|statement| statement.shown.iter().map(|shown| (statement.text, shown)))
        .collect();
    let silent =
        statements.iter().filter(|statement| statement.shown.is_empty()).map(|statement| statement.text);
    let mut wrong: Vec<String> = silent.map(|text| format!("{text}: nothing shows it")).collect();
    // Each command reads a rule file: two at a time.
    let (first, second) = checks.split_at(checks.len() / 2);
    let run = |checks: &[(&str, &Shown<'_>)]| -> Vec<String> {
        checks.iter().filter_map(|(text, shown)| shown.check(text).err()).collect()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| run(second));
        wrong.extend(run(first));
        wrong.extend(other.join().expect("no panic"));
    });
    assert!(wrong.is_empty(), "{} of {} do not hold:\n{}", wrong.len(), checks.len(), wrong.join("\n"));

    let (path, page) = (repository("docs/statements.md"), page(&documents));
    if std::env::var_os("PROMOTE_BLESS").is_some() {
        std::fs::write(&path, &page).expect("a page");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(written == page, "docs/statements.md is not today's: run this test with PROMOTE_BLESS=1");
}
