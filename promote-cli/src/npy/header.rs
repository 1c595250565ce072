//! The header of a `.npy` file: magic bytes, a version, a length, and a Python dictionary of three keys.

use std::io::{Read, Write};

use crate::failure::Failure;

/// The longest text of a header that is read, as in NumPy.
const MAX_TEXT: usize = 10_000;

const MAGIC: &[u8] = b"\x93NUMPY";

/// What a header says of the elements behind it.
#[derive(Debug)]
pub(super) struct Header {
    /// The type string of the elements, such as `<f4`.
    pub(super) descr: String,
    /// True for Fortran order, false for C order.
    pub(super) fortran_order: bool,
    /// The shape.
    pub(super) shape: Vec<usize>,
    /// The length of the header in bytes, magic bytes included.
    pub(super) length: usize,
}

/// Reads the header of a file of `length` bytes.
///
/// # Errors
/// Returns an error if the file does not begin with a header, or if its version or its text is not valid.
pub(super) fn read(file: &mut impl Read, length: u64) -> Result<Header, Failure> {
    let short = || Failure::new("it ends within its header").help("it was not copied whole: copy it again");
    let mut prefix = [0; 12];
    if file.read_exact(&mut prefix[..8]).is_err() {
        return Err(Failure::new("it is not a `.npy` file: it has less than 8 bytes"));
    }
    if !prefix.starts_with(MAGIC) {
        return Err(Failure::new("it is not a `.npy` file: the magic bytes are missing"));
    }
    let (version, minor) = (prefix[6], prefix[7]);
    if !matches!((version, minor), (1..=3, 0)) {
        return Err(Failure::new(format!("its format version {version}.{minor} is unknown"))
            .help("versions 1.0, 2.0 and 3.0 are read: write the file again with `numpy.save`"));
    }
    // Version 1 has two bytes for the length of the text, the others four.
    let start = if version == 1 { 10 } else { 12 };
    file.read_exact(&mut prefix[8..start]).map_err(|_| short())?;
    let text = prefix[8..start].iter().rev().fold(0, |text, byte| text << 8 | usize::from(*byte));
    if (start + text) as u64 > length {
        return Err(short());
    }
    if text > MAX_TEXT {
        return Err(Failure::new(format!("its header has {text} bytes, more than {MAX_TEXT}")));
    }
    let mut bytes = vec![0; text];
    file.read_exact(&mut bytes).map_err(|_| short())?;
    let text = std::str::from_utf8(&bytes).map_err(|_| bad("it is not UTF-8"))?;
    // Python 2 wrote no files of version 3.
    Text { rest: text, may_have_suffixes: version <= 2 }.dictionary(start + bytes.len())
}

/// Writes the header of an array in C order, padded so that the elements begin at a multiple of 64 bytes.
///
/// # Errors
/// Returns an error if `out` does.
pub(super) fn write(out: &mut impl Write, descr: &str, shape: &[usize]) -> std::io::Result<()> {
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let text =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}", lengths.join(", "));
    let padded = |start: usize| (start + text.len() + 1).next_multiple_of(64) - start;
    let (version, length) = match u16::try_from(padded(10)) {
        Ok(length) => (1, length.to_le_bytes().to_vec()),
        Err(_) => (2, (padded(12) as u32).to_le_bytes().to_vec()),
    };
    out.write_all(&[MAGIC, &[version, 0], &length].concat())?;
    writeln!(out, "{text:width$}", width = padded(8 + length.len()) - 1)
}

fn bad(why: &str) -> Failure {
    Failure::new(format!("its header is not understood: {why}"))
}

/// The text of a header that is not parsed yet.
struct Text<'t> {
    rest: &'t str,
    /// True if integers may end with `L`, as Python 2 wrote them.
    may_have_suffixes: bool,
}

impl<'t> Text<'t> {
    /// Parses the whole text.
    fn dictionary(mut self, length: usize) -> Result<Header, Failure> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        self.expect("{")?;
        while !self.takes("}") {
            let key = self.key()?;
            self.expect(":")?;
            let is_repeated = match key {
                "descr" => descr.replace(self.descr()?).is_some(),
                "fortran_order" => fortran_order.replace(self.truth()?).is_some(),
                "shape" => shape.replace(self.shape()?).is_some(),
                _ => return Err(bad_key(&format!("the unknown key `{key}`"))),
            };
            if is_repeated {
                return Err(bad_key(&format!("the key `{key}` twice")));
            }
            if !self.takes(",") {
                self.expect("}")?;
                break;
            }
        }
        if !self.rest.trim_start().is_empty() {
            return Err(self.unexpected("the end"));
        }
        let lacks = |key: &str| bad_key(&format!("no key `{key}`"));
        Ok(Header {
            descr: descr.ok_or_else(|| lacks("descr"))?.to_owned(),
            fortran_order: fortran_order.ok_or_else(|| lacks("fortran_order"))?,
            shape: shape.ok_or_else(|| lacks("shape"))?,
            length,
        })
    }

    /// Returns true, and goes on behind `token`, if that follows.
    fn takes(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        self.rest = rest.strip_prefix(token).unwrap_or(rest);
        self.rest.len() < rest.len()
    }

    fn expect(&mut self, token: &str) -> Result<(), Failure> {
        if self.takes(token) { Ok(()) } else { Err(self.unexpected(&format!("`{token}`"))) }
    }

    fn unexpected(&self, expected: &str) -> Failure {
        let rest = self.rest.trim();
        let found: String = rest.chars().take(20).collect();
        let found = if rest.is_empty() { "its end".to_owned() } else { format!("`{found}`") };
        bad(&format!("it is not a Python dictionary: expected {expected}, found {found}"))
    }

    /// Parses a text in quotes, without escapes, which type strings do not have.
    fn quoted(&mut self) -> Option<&'t str> {
        let quote = ["'", "\""].into_iter().find(|quote| self.takes(quote))?;
        let (text, rest) = self.rest.split_once(quote)?;
        self.rest = rest;
        (!text.contains('\\')).then_some(text)
    }

    /// Parses a key. One that is not a text is unknown, and is returned as it is written.
    fn key(&mut self) -> Result<&'t str, Failure> {
        let before = self.rest.trim_start();
        match self.quoted() {
            Some(key) => Ok(key),
            None => match before.split_once(':') {
                Some((key, _)) if !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                    self.rest = &before[key.len()..];
                    Ok(key)
                }
                _ => Err(self.unexpected("a key")),
            },
        }
    }

    fn descr(&mut self) -> Result<&'t str, Failure> {
        if self.rest.trim_start().starts_with(['[', '(', '{']) {
            return Err(Failure::new("its elements are structures")
                .help("save the field that you mean as an array of its own"));
        }
        self.quoted().ok_or_else(|| self.unexpected("a type string"))
    }

    fn truth(&mut self) -> Result<bool, Failure> {
        match (self.takes("True"), self.takes("False")) {
            (is_true, false) if is_true => Ok(true),
            (false, true) => Ok(false),
            _ => Err(self.unexpected("`True` or `False`")),
        }
    }

    fn shape(&mut self) -> Result<Vec<usize>, Failure> {
        let mut shape = Vec::new();
        self.expect("(")?;
        while !self.takes(")") {
            shape.push(self.length()?);
            if !self.takes(",") {
                if shape.len() == 1 {
                    // `(3)` is a number in Python.
                    return Err(self.unexpected("`,`"));
                }
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }

    fn length(&mut self) -> Result<usize, Failure> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, behind) = rest.split_at(end);
        if digits.is_empty() {
            return Err(self.unexpected("a length"));
        }
        let length = digits.parse().map_err(|_| bad("its shape is beyond all memory"))?;
        self.rest = if self.may_have_suffixes { behind.strip_prefix('L').unwrap_or(behind) } else { behind };
        if self.rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return Err(self.unexpected("`,` or `)`"));
        }
        Ok(length)
    }
}

fn bad_key(what: &str) -> Failure {
    Failure::new(format!("its header has {what}"))
        .help("the header of a `.npy` file has the keys `descr`, `fortran_order` and `shape`, each once")
}
