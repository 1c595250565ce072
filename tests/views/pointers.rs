//! Views of typed elements at an address, and the addresses of views.

#![allow(clippy::float_cmp, reason = "the bits are what is tested")]

use core::mem::MaybeUninit;

use promote::{DType, Op, TensorView, TensorViewMut, Torch, ViewError};

#[test]
fn views_from_typed_pointers_count_strides_in_elements() {
    let numbers = [0_i16, 1, 2, 3, 4, 5];
    let at = |k: usize| numbers.as_ptr().wrapping_add(k);
    // SAFETY: the six numbers are borrowed as long as the views live, and contain all indices.
    unsafe {
        assert_eq!(
            TensorView::from_ptr(at(0), &[3, 2], &[1, 3]).unwrap().to_string(),
            "[[0, 3], [1, 4], [2, 5]]"
        );
        assert_eq!(TensorView::from_ptr(at(5), &[2], &[-3]).unwrap().to_string(), "[5, 2]");
        assert_eq!(TensorView::from_ptr(at(1), &[2, 2], &[0, 1]).unwrap().to_string(), "[[1, 2], [1, 2]]");
        assert_eq!(TensorView::from_ptr(at(4), &[], &[]).unwrap().to_string(), "4");
        assert!(TensorView::from_ptr(at(0), &[2, 3], &[3, 1]).unwrap().is_contiguous());
        let error = TensorView::from_ptr(at(0), &[3], &[isize::MAX]).unwrap_err();
        assert_eq!(error, ViewError::TooLarge);
        let error = TensorView::from_ptr(at(0), &[3], &[]).unwrap_err();
        assert_eq!(error, ViewError::Rank { shape: 1, strides: 0 });
    }
}

#[test]
fn mutable_views_from_typed_pointers_reject_overlapping_elements() {
    let mut numbers = [1.0_f32, 2.0, 3.0, 4.0];
    let pointer = numbers.as_mut_ptr();
    // SAFETY: nothing else uses the numbers, which contain all indices.
    unsafe {
        assert_eq!(TensorViewMut::from_ptr(pointer, &[2, 2], &[1, 1]).unwrap_err(), ViewError::Aliased);
        let out = TensorViewMut::from_ptr(pointer, &[2], &[2]).unwrap();
        Torch::new().rule_set().prepare(Op::Add, &[(&[10_i8, 20]).into()]).in_place(out).run().unwrap();
    }
    assert_eq!(numbers, [11.0, 2.0, 23.0, 4.0]);
}

#[test]
fn addresses_of_views_need_the_dtype_and_whole_aligned_elements() {
    let numbers = [0_u32, 1, 2, 3];
    let view = TensorView::strided(&numbers, &[2], &[-2], 3).unwrap();
    assert_eq!(view.as_ptr::<u32>(), Some(&raw const numbers[3]));
    assert_eq!(view.as_ptr::<i32>(), None);
    // SAFETY: the numbers are borrowed as long as the bytes are.
    let bytes = unsafe { core::slice::from_raw_parts(numbers.as_ptr().cast::<u8>(), 16) };
    let of = |shape: &'static [usize], strides: &'static [isize], offset| {
        TensorView::from_bytes(DType::U32, bytes, shape, strides, offset).unwrap()
    };
    assert_eq!(of(&[2], &[8], 4).as_ptr::<u32>(), Some(&raw const numbers[1]));
    assert_eq!(of(&[2], &[6], 4).as_ptr::<u32>(), None);
    assert_eq!(of(&[2], &[8], 1).as_ptr::<u32>(), None);
    // Strides that are never taken may be anything.
    assert!(of(&[1], &[7], 4).as_ptr::<u32>().is_some());
    let empty = of(&[0, 2], &[7, 3], 1).as_ptr::<u32>().unwrap();
    assert!(!empty.is_null() && empty.is_aligned());
    // SAFETY: the bytes are borrowed as long as the view lives.
    let raw = unsafe { TensorView::from_raw_parts(DType::U32, bytes.as_ptr(), &[4], &[4]) }.unwrap();
    assert_eq!(raw.as_ptr::<u32>(), None, "an `out` may overlap it");
}

#[test]
fn addresses_of_bools_need_bytes_of_0_and_1() {
    let bytes = [0_u8, 7, 1, 7, 1, 0];
    let of = |shape: &'static [usize], strides: &'static [isize], offset| {
        TensorView::from_bytes(DType::Bool, &bytes, shape, strides, offset).unwrap().as_ptr::<bool>()
    };
    assert!(of(&[3], &[2], 0).is_some());
    assert!(of(&[2, 2], &[-2, 1], 4).is_none());
    assert!(of(&[2, 2], &[0, 1], 4).is_some());
    assert!(of(&[1], &[1], 1).is_none());
    assert!(of(&[0, 2], &[1, 1], 1).is_some());
}

#[test]
fn addresses_of_mutable_views_need_initialised_elements() {
    let mut numbers = [1_i64, 2, 3];
    let first = numbers.as_mut_ptr();
    let mut view = TensorViewMut::new(&mut numbers, &[3]).unwrap();
    assert_eq!(view.as_mut_ptr::<i64>(), Some(first));
    assert_eq!(view.as_mut_ptr::<f64>(), None);
    let mut memory = [MaybeUninit::<i64>::uninit(); 3];
    assert_eq!(TensorViewMut::uninit(&mut memory, &[3]).unwrap().as_mut_ptr::<i64>(), None);
}
