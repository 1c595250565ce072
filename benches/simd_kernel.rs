//! Measures a custom kernel of vectors beside the loop that a user of pulp writes by hand.
//!
//! Both compute `x · x + y` of f32. All arrays together have 24 KiB (L1), 384 KiB (L2) and 256 MiB (memory).
//! A figure is the time of the loop by hand over ours, the median over interleaved rounds.
//!
//! `cargo bench --bench simd_kernel`

use std::cell::RefCell;
use std::hint::black_box;

use promote::pulp::{self, Arch, Simd, WithSimd};
use promote::{Level, Torch, kernel};
use promote_measure::{Placed, paired};

/// Computes `x · x + y`.
#[kernel(simd)]
fn square_add<S: pulp::Simd>(simd: S, x: S::f32s, y: S::f32s) -> S::f32s {
    simd.mul_add_e_f32s(x, x, y)
}

/// Computes the polynomial 1 + x (y + x (0.5 + x y)).
#[kernel(simd)]
fn cubic<S: pulp::Simd>(simd: S, x: S::f32s, y: S::f32s) -> S::f32s {
    let inner = simd.mul_add_e_f32s(x, y, simd.splat_f32s(0.5));
    let inner = simd.mul_add_e_f32s(x, inner, y);
    simd.mul_add_e_f32s(x, inner, simd.splat_f32s(1.0))
}

macro_rules! by_hand {
    ($name:ident $body:ident) => {
        struct $name<'a> {
            x: &'a [f32],
            y: &'a [f32],
            out: &'a mut [f32],
        }

        impl WithSimd for $name<'_> {
            type Output = ();

            #[inline(always)]
            fn with_simd<S: Simd>(self, simd: S) {
                let (x_head, x_tail) = S::as_simd_f32s(self.x);
                let (y_head, y_tail) = S::as_simd_f32s(self.y);
                let (out_head, out_tail) = S::as_mut_simd_f32s(self.out);
                for ((out, x), y) in out_head.iter_mut().zip(x_head).zip(y_head) {
                    *out = $body(simd, *x, *y);
                }
                if !out_tail.is_empty() {
                    let last = $body(simd, simd.partial_load_f32s(x_tail), simd.partial_load_f32s(y_tail));
                    simd.partial_store_f32s(out_tail, last);
                }
            }
        }
    };
}

by_hand! { SquareAddByHand square_add }
by_hand! { CubicByHand cubic }

fn main() {
    println!("SIMD level: {}; hand / ours", Level::active());
    let arch = Arch::new();
    for (place, bytes) in [("L1", 24 << 10), ("L2", 384 << 10), ("memory", 256 << 20)] {
        let n = bytes / 12 / 64 * 64;
        let (mut x, mut y) = (Placed::new(1.5_f32, n, 0), Placed::new(2.5_f32, n, 1344));
        let mut out = Placed::new(0.0_f32, n, 704);
        let (x, y) = (&*x.elements(), &*y.elements());
        let out = RefCell::new(out.elements());
        macro_rules! measured {
            ($hand:ident $function:ident) => {{
                let hand = || {
                    let mut out = out.borrow_mut();
                    arch.dispatch($hand { x: black_box(x), y: black_box(y), out: black_box(&mut out[..]) });
                };
                let ours = || {
                    let mut out = out.borrow_mut();
                    Torch::$function(black_box(x), black_box(y), black_box(&mut out[..]))
                        .expect("equal lengths");
                };
                let found = paired(ours, hand);
                println!(
                    "{place:>7} {}: {:.2} ({:.0} ns by hand, {:.0} ours)",
                    stringify!($function),
                    found.ratio,
                    found.theirs,
                    found.ours
                );
            }};
        }
        measured!(SquareAddByHand square_add_into);
        measured!(CubicByHand cubic_into);
    }
}
