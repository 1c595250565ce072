//! Errors and kinds of files of the operating system, and the name of its standard streams.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;

/// The file name of standard input and standard output.
pub(crate) const STREAM: &str = "-";

/// Returns true for `-`, the name of a standard stream.
pub(crate) fn is_stream(path: impl AsRef<OsStr>) -> bool {
    path.as_ref() == STREAM
}

/// Returns an error text if a file is not a regular one.
pub(crate) fn not_regular(about: &Metadata) -> Option<&'static str> {
    match about {
        about if about.is_dir() => Some("it is a directory"),
        about if about.is_file() => None,
        _ => Some("it is not a regular file"),
    }
}

/// Returns the message of an error of the operating system, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}
