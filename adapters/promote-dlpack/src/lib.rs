#![doc = include_str!("../README.md")]

use std::fmt;
use std::sync::Arc;

pub use dlpark;
use dlpark::ffi::{DLDataType, DLDataTypeCode, DLDevice, DLDeviceType, DLManagedTensorVersioned};
use dlpark::metadata::Dynamic;
use dlpark::{DlpackFlags, Managed, ManagedTensorBase, OpaqueContext, versioned};
pub use promote;
use promote::{DType, Tensor, TensorView, TensorViewMut, ViewError};

/// Conversion of a tensor to a DLPack tensor, without a copy of the elements.
///
/// A `Tensor` is handed over: the receiver may write to it, and frees it by the deleter. An `Arc<Tensor>` is
/// shared, and flagged as read-only.
///
/// ```
/// use std::sync::Arc;
///
/// use promote::Tensor;
/// use promote_dlpack::dlpark::DlpackFlags;
/// use promote_dlpack::IntoDlpack;
///
/// let tensor = Arc::new(Tensor::from_vec(vec![1.0_f32, 2.0], &[2])?);
/// let shared = Arc::clone(&tensor).into_dlpack()?;
/// assert!(shared.flags().contains(DlpackFlags::READ_ONLY));
/// drop(shared);
/// assert_eq!(Arc::strong_count(&tensor), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait IntoDlpack {
    /// Returns the tensor as a DLPack tensor of the current version, with row-major strides.
    ///
    /// # Errors
    ///
    /// Returns an error if DLPack has no such dtype, as for custom ones.
    fn into_dlpack(self) -> Result<versioned::Dlpack, DlpackError>;
}

impl IntoDlpack for Tensor {
    fn into_dlpack(self) -> Result<versioned::Dlpack, DlpackError> {
        let mut tensor = Box::new(self);
        let (dtype, shape) = (tensor.dtype(), tensor.shape().to_vec());
        let data = tensor.as_mut_ptr();
        // SAFETY: the box owns the tensor, which has row-major elements of this dtype at this address. Moving
        // the box moves neither. Nothing else uses the tensor.
        unsafe { export(dtype, &shape, data, tensor, DlpackFlags::empty()) }
    }
}

impl IntoDlpack for Arc<Tensor> {
    fn into_dlpack(self) -> Result<versioned::Dlpack, DlpackError> {
        let (dtype, shape) = (self.dtype(), self.shape().to_vec());
        let data = self.as_bytes().as_ptr().cast_mut();
        // SAFETY: as above. Others may read the tensor, and nobody may write to it, as the flag says.
        unsafe { export(dtype, &shape, data, self, DlpackFlags::READ_ONLY) }
    }
}

/// Makes a DLPack tensor of elements that a context owns.
///
/// # Safety
///
/// As many elements of the dtype as the shape has are at the address, in row-major order, as long as the
/// context lives. A receiver may write to them unless the flags forbid it.
unsafe fn export(
    dtype: DType,
    shape: &[usize],
    data: *mut u8,
    context: impl OpaqueContext,
    flags: DlpackFlags,
) -> Result<versioned::Dlpack, DlpackError> {
    let (code, bits) = dtype.dlpack().ok_or(DlpackError::NoCode { dtype })?;
    let mut made = Dynamic::compact(shape).initialize(context).map_err(DlpackError::Metadata)?;
    let is_empty = shape.contains(&0);
    made.set_data(if is_empty { std::ptr::null_mut() } else { data.cast() });
    made.set_dtype(DLDataType::scalar(DLDataTypeCode(code), bits));
    made.set_device(DLDevice::CPU);
    made.set_flags(flags).map_err(DlpackError::Descriptor)?;
    // SAFETY: the caller promises what the fields say, and the context keeps the elements.
    Ok(unsafe { made.finish() })
}

/// A DLPack tensor that was received, in memory of the CPU. Its elements are used where they lie.
///
/// It calls DLPack's deleter when it is dropped. `M` is the versioned form or the legacy one.
pub struct DlpackTensor<M: ManagedTensorBase = DLManagedTensorVersioned> {
    dtype: DType,
    /// The element whose indices are all 0.
    pointer: *mut u8,
    shape: Vec<usize>,
    /// The strides in bytes.
    strides: Vec<isize>,
    managed: Managed<M>,
}

impl<M: ManagedTensorBase> DlpackTensor<M> {
    /// Receives a tensor.
    ///
    /// # Errors
    ///
    /// Returns an error if the description is inconsistent, if the memory is not that of the CPU, or if
    /// arrays of `promote` cannot have the dtype. The deleter is called then.
    ///
    /// # Safety
    ///
    /// The description is true: there is an initialised element at each index, all in one allocation, until
    /// the deleter is called. While a view of this tensor is in use, nothing else writes to the elements, and
    /// if the view is mutable, nothing else reads them either.
    pub unsafe fn new(managed: Managed<M>) -> Result<Self, DlpackError> {
        let tensor = managed.validate().map_err(DlpackError::Descriptor)?;
        let device = tensor.device().device_type;
        if device != DLDeviceType::CPU {
            return Err(DlpackError::NotCpu { device: device.0 });
        }
        let DLDataType { code, bits, lanes } = tensor.dtype();
        let unknown = DlpackError::Unknown { code: code.0, bits, lanes };
        let dtype = DType::from_dlpack(code.0, bits).filter(|_| lanes == 1).ok_or(unknown)?;
        let size = dtype.size().ok_or(DlpackError::View(ViewError::NoElements { dtype }))?;
        let too_large = || DlpackError::View(ViewError::TooLarge);
        let length = |len: &i64| usize::try_from(*len).map_err(|_| too_large());
        let shape = tensor.shape().iter().map(length).collect::<Result<Vec<_>, _>>()?;
        let is_empty = shape.contains(&0);
        let mut strides = Vec::with_capacity(shape.len());
        let given = tensor.strides_or_compact().map_err(DlpackError::Descriptor)?;
        for (len, stride) in shape.iter().zip(given.iter()) {
            // Strides that are never taken may be anything.
            let taken = *len > 1 && !is_empty;
            let bytes =
                isize::try_from(*stride).ok().and_then(|stride| stride.checked_mul(size.cast_signed()));
            strides.push(if taken { bytes.ok_or_else(too_large)? } else { 0 });
        }
        // SAFETY: the caller promises that the description is true.
        let pointer = unsafe { tensor.offset_bytes_ptr() }.map_err(DlpackError::Descriptor)?.cast_mut();
        let made = DlpackTensor { dtype, pointer, shape, strides, managed };
        made.checked_view().map_err(DlpackError::View)?;
        Ok(made)
    }

    /// Returns the dtype.
    pub const fn dtype(&self) -> DType {
        self.dtype
    }

    /// Returns the lengths of the axes.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns true if the owner forbids writing. The legacy form has no such flag.
    pub fn is_read_only(&self) -> bool {
        self.managed.flags().contains(DlpackFlags::READ_ONLY)
    }

    /// Returns a view of the elements.
    ///
    /// # Panics
    ///
    /// Never: [`DlpackTensor::new`] has checked shape and strides.
    pub fn view(&self) -> TensorView<'_> {
        self.checked_view().expect("shape and strides were checked")
    }

    fn checked_view(&self) -> Result<TensorView<'_>, ViewError> {
        // SAFETY: the caller of `new` promised an initialised element at each index, in one allocation, and
        // that nothing else writes to them while the view is in use.
        unsafe { TensorView::from_raw_parts(self.dtype, self.pointer, &self.shape, &self.strides) }
    }

    /// Returns a mutable view of the elements.
    ///
    /// # Errors
    ///
    /// Returns an error if the tensor is read-only, or if its elements overlap, as those of a broadcast
    /// tensor do.
    pub fn view_mut(&mut self) -> Result<TensorViewMut<'_>, DlpackError> {
        if self.is_read_only() {
            return Err(DlpackError::ReadOnly);
        }
        // SAFETY: as in `view`. The owner allows writing, and the caller of `new` promised that nothing else
        // reads or writes the elements while the view is in use.
        let view =
            unsafe { TensorViewMut::from_raw_parts(self.dtype, self.pointer, &self.shape, &self.strides) };
        view.map_err(DlpackError::View)
    }

    /// Returns the DLPack tensor, to hand it on.
    pub fn into_inner(self) -> Managed<M> {
        self.managed
    }
}

impl<M: ManagedTensorBase> fmt::Debug for DlpackTensor<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DlpackTensor")
            .field("dtype", &self.dtype)
            .field("shape", &self.shape)
            .field("is_read_only", &self.is_read_only())
            .finish_non_exhaustive()
    }
}

/// The error of an exchange.
#[derive(Debug)]
#[non_exhaustive]
pub enum DlpackError {
    /// DLPack has no type code for the dtype.
    NoCode {
        /// The dtype.
        dtype: DType,
    },
    /// No dtype has this type code of DLPack.
    Unknown {
        /// The type code.
        code: u8,
        /// The number of bits.
        bits: u8,
        /// The number of elements in a vector.
        lanes: u16,
    },
    /// The memory is not that of the CPU.
    NotCpu {
        /// DLPack's number of the device type.
        device: u32,
    },
    /// A mutable view of a read-only tensor was asked for.
    ReadOnly,
    /// The description of the tensor is inconsistent.
    Descriptor(dlpark::tensor::Error),
    /// The description of the tensor could not be made.
    Metadata(dlpark::metadata::Error),
    /// The shape and the strides are not those of a view.
    View(ViewError),
}

impl fmt::Display for DlpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DlpackError::NoCode { dtype } => {
                write!(
                    f,
                    "DLPack has no type code for `{dtype}`; help: cast the tensor to a standard dtype first"
                )
            }
            DlpackError::Unknown { code, bits, lanes } => write!(
                f,
                "no dtype has DLPack's type code {code} with {bits} bits and {lanes} lanes; help: cast the \
                 tensor before it is sent"
            ),
            DlpackError::NotCpu { device } => write!(
                f,
                "the tensor is in memory of DLPack's device type {device}; help: copy it to the CPU before it \
                 is sent"
            ),
            DlpackError::ReadOnly => {
                f.write_str("the tensor is read-only; help: use `view`, and write the result elsewhere")
            }
            DlpackError::Descriptor(error) => error.fmt(f),
            DlpackError::Metadata(error) => error.fmt(f),
            DlpackError::View(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DlpackError {}
