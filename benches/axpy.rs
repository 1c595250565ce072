//! Measures a custom kernel beside a loop written by hand over the same bytes.
//!
//! The kernel computes `alpha · x + y` of an i8, an f16 and an f32 array. All arrays together have 24 KiB
//! (L1), 384 KiB (L2) and 256 MiB (memory). A figure is the time of the loop by hand over ours, the median
//! over interleaved rounds: typed, on a kernel handle, and with a look-up at each call. The loop by hand
//! knows its types, converts each element, rounds product and sum, and is compiled for the same instructions.
//!
//! `cargo bench --bench axpy`

use std::cell::RefCell;
use std::hint::black_box;

use half::f16;
use promote::op::OpType;
use promote::{Argument, DType, Level, Torch, kernel};
use promote::{Slice, SliceMut};
use promote_measure::{Placed, paired};

/// Computes `alpha · x + y`.
#[kernel]
fn axpy<T>(alpha: T, x: T, y: T) -> T {
    alpha * x + y
}

/// One lane of the conversion instruction, which LLVM packs.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "it is one instruction where it is inlined, and a call where it is not"
)]
fn widen(x: f16) -> f32 {
    use core::arch::x86_64::{_mm_cvtph_ps, _mm_cvtsi32_si128, _mm_cvtss_f32};
    // SAFETY: `v3` and `v4` alone use this, and both run where there is F16C.
    unsafe { _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(x.to_bits() as i32))) }
}

macro_rules! level {
    ($name:ident $features:literal) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        fn $name(alpha: &[i8], x: &[f16], y: &[f32], out: &mut [f32]) {
            for (((&alpha, &x), &y), out) in alpha.iter().zip(x).zip(y).zip(out) {
                *out = f32::from(alpha) * widen(x) + y;
            }
        }
    };
}

level! { v3 "avx2,fma,f16c" }
level! { v4 "avx2,fma,f16c,avx512f,avx512bw,avx512cd,avx512dq,avx512vl" }

fn by_hand(alpha: &[i8], x: &[f16], y: &[f32], out: &mut [f32]) {
    match Level::active() {
        // SAFETY: a level in use is one that the machine has.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { v4(alpha, x, y, out) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { v3(alpha, x, y, out) },
        _ => {
            for (((&alpha, &x), &y), out) in alpha.iter().zip(x).zip(y).zip(out) {
                *out = f32::from(alpha) * x.to_f32() + y;
            }
        }
    }
}

fn main() {
    println!("SIMD level: {}; hand / ours", Level::active());
    let rules = Torch::new().rule_set();
    let kernel =
        rules.custom_kernel(Axpy::OP, &[DType::I8, DType::F16, DType::F32]).expect("PyTorch promotes them");
    for (place, bytes) in [("L1", 24 << 10), ("L2", 384 << 10), ("memory", 256 << 20)] {
        let n = bytes / (1 + 2 + 4 + 4) / 64 * 64;
        let (mut alpha, mut x) = (Placed::new(3_i8, n, 0), Placed::new(f16::from_f32(0.5), n, 1344));
        let (mut y, mut out) = (Placed::new(2.5_f32, n, 2688), Placed::new(0.0_f32, n, 704));
        let (alpha, x, y) = (&*alpha.elements(), &*x.elements(), &*y.elements());
        let out = RefCell::new(out.elements());
        let hand =
            || by_hand(black_box(alpha), black_box(x), black_box(y), black_box(&mut out.borrow_mut()[..]));
        let typed = || {
            let mut out = out.borrow_mut();
            Torch::axpy_into(black_box(alpha), black_box(x), black_box(y), black_box(&mut out[..]))
                .expect("equal lengths");
        };
        let found = || {
            let mut out = out.borrow_mut();
            let inputs: [Argument<'_>; 3] =
                [black_box(alpha).into(), black_box(x).into(), black_box(y).into()];
            rules
                .elementwise(Axpy::OP, &inputs, SliceMut::new(black_box(&mut out[..])))
                .expect("equal lengths");
        };
        let held = || {
            let mut out = out.borrow_mut();
            let inputs = [
                Slice::new(black_box(alpha)).into(),
                Slice::new(black_box(x)).into(),
                Slice::new(black_box(y)).into(),
            ];
            kernel.call(&inputs, SliceMut::new(black_box(&mut out[..]))).expect("equal lengths");
        };
        let (typed, held, found) = (paired(typed, hand), paired(held, hand), paired(found, hand));
        println!(
            "{place:>7}: typed {:.2}, held {:.2}, looked up {:.2} ({:.0} ns by hand; {:.0}, {:.0} and {:.0})",
            typed.ratio, held.ratio, found.ratio, found.theirs, typed.ours, held.ours, found.ours
        );
    }
}
