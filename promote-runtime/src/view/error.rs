//! Why a view could not be made.

use core::fmt;

use crate::DType;

/// Why a view could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViewError {
    /// The dtype has no elements in memory that could be computed with.
    NoElements {
        /// The dtype.
        dtype: DType,
    },
    /// There are more strides than axes, or fewer.
    Rank {
        /// How many axes the shape has.
        shape: usize,
        /// How many strides were given.
        strides: usize,
    },
    /// Number of elements, or distance between two of them, is beyond what can be addressed.
    TooLarge,
    /// The shape has another number of elements than were given to lie side by side in it.
    Length {
        /// How many the shape has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// Elements lie outside of the memory that was given.
    OutOfBounds {
        /// Where the lowest byte of an element lies, from the beginning of the memory.
        first: isize,
        /// Where the byte behind the highest one lies.
        end: isize,
        /// How many bytes there are.
        bytes: usize,
    },
    /// Two indices of a view that is to be written lead to the same byte.
    Aliased,
    /// Two shapes do not broadcast to one.
    Shapes {
        /// The position of the shape that does not fit those before it.
        shape: usize,
        /// The axis, counted from the last one, which is 1.
        from_last: usize,
        /// The length of the shapes before it along the axis.
        expected: usize,
        /// Its own length; neither is 1.
        found: usize,
    },
    /// There is no memory for an array of this size.
    Memory {
        /// The size of the elements, or of the shape, in bytes.
        bytes: usize,
    },
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ViewError::NoElements { dtype } => write!(
                f,
                "`{dtype}` lives in tables only and has no elements to compute with; help: cast to a dtype that has"
            ),
            ViewError::Rank { shape, strides } => {
                write!(f, "the shape has {shape} axes and there are {strides} strides; help: pass one stride for each axis")
            }
            ViewError::TooLarge => f.write_str(
                "shape and strides reach further than memory can be addressed; help: check the shape for an overflow",
            ),
            ViewError::Length { expected, found } => write!(
                f,
                "the shape has {expected} elements and {found} are given; help: pass a shape of {found}, or strides and an offset"
            ),
            ViewError::OutOfBounds { first, end, bytes } => write!(
                f,
                "elements lie in the bytes {first}..{end} and there are {bytes}; help: strides and offset are in bytes, and a \
                 negative stride begins at the last element"
            ),
            ViewError::Aliased => f.write_str(
                "two elements of a view that is to be written share memory; help: copy it, or write to a view without strides of 0",
            ),
            ViewError::Shapes { shape, from_last, expected, found } => write!(
                f,
                "shape {shape} has the length {found} along axis -{from_last}, and the shapes before it have {expected}; help: an \
                 axis broadcasts if its length is 1"
            ),
            ViewError::Memory { bytes } => write!(
                f,
                "there is no memory for {bytes} bytes; help: make a smaller array, or view elements where they are"
            ),
        }
    }
}

impl core::error::Error for ViewError {}
