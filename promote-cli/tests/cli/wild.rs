//! The promotion tables of other crates, and the rule files that could stand in their place.
//!
//! A rule file equals the recorded answers of its crate, except for cells in which the system that the crate
//! follows gives the answer of the rule file. `docs/in-the-wild.md` lists these cells.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use promote::Operand;
use promote_cli::load::{BaseArgs, FileArgs, Loaded};
use promote_cli::names::NamesArgs;
use serde_json::Value;

use crate::repository;

/// The answer of a table for two dtypes; `-` if it has none.
type Cells = BTreeMap<(String, String), String>;

/// The system that a crate follows.
enum System {
    /// A bundled rule set.
    Bundled(&'static str),
    /// Recorded answers.
    Recorded(&'static str),
}

/// The crates: the name of the files, and the system that their documentation names.
const CRATES: [(&str, &str, System); 3] = [
    ("ferray", "NumPy", System::Bundled("ml-dtypes")),
    ("rstsr", "NumPy", System::Bundled("ml-dtypes")),
    ("mlx_rs", "MLX", System::Recorded("mlx")),
];

fn recorded(name: &str) -> Value {
    let path = repository(&format!("tests/data/in-the-wild/{name}.json"));
    serde_json::from_str(&fs::read_to_string(path).expect("the file")).expect("JSON")
}

/// Returns the cells of a recorded table: a row for each left operand, in the order of the columns.
fn cells(table: &Value) -> Cells {
    let rows = table.as_object().expect("rows");
    let mut cells = Cells::new();
    for (a, row) in rows {
        let words: Vec<&str> = row.as_str().expect("a row").split(' ').collect();
        assert_eq!(words.len(), rows.len(), "{a}");
        for (b, word) in rows.keys().zip(words) {
            cells.insert((a.clone(), b.clone()), word.to_owned());
        }
    }
    cells
}

fn load(name: &str) -> Loaded {
    FileArgs::new(name, &BaseArgs::default(), &NamesArgs::default())
        .load(&[])
        .unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

/// Returns the answer of a rule set; `None` if it lacks a dtype.
fn answer(loaded: &Loaded, (a, b): &(String, String)) -> Option<String> {
    let dtype = |name: &str| loaded.rules.tables().dtypes.iter().copied().find(|dtype| dtype.name() == name);
    let operands = [Operand::Array(dtype(a)?), Operand::Array(dtype(b)?)];
    let found = loaded.rules.explain(None, &operands);
    Some(found.map_or_else(|_| "-".to_owned(), |found| found.result.dtype.to_string()))
}

/// Compares the tables of a crate with its rule file, and returns the part of the page about it.
fn compare(name: &str, follows: &str, system: &System) -> String {
    let data = recorded(name);
    let file = format!("examples/in-the-wild/{name}.rs");
    let text = fs::read_to_string(repository(&file)).expect("the rule file");
    let rules = load(repository(&file).to_str().expect("UTF-8"));
    let about = |key: &str| data[key].as_str().expect("text");
    let first = cells(data["tables"].as_object().and_then(|all| all.values().next()).expect("a table"));
    let mut reference = match system {
        System::Bundled(name) => {
            let loaded = load(name);
            first.keys().filter_map(|pair| Some((pair.clone(), answer(&loaded, pair)?))).collect()
        }
        System::Recorded(name) => cells(&recorded(name)["tables"]["result_type"]),
    };
    // A dtype that the system lacks is the crate's own: its first table counts.
    for (pair, told) in first {
        reference.entry(pair).or_insert(told);
    }
    let mut page = format!(
        "`{}` {}, {}.\n`{}` has {} lines.\nThe [rule file](../{file}) has {}.\n\n\
         | table | cells | equal | corrected |\n| --- | --- | --- | --- |\n",
        about("crate"),
        about("version"),
        about("license"),
        about("file"),
        data["lines"],
        text.lines().count(),
    );
    let mut differences = String::new();
    for (table, rows) in data["tables"].as_object().expect("tables") {
        let theirs = cells(rows);
        // The second operands by the first one, for each two answers.
        let mut found: BTreeMap<(String, String), BTreeMap<String, Vec<String>>> = BTreeMap::new();
        let mut count = 0;
        for (pair, told) in &theirs {
            let ours = answer(&rules, pair).unwrap_or_else(|| panic!("{file} lacks a dtype of {pair:?}"));
            let (a, b) = pair;
            assert_eq!(
                theirs[&(b.clone(), a.clone())],
                *told,
                "{name}: {table} depends on the order of {pair:?}"
            );
            if ours == *told {
                continue;
            }
            let system = reference.get(pair);
            assert_eq!(
                system,
                Some(&ours),
                "{name}: {table} of {pair:?} is {told}, and {follows} differs from the rule file"
            );
            count += 1;
            if place(rows, a) <= place(rows, b) {
                found.entry((told.clone(), ours)).or_default().entry(a.clone()).or_default().push(b.clone());
            }
        }
        let _ = writeln!(page, "| `{table}` | {} | {} | {count} |", theirs.len(), theirs.len() - count);
        for ((told, ours), pairs) in found {
            let mut sharing: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
            for (a, mut others) in pairs {
                others.sort_by_key(|b| place(rows, b));
                sharing.entry(others).or_default().push(a);
            }
            for (others, mut these) in sharing {
                these.sort_by_key(|a| place(rows, a));
                let word = |word: &str| if word == "-" { "refused".to_owned() } else { word.to_owned() };
                let _ = writeln!(
                    differences,
                    "| `{table}` | {} with {} | {} | {} |",
                    these.join(", "),
                    others.join(", "),
                    word(&told),
                    word(&ours)
                );
            }
        }
    }
    if !differences.is_empty() {
        let _ = write!(
            page,
            "\n| table | operands, in either order | {} | rule file |\n| --- | --- | --- | --- |\n{differences}",
            about("crate")
        );
    }
    page
}

/// Returns the position of a dtype among the rows of a table.
fn place(rows: &Value, dtype: &str) -> Option<usize> {
    rows.as_object().and_then(|rows| rows.keys().position(|known| known == dtype))
}

/// `PROMOTE_BLESS=1` writes the parts of the page anew.
#[test]
fn rule_files_equal_or_correct_the_tables_of_other_crates() {
    let path = repository("docs/in-the-wild.md");
    let page = fs::read_to_string(&path).expect("the page");
    let mut written = page.clone();
    for (name, follows, system) in &CRATES {
        let (start, end) = (format!("<!-- generated: {name} -->\n"), "<!-- end -->");
        let at = written.find(&start).unwrap_or_else(|| panic!("the page has no `{start}`")) + start.len();
        let length = written[at..].find(end).expect("an end");
        written.replace_range(at..at + length, &format!("\n{}\n", compare(name, follows, system)));
    }
    if std::env::var_os("PROMOTE_BLESS").is_some() {
        fs::write(&path, &written).expect("the folder can be written");
    } else {
        assert!(page == written, "docs/in-the-wild.md differs: write it anew with PROMOTE_BLESS=1");
    }
}
