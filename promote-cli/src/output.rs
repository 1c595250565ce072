//! Where the text of a command goes, and in which form.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::{files, replace, terminal};

/// The forms of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Sentences
    Text,
    /// JSON, for programs
    Json,
}

/// The option `-o`.
#[derive(Clone, Debug, clap::Args)]
pub struct OutputArgs {
    /// Write the answer to this file instead of standard output (`-`)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// The file to write; `None` for standard output.
    pub fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !files::is_stream(path))
    }
}

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

    /// Writes the text to a file, and returns the line that standard output shows instead.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write_to(&self, file: &Path) -> Result<String, Failure> {
        replace::replace(file, &[terminal::lines(&self.text).as_bytes()])?;
        let file = file.display().to_string();
        Ok(format!("{}: {}\n", terminal::line(&file), self.title))
    }
}

/// The kind of text that a command writes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Text for a person, with a title in its first line.
    Titled,
    /// Text for a person.
    Text,
    /// JSON.
    Json,
    /// Another format for a program or a document.
    Other,
}

impl From<Format> for Form {
    fn from(format: Format) -> Form {
        match format {
            Format::Text => Form::Titled,
            Format::Json => Form::Json,
        }
    }
}
