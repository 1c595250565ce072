//! N-dimensional views: elements of one dtype, their shape, and where each of them lies.
//!
//! A view is checked when it is made: afterwards none of its elements lies outside of its memory, and no two
//! elements of a view that is to be written share a byte. So every call on views is safe, whatever strides
//! and offsets they were made of.

mod apply;
#[cfg(feature = "alloc")]
mod buffer;
mod call;
#[cfg(feature = "alloc")]
mod common;
mod error;
mod iteration;
mod layout;
mod reduce;
#[cfg(feature = "alloc")]
mod tensor;

use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

#[cfg(feature = "alloc")]
pub use apply::broadcast_shapes;
pub use call::{Call, CallInto};
pub use error::ViewError;
pub use iteration::{Iteration, IterationConfig, IterationError, Shape};
pub(crate) use layout::{Extent, Layout, MOST_AXES, Strides};
pub use reduce::Axes;
#[cfg(feature = "alloc")]
pub use tensor::Tensor;

use crate::DType;
use crate::element::Element;
use crate::kernel::slice::{address, element_size, is_aligned};
use crate::kernel::{ScalarValue, Slice, SliceMut};

/// Elements of one dtype with a shape and strides, to be read.
///
/// Any rank, 0 among it; axes of length 0; strides that are negative, 0, or no multiple of the element's
/// size; elements at any address. Shape and strides are borrowed, so that a view costs nothing to make from a
/// tensor that has them.
///
/// # Examples
///
/// A matrix, its transpose, and its last column from the bottom up:
///
/// ```
/// use promote_runtime::TensorView;
///
/// let numbers = [1_i16, 2, 3, 4, 5, 6];
/// let matrix = TensorView::new(&numbers[..], &[2, 3])?;
/// let transpose = TensorView::byte_strided(&numbers[..], &[3, 2], &[2, 6], 0)?;
/// let column = TensorView::byte_strided(&numbers[..], &[2], &[-6], 10)?;
/// assert_eq!(matrix.get(&[1, 0]).and_then(|x| x.get()), Some(4_i16));
/// assert_eq!(transpose.get(&[0, 1]).and_then(|x| x.get()), Some(4_i16));
/// assert_eq!(column.get(&[0]).and_then(|x| x.get()), Some(6_i16));
/// # Ok::<(), promote_runtime::ViewError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TensorView<'a> {
    dtype: DType,
    /// The element whose indices are all 0.
    pointer: *const u8,
    layout: Layout<'a>,
    /// Whether the elements are borrowed, so that no `out` overlaps them.
    borrowed: bool,
    /// Whether each element is aligned for every element type of the dtype.
    aligned: bool,
    memory: PhantomData<&'a [u8]>,
}

/// Room for elements of one dtype with a shape and strides, to be written. No two of its elements share a
/// byte.
///
/// What holds of [`TensorView`] holds here too.
#[derive(Debug)]
pub struct TensorViewMut<'a> {
    dtype: DType,
    pointer: *mut u8,
    layout: Layout<'a>,
    /// Whether the room is borrowed, so that no operand overlaps it.
    borrowed: bool,
    aligned: bool,
    /// Whether there are elements in it, so that it can be an operand too.
    initialised: bool,
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: it stands for a `&[T]` of elements, and elements are `Sync`.
unsafe impl Send for TensorView<'_> {}
// SAFETY: as above.
unsafe impl Sync for TensorView<'_> {}
// SAFETY: it stands for a `&mut [T]` of elements, and elements are `Send`.
unsafe impl Send for TensorViewMut<'_> {}
// SAFETY: through a shared reference elements can only be read.
unsafe impl Sync for TensorViewMut<'_> {}

/// Memory in which the elements of a view are to lie.
#[derive(Clone, Copy)]
struct Memory {
    pointer: *const u8,
    bytes: usize,
}

impl Memory {
    /// The address of the element whose indices are all 0, `offset` bytes behind the beginning.
    ///
    /// # Errors
    ///
    /// Elements lie outside of the memory.
    fn place(self, layout: &Layout<'_>, offset: usize) -> Result<*const u8, ViewError> {
        let Extent { first, end } = layout.extent();
        if first == end {
            // Nothing is read or written there.
            return Ok(self.pointer);
        }
        let at = isize::try_from(offset).map_err(|_| ViewError::TooLarge)?;
        let first = first.checked_add(at).ok_or(ViewError::TooLarge)?;
        let end = end.checked_add(at).ok_or(ViewError::TooLarge)?;
        if first < 0 || end.cast_unsigned() > self.bytes {
            return Err(ViewError::OutOfBounds { first, end, bytes: self.bytes });
        }
        Ok(self.pointer.wrapping_add(offset))
    }
}

impl<'a> TensorView<'a> {
    /// Elements that lie side by side, the last index running fastest (row-major order, C order).
    ///
    /// # Errors
    ///
    /// The shape has another number of elements.
    pub fn new(elements: impl Into<Slice<'a>>, shape: &'a [usize]) -> Result<Self, ViewError> {
        let elements = elements.into();
        let (expected, layout) = contiguous(elements.dtype(), shape)?;
        check_length(expected, elements.len())?;
        Ok(TensorView { layout, ..TensorView::from(elements) })
    }

    /// Views elements of a slice with any strides.
    ///
    /// `strides` and `offset` count elements, as those of ndarray and PyTorch do: along each axis a stride leads
    /// from one element to the next, and `offset` from the first of the slice to the one whose indices are all
    /// 0. [`TensorView::byte_strided`] counts bytes, as NumPy does.
    ///
    /// # Errors
    ///
    /// Returns an error if an element lies outside of the slice, if the numbers of axes and strides differ, or
    /// if sizes overflow.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote_runtime::TensorView;
    ///
    /// // The columns of a matrix of two rows, from the last to the first.
    /// let matrix = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    /// let columns = TensorView::strided(&matrix, &[3, 2], &[-1, 3], 2)?;
    /// assert_eq!(columns.get(&[0, 1]).and_then(|x| x.get::<f32>()), Some(6.0));
    /// # Ok::<(), promote_runtime::ViewError>(())
    /// ```
    pub fn strided(
        elements: impl Into<Slice<'a>>,
        shape: &'a [usize],
        strides: &'a [isize],
        offset: usize,
    ) -> Result<Self, ViewError> {
        let elements = elements.into();
        let size = size_of_dtype(elements.dtype())?;
        let offset = offset.checked_mul(size).ok_or(ViewError::TooLarge)?;
        TensorView::of_slice(elements, shape, Strides::elements(strides, size), offset)
    }

    /// Views elements of a slice, as [`TensorView::strided`] does, with strides and an offset in bytes.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TensorView::strided`].
    pub fn byte_strided(
        elements: impl Into<Slice<'a>>,
        shape: &'a [usize],
        strides: &'a [isize],
        offset: usize,
    ) -> Result<Self, ViewError> {
        TensorView::of_slice(elements.into(), shape, Strides::bytes(strides), offset)
    }

    fn of_slice(
        elements: Slice<'a>,
        shape: &'a [usize],
        strides: Strides<'a>,
        offset: usize,
    ) -> Result<Self, ViewError> {
        let (dtype, size) = (elements.dtype(), size_of_dtype(elements.dtype())?);
        let memory = Memory { pointer: elements.pointer(), bytes: elements.len() * size };
        let mut found = TensorView::within(memory, dtype, shape, strides, offset)?;
        found.borrowed = elements.is_plain();
        Ok(found)
    }

    /// Elements that lie in `bytes`, as [`TensorView::byte_strided`]. The bytes need not be a whole number of
    /// elements: records of other things may lie between.
    ///
    /// # Errors
    ///
    /// As [`TensorView::byte_strided`], and where the dtype has no elements.
    pub fn from_bytes(
        dtype: DType,
        bytes: &'a [u8],
        shape: &'a [usize],
        strides: &'a [isize],
        offset: usize,
    ) -> Result<Self, ViewError> {
        let memory = Memory { pointer: bytes.as_ptr(), bytes: bytes.len() };
        TensorView::within(memory, dtype, shape, Strides::bytes(strides), offset)
    }

    fn within(
        memory: Memory,
        dtype: DType,
        shape: &'a [usize],
        strides: Strides<'a>,
        offset: usize,
    ) -> Result<Self, ViewError> {
        let layout = Layout::strided(shape, strides, size_of_dtype(dtype)?)?;
        let pointer = address(dtype, memory.place(&layout, offset)?, layout.len());
        let aligned = are_aligned(dtype, pointer, &layout);
        Ok(TensorView { dtype, pointer, layout, borrowed: true, aligned, memory: PhantomData })
    }

    /// Elements around an address, which the `out` of a call may overlap: every element is then read before
    /// anything is written over it.
    ///
    /// # Errors
    ///
    /// The dtype has no elements, numbers of axes and strides differ, or sizes overflow.
    ///
    /// # Safety
    ///
    /// For each index within `shape`, the element `Σ index[i] * strides[i]` bytes from `pointer` is
    /// initialised, and all of them lie in one allocation; during `'a` nobody writes to them but the calls to
    /// which this is given. Without elements, `pointer` may be anything.
    pub unsafe fn from_raw_parts(
        dtype: DType,
        pointer: *const u8,
        shape: &'a [usize],
        strides: &'a [isize],
    ) -> Result<Self, ViewError> {
        let layout = Layout::strided(shape, Strides::bytes(strides), size_of_dtype(dtype)?)?;
        let pointer = address(dtype, pointer, layout.len());
        let aligned = are_aligned(dtype, pointer, &layout);
        Ok(TensorView { dtype, pointer, layout, borrowed: false, aligned, memory: PhantomData })
    }

    /// The dtype of the elements.
    #[inline]
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// The lengths of the axes; of no axes there is one element.
    pub fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    /// How many axes there are.
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    /// How many elements there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.layout.len()
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.layout.len() == 0
    }

    /// The bytes from one element to the next along an axis.
    ///
    /// # Panics
    ///
    /// If there is no such axis.
    pub fn stride(&self, axis: usize) -> isize {
        assert!(axis < self.rank(), "a view of {} axes has no axis {axis}", self.rank());
        self.layout.stride(axis)
    }

    /// Whether elements lie side by side, the last index running fastest.
    #[inline]
    pub const fn is_contiguous(&self) -> bool {
        self.layout.is_contiguous()
    }

    /// The elements as a slice, where they lie side by side.
    pub fn as_slice(&self) -> Option<Slice<'a>> {
        let plain = self.borrowed && self.aligned;
        self.is_contiguous().then(|| Slice::of_view(self.dtype, self.pointer, self.len(), plain))
    }

    /// The element at these indices, one for each axis; `None` where there is no such.
    pub fn get(&self, index: &[usize]) -> Option<ScalarValue> {
        let offset = self.layout.offset(index)?;
        let pointer = self.pointer.wrapping_offset(offset);
        // SAFETY: the index lies within the shape, so that the element lies in memory that was checked, or
        // promised, when the view was made; it has the layout's size.
        let bytes = unsafe { core::slice::from_raw_parts(pointer, self.layout.size()) };
        ScalarValue::from_bytes(self.dtype, bytes).ok()
    }

    /// The same elements, which lie side by side, with a shape of as many.
    #[cfg(feature = "alloc")]
    pub(crate) fn shaped<'b>(self, shape: &'b [usize]) -> TensorView<'b>
    where
        'a: 'b,
    {
        TensorView { layout: self.layout.shaped(shape), ..self }
    }

    /// The element, of a view without axes.
    pub(crate) fn zero_dim(&self) -> Option<ScalarValue> {
        if self.shape().is_empty() { self.first() } else { None }
    }

    /// The element whose indices are all 0, of a view that has one.
    pub(crate) fn first(&self) -> Option<ScalarValue> {
        if self.is_empty() {
            return None;
        }
        // SAFETY: the element lies in memory that was checked, or promised, when the view was made; it has
        // the layout's size.
        let bytes = unsafe { core::slice::from_raw_parts(self.pointer, self.layout.size()) };
        ScalarValue::from_bytes(self.dtype, bytes).ok()
    }

    /// A copy of the elements side by side, with the shape of this view.
    ///
    /// # Safety
    ///
    /// There are as many elements of the dtype at the address, initialised and aligned, for as long as the
    /// view lives, and nobody writes to them.
    #[cfg(feature = "alloc")]
    pub(crate) unsafe fn moved_to(&self, pointer: *const u8) -> TensorView<'a> {
        let layout = self.layout.side_by_side();
        TensorView { pointer, layout, borrowed: true, aligned: true, ..*self }
    }

    #[inline]
    pub(crate) const fn pointer(&self) -> *const u8 {
        self.pointer
    }

    #[inline]
    pub(crate) const fn layout(&self) -> &Layout<'a> {
        &self.layout
    }

    /// Whether no `out` overlaps the elements.
    #[inline]
    pub(crate) const fn is_borrowed(&self) -> bool {
        self.borrowed
    }

    /// Whether a kernel can read each of them where it lies.
    #[inline]
    pub(crate) const fn is_aligned(&self) -> bool {
        self.aligned
    }
}

/// Prints the elements as nested lists. Of more than 1000 elements, each axis shows its first and last three.
///
/// ```
/// use promote_runtime::TensorView;
///
/// let view = TensorView::new(&[1_i8, 2, 3, 4, 5, 6][..], &[2, 3])?;
/// assert_eq!(view.to_string(), "[[1, 2, 3], [4, 5, 6]]");
/// # Ok::<(), promote_runtime::ViewError>(())
/// ```
impl fmt::Display for TensorView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Of an axis of length 0 the others can be as long as can be counted.
        let elided = self.len() > 1000 || self.shape().iter().any(|len| *len > 1000);
        self.fmt_axis(f, self.shape(), self.pointer, elided)
    }
}

impl TensorView<'_> {
    /// Prints the elements of the last `shape.len()` axes, from an address on.
    fn fmt_axis(
        &self,
        f: &mut fmt::Formatter<'_>,
        shape: &[usize],
        pointer: *const u8,
        elided: bool,
    ) -> fmt::Result {
        let [len, rest @ ..] = shape else {
            // SAFETY: every index before this one lies within the shape, so that the element lies in memory
            // that was checked, or promised, when the view was made; it has the layout's size.
            let bytes = unsafe { core::slice::from_raw_parts(pointer, self.layout.size()) };
            return match ScalarValue::from_bytes(self.dtype, bytes) {
                Ok(value) => fmt::Display::fmt(&value, f),
                Err(_) => f.write_str("?"),
            };
        };
        let stride = self.layout.stride(self.rank() - shape.len());
        f.write_str("[")?;
        let (shown, rest_from) = if elided && *len > 6 { (3, len - 3) } else { (*len, *len) };
        for i in (0..shown).chain(rest_from..*len) {
            match i {
                0 => {}
                i if i == rest_from && shown < *len => f.write_str(", .., ")?,
                _ => f.write_str(", ")?,
            }
            self.fmt_axis(f, rest, pointer.wrapping_offset(i.cast_signed() * stride), elided)?;
        }
        f.write_str("]")
    }
}

impl<'a> TensorViewMut<'a> {
    /// Elements that lie side by side, the last index running fastest, to be overwritten.
    ///
    /// # Errors
    ///
    /// The shape has another number of elements.
    pub fn new(elements: impl Into<SliceMut<'a>>, shape: &'a [usize]) -> Result<Self, ViewError> {
        let elements = elements.into();
        let (expected, layout) = contiguous(elements.dtype(), shape)?;
        check_length(expected, elements.len())?;
        Ok(TensorViewMut { layout, ..TensorViewMut::from(elements) })
    }

    /// Room for typed elements side by side; after a call that gives `Ok`, all of them are initialised.
    ///
    /// # Errors
    ///
    /// The shape has another number of elements.
    pub fn uninit<T: Element>(
        elements: &'a mut [MaybeUninit<T>],
        shape: &'a [usize],
    ) -> Result<Self, ViewError> {
        TensorViewMut::new(SliceMut::uninit(elements), shape)
    }

    /// Views elements of a slice with any strides, in elements, as [`TensorView::strided`] does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TensorView::strided`], and an error if two of the elements share a byte. Strides
    /// that interlock in ways that no usual layout has are refused too, since this is hard to tell of them.
    pub fn strided(
        elements: impl Into<SliceMut<'a>>,
        shape: &'a [usize],
        strides: &'a [isize],
        offset: usize,
    ) -> Result<Self, ViewError> {
        let elements = elements.into();
        let size = size_of_dtype(elements.dtype())?;
        let offset = offset.checked_mul(size).ok_or(ViewError::TooLarge)?;
        TensorViewMut::of_slice(elements, shape, Strides::elements(strides, size), offset)
    }

    /// Views elements of a slice, as [`TensorViewMut::strided`] does, with strides and an offset in bytes.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TensorViewMut::strided`].
    pub fn byte_strided(
        elements: impl Into<SliceMut<'a>>,
        shape: &'a [usize],
        strides: &'a [isize],
        offset: usize,
    ) -> Result<Self, ViewError> {
        TensorViewMut::of_slice(elements.into(), shape, Strides::bytes(strides), offset)
    }

    fn of_slice(
        mut elements: SliceMut<'a>,
        shape: &'a [usize],
        strides: Strides<'a>,
        offset: usize,
    ) -> Result<Self, ViewError> {
        let (dtype, size) = (elements.dtype(), size_of_dtype(elements.dtype())?);
        let memory = Memory { pointer: elements.pointer(), bytes: elements.len() * size };
        let mut found = TensorViewMut::within(memory, dtype, shape, strides, offset)?;
        (found.borrowed, found.initialised) = (elements.is_plain(), elements.is_initialised());
        Ok(found)
    }

    /// Elements that lie in `bytes`, as [`TensorView::from_bytes`], to be overwritten.
    ///
    /// # Errors
    ///
    /// As [`TensorViewMut::byte_strided`], and where the dtype has no elements.
    pub fn from_bytes(
        dtype: DType,
        bytes: &'a mut [u8],
        shape: &'a [usize],
        strides: &'a [isize],
        offset: usize,
    ) -> Result<Self, ViewError> {
        let memory = Memory { pointer: bytes.as_mut_ptr().cast_const(), bytes: bytes.len() };
        TensorViewMut::within(memory, dtype, shape, Strides::bytes(strides), offset)
    }

    /// Of memory that may be written.
    fn within(
        memory: Memory,
        dtype: DType,
        shape: &'a [usize],
        strides: Strides<'a>,
        offset: usize,
    ) -> Result<Self, ViewError> {
        let layout = Layout::strided(shape, strides, size_of_dtype(dtype)?)?;
        let pointer = memory.place(&layout, offset)?.cast_mut();
        // SAFETY: the elements lie within memory that the caller has for writing, checked above.
        unsafe { TensorViewMut::at(dtype, pointer, layout, true) }
    }

    /// Room for elements around an address, which operands of a call may overlap: every element is then read
    /// before anything is written over it.
    ///
    /// # Errors
    ///
    /// As [`TensorView::from_raw_parts`], and where two elements share a byte, as [`TensorViewMut::byte_strided`].
    ///
    /// # Safety
    ///
    /// For each index within `shape` there is room for an element `Σ index[i] * strides[i]` bytes from
    /// `pointer`, all in one allocation; during `'a` nobody reads or writes there but the calls to which this
    /// is given. There are elements in it if a call works in place. Without elements, `pointer` may be
    /// anything.
    pub unsafe fn from_raw_parts(
        dtype: DType,
        pointer: *mut u8,
        shape: &'a [usize],
        strides: &'a [isize],
    ) -> Result<Self, ViewError> {
        let layout = Layout::strided(shape, Strides::bytes(strides), size_of_dtype(dtype)?)?;
        // SAFETY: as the caller promises.
        unsafe { TensorViewMut::at(dtype, pointer, layout, false) }
    }

    /// # Safety
    ///
    /// As [`TensorViewMut::from_raw_parts`].
    unsafe fn at(
        dtype: DType,
        pointer: *mut u8,
        layout: Layout<'a>,
        borrowed: bool,
    ) -> Result<Self, ViewError> {
        if layout.overlaps_itself() {
            return Err(ViewError::Aliased);
        }
        let pointer = address(dtype, pointer, layout.len()).cast_mut();
        let aligned = are_aligned(dtype, pointer, &layout);
        Ok(TensorViewMut {
            dtype,
            pointer,
            layout,
            borrowed,
            aligned,
            initialised: true,
            memory: PhantomData,
        })
    }

    /// The same elements for a shorter time.
    #[inline]
    pub const fn reborrow(&mut self) -> TensorViewMut<'_> {
        TensorViewMut { memory: PhantomData, ..*self }
    }

    /// The elements, to be read; `None` where there is room only.
    pub fn as_view(&self) -> Option<TensorView<'_>> {
        let TensorViewMut { dtype, pointer, layout, borrowed, aligned, initialised, .. } = *self;
        let pointer = pointer.cast_const();
        initialised.then_some(TensorView { dtype, pointer, layout, borrowed, aligned, memory: PhantomData })
    }

    /// The dtype of the elements.
    #[inline]
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// The lengths of the axes; of no axes there is one element.
    pub fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    /// How many axes there are.
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    /// How many elements there are.
    #[inline]
    pub const fn len(&self) -> usize {
        self.layout.len()
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.layout.len() == 0
    }

    /// The bytes from one element to the next along an axis.
    ///
    /// # Panics
    ///
    /// If there is no such axis.
    pub fn stride(&self, axis: usize) -> isize {
        assert!(axis < self.rank(), "a view of {} axes has no axis {axis}", self.rank());
        self.layout.stride(axis)
    }

    /// Whether elements lie side by side, the last index running fastest.
    #[inline]
    pub const fn is_contiguous(&self) -> bool {
        self.layout.is_contiguous()
    }

    /// The elements as a slice, where they lie side by side.
    pub fn as_slice_mut(&mut self) -> Option<SliceMut<'_>> {
        let plain = self.borrowed && self.aligned;
        self.is_contiguous()
            .then(|| SliceMut::of_view(self.dtype, self.pointer, self.len(), plain, self.initialised))
    }

    /// The same elements, which lie side by side, with a shape of as many.
    #[cfg(feature = "alloc")]
    pub(crate) fn shaped<'b>(self, shape: &'b [usize]) -> TensorViewMut<'b>
    where
        'a: 'b,
    {
        TensorViewMut { layout: self.layout.shaped(shape), ..self }
    }

    /// Where its elements lie, of which none may be read.
    pub(crate) fn places(&self) -> TensorView<'_> {
        let TensorViewMut { dtype, pointer, layout, borrowed, aligned, .. } = *self;
        TensorView { dtype, pointer: pointer.cast_const(), layout, borrowed, aligned, memory: PhantomData }
    }

    #[inline]
    pub(crate) const fn pointer(&mut self) -> *mut u8 {
        self.pointer
    }

    #[inline]
    pub(crate) const fn layout(&self) -> &Layout<'a> {
        &self.layout
    }

    /// Whether no operand overlaps the elements.
    #[inline]
    pub(crate) const fn is_borrowed(&self) -> bool {
        self.borrowed
    }

    /// Whether a kernel can write each of them where it lies.
    #[inline]
    pub(crate) const fn is_aligned(&self) -> bool {
        self.aligned
    }

    /// Whether it can be an operand too.
    #[inline]
    pub(crate) const fn is_initialised(&self) -> bool {
        self.initialised
    }
}

fn size_of_dtype(dtype: DType) -> Result<usize, ViewError> {
    element_size(dtype).map_err(|_| ViewError::NoElements { dtype })
}

/// How many elements a shape has, and their layout side by side.
fn contiguous(dtype: DType, shape: &[usize]) -> Result<(usize, Layout<'_>), ViewError> {
    let layout = Layout::contiguous(shape, size_of_dtype(dtype)?)?;
    Ok((layout.len(), layout))
}

const fn check_length(expected: usize, found: usize) -> Result<(), ViewError> {
    if expected == found { Ok(()) } else { Err(ViewError::Length { expected, found }) }
}

/// Whether each element is aligned for every element type of the dtype.
fn are_aligned(dtype: DType, pointer: *const u8, layout: &Layout<'_>) -> bool {
    layout.len() == 0 || is_aligned(dtype, pointer) && layout.keeps_alignment(dtype.align().max(1))
}

impl<'a> From<Slice<'a>> for TensorView<'a> {
    #[inline]
    fn from(slice: Slice<'a>) -> Self {
        let layout = Layout::line(slice.len(), slice.size());
        let (borrowed, aligned) = (slice.is_plain(), slice.is_aligned());
        let (dtype, pointer) = (slice.dtype(), slice.pointer());
        TensorView { dtype, pointer, layout, borrowed, aligned, memory: PhantomData }
    }
}

impl<'a, T: Element> From<&'a [T]> for TensorView<'a> {
    #[inline]
    fn from(elements: &'a [T]) -> Self {
        Slice::new(elements).into()
    }
}

impl<'a> From<SliceMut<'a>> for TensorViewMut<'a> {
    #[inline]
    fn from(mut slice: SliceMut<'a>) -> Self {
        let layout = Layout::line(slice.len(), slice.size());
        let (borrowed, aligned, initialised) = (slice.is_plain(), slice.is_aligned(), slice.is_initialised());
        let (dtype, pointer) = (slice.dtype(), slice.pointer());
        TensorViewMut { dtype, pointer, layout, borrowed, aligned, initialised, memory: PhantomData }
    }
}

impl<'a, T: Element> From<&'a mut [T]> for TensorViewMut<'a> {
    #[inline]
    fn from(elements: &'a mut [T]) -> Self {
        SliceMut::new(elements).into()
    }
}
