//! The error function, its complement, and the normal distribution of `gelu`.
//!
//! Up to ½ each is a polynomial in x². Beyond it they follow from erfc a = e^(-a²)·S(a), where S(a)·(1 + 2a)
//! is nearly 1, and is a polynomial in (a - 4) / (a + 4). `tests/data/fit_erf.py` prints the coefficients.

use super::exp::{Power, clamp, times_power};
use super::pair::{Pair, polynomial, select};
use crate::level::Lanes;
use crate::math::batch::Number;

/// (erf x / x - 2 / √π) / x² in x², for |x| <= ½: the error is below 2^-59 of erf x.
const ERF: [f64; 9] = [
    -0.37612638903183754,
    0.11283791670955098,
    -0.026866170645102157,
    0.00522397762425771,
    -0.0008548326781704705,
    0.00012055305234502104,
    -1.492377594854551e-05,
    1.6388038632748669e-06,
    -1.4772449713470345e-07,
];
/// 2 / √π - 1.
const ERF_FIRST: Pair = Pair { hi: 0.1283791670955126, lo: -1.2420116002463032e-17 };

/// (erf(x / √2) / 2x - 1 / √(2π)) / x² in x², for |x| <= 0.71: the error is below 2^-59.
const PHI: [f64; 9] = [
    -0.06649038006690544,
    0.009973557010035793,
    -0.0011873282154791687,
    0.00011543468758998178,
    -9.444655992409334e-06,
    6.659678187961032e-07,
    -4.122149677392672e-08,
    2.26329946241483e-09,
    -1.0200878288217075e-10,
];
/// 1 / √(2π).
const PHI_FIRST: Pair = Pair { hi: 0.3989422804014327, lo: -2.49232720227773e-17 };

/// (S(a)·(1 + 2a) - S(4)·9) / q in q = (a - 4) / (a + 4), for a from 0.49 to 28.4: the error is below 2^-56
/// of S(a)·(1 + 2a).
const SCALED: [f64; 22] = [
    -0.1396211168405625,
    0.015379652102620017,
    0.06809705425469072,
    -0.1010390660363217,
    0.0937328349984524,
    -0.06633036581178814,
    0.03716751553514904,
    -0.01619773406327872,
    0.005031970006238369,
    -0.0007577732476876598,
    -0.00019925689799335,
    0.0001506214865986621,
    -2.4398289711372953e-05,
    -1.1221476907696373e-05,
    5.707000297811088e-06,
    2.9279689082217906e-07,
    -8.2018392481168e-07,
    7.575777321219596e-08,
    1.0376240416352312e-07,
    -1.8609030034187184e-08,
    -9.814736104504244e-09,
    2.018930879571014e-09,
];
/// S(4)·9.
const SCALED_FIRST: Pair = Pair { hi: 1.2329951186255526, lo: -4.625318921008717e-17 };

/// The derivative of S(a)·(1 + 2a) in q, within 2^-6.
const SLOPE: [f64; 5] =
    [-0.13881716336789984, 0.08625479757253696, 0.15548011550232135, -0.7604727156193831, 0.7186924613820334];

const SQRT_HALF: Pair = Pair { hi: 0.7071067811865476, lo: -4.833646656726457e-17 };

/// Returns erfc a for `a` from 0.49 to 28.4, as a pair and the exponent of a power of two that it is
/// multiplied by. `square` is a².
#[inline(always)]
fn complement<L: Lanes, N: Number>(lanes: L, a: Pair<N>, square: Pair<N>) -> (Pair<N>, N) {
    let above = Pair::sum(a.hi, N::of(-4.0));
    let below = Pair::sum(a.hi, N::of(4.0));
    let q = Pair::new(above.hi, above.lo + a.lo).over(lanes, Pair::new(below.hi, below.lo + a.lo));
    let rest = q.lo.fma(lanes, polynomial(lanes, q.hi, &SLOPE), N::of(SCALED_FIRST.lo));
    let rest = q.hi.fma(lanes, polynomial(lanes, q.hi, &SCALED), rest);
    let twice = Pair::sum(N::of(1.0), a.hi + a.hi);
    let twice = Pair::new(twice.hi, twice.lo + (a.lo + a.lo));
    let scaled = Pair::ordered_sum(N::of(SCALED_FIRST.hi), rest).over(lanes, twice);
    let power = Power::of_pair(lanes, Pair::new(-square.hi, -square.lo));
    (scaled.times(lanes, power.mantissa()), power.n)
}

/// Returns erfc |x| for |x| from 0.49 on, as [`complement`] has it.
#[inline(always)]
fn complement_of<L: Lanes, N: Number>(lanes: L, x: N) -> (Pair<N>, N) {
    let a = clamp(x.size(), 0.49, 28.0);
    complement(lanes, Pair::new(a, N::of(0.0)), Pair::product(lanes, a, a))
}

/// Multiplies both parts of a number below 1 by 2^n.
#[inline(always)]
fn scaled<L: Lanes, N: Number>(lanes: L, pair: Pair<N>, n: N) -> Pair<N> {
    Pair::new(times_power(lanes, pair.hi, n), times_power(lanes, pair.lo, n))
}

/// erf x: x plus x times a polynomial up to ½, beyond it 1 - erfc x.
///
/// ±1 at the ends; ±0 is returned unchanged.
pub(crate) struct Erf;

/// erfc x: 1 - erf x up to ½; beyond it, see the module.
///
/// 0 and 2 at the ends; 1 at ±0.
pub(crate) struct Erfc;

/// x·(1 + erf(x / √2)) / 2, where the second factor is the normal distribution: ½ and x times a polynomial up
/// to 0.7, beyond it by erfc.
///
/// NaN at -∞, where it is -∞ times 0; ±0 is returned unchanged.
pub(crate) struct Gelu;

/// Returns erf x - x for |x| <= ½.
#[inline(always)]
fn beside<L: Lanes, N: Number>(lanes: L, x: N) -> N {
    let square = x * x;
    let rest = (x * square).fma(lanes, polynomial(lanes, square, &ERF), x * N::of(ERF_FIRST.lo));
    x.fma(lanes, N::of(ERF_FIRST.hi), rest)
}

impl Erf {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        let near = (x + beside(lanes, x)).signed(x);
        let (rest, n) = complement_of(lanes, x);
        let rest = scaled(lanes, rest, n);
        let far = Pair::ordered_sum(N::of(1.0), -rest.hi);
        let far = (far.hi + (far.lo - rest.lo)).signed(x);
        select(x.size().above(0.5), far, near)
    }
}

impl Erfc {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        let one = Pair::ordered_sum(N::of(1.0), -x);
        let near = one.hi + (one.lo - beside(lanes, x));
        let (rest, n) = complement_of(lanes, x);
        let right = times_power(lanes, rest.value(), n);
        let rest = scaled(lanes, rest, n);
        let left = Pair::ordered_sum(N::of(2.0), -rest.hi);
        let left = left.hi + (left.lo - rest.lo);
        let far = select(x.below(0.0), left, right);
        select(x.size().above(0.5), far, near)
    }
}

impl Gelu {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        let times = |x: N, factor: Pair<N>| x.fma(lanes, factor.hi, x * factor.lo);
        let square = x * x;
        let first = Pair::product(lanes, x, N::of(PHI_FIRST.hi));
        let rest = (x * square).fma(lanes, polynomial(lanes, square, &PHI), first.lo);
        let rest = x.fma(lanes, N::of(PHI_FIRST.lo), rest);
        let sum = Pair::ordered_sum(N::of(0.5), first.hi);
        let near = times(x, Pair::new(sum.hi, sum.lo + rest));
        // Beyond ±39.6 one factor is 0 or 1.
        let held = clamp(x, -39.6, 39.6);
        let size = select(held.size().below(0.7), N::of(0.7), held.size());
        let a = Pair::product(lanes, size, N::of(SQRT_HALF.hi));
        let a = Pair::new(a.hi, size.fma(lanes, N::of(SQRT_HALF.lo), a.lo));
        let half = Pair::product(lanes, size * N::of(0.5), size);
        let (rest, n) = complement(lanes, a, half);
        let left = times_power(lanes, N::of(0.5) * times(held, rest), n);
        let rest = scaled(lanes, rest, n).scaled(N::of(0.5));
        let right = Pair::ordered_sum(N::of(1.0), -rest.hi);
        let right = times(held, Pair::new(right.hi, right.lo - rest.lo));
        let right = select(x.above(30.0), x, right);
        let left = select(x.below(f64::MIN), N::of(f64::NAN), left);
        let far = select(x.below(0.0), left, right);
        select(x.size().above(0.7), far, near).signed(x)
    }
}

total! { Erf Erfc Gelu }
