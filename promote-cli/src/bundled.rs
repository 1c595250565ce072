//! From what stands for a rule set on the command line to its tables.

use std::io::Read as _;

use promote::RuleSet;
use promote_rules::source::Source;
use promote_rules::{Compiled, compile};

use crate::failure::{Failure, listed};
use crate::{files, load, report};

/// The bundled rule files: name, file, text.
pub const BUNDLED: &[(&str, &str, &str)] =
    &[("torch", "rules/torch.rs", include_str!("../../rules/torch.rs"))];

/// The longest rule file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// A rule set as the libraries know it.
#[derive(Debug)]
pub struct Loaded {
    /// The checked rules, and the tables made of them.
    pub compiled: Compiled,
    /// The same at run time, under the parameters asked for.
    pub rules: RuleSet,
    /// The position of the setting of these parameters.
    pub setting: u16,
}

/// A parameter and its value, as `--set` has them.
#[derive(Clone, Debug)]
pub struct Assignment {
    param: String,
    value: String,
}

impl std::str::FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((param, value)) if !param.is_empty() && !value.is_empty() => {
                Ok(Assignment { param: param.trim().to_owned(), value: value.trim().to_owned() })
            }
            _ => Err("write PARAM=VALUE".to_owned()),
        }
    }
}

/// The rule set of a bundled name or a path, under the parameters given.
///
/// # Errors
/// There is no such rule set, its file has mistakes, or it has no such parameter or value.
pub fn load(name: &str, set: &[Assignment]) -> Result<Loaded, Failure> {
    let compiled = read(name)?;
    let rules = load::rule_set(&compiled).map_err(|ops| {
        Failure::new(format!("this build has no kernels for {}", listed(ops.iter().map(String::as_str))))
    })?;
    let mut setting = rules.tables().default_setting();
    for Assignment { param, value } in set {
        let Some(known) = rules.tables().params.iter().find(|known| known.name == param) else {
            let names = listed(rules.tables().params.iter().map(|param| param.name));
            return Err(Failure::new(format!("{} has no parameter `{param}`", rules.name()))
                .help(format!("its parameters: {names}")));
        };
        setting = rules.tables().with(setting, param, value).ok_or_else(|| {
            Failure::new(format!("the parameter `{param}` of {} cannot be `{value}`", rules.name()))
                .help(format!("its values: {}", listed(known.values.iter().copied())))
        })?;
    }
    let rules = RuleSet::at(rules.tables(), setting).with_kernels(promote::__private::KERNELS);
    Ok(Loaded { compiled, rules, setting })
}

/// The checked rules of a bundled name or a path.
///
/// # Errors
/// There is no such file, or it has mistakes: all of them, with their places.
pub fn read(name: &str) -> Result<Compiled, Failure> {
    let (file, text) = match BUNDLED.iter().find(|bundled| bundled.0 == name) {
        Some((_, file, text)) => ((*file).to_owned(), (*text).to_owned()),
        None => (name.to_owned(), text(name)?),
    };
    // The lexer skips a byte order mark, and counts its places from behind it.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let source = Source::from_text(&file, text).map_err(|errors| report::mistakes(&file, text, &errors))?;
    compile(&source).map_err(|errors| report::mistakes(&file, text, &errors))
}

fn text(path: &str) -> Result<String, Failure> {
    let names =
        || format!("a rule set is a path to a rule file or one of {}", listed(BUNDLED.iter().map(|b| b.0)));
    let bad = |why: String| Failure::new(format!("cannot read the rule file `{path}`: {why}")).help(names());
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let message = format!("there is no rule set `{path}`, neither a bundled one nor a file");
            return Err(Failure::new(message).help(names()));
        }
        Err(error) => return Err(bad(files::reason(&error))),
    };
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| bad(files::reason(&error)))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(bad(format!("it is longer than {MAX_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| bad("it is not UTF-8 text".to_owned()))
}
