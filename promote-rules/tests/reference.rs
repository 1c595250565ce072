//! The reference of the language says what the parser reads: its examples compile, and every keyword stands
//! in it.

use promote_rules::model::{Casting, Category, OpInfo, StandardDType, StandardOp};
use promote_rules::source::Source;
use promote_rules::syntax::DECLARATIONS;
use promote_rules::{base_of, compile, name_of};

const REFERENCE: &str = include_str!("../../docs/language.md");

#[test]
fn its_examples_compile() {
    let mut examples: Vec<String> = Vec::new();
    for block in REFERENCE.split("```rules").skip(1) {
        let (kind, rest) = block.split_once('\n').expect("a line behind the fence");
        let text = rest.split("```").next().expect("the text of the block");
        match (kind, examples.last_mut()) {
            // The example continues the one before it.
            (" and", Some(example)) => example.push_str(text),
            ("", _) => examples.push(text.to_owned()),
            _ => panic!("a block of ```rules{kind}"),
        }
        check_example(&examples);
    }
    assert!(examples.len() >= 3, "only {} examples", examples.len());
}

/// Compiles the last example, and the one of its base before it.
fn check_example(examples: &[String]) {
    let sources: Vec<Source> = examples
        .iter()
        .map(|example| Source::from_text("language.md", &format!("promote::rules! {{\n{example}}}")))
        .map(|source| source.expect("an example has tokens"))
        .collect();
    let mut chain: Vec<Source> = sources.last().cloned().into_iter().collect();
    while let Some(base) = chain.last().and_then(base_of) {
        let wanted = base.segments.last().map(|last| last.ident.to_string());
        chain.push(sources.iter().find(|source| name_of(source) == wanted).expect("the base").clone());
    }
    if let Err(errors) = compile(&chain) {
        let told: Vec<String> =
            errors.iter().map(|one| format!("{}: {}", one.span.start().line - 1, one.message)).collect();
        panic!("{}\nin\n{}", told.join("\n"), examples[examples.len() - 1]);
    }
}

/// The lists that are made of the catalogue of dtypes and ops: `PROMOTE_BLESS=1` writes them.
#[test]
fn its_lists_of_dtypes_and_ops_are_those_of_the_catalogue() {
    fn row(what: &str, names: impl Iterator<Item = &'static str>) -> String {
        format!("| {what} | `{}` |\n", names.collect::<Vec<_>>().join(" "))
    }
    let dtypes = |typed: bool| {
        let all = StandardDType::STANDARD.iter().filter(move |dtype| dtype.has_type() == typed);
        all.map(|dtype| dtype.name())
    };
    let ops = |arity: usize| {
        let all = StandardOp::STANDARD.iter().filter(move |op| op.info().arity == arity);
        all.map(|op| op.name())
    };
    let lists = [
        ("dtypes", [row("with a Rust type", dtypes(true)), row("in tables only", dtypes(false))]),
        ("ops", [row("of two operands", ops(2)), row("of one operand", ops(1))]),
    ];
    let mut page = REFERENCE.to_owned();
    for (name, rows) in lists {
        let start = format!("<!-- generated: {name} -->\n");
        let (before, rest) = page.split_once(&start).expect("the list has its place");
        let (_, after) = rest.split_once("<!-- end -->").expect("the list ends");
        page = format!("{before}{start}\n| | |\n| --- | --- |\n{}\n<!-- end -->{after}", rows.concat());
    }
    if std::env::var_os("PROMOTE_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/language.md");
        std::fs::write(path, page).expect("docs/language.md can be written");
        return;
    }
    assert!(page == REFERENCE, "run `PROMOTE_BLESS=1 cargo test -p promote-rules --test reference`");
}

#[test]
fn every_keyword_stands_in_it() {
    let others = [
        "when",
        "join",
        "above",
        "first_of",
        "stepwise",
        "by",
        "as",
        "refuse",
        "same",
        "extends",
        "crate",
        "real",
        "default",
        "kind",
        "bits",
        "in",
        "any",
        "unsigned",
        "signed",
        "commutative",
        "associative",
        "weak",
        "array",
        "value",
        "no_higher",
        "result",
        "common",
    ];
    let groups = include_str!("../src/prelude.rules").lines().filter_map(|line| line.strip_prefix("let "));
    let groups = groups.filter_map(|line| line.split(' ').next());
    let words = DECLARATIONS
        .into_iter()
        .chain(groups)
        .chain(others)
        .chain(Category::ALL.map(Category::name))
        .chain(Casting::ALL.iter().map(|casting| casting.name()))
        .chain(
            StandardOp::STANDARD
                .iter()
                .map(|op| op.info())
                .flat_map(OpInfo::options)
                .flat_map(|option| option.values.iter().map(|value| value.0).chain([option.name])),
        );
    // In code only: many of these are words of English.
    let code: Vec<&str> = REFERENCE.split('`').skip(1).step_by(2).collect();
    for word in words {
        let mut words =
            code.iter().flat_map(|code| code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')));
        let stands = words.any(|found| found == word);
        assert!(stands, "the reference does not mention `{word}`");
    }
}
