//! The error of a call.

use std::fmt;

use burn_tensor::{DType, PrimitiveConversionError};
use promote::Op;

/// The error of a call on burn tensors.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A tensor is not a plain tensor on the Flex backend: it is on another device, tracked by autodiff, or
    /// quantized. The text is burn's.
    NotFlex(String),
    /// `promote` does not compute with tensors of this dtype of burn.
    BurnDType(DType),
    /// burn has no such dtype.
    DType(promote::DType),
    /// The tensor type of the result is of another kind than its dtype.
    Kind {
        /// The kind of the tensor type.
        expected: &'static str,
        /// The dtype that the rule set gives.
        found: DType,
    },
    /// The tensor type of the result has another number of dimensions than the result.
    Rank {
        /// The number of dimensions of the tensor type.
        expected: usize,
        /// The number of dimensions that the operands broadcast to.
        found: usize,
    },
    /// No operand is a tensor.
    NoTensor(Op),
    /// The op does not compute element by element.
    NotElementwise(Op),
    /// The rule set refuses the operands, or the call failed.
    Promote(promote::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotFlex(reason) => write!(
                f,
                "mixed dtypes are computed for plain tensors on the Flex backend alone: {reason}; help: move \
                 the tensor by `to_device(&Device::flex())`, leave autodiff by `inner()`, dequantize it, or \
                 cast the operands to one dtype and call the op of burn"
            ),
            Error::BurnDType(dtype) => write!(
                f,
                "tensors of burn's dtype {} are not computed with others; help: cast or dequantize the \
                 tensor first",
                dtype.name()
            ),
            Error::DType(dtype) => write!(
                f,
                "burn has no dtype `{dtype}`; help: cast an operand to another dtype first, or use another \
                 rule set"
            ),
            Error::Kind { expected, found } => write!(
                f,
                "the result is of dtype {}, but the type of the tensor says {expected}; help: write the kind \
                 of that dtype, such as `Tensor<2, Int>` for integers, or cast an operand first",
                found.name()
            ),
            Error::Rank { expected, found } => write!(
                f,
                "the result has {found} dimensions, but the type of the tensor says {expected}; help: write \
                 `Tensor<{found}, ..>`, or reshape an operand"
            ),
            Error::NoTensor(op) => write!(
                f,
                "no operand of `{op}` is a tensor; help: make one of the numbers a tensor, by \
                 `Tensor::from_data`"
            ),
            Error::NotElementwise(op) => write!(
                f,
                "`{op}` does not compute element by element; help: use burn's own reduction, or an \
                 elementwise op"
            ),
            Error::Promote(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Promote(error) => Some(error),
            _ => None,
        }
    }
}

impl From<PrimitiveConversionError> for Error {
    fn from(error: PrimitiveConversionError) -> Self {
        match error {
            PrimitiveConversionError::BackendMismatch(reason)
            | PrimitiveConversionError::KindMismatch(reason) => Error::NotFlex(reason),
        }
    }
}

macro_rules! sources {
    ($($source:ty)*) => {$(
        impl From<$source> for Error {
            fn from(error: $source) -> Self {
                Error::Promote(error.into())
            }
        }
    )*};
}

sources! { promote::Error promote::CallError promote::ViewError }
