//! The options `--format` and `-o`, and writing an answer to a file.

use std::path::{Path, PathBuf};

use crate::answer::Answer;
use crate::failure::Failure;
use crate::{replace, system, terminal};

/// The forms of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Sentences
    #[default]
    Text,
    /// JSON, for programs
    Json,
}

/// The options `--format`, whose values are those of `F`, and `-o`.
#[derive(Clone, Debug, clap::Args)]
pub struct AnswerArgs<F: clap::ValueEnum + Default + Send + Sync + 'static = Format> {
    /// The form of the answer
    #[arg(long, value_enum, default_value_t)]
    pub format: F,
    #[command(flatten)]
    output: OutputArgs,
}

/// The option `-o`.
#[derive(Clone, Debug, clap::Args)]
pub struct OutputArgs {
    /// Write the answer to this file instead of standard output (`-`)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// Returns the file that gets the answer, or `None` for standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !system::is_stream(path))
    }
}

impl<F: clap::ValueEnum + Default + Into<Form> + Copy + Send + Sync> AnswerArgs<F> {
    /// Returns the file that gets the answer, or `None` for standard output, and the kind of text.
    pub(crate) fn destination(&self) -> (Option<&Path>, Form) {
        (self.output.file(), self.format.into())
    }
}

/// Writes an answer to a file, and returns the line that standard output shows instead.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub(crate) fn write(answer: &Answer, file: &Path) -> Result<String, Failure> {
    replace::replace(file, terminal::lines(&answer.text).as_bytes())?;
    let file = file.display().to_string();
    Ok(format!("{}: {}\n", terminal::line(&file), answer.title))
}

/// The kind of text that a command writes to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
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
