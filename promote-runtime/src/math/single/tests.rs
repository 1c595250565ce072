//! Every function at every level against the functions of `std` for `f64`.
//!
//! The fast tests take special values and random bits. The ignored ones take every `f32`, or millions of pairs:
//! `cargo test --release -p promote-runtime single -- --ignored --nocapture` prints the greatest errors.

#![allow(clippy::cast_ptr_alignment, reason = "the kernels are given pointers to `f32`")]

use core::marker::PhantomData;
use std::prelude::v1::*;
use std::{println, vec};

use super::*;
use crate::kernel::Status;
use crate::kernel::target::{Body, Target, detect};
use crate::level::{Lanes, Level};
use crate::math::{Function, Function2};

/// The forms of a function, as kernels.
struct Form<F, const FULL: bool>(PhantomData<F>);
struct Form2<F, const FULL: bool>(PhantomData<F>);

impl<F: Function<f32> + 'static, const FULL: bool> Body for Form<F, FULL> {
    #[inline(always)]
    unsafe fn run<L: Lanes>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller gives one input of `n` elements.
        let x = unsafe { core::slice::from_raw_parts(inputs.read().cast::<f32>(), n) };
        // SAFETY: and room for `n` elements, which are initialised here.
        let out = unsafe { core::slice::from_raw_parts_mut(out.cast::<f32>(), n) };
        lanes.over(x, &[(); 0], out, |lanes, x, _, out| {
            for (x, out) in x.iter().zip(out) {
                *out = if FULL { F::full(lanes, *x) } else { F::fast(lanes, *x) };
            }
        });
        Status::Done
    }
}

impl<F: Function2<f32> + 'static, const FULL: bool> Body for Form2<F, FULL> {
    #[inline(always)]
    unsafe fn run<L: Lanes>(lanes: L, n: usize, inputs: *const *const u8, out: *mut u8) -> Status {
        // SAFETY: the caller gives two inputs of `n` elements.
        let a = unsafe { core::slice::from_raw_parts(inputs.read().cast::<f32>(), n) };
        // SAFETY: as above.
        let b = unsafe { core::slice::from_raw_parts(inputs.add(1).read().cast::<f32>(), n) };
        // SAFETY: and room for `n` elements, which are initialised here.
        let out = unsafe { core::slice::from_raw_parts_mut(out.cast::<f32>(), n) };
        lanes.over(a, b, out, |lanes, a, b, out| {
            for ((a, b), out) in a.iter().zip(b).zip(out) {
                *out = if FULL { F::full(lanes, *a, *b) } else { F::fast(lanes, *a, *b) };
            }
        });
        Status::Done
    }
}

/// Runs the kernel at a level that the machine has.
fn at<B: Body>(level: Level, inputs: &[&[f32]]) -> Vec<f32> {
    let n = inputs[0].len();
    let mut out = vec![0.0_f32; n];
    let pointers: Vec<*const u8> = inputs.iter().map(|x| x.as_ptr().cast()).collect();
    assert!(level <= Level::best() && inputs.iter().all(|x| x.len() == n));
    let out_pointer = out.as_mut_ptr().cast::<u8>();
    match level {
        // SAFETY: the inputs have `n` elements each, `out` too; every machine has the level.
        Level::Scalar => unsafe { detect::Scalar::enter::<B>(n, pointers.as_ptr(), out_pointer) },
        // SAFETY: as above; the machine has the level.
        #[cfg(target_arch = "x86_64")]
        Level::V3 => unsafe { detect::V3::enter::<B>(n, pointers.as_ptr(), out_pointer) },
        // SAFETY: as above; the machine has the level.
        #[cfg(target_arch = "x86_64")]
        Level::V4 => unsafe { detect::V4::enter::<B>(n, pointers.as_ptr(), out_pointer) },
        #[cfg(not(target_arch = "x86_64"))]
        _ => unreachable!(),
    };
    out
}

/// The distance of a result from the exact one, in steps of `f32` at the exact one; infinite where the class is wrong.
fn ulp(result: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    let same = nearest.to_bits() == result.to_bits() || (nearest.is_nan() && result.is_nan());
    if same {
        // An exact result, or NaN, or an infinity, or a zero.
        if nearest == 0.0 || !nearest.is_finite() {
            return 0.0;
        }
    } else if nearest.is_nan()
        || result.is_nan()
        || exact.is_infinite()
        || result.is_sign_negative() != exact.is_sign_negative()
    {
        return f64::INFINITY;
    }
    // 2^128 stands for infinity: a result that just overflows, or just does not, is an error of rounding.
    let bound = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
    let result = f64::from(result).clamp(-bound, bound);
    let exponent = (((exact.to_bits() >> 52) & 0x7ff) as i32 - 1023).clamp(-126, 127);
    // 2^(23 - exponent).
    let steps = f64::from_bits(((1023 + 23 - exponent) as u64) << 52);
    (result - exact.clamp(-2.0 * bound, 2.0 * bound)).abs() * steps
}

/// Same bits, or both NaN.
#[inline]
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// The greatest error, with its operands; all levels from `least` on agree, and both forms where the operands are usual.
fn check<F: Function<f32> + 'static>(least: Level, x: &[f32], exact: fn(f64) -> f64) -> (f64, f32) {
    let full = at::<Form<F, true>>(Level::best(), &[x]);
    let mut worst = (0.0, 0.0);
    for (&x, &result) in x.iter().zip(&full) {
        let error = ulp(result, exact(f64::from(x)));
        if error > worst.0 {
            worst = (error, x);
        }
    }
    for &level in Level::ALL.iter().filter(|&&level| least <= level && level <= Level::best()) {
        let (other, fast) = (at::<Form<F, true>>(level, &[x]), at::<Form<F, false>>(level, &[x]));
        for i in 0..x.len() {
            assert!(same(full[i], other[i]), "{level}: {:e}: {:e}, {:e}", x[i], full[i], other[i]);
            assert!(
                !F::usual(x[i]) || same(full[i], fast[i]),
                "{level}: {:e}: {:e}, fast {:e}",
                x[i],
                full[i],
                fast[i]
            );
        }
    }
    worst
}

/// As [`check`], of pairs.
fn check2<F: Function2<f32> + 'static>(
    least: Level,
    a: &[f32],
    b: &[f32],
    exact: fn(f64, f64) -> f64,
) -> (f64, (f32, f32)) {
    let full = at::<Form2<F, true>>(Level::best(), &[a, b]);
    let mut worst = (0.0, (0.0, 0.0));
    for i in 0..a.len() {
        let error = ulp(full[i], exact(f64::from(a[i]), f64::from(b[i])));
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
                !F::usual(a, b) || same(full[i], fast[i]),
                "{level}: {a:e}, {b:e}: {:e}, fast {:e}",
                full[i],
                fast[i]
            );
        }
    }
    worst
}

/// Random bits: a sum that is stirred.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        x ^ (x >> 32)
    }

    fn any(&mut self) -> f32 {
        f32::from_bits(self.bits() as u32)
    }

    fn between(&mut self, low: f64, high: f64) -> f32 {
        (low + (high - low) * ((self.bits() >> 11) as f64 / 9_007_199_254_740_992.0)) as f32
    }
}

const SPECIAL: [f32; 34] = [
    0.0,
    1.0e-45,
    1.0e-40,
    f32::MIN_POSITIVE,
    2.0e-38,
    1.0e-20,
    0.001_953_125,
    0.25,
    0.3,
    0.5,
    0.999_999_94,
    1.0,
    1.000_000_1,
    1.5,
    2.0,
    2.5,
    3.0,
    3.5,
    4.0,
    7.0,
    88.0,
    128.0,
    149.0,
    4_194_303.5,
    8_388_607.0,
    8_388_607.5,
    8_388_609.0,
    16_777_215.0,
    16_777_216.0,
    16_777_218.0,
    1.0e20,
    f32::MAX,
    f32::INFINITY,
    f32::NAN,
];

fn special() -> impl Iterator<Item = f32> + Clone {
    SPECIAL.iter().flat_map(|&x| [x, -x])
}

/// Special values, and bits at a stride and at random.
fn few() -> Vec<f32> {
    let mut random = Random(1);
    let strided = (0..50_000_u32).map(|i| f32::from_bits(i.wrapping_mul(85_899)));
    special().chain(strided).chain((0..30_000).map(move |_| random.any())).collect()
}

macro_rules! univariate {
    ($($name:ident $all:ident $function:ident $most:literal $exact:expr;)*) => {$(
        #[test]
        fn $name() {
            let (error, x) = check::<$function>(Level::Scalar, &few(), $exact);
            assert!(error <= $most, "{error} ULP at {x:e}");
        }

        #[test]
        #[ignore = "takes a minute: every f32"]
        fn $all() {
            let mut worst = (0.0, 0.0);
            let mut x = vec![0.0; 1 << 16];
            for start in 0..1_u32 << 16 {
                for (i, x) in x.iter_mut().enumerate() {
                    *x = f32::from_bits((start << 16) + i as u32);
                }
                let found = check::<$function>(Level::V3, &x, $exact);
                worst = if found.0 > worst.0 { found } else { worst };
            }
            println!("{}: {:.4} ULP at {:e}", stringify!($function), worst.0, worst.1);
            assert!(worst.0 <= $most, "{} ULP at {:e}", worst.0, worst.1);
        }
    )*};
}

univariate! {
    exp every_exp Exp 0.812 f64::exp;
    exp2 every_exp2 Exp2 0.879 f64::exp2;
    expm1 every_expm1 Expm1 0.898 f64::exp_m1;
    log every_log Log 0.883 f64::ln;
    log1p every_log1p Log1p 0.917 f64::ln_1p;
    log2 every_log2 Log2 0.931 f64::log2;
    log10 every_log10 Log10 0.881 f64::log10;
    sin every_sin Sin 0.501 f64::sin;
    cos every_cos Cos 0.501 f64::cos;
    tan every_tan Tan 0.85 f64::tan;
    asin every_asin Asin 0.75 f64::asin;
    acos every_acos Acos 0.75 f64::acos;
    atan every_atan Atan 0.8 f64::atan;
    sinh every_sinh Sinh 0.852 f64::sinh;
    cosh every_cosh Cosh 0.875 f64::cosh;
    tanh every_tanh Tanh 0.941 f64::tanh;
    asinh every_asinh Asinh 0.674 f64::asinh;
    acosh every_acosh Acosh 0.606 f64::acosh;
    atanh every_atanh Atanh 0.613 f64::atanh;
    sigmoid every_sigmoid Sigmoid 0.805 exact_sigmoid;
}

fn exact_sigmoid(x: f64) -> f64 {
    let e = (-x.abs()).exp();
    (if x < 0.0 { e } else { 1.0 }) / (1.0 + e)
}

/// Pairs of all kinds: `n` of each, and every pair of special values.
fn pairs(n: usize) -> (Vec<f32>, Vec<f32>) {
    let mut random = Random(2);
    let mut pairs: Vec<(f32, f32)> = special().flat_map(|a| special().map(move |b| (a, b))).collect();
    for _ in 0..n {
        pairs.push((random.any(), random.any()));
        pairs.push((random.between(-10.0, 10.0), random.between(-10.0, 10.0)));
        pairs.push((random.between(0.0, 4.0), random.between(-5.0, 5.0)));
        // Powers that fill the range, the base near 1 more and more.
        let near = 1.0 + f64::from(random.between(-0.5, 0.5)) * 0.5_f64.powi((random.bits() % 24) as i32);
        let fill = f64::from(random.between(-150.0, 150.0)) / near.log2();
        pairs.push((near as f32, fill as f32));
        // Exponentials whose sum is near 1, to base e and to base 2.
        let a = -(f64::from(random.between(0.0, 1.0)) * 0.5_f64.powi((random.bits() % 4 * 8) as i32));
        let (e, two) = (a * core::f64::consts::LN_2, a);
        pairs.push((e as f32, (-f64::from(e as f32).exp_m1()).ln() as f32));
        pairs.push(((-two.exp2().mul_add(1.0, -1.0)).log2() as f32, two as f32));
    }
    pairs.into_iter().unzip()
}

macro_rules! bivariate {
    ($($name:ident $many:ident $function:ident $most:literal $exact:expr;)*) => {$(
        #[test]
        fn $name() {
            let (a, b) = pairs(2_000);
            let (error, (a, b)) = check2::<$function>(Level::Scalar, &a, &b, $exact);
            assert!(error <= $most, "{error} ULP at {a:e}, {b:e}");
        }

        #[test]
        #[ignore = "takes a minute: twelve million pairs"]
        fn $many() {
            let (a, b) = pairs(1 << 21);
            let (error, (a, b)) = check2::<$function>(Level::V3, &a, &b, $exact);
            println!("{}: {error:.4} ULP at {a:e}, {b:e}", stringify!($function));
            assert!(error <= $most, "{error} ULP at {a:e}, {b:e}");
        }
    )*};
}

bivariate! {
    pow many_pow Pow 0.95 f64::powf;
    atan2 many_atan2 Atan2 0.87 f64::atan2;
    logaddexp many_logaddexp Logaddexp 0.502 exact_logaddexp;
    logaddexp2 many_logaddexp2 Logaddexp2 0.502 exact_logaddexp2;
    hypot many_hypot Hypot 0.502 f64::hypot;
    xlogy many_xlogy Xlogy 0.501 exact_xlogy;
}

fn exact_xlogy(x: f64, y: f64) -> f64 {
    if y.is_nan() || x != 0.0 { x * y.ln() } else { 0.0 }
}

/// A number as a sum of two.
type Pair = (f64, f64);

fn two_sum(a: f64, b: f64) -> Pair {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

fn add(a: Pair, b: Pair) -> Pair {
    let (high, low) = two_sum(a.0, b.0);
    let (middle, rest) = two_sum(a.1, b.1);
    let (high, low) = two_sum(high, low + middle);
    two_sum(high, low + rest)
}

fn times(a: Pair, b: Pair) -> Pair {
    let high = a.0 * b.0;
    two_sum(high, a.0.mul_add(b.0, -high) + (a.0 * b.1 + a.1 * b.0))
}

/// e^x - 1 by the series of a 1024th of `x`, doubled ten times.
fn expm1_pair(x: Pair) -> Pair {
    let x = (x.0 / 1024.0, x.1 / 1024.0);
    let mut sum = (0.0, 0.0);
    for k in (1..=14).rev() {
        let inverse = 1.0 / f64::from(k);
        let inverse = (inverse, f64::from(-k).mul_add(inverse, 1.0) / f64::from(k));
        sum = times(times(x, inverse), add((1.0, 0.0), sum));
    }
    (0..10).fold(sum, |e, _| times(e, add((2.0, 0.0), e)))
}

/// log(exp(a) + exp(b)) to the base of which the natural logarithm is `log`.
fn exact_sum(a: f64, b: f64, log: Pair) -> f64 {
    if a.is_nan() || b.is_nan() || a == b && a.is_infinite() {
        return if a == b { a } else { f64::NAN };
    }
    let (max, min) = (a.max(b), a.min(b));
    let log1p = |w: f64| w.ln_1p() / log.0;
    if -1.1 < max && max < 0.0 && min > -160.0 {
        // By way of a 16th: 1 more than what is near -1 would be nothing but its error.
        let (high, low) = times((min, 0.0), log);
        let one = add((1.0, 0.0), expm1_pair((high / 16.0, low / 16.0)));
        let one = (0..4).fold(one, |e, _| times(e, e));
        let w = add(expm1_pair(times((max, 0.0), log)), one);
        if w.0.abs() < 0.01 {
            // Beyond what the pairs carry: the sum is 1 exactly.
            return if w.0.abs() < 1.0e-29 * max.abs() { 0.0 } else { log1p(w.0) };
        }
    }
    max + log1p(((min - max) * log.0).exp())
}

fn exact_logaddexp(a: f64, b: f64) -> f64 {
    exact_sum(a, b, (1.0, 0.0))
}

fn exact_logaddexp2(a: f64, b: f64) -> f64 {
    exact_sum(a, b, (core::f64::consts::LN_2, 2.319_046_813_846_299_6e-17))
}
