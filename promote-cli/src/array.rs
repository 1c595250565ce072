//! Arrays in memory: a dtype, a shape, and bytes that kernels can read.

use promote::{CallError, ScalarValue, Slice, SliceMut};
use promote::{DType, Number, TensorView, TensorViewMut};

use crate::failure::Failure;
use crate::memory::not_enough;

/// An array in C order, in the byte order of the machine. A shape without dimensions has one element.
#[derive(Debug)]
pub struct Array {
    dtype: DType,
    shape: Vec<usize>,
    bytes: Bytes,
}

impl Array {
    /// Creates an array of zeros.
    ///
    /// # Errors
    /// Returns an error if the dtype has no elements, or if there is not enough memory.
    pub fn zeros(dtype: DType, shape: Vec<usize>) -> Result<Array, Failure> {
        let size = element_size(dtype)?;
        let what = || named(dtype, &shape);
        let bytes = checked_count(dtype, &shape)?.checked_mul(size);
        let bytes = bytes.ok_or_else(|| not_enough(&what(), format_args!("more than {}", usize::MAX)))?;
        let bytes = Bytes::zeros(bytes).ok_or_else(|| not_enough(&what(), bytes))?;
        Ok(Array { dtype, shape, bytes })
    }

    /// Creates a zero-dimensional array.
    ///
    /// # Errors
    /// Returns an error if the dtype has no elements.
    pub fn scalar(value: &ScalarValue) -> Result<Array, Failure> {
        let mut array = Array::zeros(value.dtype(), Vec::new())?;
        array.bytes_mut().copy_from_slice(value.as_bytes());
        Ok(array)
    }

    /// Returns the dtype of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Returns the length of each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        // A dtype with elements has a size, and it is not 0.
        self.bytes.len / self.dtype.size().unwrap_or(1).max(1)
    }

    /// Returns true if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the elements as a slice.
    ///
    /// # Errors
    /// Returns the errors of [`Slice::from_bytes`].
    pub fn elements(&self) -> Result<Slice<'_>, CallError> {
        Slice::from_bytes(self.dtype, self.bytes())
    }

    /// Returns the elements as a view.
    ///
    /// # Errors
    /// Returns the errors of [`Array::elements`].
    pub fn view(&self) -> Result<TensorView<'_>, Failure> {
        Ok(TensorView::new(self.elements()?, &self.shape)?)
    }

    /// Returns the elements as a mutable view.
    ///
    /// # Errors
    /// Returns the errors of [`Array::elements`].
    pub fn view_mut(&mut self) -> Result<TensorViewMut<'_>, Failure> {
        Ok(TensorViewMut::new(SliceMut::from_bytes(self.dtype, self.bytes.get_mut())?, &self.shape)?)
    }

    /// Returns the array with another shape of as many elements.
    ///
    /// # Errors
    /// Returns an error if the shape has another number of elements.
    pub fn shaped(self, shape: Vec<usize>) -> Result<Array, Failure> {
        if count(&shape) != Some(self.len()) {
            let (own, other) = (shape_text(&self.shape), shape_text(&shape));
            return Err(Failure::new(format!("an array of shape {own} cannot have the shape {other}")));
        }
        Ok(Array { shape, ..self })
    }

    /// Returns the bytes of the elements.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get()
    }

    /// Returns the bytes of the elements.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut()
    }

    /// Returns the value of a zero-dimensional array; `None` for an array with dimensions.
    pub fn value(&self) -> Option<ScalarValue> {
        if self.shape.is_empty() { ScalarValue::from_bytes(self.dtype, self.bytes()).ok() } else { None }
    }

    /// Swaps the byte order of every element.
    pub fn swap_byte_order(&mut self) {
        swap_byte_order(self.dtype, self.bytes.get_mut());
    }

    /// Sets the byte of every true `bool` to 1. Files may contain other bytes, all of which are true.
    pub fn normalise_bools(&mut self) {
        normalise_bools(self.dtype, self.bytes.get_mut());
    }
}

/// Swaps the byte order of every element, of complex ones in each part.
pub fn swap_byte_order(dtype: DType, elements: &mut [u8]) {
    let part = part_size(dtype);
    if part > 1 {
        for part in elements.chunks_exact_mut(part) {
            part.reverse();
        }
    }
}

/// Sets the byte of every true `bool` to 1.
pub fn normalise_bools(dtype: DType, elements: &mut [u8]) {
    if dtype == DType::Bool {
        for byte in elements {
            *byte = u8::from(*byte != 0);
        }
    }
}

/// Returns a block of elements of `dtype` as a slice.
///
/// # Errors
/// Returns the errors of [`Slice::from_bytes`].
pub fn block(dtype: DType, bytes: &[u8], range: std::ops::Range<usize>) -> Result<Slice<'_>, CallError> {
    Slice::from_bytes(dtype, &bytes[byte_range(dtype, range)])
}

/// Returns a block of elements of `dtype` as a mutable slice.
///
/// # Errors
/// Returns the errors of [`SliceMut::from_bytes`].
pub fn block_mut(
    dtype: DType,
    bytes: &mut [u8],
    range: std::ops::Range<usize>,
) -> Result<SliceMut<'_>, CallError> {
    SliceMut::from_bytes(dtype, &mut bytes[byte_range(dtype, range)])
}

fn byte_range(dtype: DType, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let size = dtype.size().unwrap_or(1);
    range.start * size..range.end * size
}

/// Returns the number of elements of a shape; `None` if the product of its lengths other than 0 overflows.
pub fn count(shape: &[usize]) -> Option<usize> {
    let product = shape.iter().try_fold(1_usize, |n, length| n.checked_mul((*length).max(1)))?;
    Some(if shape.contains(&0) { 0 } else { product })
}

/// Returns the number of elements of an array.
///
/// # Errors
/// Returns an error if the product of its lengths other than 0 overflows.
pub fn checked_count(dtype: DType, shape: &[usize]) -> Result<usize, Failure> {
    count(shape).ok_or_else(|| too_large(dtype, shape))
}

/// Returns the error for an array with more elements than can be counted.
pub fn too_large(dtype: DType, shape: &[usize]) -> Failure {
    let what = named(dtype, shape);
    Failure::new(format!("{what} is too large: its lengths multiply to more than {}", usize::MAX))
}

fn named(dtype: DType, shape: &[usize]) -> String {
    format!("an array of `{dtype}` and shape {}", shape_text(shape))
}

/// Returns the size of an element.
///
/// # Errors
/// Returns an error if the dtype has no elements.
pub fn element_size(dtype: DType) -> Result<usize, Failure> {
    match dtype.size() {
        Some(size @ 1..) if dtype.has_type() => Ok(size),
        _ => Err(CallError::NoElements { dtype }.into()),
    }
}

/// Returns the size of the unit whose byte order is swapped: of a complex number, one part.
fn part_size(dtype: DType) -> usize {
    let size = dtype.size().unwrap_or(1);
    if dtype.kind() == promote::Kind::Complex { size / 2 } else { size }
}

/// Writes a shape as Python does.
pub fn shape_text(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Converts a number to an element, as [`ScalarValue::from_number`] does.
///
/// # Errors
/// Returns an error if the dtype has no elements.
pub fn number_value(number: Number, dtype: DType) -> Result<ScalarValue, Failure> {
    Ok(ScalarValue::from_number(number, dtype)?)
}

/// Bytes that are aligned for elements of any dtype.
#[derive(Debug, Default)]
pub struct Bytes {
    /// The allocation, longer than the part in use.
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

impl Bytes {
    /// Allocates zeros; `None` if there is not enough memory.
    pub fn zeros(len: usize) -> Option<Bytes> {
        /// The size of a cache line, which is more than the alignment of any element.
        const ALIGN: usize = 64;
        let whole = len.checked_add(ALIGN)?;
        let mut memory = Vec::new();
        memory.try_reserve_exact(whole).ok()?;
        memory.resize(whole, 0);
        // The memory stays where it is: it never grows again.
        let start = memory.as_ptr().align_offset(ALIGN).min(ALIGN);
        Some(Bytes { memory, start, len })
    }

    /// Returns the bytes.
    pub fn get(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.len]
    }

    /// Returns the bytes.
    pub fn get_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.len]
    }
}
