//! Reads and writes arrays in files, whose extension names the format, and in the standard streams.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Cursor, ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use promote::DType;

use crate::array::Array;
use crate::failure::Failure;
use crate::suggest::near_file;
use crate::system::{STREAM, is_stream, not_regular, reason};
use crate::{memory, npy, npz, replace, tensors};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// NumPy's format of one array
    Npy,
    /// NumPy's format of named arrays
    Npz,
    /// The format of Hugging Face, of named arrays
    Safetensors,
}

impl Format {
    /// Returns the format of a file, by its extension.
    ///
    /// # Errors
    /// Returns an error if the file has another extension.
    pub fn of(path: &Path) -> Result<Format, Failure> {
        match path.extension().and_then(OsStr::to_str) {
            Some("npy") => Ok(Format::Npy),
            Some("npz") => Ok(Format::Npz),
            Some("safetensors") => Ok(Format::Safetensors),
            _ => Err(Failure::new(format!("the format of `{}` is not known", path.display()))
                .help("the extension names the format: `.npy`, `.npz` or `.safetensors`")),
        }
    }

    /// Checks that the format can hold arrays of a dtype.
    ///
    /// # Errors
    /// Returns an error if the format has no such dtype.
    pub fn takes(self, dtype: DType) -> Result<(), Failure> {
        match self {
            Format::Npy | Format::Npz => npy::type_string(dtype).map(|_| ()),
            Format::Safetensors => tensors::stored(dtype).map(|_| ()),
        }
    }

    /// Checks that one file can hold arrays of these names.
    ///
    /// # Errors
    /// Returns an error if the format holds one array only, if two names are equal, or if the format reserves
    /// a name.
    pub fn takes_names<'a>(self, names: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
        match self {
            Format::Npy => match names.into_iter().count() {
                1 => Ok(()),
                several => Err(Failure::new(format!("a `.npy` file holds one array, not {several}"))
                    .help("write to `.npz` or `.safetensors`, which hold any number of named arrays")),
            },
            Format::Npz | Format::Safetensors => tensors::check_names(names),
        }
    }
}

/// Returns the format of a file by its extension, or of a standard stream by `--format`.
fn format_of(path: &Path, stream: Option<Format>) -> Result<Format, Failure> {
    if !is_stream(path) {
        return Format::of(path);
    }
    stream.ok_or_else(|| {
        Failure::new("the format of `-` is not known, since it has no extension")
            .help("add `--format npy`, `--format npz` or `--format safetensors`")
    })
}

/// Splits `FILE:NAME` into a `.safetensors` or `.npz` file (or `-`) and the name of one of its arrays. The
/// name is optional.
pub fn split(text: &OsStr) -> (PathBuf, Option<&OsStr>) {
    if let Some(tensor) = text.to_str().and_then(|text| text.strip_prefix("-:")) {
        return (PathBuf::from(STREAM), Some(OsStr::new(tensor)));
    }
    let found = [".safetensors", ".npz"].into_iter().filter_map(|extension| {
        let (stem, name) = split_once(text, &format!("{extension}:"))?;
        Some((stem, extension, name))
    });
    // The name of an array may contain anything, so the first separator counts.
    match found.min_by_key(|(stem, ..)| stem.len()) {
        Some((stem, extension, name)) if !Path::new(text).is_file() => {
            let mut path = stem.to_owned();
            path.push(extension);
            (path.into(), Some(name))
        }
        _ => (PathBuf::from(text), None),
    }
}

/// Splits an argument at the first separator. The parts need not be UTF-8 text.
#[cfg(unix)]
pub fn split_once<'a>(text: &'a OsStr, mark: &str) -> Option<(&'a OsStr, &'a OsStr)> {
    use std::os::unix::ffi::OsStrExt as _;
    let (bytes, mark) = (text.as_bytes(), mark.as_bytes());
    let at = bytes.windows(mark.len()).position(|window| window == mark)?;
    Some((OsStr::from_bytes(&bytes[..at]), OsStr::from_bytes(&bytes[at + mark.len()..])))
}

/// Splits an argument at the first separator, if it is UTF-8 text.
#[cfg(not(unix))]
pub fn split_once<'a>(text: &'a OsStr, mark: &str) -> Option<(&'a OsStr, &'a OsStr)> {
    let (before, behind) = text.to_str()?.split_once(mark)?;
    Some((OsStr::new(before), OsStr::new(behind)))
}

/// Reads an array from a file.
///
/// # Errors
/// Returns an error if the file does not exist, has another format than its extension names, or has elements
/// that no kernel can compute with.
pub fn read(text: impl AsRef<OsStr>) -> Result<Array, Failure> {
    read_from(text, None)
}

/// Reads an array from a file, or from standard input (`-`, `-:TENSOR`) in the format `stream`.
///
/// # Errors
/// Returns the errors of [`read`], and an error if standard input has no format.
pub fn read_from(text: impl AsRef<OsStr>, stream: Option<Format>) -> Result<Array, Failure> {
    let (path, tensor) = split(text.as_ref());
    let format = format_of(&path, stream)?;
    let name = if is_stream(&path) { "standard input".to_owned() } else { format!("`{}`", path.display()) };
    let bad = |why: &str| Failure::new(format!("cannot read {name}: {why}"));
    let tensor = tensor.map(|tensor| {
        let why = || bad(&format!("it has no tensor `{}`: the name is not UTF-8 text", tensor.display()));
        tensor.to_str().ok_or_else(why)
    });
    let tensor = tensor.transpose()?;
    let found = if is_stream(&path) {
        memory::read_to_end("its bytes", &mut std::io::stdin().lock(), u64::MAX).and_then(|bytes| {
            let length = bytes.len() as u64;
            decode(format, &mut Cursor::new(bytes), length, tensor)
        })
    } else {
        // Opening a named pipe would wait for a writer, so the kind of file is checked first.
        let about = std::fs::metadata(&path).map_err(|error| {
            let failure = bad(&reason(&error));
            match near_file(&path, &["npy", "npz", "safetensors"]) {
                Some(near) if error.kind() == ErrorKind::NotFound => failure.help(near),
                _ => failure,
            }
        })?;
        if let Some(why) = not_regular(&about) {
            return Err(bad(why));
        }
        let mut file = File::open(&path).map_err(|error| bad(&reason(&error)))?;
        decode(format, &mut file, about.len(), tensor)
    };
    found.map_err(|failure| failure.of(&format!("cannot read {name}")))
}

/// Reads one array from `length` bytes of a format.
fn decode(
    format: Format,
    file: &mut (impl std::io::Read + std::io::Seek),
    length: u64,
    tensor: Option<&str>,
) -> Result<Array, Failure> {
    match format {
        Format::Npy => npy::read(file, length),
        Format::Npz => npz::read(file, tensor),
        Format::Safetensors => tensors::read(file, length, tensor),
    }
}

/// Writes named arrays to one file. An old file is replaced when the new one is complete, so an array may
/// come from the file that is replaced.
///
/// `.npy` holds one array and ignores its name.
///
/// # Errors
/// Returns an error if the format has no such dtype or cannot hold these names, or if writing fails.
pub fn write(path: &Path, arrays: Vec<(String, Array)>) -> Result<(), Failure> {
    let encoded = encode(Format::of(path)?, arrays)?;
    replace::replace(path, &encoded.parts())
}

/// Writes named arrays to standard output. A reader that closes the pipe early is not an error.
///
/// # Errors
/// Returns an error if the format has no such dtype or cannot hold these names, or if writing fails.
pub fn write_to_stdout(format: Format, arrays: Vec<(String, Array)>) -> Result<(), Failure> {
    let encoded = encode(format, arrays)?;
    let mut out = std::io::stdout().lock();
    let written = encoded.parts().into_iter().try_for_each(|part| out.write_all(part));
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to standard output: {}", reason(&error))))
        }
        _ => Ok(()),
    }
}

/// The contents of a file: the header, and the arrays whose elements follow it.
struct Encoded {
    head: Vec<u8>,
    arrays: Vec<(String, Array)>,
}

impl Encoded {
    fn parts(&self) -> Vec<&[u8]> {
        std::iter::once(&self.head[..]).chain(self.arrays.iter().map(|(_, array)| array.bytes())).collect()
    }
}

fn encode(format: Format, mut arrays: Vec<(String, Array)>) -> Result<Encoded, Failure> {
    format.takes_names(arrays.iter().map(|(name, _)| name.as_str()))?;
    let mut head = Vec::new();
    match format {
        Format::Npy => {
            for (_, array) in &arrays {
                npy::write_header(&mut head, array)?;
            }
        }
        Format::Npz => return Ok(Encoded { head: npz::write(&arrays)?, arrays: Vec::new() }),
        Format::Safetensors => {
            tensors::sort(&mut arrays);
            tensors::write_header(&mut head, &arrays)?;
        }
    }
    if cfg!(target_endian = "big") {
        for (_, array) in &mut arrays {
            array.swap_byte_order();
        }
    }
    Ok(Encoded { head, arrays })
}

/// Checks that arrays can be written to a file, or to standard output (`-`) in the format `stream`, as far as
/// that is known in advance. Returns the format.
///
/// # Errors
/// Returns an error if the format is unknown, if standard output is a terminal, or if the file could not be
/// replaced: its folder does not exist, it is not a regular file, it is read-only, it has several hard links,
/// or its owner or mode could not be kept.
pub fn check_destination(path: &Path, stream: Option<Format>) -> Result<Format, Failure> {
    let format = format_of(path, stream)?;
    if !is_stream(path) {
        replace::check(path)?;
    } else if std::io::stdout().is_terminal() {
        return Err(Failure::new("arrays are not written to a terminal")
            .help("redirect standard output to a file or a pipe, or leave `-o -` out to print the result"));
    }
    Ok(format)
}
