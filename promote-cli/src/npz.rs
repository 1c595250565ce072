//! The `.npz` of `NumPy`: a ZIP archive with a `.npy` file for each array. The archive is read and written by
//! the `zip` crate.

use std::cell::Cell;
use std::collections::HashSet;
use std::io::{self, BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom, Write as _};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::array::Array;
use crate::failure::{Failure, listed};
use crate::suggest::near;
use crate::{memory, npy, system};

/// The extension of an array in the archive.
const EXTENSION: &str = ".npy";

/// An upper bound of the bytes that the archive adds to the elements of an array and to its name, which it
/// has twice.
const OVERHEAD: usize = 1 << 10;

/// Reads an array of an archive, by its name or because it is the only one.
///
/// Memory grows with the bytes that are decompressed; a size that the archive only claims allocates nothing.
///
/// # Errors
/// Returns an error if the file is not an archive, is damaged, has two entries of one name, or has no such
/// array.
pub fn read(file: &mut (impl Read + Seek), name: Option<&str>) -> Result<Array, Failure> {
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
    let bytes = memory::read_to_end("its bytes", &mut entry, claimed).map_err(of)?;
    if bytes.len() as u64 != claimed {
        let message = format!("the archive says {claimed} bytes, and there are {}", bytes.len());
        return Err(of(Failure::new(message)));
    }
    drop(entry);
    drop(archive);
    reject_duplicates(file, directory)?;
    npy::read(&mut &bytes[..], claimed).map_err(of)
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

/// Writes an archive of these arrays, without compression as `numpy.savez` does.
///
/// # Errors
/// Returns an error if `NumPy` has no name for a dtype, or if there is not enough memory.
pub fn write(arrays: &[(String, Array)]) -> Result<Vec<u8>, Failure> {
    let size = arrays.iter().map(|(name, array)| array.bytes().len() + 2 * name.len() + OVERHEAD);
    let size = OVERHEAD + size.sum::<usize>();
    let mut memory = Vec::new();
    // The writer aborts if it cannot grow the memory.
    memory.try_reserve_exact(size).map_err(|_| memory::not_enough("the archive", size))?;
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("a `.npz` archive: {error}"));
    let mut archive = ZipWriter::new(Cursor::new(memory));
    for (name, array) in arrays {
        let mut head = Vec::new();
        npy::write_header(&mut head, array)?;
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(head.len() as u64 + array.bytes().len() as u64 > u64::from(u32::MAX));
        archive.start_file(format!("{name}{EXTENSION}"), options).map_err(|error| failed(&error))?;
        archive.write_all(&head).map_err(|error| failed(&error))?;
        archive.write_all(array.bytes()).map_err(|error| failed(&error))?;
    }
    Ok(archive.finish().map_err(|error| failed(&error))?.into_inner())
}
