//! Arrays in files, whose elements are read when they are needed.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;

use promote::DType;

use crate::array::{self, Array};
use crate::failure::Failure;
use crate::{memory, npy, system};

/// The number of bytes that are read at a time where nothing is computed.
const CHUNK: usize = 1 << 18;

/// The place of an array in a file, where its elements stand one after the other.
#[derive(Clone, Debug)]
pub struct Place {
    /// The dtype of the elements.
    pub dtype: DType,
    /// The length of each dimension.
    pub shape: Vec<usize>,
    /// The position of the first element in the file.
    pub start: u64,
    /// True if the byte order is not that of the machine.
    pub is_swapped: bool,
    /// True if the elements are in Fortran order, and this is another one than C order.
    pub is_fortran: bool,
}

/// An array in an open file.
#[derive(Debug)]
pub struct Stored {
    file: File,
    /// The file as errors name it.
    name: String,
    place: Place,
    /// The number of bytes of all elements.
    len: u64,
}

impl Stored {
    /// Creates an array from an open file, of which `name` is the name in errors, such as `` `a.npy` ``.
    ///
    /// # Errors
    /// Returns an error if no file can hold so many elements.
    pub fn new(file: File, name: String, place: Place) -> Result<Stored, Failure> {
        let len = bytes(place.dtype, &place.shape)?;
        Ok(Stored { file, name, place, len })
    }

    /// Returns the dtype of the elements.
    pub fn dtype(&self) -> DType {
        self.place.dtype
    }

    /// Returns the length of each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.place.shape
    }

    /// Returns the number of bytes of all elements.
    pub fn bytes(&self) -> u64 {
        self.len
    }

    /// Reads elements of a dtype that kernels compute with, in the order of the file. They have as many bytes
    /// as `to`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or has become shorter.
    pub fn read(&self, elements: Range<usize>, to: &mut [u8]) -> Result<(), Failure> {
        let size = array::element_size(self.place.dtype)?;
        self.read_bytes(elements.start as u64 * size as u64, to)?;
        if self.place.is_swapped {
            array::swap_byte_order(self.place.dtype, to);
        }
        array::normalise_bools(self.place.dtype, to);
        Ok(())
    }

    /// Reads all elements, in C order.
    ///
    /// # Errors
    /// Returns the errors of [`Stored::read`], and an error if there is not enough memory.
    pub fn load(&self) -> Result<Array, Failure> {
        let of = |failure: Failure| failure.of(&format!("cannot read {}", self.name));
        let mut array = Array::zeros(self.place.dtype, self.place.shape.clone()).map_err(of)?;
        self.read(0..array.len(), array.bytes_mut())?;
        if self.place.is_fortran { npy::to_c_order(&array).map_err(of) } else { Ok(array) }
    }

    /// Passes all elements to `sink`, in the byte order of the machine. Their dtype may be one that nothing
    /// computes with.
    ///
    /// # Errors
    /// Returns the errors of [`Stored::read`] and of `sink`.
    pub fn copy(&self, sink: &mut dyn FnMut(&mut [u8]) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut room = memory::zeroed("a block of a file", CHUNK.min(self.len as usize))?;
        let mut at = 0;
        while at < self.len {
            let left = usize::try_from(self.len - at).unwrap_or(CHUNK);
            let chunk = &mut room[..CHUNK.min(left)];
            self.read_bytes(at, chunk)?;
            at += chunk.len() as u64;
            if self.place.is_swapped {
                array::swap_byte_order(self.place.dtype, chunk);
            }
            array::normalise_bools(self.place.dtype, chunk);
            sink(chunk)?;
        }
        Ok(())
    }

    /// Reads bytes of the elements as they are in the file, from the byte `at` on.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or has become shorter.
    pub fn read_bytes(&self, at: u64, to: &mut [u8]) -> Result<(), Failure> {
        let mut file = &self.file;
        let read = file.seek(SeekFrom::Start(self.place.start + at)).and_then(|_| file.read_exact(to));
        read.map_err(|error| Failure::new(format!("cannot read {}: {}", self.name, system::reason(&error))))
    }
}

/// Returns the number of bytes of the elements of an array in a file.
///
/// # Errors
/// Returns an error if there are more than can be counted.
pub fn bytes(dtype: DType, shape: &[usize]) -> Result<u64, Failure> {
    // Elements of less than a byte are packed.
    let bits = array::checked_count(dtype, shape)?.checked_mul(dtype.bits() as usize);
    Ok(bits.ok_or_else(|| array::too_large(dtype, shape))?.div_ceil(8) as u64)
}

/// An operand of an expression.
#[derive(Debug)]
pub enum Input {
    /// An array in memory.
    Held(Array),
    /// An array in a file.
    Stored(Stored),
}

impl Input {
    /// Creates an operand from an array in a file. It is read if it has at most `most` bytes or is in Fortran
    /// order, or has no dimensions, since its value may decide dtypes.
    ///
    /// # Errors
    /// Returns the errors of [`Stored::load`].
    pub fn new(stored: Stored, most: usize) -> Result<Input, Failure> {
        let Stored { name, place, len, .. } = &stored;
        if place.is_fortran {
            let bytes = usize::try_from(len.saturating_mul(2)).unwrap_or(usize::MAX);
            memory::tell(
                &format!("{name} is in Fortran order, and is held in memory twice to be reordered"),
                bytes,
            );
        }
        // Arrays of other dtypes are copied from file to file.
        let is_read = *len <= most as u64 || place.is_fortran || place.shape.is_empty();
        if is_read && place.dtype.has_type() {
            stored.load().map(Input::Held)
        } else {
            Ok(Input::Stored(stored))
        }
    }

    /// Returns the dtype of the elements.
    pub fn dtype(&self) -> DType {
        match self {
            Input::Held(array) => array.dtype(),
            Input::Stored(stored) => stored.dtype(),
        }
    }

    /// Returns the length of each dimension.
    pub fn shape(&self) -> &[usize] {
        match self {
            Input::Held(array) => array.shape(),
            Input::Stored(stored) => stored.shape(),
        }
    }
}

impl From<Array> for Input {
    fn from(array: Array) -> Input {
        Input::Held(array)
    }
}
