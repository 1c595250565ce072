//! The room of an output.

use super::Output;
use crate::view::TensorViewMut;
#[cfg(feature = "alloc")]
use crate::view::tensor::Tensor;

impl Output<'_> {
    /// The shape of one that is there.
    pub(super) fn shape(&self) -> Option<&[usize]> {
        match self {
            Output::View(view) => Some(view.shape()),
            #[cfg(feature = "alloc")]
            Output::Tensor(tensor) => Some(tensor.shape()),
            #[cfg(feature = "alloc")]
            Output::Made(tensor) => Some(tensor.shape()),
            Output::New => None,
        }
    }

    /// The room of one that is there.
    pub(super) fn view_mut(&mut self) -> Option<TensorViewMut<'_>> {
        match self {
            Output::View(view) => Some(view.reborrow()),
            #[cfg(feature = "alloc")]
            Output::Tensor(tensor) => Some(tensor.view_mut()),
            #[cfg(feature = "alloc")]
            Output::Made(tensor) => Some(tensor.view_mut()),
            Output::New => None,
        }
    }

    /// Whether another array can take its place.
    pub(super) fn is_resizable(&self) -> bool {
        match self {
            Output::View(_) => false,
            #[cfg(feature = "alloc")]
            Output::Tensor(_) | Output::Made(_) => true,
            Output::New => true,
        }
    }

    #[cfg(feature = "alloc")]
    pub(super) fn has_room(&self, shape: &[usize]) -> bool {
        self.shape() == Some(shape)
    }

    /// Puts an array in its place.
    #[cfg(feature = "alloc")]
    pub(super) fn put(&mut self, made: Tensor) {
        match self {
            Output::Tensor(tensor) => **tensor = made,
            _ => *self = Output::Made(made),
        }
    }
}
