//! The `.safetensors` format. The `safetensors` crate reads and writes the header; of the elements, those of
//! the wanted tensor are read.

use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom, Write};

use promote::DType;
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};

use crate::array::Array;
use crate::failure::{Failure, listed};
use crate::files::Outline;
use crate::memory;
use crate::stored::Place;
use crate::suggest::near;

mod header;

/// The name under which a single array is written.
pub const NAME: &str = "out";

/// The key of the header under which there is text about the file, and no tensor.
const RESERVED: &str = "__metadata__";

/// The longest header that the crate reads.
const MAX_HEADER: u64 = 100_000_000;

/// The tensors of a file.
#[derive(Debug)]
pub struct Tensors {
    metadata: Metadata,
    /// The position of the first element in the file.
    start: u64,
}

impl Tensors {
    /// Reads the header of a file of `length` bytes.
    ///
    /// # Errors
    /// Returns an error if the file does not match its header.
    pub fn read(file: &mut impl Read, length: u64) -> Result<Tensors, Failure> {
        let mut size = [0; 8];
        file.read_exact(&mut size)
            .map_err(|_| Failure::new("it is not a `.safetensors` file: it has less than 8 bytes"))?;
        let size = u64::from_le_bytes(size);
        if size > MAX_HEADER || size > length.saturating_sub(8) {
            return Err(Failure::new(format!(
                "it is not a `.safetensors` file, or not all of one: its header would have {size} bytes"
            )));
        }
        let mut header = memory::zeroed("its header", size as usize)?;
        file.read_exact(&mut header).map_err(|error| reading(&error))?;
        let metadata = header::parse(&header)?;
        let held = length - 8 - size;
        if metadata.data_len() as u64 != held {
            return Err(Failure::new(format!(
                "its header says {} bytes of elements, and there are {held}",
                metadata.data_len()
            )));
        }
        Ok(Tensors { metadata, start: 8 + size })
    }

    /// Returns the names of all tensors, in the order of their elements.
    pub fn names(&self) -> Vec<String> {
        self.metadata.offset_keys()
    }

    /// Returns the place of a tensor, by its name or because it is the only one.
    ///
    /// # Errors
    /// Returns an error if there is no such tensor, or if its dtype is unknown.
    pub fn place(&self, tensor: Option<&str>) -> Result<Place, Failure> {
        let info = find(&self.metadata, tensor)?;
        Ok(Place {
            dtype: dtype(info.dtype)?,
            shape: info.shape.clone(),
            start: self.start + info.data_offsets.0 as u64,
            is_swapped: cfg!(target_endian = "big"),
            is_fortran: false,
        })
    }
}

/// Reads a tensor of a file of `length` bytes, by its name or because it is the only one.
///
/// # Errors
/// Returns an error if the file does not match its header, has no such tensor, or if the tensor's dtype has
/// no elements here.
pub fn read(file: &mut (impl Read + Seek), length: u64, tensor: Option<&str>) -> Result<Array, Failure> {
    let place = Tensors::read(file, length)?.place(tensor)?;
    if !place.dtype.has_type() {
        return Err(Failure::new(format!("nothing computes with elements of `{}`", place.dtype)));
    }
    let mut array = Array::zeros(place.dtype, place.shape)?;
    let read = file.seek(SeekFrom::Start(place.start)).and_then(|_| file.read_exact(array.bytes_mut()));
    read.map_err(|error| reading(&error))?;
    if place.is_swapped {
        array.swap_byte_order();
    }
    array.normalise_bools();
    Ok(array)
}

fn reading(error: &std::io::Error) -> Failure {
    Failure::new(crate::system::reason(error))
}

fn find<'a>(metadata: &'a Metadata, tensor: Option<&str>) -> Result<&'a TensorInfo, Failure> {
    let names = metadata.offset_keys();
    let name = match (tensor, &names[..]) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, []) => return Err(Failure::new("it holds no tensor")),
        (None, several) => {
            return Err(Failure::new(format!("it holds {} tensors", several.len()))
                .help(format!("write `FILE:TENSOR`; it has {}", listed(names.iter().map(String::as_str)))));
        }
    };
    metadata.info(name).ok_or_else(|| {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let all = format!("it has {}", listed(known.iter().copied()));
        Failure::new(format!("it holds no tensor `{name}`")).help(near(name, &known, &all))
    })
}

fn dtype(stored: Dtype) -> Result<DType, Failure> {
    DType::from_safetensors_name(&stored.to_string())
        .ok_or_else(|| Failure::new(format!("its dtype {stored:?} is unknown")))
}

/// Returns the format's name of a dtype.
///
/// # Errors
/// Returns an error if the format has no such dtype.
pub fn stored(dtype: DType) -> Result<Dtype, Failure> {
    let named = dtype.safetensors_name().and_then(|name| serde_json::from_value(name.into()).ok());
    named.ok_or_else(|| {
        let failure = Failure::new(format!("`.safetensors` has no name for `{dtype}`"));
        if dtype == DType::C128 {
            failure.help("write to `.npy` or `.npz`")
        } else {
            failure.help(format!("no file format here has `{dtype}`: compute in a wider dtype"))
        }
    })
}

/// Checks that one file can hold tensors of these names.
///
/// # Errors
/// Returns an error if two names are equal, or if the format reserves one.
pub fn check_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
    let mut known = HashSet::new();
    for name in names {
        if name == RESERVED {
            return Err(Failure::new(format!("a tensor of a `.safetensors` file cannot be named `{name}`"))
                .help("the format reserves that name for text about the file: choose another"));
        }
        if !known.insert(name) {
            return Err(Failure::new(format!("two tensors of one `.safetensors` file are named `{name}`")));
        }
    }
    Ok(())
}

/// Sorts arrays as the `safetensors` crate does: by descending alignment, then by name.
///
/// The elements start at a multiple of 8, so every array is aligned if the file is mapped into memory.
pub fn sort(arrays: &mut [Outline]) {
    arrays.sort_by(|a, b| {
        let alignment = |array: &Outline| stored(array.dtype).ok();
        alignment(b).cmp(&alignment(a)).then_with(|| a.name.cmp(&b.name))
    });
}

/// Writes the header of a file whose elements are those of these arrays, one after the other.
///
/// # Errors
/// Returns an error if the format has no name for a dtype, and the errors of [`check_names`].
pub fn write_header(out: &mut impl Write, arrays: &[Outline]) -> Result<(), Failure> {
    check_names(arrays.iter().map(|array| array.name.as_str()))?;
    let mut end = 0_usize;
    let infos = arrays.iter().map(|Outline { name, dtype, shape }| {
        let start = end;
        let bytes = usize::try_from(crate::stored::bytes(*dtype, shape)?).ok();
        let next = bytes.and_then(|bytes| end.checked_add(bytes));
        end = next.ok_or_else(|| Failure::new("the tensors are too large for one file"))?;
        let info = TensorInfo { dtype: stored(*dtype)?, shape: shape.clone(), data_offsets: (start, end) };
        Ok((name.clone(), info))
    });
    let infos = infos.collect::<Result<Vec<_>, Failure>>()?;
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("a `.safetensors` header: {error}"));
    let metadata = Metadata::new(None, infos).map_err(|error| failed(&error))?;
    let mut text = serde_json::to_string(&metadata).map_err(|error| failed(&error))?;
    // Spaces, so that the elements begin at a multiple of 8.
    let padded = text.len().next_multiple_of(8);
    text.extend(std::iter::repeat_n(' ', padded - text.len()));
    let size = (text.len() as u64).to_le_bytes();
    out.write_all(&size).and_then(|()| out.write_all(text.as_bytes())).map_err(|error| failed(&error))
}
