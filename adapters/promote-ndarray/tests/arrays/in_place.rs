//! Ops in place, and into existing arrays.

use ndarray::{Array2, array, s};
use promote::{Torch, op, weak};
use promote_ndarray::NdOps;

#[test]
fn in_place_ops_write_the_viewed_elements_alone() {
    let start = Array2::from_shape_fn((6, 8), |(i, j)| (i * 8 + j) as f32);
    let b = array![1_i8, -2, 3];
    let slices = [s![1..4, ..;3], s![..;2, 2..5], s![..;-2, 1..7;-2], s![..3, ..;-3]];
    for slice in slices {
        let (mut found, mut expected) = (start.clone(), start.clone());
        Torch::multiply_assign_nd(&mut found.slice_mut(slice), &b).unwrap();
        let mut view = expected.slice_mut(slice);
        view *= &b.mapv(f32::from);
        assert_eq!(found, expected, "{slice:?}");
    }
}

#[test]
fn in_place_ops_take_the_array_and_its_references() {
    let mut a = array![[1_i32, 2], [3, 4]];
    Torch::add_assign_nd(&mut a, &array![10_i8, 20]).unwrap();
    Torch::subtract_assign_nd(&mut a.view_mut(), weak(1)).unwrap();
    Torch::maximum_assign_nd(&mut a.view_mut().reversed_axes(), &array![15_u8, 0]).unwrap();
    assert_eq!(a, array![[15, 21], [12, 23]]);
    Torch::compute_in_place_nd(op::Negative, &mut a).unwrap();
    assert_eq!(a[[0, 0]], -15);
}

#[test]
fn arrays_without_axes_are_written() {
    let mut a = ndarray::arr0(1.5_f32);
    Torch::add_assign_nd(&mut a, &ndarray::arr0(2_i64)).unwrap();
    Torch::multiply_assign_nd(&mut a, weak(2)).unwrap();
    assert_eq!(a, ndarray::arr0(7.0));
    Torch::compute_into_nd(op::Add, (&ndarray::arr0(1_u8), weak(1)), &mut a).unwrap();
    assert_eq!(a, ndarray::arr0(2.0));
}

#[test]
fn refused_casts_leave_the_array_unchanged() {
    let mut a = array![1_i16, 2];
    let error = Torch::add_assign_nd(&mut a, &array![0.5_f32, 0.5]).unwrap_err();
    assert!(error.to_string().contains("f32"), "{error}");
    assert_eq!(a, array![1, 2]);
    let error = Torch::add_assign_nd(&mut a, &array![1_i8, 2, 3]).unwrap_err();
    assert!(error.to_string().contains("length 3"), "{error}");
    assert!(Torch::add_assign_nd(&mut a, &array![[1_i8, 2], [3, 4]]).is_err());
    assert_eq!(a, array![1, 2]);
}

#[test]
fn results_are_written_into_views_of_other_dtypes() {
    let mut out = Array2::<f64>::zeros((2, 4));
    let (a, b) = (array![[1_i8, 2], [3, 4]], array![0.5_f32, 0.25]);
    Torch::compute_into_nd(op::Multiply, (&a, &b), &mut out.slice_mut(s![.., ..;-2])).unwrap();
    assert_eq!(out, array![[0.0, 0.5, 0.0, 0.5], [0.0, 1.0, 0.0, 1.5]]);
    let mut short = array![0.0_f32];
    assert!(Torch::compute_into_nd(op::Multiply, (&a, &b), &mut short).is_err());
}
