//! The answer of a command: its title and its text.

/// The answer of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// One line that says what the answer is about, for when it is written to a file.
    pub title: String,
    /// The text for standard output or the file.
    pub text: String,
}

impl Answer {
    /// Creates an answer with a title of its own.
    pub fn new(title: impl Into<String>, text: impl Into<String>) -> Answer {
        Answer { title: title.into(), text: text.into() }
    }
}
