//! Arrays to views and tensors, and back.

use ndarray::{Array, Array2, ArrayD, IxDyn, array, s};
use promote::half::f16;
use promote::num_complex::Complex;
use promote::{DType, Element, Tensor, TensorView, TensorViewMut};
use promote_ndarray::prelude::*;

/// Checks that a view has the elements and the addresses of an array, and that the array view of it equals
/// the array.
fn round_trip<T: Element + PartialEq + std::fmt::Debug>(array: &ndarray::ArrayViewD<'_, T>) {
    let view = array.to_tensor_view();
    assert_eq!((view.dtype(), view.shape()), (T::DTYPE, array.shape()));
    for (index, element) in array.indexed_iter() {
        let index = (0..array.ndim()).map(|axis| index[axis]).collect::<Vec<_>>();
        assert!(view.get(&index).and_then(|x| x.get::<T>()) == Some(*element));
    }
    let back = view.to_array_view::<T>().expect("the array view of a view");
    assert_eq!(back, array);
    if !array.is_empty() {
        assert_eq!(back.as_ptr(), array.as_ptr());
        for axis in (0..array.ndim()).filter(|axis| array.shape()[*axis] > 1) {
            assert_eq!(back.strides()[axis], array.strides()[axis]);
        }
    }
}

#[test]
fn views_share_the_memory_of_arrays_of_every_layout() {
    for rank in 0..=6 {
        let a = ArrayD::from_shape_fn(vec![3; rank], |index| {
            (0..rank).map(|axis| index[axis] << (2 * axis)).sum::<usize>() as i32
        });
        round_trip(&a.view());
        round_trip(&a.t());
        round_trip(&a.slice_each_axis(|_| ndarray::Slice { start: 0, end: None, step: -2 }));
        round_trip(&a.slice_each_axis(|_| ndarray::Slice { start: 1, end: None, step: 1 }).reversed_axes());
        round_trip(&a.slice_each_axis(|_| ndarray::Slice { start: 1, end: Some(1), step: 1 }));
    }
    let row = array![1_i8, 2, 3];
    round_trip(&row.broadcast(IxDyn(&[4, 3])).unwrap());
}

#[test]
fn every_element_type_has_views() {
    round_trip(&array![[true, false]].into_dyn().view());
    round_trip(&array![[f16::ONE, f16::ZERO]].into_dyn().t());
    round_trip(&array![promote::half::bf16::ONE].into_dyn().view());
    round_trip(&array![Complex::new(1.0_f32, 2.0)].into_dyn().view());
    round_trip(
        &array![Complex::new(f16::ONE, f16::ZERO), Complex::new(f16::ZERO, f16::ONE)].into_dyn().view(),
    );
    round_trip(&array![promote::float8::F8E4M3::from_f32(1.5)].into_dyn().view());
}

#[test]
fn mutable_views_write_the_array() {
    let mut a = Array2::<i32>::zeros((3, 4));
    {
        let mut slice = a.slice_mut(s![..;-2, 1..;2]);
        let mut view = slice.to_tensor_view_mut();
        let mut back = view.to_array_view_mut::<i32>().unwrap();
        back.assign(&array![[1, 2], [3, 4]].into_dyn());
        assert!(view.to_array_view_mut::<u32>().is_none());
    }
    assert_eq!(a, array![[0, 3, 0, 4], [0, 0, 0, 0], [0, 1, 0, 2]]);
}

#[test]
fn views_of_other_dtypes_and_alignments_are_no_arrays() {
    let bytes = [0_u8; 17];
    let view = TensorView::from_bytes(DType::I32, &bytes, &[2], &[5], 0).unwrap();
    assert!(view.to_array_view::<i32>().is_none());
    let view = TensorView::from_bytes(DType::U8, &bytes, &[2], &[5], 0).unwrap();
    assert!(view.to_array_view::<u8>().is_some());
    assert!(view.to_array_view::<i8>().is_none());
    let booleans = [0_u8, 9, 1, 9];
    let of = |offset| TensorView::from_bytes(DType::Bool, &booleans, &[2], &[2], offset).unwrap();
    assert_eq!(of(0).to_array_view::<bool>().unwrap(), array![false, true].into_dyn());
    assert!(of(1).to_array_view::<bool>().is_none());
    // SAFETY: the bytes are borrowed as long as the view lives.
    let raw = unsafe { TensorView::from_raw_parts(DType::U8, bytes.as_ptr(), &[17], &[1]) }.unwrap();
    assert!(raw.to_array_view::<u8>().is_none(), "an `out` may overlap it");
}

#[test]
fn uninitialised_memory_is_no_array() {
    let mut memory = [std::mem::MaybeUninit::<f32>::uninit(); 2];
    let mut view = TensorViewMut::uninit(&mut memory, &[2]).unwrap();
    assert!(view.to_array_view_mut::<f32>().is_none());
}

#[test]
fn tensors_take_the_memory_of_arrays_and_return_it() {
    let a = array![[1.0_f32, 2.0], [3.0, 4.0]];
    let address = a.as_ptr();
    let tensor = a.clone().into_tensor().unwrap();
    assert_eq!(tensor.shape(), [2, 2]);
    let moved = a.into_tensor().unwrap().into_array::<f32>().unwrap();
    assert_eq!(moved.as_ptr(), address);
    assert_eq!(moved, tensor.into_array::<f32>().unwrap());
    let other = Tensor::zeros(DType::I8, &[2]).unwrap().into_array::<u8>().unwrap_err();
    assert_eq!(other.dtype(), DType::I8);
}

#[test]
fn arrays_in_other_orders_are_copied_to_tensors() {
    let a = Array::from_shape_fn((2, 3), |(i, j)| (10 * i + j) as i16);
    assert_eq!(a.clone().reversed_axes().into_tensor().unwrap().to_string(), "[[0, 10], [1, 11], [2, 12]]");
    // An owned slice keeps the elements around it.
    let part = a.clone().slice_move(s![1.., ..]);
    assert_eq!(part.into_tensor().unwrap().to_string(), "[[10, 11, 12]]");
    let part = a.clone().slice_move(s![..1, 1..]);
    assert_eq!(part.into_tensor().unwrap().to_string(), "[[1, 2]]");
    assert_eq!(a.slice_move(s![.., 1..;-1]).into_tensor().unwrap().to_string(), "[[2, 1], [12, 11]]");
    assert_eq!(Array2::<i8>::zeros((0, 3)).into_tensor().unwrap().shape(), [0, 3]);
    assert_eq!(ndarray::arr0(5_u8).into_tensor().unwrap().to_string(), "5");
}
