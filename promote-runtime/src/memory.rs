//! Memory with elements: slices, views, owned tensors and single elements, and how large calls read and write
//! it.
//!
//! Nothing here calls a kernel. A single element is converted by casts, so [`ScalarValue`]'s conversions are in
//! `kernel/scalar.rs`; the methods that compute on views are in `dispatch`.

#[cfg(feature = "alloc")]
pub(crate) mod allocation;
pub(crate) mod block;
pub(crate) mod non_temporal;
pub(crate) mod prefetch;
mod scalar;
pub(crate) mod slice;
pub(crate) mod threads;
mod view;

pub use scalar::ScalarValue;
pub use slice::{Input, Slice, SliceMut};
#[cfg(test)]
pub(crate) use view::Strides;
#[cfg(feature = "alloc")]
pub use view::Tensor;
#[cfg(feature = "alloc")]
pub(crate) use view::Uninit;
pub(crate) use view::{Layout, MAX_AXES};
pub use view::{TensorView, TensorViewMut, ViewError};
