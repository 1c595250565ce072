//! Loads the rule set that an argument names: a bundled one, or a file.

use std::cell::RefCell;
use std::io::Read as _;

use promote::{DType, RuleSet};
use promote_rules::bundled::BUNDLED;
use promote_rules::source::Source;
use promote_rules::{BaseError, Compiled, MAX_BASES, MAX_BYTES, compile, data, unknown_base, with_bases};

use crate::failure::{Failure, listed};
use crate::names::{Names, NamesArgs};
use crate::report::Text;
use crate::suggest::{near, near_and_all, near_file, near_value};
use crate::{report, system};

/// A rule set that was loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The checked rules, and the tables made of them.
    pub compiled: &'static Compiled,
    /// The run-time rule set, with the parameters that were chosen.
    pub rules: RuleSet,
    /// The index of the setting that has these parameters.
    pub setting: u16,
    /// The comment at the head of the rule file, which names the system and its version.
    pub about: String,
    /// The name or the path by which the command line names it.
    pub said: String,
    /// The names by which dtypes are read and shown.
    pub names: Names,
    /// The dtypes of whose names a note has told that the system has another one.
    pub(crate) noted: RefCell<Vec<DType>>,
}

/// The option `--base`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct BaseArgs {
    /// A rule file that a named rule set extends
    #[arg(long = "base", value_name = "FILE")]
    files: Vec<String>,
}

/// The arguments that name a rule set.
#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// A bundled rule set, or the path of a rule file
    rules: String,
    #[command(flatten)]
    base: BaseArgs,
    #[command(flatten)]
    names: NamesArgs,
}

impl FileArgs {
    /// Names a rule set, the rule files that it extends, and the names that are used.
    pub fn new(rules: &str, base: &BaseArgs, names: &NamesArgs) -> FileArgs {
        FileArgs { rules: rules.to_owned(), base: base.clone(), names: names.clone() }
    }

    /// Loads the rule set with these parameters.
    ///
    /// # Errors
    /// Returns an error if there is no such rule set, if its file has mistakes, or if it has no such
    /// parameter or value.
    pub fn load(&self, set: &[Assignment]) -> Result<Loaded, Failure> {
        let (compiled, about) = read_with_head(&self.rules, &self.base.files)?;
        let compiled: &'static Compiled = Box::leak(Box::new(compiled));
        let rules = RuleSet::new(data::leaked(compiled));
        let setting = rules.tables().default_setting();
        let names = self.names.load(&self.base)?;
        let (said, noted) = (self.rules.clone(), RefCell::default());
        let mut loaded = Loaded { compiled, rules, setting, about, said, names, noted };
        for Assignment { param, value } in set {
            let Some(known) = rules.tables().params.iter().find(|known| known.name == param) else {
                let names: Vec<&str> = rules.tables().params.iter().map(|param| param.name).collect();
                return Err(Failure::new(format!("{} has no parameter `{param}`", rules.name())).help(
                    near_and_all(
                        param,
                        &names,
                        &format!("its parameters: {}", listed(names.iter().copied())),
                    ),
                ));
            };
            let chosen = loaded.find_value(known.values, value);
            let setting = chosen.and_then(|value| rules.tables().with(loaded.setting, param, value));
            loaded.setting = setting.ok_or_else(|| {
                let values: Vec<_> =
                    known.values.iter().map(|value| names.show_value(&rules, value)).collect();
                let values: Vec<&str> = values.iter().map(AsRef::as_ref).collect();
                let all = format!("its values: {}", listed(values.iter().copied()));
                Failure::new(format!("the parameter `{param}` of {} cannot be `{value}`", rules.name()))
                    .help(near_value(value, &values, &all))
            })?;
        }
        loaded.rules =
            RuleSet::at(rules.tables(), loaded.setting).with_kernel_tables(promote::__private::KERNELS);
        Ok(loaded)
    }
}

/// The arguments that name a rule set and its parameters.
#[derive(Debug, clap::Args)]
pub struct RulesArgs {
    #[command(flatten)]
    file: FileArgs,
    /// Give a parameter of the rule set another value than its default
    #[arg(long, value_name = "PARAM=VALUE")]
    set: Vec<Assignment>,
}

impl RulesArgs {
    /// Returns the rule set's name or path as it was given.
    pub(crate) fn name(&self) -> &str {
        &self.file.rules
    }

    /// Returns the arguments as words of a command line.
    pub(crate) fn words(&self) -> String {
        let bases = self.file.base.files.iter().map(|base| format!(" --base {base}"));
        let set = self.set.iter().map(|Assignment { param, value }| format!(" --set {param}={value}"));
        bases
            .chain([self.file.names.words()])
            .chain(set)
            .fold(self.file.rules.clone(), |words, word| words + &word)
    }

    /// Loads the rule set.
    ///
    /// # Errors
    /// Returns the errors of [`FileArgs::load`].
    pub fn load(&self) -> Result<Loaded, Failure> {
        self.file.load(&self.set)
    }
}

/// A parameter and its value, the argument of `--set`.
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

/// Reads and checks a rule set: the bundled one of this name, or a file. The sets that it extends are bundled
/// ones, or files among `bases`.
///
/// # Errors
/// Returns an error if there is no such file, or all mistakes in it with their positions.
pub fn read(name: &str, bases: &[String]) -> Result<Compiled, Failure> {
    read_with_head(name, bases).map(|(compiled, _)| compiled)
}

/// Reads and checks a rule set, and returns the comment at the head of its file, too.
fn read_with_head(name: &str, bases: &[String]) -> Result<(Compiled, String), Failure> {
    let mut texts = Vec::new();
    let file = source(name, &mut texts)?;
    // A file with mistakes is an error even if nothing extends it.
    let files = bases.iter().map(|base| source(base, &mut texts).map_err(|failure| failure.of("`--base`")));
    let files = files.collect::<Result<Vec<Source>, Failure>>()?;
    // The bundled files have no mistakes.
    let bundled = BUNDLED.iter().filter_map(|bundled| source(bundled.name, &mut texts).ok());
    let sources = with_bases(file, files.into_iter().chain(bundled)).map_err(|error| match error {
        BaseError::Unknown { base, known } => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let all = format!(
                "the known rule sets are {}; `--base FILE` adds another one",
                listed(known.iter().copied())
            );
            report::mistakes(&texts, &unknown_base(&base, &known, all))
        }
        BaseError::TooMany => {
            Failure::new(format!("`{name}` builds on more than {MAX_BASES} rule sets, or on itself"))
        }
    })?;
    let compiled = compile(&sources).map_err(|errors| report::mistakes(&texts, &errors))?;
    Ok((compiled, texts.first().map_or_else(String::new, |text| head(&text.text))))
}

/// Returns the first paragraph of the comment `//!` at the head of a file, on one line.
fn head(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Reads a rule file. Its text is kept for messages.
fn source(name: &str, texts: &mut Vec<Text>) -> Result<Source, Failure> {
    let (file, text) = match BUNDLED.iter().find(|bundled| bundled.name == name) {
        Some(bundled) => (bundled.file.to_owned(), bundled.text.to_owned()),
        None => (name.to_owned(), text(name)?),
    };
    // The lexer skips a byte order mark, and its positions do not count it.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
    let source = Source::from_text(&file, &text);
    let lexed = source.as_ref().ok().and_then(|source| source.tokens.clone().into_iter().next());
    let lexed = lexed.map(|first| first.span().file());
    texts.push(Text { file, text, lexed });
    source.map_err(|errors| report::mistakes(texts, &errors))
}

/// Returns true for the name of a file that is open already, as a shell writes it for `<(command)`.
fn is_descriptor(path: &str) -> bool {
    path == "/dev/stdin" || ["/dev/fd/", "/proc/self/fd/"].iter().any(|folder| path.starts_with(folder))
}

fn text(path: &str) -> Result<String, Failure> {
    let names = || {
        let bundled: Vec<&str> = BUNDLED.iter().map(|bundled| bundled.name).collect();
        let all =
            format!("a rule set is a path to a rule file or one of {}", listed(bundled.iter().copied()));
        // `TensorFlow_NumPy` and `PyTorch` count as misspelt, too.
        let plain = |name: &str| name.replace(['-', '_'], "").to_lowercase();
        match bundled.iter().find(|bundled| plain(bundled) == plain(path)) {
            Some(bundled) => format!("did you mean `{bundled}`?"),
            None => near_file(std::path::Path::new(path), &["rs", "rules"])
                .unwrap_or_else(|| near(&path.to_lowercase(), &bundled, &all)),
        }
    };
    let bad = |why: String| {
        Failure::new(format!("cannot read the rule file `{path}`: {why}"))
            .help(format!("a rule file is UTF-8 text of at most {MAX_BYTES} bytes, which you may read"))
    };
    // Opening a named pipe would wait for a writer, so the kind of file is checked first.
    match std::fs::metadata(path) {
        Ok(about) => match system::not_regular(&about) {
            Some(why) if about.is_dir() || !is_descriptor(path) => return Err(bad(why.to_owned())),
            _ => {}
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let message = format!("there is no rule set `{path}`: no bundled one has this name, and no file");
            return Err(Failure::new(message).help(names()));
        }
        Err(error) => return Err(bad(system::reason(&error))),
    }
    let file = std::fs::File::open(path).map_err(|error| bad(system::reason(&error)))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| bad(system::reason(&error)))?;
    if bytes.len() > MAX_BYTES {
        return Err(bad(format!("it is longer than {MAX_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| bad("it is not UTF-8 text".to_owned()))
}
