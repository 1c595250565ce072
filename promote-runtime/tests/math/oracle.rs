//! The exact results of the mathematical functions, and distances of results from them: for the tests of
//! `promote-runtime` and for `examples/accuracy.rs`.

#![allow(clippy::float_cmp, reason = "exact comparisons are what is asked for")]

use std::borrow::ToOwned;
use std::string::String;
use std::vec::Vec;

type Function = fn(f64) -> f64;
type Function2 = fn(f64, f64) -> f64;

/// A float format: the digits of the significand, the exponents of the least normal number and of the
/// greatest one.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    pub(crate) digits: i32,
    pub(crate) least: i32,
    pub(crate) most: i32,
}

pub(crate) const F32: Format = Format { digits: 24, least: -126, most: 127 };

/// The functions of one operand, in `f64`.
pub(crate) const UNARY: &[(&str, Function)] = &[
    ("exp", f64::exp),
    ("exp2", f64::exp2),
    ("expm1", f64::exp_m1),
    ("log", f64::ln),
    ("log1p", f64::ln_1p),
    ("log2", f64::log2),
    ("log10", f64::log10),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("asinh", f64::asinh),
    ("acosh", f64::acosh),
    ("atanh", f64::atanh),
    ("sigmoid", exact_sigmoid),
    ("sqrt", f64::sqrt),
    ("rsqrt", |x| 1.0 / x.sqrt()),
    ("cbrt", f64::cbrt),
    ("erf", libm::erf),
    ("erfc", libm::erfc),
    ("silu", |x| times_sigmoid(x, x)),
    ("softplus", exact_softplus),
    ("gelu", |x| x * libm::erfc(-x * core::f64::consts::FRAC_1_SQRT_2) / 2.0),
    ("gelu_tanh", |x| times_sigmoid(x, 1.595_769_121_605_730_8 * (x + 0.044_715 * x * x * x))),
];

/// The functions of two operands, in `f64`.
pub(crate) const BINARY: &[(&str, Function2)] = &[
    ("pow", f64::powf),
    ("atan2", f64::atan2),
    ("hypot", f64::hypot),
    ("logaddexp", exact_logaddexp),
    ("logaddexp2", exact_logaddexp2),
    ("xlogy", exact_xlogy),
];

/// A function of [`UNARY`].
pub(crate) fn unary(name: &str) -> Function {
    UNARY.iter().find(|row| row.0 == name).expect("a function of one operand").1
}

/// A function of [`BINARY`].
pub(crate) fn binary(name: &str) -> Function2 {
    BINARY.iter().find(|row| row.0 == name).expect("a function of two operands").1
}

/// 2^n, of a normal number.
fn power(n: i32) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}

/// The distance of a result from the exact one, in steps of the format at the exact one; infinite where the
/// class is wrong.
pub(crate) fn ulp(format: Format, result: f64, exact: f64) -> f64 {
    if result.is_nan() || exact.is_nan() || exact.is_infinite() {
        let same = result.to_bits() == exact.to_bits() || result.is_nan() && exact.is_nan();
        return if same { 0.0 } else { f64::INFINITY };
    }
    if result.is_sign_negative() != exact.is_sign_negative() {
        return f64::INFINITY;
    }
    // The power of two beyond the greatest number stands for infinity: a result that just overflows, or just
    // does not, is an error of rounding, and one far beyond it is infinity exactly.
    let bound = power(format.most + 1);
    if result.is_infinite() && exact.abs() >= bound {
        return 0.0;
    }
    let exponent = (((exact.to_bits() >> 52) & 0x7ff) as i32 - 1023).clamp(format.least, format.most);
    let steps = power(format.digits - 1 - exponent);
    (result.clamp(-bound, bound) - exact.clamp(-2.0 * bound, 2.0 * bound)).abs() * steps
}

/// Random bits: a sum that is stirred.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        x ^ (x >> 32)
    }

    pub(crate) fn any(&mut self) -> f32 {
        f32::from_bits(self.bits() as u32)
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f32 {
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

pub(crate) fn special() -> impl Iterator<Item = f32> + Clone {
    SPECIAL.iter().flat_map(|&x| [x, -x])
}

/// Pairs of all kinds: `n` of each, and every pair of special values.
pub(crate) fn pairs(n: usize) -> (Vec<f32>, Vec<f32>) {
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

fn exact_sigmoid(x: f64) -> f64 {
    let e = (-x.abs()).exp();
    (if x < 0.0 { e } else { 1.0 }) / (1.0 + e)
}

/// x / (1 + e^-u).
fn times_sigmoid(x: f64, u: f64) -> f64 {
    x * exact_sigmoid(u)
}

fn exact_softplus(x: f64) -> f64 {
    if x.is_nan() { x } else { x.max(0.0) + (-x.abs()).exp().ln_1p() }
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

/// A recorded real number: the nearest `f64`, the rest in units of its last place.
#[derive(Clone, Copy)]
pub(crate) struct Exact {
    pub(crate) nearest: f64,
    rest: f64,
}

impl Exact {
    /// The error of `result` in units of 2^`exponent`.
    pub(crate) fn error(self, result: f64, exponent: i32) -> f64 {
        // In two factors, since a subnormal one could not divide.
        let half = exponent / 2;
        let off = (result - self.nearest) / power(half) / power(exponent - half);
        let rest = self.rest * 2.0_f64.powi((unit(self.nearest) - exponent).max(-1000));
        (off - rest).abs()
    }
}

/// The exponent of the unit in the last place, that of the least number at least.
pub(crate) fn unit(x: f64) -> i32 {
    ((x.to_bits() >> 52 & 0x7ff) as i32).max(1) - 1075
}

/// As [`unit`], of the nearest `f32`.
pub(crate) fn unit_f32(x: f64) -> i32 {
    (((x as f32).to_bits() >> 23 & 0xff) as i32).max(1) - 150
}

/// A recorded point.
pub(crate) struct Point {
    pub(crate) a: f64,
    pub(crate) b: f64,
    exact: Exact,
}

impl Point {
    /// The error of `result` in units in the last place.
    pub(crate) fn error(&self, result: f64) -> f64 {
        self.exact.error(result, unit(self.exact.nearest))
    }
}

/// A recorded point of a function of complex numbers.
pub(crate) struct ComplexPoint {
    pub(crate) a: C,
    pub(crate) b: C,
    /// The parts of the result.
    pub(crate) exact: [Exact; 2],
}

impl ComplexPoint {
    /// The distance of `result` in units in the last place of the greater part, of which `unit` gives the
    /// exponent.
    pub(crate) fn error(&self, result: C, unit: fn(f64) -> i32) -> f64 {
        let [re, im] = self.exact;
        let exponent = unit(re.nearest).max(unit(im.nearest));
        re.error(result.re, exponent).hypot(im.error(result.im, exponent))
    }
}

type C = num_complex::Complex<f64>;

/// Bytes that are read from the front.
struct Reader(&'static [u8]);

impl Reader {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, tail) = self.0.split_first_chunk().expect("a whole recording");
        self.0 = tail;
        *head
    }

    fn name(&mut self) -> String {
        let bytes: [u8; 12] = self.take();
        core::str::from_utf8(&bytes).expect("a name").trim_end_matches('\0').to_owned()
    }

    fn count(&mut self) -> usize {
        u32::from_le_bytes(self.take()) as usize
    }

    fn real(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }

    fn complex(&mut self) -> C {
        C { re: self.real(), im: self.real() }
    }

    fn exact(&mut self) -> Exact {
        Exact { nearest: self.real(), rest: f32::from_le_bytes(self.take()).into() }
    }
}

/// The points of a function of reals.
pub(crate) fn recorded(name: &str) -> Vec<Point> {
    let mut from = Reader(include_bytes!("../data/math_f64.bin"));
    loop {
        let this = from.name();
        let (operands, points) = (from.count(), from.count());
        let mut read = || {
            let a = from.real();
            let b = if operands == 2 { from.real() } else { a };
            Point { a, b, exact: from.exact() }
        };
        let points: Vec<Point> = (0..points).map(|_| read()).collect();
        if this == name {
            return points;
        }
    }
}

/// Operands at which something happens, and their results.
type Special = Vec<(C, C)>;

/// The points of a function of complex numbers, and the special ones; none where it is not recorded.
pub(crate) fn recorded_complex(name: &str) -> Option<(Vec<ComplexPoint>, Special)> {
    let mut from = Reader(include_bytes!("../data/math_complex.bin"));
    while !from.0.is_empty() {
        let this = from.name();
        let (operands, points, special) = (from.count(), from.count(), from.count());
        let mut read = || {
            let a = from.complex();
            let b = if operands == 2 { from.complex() } else { a };
            ComplexPoint { a, b, exact: [from.exact(), from.exact()] }
        };
        let points: Vec<ComplexPoint> = (0..points).map(|_| read()).collect();
        let special: Special = (0..special).map(|_| (from.complex(), from.complex())).collect();
        if this == name {
            return Some((points, special));
        }
    }
    None
}
