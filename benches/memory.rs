//! Measures operands that are not plain slices, and the sizes from which threads pay.
//!
//! 1. In-place, unaligned and scalar operands: the time of a call with plain slices over that of this call,
//!    for `add` of f32 at 4096 elements (L1), 262144 (L2) and 16 Mi (memory).
//! 2. Two threads: the time of one thread over that of two, for a cheap op and a costly one, at several
//!    sizes.
//!
//! `cargo bench --bench memory --features rayon`

use std::cell::RefCell;
use std::hint::black_box;
use std::sync::Mutex;

use promote::{Argument, ScalarValue, Slice, SliceMut};
use promote::{DType, Op, Torch};
use promote_measure::paired;
use rayon::{ThreadPool, ThreadPoolBuilder};

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// Prints the speed of calls with other operands relative to one with plain slices.
fn operands() {
    let kernel = Torch::new().rule_set().kernel(Op::Add, DType::F32, DType::F32).expect("PyTorch adds them");
    for n in [4096, 262_144, 16 << 20] {
        let (a, b) = (vec![1.0_f32; n + 1], vec![0.5_f32; n]);
        let (out, held) = (RefCell::new(vec![0.0_f32; n]), RefCell::new(vec![0.0_f32; n]));
        let plain = || {
            let mut out = out.borrow_mut();
            let (a, b) = (Slice::new(black_box(&a[..n])), Slice::new(black_box(&b[..])));
            kernel.call_slices(a, b, SliceMut::new(black_box(&mut out[..]))).expect("of these dtypes");
        };
        let in_place = paired(
            || {
                let mut out = held.borrow_mut();
                let b = Slice::new(black_box(&b[..]));
                let out = SliceMut::new(black_box(&mut out[..]));
                kernel.call(Argument::InPlace(out.dtype()), b.into(), out).expect("of these dtypes");
            },
            plain,
        );
        // SAFETY: `a` has one element more than there are, so that from its second byte on there are `n`.
        let odd = unsafe { Slice::from_raw_parts(DType::F32, a.as_ptr().cast::<u8>().add(1), n) };
        let odd = odd.expect("f32 has elements");
        let unaligned = paired(
            || {
                let mut out = out.borrow_mut();
                let b = Slice::new(black_box(&b[..]));
                kernel.call_slices(black_box(odd), b, SliceMut::new(&mut out[..])).expect("of these dtypes");
            },
            plain,
        );
        let scalar = paired(
            || {
                let mut out = out.borrow_mut();
                let b = ScalarValue::new(black_box(0.5_f32));
                let a = Slice::new(black_box(&a[..n]));
                kernel.call(a.into(), b.into(), SliceMut::new(&mut out[..])).expect("of these dtypes");
            },
            plain,
        );
        println!(
            "add f32 + f32 {n:>9} elements  plain {:7.4} ns/el   in place {:5.2}, not aligned {:5.2}, scalar {:5.2} of its speed",
            in_place.theirs / n as f64,
            in_place.ratio,
            unaligned.ratio,
            scalar.ratio
        );
    }
}

fn threads() {
    let rules = Torch::new().rule_set();
    let (one, two) = (pool(1), pool(2));
    let x: Vec<f32> = (0..16 << 20).map(|i| 1.0 + (i % 1000) as f32 / 1000.0).collect();
    let out = Mutex::new(vec![0.0_f32; x.len()]);
    for n in [16, 32, 64, 128, 256, 1024, 4096, 16384].map(|k| k * 1024) {
        for op in [Op::Multiply, Op::Exp] {
            let call = || {
                let mut out = out.lock().expect("nobody panics");
                let (a, out) = ((&x[..n]).into(), SliceMut::new(&mut out[..n]));
                let done = if op == Op::Exp { rules.unary(op, a, out) } else { rules.binary(op, a, a, out) };
                done.expect("PyTorch computes it");
            };
            let both = paired(|| two.install(call), || one.install(call));
            println!("{op:>8} f32 {n:>9} elements  one thread / two threads {:5.2}", both.ratio);
        }
    }
}

fn main() {
    operands();
    threads();
}
