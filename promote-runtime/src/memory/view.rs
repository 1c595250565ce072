//! N-dimensional views: memory with a dtype, a shape and strides.
//!
//! Views are validated on construction. A valid view never reaches outside its buffer, and no two elements of
//! a mutable view overlap. Operations on views are therefore safe for any combination of strides and offsets.

#[cfg(feature = "alloc")]
mod buffer;
mod error;
mod layout;
#[cfg(feature = "alloc")]
mod tensor;

use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

pub use error::ViewError;
pub(crate) use layout::{Extent, Layout, MAX_AXES, Strides};
#[cfg(feature = "alloc")]
pub use tensor::Tensor;
#[cfg(feature = "alloc")]
pub(crate) use tensor::Uninit;

use crate::DType;
use crate::element::{Element, check_layout};
use crate::memory::slice::{address, element_size, is_aligned};
use crate::memory::{ScalarValue, Slice, SliceMut};

/// A read-only view of elements of one dtype, with a shape and strides.
///
/// A view may have any number of axes, none included, and axes of length 0. Strides may be negative, 0, or no
/// multiple of the element size, and elements may be unaligned. Shape and strides are borrowed, so making a
/// view allocates nothing.
///
/// # Examples
///
/// A matrix, its transpose, and its last column from the bottom up:
///
/// ```
/// use promote::TensorView;
///
/// let numbers = [1_i16, 2, 3, 4, 5, 6];
/// let matrix = TensorView::new(&numbers[..], &[2, 3])?;
/// let transpose = TensorView::strided(&numbers[..], &[3, 2], &[1, 3], 0)?;
/// let column = TensorView::strided(&numbers[..], &[2], &[-3], 5)?;
/// assert_eq!(matrix.get(&[1, 0]).and_then(|x| x.get()), Some(4_i16));
/// assert_eq!(transpose.get(&[0, 1]).and_then(|x| x.get()), Some(4_i16));
/// assert_eq!(column.get(&[0]).and_then(|x| x.get()), Some(6_i16));
/// # Ok::<(), promote::ViewError>(())
/// ```
#[derive(Clone, Copy)]
pub struct TensorView<'a> {
    dtype: DType,
    /// The element whose indices are all 0.
    pointer: *const u8,
    layout: Layout<'a>,
    /// True if the elements come from a reference, so that no `out` overlaps them.
    borrowed: bool,
    /// True if each element is aligned for every element type of the dtype.
    aligned: bool,
    memory: PhantomData<&'a [u8]>,
}

/// A mutable view of elements of one dtype, with a shape and strides.
///
/// Calls write their results into it. Its memory may be uninitialised ([`TensorViewMut::uninit`]). No two
/// elements overlap, so strides of 0 are refused along axes longer than 1; otherwise shapes and strides are
/// as for [`TensorView`].
///
/// # Examples
///
/// Writing into every other column of a matrix:
///
/// ```
/// use promote::{Op, TensorViewMut, Torch};
///
/// let mut matrix = [0_i32; 8];
/// let columns = TensorViewMut::strided(&mut matrix, &[2, 2], &[4, 2], 0)?;
/// let rules = Torch::new().rule_set();
/// rules.prepare(Op::Add, &[(&[1_i32, 2]).into(), 10.into()]).out(columns).run()?;
/// assert_eq!(matrix, [11, 0, 12, 0, 11, 0, 12, 0]);
/// # Ok::<(), promote::Error>(())
/// ```
pub struct TensorViewMut<'a> {
    /// The memory of the elements, which may be written, as a view. `borrowed` is true if it comes from a
    /// mutable reference.
    memory: TensorView<'a>,
    /// True if the view can be an operand as well: the elements are initialised, or the caller of
    /// `from_raw_parts` promised it of elements that are read.
    initialised: bool,
    exclusive: PhantomData<&'a mut [u8]>,
}

// SAFETY: only the pointer keeps a view from being `Send` by itself. A view reads its elements and never
// writes them. They are initialised and valid for `'a`. With a shared reference, or a mutable view that is
// borrowed, nothing writes to them. With `from_raw_parts`, only the `out` of a call that takes the view may
// overlap them. The caller who made that `out` from an address promised that nothing but the call reads or
// writes it, so no other thread reads these elements meanwhile. Element types are `Sync`.
//
// A mutable view has a view and is `Send` and `Sync` by it. Its elements lie in memory that is valid for
// `'a`, and nothing but the view and the calls that take it reads or writes them during `'a`: a mutable
// reference guarantees it, or the caller of `from_raw_parts` promised it. Writing needs the mutable view
// itself or `&mut self`. Element types are `Send`, so another thread may use them instead.
unsafe impl Send for TensorView<'_> {}
// SAFETY: methods that take `&self` read elements and nothing else; see `Send`.
unsafe impl Sync for TensorView<'_> {}

/// Implements the methods that views and mutable views have in common.
macro_rules! accessors {
    ($($view:ident)*) => {$(
        impl $view<'_> {
            /// Returns the dtype.
            #[inline]
            pub const fn dtype(&self) -> DType {
                self.memory().dtype
            }

            /// Returns the lengths of the axes; a view without axes has one element.
            pub fn shape(&self) -> &[usize] {
                self.memory().layout.shape()
            }

            /// Returns the number of axes.
            pub fn rank(&self) -> usize {
                self.shape().len()
            }

            /// Returns the number of elements.
            #[inline]
            pub const fn len(&self) -> usize {
                self.memory().layout.len()
            }

            /// Returns true if there are no elements.
            #[inline]
            pub const fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Returns the stride of an axis in bytes.
            ///
            /// # Panics
            ///
            /// Panics if there is no such axis.
            pub fn stride(&self, axis: usize) -> isize {
                assert!(axis < self.rank(), "a view of {} axes has no axis {axis}", self.rank());
                self.memory().layout.stride(axis)
            }

            /// Returns true if the elements are contiguous in row-major order.
            #[inline]
            pub const fn is_contiguous(&self) -> bool {
                self.memory().layout.is_contiguous()
            }

            /// Returns true if the elements come from a reference, so that no other operand of a call
            /// overlaps them.
            #[inline]
            pub(crate) const fn is_borrowed(&self) -> bool {
                self.memory().borrowed
            }

            /// Returns true if each element is aligned, so that kernels can read or write it in place.
            #[inline]
            pub(crate) const fn is_aligned(&self) -> bool {
                self.memory().aligned
            }
        }
    )*};
}

accessors! { TensorView TensorViewMut }

impl<'a> TensorView<'a> {
    /// Views contiguous elements in row-major order (C order): the last index runs fastest.
    ///
    /// # Errors
    ///
    /// Returns an error if the shape has another number of elements.
    pub fn new(elements: impl Into<Slice<'a>>, shape: &'a [usize]) -> Result<Self, ViewError> {
        let elements = elements.into();
        let layout = contiguous(elements.dtype(), shape, elements.len())?;
        Ok(TensorView { layout, ..TensorView::from(elements) })
    }

    /// Views elements of a slice with any strides.
    ///
    /// `strides` and `offset` count elements, as in ndarray and PyTorch. A stride is the distance from one
    /// element to the next along an axis. `offset` is the position in the slice of the element whose indices
    /// are all 0. [`TensorView::byte_strided`] counts bytes, as NumPy does.
    ///
    /// # Errors
    ///
    /// Returns an error if an element lies outside of the slice, if the numbers of axes and strides differ,
    /// or if sizes overflow.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::TensorView;
    ///
    /// // The columns of a matrix of two rows, from the last to the first.
    /// let matrix = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    /// let columns = TensorView::strided(&matrix, &[3, 2], &[-1, 3], 2)?;
    /// assert_eq!(columns.get(&[0, 1]).and_then(|x| x.get::<f32>()), Some(6.0));
    /// # Ok::<(), promote::ViewError>(())
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
        let (dtype, bytes) = (elements.dtype(), elements.len() * elements.size());
        let view = TensorView::within(dtype, (elements.pointer(), bytes), shape, strides, offset)?;
        Ok(TensorView { borrowed: elements.is_plain(), ..view })
    }

    /// Views elements of borrowed memory, with strides and an offset in bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if an element lies outside of the memory.
    fn within(
        dtype: DType,
        (mut pointer, bytes): (*const u8, usize),
        shape: &'a [usize],
        strides: Strides<'a>,
        offset: usize,
    ) -> Result<Self, ViewError> {
        let layout = Layout::strided(shape, strides, size_of_dtype(dtype)?)?;
        let Extent { first, end } = layout.extent();
        // Without elements nothing is read or written.
        if first != end {
            let at = isize::try_from(offset).map_err(|_| ViewError::TooLarge)?;
            let first = first.checked_add(at).ok_or(ViewError::TooLarge)?;
            let end = end.checked_add(at).ok_or(ViewError::TooLarge)?;
            if first < 0 || end.cast_unsigned() > bytes {
                return Err(ViewError::OutOfBounds { first, end, bytes });
            }
            pointer = pointer.wrapping_add(offset);
        }
        Ok(TensorView::at(dtype, pointer, layout, true))
    }

    /// Views elements within bytes, with strides and an offset in bytes.
    ///
    /// The bytes need not be a whole number of elements, so fields of records can be viewed, too. Elements
    /// are in native byte order.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TensorView::strided`], and an error if the dtype exists in tables only.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{DType, TensorView};
    ///
    /// // Records of a `u8` and an unaligned `u16`.
    /// let bytes: Vec<u8> = [(7_u8, 300_u16), (8, 400)]
    ///     .iter()
    ///     .flat_map(|(tag, value)| [&[*tag][..], &value.to_ne_bytes()].concat())
    ///     .collect();
    /// let values = TensorView::from_bytes(DType::U16, &bytes, &[2], &[3], 1)?;
    /// assert_eq!(values.to_string(), "[300, 400]");
    /// # Ok::<(), promote::ViewError>(())
    /// ```
    pub fn from_bytes(
        dtype: DType,
        bytes: &'a [u8],
        shape: &'a [usize],
        strides: &'a [isize],
        offset: usize,
    ) -> Result<Self, ViewError> {
        let memory = (bytes.as_ptr(), bytes.len());
        TensorView::within(dtype, memory, shape, Strides::bytes(strides), offset)
    }

    /// Views elements from an address on, with strides in bytes.
    ///
    /// The `out` of a call may overlap such a view: every element is then read before it is overwritten.
    ///
    /// # Errors
    ///
    /// Returns an error if the dtype exists in tables only, if the numbers of axes and strides differ, or if
    /// sizes overflow.
    ///
    /// # Safety
    ///
    /// For each index within `shape`, the element `Σ index[i] * strides[i]` bytes from `pointer` is
    /// initialised, and all of them are in one allocation. During `'a` nothing writes to them, except a call
    /// that takes this view and an `out` made by [`TensorViewMut::from_raw_parts`] or
    /// [`SliceMut::from_raw_parts`](crate::SliceMut::from_raw_parts). Without elements, `pointer` may be
    /// anything.
    pub unsafe fn from_raw_parts(
        dtype: DType,
        pointer: *const u8,
        shape: &'a [usize],
        strides: &'a [isize],
    ) -> Result<Self, ViewError> {
        let layout = Layout::strided(shape, Strides::bytes(strides), size_of_dtype(dtype)?)?;
        Ok(TensorView::at(dtype, pointer, layout, false))
    }

    /// Views typed elements from an address on, with strides in elements.
    ///
    /// It is for arrays of other libraries that have the address of the element whose indices are all 0. The
    /// view counts as made from a reference: calls do not look for an `out` that overlaps it.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TensorView::from_raw_parts`].
    ///
    /// # Safety
    ///
    /// For each index within `shape`, the element `Σ index[i] * strides[i]` elements from `pointer` is an
    /// initialised and aligned `T`, and all of them are in one allocation. During `'a` nothing writes to
    /// them. Without elements, `pointer` may be anything.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::TensorView;
    ///
    /// let matrix = [1_i16, 2, 3, 4, 5, 6];
    /// // SAFETY: the array is borrowed as long as the view lives, and the six indices are within it.
    /// let transpose = unsafe { TensorView::from_ptr(matrix.as_ptr(), &[3, 2], &[1, 3])? };
    /// assert_eq!(transpose.to_string(), "[[1, 4], [2, 5], [3, 6]]");
    /// # Ok::<(), promote::ViewError>(())
    /// ```
    pub unsafe fn from_ptr<T: Element>(
        pointer: *const T,
        shape: &'a [usize],
        strides: &'a [isize],
    ) -> Result<Self, ViewError> {
        check_layout::<T>();
        let size = size_of_dtype(T::DTYPE)?;
        let layout = Layout::strided(shape, Strides::elements(strides, size), size)?;
        Ok(TensorView::at(T::DTYPE, pointer.cast(), layout, true))
    }

    /// Returns the view of elements at an address, all of which a caller has checked or promised.
    fn at(dtype: DType, pointer: *const u8, layout: Layout<'a>, borrowed: bool) -> TensorView<'a> {
        let pointer = address(dtype, pointer, layout.len());
        let aligned =
            layout.len() == 0 || is_aligned(dtype, pointer) && layout.keeps_alignment(dtype.align().max(1));
        TensorView { dtype, pointer, layout, borrowed, aligned, memory: PhantomData }
    }

    /// Returns the elements as a slice if they are contiguous in row-major order.
    ///
    /// ```
    /// use promote::TensorView;
    ///
    /// let view = TensorView::new(&[1.0_f32, 2.0], &[2, 1])?;
    /// assert_eq!(view.as_slice().and_then(|slice| slice.as_slice::<f32>()), Some(&[1.0, 2.0][..]));
    /// # Ok::<(), promote::ViewError>(())
    /// ```
    pub fn as_slice(&self) -> Option<Slice<'a>> {
        let plain = self.borrowed && self.aligned;
        self.is_contiguous().then(|| Slice::from_parts(self.dtype, self.pointer, self.len(), plain))
    }

    /// Returns the address of the element whose indices are all 0, if a library may read all elements as `T`
    /// during `'a`, through shared references.
    ///
    /// Returns `None` if the dtype is not that of `T`, if the elements come from
    /// [`TensorView::from_raw_parts`], if one is unaligned or a stride is no multiple of the size of `T`, or
    /// if they are `bool` and a byte is neither 0 nor 1. Strides of axes shorter than 2 may be anything, and
    /// if there are no elements, all strides.
    ///
    /// ```
    /// use promote::TensorView;
    ///
    /// let matrix = [1_i16, 2, 3, 4, 5, 6];
    /// let column = TensorView::strided(&matrix, &[2], &[-3], 5)?;
    /// assert_eq!(column.as_ptr::<i16>(), Some(&raw const matrix[5]));
    /// assert_eq!(column.as_ptr::<u16>(), None);
    /// # Ok::<(), promote::ViewError>(())
    /// ```
    pub fn as_ptr<T: Element>(&self) -> Option<*const T> {
        check_layout::<T>();
        let in_units = |(len, stride): (usize, isize)| {
            len < 2 || stride.unsigned_abs().is_multiple_of(self.layout.size())
        };
        let elements = self.dtype == T::DTYPE
            && self.borrowed
            && self.pointer.cast::<T>().is_aligned()
            && (self.is_empty() || self.layout.axes_from_last().all(in_units))
            && (!matches!(self.dtype, DType::Bool)
                || self.is_empty()
                || self.are_bools(self.shape(), self.pointer));
        elements.then_some(self.pointer.cast())
    }

    /// Returns true if the elements along the last `shape.len()` axes, from an address on, are bytes of 0 or
    /// 1. The view has elements, and they are `bool`.
    fn are_bools(&self, shape: &[usize], pointer: *const u8) -> bool {
        let [len, rest @ ..] = shape else {
            // SAFETY: every index on the way here is within the shape.
            return unsafe { pointer.read() } < 2;
        };
        let stride = self.layout.stride(self.rank() - shape.len());
        (0..*len).all(|i| self.are_bools(rest, pointer.wrapping_offset(i.cast_signed() * stride)))
    }

    /// Returns the element at an index, with one number for each axis; `None` if it is out of bounds.
    pub fn get(&self, index: &[usize]) -> Option<ScalarValue> {
        let offset = self.layout.offset(index)?;
        // SAFETY: the index is within the shape.
        unsafe { self.element(self.pointer.wrapping_offset(offset)) }
    }

    /// Returns the element at an address.
    ///
    /// # Safety
    ///
    /// The address is that of an index within the shape.
    unsafe fn element(&self, pointer: *const u8) -> Option<ScalarValue> {
        // SAFETY: construction checked, or its caller promised, that the layout's `size` bytes of every
        // element lie within one allocation, are initialised, and that no call writes to them while this
        // function reads. Bytes need no alignment.
        let bytes = unsafe { core::slice::from_raw_parts(pointer, self.layout.size()) };
        ScalarValue::from_bytes(self.dtype, bytes).ok()
    }

    /// Returns the elements, which are contiguous, with another shape of as many elements.
    pub(crate) fn shaped<'b>(self, shape: &'b [usize]) -> TensorView<'b>
    where
        'a: 'b,
    {
        TensorView { layout: self.layout.shaped(shape), ..self }
    }

    /// Returns the element of a view without axes; `None` for other views.
    pub(crate) fn zero_dim(&self) -> Option<ScalarValue> {
        if self.shape().is_empty() { self.first() } else { None }
    }

    /// Returns the element whose indices are all 0; `None` if there are no elements.
    pub(crate) fn first(&self) -> Option<ScalarValue> {
        if self.is_empty() {
            return None;
        }
        // SAFETY: there is an element, so one has indices that are all 0.
        unsafe { self.element(self.pointer) }
    }

    /// Returns a view with this shape of contiguous elements at another address.
    ///
    /// # Safety
    ///
    /// As many elements of the dtype are at the address, initialised and aligned, for as long as the view
    /// lives, and nothing writes to them.
    pub(crate) unsafe fn moved_to(&self, pointer: *const u8) -> TensorView<'a> {
        let layout = self.layout.compacted();
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

    const fn memory(&self) -> &TensorView<'a> {
        self
    }
}

/// Prints the elements as nested lists. If there are more than 1000, each axis shows its first and last
/// three.
///
/// ```
/// use promote::TensorView;
///
/// let view = TensorView::new(&[1_i8, 2, 3, 4, 5, 6][..], &[2, 3])?;
/// assert_eq!(view.to_string(), "[[1, 2, 3], [4, 5, 6]]");
/// # Ok::<(), promote::ViewError>(())
/// ```
impl fmt::Display for TensorView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Beside an axis of length 0, another one can be of any length.
        let elided = self.len() > 1000 || self.shape().iter().any(|len| *len > 1000);
        self.fmt_axis(f, self.shape(), self.pointer, elided)
    }
}

impl TensorView<'_> {
    /// Prints the elements along the last `shape.len()` axes, from an address on.
    fn fmt_axis(
        &self,
        f: &mut fmt::Formatter<'_>,
        shape: &[usize],
        pointer: *const u8,
        elided: bool,
    ) -> fmt::Result {
        let [len, rest @ ..] = shape else {
            // SAFETY: every index on the way here is within the shape.
            return match unsafe { self.element(pointer) } {
                Some(value) => fmt::Display::fmt(&value, f),
                None => f.write_str("?"),
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
    /// Views contiguous elements in row-major order: the last index runs fastest.
    ///
    /// # Errors
    ///
    /// Returns an error if the shape has another number of elements.
    pub fn new(elements: impl Into<SliceMut<'a>>, shape: &'a [usize]) -> Result<Self, ViewError> {
        TensorViewMut::of_slice(elements.into(), |memory| TensorView::new(memory, shape))
    }

    /// Views contiguous memory that may be uninitialised. A call that returns `Ok` has initialised all of it.
    ///
    /// # Errors
    ///
    /// Returns an error if the shape has another number of elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use promote::{Op, TensorViewMut, Torch};
    ///
    /// let mut sums = Vec::<f32>::with_capacity(2);
    /// let out = TensorViewMut::uninit(&mut sums.spare_capacity_mut()[..2], &[2])?;
    /// let rules = Torch::new().rule_set();
    /// rules.prepare(Op::Add, &[(&[1.0_f32, 2.0]).into(), 1.into()]).out(out).run()?;
    /// // SAFETY: the call succeeded.
    /// unsafe { sums.set_len(2) };
    /// assert_eq!(sums, [2.0, 3.0]);
    /// # Ok::<(), promote::Error>(())
    /// ```
    pub fn uninit<T: Element>(
        elements: &'a mut [MaybeUninit<T>],
        shape: &'a [usize],
    ) -> Result<Self, ViewError> {
        TensorViewMut::new(SliceMut::uninit(elements), shape)
    }

    /// Views elements of a slice with strides and an offset in elements, as [`TensorView::strided`] does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TensorView::strided`], and an error if two elements overlap. For irregular
    /// strides that interlock, overlap is hard to rule out; such views are refused after a bounded search.
    pub fn strided(
        elements: impl Into<SliceMut<'a>>,
        shape: &'a [usize],
        strides: &'a [isize],
        offset: usize,
    ) -> Result<Self, ViewError> {
        TensorViewMut::of_slice(elements.into(), |memory| TensorView::strided(memory, shape, strides, offset))
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
        let view = |memory| TensorView::byte_strided(memory, shape, strides, offset);
        TensorViewMut::of_slice(elements.into(), view)
    }

    /// Views elements of a slice as a function does that is passed their memory.
    fn of_slice(
        mut elements: SliceMut<'a>,
        view: impl FnOnce(Slice<'a>) -> Result<TensorView<'a>, ViewError>,
    ) -> Result<Self, ViewError> {
        let memory = view(elements.memory())?;
        // SAFETY: the elements lie within a slice that may be written.
        unsafe { TensorViewMut::writing(memory, elements.is_initialised()) }
    }

    /// Views elements within bytes, with strides and an offset in bytes, as [`TensorView::from_bytes`] does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TensorViewMut::strided`], and an error if the dtype exists in tables only.
    pub fn from_bytes(
        dtype: DType,
        bytes: &'a mut [u8],
        shape: &'a [usize],
        strides: &'a [isize],
        offset: usize,
    ) -> Result<Self, ViewError> {
        let memory = (bytes.as_mut_ptr().cast_const(), bytes.len());
        let memory = TensorView::within(dtype, memory, shape, Strides::bytes(strides), offset)?;
        // SAFETY: the elements lie within bytes that may be written, and are initialised.
        unsafe { TensorViewMut::writing(memory, true) }
    }

    /// Views memory from an address on, with strides in bytes.
    ///
    /// Operands of a call may overlap such a view: every element is then read before it is overwritten.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TensorView::from_raw_parts`], and an error if two elements overlap, as
    /// [`TensorViewMut::strided`] does.
    ///
    /// # Safety
    ///
    /// For each index within `shape` there is memory for an element `Σ index[i] * strides[i]` bytes from
    /// `pointer`, all in one allocation. During `'a` nothing but this view and the calls that take it reads
    /// or writes it. The elements are initialised if they are read: by a call in place, or through
    /// [`TensorViewMut::as_view`]. Without elements, `pointer` may be anything.
    pub unsafe fn from_raw_parts(
        dtype: DType,
        pointer: *mut u8,
        shape: &'a [usize],
        strides: &'a [isize],
    ) -> Result<Self, ViewError> {
        let layout = Layout::strided(shape, Strides::bytes(strides), size_of_dtype(dtype)?)?;
        if layout.overlaps_itself() {
            return Err(ViewError::Aliased);
        }
        let memory = TensorView::at(dtype, pointer, layout, false);
        Ok(TensorViewMut { memory, initialised: true, exclusive: PhantomData })
    }

    /// Views typed elements from an address on, with strides in elements, as [`TensorView::from_ptr`] does.
    ///
    /// The view counts as made from a mutable reference: calls do not look for operands that overlap it.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TensorViewMut::from_raw_parts`].
    ///
    /// # Safety
    ///
    /// For each index within `shape` there is aligned memory for a `T` `Σ index[i] * strides[i]` elements
    /// from `pointer`, all in one allocation. During `'a` nothing but this view reads or writes it. The
    /// elements are initialised if they are read: by a call in place, through [`TensorViewMut::as_view`] or
    /// through [`TensorViewMut::as_mut_ptr`]. Without elements, `pointer` may be anything.
    pub unsafe fn from_ptr<T: Element>(
        pointer: *mut T,
        shape: &'a [usize],
        strides: &'a [isize],
    ) -> Result<Self, ViewError> {
        // SAFETY: the caller promises at least as much, except that the elements are initialised. Nothing
        // reads them here.
        let memory = unsafe { TensorView::from_ptr(pointer.cast_const(), shape, strides)? };
        // SAFETY: as the caller promises.
        unsafe { TensorViewMut::writing(memory, true) }
    }

    /// Returns a mutable view of the memory of a view, if no two of its elements overlap.
    ///
    /// # Safety
    ///
    /// The view's pointer may be written through, and nothing but the new view and the calls that take it
    /// reads or writes the memory. If `initialised` is true, elements are initialised where they are read.
    unsafe fn writing(memory: TensorView<'a>, initialised: bool) -> Result<Self, ViewError> {
        if memory.layout.overlaps_itself() {
            return Err(ViewError::Aliased);
        }
        Ok(TensorViewMut { memory, initialised, exclusive: PhantomData })
    }

    /// Reborrows the view for a shorter lifetime, so that it can be passed to several calls in turn.
    #[inline]
    pub const fn reborrow(&mut self) -> TensorViewMut<'_> {
        TensorViewMut { exclusive: PhantomData, ..*self }
    }

    /// Returns a read-only view; `None` if the memory comes from [`TensorViewMut::uninit`] or
    /// [`SliceMut::uninit`].
    pub fn as_view(&self) -> Option<TensorView<'_>> {
        self.initialised.then_some(self.memory)
    }

    /// Returns the elements as a slice if they are contiguous in row-major order.
    pub fn as_mut_slice(&mut self) -> Option<SliceMut<'_>> {
        let (plain, pointer) = (self.is_borrowed() && self.is_aligned(), self.pointer());
        let elements = || SliceMut::from_parts(self.dtype(), pointer, self.len(), plain, self.initialised);
        self.is_contiguous().then(elements)
    }

    /// Returns the address of the element whose indices are all 0, if a library may read and write all
    /// elements as `T` while this view is borrowed, through mutable references.
    ///
    /// Returns `None` if the memory may be uninitialised, if it comes from [`TensorViewMut::from_raw_parts`],
    /// or for the other reasons of [`TensorView::as_ptr`].
    pub fn as_mut_ptr<T: Element>(&mut self) -> Option<*mut T> {
        self.initialised.then(|| self.memory.as_ptr::<T>())?.map(<*const T>::cast_mut)
    }

    /// Returns the elements, which are contiguous, with another shape of as many elements.
    #[cfg(feature = "alloc")]
    pub(crate) fn shaped<'b>(self, shape: &'b [usize]) -> TensorViewMut<'b>
    where
        'a: 'b,
    {
        TensorViewMut { memory: self.memory.shaped(shape), ..self }
    }

    /// Returns a view of the memory for comparisons of addresses; its elements may be uninitialised.
    pub(crate) const fn memory(&self) -> &TensorView<'a> {
        &self.memory
    }

    #[inline]
    pub(crate) const fn pointer(&mut self) -> *mut u8 {
        self.memory.pointer.cast_mut()
    }

    #[inline]
    pub(crate) const fn layout(&self) -> &Layout<'a> {
        &self.memory.layout
    }

    /// Returns true if the elements are initialised, so that the view can be an operand as well.
    #[inline]
    pub(crate) const fn is_initialised(&self) -> bool {
        self.initialised
    }
}

fn size_of_dtype(dtype: DType) -> Result<usize, ViewError> {
    element_size(dtype).map_err(|_| ViewError::NoElements { dtype })
}

/// Returns the contiguous layout of a shape that must have `found` elements.
fn contiguous(dtype: DType, shape: &[usize], found: usize) -> Result<Layout<'_>, ViewError> {
    let layout = Layout::contiguous(shape, size_of_dtype(dtype)?)?;
    if layout.len() == found { Ok(layout) } else { Err(ViewError::Length { expected: layout.len(), found }) }
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

impl<'a> From<SliceMut<'a>> for TensorViewMut<'a> {
    #[inline]
    fn from(mut slice: SliceMut<'a>) -> Self {
        let initialised = slice.is_initialised();
        TensorViewMut { memory: slice.memory().into(), initialised, exclusive: PhantomData }
    }
}

#[cfg(feature = "alloc")]
impl<'a> From<&'a Tensor> for TensorView<'a> {
    #[inline]
    fn from(tensor: &'a Tensor) -> Self {
        tensor.view()
    }
}

#[cfg(feature = "alloc")]
impl<'a> From<&'a mut Tensor> for TensorViewMut<'a> {
    #[inline]
    fn from(tensor: &'a mut Tensor) -> Self {
        tensor.view_mut()
    }
}

impl fmt::Debug for TensorView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TensorView")
            .field("dtype", &self.dtype)
            .field("shape", &self.shape())
            .field("elements", &format_args!("{self}"))
            .finish_non_exhaustive()
    }
}

/// Prints the elements if they come from a reference to initialised elements. Those from an address may be
/// uninitialised.
impl fmt::Debug for TensorViewMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("TensorViewMut");
        fields.field("dtype", &self.dtype()).field("shape", &self.shape());
        if let Some(view) = self.as_view().filter(TensorView::is_borrowed) {
            fields.field("elements", &format_args!("{view}"));
        }
        fields.finish_non_exhaustive()
    }
}
