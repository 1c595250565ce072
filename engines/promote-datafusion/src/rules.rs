//! Rule sets by name, and of rule files.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use bumpalo::Bump;
use datafusion_common::{DataFusionError, Result};
use include_dir::{Dir, include_dir};
use promote::__private::{KERNELS, Tables};
use promote::{CustomDType, CustomOp, RULE_SETS, RuleSet};
use promote_rules::diag::{Errors, did_you_mean};
use promote_rules::source::Source;
use promote_rules::{Compiled, base_of, compile, data, name_of};

/// The bundled rule files, which rule files of users may extend.
static BUNDLED: Dir = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// The longest rule file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The largest number of rule sets that one extends, directly or not.
const MAX_CHAIN: usize = 16;

/// A rule set with a name that names of functions begin with.
#[derive(Clone)]
pub(crate) struct Rules {
    name: Arc<str>,
    set: RuleSet,
    /// The rule file; `None` for a bundled rule set.
    file: Option<Arc<RuleFile>>,
}

/// A rule file that was read.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct RuleFile {
    /// The path that messages name.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Rules {
    /// Returns the bundled rule set with this name, or else that of the rule file at this path.
    pub(crate) fn find(name: &str) -> Result<Rules> {
        if let Some(set) = promote::rule_set(name) {
            return Ok(Rules { name: in_functions(name).into(), set, file: None });
        }
        let path = std::path::Path::new(name);
        if !path.is_file() {
            let known = RULE_SETS.iter().copied().chain(["off"]);
            let near = did_you_mean(&in_functions(name).replace('_', "-"), known);
            return Err(bad(format!(
                "there is no rule set `{name}`: this build has none of this name, and there is no such file; \
                 help: {}the rule sets of this build are {}; `off` stands for DataFusion's own rules",
                near.map_or_else(String::new, |near| format!("{near} ")),
                RULE_SETS.join(", ")
            )));
        }
        Rules::of_file(RuleFile {
            path: name.to_owned(),
            text: read(name).map_err(|why| unusable(name, &why))?,
        })
    }

    /// Returns the rule set of a rule file, from its text: its path is not read.
    pub(crate) fn of_file(file: RuleFile) -> Result<Rules> {
        let file = Arc::new(file);
        let set = rule_set_of(&file).map_err(|why| unusable(&file.path, &why))?;
        let functions = in_functions(set.name());
        if RULE_SETS.iter().any(|bundled| in_functions(bundled) == functions) {
            return Err(bad(format!(
                "the rule set of `{}` has the name of a bundled one, `{}`, and so would its functions; help: give \
                 it another name",
                file.path,
                set.name()
            )));
        }
        Ok(Rules { name: functions.into(), set, file: Some(file) })
    }

    /// Returns the bundled rule set whose functions begin with a name, such as `tensorflow_numpy`.
    pub(crate) fn of_functions(name: &str) -> Option<Rules> {
        let plain = name.split('[').next()?;
        let bundled = RULE_SETS.iter().find(|bundled| in_functions(bundled) == plain)?;
        Rules::find(bundled).ok()?.with_name(name)
    }

    /// Returns the rule set with the parameters in a name that functions begin with, such as
    /// `torch[default_dtype=f64]`; `None` if it is the name of another rule set.
    pub(crate) fn with_name(&self, name: &str) -> Option<Rules> {
        let (plain, parameters) = match name.strip_suffix(']') {
            Some(name) => name.split_once('[')?,
            None => (name, ""),
        };
        if plain == self.name() { self.with(parameters).ok() } else { None }
    }

    /// Returns the rule set with parameters, written as `name=value` and separated by commas.
    pub(crate) fn with(&self, parameters: &str) -> Result<Rules> {
        let mut rules = self.clone();
        let mut written = Vec::new();
        for assignment in parameters.split(',').map(str::trim).filter(|assignment| !assignment.is_empty()) {
            let (name, value) =
                assignment.split_once('=').map(|(name, value)| (name.trim(), value.trim())).ok_or_else(
                    || bad(format!("`{assignment}` is no parameter; help: write `name=value`")),
                )?;
            rules.set = rules.set.with(name, value).ok_or_else(|| {
                let params = rules.set.tables().params.iter();
                let known: Vec<String> =
                    params.map(|param| format!("{}={}", param.name, param.values.join("|"))).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                bad(format!(
                    "{} has no parameter `{name}` with a value `{value}`; help: its parameters: {known}",
                    rules.set.name()
                ))
            })?;
            written.push(format!("{name}={value}"));
        }
        if !written.is_empty() {
            rules.name = format!("{}[{}]", self.name, written.join(",")).into();
        }
        Ok(rules)
    }

    /// Returns the name that names of functions begin with.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the rule set.
    pub(crate) fn set(&self) -> &RuleSet {
        &self.set
    }

    /// Returns the rule file; `None` for a bundled rule set.
    pub(crate) fn file(&self) -> Option<&RuleFile> {
        self.file.as_deref()
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.name == other.name && self.set == other.set
    }
}

impl Eq for Rules {}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Returns the names of the bundled rule sets of this build, as names of functions have them.
pub(crate) fn bundled() -> impl Iterator<Item = Rules> {
    RULE_SETS.iter().filter_map(|name| Rules::find(name).ok())
}

pub(crate) fn bad(message: String) -> DataFusionError {
    DataFusionError::Configuration(message)
}

fn in_functions(name: &str) -> String {
    name.to_lowercase().replace('-', "_")
}

fn unusable(path: &str, why: &str) -> DataFusionError {
    bad(format!("cannot use the rule file `{path}`: {why}"))
}

/// Reads the text of a rule file.
fn read(path: &str) -> std::result::Result<String, String> {
    let length = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if length > MAX_BYTES {
        return Err(too_long());
    }
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

fn too_long() -> String {
    format!("it is longer than {MAX_BYTES} bytes")
}

/// Returns the rule set of a rule file.
///
/// Run-time rule sets live as long as the program. A file is compiled again only if its text has changed.
fn rule_set_of(file: &Arc<RuleFile>) -> std::result::Result<RuleSet, String> {
    static COMPILED: Mutex<Option<HashMap<Arc<RuleFile>, RuleSet>>> = Mutex::new(None);
    if file.text.len() as u64 > MAX_BYTES {
        return Err(too_long());
    }
    let mut known = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(set) = known.get(file) {
        return Ok(*set);
    }
    let set = rule_set(compiled(&file.path, &file.text)?);
    known.insert(Arc::clone(file), set);
    Ok(set)
}

/// Compiles a rule file with the bundled rule files that it extends.
fn compiled(path: &str, text: &str) -> std::result::Result<Compiled, String> {
    let shown = |errors: Errors| mistakes(path, &errors);
    let mut sources = vec![Source::from_text(path, text.trim_start_matches('\u{feff}')).map_err(shown)?];
    while let Some(base) = sources.last().and_then(base_of) {
        let wanted = base.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let bundled = BUNDLED.files().filter_map(|file| {
            Source::from_text(&format!("rules/{}", file.path().display()), file.contents_utf8()?).ok()
        });
        let bundled: Vec<Source> = bundled.collect();
        let names: Vec<String> = bundled.iter().filter_map(name_of).collect();
        let Some(found) = bundled.into_iter().find(|source| name_of(source).as_ref() == Some(&wanted)) else {
            return Err(format!(
                "it extends `{wanted}`, which is not bundled; help: the bundled rule sets are {}",
                names.join(", ")
            ));
        };
        if sources.len() >= MAX_CHAIN {
            return Err(format!("it extends more than {MAX_CHAIN} rule sets"));
        }
        sources.push(found);
    }
    compile(&sources).map_err(shown)
}

/// Writes all mistakes of a rule file, one a line.
fn mistakes(path: &str, errors: &Errors) -> String {
    let lines = errors.iter().map(|mistake| {
        let at = mistake.span.start();
        let help = mistake.help.as_ref().map_or_else(String::new, |help| format!("; help: {help}"));
        format!("\n{path}:{}:{}: {}{help}", at.line, at.column + 1, mistake.message)
    });
    lines.collect()
}

/// Makes the run-time rule set of a compiled rule file, with the kernels of this build.
fn rule_set(compiled: Compiled) -> RuleSet {
    let compiled: &'static Compiled = Box::leak(Box::new(compiled));
    let arena: &'static Bump = Box::leak(Box::new(Bump::new()));
    let tables: &'static Tables = Box::leak(Box::new(data::encode(
        compiled,
        arena,
        |dtype| Box::leak(Box::new(CustomDType::new(&dtype.name, dtype.bits, 1))),
        |op| Box::leak(Box::new(CustomOp::named(&op.name))),
    )));
    RuleSet::new(tables).with_kernel_tables(KERNELS)
}
