//! Arrays in files: the format goes by the extension.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

use promote::DType;

use crate::array::Array;
use crate::failure::Failure;
use crate::{npy, replace, tensors};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The `.npy` of `NumPy`: one array.
    Npy,
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
            Some("safetensors") => Ok(Format::Safetensors),
            _ => Err(Failure::new(format!("`{}` is the name of no array file", path.display()))
                .help("the format goes by the extension: `.npy` or `.safetensors`")),
        }
    }

    /// Whether arrays of a dtype can be written.
    ///
    /// # Errors
    /// The format has no such dtype.
    pub fn takes(self, dtype: DType) -> Result<(), Failure> {
        match self {
            Format::Npy => npy::type_string(dtype).map(|_| ()),
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
                    .help("write to `.safetensors`, which holds any number of named arrays")),
            },
            Format::Safetensors => tensors::check_names(names),
        }
    }
}

/// `FILE`, or `FILE:TENSOR` for one of the tensors of a `.safetensors` file.
pub fn split(text: &OsStr) -> (PathBuf, Option<&OsStr>) {
    match split_once(text, ".safetensors:") {
        Some((stem, tensor)) if !Path::new(text).is_file() => {
            let mut path = stem.to_owned();
            path.push(".safetensors");
            (path.into(), Some(tensor))
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

/// Reads an array.
///
/// # Errors
/// The file is not there, is not what its extension says, or holds what no kernel can compute with.
pub fn read(text: impl AsRef<OsStr>) -> Result<Array, Failure> {
    let (path, tensor) = split(text.as_ref());
    let format = Format::of(&path)?;
    let bad = |why: &str| Failure::new(format!("cannot read `{}`: {why}", path.display()));
    let tensor = tensor.map(|tensor| {
        let why = || bad(&format!("it holds no tensor `{}`, which is not UTF-8 text", tensor.display()));
        tensor.to_str().ok_or_else(why)
    });
    let tensor = tensor.transpose()?;
    // Before it is opened: to open a pipe would wait for its other end.
    let about = std::fs::metadata(&path).map_err(|error| bad(&reason(&error)))?;
    if let Some(why) = not_regular(&about) {
        return Err(bad(why));
    }
    let mut file = File::open(&path).map_err(|error| bad(&reason(&error)))?;
    let length = about.len();
    match format {
        Format::Npy => npy::read(&mut file, length),
        Format::Safetensors => tensors::read(&mut file, length, tensor),
    }
    .map_err(|failure| failure.of(&format!("cannot read `{}`", path.display())))
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
pub fn write(path: &Path, mut arrays: Vec<(String, Array)>) -> Result<(), Failure> {
    let format = Format::of(path)?;
    format.takes_names(arrays.iter().map(|(name, _)| name.as_str()))?;
    let mut head = Vec::new();
    match format {
        Format::Npy => {
            for (_, array) in &arrays {
                npy::write_header(&mut head, array)?;
            }
        }
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
    let mut parts = vec![&head[..]];
    parts.extend(arrays.iter().map(|(_, array)| array.bytes()));
    replace::replace(path, &parts)
}

/// Checks that a file of arrays can be written here, as far as that can be known before.
///
/// # Errors
/// The extension is unknown, or a file there could not be replaced: its folder does not exist, it is no
/// regular file, it has several hard links, or its owner or mode could not be kept.
pub fn check_destination(path: &Path) -> Result<Format, Failure> {
    let format = Format::of(path)?;
    replace::check(path)?;
    Ok(format)
}
