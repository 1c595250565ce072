//! Arrays in files, where the format goes by the extension, and in the standard streams, where it is named.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Cursor, ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use promote::DType;

use crate::array::Array;
use crate::failure::Failure;
use crate::{memory, npy, npz, replace, tensors};

/// What stands for standard input and standard output.
const STREAM: &str = "-";

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// The `.npy` of `NumPy`: one array.
    Npy,
    /// The `.npz` of `NumPy`: named arrays.
    Npz,
    /// `.safetensors`: named arrays.
    Safetensors,
}

impl Format {
    /// The format of a file name.
    ///
    /// # Errors
    /// The name has another extension.
    pub fn of(path: &Path) -> Result<Format, Failure> {
        match path.extension().and_then(OsStr::to_str) {
            Some("npy") => Ok(Format::Npy),
            Some("npz") => Ok(Format::Npz),
            Some("safetensors") => Ok(Format::Safetensors),
            _ => Err(Failure::new(format!("`{}` is the name of no array file", path.display()))
                .help("the format goes by the extension: `.npy`, `.npz` or `.safetensors`")),
        }
    }

    /// Whether arrays of a dtype can be written.
    ///
    /// # Errors
    /// The format has no such dtype.
    pub fn takes(self, dtype: DType) -> Result<(), Failure> {
        match self {
            Format::Npy | Format::Npz => npy::type_string(dtype).map(|_| ()),
            Format::Safetensors => tensors::stored(dtype).map(|_| ()),
        }
    }

    /// Checks that arrays of these names fit into one file.
    ///
    /// # Errors
    /// The format holds one array only, two names are equal, or a name is reserved by the format.
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

/// Returns true for `-`, which stands for a standard stream.
pub fn is_stream(path: impl AsRef<OsStr>) -> bool {
    path.as_ref() == STREAM
}

/// The format of a file by its name, or of a standard stream by what `--format` says.
fn format_of(path: &Path, stream: Option<Format>) -> Result<Format, Failure> {
    if !is_stream(path) {
        return Format::of(path);
    }
    stream.ok_or_else(|| {
        Failure::new("the format of `-` is not known, since it has no extension")
            .help("add `--format npy`, `--format npz` or `--format safetensors`")
    })
}

/// Splits `FILE:NAME` into a `.safetensors` or `.npz` file and the name of one of its arrays, and `-:NAME` like
/// that; of `FILE` there is no name.
pub fn split(text: &OsStr) -> (PathBuf, Option<&OsStr>) {
    if let Some(tensor) = text.to_str().and_then(|text| text.strip_prefix("-:")) {
        return (PathBuf::from(STREAM), Some(OsStr::new(tensor)));
    }
    let found = [".safetensors", ".npz"].into_iter().filter_map(|extension| {
        let (stem, name) = split_once(text, &format!("{extension}:"))?;
        Some((stem, extension, name))
    });
    // The name of an array may hold anything, so the first mark counts.
    match found.min_by_key(|(stem, ..)| stem.len()) {
        Some((stem, extension, name)) if !Path::new(text).is_file() => {
            let mut path = stem.to_owned();
            path.push(extension);
            (path.into(), Some(name))
        }
        _ => (PathBuf::from(text), None),
    }
}

/// Splits an argument at the first mark in it. The parts need not be UTF-8 text.
#[cfg(unix)]
pub fn split_once<'a>(text: &'a OsStr, mark: &str) -> Option<(&'a OsStr, &'a OsStr)> {
    use std::os::unix::ffi::OsStrExt as _;
    let (bytes, mark) = (text.as_bytes(), mark.as_bytes());
    let at = bytes.windows(mark.len()).position(|window| window == mark)?;
    Some((OsStr::from_bytes(&bytes[..at]), OsStr::from_bytes(&bytes[at + mark.len()..])))
}

/// Splits an argument at the first mark in it. Only Unix splits what is not UTF-8 text.
#[cfg(not(unix))]
pub fn split_once<'a>(text: &'a OsStr, mark: &str) -> Option<(&'a OsStr, &'a OsStr)> {
    let (before, behind) = text.to_str()?.split_once(mark)?;
    Some((OsStr::new(before), OsStr::new(behind)))
}

/// Reads an array from a file.
///
/// # Errors
/// The file is not there, is not what its extension says, or holds what no kernel can compute with.
pub fn read(text: impl AsRef<OsStr>) -> Result<Array, Failure> {
    read_from(text, None)
}

/// Reads an array from a file; of `-` and `-:TENSOR` from standard input, in the format `stream`.
///
/// # Errors
/// As [`read`]; and the format of standard input is not given.
pub fn read_from(text: impl AsRef<OsStr>, stream: Option<Format>) -> Result<Array, Failure> {
    let (path, tensor) = split(text.as_ref());
    let format = format_of(&path, stream)?;
    let name = if is_stream(&path) { "standard input".to_owned() } else { format!("`{}`", path.display()) };
    let bad = |why: &str| Failure::new(format!("cannot read {name}: {why}"));
    let tensor = tensor.map(|tensor| {
        let why = || bad(&format!("it holds no tensor `{}`, which is not UTF-8 text", tensor.display()));
        tensor.to_str().ok_or_else(why)
    });
    let tensor = tensor.transpose()?;
    let found = if is_stream(&path) {
        memory::read_to_end("its bytes", &mut std::io::stdin().lock(), u64::MAX).and_then(|bytes| {
            let length = bytes.len() as u64;
            decode(format, &mut Cursor::new(bytes), length, tensor)
        })
    } else {
        // Before it is opened: to open a pipe would wait for its other end.
        let about = std::fs::metadata(&path).map_err(|error| bad(&reason(&error)))?;
        if let Some(why) = not_regular(&about) {
            return Err(bad(why));
        }
        let mut file = File::open(&path).map_err(|error| bad(&reason(&error)))?;
        decode(format, &mut file, about.len(), tensor)
    };
    found.map_err(|failure| failure.of(&format!("cannot read {name}")))
}

/// Reads one array of `length` bytes of a format.
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

/// Says what a file is that is no regular one.
pub(crate) fn not_regular(about: &std::fs::Metadata) -> Option<&'static str> {
    match about {
        about if about.is_dir() => Some("it is a directory"),
        about if about.is_file() => None,
        _ => Some("it is no regular file"),
    }
}

/// The message of an error of the operating system, without its number.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    text[..end].to_lowercase()
}

/// Writes named arrays into one file, which takes the place of an old one only when it is whole. An array may
/// come from the file that is replaced.
///
/// `.npy` holds one array and ignores its name.
///
/// # Errors
/// The format has no such dtype, cannot hold these names, or the operating system refuses.
pub fn write(path: &Path, arrays: Vec<(String, Array)>) -> Result<(), Failure> {
    let encoded = encode(Format::of(path)?, arrays)?;
    replace::replace(path, &encoded.parts())
}

/// Writes named arrays to standard output. A reader that has read enough is no failure.
///
/// # Errors
/// The format has no such dtype, cannot hold these names, or the operating system refuses.
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

/// The contents of a file: what stands before the elements, and the elements of each array.
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

/// Checks that arrays can be written here, as far as that can be known before, and returns their format; of
/// `-`, which is standard output, the format `stream`.
///
/// # Errors
/// The format is unknown, standard output is a terminal, or a file there could not be replaced: its folder
/// does not exist, it is no regular file, it is read-only, it has several hard links, or its owner or mode
/// could not be kept.
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
