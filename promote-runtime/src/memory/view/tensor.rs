//! Tensors: arrays that own their elements.

use alloc::vec::Vec;
use core::fmt;
use core::mem::MaybeUninit;

use crate::DType;
use crate::element::Element;
use crate::error::call::CallError;
use crate::memory::allocation::copy_of;
use crate::memory::slice::element_size;
use crate::memory::view::buffer::Buffer;
use crate::memory::view::contiguous;
use crate::memory::{Layout, ScalarValue, Slice, SliceMut, TensorView, TensorViewMut, ViewError};

/// An N-dimensional array that owns its elements, in row-major order.
///
/// Calls such as [`RuleSet::call`](crate::RuleSet::call) return tensors. A library with its own array type
/// passes that as [views](TensorView), and either takes the memory of a result by [`Tensor::into_vec`] or has
/// it written into its own by [`Call::out`](crate::Call::out).
///
/// # Examples
///
/// ```
/// use promote::{DType, Tensor};
///
/// let matrix = Tensor::from_vec(vec![1.5_f32, 2.0, -1.0, 0.25], &[2, 2])?;
/// assert_eq!(matrix.dtype(), DType::F32);
/// assert_eq!(matrix.to_string(), "[[1.5, 2.0], [-1.0, 0.25]]");
/// assert_eq!(matrix.into_vec::<f32>().unwrap(), [1.5, 2.0, -1.0, 0.25]);
/// # Ok::<(), promote::ViewError>(())
/// ```
pub struct Tensor {
    /// A view of `memory` with `shape`, so that calls can borrow it. It is always initialised. The memory and
    /// the shape do not change as long as the tensor lives, and moving the tensor does not move them. The
    /// `MaybeUninit` is there because a function that drops its tensor argument would otherwise hold a
    /// reference to the freed shape until it returns.
    view: MaybeUninit<TensorView<'static>>,
    memory: Buffer,
    shape: Vec<usize>,
}

impl Tensor {
    /// Makes a tensor of `len` elements.
    ///
    /// # Safety
    ///
    /// The memory begins with `len` elements of the dtype, as many as the shape has; they are initialised
    /// before anything reads them.
    unsafe fn assemble(dtype: DType, memory: Buffer, shape: Vec<usize>, len: usize) -> Tensor {
        let plain = memory.pointer().addr().is_multiple_of(alignment(dtype));
        let elements = Slice::from_parts(dtype, memory.pointer().cast_const(), len, plain);
        // SAFETY: a vector's elements stay where they are when the vector is moved. These are neither changed
        // nor dropped before the view, which is in the same struct and never leaves it with this lifetime.
        let axes: &'static [usize] = unsafe { core::slice::from_raw_parts(shape.as_ptr(), shape.len()) };
        Tensor { view: MaybeUninit::new(TensorView::from(elements).shaped(axes)), memory, shape }
    }

    /// Copies the elements of a slice into a tensor with a shape.
    ///
    /// [`Tensor::from_vec`] takes a vector without copying it.
    ///
    /// # Errors
    /// Returns an error if the shape has another number of elements, or if there is not enough memory.
    ///
    /// ```
    /// use promote::Tensor;
    ///
    /// let row = Tensor::new(&[true, false, true], &[1, 3])?;
    /// assert_eq!(row.to_string(), "[[true, false, true]]");
    /// # Ok::<(), promote::ViewError>(())
    /// ```
    pub fn new<'a>(elements: impl Into<Slice<'a>>, shape: &[usize]) -> Result<Tensor, ViewError> {
        let elements = elements.into();
        let (dtype, bytes) = (elements.dtype(), elements.len() * elements.size());
        contiguous(dtype, shape, elements.len())?;
        let mut made = Uninit::new(dtype, shape).map_err(|error| match error {
            CallError::Memory { bytes } => ViewError::Memory { bytes },
            _ => ViewError::NoElements { dtype },
        })?;
        // SAFETY: the slice has as many elements as the new memory has room for, which overlaps nothing. All
        // are written then.
        unsafe {
            core::ptr::copy_nonoverlapping(elements.pointer(), made.view_mut().pointer(), bytes);
            Ok(made.written())
        }
    }

    /// Makes a tensor of a vector's elements, without copying them.
    ///
    /// # Errors
    /// Returns an error if the shape has another number of elements, or if there is not enough memory for the
    /// shape. The vector is dropped then.
    pub fn from_vec<T: Element>(elements: Vec<T>, shape: &[usize]) -> Result<Tensor, ViewError> {
        let len = elements.len();
        contiguous(T::DTYPE, shape, len)?;
        let shape = copy_of(shape).map_err(|_| ViewError::Memory { bytes: size_of_val(shape) })?;
        // SAFETY: the vector begins with `len` elements of its type, whose dtype this is.
        Ok(unsafe { Tensor::assemble(T::DTYPE, Buffer::from_vec(elements), shape, len) })
    }

    /// Returns the elements in row-major order as a vector, without copying them.
    ///
    /// # Errors
    /// Returns the tensor unchanged if its dtype is not that of `T`, if its memory was allocated with another
    /// alignment than `T` has, or if `T` is `bool` and a byte is neither 0 nor 1.
    ///
    /// ```
    /// use promote::{Op, Torch};
    ///
    /// let sum = Torch::new().rule_set().call(Op::Add, &[(&[1_i8, 2]).into(), (&[0.5_f32, 0.5]).into()])?;
    /// let sum = sum.into_vec::<f64>().unwrap_err(); // it is no `f64`
    /// assert_eq!(sum.into_vec::<f32>().unwrap(), [1.5, 2.5]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    #[allow(clippy::result_large_err, reason = "the error returns the tensor, as `Rc::try_unwrap` does")]
    pub fn into_vec<T: Element>(self) -> Result<Vec<T>, Tensor> {
        if self.as_slice::<T>().is_none() {
            return Err(self);
        }
        let (dtype, len) = (self.dtype(), self.len());
        let Tensor { memory, shape, .. } = self;
        // SAFETY: the memory begins with `len` elements, which `as_slice` just returned as a `&[T]`.
        match unsafe { memory.into_vec(len) } {
            Ok(elements) => Ok(elements),
            // SAFETY: memory, shape and length are those of this tensor.
            Err(memory) => Err(unsafe { Tensor::assemble(dtype, memory, shape, len) }),
        }
    }

    /// Returns a tensor of zeros, or of `false` for the dtype `bool`.
    ///
    /// # Errors
    /// Returns an error if the dtype exists in tables only, or if there is not enough memory.
    ///
    /// ```
    /// use promote::{DType, Tensor};
    ///
    /// assert_eq!(Tensor::zeros(DType::F16, &[2])?.to_string(), "[0.0, 0.0]");
    /// # Ok::<(), promote::CallError>(())
    /// ```
    pub fn zeros(dtype: DType, shape: &[usize]) -> Result<Tensor, CallError> {
        let made = Uninit::allocate(dtype, shape, true)?;
        // SAFETY: zero bytes are an element of every dtype.
        Ok(unsafe { made.written() })
    }

    /// Returns the dtype.
    pub const fn dtype(&self) -> DType {
        self.as_view().dtype()
    }

    /// Returns the lengths of the axes; a tensor without axes has one element.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the number of elements.
    pub const fn len(&self) -> usize {
        self.as_view().len()
    }

    /// Returns true if there are no elements.
    pub const fn is_empty(&self) -> bool {
        self.as_view().is_empty()
    }

    /// Returns a view of the tensor.
    pub const fn view(&self) -> TensorView<'_> {
        *self.as_view()
    }

    /// Returns a reference to the tensor's view, as calls take it.
    pub(crate) const fn as_view(&self) -> &TensorView<'_> {
        // SAFETY: the view is always initialised.
        unsafe { self.view.assume_init_ref() }
    }

    /// Returns a mutable view of the tensor.
    pub fn view_mut(&mut self) -> TensorViewMut<'_> {
        self.slice_mut(true).shaped(&self.shape)
    }

    fn slice_mut(&mut self, initialised: bool) -> TensorViewMut<'static> {
        let (dtype, len, plain) = (self.dtype(), self.len(), self.as_view().is_aligned());
        SliceMut::from_parts(dtype, self.memory.pointer(), len, plain, initialised).into()
    }

    /// Returns the elements in row-major order, as a slice whose dtype is known at run time.
    pub fn elements(&self) -> Slice<'_> {
        Slice::from_parts(self.dtype(), self.as_view().pointer(), self.len(), self.as_view().is_aligned())
    }

    /// Returns the elements in row-major order; `None` if the dtype is not that of `T`, or if `T` is `bool`
    /// and a byte is neither 0 nor 1.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        self.elements().as_slice()
    }

    /// Returns the bytes of the elements, in native byte order.
    pub fn as_bytes(&self) -> &[u8] {
        let bytes = self.len() * self.elements().size();
        // SAFETY: all elements are initialised, and have no padding.
        unsafe { core::slice::from_raw_parts(self.as_view().pointer(), bytes) }
    }

    /// Returns the address of the first element, for libraries that take a tensor's memory over.
    ///
    /// The elements may be read and written through it as long as the tensor lives and is not used in another
    /// way. Moving the tensor does not move them.
    pub const fn as_mut_ptr(&mut self) -> *mut u8 {
        self.memory.pointer()
    }

    pub(crate) fn as_mut_bytes(&mut self) -> &mut [u8] {
        let bytes = self.as_bytes().len();
        // SAFETY: all elements are initialised, and this borrows the tensor mutably.
        unsafe { core::slice::from_raw_parts_mut(self.memory.pointer(), bytes) }
    }

    /// Returns the elements with another shape, without copying them.
    ///
    /// # Errors
    /// Returns an error if the shape has another number of elements, or if there is not enough memory for the
    /// shape. The tensor is dropped then.
    ///
    /// ```
    /// use promote::Tensor;
    ///
    /// let matrix = Tensor::from_vec(vec![1, 2, 3, 4], &[4])?.into_shape(&[2, 2])?;
    /// assert_eq!(matrix.to_string(), "[[1, 2], [3, 4]]");
    /// # Ok::<(), promote::ViewError>(())
    /// ```
    pub fn into_shape(self, shape: &[usize]) -> Result<Tensor, ViewError> {
        contiguous(self.dtype(), shape, self.len())?;
        let shape = copy_of(shape).map_err(|_| ViewError::Memory { bytes: size_of_val(shape) })?;
        let (dtype, len) = (self.dtype(), self.len());
        // SAFETY: the new shape has as many elements.
        Ok(unsafe { Tensor::assemble(dtype, self.memory, shape, len) })
    }

    /// Returns the only element; `None` if the tensor has none or several.
    pub fn item(&self) -> Option<ScalarValue> {
        if self.len() == 1 { self.view().first() } else { None }
    }
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

/// Compares dtype, shape and elements. As for floats in Rust, NaN is not equal to itself, and -0.0 is equal
/// to 0.0. Elements of custom dtypes without casts are compared by their bytes.
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
            && self.as_bytes().chunks_exact(size).zip(other.as_bytes().chunks_exact(size)).all(equal)
    }
}

impl Clone for Tensor {
    fn clone(&self) -> Self {
        let (dtype, bytes) = (self.dtype(), self.as_bytes());
        let memory = Buffer::new(bytes.len(), self.memory.layout().align(), false);
        let Some(memory) = memory else { alloc::alloc::handle_alloc_error(self.memory.layout()) };
        // SAFETY: there is room for so many bytes, which nothing else uses. All elements are copied then.
        unsafe {
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.pointer(), bytes.len());
            Tensor::assemble(dtype, memory, self.shape.clone(), self.len())
        }
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
        // SAFETY: the memory has room for the elements. Nothing reads them before `written` is called, whose
        // caller promises that they are initialised.
        Ok(Uninit(unsafe { Tensor::assemble(dtype, memory, shape, len) }))
    }

    /// Returns the memory as the `out` of a call.
    pub(crate) fn view_mut(&mut self) -> TensorViewMut<'_> {
        self.0.slice_mut(false).shaped(&self.0.shape)
    }

    /// Returns the tensor.
    ///
    /// # Safety
    ///
    /// All elements are initialised.
    pub(crate) unsafe fn written(self) -> Tensor {
        self.0
    }
}

/// Returns the alignment of the dtype's Rust type, with which a `Vec` of it is allocated.
fn alignment(dtype: DType) -> usize {
    macro_rules! of_type {
        ({} typed [$($group:ident [$($variant:ident $name:ident $row:tt)*])*] $($rest:tt)*) => {
            match dtype {
                $($(DType::$variant => align_of::<crate::types::$name>(),)*)*
                other => other.align().max(1),
            }
        };
    }
    promote_core::__dtypes! { of_type {} }
}
