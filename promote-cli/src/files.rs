//! Reads and writes arrays in files, whose extension names the format, and in the standard streams.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufWriter, Cursor, ErrorKind, IsTerminal as _, Read, Seek as _, Write};
use std::path::{Path, PathBuf};

use promote::DType;

use crate::array::{self, Array};
use crate::failure::Failure;
use crate::npz::Found;
use crate::replace::Replacement;
use crate::stored::{self, Input, Stored};
use crate::suggest::near_file;
use crate::system::{STREAM, is_stream, not_regular, reason};
use crate::tensors::Tensors;
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
    match open_with(text.as_ref(), stream, usize::MAX)? {
        Input::Held(array) => Ok(array),
        Input::Stored(stored) => stored.load(),
    }
}

/// Opens an array in a file, or reads it from standard input (`-`, `-:TENSOR`) in the format `stream`. Long
/// arrays stay in the file, and their elements are read when they are needed.
///
/// # Errors
/// Returns the errors of [`read_from`]. The elements of the array may be such that nothing computes with
/// them.
pub fn open(text: impl AsRef<OsStr>, stream: Option<Format>) -> Result<Input, Failure> {
    open_with(text.as_ref(), stream, memory::HELD)
}

/// Opens an array, and reads it if it has at most `most` bytes.
fn open_with(text: &OsStr, stream: Option<Format>, most: usize) -> Result<Input, Failure> {
    let (path, tensor) = split(text);
    let format = format_of(&path, stream)?;
    let name = if is_stream(&path) { "standard input".to_owned() } else { format!("`{}`", path.display()) };
    let bad = |why: &str| Failure::new(format!("cannot read {name}: {why}"));
    let tensor = tensor.map(|tensor| {
        let why = || bad(&format!("it has no tensor `{}`: the name is not UTF-8 text", tensor.display()));
        tensor.to_str().ok_or_else(why)
    });
    let tensor = tensor.transpose()?;
    let of = |failure: Failure| failure.of(&format!("cannot read {name}"));
    let (mut file, length) = if is_stream(&path) {
        let mut stdin = std::io::stdin().lock();
        let head = (&mut stdin).take(memory::HELD as u64 + 1);
        let head = memory::read_to_end("its bytes", &mut { head }, u64::MAX).map_err(of)?;
        let length = head.len() as u64;
        if head.len() <= memory::HELD {
            return decode(format, &mut Cursor::new(head), length, tensor).map(Input::Held).map_err(of);
        }
        spooled(&head, &mut stdin).map_err(|error| bad(&reason(&error)))?
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
        (File::open(&path).map_err(|error| bad(&reason(&error)))?, about.len())
    };
    let found = match format {
        Format::Npy => npy::read_header(&mut file, length).map(Found::At),
        Format::Npz => npz::find(&mut file, tensor, most),
        Format::Safetensors => {
            Tensors::read(&mut file, length).and_then(|tensors| tensors.place(tensor)).map(Found::At)
        }
    };
    let (file, place) = match found.map_err(of)? {
        Found::Read(array) => return Ok(Input::Held(array)),
        Found::At(place) => (file, place),
        Found::Unpacked(file, place) => (file, place),
    };
    Input::new(Stored::new(file, name.clone(), place).map_err(of)?, most)
}

/// Copies standard input to a temporary file, and returns it with its length. `head` is what was read before.
fn spooled(head: &[u8], rest: &mut impl Read) -> std::io::Result<(File, u64)> {
    let mut file = tempfile::tempfile()?;
    file.write_all(head)?;
    let length = head.len() as u64 + std::io::copy(rest, &mut file)?;
    file.rewind()?;
    Ok((file, length))
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

/// An array that is to be written, as far as it is known before its elements are computed.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its name in the file.
    pub name: String,
    /// The dtype of the elements.
    pub dtype: DType,
    /// The length of each dimension.
    pub shape: Vec<usize>,
}

impl Outline {
    /// Returns the number of bytes of the elements.
    ///
    /// # Errors
    /// Returns an error if there are more than can be counted.
    pub fn bytes(&self) -> Result<u64, Failure> {
        stored::bytes(self.dtype, &self.shape)
    }
}

/// Receives the bytes of elements, block by block. It may change them.
pub type Sink<'a> = dyn FnMut(&mut [u8]) -> Result<(), Failure> + 'a;

/// Passes the elements of the array at an index to a sink, in C order.
pub type Elements<'a> = dyn FnMut(usize, &mut Sink<'_>) -> Result<(), Failure> + 'a;

/// Writes named arrays to one file: see [`write_computed`].
///
/// # Errors
/// Returns the errors of [`write_computed`].
pub fn write(path: &Path, arrays: Vec<(String, Array)>) -> Result<(), Failure> {
    let outline = |(name, array): &(String, Array)| Outline {
        name: name.clone(),
        dtype: array.dtype(),
        shape: array.shape().to_vec(),
    };
    let outlines = arrays.iter().map(outline).collect();
    let mut arrays: Vec<Array> = arrays.into_iter().map(|(_, array)| array).collect();
    write_computed(path, outlines, &mut |index, sink| sink(arrays[index].bytes_mut()))
}

/// Writes named arrays to one file, while their elements are computed. An old file is replaced when the new
/// one is complete, so an array may come from the file that is replaced.
///
/// `.npy` holds one array and ignores its name.
///
/// # Errors
/// Returns an error if the format has no such dtype or cannot hold these names, if the elements cannot be
/// computed, or if writing fails. Then the file is unchanged.
pub fn write_computed(path: &Path, arrays: Vec<Outline>, elements: &mut Elements<'_>) -> Result<(), Failure> {
    let format = Format::of(path)?;
    let ordered = Ordered::new(format, arrays)?;
    let mut out = Replacement::begin(path)?;
    let failed = |error: &std::io::Error| Replacement::failed(path, error);
    match format {
        Format::Npz => npz::write(&mut out, &ordered.arrays, &mut ordered.elements(elements), &failed)?,
        Format::Npy | Format::Safetensors => ordered.write(&mut out, elements, &failed)?,
    }
    out.finish()
}

/// Writes named arrays to standard output, while their elements are computed. If they are not long, nothing
/// is written before all are computed. A reader that closes the pipe early is not an error.
///
/// # Errors
/// Returns an error if the format has no such dtype or cannot hold these names, if the elements cannot be
/// computed, or if writing fails.
pub fn write_to_stdout(
    format: Format,
    arrays: Vec<Outline>,
    elements: &mut Elements<'_>,
) -> Result<(), Failure> {
    let closed = Cell::new(false);
    let failed = |error: &std::io::Error| {
        closed.set(error.kind() == ErrorKind::BrokenPipe);
        Failure::new(format!("cannot write to standard output: {}", reason(error)))
    };
    let ordered = Ordered::new(format, arrays)?;
    let mut out = BufWriter::with_capacity(memory::HELD, std::io::stdout().lock());
    let written = match format {
        Format::Npz => {
            // The directory of an archive is written when its checksums are known.
            let mut archive = tempfile::tempfile().map_err(|error| failed(&error))?;
            npz::write(&mut archive, &ordered.arrays, &mut ordered.elements(elements), &failed).and_then(
                |()| {
                    let copied = archive.rewind().and_then(|()| std::io::copy(&mut archive, &mut out));
                    copied.map(|_| ()).map_err(|error| failed(&error))
                },
            )
        }
        Format::Npy | Format::Safetensors => ordered.write(&mut out, elements, &failed),
    };
    let written = written.and_then(|()| out.flush().map_err(|error| failed(&error)));
    // What is still held belongs to a result that failed.
    drop(out.into_parts());
    if closed.get() { Ok(()) } else { written }
}

/// Arrays in the order in which a format holds them.
struct Ordered {
    format: Format,
    arrays: Vec<Outline>,
    /// The index that each array was given.
    given: Vec<usize>,
}

impl Ordered {
    fn new(format: Format, mut arrays: Vec<Outline>) -> Result<Ordered, Failure> {
        format.takes_names(arrays.iter().map(|array| array.name.as_str()))?;
        let names: Vec<String> = arrays.iter().map(|array| array.name.clone()).collect();
        if format == Format::Safetensors {
            tensors::sort(&mut arrays);
        }
        // Names are unique, but in `.npy`, which has one array.
        let mut positions: HashMap<&str, usize> = HashMap::new();
        positions.extend(names.iter().enumerate().map(|(index, name)| (name.as_str(), index)));
        let given = arrays.iter().map(|array| positions[array.name.as_str()]).collect();
        Ok(Ordered { format, arrays, given })
    }

    /// Returns a function that passes the elements of the array at an index of this order, in the byte order
    /// of files.
    fn elements<'e>(
        &'e self,
        elements: &'e mut Elements<'_>,
    ) -> impl FnMut(usize, &mut Sink<'_>) -> Result<(), Failure> + 'e {
        move |index, sink| {
            let dtype = self.arrays[index].dtype;
            elements(self.given[index], &mut |bytes| {
                if cfg!(target_endian = "big") {
                    array::swap_byte_order(dtype, bytes);
                }
                sink(bytes)
            })
        }
    }

    /// Writes the header and the elements.
    fn write(
        &self,
        out: &mut impl Write,
        elements: &mut Elements<'_>,
        failed: &dyn Fn(&std::io::Error) -> Failure,
    ) -> Result<(), Failure> {
        let mut head = Vec::new();
        match (self.format, &self.arrays[..]) {
            (Format::Npy, [array]) => npy::write_header(&mut head, array.dtype, &array.shape)?,
            _ => tensors::write_header(&mut head, &self.arrays)?,
        }
        out.write_all(&head).map_err(|error| failed(&error))?;
        let mut elements = self.elements(elements);
        (0..self.arrays.len()).try_for_each(|index| {
            elements(index, &mut |bytes| out.write_all(bytes).map_err(|error| failed(&error)))
        })
    }
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
