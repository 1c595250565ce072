//! Operands and outputs as C describes them, and their conversion to views.

use std::ffi::c_void;

use arrayvec::ArrayVec;
use promote::{
    Argument, CallError, CustomOp, DType, Number, Operand, ScalarValue, Slice, SliceMut, TensorView,
    TensorViewMut, ViewError,
};

use crate::error::Failure;
use crate::names::{PromoteDType, dtype};
use crate::pointer::list;

/// What an operand is beside its dtype: one of the numbers `PROMOTE_CATEGORY_..`.
pub type PromoteCategory = i32;

/// An array. One without axes counts as zero-dimensional.
pub const PROMOTE_CATEGORY_ARRAY: PromoteCategory = 0;
/// A zero-dimensional array: one element with a dtype.
pub const PROMOTE_CATEGORY_ZERO_DIM: PromoteCategory = 1;
/// A number without a width, such as a literal of Python.
pub const PROMOTE_CATEGORY_NUMBER: PromoteCategory = 2;
/// A weakly typed array, for rule sets that have such arrays (JAX).
pub const PROMOTE_CATEGORY_WEAK: PromoteCategory = 3;

/// The kind of a number: one of the numbers `PROMOTE_NUMBER_..`.
pub type PromoteNumberKind = i32;

/// True or false: true if `integer` is not 0.
pub const PROMOTE_NUMBER_BOOL: PromoteNumberKind = 0;
/// The signed integer `integer`.
pub const PROMOTE_NUMBER_INT: PromoteNumberKind = 1;
/// The unsigned integer that `integer` becomes when it is converted to `uint64_t`.
pub const PROMOTE_NUMBER_UINT: PromoteNumberKind = 2;
/// The float `real`.
pub const PROMOTE_NUMBER_FLOAT: PromoteNumberKind = 3;
/// The complex number of `real` and `imaginary`.
pub const PROMOTE_NUMBER_COMPLEX: PromoteNumberKind = 4;

/// The largest number of inputs that an op has.
pub const PROMOTE_MAX_INPUTS: usize = 4;
const _: () = assert!(PROMOTE_MAX_INPUTS == CustomOp::MAX_INPUTS);

/// A number without a width. Only the fields of its kind are read.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PromoteNumber {
    /// The kind.
    pub kind: PromoteNumberKind,
    /// The value of a bool or an integer.
    pub integer: i64,
    /// The value of a float, or the real part of a complex number.
    pub real: f64,
    /// The imaginary part of a complex number.
    pub imaginary: f64,
}

impl PromoteNumber {
    fn number(&self) -> Result<Number, Failure> {
        match self.kind {
            PROMOTE_NUMBER_BOOL => Ok(Number::Bool(self.integer != 0)),
            PROMOTE_NUMBER_INT => Ok(Number::Int(self.integer.into())),
            PROMOTE_NUMBER_UINT => Ok(Number::Int(self.integer.cast_unsigned().into())),
            PROMOTE_NUMBER_FLOAT => Ok(Number::Float(self.real)),
            PROMOTE_NUMBER_COMPLEX => Ok(Number::Complex(self.real, self.imaginary)),
            kind => Err(Failure::argument(format!(
                "no kind of number has the number {kind}; help: pass one of `PROMOTE_NUMBER_..`"
            ))),
        }
    }
}

/// An operand. Functions such as `promote_array` make one.
///
/// Queries look at the category, at the dtype and, of an element or a number, at the value. Calls read the
/// elements. Only the fields that the category has are read: of a number, `number`; of others, `dtype` and
/// `data`; of an array and a weak array also `rank`, `shape` and `strides`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PromoteOperand {
    /// The category.
    pub category: PromoteCategory,
    /// The dtype of the elements.
    pub dtype: PromoteDType,
    /// The element whose indices are all 0. It need not be aligned. In queries it may be null.
    pub data: *const c_void,
    /// The number of axes.
    pub rank: usize,
    /// The lengths of the axes: `rank` numbers.
    pub shape: *const usize,
    /// The distances in bytes from one element to the next along each axis: `rank` numbers, which may be
    /// negative, 0, or no multiple of the element's size. If null, the elements are contiguous, and the last
    /// index runs fastest.
    pub strides: *const isize,
    /// The value of a number.
    pub number: PromoteNumber,
}

/// Memory that a call writes a result to.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PromoteOutput {
    /// The dtype of the elements.
    pub dtype: PromoteDType,
    /// The element whose indices are all 0. It need not be aligned.
    pub data: *mut c_void,
    /// The number of axes.
    pub rank: usize,
    /// The lengths of the axes, as in `PromoteOperand`.
    pub shape: *const usize,
    /// The strides in bytes, as in `PromoteOperand`. No two elements may overlap.
    pub strides: *const isize,
}

const NO_NUMBER: PromoteNumber =
    PromoteNumber { kind: PROMOTE_NUMBER_INT, integer: 0, real: 0.0, imaginary: 0.0 };

const fn number(number: PromoteNumber) -> PromoteOperand {
    PromoteOperand { category: PROMOTE_CATEGORY_NUMBER, number, ..promote_array_of(0) }
}

/// Returns an array as an operand of calls and queries. `strides` may be null. Nothing is checked or read
/// before the operand is used.
#[unsafe(no_mangle)]
pub const extern "C" fn promote_array(
    dtype: PromoteDType,
    data: *const c_void,
    rank: usize,
    shape: *const usize,
    strides: *const isize,
) -> PromoteOperand {
    PromoteOperand { category: PROMOTE_CATEGORY_ARRAY, dtype, data, rank, shape, strides, number: NO_NUMBER }
}

/// Returns an array of unknown elements, as an operand of queries.
#[unsafe(no_mangle)]
pub const extern "C" fn promote_array_of(dtype: PromoteDType) -> PromoteOperand {
    promote_array(dtype, std::ptr::null(), 0, std::ptr::null(), std::ptr::null())
}

/// Returns a zero-dimensional array as an operand. In queries `data` may be null; the value matters under
/// rule sets that look at values (NumPy 1).
#[unsafe(no_mangle)]
pub const extern "C" fn promote_zero_dim(dtype: PromoteDType, data: *const c_void) -> PromoteOperand {
    PromoteOperand { category: PROMOTE_CATEGORY_ZERO_DIM, data, ..promote_array_of(dtype) }
}

/// Returns an integer without a width as an operand.
#[unsafe(no_mangle)]
pub const extern "C" fn promote_int(value: i64) -> PromoteOperand {
    number(PromoteNumber { integer: value, ..NO_NUMBER })
}

/// Returns a float without a width as an operand.
#[unsafe(no_mangle)]
pub const extern "C" fn promote_float(value: f64) -> PromoteOperand {
    number(PromoteNumber { kind: PROMOTE_NUMBER_FLOAT, real: value, ..NO_NUMBER })
}

/// Returns a complex number without a width as an operand.
#[unsafe(no_mangle)]
pub const extern "C" fn promote_complex(real: f64, imaginary: f64) -> PromoteOperand {
    number(PromoteNumber { kind: PROMOTE_NUMBER_COMPLEX, integer: 0, real, imaginary })
}

/// Returns an output. `strides` may be null. Nothing is checked before the output is used.
#[unsafe(no_mangle)]
pub const extern "C" fn promote_output(
    dtype: PromoteDType,
    data: *mut c_void,
    rank: usize,
    shape: *const usize,
    strides: *const isize,
) -> PromoteOutput {
    PromoteOutput { dtype, data, rank, shape, strides }
}

/// Returns the number of elements of a shape, whose size in bytes fits an `isize`.
fn elements(dtype: DType, shape: &[usize]) -> Result<usize, Failure> {
    if shape.contains(&0) {
        return Ok(0);
    }
    let size = dtype.size().ok_or(CallError::NoElements { dtype })?;
    let len = shape.iter().try_fold(1_usize, |len, axis| len.checked_mul(*axis));
    let fits = |len: &usize| len.checked_mul(size).is_some_and(|bytes| isize::try_from(bytes).is_ok());
    Ok(len.filter(fits).ok_or(ViewError::TooLarge)?)
}

fn check_data(data: *const c_void, shape: &[usize]) -> Result<(), Failure> {
    if data.is_null() && !shape.contains(&0) {
        return Err(Failure::argument("`data` of an array is a null pointer; help: pass its elements"));
    }
    Ok(())
}

fn unknown_category(category: PromoteCategory) -> Failure {
    Failure::argument(format!(
        "no category of operands has the number {category}; help: pass one of `PROMOTE_CATEGORY_..`"
    ))
}

impl PromoteOperand {
    /// Returns the lengths of the axes; an element or a number has none.
    ///
    /// # Safety
    ///
    /// `shape` of an array is null, or points to `rank` numbers that nothing writes to during `'a`.
    pub(crate) unsafe fn lengths<'a>(&self) -> Result<&'a [usize], Failure> {
        match self.category {
            PROMOTE_CATEGORY_ZERO_DIM | PROMOTE_CATEGORY_NUMBER => Ok(&[]),
            // SAFETY: as the caller promises.
            PROMOTE_CATEGORY_ARRAY | PROMOTE_CATEGORY_WEAK => unsafe { list(self.shape, self.rank, "shape") },
            category => Err(unknown_category(category)),
        }
    }

    /// Returns the operand as promotion sees it.
    ///
    /// # Safety
    ///
    /// `data` of a zero-dimensional array is null or points to an element.
    unsafe fn operand(&self) -> Result<Operand, Failure> {
        match self.category {
            PROMOTE_CATEGORY_NUMBER => Ok(Operand::Number(self.number.number()?)),
            PROMOTE_CATEGORY_WEAK => Ok(Operand::Weak(dtype(self.dtype)?)),
            PROMOTE_CATEGORY_ARRAY if self.rank > 0 || self.data.is_null() => {
                Ok(Operand::Array(dtype(self.dtype)?))
            }
            PROMOTE_CATEGORY_ZERO_DIM if self.data.is_null() => {
                Ok(Operand::ZeroDim(dtype(self.dtype)?, None))
            }
            PROMOTE_CATEGORY_ARRAY | PROMOTE_CATEGORY_ZERO_DIM => {
                let dtype = dtype(self.dtype)?;
                let size = dtype.size().ok_or(CallError::NoElements { dtype })?;
                // SAFETY: the caller promises an element of the dtype. Bytes need no alignment.
                let bytes = unsafe { std::slice::from_raw_parts(self.data.cast::<u8>(), size) };
                Ok(Operand::ZeroDim(dtype, ScalarValue::from_bytes(dtype, bytes)?.number()))
            }
            category => Err(unknown_category(category)),
        }
    }

    /// Returns a view of the elements; `None` for a number.
    ///
    /// # Safety
    ///
    /// During `'a`, the pointers are as [`arguments`] says.
    pub(crate) unsafe fn view<'a>(&self) -> Result<Option<TensorView<'a>>, Failure> {
        if self.category == PROMOTE_CATEGORY_NUMBER {
            return Ok(None);
        }
        // SAFETY: as the caller promises.
        let shape = unsafe { self.lengths()? };
        let dtype = dtype(self.dtype)?;
        check_data(self.data, shape)?;
        let data = self.data.cast::<u8>();
        if self.strides.is_null() || shape.is_empty() {
            let len = elements(dtype, shape)?;
            // SAFETY: the caller promises as many elements as the shape has, without gaps.
            let slice = unsafe { Slice::from_raw_parts(dtype, data, len)? };
            return Ok(Some(TensorView::new(slice, shape)?));
        }
        // SAFETY: the caller promises as many strides as axes, and an element at each index. Calls write to
        // it only if it is one of an output of theirs, which is made from an address, too.
        let view = unsafe {
            let strides = list(self.strides, shape.len(), "strides")?;
            TensorView::from_raw_parts(dtype, data, shape, strides)?
        };
        Ok(Some(view))
    }
}

/// Returns operands as promotion sees them.
///
/// # Safety
///
/// The pointer is null or points to `count` operands. `data` of those that are zero-dimensional is null or
/// points to an element.
pub(crate) unsafe fn kinds(operands: *const PromoteOperand, count: usize) -> Result<Vec<Operand>, Failure> {
    // SAFETY: as the caller promises.
    unsafe { list(operands, count, "operands")?.iter().map(|operand| operand.operand()).collect() }
}

/// Passes operands to a function as the arguments of a call, which takes `expected` of them.
///
/// # Safety
///
/// The pointer is null or points to `count` operands. Of each array, `shape` is null or points to `rank`
/// numbers, `strides` is null or points to `rank` numbers, and `data` is null or there is an initialised
/// element at each index, all in one allocation. During the call nothing writes to them, except the call
/// itself.
pub(crate) unsafe fn arguments<T>(
    operands: *const PromoteOperand,
    count: usize,
    expected: usize,
    function: impl FnOnce(&[Argument<'_>]) -> Result<T, Failure>,
) -> Result<T, Failure> {
    if count > PROMOTE_MAX_INPUTS {
        return Err(CallError::Inputs { expected, found: count }.into());
    }
    // SAFETY: as the caller promises.
    let operands = unsafe { list(operands, count, "operands")? };
    let mut views = ArrayVec::<_, PROMOTE_MAX_INPUTS>::new();
    for operand in operands {
        // SAFETY: as the caller promises.
        views.push(unsafe { operand.view()? });
    }
    let mut arguments = ArrayVec::<_, PROMOTE_MAX_INPUTS>::new();
    for (operand, view) in operands.iter().zip(&views) {
        arguments.push(match (operand.category, view) {
            (_, None) => Argument::Number(operand.number.number()?),
            (PROMOTE_CATEGORY_WEAK, Some(view)) => Argument::Weak(view),
            (_, Some(view)) => Argument::Array(view),
        });
    }
    function(&arguments)
}

impl PromoteOutput {
    /// Returns a view of the memory.
    ///
    /// # Safety
    ///
    /// During `'a`, `shape` is null or points to `rank` numbers, `strides` is null or points to `rank`
    /// numbers, and `data` is null or there is memory for an element at each index, all in one allocation,
    /// which nothing but calls that take the view reads or writes. Elements are initialised if a call reads
    /// them, as a call in place does.
    pub(crate) unsafe fn view<'a>(&self) -> Result<TensorViewMut<'a>, Failure> {
        // SAFETY: as the caller promises.
        let shape = unsafe { list(self.shape, self.rank, "shape")? };
        let dtype = dtype(self.dtype)?;
        check_data(self.data, shape)?;
        let data = self.data.cast::<u8>();
        if self.strides.is_null() {
            let len = elements(dtype, shape)?;
            // SAFETY: the caller promises memory for as many elements as the shape has, without gaps.
            let slice = unsafe { SliceMut::from_raw_parts(dtype, data, len)? };
            return Ok(TensorViewMut::new(slice, shape)?);
        }
        // SAFETY: the caller promises as many strides as axes, and memory for an element at each index.
        unsafe {
            let strides = list(self.strides, shape.len(), "strides")?;
            Ok(TensorViewMut::from_raw_parts(dtype, data, shape, strides)?)
        }
    }
}
