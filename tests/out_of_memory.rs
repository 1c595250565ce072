//! Calls that fail to allocate memory return an error and leave `out` unchanged.
//!
//! This is a test program of its own because it replaces the allocator. The allocator can be set to fail
//! larger allocations on one thread.
#![cfg(all(feature = "kernels", feature = "std", feature = "torch"))]
#![allow(clippy::float_cmp, reason = "the output is compared with what was in it before")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use promote::{Argument, DType, Error, Op, Tensor, TensorView, TensorViewMut, Torch, ViewError};
use promote::{CallError, Slice, SliceMut};

/// The most bytes of one allocation in [`while_short`].
const LIMIT: usize = 64 * 1024;

thread_local! {
    static MAX_BYTES: Cell<usize> = const { Cell::new(usize::MAX) };
    /// The number of allocations that have failed since [`while_limited`] was last called.
    static REFUSED: Cell<usize> = const { Cell::new(0) };
}

struct Short;

// SAFETY: all memory is that of the system's allocator; a null pointer stands for a failed allocation, as the
// trait says.
unsafe impl GlobalAlloc for Short {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MAX_BYTES.get() {
            REFUSED.set(REFUSED.get() + 1);
            return std::ptr::null_mut();
        }
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Short = Short;

/// Calls `f` while this thread gets no more than `most` bytes at once.
fn while_limited<T>(most: usize, f: impl FnOnce() -> T) -> T {
    struct Unlimited;
    impl Drop for Unlimited {
        fn drop(&mut self) {
            MAX_BYTES.set(usize::MAX);
        }
    }
    REFUSED.set(0);
    // Also after a panic, whose message needs memory.
    let _unlimited = Unlimited;
    MAX_BYTES.set(most);
    f()
}

fn while_short<T>(f: impl FnOnce() -> T) -> T {
    while_limited(LIMIT, f)
}

fn memory<T: std::fmt::Debug>(result: Result<T, Error>) -> usize {
    match result {
        Err(Error::Call(CallError::Memory { bytes })) => bytes,
        other => panic!("expected an error about memory, found {other:?}"),
    }
}

#[test]
fn slices_that_overlap_both_ways_leave_the_output_untouched() {
    let n = 2 * LIMIT;
    let mut bytes: Vec<u8> = (0..n + 16).map(|i| (i % 251) as u8).collect();
    let before = bytes.clone();
    let first = bytes.as_mut_ptr();
    let rules = Torch::new().rule_set();
    // SAFETY: all three lie within `bytes`, which nobody else uses during the call; operands may overlap
    // `out`.
    let (a, b, out) = unsafe {
        (
            Slice::from_raw_parts(DType::U8, first, n).unwrap(),
            Slice::from_raw_parts(DType::U8, first.add(8), n).unwrap(),
            SliceMut::from_raw_parts(DType::U8, first.add(4), n).unwrap(),
        )
    };
    assert_eq!(memory(while_short(|| rules.binary(Op::Add, a.into(), b.into(), out))), n);
    assert!(bytes == before);
}

#[test]
fn views_that_overlap_in_other_places_leave_the_output_untouched() {
    let n = 2 * LIMIT;
    let mut bytes: Vec<u8> = (0..n).map(|i| (i % 251) as u8).collect();
    let before = bytes.clone();
    let (first, shape) = (bytes.as_mut_ptr(), [n]);
    let rules = Torch::new().rule_set();
    // SAFETY: both lie within `bytes`, which nobody else uses during the call; an operand may overlap `out`.
    let (reversed, out) = unsafe {
        (
            TensorView::from_raw_parts(DType::U8, first.add(n - 1), &shape, &[-1]).unwrap(),
            TensorViewMut::from_raw_parts(DType::U8, first, &shape, &[1]).unwrap(),
        )
    };
    let result =
        while_short(|| rules.prepare(Op::Add, &[(&reversed).into(), (&reversed).into()]).out(out).run());
    assert_eq!(memory(result), n);
    assert!(bytes == before);
}

#[test]
fn arrays_without_memory_are_errors() {
    let elements = vec![1.0_f32; LIMIT];
    let (rules, view) = (Torch::new().rule_set(), TensorView::from(&elements[..]));
    let sum = while_short(|| rules.call(Op::Add, &[(&view).into(), (&view).into()]));
    assert_eq!(memory(sum), 4 * LIMIT);
    let copy = while_short(|| Tensor::new(&elements[..], &[LIMIT]));
    assert_eq!(copy.unwrap_err(), ViewError::Memory { bytes: 4 * LIMIT });
    let zeros = while_short(|| Tensor::zeros(DType::F64, &[LIMIT]));
    assert_eq!(zeros.unwrap_err(), CallError::Memory { bytes: 8 * LIMIT });
}

#[test]
fn operands_are_not_converted_without_memory() {
    let (rules, elements) = (Torch::new().rule_set(), vec![1_u8; LIMIT]);
    let view = TensorView::from(&elements[..]);
    let converted = while_short(|| rules.promote_arrays(&[(&view).into(), (&[0.5_f32][..]).into()]));
    assert_eq!(memory(converted), 4 * LIMIT);
    let many = vec![Argument::from(&[1_u8][..]); LIMIT];
    let bytes = memory(while_short(|| rules.promote_arrays(&many)));
    assert!(bytes > LIMIT, "{bytes}");
}

#[test]
fn shapes_without_memory_are_errors() {
    // An axis of length 1 adds no elements, but its length and stride are stored.
    let axes = vec![1; LIMIT];
    let one = Tensor::new(&[1.0_f32][..], &[1]).unwrap();
    let reshaped = while_short(|| one.into_shape(&axes));
    assert_eq!(reshaped.unwrap_err(), ViewError::Memory { bytes: size_of::<usize>() * LIMIT });
    let (rules, elements) = (Torch::new().rule_set(), [1.0_f32]);
    let view = TensorView::new(&elements[..], &axes).unwrap();
    let kept = while_short(|| rules.prepare(Op::Sum, &[(&view).into()]).keep_dims(true).run());
    assert_eq!(memory(kept), size_of::<usize>() * LIMIT);
}

/// Each thread reduces its part of an array into a state of its own. Without memory for the states, one
/// thread reduces the parts in turn.
#[test]
fn reductions_need_no_memory_for_threads() {
    let elements: Vec<f32> = (0..1 << 22).map(|i| (i % 1021) as f32 - 510.0).collect();
    let (rules, view) = (Torch::new().rule_set(), TensorView::from(&elements[..]));
    let sum = || rules.call(Op::Sum, &[(&view).into()]).unwrap();
    let expected = sum();
    // Enough for the one element of the result.
    let found = while_limited(64, sum);
    assert_eq!(found.as_bytes(), expected.as_bytes());
    assert!(REFUSED.get() > 0 || cfg!(not(feature = "rayon")), "the states of the parts fit in 64 bytes");
}

#[test]
fn joins_without_memory_leave_the_output_untouched() {
    let elements = vec![1.5_f32; LIMIT];
    let (rules, view) = (Torch::new().rule_set(), TensorView::from(&elements[..]));
    let operands = [(&view).into(), (&view).into()];
    for op in [Op::Concatenate, Op::Stack] {
        assert_eq!(memory(while_short(|| rules.call(op, &operands))), 8 * LIMIT, "{op}");
        let mut out = vec![7.0_f32; 2 * LIMIT];
        let shape = if op == Op::Stack { &[2, LIMIT][..] } else { &[2 * LIMIT] };
        let target = TensorViewMut::new(&mut out[..], shape).unwrap();
        let result = while_short(|| rules.prepare(op, &operands).out(target).run());
        assert!(memory(result) > LIMIT, "{op}");
        assert!(out.iter().all(|x| *x == 7.0), "{op}");
    }
}

/// The elements of an output are copied to be selected from, unless there are few.
#[test]
fn medians_without_memory_leave_the_output_untouched() {
    let elements: Vec<f32> = (0..LIMIT).map(|i| (i % 1021) as f32).collect();
    let (rules, view) = (Torch::new().rule_set(), TensorView::from(&elements[..]));
    let operands = [(&view).into()];
    assert_eq!(memory(while_short(|| rules.call(Op::Median, &operands))), 8 * LIMIT);
    let mut out = [7.0_f32];
    let target = TensorViewMut::new(&mut out[..], &[]).unwrap();
    assert_eq!(memory(while_short(|| rules.prepare(Op::Median, &operands).out(target).run())), 8 * LIMIT);
    assert_eq!(out, [7.0]);
    let few = TensorView::from(&elements[..1000]);
    assert!(while_short(|| rules.call(Op::Median, &[(&few).into()])).is_ok());
}

#[cfg(feature = "matmul")]
#[test]
fn products_of_matrices_without_memory_leave_the_output_untouched() {
    let n = 256;
    let shape = [n, n];
    let (ints, floats) = (vec![1_i32; n * n], vec![1.0_f32; n * n]);
    let rules = Torch::new().rule_set();
    for view in [TensorView::new(&ints[..], &shape).unwrap(), TensorView::new(&floats[..], &shape).unwrap()] {
        let operands = [(&view).into(), (&view).into()];
        assert!(memory(while_short(|| rules.call(Op::Matmul, &operands))) > LIMIT);
    }
    let view = TensorView::new(&ints[..], &shape).unwrap();
    let operands = [(&view).into(), (&view).into()];
    let mut out = vec![7_i32; n * n];
    let target = TensorViewMut::new(&mut out[..], &shape).unwrap();
    assert!(memory(while_short(|| rules.prepare(Op::Matmul, &operands).out(target).run())) > LIMIT);
    assert!(out.iter().all(|x| *x == 7));
}
