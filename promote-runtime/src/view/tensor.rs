//! Arrays that own their elements.

use alloc::vec::Vec;
use core::fmt;
use core::mem::MaybeUninit;

use super::buffer::Buffer;
use super::{Layout, TensorView, TensorViewMut, ViewError};
use crate::DType;
use crate::element::Element;
use crate::kernel::slice::element_size;
use crate::kernel::{CallError, ScalarValue, Slice, SliceMut};
use crate::memory::copy_of;

/// An array that owns its elements, in row-major order: for results, tests and examples.
///
/// A library of tensors has its own type, whose tensors become [views](TensorView).
///
/// # Examples
///
/// ```
/// use promote_runtime::{DType, Tensor};
///
/// let matrix = Tensor::from_vec(vec![1.5_f32, 2.0, -1.0, 0.25], &[2, 2])?;
/// assert_eq!(matrix.dtype(), DType::F32);
/// assert_eq!(matrix.to_string(), "[[1.5, 2.0], [-1.0, 0.25]]");
/// assert_eq!(matrix.into_vec::<f32>().unwrap(), [1.5, 2.0, -1.0, 0.25]);
/// # Ok::<(), promote_runtime::ViewError>(())
/// ```
pub struct Tensor {
    /// The elements with their shape, so that a call can borrow them as a view. It is always initialised. It
    /// points into `memory` and `shape`, which are not changed as long as the tensor lives; moving the tensor
    /// does not move them. Within a `MaybeUninit`, the reference to the shape does not promise to be valid
    /// until a function returns that is given a tensor and drops it.
    view: MaybeUninit<TensorView<'static>>,
    memory: Buffer,
    shape: Vec<usize>,
}

impl Tensor {
    /// Puts a tensor together.
    ///
    /// # Safety
    ///
    /// The memory begins with as many elements of the dtype as the shape has; they are initialised before
    /// anything reads them.
    unsafe fn assemble(dtype: DType, memory: Buffer, shape: Vec<usize>, len: usize) -> Tensor {
        let plain = memory.pointer().addr().is_multiple_of(alignment(dtype));
        let elements = Slice::of_view(dtype, memory.pointer().cast_const(), len, plain);
        // SAFETY: a vector's elements stay where they are when the vector is moved, and nobody changes these
        // or drops them before the view, which is in the same struct and never leaves it with this lifetime.
        let axes: &'static [usize] = unsafe { core::slice::from_raw_parts(shape.as_ptr(), shape.len()) };
        Tensor { view: MaybeUninit::new(TensorView::from(elements).shaped(axes)), memory, shape }
    }

    /// Copies elements, and gives them a shape.
    ///
    /// # Errors
    /// The shape has another number of elements, or there is no memory for them.
    pub fn new<'a>(elements: impl Into<Slice<'a>>, shape: &[usize]) -> Result<Tensor, ViewError> {
        let view = TensorView::from(elements.into());
        let dtype = view.dtype();
        check_count(dtype, shape, view.len())?;
        let mut made = Uninit::new(dtype, shape).map_err(|error| match error {
            CallError::Memory { bytes } => ViewError::Memory { bytes },
            _ => ViewError::NoElements { dtype },
        })?;
        // SAFETY: the slice has as many elements as there is room for; the two are different memory.
        unsafe { core::ptr::copy_nonoverlapping(view.pointer(), made.pointer(), made.bytes()) };
        // SAFETY: all elements are written.
        Ok(unsafe { made.written() })
    }

    /// Takes the elements of a vector, without copying them, and gives them a shape.
    ///
    /// # Errors
    /// The shape has another number of elements, or there is no memory to keep it; the elements are lost.
    pub fn from_vec<T: Element>(elements: Vec<T>, shape: &[usize]) -> Result<Tensor, ViewError> {
        let len = elements.len();
        check_count(T::DTYPE, shape, len)?;
        let shape = copy_of(shape).map_err(|_| ViewError::Memory { bytes: size_of_val(shape) })?;
        // SAFETY: the vector begins with `len` elements of its type, which are of the dtype.
        Ok(unsafe { Tensor::assemble(T::DTYPE, Buffer::from_vec(elements), shape, len) })
    }

    /// Returns the elements in row-major order, without copying them.
    ///
    /// # Errors
    /// Returns the tensor if its elements are of another dtype, if they were allocated with another alignment
    /// than that of `T`, or if `T` is `bool` and a byte is neither 0 nor 1.
    #[allow(
        clippy::result_large_err,
        reason = "the error gives the tensor back, as that of `Rc::try_unwrap` does"
    )]
    pub fn into_vec<T: Element>(self) -> Result<Vec<T>, Tensor> {
        if self.as_slice::<T>().is_none() {
            return Err(self);
        }
        let (dtype, len) = (self.dtype(), self.len());
        let Tensor { memory, shape, .. } = self;
        // SAFETY: the memory begins with so many elements, which can be seen as a `&[T]`.
        match unsafe { memory.into_vec(len) } {
            Ok(elements) => Ok(elements),
            // SAFETY: the parts are those of this tensor.
            Err(memory) => Err(unsafe { Tensor::assemble(dtype, memory, shape, len) }),
        }
    }

    /// An array of zeros: of `bool`, of false.
    ///
    /// # Errors
    /// The dtype has no elements, or there is no memory for so many.
    pub fn zeros(dtype: DType, shape: &[usize]) -> Result<Tensor, CallError> {
        let made = Uninit::allocate(dtype, shape, true)?;
        // SAFETY: zeros are elements of every dtype.
        Ok(unsafe { made.written() })
    }

    /// The dtype of the elements.
    pub const fn dtype(&self) -> DType {
        self.as_view().dtype()
    }

    /// The lengths of the axes; of no axes there is one element.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of elements.
    pub const fn len(&self) -> usize {
        self.as_view().len()
    }

    /// Returns true if there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.as_view().is_empty()
    }

    /// The elements with their shape, to be read.
    pub const fn view(&self) -> TensorView<'_> {
        *self.as_view()
    }

    /// The elements with their shape, borrowed as calls take it.
    pub(crate) const fn as_view(&self) -> &TensorView<'_> {
        // SAFETY: it is always initialised.
        unsafe { self.view.assume_init_ref() }
    }

    /// The elements with their shape, to be written.
    pub fn view_mut(&mut self) -> TensorViewMut<'_> {
        self.slice_mut(true).shaped(&self.shape)
    }

    fn slice_mut(&mut self, initialised: bool) -> TensorViewMut<'static> {
        let (dtype, len, plain) = (self.dtype(), self.len(), self.as_view().is_aligned());
        SliceMut::of_view(dtype, self.memory.pointer(), len, plain, initialised).into()
    }

    /// The elements in row-major order.
    pub fn elements(&self) -> Slice<'_> {
        Slice::of_view(self.dtype(), self.as_view().pointer(), self.len(), self.as_view().is_aligned())
    }

    /// The elements as `T`; `None` where they are of another dtype, or `bool` of which a byte is neither 0
    /// nor 1.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        self.elements().as_slice()
    }

    /// The bytes of the elements, in the order of this machine.
    pub fn bytes(&self) -> &[u8] {
        let bytes = self.len() * self.elements().size();
        // SAFETY: so many bytes are initialised: all elements are.
        unsafe { core::slice::from_raw_parts(self.as_view().pointer(), bytes) }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        let bytes = self.bytes().len();
        // SAFETY: so many bytes are initialised, and this borrows the tensor mutably.
        unsafe { core::slice::from_raw_parts_mut(self.memory.pointer(), bytes) }
    }

    /// Gives the elements another shape.
    ///
    /// # Errors
    /// The shape has another number of elements, or there is no memory to keep it; the array is lost.
    pub fn reshaped(self, shape: &[usize]) -> Result<Tensor, ViewError> {
        check_count(self.dtype(), shape, self.len())?;
        let shape = copy_of(shape).map_err(|_| ViewError::Memory { bytes: size_of_val(shape) })?;
        let (dtype, len) = (self.dtype(), self.len());
        // SAFETY: the new shape has as many elements.
        Ok(unsafe { Tensor::assemble(dtype, self.memory, shape, len) })
    }

    /// The element of an array that has only one.
    pub fn item(&self) -> Option<ScalarValue> {
        if self.len() == 1 { self.view().first() } else { None }
    }
}

/// Checks that a shape has so many elements.
fn check_count(dtype: DType, shape: &[usize], found: usize) -> Result<(), ViewError> {
    let size = dtype.size().ok_or(ViewError::NoElements { dtype })?;
    let expected = Layout::contiguous(shape, size)?.len();
    if expected == found { Ok(()) } else { Err(ViewError::Length { expected, found }) }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor")
            .field("dtype", &self.dtype())
            .field("shape", &self.shape)
            .field("elements", &format_args!("{self}"))
            .finish_non_exhaustive()
    }
}

/// Prints the elements as nested lists. Of more than 1000 elements, each axis shows its first and last three.
impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_view().fmt(f)
    }
}

/// Compares dtype, shape and elements. As among numbers, NaN is not equal to itself, and -0.0 is equal to
/// 0.0; elements of custom dtypes that are not cast are compared by their bytes.
impl PartialEq for Tensor {
    fn eq(&self, other: &Tensor) -> bool {
        let size = self.elements().size().max(1);
        let equal = |pair: (&[u8], &[u8])| {
            let value = |bytes| ScalarValue::from_bytes(self.dtype(), bytes).ok().and_then(|x| x.number());
            match (value(pair.0), value(pair.1)) {
                (Some(a), Some(b)) => a == b,
                _ => pair.0 == pair.1,
            }
        };
        self.dtype() == other.dtype()
            && self.shape == other.shape
            && self.bytes().chunks_exact(size).zip(other.bytes().chunks_exact(size)).all(equal)
    }
}

impl Clone for Tensor {
    fn clone(&self) -> Self {
        let (dtype, bytes) = (self.dtype(), self.bytes());
        let memory = Buffer::new(bytes.len(), self.memory.align(), false);
        let Some(memory) = memory else {
            let layout = core::alloc::Layout::from_size_align(bytes.len(), self.memory.align());
            alloc::alloc::handle_alloc_error(layout.unwrap_or(core::alloc::Layout::new::<u128>()))
        };
        // SAFETY: there is room for so many bytes, which are no others'.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.pointer(), bytes.len()) };
        // SAFETY: all elements are copied.
        unsafe { Tensor::assemble(dtype, memory, self.shape.clone(), self.len()) }
    }
}

/// Room for an array whose elements are still to be written.
pub(crate) struct Uninit(Tensor);

impl Uninit {
    /// # Errors
    /// The dtype has no elements, or there is no memory for so many.
    pub(crate) fn new(dtype: DType, shape: &[usize]) -> Result<Uninit, CallError> {
        Uninit::allocate(dtype, shape, false)
    }

    fn allocate(dtype: DType, shape: &[usize], zeroed: bool) -> Result<Uninit, CallError> {
        let size = element_size(dtype)?;
        let missing = CallError::Memory { bytes: usize::MAX };
        let layout = Layout::contiguous(shape, size).map_err(|_| missing)?;
        let (len, bytes) = (layout.len(), layout.len() * size);
        let memory = Buffer::new(bytes, alignment(dtype), zeroed).ok_or(CallError::Memory { bytes })?;
        let shape = copy_of(shape)?;
        // SAFETY: there is room for the elements; whoever has written them says so, and before that nobody
        // reads them.
        Ok(Uninit(unsafe { Tensor::assemble(dtype, memory, shape, len) }))
    }

    /// The room as the `out` of a call.
    pub(crate) fn view_mut(&mut self) -> TensorViewMut<'_> {
        self.0.slice_mut(false).shaped(&self.0.shape)
    }

    fn pointer(&mut self) -> *mut u8 {
        self.0.memory.pointer()
    }

    fn bytes(&self) -> usize {
        self.0.len() * self.0.elements().size()
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

/// The alignment of the dtype's Rust type, with which a `Vec` of it is allocated.
fn alignment(dtype: DType) -> usize {
    macro_rules! of_type {
        ({} typed [$({ $doc:literal } $variant:ident $name:ident $bits:literal $align:literal $format:expr;)*] $($rest:tt)*) => {
            match dtype {
                $(DType::$variant => align_of::<crate::__types::$name>(),)*
                other => other.align().max(1),
            }
        };
    }
    promote_core::__dtypes! { of_type {} }
}
