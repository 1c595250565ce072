//! Allocations whose size a file or an argument determines. They return an error where an ordinary allocation
//! would abort.

use std::fmt::Display;
use std::io::{Read, Write as _};

use crate::failure::Failure;
use crate::terminal;

/// The number of bytes up to which arrays are held in memory without a word. Longer ones are read, computed
/// and written block by block if that is possible.
pub(crate) const HELD: usize = 1 << 24;

/// Tells on standard error that `what` is held in memory as a whole, if it is long.
pub(crate) fn tell(what: &str, bytes: usize) {
    if bytes > HELD {
        // A failed write to standard error can be reported nowhere.
        let _ = writeln!(std::io::stderr(), "note: {}: {}", terminal::line(what), size(bytes));
    }
}

/// Writes a number of bytes as people do.
fn size(bytes: usize) -> String {
    match bytes / 1_000_000 {
        millions @ 0..10_000 => format!("{millions} MB"),
        millions => format!("{} GB", millions / 1000),
    }
}

/// Allocates `len` bytes of zeros.
///
/// # Errors
/// There is not enough memory for `what`.
pub(crate) fn zeroed(what: &str, len: usize) -> Result<Vec<u8>, Failure> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(len).map_err(|_| not_enough(what, len))?;
    memory.resize(len, 0);
    Ok(memory)
}

/// Checks that `len` bytes can be allocated, before calling code that aborts if they cannot.
///
/// # Errors
/// There is not enough memory for `what`.
pub(crate) fn check(what: &str, len: usize) -> Result<(), Failure> {
    // The compiler may remove an allocation that is not used.
    let mut memory = Vec::<u8>::new();
    let reserved = std::hint::black_box(&mut memory).try_reserve_exact(len);
    reserved.map_err(|_| not_enough(what, len))
}

/// Reads all bytes, up to `limit`. Memory is allocated for bytes that have arrived, not for those that are
/// announced.
///
/// # Errors
/// The reader fails, has more bytes than `limit`, or there is not enough memory for `what`.
pub(crate) fn read_to_end(what: &str, from: &mut impl Read, limit: u64) -> Result<Vec<u8>, Failure> {
    const CHUNK: usize = 1 << 16;
    let mut bytes = Vec::new();
    loop {
        let start = bytes.len();
        if bytes.capacity() - start < CHUNK {
            // To double it makes the number of copies small.
            let more = start.max(CHUNK);
            bytes.try_reserve(more).map_err(|_| not_enough(what, format_args!("more than {start}")))?;
        }
        bytes.resize(start + CHUNK, 0);
        let read = loop {
            match from.read(&mut bytes[start..]) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                other => break other.map_err(|error| Failure::new(crate::system::reason(&error)))?,
            }
        };
        bytes.truncate(start + read);
        if bytes.len() as u64 > limit {
            return Err(Failure::new(format!("{what} are more than {limit}")));
        }
        if read == 0 {
            return Ok(bytes);
        }
    }
}

/// The error for `what`, which needs so many bytes.
pub(crate) fn not_enough(what: &str, bytes: impl Display) -> Failure {
    Failure::new(format!("not enough memory for {what}: {bytes} bytes"))
}
