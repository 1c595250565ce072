//! Reductions, compared with ndarray's own.

use ndarray::{Array3, ArrayD, Axis, array};
use promote::half::f16;
use promote::{Torch, op};
use promote_ndarray::NdOps;

fn numbers() -> Array3<i32> {
    Array3::from_shape_fn((4, 5, 6), |(i, j, k)| ((i * 7 + j * 3 + k * 11) % 17) as i32 - 8)
}

#[test]
fn reductions_along_an_axis_equal_those_of_ndarray() {
    let a = numbers();
    let floats = a.mapv(f64::from);
    let layouts = [a.view(), a.slice(ndarray::s![..;2, ..;-1, 1..]), a.view().permuted_axes([2, 0, 1])];
    for view in layouts {
        for axis in (0..3).map(Axis) {
            assert_eq!(Torch::sum_axis_nd(view, axis).unwrap(), view.mapv(i64::from).sum_axis(axis));
            let floats = view.mapv(f64::from);
            assert_eq!(Torch::mean_axis_nd(&floats, axis).unwrap(), floats.mean_axis(axis).unwrap());
            let maxima = view.map_axis(axis, |lane| *lane.iter().max().unwrap());
            assert_eq!(Torch::max_axis_nd(view, axis).unwrap(), maxima);
            let minima = view.map_axis(axis, |lane| *lane.iter().min().unwrap());
            assert_eq!(Torch::min_axis_nd(view, axis).unwrap(), minima);
            let first = |lane: ndarray::ArrayView1<'_, i32>| {
                let most = *lane.iter().max().unwrap();
                lane.iter().position(|x| *x == most).unwrap() as i64
            };
            assert_eq!(Torch::argmax_axis_nd(view, axis).unwrap(), view.map_axis(axis, first));
            let any = view.map_axis(axis, |lane| lane.iter().any(|x| *x != 0));
            assert_eq!(Torch::any_axis_nd(view, axis).unwrap(), any);
            let all = view.map_axis(axis, |lane| lane.iter().all(|x| *x != 0));
            assert_eq!(Torch::all_axis_nd(view, axis).unwrap(), all);
        }
    }
    assert_eq!(Torch::sum_nd(&floats).unwrap(), floats.sum());
    assert_eq!(Torch::sum_nd(&a).unwrap(), i64::from(a.sum()));
}

#[test]
fn reductions_have_the_dtype_of_the_rule_set() {
    let a = array![[200_u8, 100], [3, 4]];
    let total: i64 = Torch::sum_nd(&a).unwrap();
    assert_eq!(total, 307);
    let most: u8 = Torch::max_nd(&a).unwrap();
    assert_eq!(most, 200);
    // Halves are added in f64, and rounded once: 4096 would stay at 2048 in f16.
    let ones = ArrayD::from_elem(vec![64, 64], f16::ONE);
    assert_eq!(Torch::sum_nd(&ones).unwrap(), f16::from_f32(4096.0));
    assert_eq!(Torch::mean_nd(&ones).unwrap(), f16::ONE);
}

#[test]
fn several_axes_are_reduced_at_once() {
    let a = numbers();
    let found = Torch::reduce_axes_nd(op::Sum, &a, &[0, -1]).unwrap();
    let expected = a.mapv(i64::from).sum_axis(Axis(2)).sum_axis(Axis(0));
    assert_eq!(found, expected.into_dyn());
    let all = Torch::reduce_axes_nd(op::Sum, &a, &[0, 1, 2]).unwrap();
    assert_eq!(all, ndarray::arr0(i64::from(a.sum())).into_dyn());
    assert_eq!(Torch::reduce_axes_nd(op::Sum, &a, &[]).unwrap(), a.mapv(i64::from).into_dyn());
    assert_eq!(
        Torch::reduce_axes_nd(op::Sum, &ndarray::arr0(3_i8), &[]).unwrap(),
        ndarray::arr0(3_i64).into_dyn()
    );
}

#[test]
fn axes_that_do_not_exist_are_an_error() {
    let a = numbers();
    let error = Torch::sum_axis_nd(&a, Axis(3)).unwrap_err();
    assert!(error.to_string().starts_with("axis 3 is out of range for an array of 3 axes"), "{error}");
    assert!(Torch::reduce_axes_nd(op::Sum, &a, &[-4]).is_err());
    let error = Torch::reduce_axes_nd(op::Sum, &a, &[0, -3]).unwrap_err();
    assert!(error.to_string().starts_with("axis 0 is named twice"), "{error}");
    let point = ArrayD::from_elem(vec![], 1_i8);
    assert!(Torch::sum_axis_nd(&point, Axis(0)).is_err());
}

#[test]
fn empty_arrays_have_sums_and_no_extrema() {
    let none = ndarray::Array2::<f32>::zeros((0, 3));
    assert_eq!(Torch::sum_nd(&none).unwrap(), 0.0);
    assert_eq!(Torch::sum_axis_nd(&none, Axis(0)).unwrap(), array![0.0_f32, 0.0, 0.0]);
    assert!(Torch::max_axis_nd(&none, Axis(0)).is_err());
    assert_eq!(Torch::max_axis_nd(&none, Axis(1)).unwrap().len(), 0);
}

#[test]
fn arrays_without_axes_are_reduced_to_their_element() {
    assert_eq!(Torch::sum_nd(&ndarray::arr0(3_i8)).unwrap(), 3_i64);
    assert_eq!(Torch::sum_axis_nd(&array![1_i8, 2], Axis(0)).unwrap(), ndarray::arr0(3_i64));
}

#[test]
fn dot_multiplies_vectors() {
    let a = array![1_i64, 2, 3, 4];
    assert_eq!(Torch::dot_nd(a.slice(ndarray::s![..;2]), a.slice(ndarray::s![..;-2])).unwrap(), 10);
    assert!(Torch::dot_nd(&a, &array![1_i64]).is_err());
}
