//! Arrays that own their elements.

use alloc::vec::Vec;
use core::fmt;
use core::mem::MaybeUninit;

use super::{Layout, TensorView, TensorViewMut, ViewError};
use crate::DType;
use crate::element::Element;
use crate::kernel::slice::element_size;
use crate::kernel::{CallError, ScalarValue, SliceMut, SliceRef};
use crate::memory::copy_of;

/// So many bytes are aligned for every dtype.
type Chunk = MaybeUninit<u128>;

/// An array that owns its elements, side by side, the last index running fastest: for results, tests and
/// examples.
///
/// A library of tensors has its own; its tensors become [views](TensorView).
pub struct Tensor {
    dtype: DType,
    /// As many elements as the shape has, all of them initialised.
    memory: Vec<Chunk>,
    shape: Vec<usize>,
    len: usize,
}

impl Tensor {
    /// A copy of elements, with a shape.
    ///
    /// # Errors
    /// The shape has another number of elements, or there is no memory for them.
    pub fn new<'a>(elements: impl Into<SliceRef<'a>>, shape: &[usize]) -> Result<Tensor, ViewError> {
        let view = TensorView::from(elements.into());
        let dtype = view.dtype();
        let size = dtype.size().ok_or(ViewError::NoElements { dtype })?;
        let layout = Layout::contiguous(shape, size)?;
        if layout.len() != view.len() {
            return Err(ViewError::Length { expected: layout.len(), found: view.len() });
        }
        let mut made = Uninit::new(dtype, shape).map_err(|error| match error {
            CallError::Memory { bytes } => ViewError::Memory { bytes },
            _ => ViewError::NoElements { dtype },
        })?;
        // SAFETY: the slice has as many elements as there is room for; the two are different memory.
        unsafe { core::ptr::copy_nonoverlapping(view.pointer(), made.pointer(), made.bytes()) };
        // SAFETY: all elements are written.
        Ok(unsafe { made.written() })
    }

    /// An array of zeros: of `bool`, of false.
    ///
    /// # Errors
    /// The dtype has no elements, or there is no memory for so many.
    pub fn zeros(dtype: DType, shape: &[usize]) -> Result<Tensor, CallError> {
        let mut made = Uninit::new(dtype, shape)?;
        // SAFETY: there is room for so many bytes.
        unsafe { made.pointer().write_bytes(0, made.bytes()) };
        // SAFETY: all elements are written.
        Ok(unsafe { made.written() })
    }

    /// The dtype of the elements.
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// The lengths of the axes; of no axes there is one element.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many elements there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements with their shape, to be read.
    pub fn view(&self) -> TensorView<'_> {
        TensorView::from(self.elements()).shaped(&self.shape)
    }

    /// The elements with their shape, to be written.
    pub fn view_mut(&mut self) -> TensorViewMut<'_> {
        let slice = SliceMut::of_view(self.dtype, self.memory.as_mut_ptr().cast(), self.len, true, true);
        TensorViewMut::from(slice).shaped(&self.shape)
    }

    /// The elements side by side.
    pub fn elements(&self) -> SliceRef<'_> {
        SliceRef::of_view(self.dtype, self.memory.as_ptr().cast(), self.len, true)
    }

    /// The elements as `T`; `None` where they are of another dtype, or `bool` of which a byte is neither 0
    /// nor 1.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        self.elements().as_slice()
    }

    /// The bytes of the elements, in the order of this machine.
    pub fn bytes(&self) -> &[u8] {
        let bytes = self.len * self.elements().size();
        // SAFETY: so many bytes are initialised: all elements are.
        unsafe { core::slice::from_raw_parts(self.memory.as_ptr().cast(), bytes) }
    }

    /// The same elements with another shape of as many.
    ///
    /// # Errors
    /// The shape has another number of elements, or there is no memory to keep it; the array is lost.
    pub fn reshaped(self, shape: &[usize]) -> Result<Tensor, ViewError> {
        let layout = Layout::contiguous(shape, self.elements().size())?;
        if layout.len() != self.len {
            return Err(ViewError::Length { expected: layout.len(), found: self.len });
        }
        let missing = ViewError::Memory { bytes: size_of_val(shape) };
        let shape = copy_of(shape).map_err(|_| missing)?;
        Ok(Tensor { shape, ..self })
    }

    /// The element of an array that has one only.
    pub fn item(&self) -> Option<ScalarValue> {
        if self.len == 1 { self.view().first() } else { None }
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor")
            .field("dtype", &self.dtype)
            .field("shape", &self.shape)
            .finish_non_exhaustive()
    }
}

impl Clone for Tensor {
    fn clone(&self) -> Self {
        Tensor { memory: self.memory.clone(), shape: self.shape.clone(), ..*self }
    }
}

/// Room for an array whose elements are still to be written.
pub(crate) struct Uninit(Tensor);

impl Uninit {
    /// # Errors
    /// The dtype has no elements, or there is no memory for so many.
    pub(crate) fn new(dtype: DType, shape: &[usize]) -> Result<Uninit, CallError> {
        let size = element_size(dtype)?;
        let missing = CallError::Memory { bytes: usize::MAX };
        let layout = Layout::contiguous(shape, size).map_err(|_| missing)?;
        let (len, bytes) = (layout.len(), layout.len() * size);
        let missing = CallError::Memory { bytes };
        let chunks = bytes.div_ceil(size_of::<Chunk>());
        let mut memory = Vec::new();
        memory.try_reserve_exact(chunks).map_err(|_| missing)?;
        // SAFETY: there is room for them, and they need not be initialised.
        unsafe { memory.set_len(chunks) };
        let shape = copy_of(shape)?;
        Ok(Uninit(Tensor { dtype, memory, shape, len }))
    }

    /// The room as the `out` of a call.
    pub(crate) fn view_mut(&mut self) -> TensorViewMut<'_> {
        let Tensor { dtype, len, .. } = self.0;
        let slice = SliceMut::of_view(dtype, self.pointer(), len, true, false);
        TensorViewMut::from(slice).shaped(&self.0.shape)
    }

    fn pointer(&mut self) -> *mut u8 {
        self.0.memory.as_mut_ptr().cast()
    }

    fn bytes(&self) -> usize {
        self.0.len * self.0.elements().size()
    }

    /// The array.
    ///
    /// # Safety
    ///
    /// All its elements are written.
    pub(crate) unsafe fn written(self) -> Tensor {
        self.0
    }
}
