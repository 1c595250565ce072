//! The memory of an output.

use crate::DType;
use crate::dispatch::iteration::Output;
#[cfg(feature = "alloc")]
use crate::memory::Tensor;
use crate::memory::TensorViewMut;

impl Output<'_> {
    /// Returns the dtype and the shape; `None` if the output is not allocated yet.
    pub(super) fn dtype_and_shape(&self) -> Option<(DType, &[usize])> {
        match self {
            Output::View(view) => Some((view.dtype(), view.shape())),
            #[cfg(feature = "alloc")]
            Output::Tensor(tensor) => Some((tensor.dtype(), tensor.shape())),
            #[cfg(feature = "alloc")]
            Output::Allocated(tensor) => Some((tensor.dtype(), tensor.shape())),
            Output::New => None,
        }
    }

    /// Returns the shape; `None` if the output is not allocated yet.
    pub(super) fn shape(&self) -> Option<&[usize]> {
        self.dtype_and_shape().map(|(_, shape)| shape)
    }

    /// Returns a mutable view; `None` if the output is not allocated yet.
    pub(super) fn view_mut(&mut self) -> Option<TensorViewMut<'_>> {
        match self {
            Output::View(view) => Some(view.reborrow()),
            #[cfg(feature = "alloc")]
            Output::Tensor(tensor) => Some(tensor.view_mut()),
            #[cfg(feature = "alloc")]
            Output::Allocated(tensor) => Some(tensor.view_mut()),
            Output::New => None,
        }
    }

    /// Replaces the output by a tensor.
    #[cfg(feature = "alloc")]
    pub(super) fn replace(&mut self, new: Tensor) {
        match self {
            Output::Tensor(tensor) => **tensor = new,
            _ => *self = Output::Allocated(new),
        }
    }
}
