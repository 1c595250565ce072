//! Errors of views and tensors.

use core::fmt;

use crate::DType;

/// The error for a view or a tensor that could not be made.
///
/// ```
/// use promote::{TensorViewMut, ViewError};
///
/// let mut elements = [0.0_f32; 2];
/// let error = TensorViewMut::strided(&mut elements, &[2, 2], &[0, 1], 0).unwrap_err();
/// assert_eq!(error, ViewError::Aliased);
/// assert!(error.to_string().starts_with("elements of a mutable view overlap; help: "));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewError {
    /// The dtype exists in tables only: no array can have elements of it.
    NoElements {
        /// The dtype.
        dtype: DType,
    },
    /// The number of strides differs from the number of axes.
    Rank {
        /// The number of axes in the shape.
        shape: usize,
        /// The number of strides.
        strides: usize,
    },
    /// The number of elements, or the distance in bytes between two of them, exceeds `isize::MAX`.
    TooLarge,
    /// The number of elements differs from that of the shape.
    Length {
        /// The number of elements in the shape.
        expected: usize,
        /// The number of elements passed.
        found: usize,
    },
    /// Elements of the view lie outside of its memory.
    OutOfBounds {
        /// The offset in bytes at which the lowest element begins.
        first: isize,
        /// The offset in bytes at which the highest element ends.
        end: isize,
        /// The size of the memory in bytes.
        bytes: usize,
    },
    /// Two elements of a mutable view share memory, or its strides are too irregular to rule that out.
    Aliased,
    /// Two shapes do not broadcast to one.
    Shapes {
        /// The position of the shape that does not fit those before it.
        shape: usize,
        /// The axis, counted from the last one, which is 1.
        from_last: usize,
        /// The length of the shapes before it along the axis.
        expected: usize,
        /// The shape's own length along the axis; neither is 1.
        found: usize,
    },
    /// The allocator had not enough memory.
    Memory {
        /// The size of the allocation in bytes.
        bytes: usize,
    },
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViewError::NoElements { dtype } => write!(
                f,
                "`{dtype}` exists in promotion tables only, and arrays cannot have it; help: use a dtype with a Rust type, such as \
                 `f32`"
            ),
            ViewError::Rank { shape, strides } => {
                write!(f, "{strides} strides for a shape of {shape} axes; help: pass one stride for each axis")
            }
            ViewError::TooLarge => f.write_str(
                "the view is larger than the address space; help: check shape and strides for an overflow",
            ),
            ViewError::Length { expected, found } => write!(
                f,
                "{found} elements for a shape of {expected}; help: pass a shape of {found} elements, or strides and an offset"
            ),
            ViewError::OutOfBounds { first, end, bytes } => write!(
                f,
                "the view covers the bytes {first}..{end} of a buffer of {bytes} bytes; help: check shape, strides and offset; with \
                 a negative stride, the offset is that of the last element"
            ),
            ViewError::Aliased => f.write_str(
                "elements of a mutable view overlap; help: use strides that keep elements apart, or write to a copy",
            ),
            ViewError::Shapes { shape, from_last, expected, found } => write!(
                f,
                "shape {shape} has length {found} along axis -{from_last}, and the shapes before it have {expected}; help: only an \
                 axis of length 1 broadcasts to another length"
            ),
            ViewError::Memory { bytes } => write!(
                f,
                "cannot allocate {bytes} bytes; help: make a smaller array, or use a view of existing memory"
            ),
        }
    }
}

impl core::error::Error for ViewError {}
