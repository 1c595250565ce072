//! The operands of a call.

use arrow_array::cast::AsArray;
use arrow_array::{Array, Datum};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use promote::{DType, Number, Operand, ScalarValue, Slice, TensorView};

use crate::types::with_primitive;
use crate::{Error, dtype_of};

/// An operand of a call: an array, a typed scalar, or a number without a width.
///
/// References to arrays of any type, to [`ArrayRef`](arrow_array::ArrayRef), to [`Scalar`] and to `dyn Datum`
/// convert to it, and so do Rust's numbers.
///
/// ```
/// use promote_arrow::Argument;
/// use promote_arrow::arrow_array::{ArrayRef, Int8Array, Scalar};
///
/// let array = Int8Array::from(vec![1, 2]);
/// assert!(matches!(Argument::from(&array), Argument::Array(_)));
/// assert!(matches!(Argument::from(&Scalar::new(array.slice(0, 1))), Argument::Scalar(_)));
/// assert!(matches!(Argument::from(2.5), Argument::Number(_)));
/// ```
///
/// [`Scalar`]: arrow_array::Scalar
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Argument<'a> {
    /// An array. All arrays of a call have one length.
    Array(&'a dyn Array),
    /// An array with one element, which is used for every row. Rule sets see it as a zero-dimensional array:
    /// PyTorch's lets it change the kind of the result but not the width; NumPy's treats it as an array.
    Scalar(&'a dyn Array),
    /// An array with one element, which stands for a column that has this value in every row. Rule sets see
    /// it as an array.
    Constant(&'a dyn Array),
    /// A number without a width, like a literal in Python. It is used for every row.
    Number(Number),
}

impl<'a, D: Datum + ?Sized> From<&'a D> for Argument<'a> {
    fn from(datum: &'a D) -> Self {
        match datum.get() {
            (array, false) => Argument::Array(array),
            (array, true) => Argument::Scalar(array),
        }
    }
}

macro_rules! numbers {
    ($($ty:ty)*) => {$(
        impl From<$ty> for Argument<'_> {
            fn from(number: $ty) -> Self {
                Argument::Number(number.into())
            }
        }
    )*};
}

numbers! { bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Number }

/// The values of an operand, without its nulls.
#[derive(Clone, Debug)]
pub(crate) enum Input<'a> {
    /// The elements of a primitive array, as bytes.
    Elements(DType, &'a [u8]),
    /// The bits of a boolean array.
    Bits(BooleanBuffer),
    /// A scalar or a number, used for every row. A null scalar has the value 0.
    Once(promote::Argument<'static>),
    /// A view of one element of a column, used for every row.
    Constant(TensorView<'a>),
}

/// The rows of an operand that are null.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Nulls<'a> {
    /// No row is null.
    None,
    /// Every row is null: the operand is a null scalar or constant.
    All,
    /// Some rows may be null.
    Some(&'a NullBuffer),
}

impl<'a> Argument<'a> {
    /// Returns the values.
    pub(crate) fn values(self) -> Result<Input<'a>, Error> {
        match self {
            Argument::Array(array) => Input::of(array),
            Argument::Scalar(array) => {
                let dtype = dtype_of(array.data_type())?;
                let value = ScalarValue::from_bytes(dtype, one(array)?)?;
                let zero = || ScalarValue::from_number(Number::Int(0), dtype);
                Ok(Input::Once(if array.is_null(0) { zero()?.into() } else { value.into() }))
            }
            Argument::Constant(array) => {
                let value = Slice::from_bytes(dtype_of(array.data_type())?, one(array)?)?;
                Ok(Input::Constant(value.into()))
            }
            Argument::Number(number) => Ok(Input::Once(number.into())),
        }
    }

    /// Returns the nulls.
    pub(crate) fn nulls(self) -> Nulls<'a> {
        match self {
            Argument::Array(array) => {
                let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0);
                nulls.map_or(Nulls::None, Nulls::Some)
            }
            Argument::Scalar(array) | Argument::Constant(array) if array.null_count() > 0 => Nulls::All,
            _ => Nulls::None,
        }
    }

    /// Returns the length of an array; `None` for a scalar, a constant or a number.
    pub(crate) fn len(&self) -> Option<usize> {
        match self {
            Argument::Array(array) => Some(array.len()),
            Argument::Scalar(_) | Argument::Constant(_) | Argument::Number(_) => None,
        }
    }
}

impl<'a> Input<'a> {
    /// Returns the values of an array.
    fn of(array: &'a dyn Array) -> Result<Input<'a>, Error> {
        let unsupported = || Error::DataType(array.data_type().clone());
        let dtype = dtype_of(array.data_type())?;
        if dtype == DType::Bool {
            return Ok(Input::Bits(array.as_boolean_opt().ok_or_else(unsupported)?.values().clone()));
        }
        with_primitive!(dtype, T => {
            // The buffer begins at the first element of a sliced array, and is aligned for the type.
            let values = array.as_primitive_opt::<T>().ok_or_else(unsupported)?.values();
            Ok(Input::Elements(dtype, values.inner().as_slice()))
        }, _ => Err(unsupported()))
    }

    /// Returns the operand as promotion sees it.
    pub(crate) fn operand(&self) -> Operand {
        match self {
            Input::Elements(dtype, _) => Operand::Array(*dtype),
            Input::Bits(_) => Operand::Array(DType::Bool),
            Input::Once(argument) => argument.operand(),
            Input::Constant(view) => Operand::Array(view.dtype()),
        }
    }

    /// Returns all elements as an operand of `promote`; `None` for bits, which have to be unpacked first.
    pub(crate) fn whole(&self) -> Option<Result<promote::Argument<'_>, Error>> {
        match self {
            Input::Elements(dtype, bytes) => {
                Some(Slice::from_bytes(*dtype, bytes).map(Into::into).map_err(Into::into))
            }
            Input::Bits(_) => None,
            Input::Once(argument) => Some(Ok(*argument)),
            Input::Constant(view) => Some(Ok(view.into())),
        }
    }
}

/// Returns the bytes of the only element of an array.
fn one(array: &dyn Array) -> Result<&[u8], Error> {
    if array.len() != 1 {
        return Err(Error::Length { expected: 1, found: array.len() });
    }
    match Input::of(array)? {
        Input::Elements(_, bytes) => Ok(bytes),
        Input::Bits(bits) if bits.value(0) => Ok(&[1]),
        _ => Ok(&[0]),
    }
}
