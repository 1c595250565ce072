//! The `.npz` of `NumPy`: a ZIP archive with a `.npy` file for each array. The archive is read and written by
//! the `zip` crate.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::array::Array;
use crate::failure::{Failure, listed};
use crate::files::{Elements, Outline};
use crate::stored::{self, Place};
use crate::suggest::near;
use crate::{memory, npy, system};

/// The extension of an array in the archive.
const EXTENSION: &str = ".npy";

/// Reads an array of an archive, by its name or because it is the only one.
///
/// Memory grows with the bytes that are decompressed; a size that the archive only claims allocates nothing.
///
/// # Errors
/// Returns an error if the file is not an archive, is damaged, has two entries of one name, or has no such
/// array.
pub fn read(file: &mut (impl Read + Seek), name: Option<&str>) -> Result<Array, Failure> {
    match find(file, name, usize::MAX)? {
        Found::Read(array) => Ok(array),
        Found::At(_) | Found::Unpacked(..) => Err(Failure::new("it has an array that is too large")),
    }
}

/// An array of a file.
#[derive(Debug)]
pub enum Found {
    /// Its elements, which were read.
    Read(Array),
    /// The place of its elements in that file.
    At(Place),
    /// The place of its elements in a temporary file.
    Unpacked(File, Place),
}

/// Finds an array of an archive, by its name or because it is the only one. If it has more than `most` bytes,
/// its elements are checked and not kept, and unpacked to a temporary file if they are compressed.
///
/// # Errors
/// Returns the errors of [`read`], and an error if the temporary file cannot be written.
pub fn find(file: &mut (impl Read + Seek), name: Option<&str>, most: usize) -> Result<Found, Failure> {
    let length = file.seek(SeekFrom::End(0)).map_err(|error| Failure::new(system::reason(&error)))?;
    let left = Cell::new(length.saturating_mul(4).saturating_add(1 << 20));
    let mut archive = ZipArchive::new(Limited { file, left: &left }).map_err(|error| bad(&error))?;
    left.set(u64::MAX);
    let names = archive.file_names().filter_map(|name| name.strip_suffix(EXTENSION).map(str::to_owned));
    let names: Vec<String> = names.collect();
    let known = || names.iter().map(String::as_str);
    let name = match (name, &names[..]) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, []) => return Err(Failure::new("it holds no array")),
        (None, several) => {
            return Err(Failure::new(format!("it holds {} arrays", several.len()))
                .help(format!("write `FILE:ARRAY`; it has {}", listed(known()))));
        }
    };
    if !names.iter().any(|known| known == name) {
        let all = format!("it has {}", listed(known()));
        return Err(Failure::new(format!("it holds no array `{name}`")).help(near(
            name,
            &known().collect::<Vec<_>>(),
            &all,
        )));
    }
    let directory = archive.central_directory_start();
    let of = |failure: Failure| failure.of(&format!("the array `{name}`"));
    let mut entry = archive.by_name(&format!("{name}{EXTENSION}")).map_err(|error| of(bad(&error)))?;
    let claimed = entry.size();
    let checked = |found: u64| {
        let message = format!("the archive says {claimed} bytes, and there are {found}");
        if found == claimed { Ok(()) } else { Err(of(Failure::new(message))) }
    };
    let failed = |error: io::Error| of(Failure::new(system::reason(&error)));
    let stored = entry.data_start().filter(|_| entry.compression() == CompressionMethod::Stored);
    let found = if claimed <= most as u64 {
        let bytes = memory::read_to_end("its bytes", &mut entry, claimed).map_err(of)?;
        checked(bytes.len() as u64)?;
        Found::Read(npy::read(&mut &bytes[..], claimed).map_err(of)?)
    } else if let Some(start) = stored {
        let place = npy::read_header(&mut entry, claimed).map_err(of)?;
        // The end of the entry is where the `zip` crate compares its checksum.
        checked(place.start + io::copy(&mut entry, &mut io::sink()).map_err(failed)?)?;
        Found::At(Place { start: start + place.start, ..place })
    } else {
        let mut unpacked = tempfile::tempfile().map_err(failed)?;
        checked(
            io::copy(&mut entry.by_ref().take(claimed.saturating_add(1)), &mut unpacked).map_err(failed)?,
        )?;
        unpacked.rewind().map_err(failed)?;
        let place = npy::read_header(&mut unpacked, claimed).map_err(of)?;
        Found::Unpacked(unpacked, place)
    };
    drop(entry);
    drop(archive);
    reject_duplicates(file, directory)?;
    Ok(found)
}

/// Checks that no two entries of an archive have one name, from the position of its directory.
///
/// The `zip` crate keeps the last entry of a name, and other readers the first, so that they would read
/// different arrays.
fn reject_duplicates(file: &mut (impl Read + Seek), directory: u64) -> Result<(), Failure> {
    const SIGNATURE: &[u8] = b"PK\x01\x02";
    let failed = |error: &io::Error| Failure::new(system::reason(error));
    file.seek(SeekFrom::Start(directory)).map_err(|error| failed(&error))?;
    let mut file = BufReader::new(file);
    let mut names = HashSet::new();
    loop {
        let mut header = [0; 46];
        match file.read_exact(&mut header) {
            Ok(()) if header.starts_with(SIGNATURE) => {}
            // The record at the end of the directory is shorter than an entry.
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(failed(&error)),
        }
        let length = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let (name, extra, comment) = (length(28), length(30), length(32));
        let mut bytes = vec![0; name.into()];
        file.read_exact(&mut bytes).map_err(|error| failed(&error))?;
        file.seek_relative(i64::from(extra) + i64::from(comment)).map_err(|error| failed(&error))?;
        if let Some(name) = names.replace(bytes) {
            let name = String::from_utf8_lossy(&name).into_owned();
            return Err(Failure::new(format!("it has two entries `{name}`"))
                .help("write the file again, with another name for each array"));
        }
    }
}

/// A file of which at most a number of bytes is read.
///
/// The crate looks for the directory of an archive wherever its signature is. A file full of signatures would
/// be read once for each of them.
struct Limited<'a, F> {
    file: &'a mut F,
    left: &'a Cell<u64>,
}

impl<F: Read> Read for Limited<'_, F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        match self.left.get().checked_sub(read as u64) {
            Some(left) => self.left.set(left),
            None => return Err(io::Error::other("its directory cannot be found")),
        }
        Ok(read)
    }
}

impl<F: Seek> Seek for Limited<'_, F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Returns the error of an archive.
fn bad(error: &ZipError) -> Failure {
    match error {
        ZipError::Io(error) => Failure::new(system::reason(error)),
        ZipError::UnsupportedArchive(why) => {
            Failure::new(format!("it cannot be read: {}", why.to_lowercase()))
        }
        ZipError::CompressionMethodNotSupported(method) => {
            Failure::new(format!("its compression method {method} is not supported"))
                .help("write the file again with `numpy.savez` or `numpy.savez_compressed`")
        }
        other => Failure::new(format!("it is not a `.npz` file, or not all of one: {other}")),
    }
}

/// Writes an archive of these arrays, without compression as `numpy.savez` does. `elements` passes the bytes
/// of the array at an index to a sink.
///
/// # Errors
/// Returns an error if `NumPy` has no name for a dtype, or if the elements cannot be computed or written.
pub fn write(
    out: &mut (impl Write + Seek),
    arrays: &[Outline],
    elements: &mut Elements<'_>,
    failed: &dyn Fn(&io::Error) -> Failure,
) -> Result<(), Failure> {
    let bad = |error: ZipError| match error {
        ZipError::Io(error) => failed(&error),
        other => Failure::new(format!("a `.npz` archive: {other}")),
    };
    let mut archive = ZipWriter::new(out);
    for (index, Outline { name, dtype, shape }) in arrays.iter().enumerate() {
        let mut head = Vec::new();
        npy::write_header(&mut head, *dtype, shape)?;
        let size = head.len() as u64 + stored::bytes(*dtype, shape)?;
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(size > u64::from(u32::MAX));
        archive.start_file(format!("{name}{EXTENSION}"), options).map_err(bad)?;
        archive.write_all(&head).map_err(|error| failed(&error))?;
        elements(index, &mut |bytes| archive.write_all(bytes).map_err(|error| failed(&error)))?;
    }
    archive.finish().map_err(bad)?;
    Ok(())
}
