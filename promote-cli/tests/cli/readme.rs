//! The README shows the answers of the command as they are.

use std::fs;

use proc_macro2::{TokenStream, TokenTree};
use promote::__private::rule_set_of;
use promote::RuleSet;
use promote_cli::load;
use promote_rules::bundled::{BUNDLED, BundledFile};
use promote_rules::data;

use crate::{promote, repository};

#[test]
fn the_readme_shows_what_the_command_says() {
    let readme = include_str!("../../../README.md");
    let blocks = readme.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut shown = 0;
    for block in blocks {
        for part in block.split("$ promote ").skip(1) {
            let (command, expected) = part.split_once('\n').expect("a command and what it says");
            let arguments = arguments(command);
            assert_eq!(promote(&arguments).everything().trim(), expected.trim(), "promote {command}");
            shown += 1;
        }
    }
    assert!(shown >= 2, "the README shows {shown} commands");
}

/// The arguments of a command line, of which some stand in double quotes.
fn arguments(command: &str) -> Vec<&str> {
    let split = |(at, part)| match at % 2 {
        0 => str::split_whitespace(part).collect(),
        _ => vec![part],
    };
    command.split('"').enumerate().flat_map(split).collect()
}

/// `PROMOTE_BLESS=1` draws them anew; look at them before you commit.
#[test]
fn its_pictures_are_those_that_the_command_draws() {
    let pictures = [
        ("docs/torch-lattice.svg", &["lattice", "torch", "--format", "svg"][..]),
        ("docs/torch-divide.svg", &["table", "torch", "--op", "divide", "--format", "svg"]),
        (
            "docs/jax-numpy.svg",
            &[
                "diff",
                "jax2020",
                "numpy",
                "--format",
                "svg",
                "--dtypes",
                "bool,u8,u16,u32,u64,i8,i16,i32,i64,bf16,f16,f32,f64,c64,c128",
            ],
        ),
    ];
    for (path, command) in pictures {
        let (drawn, path) = (promote(command).told(), repository(path));
        if std::env::var_os("PROMOTE_BLESS").is_some() {
            fs::write(&path, &drawn).expect("the folder can be written");
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == drawn,
            "{} is another picture than `promote {}` draws",
            path.display(),
            command.join(" ")
        );
        assert!(
            include_str!("../../../README.md")
                .contains(path.file_name().and_then(|name| name.to_str()).expect("a name"))
        );
    }
}

/// The table of rule sets: their names, parameters with the default first, and statements.
#[test]
fn its_rows_of_rule_sets_are_what_the_files_say() {
    let readme = include_str!("../../../README.md");
    let (_, table) = readme.split_once("| name, feature | type |").expect("the table of rule sets");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<&str>> =
        rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect();
    let named = |name: &str| rows.iter().find(|row| row[0] == format!("`{name}`"));
    assert_eq!(rows.len(), BUNDLED.len(), "a row for each rule set");
    for BundledFile { name, file, text } in BUNDLED {
        let row = named(name).unwrap_or_else(|| panic!("the README has no row for `{name}`"));
        let count = statements(text.parse().expect("the tokens of a rule file"));
        assert_eq!(row[3], format!("[{count}]({file})"), "the statements of {file}");
        let compiled = load::read(name, &[]).expect("a bundled rule set");
        let rules = rule_set_of(data::leaked(Box::leak(Box::new(compiled))));
        assert!(row[1].starts_with(&format!("`{}`", rules.name())), "{}: {}", row[1], rules.name());
        // `as jax`: the parameters of that row.
        let told = match row[2].strip_prefix("as `").and_then(|rest| rest.strip_suffix('`')) {
            Some(other) => named(other).expect("a row")[2],
            None => row[2],
        };
        assert_eq!(parameters(told, rules), told_by(rules), "{name}");
    }
}

/// Counts the statements of a rule file, each of which ends with a semicolon. The names of the system do not
/// count.
fn statements(tokens: TokenStream) -> usize {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let are_names =
        |at: usize| at > 0 && matches!(&tokens[at - 1], TokenTree::Ident(word) if word == "names");
    let count = |(at, token): (usize, &TokenTree)| match token {
        TokenTree::Group(_) if are_names(at) => 0,
        TokenTree::Group(group) => statements(group.stream()),
        TokenTree::Punct(punct) => usize::from(punct.as_char() == ';'),
        TokenTree::Ident(_) | TokenTree::Literal(_) => 0,
    };
    tokens.iter().enumerate().map(count).sum()
}

/// Names, defaults and values, sorted.
type Parameters = Vec<(String, String, Vec<String>)>;

/// The content of a row: names in backticks and their values, the default first, and `any dtype` for all.
fn parameters(told: &str, rules: RuleSet) -> Parameters {
    let mut found = Parameters::new();
    for part in told.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let (names, values) = part.rsplit_once("` ").expect("names and values");
        let mut values: Vec<String> = values.split(", ").map(str::to_owned).collect();
        let default = values[0].clone();
        if values.iter().any(|value| value == "any dtype") {
            values = rules.tables().dtypes.iter().map(|dtype| dtype.name().to_owned()).collect();
        }
        values.sort();
        for name in names.split(", ") {
            found.push((name.trim_matches('`').to_owned(), default.clone(), values.clone()));
        }
    }
    found.sort();
    found
}

fn told_by(rules: RuleSet) -> Parameters {
    let params = rules.tables().params.iter().map(|param| {
        let default = param.values[param.default as usize].to_owned();
        let mut values: Vec<String> = param.values.iter().map(|value| (*value).to_owned()).collect();
        values.sort();
        (param.name.to_owned(), default, values)
    });
    let mut params: Parameters = params.collect();
    params.sort();
    params
}
