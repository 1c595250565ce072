//! Calls whose dtypes are known at run time.

use ndarray::{ArrayD, array};
use promote::{Argument, DType, Op, Tensor, Torch};
use promote_ndarray::prelude::*;

/// An array of a program that reads files: its dtype is a value.
enum Column {
    Bytes(ArrayD<u8>),
    Floats(ArrayD<f32>),
}

impl Column {
    fn with<T>(&self, call: impl FnOnce(Argument<'_>) -> T) -> T {
        match self {
            Column::Bytes(array) => call((&array.to_tensor_view()).into()),
            Column::Floats(array) => call((&array.to_tensor_view()).into()),
        }
    }
}

fn sum(a: &Column, b: &Column) -> Tensor {
    a.with(|a| b.with(|b| Torch::new().rule_set().call(Op::Add, &[a, b]))).unwrap()
}

#[test]
fn dtypes_may_be_known_at_run_time_only() {
    let (bytes, floats) =
        (Column::Bytes(array![[1_u8, 2]].into_dyn()), Column::Floats(array![0.5_f32, 1.5].into_dyn()));
    let mixed = sum(&bytes, &floats);
    assert_eq!(mixed.dtype(), DType::F32);
    assert_eq!(mixed.into_array::<f32>().unwrap(), array![[1.5, 3.5]].into_dyn());
    assert_eq!(sum(&bytes, &bytes).into_array::<u8>().unwrap(), array![[2, 4]].into_dyn());
}

#[test]
fn arrays_without_axes_yield_at_run_time_as_in_pytorch() {
    let (a, b) = (array![1.0_f32, 2.0], ndarray::arr0(0.5_f64));
    let (a, b) = (a.to_tensor_view(), b.to_tensor_view());
    let sum = Torch::new().rule_set().call(Op::Add, &[(&a).into(), (&b).into()]).unwrap();
    assert_eq!(sum.into_array::<f32>().unwrap(), array![1.5, 2.5].into_dyn());
}
