//! The layers of the modules, as the paths in `src` show them. ARCHITECTURE.md draws them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The modules of the crate. Each uses modules in rows above its own, and no others.
const LAYERS: &str = "each error level; formats math; element; types; convert memory; custom number; ops; op; \
                      lanes refused sum; kernel; rule_set; casting dispatch";

/// The most files that may use one another in a circle.
const CIRCLE: usize = 5;

/// The module that re-exports items of all layers for other crates.
const PRIVATE: &str = "crate::__private";

/// Stands for `::`.
const SEPARATOR: &str = "\0";

/// The path of each module, with the paths that it uses and those that it re-exports.
type Modules = BTreeMap<String, [BTreeSet<String>; 2]>;

fn of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn parent(module: &str) -> &str {
    module.rsplit_once("::").map_or("", |(parent, _)| parent)
}

/// Reads the modules in a folder. Those called `tests` may use everything.
fn read(modules: &mut Modules, folder: &Path, module: &str) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.file_stem().unwrap().to_str().unwrap() {
            name if path.is_dir() => read(modules, &path, &format!("{module}::{name}")),
            "lib" => add(modules, module, &fs::read_to_string(&path).unwrap()),
            "tests" => {}
            name => add(modules, &format!("{module}::{name}"), &fs::read_to_string(&path).unwrap()),
        }
    }
}

/// Adds the paths in a module's text that begin with `crate`, `self`, `super` or a module declared there.
fn add(modules: &mut Modules, module: &str, text: &str) {
    let lines = text.split("#[cfg(test)]\nmod tests").next().unwrap().lines();
    let code: String = lines.map(|line| line.split("//").next().unwrap().to_owned() + " ").collect();
    let words: Vec<&str> = code.split(|c| !of_name(c)).collect();
    let [uses, exports] = modules.entry(module.to_owned()).or_default();
    for statement in code.replace("::", SEPARATOR).split_inclusive(';') {
        let (before, _) = statement.rsplit_once("use ").unwrap_or((statement, ""));
        let exported = before.trim_end().ends_with("pub") || before.trim_end().ends_with(')');
        for (at, _) in statement.match_indices(SEPARATOR) {
            let start = statement[..at].trim_end_matches(of_name);
            let in_macro = start.ends_with('$');
            let first = match &statement[start.len()..at] {
                _ if start.ends_with(SEPARATOR) => continue,
                // `$crate::$name` may be anything.
                "crate" if in_macro && !statement[at + 1..].starts_with('$') => "crate".to_owned(),
                _ if in_macro => continue,
                "crate" => "crate".to_owned(),
                "self" => module.to_owned(),
                "super" => parent(module).to_owned(),
                name if code.contains(&format!("mod {name};")) => format!("{module}::{name}"),
                _ => continue,
            };
            let mut paths = BTreeSet::new();
            tree(&first, &statement[at + 1..], &mut paths);
            if in_macro {
                // Macros for other crates have to name items by this module, which only re-exports them.
                paths = paths.iter().map(|path| path.replacen(PRIVATE, "crate", 1)).collect();
            }
            if exported && at > before.len() {
                exports.extend(paths.iter().cloned());
                // A name that occurs again is not only re-exported.
                paths.retain(|path| {
                    words.iter().filter(|word| path.ends_with(&format!("::{word}"))).count() > 1
                });
            }
            uses.extend(paths);
        }
    }
}

/// Adds the paths of a tree such as `a::{b, super::c}`, and returns the text behind it.
fn tree<'text>(before: &str, text: &'text str, paths: &mut BTreeSet<String>) -> &'text str {
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches(|c| !of_name(c) && c != '{' && c != '}');
            match rest.strip_prefix('}') {
                Some(behind) => return behind,
                None => rest = tree(before, rest, paths),
            }
        }
    }
    let behind = text.trim_start_matches(of_name);
    let path = match &text[..text.len() - behind.len()] {
        "self" => before.to_owned(),
        "super" => parent(before).to_owned(),
        name => format!("{before}::{name}"),
    };
    if let Some(rest) = behind.strip_prefix(SEPARATOR) {
        return tree(&path, rest, paths);
    }
    paths.insert(path);
    behind
}

/// Returns the module in which the item at a path is.
fn home<'a>(modules: &'a Modules, path: &str) -> &'a str {
    let mut module = std::iter::successors(Some(path), |path| Some(parent(path)));
    let (module, [_, exports]) = module.find_map(|path| modules.get_key_value(path)).unwrap();
    let name = path[module.len()..].split("::").nth(1);
    let from = name.and_then(|name| exports.iter().find(|from| from.ends_with(&format!("::{name}"))));
    from.filter(|from| *from != path).map_or(module, |from| home(modules, from))
}

/// Returns the arrows against the layers, uses of the module for other crates, and circles of too many
/// files.
fn mistakes(modules: &Modules) -> Vec<String> {
    // The root only re-exports.
    let used = |module: &str| {
        modules[module][0].iter().map(|path| home(modules, path)).filter(|module| *module != "crate")
    };
    let top = |module: &str| module.split("::").nth(1).unwrap_or_default().to_owned();
    let row = |module| LAYERS.split("; ").position(|row| row.split(' ').any(|name| name == top(module)));
    let (mut mistakes, mut reached) = (Vec::new(), BTreeMap::<_, BTreeSet<_>>::new());
    for from in modules.keys().map(String::as_str).filter(|module| *module != "crate") {
        let against = used(from).filter(|to| top(to) != top(from) && row(to) >= row(from));
        mistakes.extend(against.map(|to| format!("`{from}` uses `{to}`")));
        let private = modules[from][0].iter().filter(|path| path.starts_with(PRIVATE));
        mistakes.extend(private.map(|path| format!("`{from}` uses `{path}`")));
        let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(next) = left.pop() {
            left.extend(used(next).filter(|to| seen.insert(*to)));
        }
        reached.insert(from, seen);
    }
    for (from, to) in &reached {
        let circle: Vec<_> = to.iter().filter(|to| reached[*to].contains(from)).collect();
        if circle.len() > CIRCLE && circle[0] == from {
            mistakes.push(format!("a circle of {circle:?}"));
        }
    }
    mistakes
}

fn of_this_crate() -> Modules {
    let mut modules = Modules::new();
    read(&mut modules, &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "crate");
    modules
}

#[test]
fn modules_use_lower_layers_only() {
    assert_eq!(mistakes(&of_this_crate()), Vec::<String>::new());
}

#[test]
fn arrows_against_the_layers_are_found() {
    for (module, text, to) in [
        ("memory::slice", "use crate::kernel::Kernel;", "kernel::handle"),
        ("level", "fn best() { crate::kernel::per_level::PerLevel::EMPTY }", "kernel::per_level"),
        ("convert::int", "use super::super::{each, dispatch::{call::Call}};", "dispatch::call"),
        ("formats::half", "use crate::Element;", "element"),
        ("ops::real", "macro_rules! x { () => { $crate::rule_set::RuleSet::new() } }", "rule_set"),
        ("types", "macro_rules! x { () => { $crate::__private::kernel::Each } }", "kernel::map"),
        ("types", "macro_rules! x { () => { $crate::__private::lanes::ScalarInput } }", "lanes"),
        ("memory::slice", "fn new() -> crate::__private::kernel::Loop {}", "__private::kernel::Loop"),
        ("memory::slice", "use crate::{Element, __private::Lanes};", "__private::Lanes"),
    ] {
        let mut modules = of_this_crate();
        add(&mut modules, &format!("crate::{module}"), text);
        assert!(mistakes(&modules).contains(&format!("`crate::{module}` uses `crate::{to}`")), "{module}");
    }
}

#[test]
fn circles_of_many_files_are_found() {
    let mut modules = of_this_crate();
    for i in 0..=CIRCLE {
        let next = (i + 1) % (CIRCLE + 1);
        add(&mut modules, &format!("crate::math::ring{i}"), &format!("use super::ring{next}::x;"));
    }
    assert!(mistakes(&modules)[0].starts_with("a circle of [\"crate::math::ring0\""));
}
