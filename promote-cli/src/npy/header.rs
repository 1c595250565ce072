//! The header of a `.npy` file, before the parser of `npyz` sees it.

use std::fmt::Display;
use std::io::Read;

use crate::failure::Failure;

/// The longest header that is read, as in NumPy.
const MAX_HEADER: usize = 10_000;

/// The deepest nesting of brackets: a dictionary with a list of tuples with a shape.
const MAX_DEPTH: usize = 6;

/// The keys of a header. The parser would ignore others.
const KEYS: [&str; 3] = ["descr", "fortran_order", "shape"];

/// Reads the header, magic bytes included, and checks that the parser can handle it.
///
/// # Errors
/// Returns an error if the file does not begin with a header, or if its version or its text is not valid.
pub(super) fn read(file: &mut impl Read, length: u64) -> Result<Vec<u8>, Failure> {
    let (mut header, prefix) = bytes(file, length)?;
    let version = header[6];
    let text = &mut header[prefix..];
    // As in NumPy: Python 2 wrote no files of version 3.
    if version <= 2 {
        blank_suffixes(text);
    }
    refuse_hostile(text)?;
    check_keys(text)?;
    Ok(header)
}

/// Returns the error of a header that is not valid.
pub(super) fn bad(why: &dyn Display) -> Failure {
    // The parser's message goes on with lines that show the position.
    let text = why.to_string();
    Failure::new(format!("its header is not understood: {}", text.lines().next().unwrap_or_default()))
}

/// Returns the bytes of the header, and the position of its text.
fn bytes(file: &mut impl Read, length: u64) -> Result<(Vec<u8>, usize), Failure> {
    let short = || Failure::new("it ends within its header").help("it was not copied whole: copy it again");
    let mut read = |bytes: &mut [u8]| file.read_exact(bytes).map_err(|_| short());
    let mut header = vec![0; 8];
    if read(&mut header).is_err() {
        return Err(Failure::new("it is not a `.npy` file: it has less than 8 bytes"));
    }
    if !header.starts_with(b"\x93NUMPY") {
        return Err(Failure::new("it is not a `.npy` file: the magic bytes are missing"));
    }
    if !matches!(header[6..8], [1..=3, 0]) {
        return Err(Failure::new(format!("its format version {}.{} is unknown", header[6], header[7]))
            .help("versions 1.0, 2.0 and 3.0 are read: write the file again with `numpy.save`"));
    }
    // Version 1 has two bytes for the length of the text, the others four.
    let prefix = if header[6] == 1 { 10 } else { 12 };
    header.resize(prefix, 0);
    read(&mut header[8..])?;
    let text = header[8..].iter().rev().fold(0, |text, byte| text << 8 | usize::from(*byte));
    if (prefix + text) as u64 > length {
        return Err(short());
    }
    if text > MAX_HEADER {
        return Err(Failure::new(format!("its header has {text} bytes, more than {MAX_HEADER}")));
    }
    header.resize(prefix + text, 0);
    read(&mut header[prefix..])?;
    Ok((header, prefix))
}

/// Replaces the `L` after integers, which Python 2 wrote, by a space: `(4L,)` becomes `(4 ,)`.
fn blank_suffixes(text: &mut [u8]) {
    let mut quote = None;
    let (mut previous, mut in_number) = (b' ', false);
    for byte in text {
        let now = *byte;
        if let Some(mark) = quote {
            quote = quote.filter(|_| now != mark || previous == b'\\');
        } else if matches!(now, b'\'' | b'"') {
            quote = Some(now);
        } else if now == b'L' && in_number {
            *byte = b' ';
        }
        let begins = !previous.is_ascii_alphanumeric() && previous != b'_';
        in_number = quote.is_none() && now.is_ascii_digit() && (begins || in_number);
        previous = now;
    }
}

/// Checks that the text is a dictionary with known keys, none of them twice.
fn check_keys(text: &[u8]) -> Result<(), Failure> {
    let text = std::str::from_utf8(text).map_err(|error| bad(&error))?;
    let parsed = text.trim_end().parse::<py_literal::Value>();
    let parsed = parsed.map_err(|_| bad(&"it is not a Python dictionary"))?;
    let py_literal::Value::Dict(pairs) = parsed else {
        return Err(bad(&"it is not a Python dictionary"));
    };
    let help = "the header of a `.npy` file has the keys `descr`, `fortran_order` and `shape`, each once";
    for (at, (key, _)) in pairs.iter().enumerate() {
        let name = key.as_string().map_or_else(|| key.to_string(), Clone::clone);
        if !KEYS.contains(&name.as_str()) {
            return Err(Failure::new(format!("its header has the unknown key `{name}`")).help(help));
        }
        if pairs[..at].iter().any(|(earlier, _)| earlier == key) {
            return Err(Failure::new(format!("its header has the key `{name}` twice")).help(help));
        }
    }
    Ok(())
}

/// Rejects texts for which the parser would recurse too deeply or overflow.
fn refuse_hostile(header: &[u8]) -> Result<(), Failure> {
    let mut depth = 0_usize;
    for byte in header {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(bad(&"brackets nest too deep"));
        }
    }
    // The product of all numbers is no less than that of the shape.
    let words = header.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let mut product = 1_u64;
    for word in words.filter(|word| word.first().is_some_and(u8::is_ascii_digit)) {
        if !word.iter().all(u8::is_ascii_digit) {
            return Err(bad(&format_args!("`{}` is not an integer", String::from_utf8_lossy(word))));
        }
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<u64>().ok());
        match number.and_then(|number| product.checked_mul(number.max(1))) {
            Some(more) => product = more,
            None => return Err(bad(&"its shape is beyond all memory")),
        }
    }
    Ok(())
}
