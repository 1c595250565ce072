//! Tensors sent and received, with dlpark's own adapter of ndarray as the other end.

use std::sync::Arc;

use dlpark::allocation::dynamic;
use dlpark::ffi::{DLDataType, DLDataTypeCode, DLDevice, DLManagedTensor, DLManagedTensorVersioned};
use dlpark::metadata::Dynamic;
use dlpark::{DlpackFlags, Managed, ManagedTensorBase, TryFromDlpack, versioned};
use ndarray::{Array, ArrayViewD, Dimension, array};
use promote::half::f16;
use promote::{DType, Element, Op, Tensor, Torch};
use promote_dlpack::{DlpackError, DlpackTensor, IntoDlpack};

/// Exports an array as dlpark does.
fn sent<T, D, M>(array: Array<T, D>) -> Managed<M>
where
    T: dlpark::DlpackElement + Send,
    D: Dimension + Send,
    M: ManagedTensorBase,
{
    let made: dynamic::Initialized<M> = Box::new(array).try_into().unwrap();
    // SAFETY: the array is its own context.
    unsafe { made.finish() }
}

/// Exports numbers with a description.
fn described(
    numbers: Vec<i32>,
    shape: &[usize],
    strides: &[isize],
    offset: u64,
    flags: DlpackFlags,
) -> versioned::Dlpack {
    let mut numbers = Box::new(numbers);
    let data = numbers.as_mut_ptr().cast();
    let mut made = Dynamic::new(shape, strides).initialize(numbers).unwrap();
    made.set_data(data).set_dtype(DLDataType::I32).set_device(DLDevice::CPU).set_byte_offset(offset);
    made.set_flags(flags).unwrap();
    // SAFETY: the tests describe elements of the vector.
    unsafe { made.finish() }
}

#[test]
fn received_tensors_are_operands_where_they_lie() {
    let a = array![[1_i8, 2, 3], [4, 5, 6]];
    let address = a.as_ptr();
    // SAFETY: nothing else uses the array.
    let a = unsafe { DlpackTensor::new(sent::<_, _, DLManagedTensorVersioned>(a)) }.unwrap();
    assert_eq!((a.dtype(), a.shape()), (DType::I8, &[2, 3][..]));
    assert_eq!(a.view().to_string(), "[[1, 2, 3], [4, 5, 6]]");
    // SAFETY: the tensor is alive.
    assert_eq!(unsafe { a.into_inner().validate().unwrap().offset_data_ptr::<i8>() }.unwrap(), address);

    let halves = array![[f16::from_f32(0.5), f16::ONE]].reversed_axes();
    // SAFETY: as above.
    let halves = unsafe { DlpackTensor::new(sent::<_, _, DLManagedTensor>(halves)) }.unwrap();
    let sum =
        Torch::new().rule_set().call(Op::Add, &[(&halves.view()).into(), (&[1_i32, 2]).into()]).unwrap();
    assert_eq!((sum.dtype(), sum.to_string()), (DType::F16, "[[1.5, 2.5], [2.0, 3.0]]".to_owned()));
}

#[test]
fn strides_and_offsets_are_followed() {
    let cases: [(&[usize], &[isize], u64, &str); 6] = [
        (&[3], &[-2], 20, "[5, 3, 1]"),
        (&[3, 2], &[1, 3], 0, "[[0, 3], [1, 4], [2, 5]]"),
        (&[2, 2], &[0, 1], 4, "[[1, 2], [1, 2]]"),
        (&[], &[], 8, "2"),
        (&[1, 2], &[isize::MAX, 1], 0, "[[0, 1]]"),
        (&[0, 2], &[isize::MAX, isize::MIN], 0, "[]"),
    ];
    for (shape, strides, offset, expected) in cases {
        let tensor = described((0..6).collect(), shape, strides, offset, DlpackFlags::empty());
        // SAFETY: the cases describe elements of the vector.
        let tensor = unsafe { DlpackTensor::new(tensor) }.unwrap();
        assert_eq!(tensor.view().to_string(), expected);
    }
}

#[test]
fn received_tensors_are_written_in_place() {
    let tensor = described((0..6).collect(), &[2, 2], &[3, 2], 0, DlpackFlags::empty());
    // SAFETY: the description is that of elements of the vector, which nothing else uses.
    let mut tensor = unsafe { DlpackTensor::new(tensor) }.unwrap();
    Torch::new()
        .rule_set()
        .prepare(Op::Add, &[10.into()])
        .in_place(tensor.view_mut().unwrap())
        .run()
        .unwrap();
    assert_eq!(tensor.view().to_string(), "[[10, 12], [13, 15]]");
}

#[test]
fn read_only_and_overlapping_tensors_are_not_written() {
    let tensor = described((0..6).collect(), &[6], &[1], 0, DlpackFlags::READ_ONLY);
    // SAFETY: as above.
    let mut tensor = unsafe { DlpackTensor::new(tensor) }.unwrap();
    assert!(tensor.is_read_only());
    assert!(matches!(tensor.view_mut(), Err(DlpackError::ReadOnly)));
    let tensor = described((0..6).collect(), &[2, 3], &[0, 1], 0, DlpackFlags::empty());
    // SAFETY: as above.
    let mut tensor = unsafe { DlpackTensor::new(tensor) }.unwrap();
    assert!(matches!(tensor.view_mut(), Err(DlpackError::View(promote::ViewError::Aliased))));
}

/// A context that counts how often it is dropped.
struct Dropped(#[allow(dead_code, reason = "dropped with the context")] Arc<()>, Vec<u8>);

fn counted(drops: &Arc<()>, device: DLDevice, dtype: DLDataType) -> versioned::Dlpack {
    let mut context = Box::new(Dropped(Arc::clone(drops), vec![0; 16]));
    let data = context.1.as_mut_ptr().cast();
    let mut made = Dynamic::compact([2_usize]).initialize(context).unwrap();
    made.set_data(data).set_dtype(dtype).set_device(device);
    // SAFETY: the vector has the elements.
    unsafe { made.finish() }
}

#[test]
fn tensors_are_deleted_once() {
    let drops = Arc::new(());
    // SAFETY: nothing else uses the vector.
    let tensor = unsafe { DlpackTensor::new(counted(&drops, DLDevice::CPU, DLDataType::I32)) }.unwrap();
    assert_eq!(Arc::strong_count(&drops), 2);
    let managed = tensor.into_inner();
    assert_eq!(Arc::strong_count(&drops), 2);
    // SAFETY: as above.
    drop(unsafe { DlpackTensor::new(managed) }.unwrap());
    assert_eq!(Arc::strong_count(&drops), 1);
}

#[test]
fn refused_tensors_are_deleted() {
    let drops = Arc::new(());
    let cases = [
        (DLDevice::cuda(0), DLDataType::I32, "the tensor is in memory of DLPack's device type 2"),
        (
            DLDevice::CPU,
            DLDataType::new(DLDataTypeCode::FLOAT, 32, 4),
            "no dtype has DLPack's type code 2 with 32 bits and 4",
        ),
        (
            DLDevice::CPU,
            DLDataType::new(DLDataTypeCode::FLOAT, 24, 1),
            "no dtype has DLPack's type code 2 with 24 bits",
        ),
        (DLDevice::CPU, DLDataType::F8E4M3, "`f8e4m3` exists in promotion tables only"),
    ];
    for (device, dtype, message) in cases {
        // SAFETY: the tensor is refused before its elements are used.
        let error = unsafe { DlpackTensor::new(counted(&drops, device, dtype)) }.unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!(Arc::strong_count(&drops), 1);
    }
}

#[test]
fn sent_tensors_are_arrays_of_others() {
    let tensor = Tensor::from_vec(vec![1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]).unwrap();
    let address = tensor.as_bytes().as_ptr();
    let mut sent = tensor.into_dlpack().unwrap();
    // SAFETY: the tensor is alive, and nothing writes to it meanwhile.
    let array = unsafe { ArrayViewD::<f32>::try_from_dlpack(&sent, ()) }.unwrap();
    assert_eq!(array, array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].into_dyn());
    assert_eq!(array.as_ptr().cast(), address);
    let mut tensor = sent.validate_mut().unwrap();
    // SAFETY: nothing else uses the elements.
    unsafe { tensor.cpu_slice_mut::<f32>() }.unwrap()[5] = 60.0;
    assert!(sent.validate_export().is_ok());
    // The receiver may free it on another thread.
    std::thread::spawn(move || drop(sent)).join().unwrap();
}

#[test]
fn every_dtype_with_elements_is_sent_and_received() {
    fn check<T: Element>() {
        let tensor = Tensor::zeros(T::DTYPE, &[2, 0, 3]).unwrap();
        // SAFETY: nothing else uses the tensor.
        let back = unsafe { DlpackTensor::new(tensor.into_dlpack().unwrap()) }.unwrap();
        assert_eq!((back.dtype(), back.shape()), (T::DTYPE, &[2, 0, 3][..]));
        let tensor = Arc::new(Tensor::zeros(T::DTYPE, &[2]).unwrap());
        // SAFETY: nothing writes to the tensor.
        let mut back = unsafe { DlpackTensor::new(Arc::clone(&tensor).into_dlpack().unwrap()) }.unwrap();
        assert_eq!(back.view().to_string(), tensor.to_string());
        assert!(matches!(back.view_mut(), Err(DlpackError::ReadOnly)));
        drop(back);
        assert_eq!(Arc::strong_count(&tensor), 1);
    }
    use promote::half::bf16;
    use promote::num_complex::Complex;
    macro_rules! all {
        ($($ty:ty)*) => {
            $(check::<$ty>();)*
        };
    }
    all! {
        bool u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64 promote::float8::F8E4M3 promote::float8::F8E5M2
        Complex<f16> Complex<f32> Complex<f64>
    }
}
