//! Is `add` over two dtypes as fast as a loop written by hand over the same bytes?
//!
//! For five pairs at 1024 elements (L1), 32768 (L2) and 16 Mi (memory): nanoseconds an element, gigabytes of input
//! and output a second, and `hand / ours`, the median over interleaved rounds, with our kernel found at each call and with
//! one that is held. The hand-written loop knows its types and is compiled for the same instructions. Also: what a
//! call on 8 elements costs, found at run time, held and typed.
//!
//! `cargo bench --bench add`

use half::{bf16, f16};
use num_complex::Complex;
use promote::kernel::{SliceMut, SliceRef};
use promote::{Argument, DType, Element, Level, Op, Torch};
use promote_measure::paired;
use std::cell::RefCell;
use std::hint::black_box;

/// A loop compiled for the instructions of the level in use; `widen` is an f16 as f32 there.
macro_rules! by_hand {
    ($name:ident($a:ident: $A:ty, $b:ident: $B:ty) -> $O:ty = |$widen:ident| $body:expr) => {
        fn $name(a: &[$A], b: &[$B], out: &mut [$O]) {
            #[inline(always)]
            fn all(a: &[$A], b: &[$B], out: &mut [$O], $widen: impl Fn(f16) -> f32) {
                for ((&$a, &$b), out) in a.iter().zip(b).zip(out) {
                    *out = $body;
                }
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
            fn v4(a: &[$A], b: &[$B], out: &mut [$O]) {
                all(a, b, out, f16c);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,f16c")]
            fn v3(a: &[$A], b: &[$B], out: &mut [$O]) {
                all(a, b, out, f16c);
            }
            match Level::active() {
                // SAFETY: a level in use is one that the machine has.
                #[cfg(target_arch = "x86_64")]
                Level::V4 => unsafe { v4(a, b, out) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                Level::V3 => unsafe { v3(a, b, out) },
                _ => all(a, b, out, f16::to_f32),
            }
        }
    };
}

/// One lane of the conversion instruction, which LLVM packs. For the functions that are compiled with F16C.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "it is one instruction where it is inlined, and a call where it is not"
)]
fn f16c(x: f16) -> f32 {
    use core::arch::x86_64::{_mm_cvtph_ps, _mm_cvtsi32_si128, _mm_cvtss_f32};
    // SAFETY: `v3` and `v4` alone pass this function on, and both run where there is F16C.
    unsafe { _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(x.to_bits() as i32))) }
}

fn widen_bf16(x: bf16) -> f32 {
    f32::from_bits((x.to_bits() as u32) << 16)
}

by_hand!(i8_f32(a: i8, b: f32) -> f32 = |_widen| a as f32 + b);
by_hand!(f16_f32(a: f16, b: f32) -> f32 = |widen| widen(a) + b);
by_hand!(bf16_f16(a: bf16, b: f16) -> f32 = |widen| widen_bf16(a) + widen(b));
by_hand!(u64_f64(a: u64, b: f64) -> f64 = |_widen| a as f64 + b);
// An integer is a complex number whose imaginary part is 0: adding it makes -0 a 0.
by_hand!(i32_c64(a: i32, b: Complex<f32>) -> Complex<f32> = |_widen| Complex { re: a as f32 + b.re, im: 0.0 + b.im });

fn report<A: Element, B: Element, O: Element>(by_hand: fn(&[A], &[B], &mut [O]), (a, b, out): (A, B, O)) {
    let rules = Torch::new().rule_set();
    for n in [1024, 32 * 1024, 16 * 1024 * 1024] {
        let (a, b) = (vec![a; n], vec![b; n]);
        // One destination for both: where it begins relative to a cache line changes the time.
        let out = RefCell::new(vec![out; n]);
        let by_hand = || by_hand(black_box(&a), black_box(&b), black_box(&mut out.borrow_mut()[..]));
        let found = paired(
            || {
                let mut out = out.borrow_mut();
                let out = SliceMut::new(black_box(&mut out[..]));
                let (a, b) = (Argument::from(black_box(&a[..])), Argument::from(black_box(&b[..])));
                rules.binary(Op::Add, a, b, out).expect("PyTorch adds them");
            },
            by_hand,
        );
        let kernel = rules.kernel(Op::Add, A::DTYPE, B::DTYPE).expect("PyTorch adds them");
        let held = paired(
            || {
                let mut out = out.borrow_mut();
                let out = SliceMut::new(black_box(&mut out[..]));
                let (a, b) = (SliceRef::new(black_box(&a[..])), SliceRef::new(black_box(&b[..])));
                kernel.call_slices(a, b, out).expect("of these dtypes");
            },
            by_hand,
        );
        let bytes = n * (size_of::<A>() + size_of::<B>() + size_of::<O>());
        println!(
            "add {:>4} + {:<4} {n:>9} elements  ours {:7.4} ns/el {:6.1} GB/s   by hand {:7.4} ns/el   hand/ours {:5.2}, on a kernel held {:5.2}",
            A::DTYPE.name(),
            B::DTYPE.name(),
            found.ours / n as f64,
            bytes as f64 / found.ours,
            found.theirs / n as f64,
            found.ratio,
            held.ratio,
        );
    }
}

fn calls() {
    let rules = Torch::new().rule_set();
    let (a, b, mut out) = ([1_i8; 8], [0.5_f32; 8], [0.0_f32; 8]);
    let mut again = [0.0_f32; 8];
    let kernel = rules.kernel(Op::Add, DType::I8, DType::F32).expect("PyTorch adds them");
    let run_time = paired(
        || {
            let (op, a, b) =
                (black_box(Op::Add), SliceRef::new(black_box(&a[..])), SliceRef::new(black_box(&b[..])));
            rules
                .binary(op, Argument::Array(a), Argument::Array(b), SliceMut::new(&mut out))
                .expect("defined");
        },
        || {
            let (a, b) = (SliceRef::new(black_box(&a[..])), SliceRef::new(black_box(&b[..])));
            kernel.call_slices(a, b, SliceMut::new(&mut again)).expect("defined");
        },
    );
    println!(
        "a call on 8 elements: found at run time {:.2} ns, on a kernel found before {:.2} ns",
        run_time.ours, run_time.theirs
    );
    let typed = paired(
        || Torch::add_into(black_box(&a), black_box(&b), black_box(&mut out)).expect("defined"),
        || i8_f32(black_box(&a), black_box(&b), black_box(&mut again)),
    );
    println!("typed {:.2} ns, a loop by hand {:.2} ns", typed.ours, typed.theirs);
}

fn main() {
    println!("SIMD level: {}", Level::active());
    report(i8_f32, (3_i8, 0.5_f32, 0.0_f32));
    report(f16_f32, (f16::ONE, 0.5_f32, 0.0_f32));
    report(bf16_f16, (bf16::ONE, f16::ONE, 0.0_f32));
    report(u64_f64, (3_u64, 0.5_f64, 0.0_f64));
    report(i32_c64, (3_i32, Complex::new(0.5_f32, 1.0), Complex::new(0.0_f32, 0.0)));
    calls();
}
