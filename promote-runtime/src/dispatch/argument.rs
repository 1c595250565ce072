//! Arguments and options of run-time calls.

use crate::level::Level;
#[cfg(feature = "alloc")]
use crate::memory::{Input, Tensor};
use crate::memory::{ScalarValue, Slice, TensorView};
use crate::op::Flags;
use crate::rule_set::Operand;
use crate::{DType, Number, OpTypes};

/// An operand of a run-time call.
///
/// Slices, vectors, arrays, views, tensors and Rust's numbers convert to it.
///
/// ```
/// use promote::{Argument, DType, Number, Operand, Tensor};
///
/// let tensor = Tensor::zeros(DType::F16, &[2, 3])?;
/// assert_eq!(Argument::from(&tensor).operand(), Operand::Array(DType::F16));
/// assert_eq!(Argument::from(&vec![1_i8]).operand(), Operand::Array(DType::I8));
/// // A Rust number has no width, as a literal in Python. A typed scalar is a zero-dimensional array.
/// assert_eq!(Argument::from(2.5_f32).operand(), Operand::Number(Number::Float(2.5)));
/// let scalar = Argument::ZeroDim(2.5_f32.into());
/// assert_eq!(scalar.operand(), Operand::ZeroDim(DType::F32, Some(Number::Float(2.5))));
/// # Ok::<(), promote::CallError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Argument<'a> {
    /// A view of any shape. It counts as [`Operand::Array`], or without axes as [`Operand::ZeroDim`].
    Array(&'a TensorView<'a>),
    /// An array with one axis, whose elements are contiguous.
    Slice(Slice<'a>),
    /// A weak array of any shape, for rule sets that have such arrays (JAX): it yields to the dtypes of other
    /// arrays, as [`Operand::Weak`].
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

impl<'a, T: crate::Element> From<&'a [T]> for Argument<'a> {
    fn from(slice: &'a [T]) -> Self {
        Argument::Slice(Slice::new(slice))
    }
}

impl<'a> From<&'a TensorView<'a>> for Argument<'a> {
    fn from(view: &'a TensorView<'a>) -> Self {
        Argument::Array(view)
    }
}

impl From<Number> for Argument<'_> {
    fn from(number: Number) -> Self {
        Argument::Number(number)
    }
}

impl<'a, T: crate::Element, const N: usize> From<&'a [T; N]> for Argument<'a> {
    fn from(array: &'a [T; N]) -> Self {
        Argument::from(&array[..])
    }
}

impl From<ScalarValue> for Argument<'_> {
    fn from(value: ScalarValue) -> Self {
        Argument::ZeroDim(value)
    }
}

#[cfg(feature = "alloc")]
impl<'a> From<&'a Tensor> for Argument<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Argument::Array(tensor.as_view())
    }
}

#[cfg(feature = "alloc")]
impl<'a, T: crate::Element> From<&'a alloc::vec::Vec<T>> for Argument<'a> {
    fn from(elements: &'a alloc::vec::Vec<T>) -> Self {
        Argument::from(&elements[..])
    }
}

macro_rules! numbers {
    ({} bool [$($bool:ident)*] integer [$($integer:ident)*] float [$($float:ident)*] complex $complex:tt) => {
        numbers! { $($bool)* $($integer)* $($float)* }
    };
    ($($ty:ident)*) => {$(
        impl From<$ty> for Argument<'_> {
            fn from(number: $ty) -> Self {
                Argument::Number(number.into())
            }
        }
    )*};
}

promote_core::__register_dtypes! { numbers {} }

impl From<num_complex::Complex<f64>> for Argument<'_> {
    fn from(number: num_complex::Complex<f64>) -> Self {
        Argument::Number(Number::Complex(number.re, number.im))
    }
}

impl Argument<'_> {
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

    /// Returns the operand as promotion sees it: its category and dtype, with the value of a number or a
    /// zero-dimensional array.
    #[inline]
    pub fn operand(&self) -> Operand {
        match self {
            Argument::Slice(slice) => Operand::Array(slice.dtype()),
            Argument::InPlace(dtype) => Operand::Array(*dtype),
            Argument::Array(view) => match view.zero_dim() {
                Some(value) => zero_dim(value),
                None => Operand::Array(view.dtype()),
            },
            Argument::Weak(view) => Operand::Weak(view.dtype()),
            Argument::ZeroDim(value) => zero_dim(*value),
            Argument::Number(number) => Operand::Number(*number),
        }
    }
}

/// The options of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) flags: Flags,
    /// The SIMD level; `None` for the level in use.
    pub(crate) level: Option<Level>,
}

impl Options {
    pub(crate) const DEFAULT: Options = Options { flags: Flags::DEFAULT, level: None };

    /// Returns the level to look kernels up at, which the machine has.
    pub(crate) fn level(self) -> Level {
        self.level.map_or_else(Level::active, Level::or_below)
    }
}

impl From<Flags> for Options {
    fn from(flags: Flags) -> Self {
        Options { flags, level: None }
    }
}

/// The destination of a call's result, which decides its dtypes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// An array of the dtype that the op gives.
    New,
    /// The first operand.
    InPlace,
    /// An array of this dtype, if the rule set allows the cast.
    Out(DType),
    /// Any array: the caller chose the dtypes, whatever the operands promote to.
    As(OpTypes),
}

/// Returns a zero-dimensional operand with its value, which some rule sets look at.
fn zero_dim(value: ScalarValue) -> Operand {
    Operand::ZeroDim(value.dtype(), value.number())
}

#[cfg(feature = "alloc")]
impl<'a> Argument<'a> {
    /// Returns an array other than `out` as an input; `None` for numbers and zero-dimensional operands.
    #[inline]
    pub(super) fn array(&self) -> Option<Input<'a>> {
        match *self {
            Argument::Slice(slice) => Some(Input::Slice(slice)),
            Argument::Array(view) if view.zero_dim().is_none() => Some(Input::View(view)),
            _ => None,
        }
    }
}
