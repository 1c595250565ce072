//! Operators on wrapped arrays.

use ndarray::{ArcArray1, Array2, CowArray, array};
use promote::{Torch, weak};
use promote_ndarray::NdOps;

#[test]
fn operators_compute_under_the_rule_set() {
    let (a, b) = (array![[7_i32, -8], [9, 4]], array![2_u8, 3]);
    assert_eq!(*(Torch::nd(&a) + &b), array![[9_i32, -5], [11, 7]]);
    assert_eq!(*(Torch::nd(&a) - &b), array![[5_i32, -11], [7, 1]]);
    assert_eq!(*(Torch::nd(&a) * &b), array![[14_i32, -24], [18, 12]]);
    assert_eq!(*(Torch::nd(&a) / weak(2)), array![[3.5_f32, -4.0], [4.5, 2.0]]);
    assert_eq!(*(Torch::nd(&a) % &b), array![[1_i32, 1], [1, 1]]);
    assert_eq!(*-Torch::nd(&a), array![[-7_i32, 8], [-9, -4]]);
    assert_eq!(*(weak(10) - Torch::nd(&b)), array![8_u8, 7]);
}

#[test]
fn expressions_mix_arrays_views_numbers_and_wrapped_arrays() {
    let (a, b) = (array![[1_i8, 2], [3, 4]], array![0.5_f32, 0.25]);
    let x = Torch::nd(a.view());
    let y: Array2<f32> = (x * &b + weak(1.0) - x * a.t()).into_inner();
    assert_eq!(y, array![[0.5_f32, -4.5], [-3.5, -14.0]]);
    let shared = Torch::nd(ArcArray1::from(vec![1_u8, 2]));
    assert_eq!(*(&shared * CowArray::from(array![-1_i8, 1])), array![-1_i16, 2]);
    assert_eq!(*(&shared + &shared), array![2_u8, 4]);
}

#[test]
fn assignment_operators_compute_in_place() {
    let mut x = Torch::nd(array![[1.0_f32, 2.0], [3.0, 4.0]]);
    let address = x.as_ptr();
    x += &array![10_i8, 20];
    x *= weak(2);
    x -= &array![[1_u8], [2]];
    x /= weak(2);
    x %= weak(10);
    assert_eq!(*x, array![[0.5, 1.5], [2.0, 3.0]]);
    assert_eq!(x.as_ptr(), address);
}

#[test]
#[should_panic(
    expected = "`add` of arrays: operand `b` has length 3 along axis -1, and the inputs before it have 2"
)]
fn operators_panic_if_shapes_do_not_broadcast() {
    let _ = Torch::nd(&array![1_i8, 2]) + &array![1.0_f32, 2.0, 3.0];
}
