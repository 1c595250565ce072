//! Rule sets by name, and of rule files.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion_common::{DataFusionError, Result};
use promote::rule_file::{self, RuleFileError};
use promote::{RULE_SETS, RuleSet};
use promote_rules::diag::did_you_mean;

/// A rule set with a name that names of functions begin with.
#[derive(Clone)]
pub(crate) struct Rules {
    name: Arc<str>,
    set: RuleSet,
    /// The rule file; `None` for a bundled rule set.
    file: Option<Arc<RuleFile>>,
}

/// A rule file that was read.
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
            text: rule_file::text(name).map_err(|error| unusable(name, &error))?,
        })
    }

    /// Returns the rule set of a rule file, from its text: its path is not read.
    pub(crate) fn of_file(file: RuleFile) -> Result<Rules> {
        let set = rule_file::compile(&file.path, &file.text).map_err(|error| unusable(&file.path, &error))?;
        let functions = in_functions(set.name());
        if RULE_SETS.iter().any(|bundled| in_functions(bundled) == functions) {
            return Err(bad(format!(
                "the rule set of `{}` has the name of a bundled one, `{}`, and so would its functions; help: give \
                 it another name",
                file.path,
                set.name()
            )));
        }
        Ok(Rules { name: functions.into(), set, file: Some(Arc::new(file)) })
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

fn unusable(path: &str, error: &RuleFileError) -> DataFusionError {
    bad(match error {
        RuleFileError::Mistakes(_) => format!("cannot use the rule file `{path}`:\n{error}"),
        _ => error.to_string(),
    })
}
