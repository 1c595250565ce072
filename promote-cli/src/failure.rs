//! Why a command did not do what it was asked: one clear sentence, and what to do about it.

use std::fmt;

use crate::terminal;

/// A refusal.
#[derive(Clone, Debug)]
pub struct Failure {
    message: String,
    help: Option<String>,
    /// The message is a whole report already.
    report: bool,
    stdout: Option<String>,
    /// Standard output comes after the message.
    first: bool,
    /// The mistakes of a rule file, of which the message is the report.
    mistakes: Vec<Mistake>,
}

/// A mistake in a rule file, for a program.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// The rule file.
    pub file: String,
    /// The line, counted from 1; absent if the file could not be read.
    pub line: Option<usize>,
    /// The column in characters, counted from 1.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Failure {
    /// A sentence: lower case, names in backticks, no full stop.
    pub fn new(message: impl Into<String>) -> Failure {
        Failure {
            message: message.into(),
            help: None,
            report: false,
            stdout: None,
            first: false,
            mistakes: Vec::new(),
        }
    }

    /// An error of the library, which may say what to do behind `; help: `.
    fn of_library(error: &dyn fmt::Display) -> Failure {
        let text = error.to_string();
        match text.rsplit_once("; help: ") {
            Some((message, help)) => Failure::new(message).help(help),
            None => Failure::new(text),
        }
    }

    /// Text of several lines that says all itself.
    pub fn report(text: impl Into<String>) -> Failure {
        Failure { report: true, ..Failure::new(text) }
    }

    /// A report of the mistakes of a rule file.
    pub fn mistakes(text: impl Into<String>, mistakes: Vec<Mistake>) -> Failure {
        Failure { mistakes, ..Failure::report(text) }
    }

    /// The mistakes of the rule file `file`, whose check failed: if it could not be read, that alone.
    pub fn into_mistakes(self, file: &str) -> Vec<Mistake> {
        if !self.mistakes.is_empty() {
            return self.mistakes;
        }
        let (message, help) = (self.message, self.help);
        vec![Mistake { file: file.to_owned(), line: None, column: None, message, help }]
    }

    /// The same with what to do instead.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Failure {
        Failure { help: Some(help.into()), ..self }
    }

    /// The same said of something: `message` becomes `of: message`.
    #[must_use]
    pub fn of(self, of: &str) -> Failure {
        Failure { message: format!("{of}: {}", self.message), ..self }
    }

    /// The same with what a program that reads standard output is to see.
    #[must_use]
    pub fn with_stdout(self, text: impl Into<String>) -> Failure {
        Failure { stdout: Some(text.into()), ..self }
    }

    /// The same, told before what standard output sees.
    #[must_use]
    pub fn first(self) -> Failure {
        Failure { first: true, ..self }
    }

    /// Whether it is told before what standard output sees.
    pub fn is_first(&self) -> bool {
        self.first
    }

    /// The text for standard error, in colours if they are shown there.
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

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What a program that reads standard output is to see.
    pub fn stdout(&self) -> Option<&str> {
        self.stdout.as_deref()
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

/// A list as a sentence has it: the first few in backticks, and how many more.
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
