//! Every function at every level against the functions of `std` for `f64`.
//!
//! The fast tests take special values and random bits. The ignored ones take every `f32`, or millions of
//! pairs: `cargo test --release -p promote-runtime single -- --ignored --nocapture` prints the greatest
//! errors.

#![allow(clippy::cast_ptr_alignment, reason = "the kernels are given pointers to `f32`")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use std::prelude::v1::*;
use std::{println, vec};

use super::*;
use crate::level::doors::Loop;
use crate::level::doors::{Target, tokens};
use crate::level::function::Pointers;
use crate::level::{Lanes, Level, Scalar};
use crate::math::forms::at_every_level;
use crate::math::oracle::{F32, Random, binary, pairs, special, ulp, unary};
use crate::math::registers::{LANES, Tabled};
use crate::math::{Function, Function2};

/// The forms of a function as kernels.
struct Form<F, const FULL: bool>(PhantomData<F>);
struct Form2<F, const FULL: bool>(PhantomData<F>);

impl<F: Function<f32> + 'static, const FULL: bool> Loop for Form<F, FULL> {
    type To = f32;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<f32>]) {
        let x = inputs.first().cast::<f32>();
        for (i, out) in out.iter_mut().enumerate() {
            // SAFETY: the caller passes as many elements.
            let x = unsafe { x.add(i).read() };
            out.write(if FULL { F::general(lanes, x) } else { F::fast(lanes, x) });
        }
    }
}

impl<F: Function2<f32> + 'static, const FULL: bool> Loop for Form2<F, FULL> {
    type To = f32;

    #[inline(always)]
    unsafe fn fill<L: Target>(lanes: L, inputs: Pointers, out: &mut [MaybeUninit<f32>]) {
        let [a, b]: [*const f32; 2] = [inputs.first().cast(), inputs.second().cast()];
        for (i, out) in out.iter_mut().enumerate() {
            // SAFETY: the caller passes as many elements of each.
            let (a, b) = unsafe { (a.add(i).read(), b.add(i).read()) };
            out.write(if FULL { F::general(lanes, a, b) } else { F::fast(lanes, a, b) });
        }
    }
}

/// Runs the kernel at a level that the machine has.
fn at<P: Loop>(level: Level, inputs: &[&[f32]]) -> Vec<f32> {
    let n = inputs[0].len();
    let mut out = vec![0.0_f32; n];
    let pointer = |i: usize| inputs.get(i).map_or(core::ptr::null(), |x| x.as_ptr().cast::<u8>());
    let (first, second, more) = (pointer(0), pointer(1), core::ptr::null());
    assert!(level <= Level::best() && inputs.iter().all(|x| x.len() == n));
    let out_pointer = out.as_mut_ptr().cast::<u8>();
    match level {
        // SAFETY: the inputs have `n` elements each, `out` too; every machine has the level.
        Level::Scalar | Level::Neon | Level::Simd128 => unsafe {
            tokens::Scalar::enter::<P>(n, first, second, more, out_pointer)
        },
        // SAFETY: as above; the machine has the level.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { tokens::V3::enter::<P>(n, first, second, more, out_pointer) },
        // SAFETY: as above; the machine has the level.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { tokens::V4::enter::<P>(n, first, second, more, out_pointer) },
        #[cfg(not(target_arch = "x86_64"))]
        _ => unreachable!(),
    };
    out
}

/// Returns true if the bits are equal, or both are NaN.
#[inline]
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// The greatest error, with its operands; all levels from `least` on agree, and both forms where the operands
/// are usual.
fn check<F: Function<f32> + 'static>(least: Level, x: &[f32], exact: fn(f64) -> f64) -> (f64, f32) {
    let full = at::<Form<F, true>>(Level::best(), &[x]);
    let mut worst = (0.0, 0.0);
    for (&x, &result) in x.iter().zip(&full) {
        let error = ulp(F32, result.into(), exact(f64::from(x)));
        if error > worst.0 {
            worst = (error, x);
        }
    }
    for &level in Level::ALL.iter().filter(|&&level| least <= level && level <= Level::best()) {
        let (other, fast) = (at::<Form<F, true>>(level, &[x]), at::<Form<F, false>>(level, &[x]));
        for i in 0..x.len() {
            assert!(same(full[i], other[i]), "{level}: {:e}: {:e}, {:e}", x[i], full[i], other[i]);
            assert!(
                !F::in_fast_domain(x[i]) || same(full[i], fast[i]),
                "{level}: {:e}: {:e}, fast {:e}",
                x[i],
                full[i],
                fast[i]
            );
        }
    }
    worst
}

/// Checks pairs as [`check`] does single numbers.
fn check2<F: Function2<f32> + 'static>(
    least: Level,
    a: &[f32],
    b: &[f32],
    exact: fn(f64, f64) -> f64,
) -> (f64, (f32, f32)) {
    let full = at::<Form2<F, true>>(Level::best(), &[a, b]);
    let mut worst = (0.0, (0.0, 0.0));
    for i in 0..a.len() {
        let error = ulp(F32, full[i].into(), exact(f64::from(a[i]), f64::from(b[i])));
        if error > worst.0 {
            worst = (error, (a[i], b[i]));
        }
    }
    for &level in Level::ALL.iter().filter(|&&level| least <= level && level <= Level::best()) {
        let (other, fast) = (at::<Form2<F, true>>(level, &[a, b]), at::<Form2<F, false>>(level, &[a, b]));
        for i in 0..a.len() {
            let (a, b) = (a[i], b[i]);
            assert!(same(full[i], other[i]), "{level}: {a:e}, {b:e}: {:e}, {:e}", full[i], other[i]);
            assert!(
                !F::in_fast_domain(a, b) || same(full[i], fast[i]),
                "{level}: {a:e}, {b:e}: {:e}, fast {:e}",
                full[i],
                fast[i]
            );
        }
    }
    worst
}

/// Special values, and bits at a stride and at random.
fn few() -> Vec<f32> {
    let mut random = Random(1);
    let strided = (0..50_000_u32).map(|i| f32::from_bits(i.wrapping_mul(85_899)));
    special().chain(strided).chain((0..30_000).map(move |_| random.any())).collect()
}

macro_rules! univariate {
    ($($name:ident $all:ident $function:ident $most:literal;)*) => {$(
        #[test]
        fn $name() {
            let (error, x) = check::<$function>(Level::Scalar, &few(), unary(stringify!($name)));
            assert!(error <= $most, "{error} ULP at {x:e}");
        }

        #[test]
        #[ignore = "takes a minute: every f32"]
        fn $all() {
            let mut worst = (0.0, 0.0);
            let mut x = vec![0.0; 1 << 16];
            let exact = unary(stringify!($name));
            for start in 0..1_u32 << 16 {
                for (i, x) in x.iter_mut().enumerate() {
                    *x = f32::from_bits((start << 16) + i as u32);
                }
                let found = check::<$function>(Level::V3, &x, exact);
                worst = if found.0 > worst.0 { found } else { worst };
            }
            println!("{}: {:.4} ULP at {:e}", stringify!($function), worst.0, worst.1);
            assert!(worst.0 <= $most, "{} ULP at {:e}", worst.0, worst.1);
        }
    )*};
}

univariate! {
    exp every_exp Exp 0.812;
    exp2 every_exp2 Exp2 0.879;
    expm1 every_expm1 Expm1 0.898;
    log every_log Log 0.758;
    log1p every_log1p Log1p 0.917;
    log2 every_log2 Log2 0.768;
    log10 every_log10 Log10 0.768;
    sin every_sin Sin 0.501;
    cos every_cos Cos 0.501;
    tan every_tan Tan 0.953;
    asin every_asin Asin 0.75;
    acos every_acos Acos 0.75;
    atan every_atan Atan 0.892;
    sinh every_sinh Sinh 0.923;
    cosh every_cosh Cosh 0.844;
    tanh every_tanh Tanh 0.981;
    asinh every_asinh Asinh 0.637;
    acosh every_acosh Acosh 0.747;
    atanh every_atanh Atanh 0.613;
    sigmoid every_sigmoid Sigmoid 0.805;
    cbrt every_cbrt Cbrt 0.501;
    erf every_erf Erf 0.501;
    erfc every_erfc Erfc 0.501;
    silu every_silu Silu 0.501;
    softplus every_softplus Softplus 0.501;
    gelu every_gelu Gelu 0.501;
    gelu_tanh every_gelu_tanh GeluTanh 0.501;
}

macro_rules! bivariate {
    ($($name:ident $many:ident $function:ident $most:literal;)*) => {$(
        #[test]
        fn $name() {
            let (a, b) = pairs(2_000);
            let (error, (a, b)) = check2::<$function>(Level::Scalar, &a, &b, binary(stringify!($name)));
            assert!(error <= $most, "{error} ULP at {a:e}, {b:e}");
        }

        #[test]
        #[ignore = "takes a minute: twelve million pairs"]
        fn $many() {
            let (a, b) = pairs(1 << 21);
            let (error, (a, b)) = check2::<$function>(Level::V3, &a, &b, binary(stringify!($name)));
            println!("{}: {error:.4} ULP at {a:e}, {b:e}", stringify!($function));
            assert!(error <= $most, "{error} ULP at {a:e}, {b:e}");
        }
    )*};
}

bivariate! {
    pow many_pow Pow 0.95;
    atan2 many_atan2 Atan2 0.87;
    logaddexp many_logaddexp Logaddexp 0.502;
    logaddexp2 many_logaddexp2 Logaddexp2 0.502;
    hypot many_hypot Hypot 0.502;
    xlogy many_xlogy Xlogy 0.501;
}

#[test]
fn a_row_gives_the_bits_of_its_numbers_alone_at_every_level() {
    fn rows<F: Tabled<1, f32> + Function<f32>, L: Lanes>(lanes: L) {
        let mut x: Vec<f32> = few().into_iter().step_by(5).collect();
        // In order, so that rows lie in the domain of the fast path.
        x.sort_by(f32::total_cmp);
        let mut settled_rows = 0;
        for x in x.chunks_exact(LANES) {
            let row = std::array::from_fn(|i| x[i]);
            let (fast, settled) = F::row::<true, L>(lanes, [row]);
            let (general, _) = F::row::<false, L>(lanes, [row]);
            settled_rows += usize::from(settled);
            for i in 0..LANES {
                let alone = F::general(Scalar, x[i]);
                assert!(same(general[i], alone), "{:e} at {:?}", x[i], L::LEVEL);
                assert!(!settled || same(fast[i], alone), "fast {:e} at {:?}", x[i], L::LEVEL);
            }
        }
        assert!(settled_rows > x.len() / LANES / 10, "{settled_rows}");
    }
    fn at<L: Lanes>(lanes: L) {
        rows::<Log, L>(lanes);
        rows::<Log2, L>(lanes);
        rows::<Log10, L>(lanes);
        rows::<Tanh, L>(lanes);
        rows::<Atan, L>(lanes);
        rows::<Asinh, L>(lanes);
        rows::<Acosh, L>(lanes);
    }
    at_every_level!(|lanes| at(lanes));
}

#[test]
fn a_row_of_logaddexp_gives_the_bits_of_its_pairs_alone_at_every_level() {
    fn rows<F: Tabled<2> + Function2<f32>, L: Lanes>(lanes: L) {
        let (a, b) = pairs(2_000);
        for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
            let wide = [a, b].map(|x| std::array::from_fn(|i| f64::from(x[i])));
            let (row, settled) = F::row::<true, L>(lanes, wide);
            for i in 0..LANES {
                let alone = F::general(Scalar, a[i], b[i]);
                let right = settled || F::in_fast_domain(a[i], b[i]);
                assert!(!right || same(row[i] as f32, alone), "{:e}, {:e} at {:?}", a[i], b[i], L::LEVEL);
            }
        }
    }
    fn at<L: Lanes>(lanes: L) {
        rows::<Logaddexp, L>(lanes);
        rows::<Logaddexp2, L>(lanes);
    }
    at_every_level!(|lanes| at(lanes));
}
