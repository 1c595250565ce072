//! The operands of a run-time call.

use crate::error::call::CallError;
#[cfg(feature = "alloc")]
use crate::memory::Tensor;
use crate::memory::{ScalarValue, Slice, TensorView};
use crate::{DType, Number};

/// An operand of a run-time call, of a rule set or of a kernel handle.
///
/// Slices, vectors, arrays, views, tensors and Rust's numbers convert to it.
///
/// ```
/// use promote::{Argument, DType, Number, Operand, Tensor};
///
/// let tensor = Tensor::zeros(DType::F16, &[2, 3])?;
/// assert_eq!(Argument::from(&tensor).operand(), Operand::Array(DType::F16));
/// assert_eq!(Argument::from(&vec![1_i8]).operand(), Operand::Array(DType::I8));
/// // A Rust number has no width, like a literal in Python. A typed scalar is a zero-dimensional array.
/// assert_eq!(Argument::from(2.5_f32).operand(), Operand::Number(Number::Float(2.5)));
/// let scalar = Argument::ZeroDim(2.5_f32.into());
/// assert_eq!(scalar.operand(), Operand::ZeroDim(DType::F32, Some(Number::Float(2.5))));
/// # Ok::<(), promote::CallError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Argument<'a> {
    /// A view of any shape. It counts as [`Operand::Array`](crate::Operand::Array), or without axes
    /// as [`Operand::ZeroDim`](crate::Operand::ZeroDim).
    Array(&'a TensorView<'a>),
    /// An array with one axis, whose elements are contiguous.
    Slice(Slice<'a>),
    /// A weak array of any shape, for rule sets that have such arrays (JAX): it yields to the dtypes of other
    /// arrays, as [`Operand::Weak`](crate::Operand::Weak).
    ///
    /// [`RuleSet::result_type`](crate::RuleSet::result_type) tells whether a result is weak; a
    /// [`Tensor`](crate::Tensor) does not keep it.
    Weak(&'a TensorView<'a>),
    /// A zero-dimensional array, which is broadcast.
    ZeroDim(ScalarValue),
    /// A number without a width, which is broadcast.
    Number(Number),
    /// The elements of `out` before the call, which have this dtype.
    InPlace(DType),
}

impl<'a> From<Slice<'a>> for Argument<'a> {
    fn from(slice: Slice<'a>) -> Self {
        Argument::Slice(slice)
    }
}

impl<'a> From<&'a TensorView<'a>> for Argument<'a> {
    fn from(view: &'a TensorView<'a>) -> Self {
        Argument::Array(view)
    }
}

#[cfg(feature = "alloc")]
impl<'a> From<&'a Tensor> for Argument<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Argument::Array(tensor.as_view())
    }
}

/// Implements conversions of single elements.
macro_rules! from {
    ({} bool [$($bool:ident)*] integer [$($integer:ident)*] float [$($float:ident)*] complex $complex:tt) => {
        from! { $($bool,)* $($integer,)* $($float,)* |number| Argument::Number(number.into()) }
    };
    ($($ty:ty,)* |$value:ident| $argument:expr) => {$(
        impl From<$ty> for Argument<'_> {
            fn from($value: $ty) -> Self {
                $argument
            }
        }
    )*};
}

promote_core::__register_dtypes! { from {} }
from! { Number, |number| Argument::Number(number) }
from! { num_complex::Complex<f64>, |number| Argument::Number(Number::Complex(number.re, number.im)) }
from! { ScalarValue, |value| Argument::ZeroDim(value) }

impl<'a> Argument<'a> {
    /// Returns the argument as kernels take it: a weak array as an array, and a view without axes as
    /// [`Argument::ZeroDim`].
    pub(crate) fn for_kernel(self) -> Self {
        match self {
            Argument::Array(view) | Argument::Weak(view) => {
                view.zero_dim().map_or(Argument::Array(view), Argument::ZeroDim)
            }
            _ => self,
        }
    }

    /// Returns the dtype; `None` for a number, which has none.
    #[inline]
    pub(crate) const fn dtype(&self) -> Option<DType> {
        match self {
            Argument::Array(view) | Argument::Weak(view) => Some(view.dtype()),
            Argument::Slice(slice) => Some(slice.dtype()),
            Argument::ZeroDim(value) => Some(value.dtype()),
            Argument::InPlace(dtype) => Some(*dtype),
            Argument::Number(_) => None,
        }
    }

    /// Returns a view of the elements of an array; `None` for an element or a number.
    pub(crate) fn view(&self) -> Option<TensorView<'a>> {
        match self {
            Argument::Array(view) | Argument::Weak(view) => Some(**view),
            Argument::Slice(slice) => Some((*slice).into()),
            Argument::ZeroDim(_) | Argument::Number(_) | Argument::InPlace(_) => None,
        }
    }

    /// Returns the shape; that of an element or a number has no axes.
    pub(crate) fn shape(&self) -> &[usize] {
        match self {
            Argument::Array(view) | Argument::Weak(view) => view.shape(),
            Argument::Slice(slice) => slice.shape(),
            Argument::ZeroDim(_) | Argument::Number(_) | Argument::InPlace(_) => &[],
        }
    }

    /// Returns a view of the elements, also of a single one.
    ///
    /// # Errors
    ///
    /// Returns an error for a number and for [`Argument::InPlace`], which have no elements of their own.
    pub(crate) fn elements(&self) -> Result<TensorView<'_>, CallError> {
        if let Argument::ZeroDim(value) = self {
            let element = Slice::from_bytes(value.dtype(), value.as_bytes())?;
            return Ok(TensorView::from(element).shaped(&[]));
        }
        self.view().ok_or(CallError::Uninitialised)
    }

    /// Returns the elements of an array as a slice, if they are contiguous.
    #[inline]
    pub(crate) fn as_slice(&self) -> Option<Slice<'a>> {
        match self {
            Argument::Slice(slice) => Some(*slice),
            Argument::Array(view) => view.as_slice(),
            _ => None,
        }
    }

    /// Returns true if this is a view or a slice with at least one axis.
    #[inline]
    pub(crate) fn has_axes(&self) -> bool {
        match self {
            Argument::Slice(_) => true,
            Argument::Array(view) => view.rank() > 0,
            _ => false,
        }
    }

    /// Returns the dtype of an argument that counts as [`Operand::Array`](crate::Operand::Array).
    #[inline]
    pub(crate) fn array_dtype(&self) -> Option<DType> {
        let is_array = self.has_axes() || matches!(self, Argument::InPlace(_));
        if is_array { self.dtype() } else { None }
    }
}
