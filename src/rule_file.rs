//! Rule sets from rule files that a program reads while it runs.
//!
//! [`rules!`](crate::rules) compiles a rule file with the program, to types and tables. This module compiles
//! one to tables alone, with the kernels of this build, and without rustc. It needs the feature `rule-files`.
//!
//! Rust paths in the file, as in `dtype q16: fixed 32 = crate::Q16`, are ignored: such dtypes and ops exist
//! in tables only, and `kernels ..;` compiles nothing. A file may extend the bundled rule sets.
//!
//! ```
//! use promote::{DType, rule_file};
//!
//! let text = "promote::rules! {
//!     rules Mine extends Torch;
//!     promote { bool, bool => i8; }
//! }";
//! let mine = rule_file::compile("mine.rs", text)?;
//! assert_eq!(mine.promote_types(DType::Bool, DType::Bool)?, DType::I8);
//!
//! let error = rule_file::compile("mine.rs", "promote::rules! { rules Mine extends Torhc; }").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "mine.rs:1:38: the rule set `Torhc`, which this one extends, is not known; help: did you mean `Torch`?"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::ToOwned as _;
use std::boxed::Box;
use std::collections::HashMap;
use std::format;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::string::String;
use std::sync::{Mutex, PoisonError};
use std::vec::Vec;
use std::{error, fmt};

use promote_rules::diag::Errors;
use promote_rules::source::Source;
use promote_rules::{BaseError, Compiled, MAX_BASES, MAX_BYTES, bundled, data, unknown_base, with_bases};

use crate::__private::rule_set_of;
use crate::RuleSet;

/// An error of a rule file.
#[derive(Debug)]
#[non_exhaustive]
pub enum RuleFileError {
    /// The file cannot be read.
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The rules have at least one mistake.
    Mistakes(Vec<RuleMistake>),
}

/// A mistake in a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleMistake {
    /// The file: the one that was compiled, or a bundled one that it extends.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The message: lower case, without a full stop.
    pub message: String,
    /// The help: what to write instead.
    pub help: Option<String>,
}

impl fmt::Display for RuleMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; help: {help}"))
    }
}

impl fmt::Display for RuleFileError {
    /// Writes a line for each mistake.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleFileError::Io { path, source } => {
                write!(f, "cannot read the rule file `{}`: {source}", path.display())
            }
            RuleFileError::Mistakes(mistakes) => mistakes
                .iter()
                .enumerate()
                .try_for_each(|(i, mistake)| write!(f, "{}{mistake}", if i > 0 { "\n" } else { "" })),
        }
    }
}

impl error::Error for RuleFileError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            RuleFileError::Io { source, .. } => Some(source),
            RuleFileError::Mistakes(_) => None,
        }
    }
}

/// Reads and compiles a rule file.
///
/// # Errors
///
/// Returns an error if the file cannot be read, has more than 1,048,576 bytes or is not UTF-8, and the errors
/// of [`compile`].
pub fn read(path: impl AsRef<Path>) -> Result<RuleSet, RuleFileError> {
    let path = path.as_ref();
    compile(&path.to_string_lossy(), &text(path)?)
}

/// Reads the text of a rule file, for programs that send it elsewhere or compare it.
///
/// # Errors
///
/// Returns an error if the file cannot be read, has more than 1,048,576 bytes or is not UTF-8.
pub fn text(path: impl AsRef<Path>) -> Result<String, RuleFileError> {
    let path = path.as_ref();
    let read = || {
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > MAX_BYTES {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, too_long()));
        }
        String::from_utf8(bytes)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
    };
    read().map_err(|source| RuleFileError::Io { path: path.to_owned(), source })
}

fn too_long() -> String {
    format!("the file is longer than {MAX_BYTES} bytes")
}

/// Compiles the text of a rule file. `file` is its name in messages and in explanations.
///
/// The file may extend any bundled rule set, whether or not its feature is on. The rule set lives as long as
/// the program: its memory is never freed. If a text is compiled again under one name, the rule set of the
/// first call is returned.
///
/// # Errors
///
/// Returns all mistakes of the first phase that finds any: of syntax, of names, of rules that leave a pair
/// without an answer. A text of more than 1,048,576 bytes is a mistake.
pub fn compile(file: &str, text: &str) -> Result<RuleSet, RuleFileError> {
    /// The rule sets by the text, and then by the name of the file.
    static COMPILED: Mutex<Option<HashMap<String, HashMap<String, RuleSet>>>> = Mutex::new(None);
    let lock = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let find = |known: &HashMap<String, HashMap<String, RuleSet>>| known.get(text)?.get(file).copied();
    if let Some(rules) = lock().as_ref().and_then(find) {
        return Ok(rules);
    }
    // Other texts are found meanwhile.
    let compiled = compiled(file, text).map_err(RuleFileError::Mistakes)?;
    let mut known = lock();
    let files = known.get_or_insert_default().entry(text.to_owned()).or_default();
    Ok(*files
        .entry(file.to_owned())
        .or_insert_with(|| rule_set_of(data::leaked(Box::leak(Box::new(compiled))))))
}

fn compiled(file: &str, text: &str) -> Result<Compiled, Vec<RuleMistake>> {
    let whole = |message| RuleMistake { file: file.to_owned(), line: 1, column: 1, message, help: None };
    if text.len() > MAX_BYTES {
        return Err(Vec::from([whole(too_long())]));
    }
    let mut files = Files::default();
    // The lexer skips a byte order mark, and its positions do not count it.
    let source = Source::from_text(file, text.strip_prefix('\u{feff}').unwrap_or(text));
    let source = source.map_err(|errors| files.mistakes(file, &errors))?;
    let sources = with_bases(source, bundled::sources().inspect(|bundled| files.add(bundled)));
    let sources = sources.map_err(|error| match error {
        BaseError::Unknown { base, known } => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let all = format!("the bundled rule sets are {}", known.join(", "));
            files.mistakes(file, &unknown_base(&base, &known, all))
        }
        BaseError::TooMany => {
            Vec::from([whole(format!("the rule set extends more than {MAX_BASES} others"))])
        }
    })?;
    promote_rules::compile(&sources).map_err(|errors| files.mistakes(file, &errors))
}

/// The bundled files that have been read, by the lexer's names, to which positions belong.
#[derive(Default)]
struct Files(Vec<(String, String)>);

impl Files {
    fn add(&mut self, source: &Source) {
        if let Some(first) = source.tokens.clone().into_iter().next() {
            self.0.push((first.span().file(), source.file.clone()));
        }
    }

    /// Returns mistakes as data. Those in none of these files are in `file`.
    fn mistakes(&self, file: &str, errors: &Errors) -> Vec<RuleMistake> {
        let mistake = |one: &promote_rules::diag::Diagnostic| {
            let (at, lexed) = (one.span.start(), one.span.file());
            let file = self.0.iter().find(|known| known.0 == lexed).map_or(file, |known| &known.1);
            RuleMistake {
                file: file.to_owned(),
                line: at.line,
                column: at.column + 1,
                message: one.message.clone(),
                help: one.help.clone(),
            }
        };
        errors.iter().map(mistake).collect()
    }
}
