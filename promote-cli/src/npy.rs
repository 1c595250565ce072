//! NumPy's `.npy` format: a header, and the bytes of the elements.

use std::io::{Read, Write};

use promote::DType;

use crate::array::{self, Array};
use crate::failure::Failure;
use crate::stored::Place;

mod header;

/// Reads the header of a file of `length` bytes. The elements follow it.
///
/// # Errors
/// Returns an error if the file has no such array, or is shorter or longer than its header says.
pub fn read_header(file: &mut impl Read, length: u64) -> Result<Place, Failure> {
    let header = header::read(file, length)?;
    let (dtype, is_swapped) = dtype(&header.descr)?;
    let shape = header.shape;

    let held = length.saturating_sub(header.length as u64);
    let claimed = array::count(&shape).and_then(|n| n.checked_mul(array::element_size(dtype).ok()?));
    if claimed.map(|claimed| claimed as u64) != Some(held) {
        let claimed = claimed.map_or_else(|| "more than 2^64".to_owned(), |claimed| claimed.to_string());
        let shape = array::shape_text(&shape);
        return Err(Failure::new(format!(
            "its header says `{dtype}` and the shape {shape}, which is {claimed} bytes, and there are {held}"
        )));
    }
    let is_fortran = header.fortran_order && shape.iter().filter(|len| **len > 1).count() > 1;
    Ok(Place { dtype, shape, start: header.length as u64, is_swapped, is_fortran })
}

/// Reads the array of a file of `length` bytes.
///
/// # Errors
/// Returns the errors of [`read_header`], and an error if there is not enough memory.
pub fn read(file: &mut impl Read, length: u64) -> Result<Array, Failure> {
    let Place { dtype, shape, is_swapped, is_fortran, .. } = read_header(file, length)?;
    let mut array = Array::zeros(dtype, shape)?;
    file.read_exact(array.bytes_mut()).map_err(|error| Failure::new(crate::system::reason(&error)))?;
    if is_swapped {
        array.swap_byte_order();
    }
    array.normalise_bools();
    if is_fortran { to_c_order(&array) } else { Ok(array) }
}

/// Returns the dtype of a type string, and whether its byte order is not that of this machine.
fn dtype(descr: &str) -> Result<(DType, bool), Failure> {
    if let Some(dtype) = DType::from_numpy_name(descr) {
        let other_order = if cfg!(target_endian = "big") { '<' } else { '>' };
        return Ok((dtype, descr.starts_with(other_order)));
    }
    let plain = descr.trim_start_matches(['<', '>', '|', '=']);
    let of = |what: &str| format!("its elements are {what} (`{descr}`)");
    let message = match plain.chars().next() {
        _ if plain == "V1" => format!("`{descr}` does not say which 8-bit dtype its elements are"),
        Some('U' | 'S') => of("strings"),
        Some('M') => of("dates"),
        Some('m') => of("durations"),
        Some('O') => of("Python objects"),
        _ => format!("nothing computes with elements of `{descr}`"),
    };
    let help = if plain.starts_with('V') {
        "8-bit floats and c32, for which NumPy has no name, travel in `.safetensors`"
    } else {
        "convert them in NumPy first, such as by `array.astype('float64')`"
    };
    Err(Failure::new(message).help(help))
}

/// Returns the little-endian type string of a dtype. That of bf16 is the one of `ml_dtypes`, and is read by
/// `np.load(path).view(ml_dtypes.bfloat16)`.
///
/// # Errors
/// Returns an error if `NumPy` has no name for the dtype.
pub fn type_string(dtype: DType) -> Result<String, Failure> {
    let order = if dtype.size() == Some(1) { '|' } else { '<' };
    dtype.numpy_name().map(|name| format!("{order}{name}")).ok_or_else(|| {
        let failure = Failure::new(format!("`.npy` has no name for `{dtype}`"));
        match super::tensors::stored(dtype) {
            Ok(_) => failure.help("write to `.safetensors`"),
            Err(_) => failure.help(format!("no file format here has `{dtype}`: compute in a wider dtype")),
        }
    })
}

/// Writes the header.
///
/// # Errors
/// Returns an error if `NumPy` has no name for the dtype.
pub fn write_header(out: &mut impl Write, dtype: DType, shape: &[usize]) -> Result<(), Failure> {
    header::write(out, &type_string(dtype)?, shape).map_err(|error| Failure::new(error.to_string()))
}

/// Reorders an array from Fortran order to C order.
pub(crate) fn to_c_order(array: &Array) -> Result<Array, Failure> {
    let mut out = Array::zeros(array.dtype(), array.shape().to_vec())?;
    let (shape, from, to) = (array.shape(), array.bytes(), out.bytes_mut());
    match array.dtype().size() {
        Some(1) => reorder::<1>(shape, from, to),
        Some(2) => reorder::<2>(shape, from, to),
        Some(4) => reorder::<4>(shape, from, to),
        Some(8) => reorder::<8>(shape, from, to),
        _ => reorder::<16>(shape, from, to),
    }
    Ok(out)
}

fn reorder<const SIZE: usize>(shape: &[usize], from: &[u8], to: &mut [u8]) {
    let (from, to) = (from.as_chunks::<SIZE>().0, to.as_chunks_mut::<SIZE>().0);
    let mut index = vec![0; shape.len()];
    // The position of the element at `index`, and its stride along each dimension.
    let mut position = 0;
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = 1;
    for length in shape {
        strides.push(stride);
        stride *= length;
    }
    for element in to {
        *element = from[position];
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            position += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            position -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
}
