//! Memory with elements: slices, views, owned tensors and single elements, and how calls read and write them.
//!
//! - `argument`, `operand`: what callers pass, and what it becomes for a kernel.
//! - `slice`, `view`, `scalar`, `allocation`: the types of memory.
//! - `staging`, `block`: operands that a kernel cannot read where they lie.
//! - `axes`: the axes of a call on views. `non_temporal`, `prefetch`, `threads`: large calls. `machine`: what
//!   the processor reports.
//!
//! Nothing in this module calls a kernel. A single element is converted by casts, so the conversions of
//! [`ScalarValue`] are in `kernel/scalar.rs`. The methods that compute on views are in `dispatch`.

#![allow(clippy::inline_always, reason = "loops over these become vector code only if all of it is inlined")]

#[cfg(feature = "alloc")]
pub(crate) mod allocation;
mod argument;
pub(crate) mod axes;
pub(crate) mod block;
pub(crate) mod machine;
pub(crate) mod non_temporal;
pub(crate) mod operand;
pub(crate) mod prefetch;
pub(crate) mod scalar;
mod shape;
pub(crate) mod slice;
pub(crate) mod staging;
pub(crate) mod threads;
mod view;

pub use argument::Argument;
pub use scalar::ScalarValue;
pub use shape::Shape;
pub(crate) use shape::{MAX_RANK, Mismatch, mismatch};
pub use slice::{Slice, SliceMut};
#[cfg(test)]
pub(crate) use view::Strides;
#[cfg(feature = "alloc")]
pub use view::Tensor;
#[cfg(feature = "alloc")]
pub(crate) use view::Uninit;
pub(crate) use view::{Layout, MAX_AXES};
pub use view::{TensorView, TensorViewMut, ViewError};
