//! The error of a command: one sentence that says what is wrong, and what to do about it.

use std::fmt;

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::terminal;

/// The error of a command.
#[derive(Clone, Debug)]
pub struct Failure {
    message: String,
    help: Option<String>,
    /// True if the message is a report of several lines, printed without a prefix.
    report: bool,
    /// The text for standard output.
    answer: Option<Box<Answer>>,
    /// True if the message is printed before the answer.
    first: bool,
    /// The mistakes of a rule file, of which the message is the report.
    mistakes: Vec<Mistake>,
}

/// A mistake in a rule file, as data.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// The rule file.
    pub file: String,
    /// The line, counted from 1; `None` if the file could not be read.
    pub line: Option<usize>,
    /// The column in characters, counted from 1; `None` if the file could not be read.
    pub column: Option<usize>,
    /// The sentence that says what is wrong.
    pub message: String,
    /// The sentence that says what to do about it.
    pub help: Option<String>,
}

impl Mistake {
    /// Returns the mistake as JSON.
    pub fn as_json(&self) -> Value {
        let Mistake { file, line, column, message, help } = self;
        json!({ "file": file, "line": line, "column": column, "message": message, "help": help })
    }
}

impl Failure {
    /// Creates an error from a sentence: lower case, names in backticks, no full stop.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            help: None,
            report: false,
            answer: None,
            first: false,
            mistakes: Vec::new(),
        }
    }

    /// Creates an error from one of the library, whose text may end in `; help: ` and a help text.
    fn of_library(error: &dyn fmt::Display) -> Failure {
        let text = error.to_string();
        match text.rsplit_once("; help: ") {
            Some((message, help)) => Failure::new(message).help(help),
            None => Failure::new(text),
        }
    }

    /// Creates an error from a report of several lines, which is printed as it is.
    pub fn report(text: impl Into<String>) -> Failure {
        Failure { report: true, ..Failure::new(text) }
    }

    /// Creates an error from a report of the mistakes in a rule file.
    pub fn mistakes(text: impl Into<String>, mistakes: Vec<Mistake>) -> Failure {
        Failure { mistakes, ..Failure::report(text) }
    }

    /// Returns the mistakes of the rule file `file`. If it could not be read, that is the only one.
    pub fn into_mistakes(self, file: &str) -> Vec<Mistake> {
        if !self.mistakes.is_empty() {
            return self.mistakes;
        }
        let (message, help) = (self.message, self.help);
        vec![Mistake { file: file.to_owned(), line: None, column: None, message, help }]
    }

    /// Sets the help text.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Failure {
        Failure { help: Some(help.into()), ..self }
    }

    /// Puts the subject of the error before its message: `subject: message`.
    #[must_use]
    pub fn of(self, subject: &str) -> Failure {
        Failure { message: format!("{subject}: {}", self.message), ..self }
    }

    /// Adds a text that is written to standard output in spite of the error.
    #[must_use]
    pub fn with_answer(self, answer: Answer) -> Failure {
        Failure { answer: Some(Box::new(answer)), ..self }
    }

    /// Prints the message before the text for standard output, not after it.
    #[must_use]
    pub fn first(self) -> Failure {
        Failure { first: true, ..self }
    }

    /// Returns true if the message is printed before the text for standard output.
    pub fn is_first(&self) -> bool {
        self.first
    }

    /// Returns the text for standard error, in colours if they are shown there.
    pub fn styled(&self) -> String {
        if self.report || !terminal::shows_colours(&std::io::stderr()) {
            return self.to_string();
        }
        let error = terminal::painted(terminal::ERROR, "error:");
        let text = format!("{error} {}", terminal::line(&self.message));
        match &self.help {
            Some(help) => {
                format!("{text}\n{} {}", terminal::painted(terminal::HELP, "help:"), terminal::line(help))
            }
            None => text,
        }
    }

    /// Returns the sentence that says what is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the error as JSON: `error`, `help` and, if a rule file has mistakes, `mistakes`.
    pub fn as_json(&self) -> Value {
        match &self.mistakes[..] {
            [] => json!({ "error": self.message, "help": self.help }),
            [first, ..] => json!({
                "error": format!("{} in {}", counted(self.mistakes.len(), "mistake"), first.file),
                "help": Value::Null,
                "mistakes": self.mistakes.iter().map(Mistake::as_json).collect::<Vec<_>>(),
            }),
        }
    }

    /// Returns the text for standard output.
    pub fn answer(&self) -> Option<&Answer> {
        self.answer.as_deref()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.report {
            return f.write_str(&terminal::styled(&self.message));
        }
        write!(f, "error: {}", terminal::line(&self.message))?;
        match &self.help {
            Some(help) => write!(f, "\nhelp: {}", terminal::line(help)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

impl From<promote::PromoteError> for Failure {
    fn from(error: promote::PromoteError) -> Failure {
        Failure::of_library(&error)
    }
}

impl From<promote::Error> for Failure {
    fn from(error: promote::Error) -> Failure {
        Failure::of_library(&error)
    }
}

impl From<promote::CallError> for Failure {
    fn from(error: promote::CallError) -> Failure {
        promote::Error::from(error).into()
    }
}

impl From<promote::ViewError> for Failure {
    fn from(error: promote::ViewError) -> Failure {
        Failure::of_library(&error)
    }
}

/// Returns a number and a noun, in the plural unless the number is 1.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns names as a sentence lists them: the first few in backticks, and how many more there are.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 24;
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        return "none".to_owned();
    }
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
