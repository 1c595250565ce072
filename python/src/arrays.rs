//! Operands from Python as views of their memory, and new arrays of NumPy.
//!
//! Arrays are read by the fields of NumPy's C struct, which is several times faster than the buffer protocol
//! (`docs/design/python.md`). Other threads of Python may run during a call on large arrays. As with NumPy's
//! own functions, they must not write to the operands or resize them meanwhile.

use std::ffi::c_int;
use std::ptr;
use std::sync::RwLock;

use dlpark::python::ImportedDlpack;
use numpy::PY_ARRAY_API;
use numpy::npyffi::{NPY_TYPES, NpyTypes, PyArray_Descr, PyArrayObject, get_type_object};
use numpy::npyffi::{PyArrayObject_fields, flags, objects};
use promote::{DType, MlDtypes, Number, RuleSet, Slice, SliceMut, TensorView, TensorViewMut};
use promote_dlpack::DlpackTensor;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt};
use pyo3::{PyTypeInfo, ffi, intern};

use crate::error::Failure;

/// An operand.
pub(crate) enum Input<'py> {
    /// An array.
    Memory(Memory<'py>),
    /// A number without a width.
    Number(Number),
}

/// The elements of an operand, with what keeps them alive.
pub(crate) enum Memory<'py> {
    /// An array of NumPy in native byte order.
    Array(Bound<'py, PyAny>, DType),
    Dlpack(DlpackTensor),
    /// A tensor of DLPack's first version.
    Legacy(DlpackTensor<dlpark::ffi::DLManagedTensor>),
}

impl<'py> Input<'py> {
    /// Reads an operand: an array or a scalar of NumPy, a number, or an object with the buffer protocol or
    /// DLPack.
    pub(crate) fn new(object: &Bound<'py, PyAny>) -> Result<Input<'py>, Failure> {
        if is_array(object) {
            return Input::of_array(object.clone());
        }
        if let Some(number) = exact_number(object)? {
            return Ok(Input::Number(number));
        }
        Input::other(object)
    }

    /// Reads an operand that is no array and no plain number.
    #[cold]
    fn other(object: &Bound<'py, PyAny>) -> Result<Input<'py>, Failure> {
        let py = object.py();
        // SAFETY: NumPy's type objects live as long as the program.
        let scalar = unsafe {
            ffi::PyObject_TypeCheck(object.as_ptr(), get_type_object(py, NpyTypes::PyGenericArrType_Type))
        };
        if scalar != 0 {
            return Input::of_array(as_array(object)?);
        }
        if let Some(number) = number(object)? {
            return Ok(Input::Number(number));
        }
        if object.hasattr(intern!(py, "__dlpack__"))? {
            let imported = dlpark::python::from_dlpack(object.as_borrowed(), None, None)?;
            // SAFETY: DLPack's producers promise what `DlpackTensor` asks for. Other threads must not write
            // to the elements during the call, as for arrays of NumPy.
            return Ok(unsafe {
                match imported {
                    ImportedDlpack::Versioned(managed) => {
                        Input::Memory(Memory::Dlpack(DlpackTensor::new(managed)?))
                    }
                    ImportedDlpack::Legacy(managed) => {
                        Input::Memory(Memory::Legacy(DlpackTensor::new(managed)?))
                    }
                }
            });
        }
        for protocol in [intern!(py, "__array__"), intern!(py, "__array_interface__")] {
            if object.hasattr(protocol)? {
                return Input::of_array(as_array(object)?);
            }
        }
        let buffer = py.import(intern!(py, "builtins"))?.getattr(intern!(py, "memoryview"))?.call1((object,));
        match buffer {
            Ok(buffer) => Input::of_array(as_array(&buffer)?),
            Err(error) if error.is_instance_of::<PyTypeError>(py) => Err(no_operand(object)),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads an array of NumPy. One with the other byte order is copied.
    fn of_array(array: Bound<'py, PyAny>) -> Result<Input<'py>, Failure> {
        let descr = descr_of(&array);
        let dtype = dtype_of(&array, descr)?;
        if descr.byteorder == OTHER_ORDER {
            let py = array.py();
            let native = array
                .getattr(intern!(py, "dtype"))?
                .call_method1(intern!(py, "newbyteorder"), (intern!(py, "="),))?;
            let copy = array.call_method1(intern!(py, "astype"), (native,))?;
            return Ok(Input::Memory(Memory::Array(copy, dtype)));
        }
        Ok(Input::Memory(Memory::Array(array, dtype)))
    }
}

impl Memory<'_> {
    /// Returns a view of the elements.
    pub(crate) fn view(&self) -> Result<TensorView<'_>, Failure> {
        Ok(match self {
            Memory::Array(array, dtype) => {
                let (data, shape, strides) = parts(fields(array.as_unbound()));
                // SAFETY: NumPy's arrays have an initialised element at each index, in one allocation, which
                // `array` keeps alive. The module's documentation says who must not write to them.
                unsafe { TensorView::from_raw_parts(*dtype, data, shape, strides) }?
            }
            Memory::Dlpack(tensor) => tensor.view(),
            Memory::Legacy(tensor) => tensor.view(),
        })
    }
}

/// The byte order that is not this machine's, in NumPy's notation.
#[allow(clippy::cast_possible_wrap, reason = "ASCII")]
const OTHER_ORDER: std::ffi::c_char = if cfg!(target_endian = "little") { b'>' } else { b'<' } as _;

/// Returns true for an array of NumPy, of a subclass, too.
pub(crate) fn is_array(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the object is alive, and NumPy's type objects live as long as the program.
    unsafe {
        let array = get_type_object(object.py(), NpyTypes::PyArray_Type);
        ffi::Py_TYPE(object.as_ptr()) == array || ffi::PyObject_TypeCheck(object.as_ptr(), array) != 0
    }
}

/// Returns what NumPy makes of an object, without a copy where it can.
fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    object
        .py()
        .import(intern!(object.py(), "numpy"))?
        .call_method1(intern!(object.py(), "asarray"), (object,))
}

#[cold]
fn no_operand(object: &Bound<'_, PyAny>) -> Failure {
    let name = object.get_type().name().map_or_else(|_| "such an object".to_owned(), |name| name.to_string());
    Failure::type_error(format!(
        "an operand is a `{name}`; help: pass a NumPy array, a number, or an object with the buffer protocol \
         or DLPack, such as `numpy.asarray(..)` of a list"
    ))
}

/// Returns the fields of an array of NumPy.
fn fields(array: &Py<PyAny>) -> &PyArrayObject_fields {
    // SAFETY: callers have an object for which `is_array` is true. It is alive.
    unsafe { &(*array.as_ptr().cast::<PyArrayObject>()).fields }
}

/// Returns the fields of the dtype of an array of NumPy.
fn descr_of<'a>(array: &'a Bound<'_, PyAny>) -> &'a objects::PyArray_Descr_fields {
    // SAFETY: each array has a dtype, which it keeps alive.
    unsafe { &(*fields(array.as_unbound()).descr).fields }
}

/// A contiguous array.
pub(crate) struct Contiguous<'a> {
    pub(crate) elements: Slice<'a>,
    pub(crate) shape: &'a [usize],
}

/// Returns the elements of an array of one of NumPy's own dtypes that has axes and is contiguous in row-major
/// order; `None` for other operands.
pub(crate) fn contiguous<'a>(object: &'a Bound<'_, PyAny>) -> Option<Contiguous<'a>> {
    // SAFETY: NumPy's type objects live as long as the program.
    let exact =
        unsafe { ffi::Py_TYPE(object.as_ptr()) == get_type_object(object.py(), NpyTypes::PyArray_Type) };
    if !exact {
        return None;
    }
    let (fields, descr) = (fields(object.as_unbound()), descr_of(object));
    let dtype = built_in(descr.type_num)?;
    let (data, shape, _) = parts(fields);
    if fields.flags & flags::NPY_ARRAY_C_CONTIGUOUS == 0 || descr.byteorder == OTHER_ORDER || shape.is_empty()
    {
        return None;
    }
    // SAFETY: as in `Memory::view`. NumPy has counted the elements, so the product does not overflow.
    let elements = unsafe { Slice::from_raw_parts(dtype, data, shape.iter().product()) };
    Some(Contiguous { elements: elements.ok()?, shape })
}

/// Returns the address, the lengths and the strides in bytes of an array.
fn parts(fields: &PyArrayObject_fields) -> (*mut u8, &[usize], &[isize]) {
    let rank = usize::try_from(fields.nd).unwrap_or(0);
    if rank == 0 {
        return (fields.data.cast(), &[], &[]);
    }
    // SAFETY: an array has as many lengths and strides as axes. Lengths are not negative.
    unsafe {
        let shape = std::slice::from_raw_parts(fields.dimensions.cast::<usize>(), rank);
        (fields.data.cast(), shape, std::slice::from_raw_parts(fields.strides, rank))
    }
}

/// The dtypes that other packages registered with NumPy, by NumPy's numbers.
static REGISTERED: RwLock<Vec<(c_int, DType)>> = RwLock::new(Vec::new());

/// Returns the dtype with the number of one of NumPy's own dtypes.
const fn built_in(number: c_int) -> Option<DType> {
    const LONG: [DType; 2] =
        if size_of::<std::ffi::c_long>() == 8 { [DType::I64, DType::U64] } else { [DType::I32, DType::U32] };
    const NUMBERS: [Option<DType>; 24] = {
        let mut all = [None; 24];
        all[NPY_TYPES::NPY_BOOL as usize] = Some(DType::Bool);
        all[NPY_TYPES::NPY_BYTE as usize] = Some(DType::I8);
        all[NPY_TYPES::NPY_UBYTE as usize] = Some(DType::U8);
        all[NPY_TYPES::NPY_SHORT as usize] = Some(DType::I16);
        all[NPY_TYPES::NPY_USHORT as usize] = Some(DType::U16);
        all[NPY_TYPES::NPY_INT as usize] = Some(DType::I32);
        all[NPY_TYPES::NPY_UINT as usize] = Some(DType::U32);
        all[NPY_TYPES::NPY_LONG as usize] = Some(LONG[0]);
        all[NPY_TYPES::NPY_ULONG as usize] = Some(LONG[1]);
        all[NPY_TYPES::NPY_LONGLONG as usize] = Some(DType::I64);
        all[NPY_TYPES::NPY_ULONGLONG as usize] = Some(DType::U64);
        all[NPY_TYPES::NPY_HALF as usize] = Some(DType::F16);
        all[NPY_TYPES::NPY_FLOAT as usize] = Some(DType::F32);
        all[NPY_TYPES::NPY_DOUBLE as usize] = Some(DType::F64);
        all[NPY_TYPES::NPY_CFLOAT as usize] = Some(DType::C64);
        all[NPY_TYPES::NPY_CDOUBLE as usize] = Some(DType::C128);
        all
    };
    if number < 0 || number >= 24 { None } else { NUMBERS[number.cast_unsigned() as usize] }
}

/// Returns NumPy's names of dtypes, with those of the package `ml_dtypes`.
pub(crate) fn numpy_names() -> RuleSet {
    MlDtypes::new().rule_set()
}

/// Returns the dtype of an array.
fn dtype_of(array: &Bound<'_, PyAny>, descr: &objects::PyArray_Descr_fields) -> Result<DType, Failure> {
    match built_in(descr.type_num) {
        Some(dtype) => Ok(dtype),
        None => registered(&array.getattr(intern!(array.py(), "dtype"))?, descr.type_num),
    }
}

/// Returns the dtype of a `numpy.dtype` that is none of NumPy's own.
#[cold]
fn registered(descr: &Bound<'_, PyAny>, number: c_int) -> Result<DType, Failure> {
    let known = REGISTERED.read().ok().and_then(|all| all.iter().find(|one| one.0 == number).copied());
    if let Some((_, dtype)) = known {
        return Ok(dtype);
    }
    let name: String = descr.getattr(intern!(descr.py(), "name"))?.extract()?;
    let found = numpy_names().dtype_named(&name).filter(|_| number >= NPY_TYPES::NPY_USERDEF as c_int);
    let dtype = found.ok_or_else(|| {
        Failure::type_error(format!(
            "arrays of dtype `{name}` have no counterpart here; help: cast the array by `astype` first"
        ))
    })?;
    if let Ok(mut all) = REGISTERED.write() {
        all.push((number, dtype));
    }
    Ok(dtype)
}

/// Returns the dtype of a `numpy.dtype`, or of what NumPy makes one of.
pub(crate) fn dtype_from(descr: &Bound<'_, PyAny>) -> Result<DType, Failure> {
    let py = descr.py();
    let descr = py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "dtype"), (descr,))?;
    let number: c_int = descr.getattr(intern!(py, "num"))?.extract()?;
    match built_in(number) {
        Some(dtype) => Ok(dtype),
        None => registered(&descr, number),
    }
}

/// Returns the `numpy.dtype` of a dtype.
pub(crate) fn descr(py: Python<'_>, dtype: DType) -> Result<&Bound<'_, PyAny>, Failure> {
    /// The `numpy.dtype` of each standard dtype, once it has been asked for.
    static DESCRS: [PyOnceLock<Py<PyAny>>; DType::STANDARD.len()] =
        [const { PyOnceLock::new() }; DType::STANDARD.len()];

    let missing = || {
        Failure::type_error(format!(
            "NumPy has no dtype `{dtype}`; help: install the package `ml_dtypes`, or cast to another dtype"
        ))
    };
    let known = DESCRS.get(dtype.index()).ok_or_else(missing)?;
    let found = known.get_or_try_init(py, || {
        let (name, numpy) = (numpy_names().name_of(dtype), py.import(intern!(py, "numpy"))?);
        // NumPy finds the names of `ml_dtypes` once that is imported.
        let ask = || numpy.call_method1(intern!(py, "dtype"), (name,));
        Ok(ask().or_else(|_| py.import("ml_dtypes").and_then(|_| ask())).map_err(|_| missing())?.unbind())
    });
    found.map(|found| found.bind(py))
}

/// Makes an array, whose elements are uninitialised.
pub(crate) fn new_array<'py>(
    py: Python<'py>,
    dtype: DType,
    shape: &[usize],
) -> Result<Bound<'py, PyAny>, Failure> {
    let descr = descr(py, dtype)?.clone().into_ptr().cast::<PyArray_Descr>();
    let rank = c_int::try_from(shape.len()).map_err(|_| Failure::value_error("too many axes".to_owned()))?;
    // SAFETY: NumPy takes the reference to the dtype, and copies the lengths, which were those of arrays and
    // so fit its integers.
    unsafe {
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            get_type_object(py, NpyTypes::PyArray_Type),
            descr,
            rank,
            shape.as_ptr().cast_mut().cast(),
            ptr::null_mut(),
            ptr::null_mut(),
            0,
            ptr::null_mut(),
        );
        Ok(Bound::from_owned_ptr_or_err(py, array)?)
    }
}

/// Returns a view of an array that this package has just made.
pub(crate) fn new_view(array: &mut Py<PyAny>, dtype: DType) -> Result<TensorViewMut<'_>, Failure> {
    let (data, shape, strides) = parts(fields(array));
    // SAFETY: nothing else has a reference to the array, which lives as long as the view. Its elements are
    // not read.
    Ok(unsafe { TensorViewMut::from_raw_parts(dtype, data, shape, strides) }?)
}

/// Returns the elements of an array that this package has just made, with this number of elements.
pub(crate) fn new_slice<'a>(
    array: &'a mut Bound<'_, PyAny>,
    dtype: DType,
    len: usize,
) -> Result<SliceMut<'a>, Failure> {
    // SAFETY: as in `new_view`. New arrays are contiguous.
    Ok(unsafe { SliceMut::from_raw_parts(dtype, fields(array.as_unbound()).data.cast(), len) }?)
}

/// Returns the elements of an array that a caller passed for the result; `None` if it is not contiguous, is
/// read-only, or has another shape.
pub(crate) fn output_slice<'a>(
    array: &'a Bound<'_, PyAny>,
    shape: &[usize],
) -> Result<Option<SliceMut<'a>>, Failure> {
    let Some(found) = contiguous(array).filter(|found| found.shape == shape) else { return Ok(None) };
    let fields = fields(array.as_unbound());
    if fields.flags & flags::NPY_ARRAY_WRITEABLE == 0 {
        return Ok(None);
    }
    let (dtype, len) = (found.elements.dtype(), found.elements.len());
    // SAFETY: as in `output`. These are the elements that `contiguous` found, which are not used.
    Ok(Some(unsafe { SliceMut::from_raw_parts(dtype, fields.data.cast(), len) }?))
}

/// Returns a view of an array that a caller passed for the result.
pub(crate) fn output<'a>(array: &'a Bound<'_, PyAny>) -> Result<TensorViewMut<'a>, Failure> {
    if !is_array(array) {
        return Err(Failure::type_error(
            "the result goes into an object that is not a NumPy array; help: pass an array, such as \
             `numpy.asarray(..)` of the object"
                .to_owned(),
        ));
    }
    let descr = descr_of(array);
    let dtype = dtype_of(array, descr)?;
    let fields = fields(array.as_unbound());
    if fields.flags & flags::NPY_ARRAY_WRITEABLE == 0 {
        return Err(Failure::value_error("`out` is read-only; help: pass a copy of it".to_owned()));
    }
    if descr.byteorder == OTHER_ORDER {
        return Err(Failure::type_error(
            "`out` has the other byte order; help: pass an array with that of this machine".to_owned(),
        ));
    }
    let (data, shape, strides) = parts(fields);
    // SAFETY: NumPy's arrays have an initialised element at each index, in one allocation, which `array`
    // keeps alive. The module's documentation says who must not use them meanwhile.
    Ok(unsafe { TensorViewMut::from_raw_parts(dtype, data, shape, strides) }?)
}

/// Returns a number of Python itself, and not of a subclass.
pub(crate) fn exact_number(object: &Bound<'_, PyAny>) -> Result<Option<Number>, Failure> {
    if object.is_exact_instance_of::<PyFloat>()
        || object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyBool>()
        || object.is_exact_instance_of::<PyComplex>()
    {
        return number(object);
    }
    Ok(None)
}

/// Returns a number of Python, of a subclass, too.
pub(crate) fn number(object: &Bound<'_, PyAny>) -> Result<Option<Number>, Failure> {
    Ok(Some(if PyFloat::is_type_of(object) {
        Number::Float(object.extract()?)
    } else if PyBool::is_type_of(object) {
        Number::Bool(object.extract()?)
    } else if PyInt::is_type_of(object) {
        Number::Int(integer(object)?)
    } else if let Ok(complex) = object.cast::<PyComplex>() {
        let part = |name| complex.getattr(name)?.extract::<f64>();
        Number::Complex(part(intern!(object.py(), "real"))?, part(intern!(object.py(), "imag"))?)
    } else {
        return Ok(None);
    }))
}

fn integer(object: &Bound<'_, PyAny>) -> Result<i128, Failure> {
    let mut overflow = 0;
    // SAFETY: the object is an integer.
    let small = unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
    if overflow == 0 {
        return Ok(i128::from(small));
    }
    object.extract().map_err(|_| {
        Failure::Python(pyo3::exceptions::PyOverflowError::new_err(format!(
            "the integer {object} has more than 128 bits; help: make an array of it"
        )))
    })
}
