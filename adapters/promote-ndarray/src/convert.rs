//! Arrays as views and tensors of `promote`, and back. Nothing is copied, except where a method says so.

use ndarray::{
    Array, ArrayD, ArrayRef, ArrayViewD, ArrayViewMutD, Axis, Dimension, IxDyn, ShapeBuilder, StrideShape,
};
use promote::{Element, Tensor, TensorView, TensorViewMut, ViewError};

/// Conversion of arrays to views, for calls whose dtypes are known at run time.
///
/// It is implemented for `ArrayRef`, to which arrays and views of every kind dereference.
///
/// ```
/// use promote_ndarray::ndarray::array;
/// use promote_ndarray::prelude::*;
/// use promote_ndarray::promote::{Op, Torch};
///
/// let rules = Torch::new().rule_set();
/// let (a, b) = (array![[1_i8, 2], [3, 4]], array![0.5_f32, 0.25]);
/// let product = rules.call(Op::Multiply, &[(&a.t().to_tensor_view()).into(), (&b.to_tensor_view()).into()])?;
/// assert_eq!(product.into_array::<f32>().unwrap(), array![[0.5, 0.75], [1.0, 1.0]].into_dyn());
///
/// // In place, on every other column.
/// let mut a = array![[1_i8, 2, 3], [4, 5, 6]];
/// let mut columns = a.slice_mut(promote_ndarray::ndarray::s![.., ..;2]);
/// rules.prepare(Op::Add, &[10.into()]).in_place(columns.to_tensor_view_mut()).run()?;
/// assert_eq!(a, array![[11, 2, 13], [14, 5, 16]]);
/// # Ok::<(), promote::Error>(())
/// ```
pub trait ToTensorView {
    /// Returns a view of the array.
    ///
    /// # Panics
    ///
    /// Panics if shape and strides do not fit the address space. Arrays that safe code makes always do.
    fn to_tensor_view(&self) -> TensorView<'_>;

    /// Returns a mutable view of the array.
    ///
    /// # Panics
    ///
    /// Panics if shape and strides do not fit the address space, or are so irregular that it takes long to
    /// rule out that elements overlap. Arrays that safe code makes never do.
    fn to_tensor_view_mut(&mut self) -> TensorViewMut<'_>;
}

/// The guarantee that ndarray gives for the layout of every array.
const LAYOUT: &str =
    "the shape and the strides of an array fit the address space, and its elements do not overlap";

impl<T: Element, D: Dimension> ToTensorView for ArrayRef<T, D> {
    fn to_tensor_view(&self) -> TensorView<'_> {
        // SAFETY: an `ArrayRef` refers to an initialised `T` at each index, all within one allocation, at the
        // strides that it returns. They are borrowed as long as `self` is, so nothing writes to them.
        let view = unsafe { TensorView::from_ptr(self.as_ptr(), self.shape(), self.strides()) };
        view.expect(LAYOUT)
    }

    fn to_tensor_view_mut(&mut self) -> TensorViewMut<'_> {
        let pointer = self.as_mut_ptr();
        // SAFETY: as above. `self` is borrowed mutably as long as the view lives, so nothing else reads or
        // writes the elements; what `shape` and `strides` borrow is not among them.
        let view = unsafe { TensorViewMut::from_ptr(pointer, self.shape(), self.strides()) };
        view.expect(LAYOUT)
    }
}

/// Conversion of an array to a tensor.
pub trait IntoTensor {
    /// Turns an array into a tensor. The elements are copied only if they are not in row-major order.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not enough memory for the shape.
    ///
    /// ```
    /// use promote_ndarray::ndarray::array;
    /// use promote_ndarray::prelude::*;
    ///
    /// let tensor = array![[1_u8, 2], [3, 4]].into_tensor()?;
    /// assert_eq!(tensor.to_string(), "[[1, 2], [3, 4]]");
    /// assert_eq!(tensor.into_array::<u8>().unwrap(), array![[1, 2], [3, 4]].into_dyn());
    /// # Ok::<(), promote_ndarray::promote::ViewError>(())
    /// ```
    fn into_tensor(self) -> Result<Tensor, ViewError>;
}

impl<T: Element, D: Dimension> IntoTensor for Array<T, D> {
    fn into_tensor(self) -> Result<Tensor, ViewError> {
        if !self.is_standard_layout() {
            return Tensor::from_vec(self.iter().copied().collect(), self.shape());
        }
        let (dim, len) = (self.raw_dim(), self.len());
        // A slice of an array keeps the elements that it does not show.
        let (mut elements, offset) = self.into_raw_vec_and_offset();
        let offset = offset.unwrap_or(0);
        elements.truncate(offset + len);
        elements.drain(..offset);
        let shape = dim.as_array_view();
        Tensor::from_vec(elements, shape.as_slice().unwrap_or(&[]))
    }
}

/// Conversion of a view to an array view.
pub trait ToArrayView<'a> {
    /// Returns an array view of the elements; `None` in the cases of [`TensorView::as_ptr`], such as another
    /// dtype than that of `T`.
    ///
    /// ```
    /// use promote_ndarray::ndarray::array;
    /// use promote_ndarray::prelude::*;
    /// use promote_ndarray::promote::TensorView;
    ///
    /// let numbers = [1_i16, 2, 3, 4, 5, 6];
    /// let columns = TensorView::strided(&numbers, &[3, 2], &[-1, 3], 2)?;
    /// assert_eq!(columns.to_array_view::<i16>().unwrap(), array![[3, 6], [2, 5], [1, 4]].into_dyn());
    /// assert!(columns.to_array_view::<u16>().is_none());
    /// # Ok::<(), promote_ndarray::promote::ViewError>(())
    /// ```
    fn to_array_view<T: Element>(&self) -> Option<ArrayViewD<'a, T>>;
}

impl<'a> ToArrayView<'a> for TensorView<'a> {
    fn to_array_view<T: Element>(&self) -> Option<ArrayViewD<'a, T>> {
        let parts = parts(self.shape(), self.is_empty(), size_of::<T>(), |axis| self.stride(axis));
        let pointer = self.as_ptr::<T>()?.wrapping_offset(parts.first);
        // SAFETY: `as_ptr` returned an address, so there is an initialised and aligned `T` at each index,
        // borrowed for `'a`. A view has checked that shape and strides fit the address space. `parts` gave
        // strides that are not negative, from the lowest address on; without elements all of them are 0.
        let mut array = unsafe { ArrayViewD::from_shape_ptr(parts.shape.clone(), pointer) };
        parts.inverted().for_each(|axis| array.invert_axis(axis));
        Some(array)
    }
}

/// Conversion of a mutable view to a mutable array view.
pub trait ToArrayViewMut {
    /// Returns a mutable array view of the elements; `None` in the cases of [`TensorViewMut::as_mut_ptr`],
    /// such as another dtype than that of `T`.
    ///
    /// ```
    /// use promote_ndarray::prelude::*;
    /// use promote_ndarray::promote::TensorViewMut;
    ///
    /// let mut numbers = [1_i16, 2, 3, 4];
    /// let mut even = TensorViewMut::strided(&mut numbers, &[2], &[-2], 3)?;
    /// even.to_array_view_mut::<i16>().unwrap()[[0]] = 40;
    /// assert_eq!(numbers, [1, 2, 3, 40]);
    /// # Ok::<(), promote_ndarray::promote::ViewError>(())
    /// ```
    fn to_array_view_mut<T: Element>(&mut self) -> Option<ArrayViewMutD<'_, T>>;
}

impl ToArrayViewMut for TensorViewMut<'_> {
    fn to_array_view_mut<T: Element>(&mut self) -> Option<ArrayViewMutD<'_, T>> {
        let parts = parts(self.shape(), self.is_empty(), size_of::<T>(), |axis| self.stride(axis));
        let pointer = self.as_mut_ptr::<T>()?.wrapping_offset(parts.first);
        // SAFETY: as for views. No two elements of a mutable view overlap, and `self` is borrowed mutably as
        // long as the array view lives.
        let mut array = unsafe { ArrayViewMutD::from_shape_ptr(parts.shape.clone(), pointer) };
        parts.inverted().for_each(|axis| array.invert_axis(axis));
        Some(array)
    }
}

/// A layout as ndarray takes it, with strides that are not negative.
struct Parts {
    shape: StrideShape<IxDyn>,
    /// The offset in elements of the lowest address from the element whose indices are all 0.
    first: isize,
    /// 1 for each axis to invert afterwards, and 0 for others.
    inverted: IxDyn,
}

impl Parts {
    /// Returns the axes to invert.
    fn inverted(&self) -> impl Iterator<Item = Axis> + '_ {
        (0..self.inverted.ndim()).filter(|axis| self.inverted[*axis] == 1).map(Axis)
    }
}

/// Converts a layout. `stride` returns the stride of an axis in bytes.
fn parts(lengths: &[usize], is_empty: bool, size: usize, stride: impl Fn(usize) -> isize) -> Parts {
    let (mut strides, mut inverted) = (IxDyn::zeros(lengths.len()), IxDyn::zeros(lengths.len()));
    let mut first = 0;
    for (axis, len) in lengths.iter().enumerate().filter(|(_, len)| **len > 1 && !is_empty) {
        let stride = stride(axis) / size.max(1).cast_signed();
        strides[axis] = stride.unsigned_abs();
        inverted[axis] = usize::from(stride < 0);
        first += stride.min(0) * (len - 1).cast_signed();
    }
    Parts { shape: IxDyn(lengths).strides(strides), first, inverted }
}

/// Conversion of a tensor to an array.
pub trait IntoArray: Sized {
    /// Returns the elements as an array in row-major order, without copying them.
    ///
    /// `into_dimensionality` then fixes the number of axes.
    ///
    /// # Errors
    ///
    /// Returns the tensor unchanged in the cases of [`Tensor::into_vec`], such as another dtype than that of
    /// `T`.
    #[allow(clippy::result_large_err, reason = "the error returns the tensor, as `Tensor::into_vec` does")]
    fn into_array<T: Element>(self) -> Result<ArrayD<T>, Tensor>;
}

impl IntoArray for Tensor {
    fn into_array<T: Element>(self) -> Result<ArrayD<T>, Tensor> {
        let shape = IxDyn(self.shape());
        let elements = self.into_vec()?;
        Ok(ArrayD::from_shape_vec(shape, elements).expect("a tensor has as many elements as its shape"))
    }
}
