//! Operands of every layout and rank.

use ndarray::{ArrayD, ArrayViewD, Axis, IxDyn, Slice, array, s};
use promote::Torch;
use promote_ndarray::prelude::*;

/// Returns an array with axes of length 4.
fn base<T>(rank: usize, element: impl Fn(usize) -> T) -> ArrayD<T> {
    let len = 4_usize.pow(u32::try_from(rank).unwrap());
    ArrayD::from_shape_vec(vec![4; rank], (0..len).map(element).collect()).unwrap()
}

/// Returns views of an array with axes of length 2: parts, steps, negative steps, repeated elements, and each
/// of these transposed.
fn views<T>(array: &ArrayD<T>) -> Vec<(String, ArrayViewD<'_, T>)> {
    let slices = [("first", 0, 2, 1), ("last", 2, 4, 1), ("steps", 0, 4, 2), ("backwards", 1, 4, -2)];
    let mut views = Vec::new();
    for (name, start, end, step) in slices {
        let slice = Slice { start, end: Some(end), step };
        let view = array.slice_each_axis(|_| slice);
        views.push((name.to_owned(), view.clone()));
        views.push((format!("{name}, transposed"), view.reversed_axes()));
        if array.ndim() > 1 {
            // Only the last axis, so that rows are contiguous or steps.
            let mixed = array.slice_each_axis(|axis| {
                if axis.axis.index() + 1 == array.ndim() {
                    slice
                } else {
                    Slice { start: 1, end: Some(3), step: 1 }
                }
            });
            views.push((format!("{name} along the last axis"), mixed.clone()));
            let mut swapped = mixed;
            swapped.swap_axes(0, 1);
            views.push((format!("{name} along the last axis, swapped"), swapped));
        }
    }
    if array.ndim() > 0 {
        let row =
            array.index_axis(Axis(0), 1).slice_each_axis_move(Slice { start: 0, end: Some(2), step: 1 });
        views.push(("repeated".to_owned(), row));
    }
    views
}

trait SliceEachAxisMove<'a, T> {
    /// Takes the slice along each axis, and repeats the elements along a new first axis of stride 0.
    fn slice_each_axis_move(self, slice: Slice) -> ArrayViewD<'a, T>;
}

impl<'a, T> SliceEachAxisMove<'a, T> for ArrayViewD<'a, T> {
    fn slice_each_axis_move(mut self, slice: Slice) -> ArrayViewD<'a, T> {
        self.slice_each_axis_inplace(|_| slice);
        let mut shape = self.shape().to_vec();
        shape.insert(0, 2);
        let strides = self.strides().iter().map(|stride| usize::try_from(*stride).unwrap());
        let strides = [0].into_iter().chain(strides).collect::<Vec<_>>();
        // SAFETY: an axis of stride 0 adds no addresses, and the elements stay borrowed for `'a`.
        unsafe {
            ArrayViewD::from_shape_ptr(
                ndarray::ShapeBuilder::strides(IxDyn(&shape), IxDyn(&strides)),
                self.as_ptr(),
            )
        }
    }
}

#[test]
fn every_layout_gives_the_sums_of_ndarray() {
    let mut pairs = 0;
    for rank in 0..=6 {
        let a = base(rank, |k| i16::try_from(k % 1000).unwrap() - 500);
        let b = base(rank, |k| u16::try_from(k).unwrap());
        let b = b.mapv(|x| f32::from(x) / 8.0);
        for (a_name, a) in views(&a) {
            for (b_name, b) in views(&b) {
                let sum = Torch::add_nd(&a, &b).unwrap();
                assert_eq!(sum, a.mapv(f32::from) + &b, "rank {rank}: {a_name} + {b_name}");
                pairs += 1;
            }
        }
    }
    assert!(pairs > 1000, "{pairs}");
}

#[test]
fn arrays_without_elements_have_results_without_elements() {
    for shape in [&[0][..], &[0, 3], &[3, 0, 2], &[0, 0]] {
        let (a, b) = (ArrayD::<i8>::zeros(shape), ArrayD::<f32>::zeros(shape));
        assert_eq!(Torch::add_nd(&a, &b).unwrap(), b);
        assert_eq!(Torch::add_nd(a.t(), b.t()).unwrap(), b.t());
    }
    // An axis of length 1 broadcasts to no elements.
    let sum =
        Torch::add_nd(&ndarray::Array2::<i8>::zeros((0, 3)), &array![[0.5_f32], [1.0]].slice(s![..1, ..]))
            .unwrap();
    assert_eq!(sum.shape(), [0, 3]);
}

#[test]
fn both_operands_broadcast() {
    let (column, row) = (array![[1_i32], [2], [3]], array![10.0_f32, 20.0]);
    assert_eq!(Torch::add_nd(&column, &row).unwrap(), array![[11.0_f32, 21.0], [12.0, 22.0], [13.0, 23.0]]);
    assert_eq!(Torch::subtract_nd(&row, &column).unwrap(), array![[9.0_f32, 19.0], [8.0, 18.0], [7.0, 17.0]]);
    // Ranks that are known only at run time.
    let sum = Torch::add_nd(&column.clone().into_dyn(), &row).unwrap();
    assert_eq!(sum, Torch::add_nd(&column, &row).unwrap().into_dyn());
}

#[test]
fn arrays_without_axes_count_as_arrays() {
    // PyTorch would give f32. The type of the result is decided by the element types, and is f64.
    let sum = Torch::add_nd(&array![1.0_f32, 2.0], &ndarray::arr0(0.5_f64)).unwrap();
    assert_eq!(sum, array![1.5_f64, 2.5]);
    let sum = Torch::add_nd(&ndarray::arr0(1_u8), &ndarray::arr0(-2_i8)).unwrap();
    assert_eq!(sum, ndarray::arr0(-1_i16));
    let sum = Torch::add_nd(&ArrayD::from_elem(vec![], 1_u8), &array![-2_i8]).unwrap();
    assert_eq!(sum, array![-1_i16].into_dyn());
}

#[test]
fn shapes_that_do_not_broadcast_are_an_error() {
    let (a, b) = (array![[1_i8, 2], [3, 4]], array![1.0_f32, 2.0, 3.0]);
    let error = Torch::add_nd(&a, &b).unwrap_err();
    assert_eq!(
        error.to_string(),
        "operand `b` has length 3 along axis -1, and the inputs before it have 2; help: only an axis of length 1 \
         broadcasts to another length"
    );
    let error = Torch::where_nd(&array![true, false, true], &a, &a).unwrap_err();
    assert!(error.to_string().starts_with("operand `a` has length 2 along axis -1"), "{error}");
}

#[test]
fn results_keep_column_major_order() {
    let (a, b) = (array![[1_i8, 2, 3], [4, 5, 6]], array![[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert!(Torch::add_nd(&a, &b).unwrap().is_standard_layout());
    let columns = Torch::add_nd(a.t(), b.t()).unwrap();
    assert!(columns.t().is_standard_layout());
    assert_eq!(columns, Torch::add_nd(&a, &b).unwrap().reversed_axes());
    assert!(Torch::add_nd(a.t(), b.t().as_standard_layout()).unwrap().is_standard_layout());
    // Operands with fewer axes do not decide.
    assert!(Torch::add_nd(a.t(), &array![0.5_f32, 0.25]).unwrap().t().is_standard_layout());
}
