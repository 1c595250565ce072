//! What calls allocate.

use ndarray::{Array2, Axis, s};
use promote::{Torch, op, weak};
use promote_ndarray::NdOps;

/// Returns the number of allocations of a function, and their bytes.
fn allocations<T>(call: impl Fn() -> T) -> (usize, usize) {
    // The first call may fill caches.
    drop(call());
    let (value, found) = promote_measure::allocations(call);
    drop(value);
    (found.calls, found.bytes)
}

#[test]
fn calls_allocate_their_result_and_nothing_else() {
    let a = Array2::<i8>::from_elem((64, 64), 3);
    let b = Array2::<f32>::from_elem((64, 64), 0.5);
    let result = (1, 64 * 64 * 4);
    assert_eq!(allocations(|| Torch::add_nd(&a, &b).unwrap()), result);
    assert_eq!(allocations(|| Torch::add_nd(a.t(), &b).unwrap()), result);
    assert_eq!(allocations(|| Torch::add_nd(a.slice(s![..;-1, ..]), b.row(0)).unwrap()), result);
    assert_eq!(allocations(|| Torch::multiply_nd(&b, weak(2)).unwrap()), result);
    assert_eq!(allocations(|| Torch::sum_axis_nd(&b, Axis(0)).unwrap()), (1, 64 * 4));
    assert_eq!(allocations(|| Torch::sum_nd(&a).unwrap()).0, 0);
}

#[test]
fn calls_in_place_allocate_nothing() {
    let a = Array2::<i8>::from_elem((64, 64), 3);
    let b = Array2::<f32>::from_elem((64, 64), 0.5);
    let out = std::cell::RefCell::new(Array2::<f32>::zeros((64, 64)));
    assert_eq!(allocations(|| Torch::add_assign_nd(&mut out.borrow_mut(), &a).unwrap()), (0, 0));
    assert_eq!(
        allocations(|| Torch::compute_into_nd(op::Add, (a.t(), &b), &mut out.borrow_mut()).unwrap()),
        (0, 0)
    );
}
