//! The `.npz` of `NumPy`: a ZIP archive with a `.npy` file for each array. The archive is read and written by
//! the `zip` crate.

use std::cell::Cell;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write as _};

use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::array::Array;
use crate::failure::{Failure, listed};
use crate::suggest::near;
use crate::{files, memory, npy};

/// How the file of an array ends.
const EXTENSION: &str = ".npy";

/// More bytes than the archive takes for an array besides its elements, its name twice, and its header.
const BESIDES: usize = 1 << 10;

/// Reads an array of an archive: the one of the name, or the only one.
///
/// Memory grows with the bytes that are decompressed; a size that the archive only claims allocates nothing.
///
/// # Errors
/// The file is no archive, is damaged, or holds no such array.
pub fn read(file: &mut (impl Read + Seek), name: Option<&str>) -> Result<Array, Failure> {
    let length = file.seek(SeekFrom::End(0)).map_err(|error| Failure::new(files::reason(&error)))?;
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
    let of = |failure: Failure| failure.of(&format!("the array `{name}`"));
    let mut entry = archive.by_name(&format!("{name}{EXTENSION}")).map_err(|error| of(bad(&error)))?;
    let claimed = entry.size();
    let bytes = memory::read_to_end("its bytes", &mut entry, claimed).map_err(of)?;
    if bytes.len() as u64 != claimed {
        let message = format!("the archive says {claimed} bytes, and there are {}", bytes.len());
        return Err(of(Failure::new(message)));
    }
    npy::read(&mut &bytes[..], claimed).map_err(of)
}

/// A file of which so many bytes are read at most.
///
/// The crate looks for the directory of an archive at every place that could be one. A file of nothing but such
/// places would be read as often as it has them.
struct Limited<'a, F> {
    file: &'a mut F,
    left: &'a Cell<u64>,
}

impl<F: Read> Read for Limited<'_, F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        match self.left.get().checked_sub(read as u64) {
            Some(left) => self.left.set(left),
            None => return Err(io::Error::other("it has no directory where one is looked for")),
        }
        Ok(read)
    }
}

impl<F: Seek> Seek for Limited<'_, F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// What is wrong with an archive.
fn bad(error: &ZipError) -> Failure {
    match error {
        ZipError::Io(error) => Failure::new(files::reason(error)),
        ZipError::UnsupportedArchive(why) => Failure::new(format!("it is not read: {}", why.to_lowercase())),
        ZipError::CompressionMethodNotSupported(method) => {
            Failure::new(format!("it is compressed by the method {method}, which is not read"))
                .help("write the file again with `numpy.savez` or `numpy.savez_compressed`")
        }
        other => Failure::new(format!("it is no `.npz` file, or not all of one: {other}")),
    }
}

/// Writes an archive of these arrays, without compression as `numpy.savez` does.
///
/// # Errors
/// `NumPy` has no name for a dtype, or there is not enough memory.
pub fn write(arrays: &[(String, Array)]) -> Result<Vec<u8>, Failure> {
    let size = arrays.iter().map(|(name, array)| array.bytes().len() + 2 * name.len() + BESIDES);
    let size = BESIDES + size.sum::<usize>();
    let mut memory = Vec::new();
    // So that the writer, which would abort, never grows it.
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
