//! ln(e^a + e^b) near 0: both exponentials are sums of three numbers, because most of their bits cancel.

use super::log::LOG2_E;
use super::pair::{Pair, polynomial};
use crate::level::Lanes;
use crate::math::Real;

/// The number `hi + mid + lo`, with about 159 bits.
#[derive(Clone, Copy)]
struct Triple {
    hi: f64,
    mid: f64,
    lo: f64,
}

const LN2: Triple = Triple { hi: 0.6931471805599453, mid: 2.3190468138462996e-17, lo: 5.707708438416212e-34 };

/// 1 / k! for k from 1.
const FACTORIALS: [[f64; 3]; 18] = [
    [1.0, 0.0, 0.0],
    [0.5, 0.0, 0.0],
    [0.16666666666666666, 9.25185853854297e-18, 5.135813185032629e-34],
    [0.041666666666666664, 2.3129646346357427e-18, 1.2839532962581572e-34],
    [0.008333333333333333, 1.1564823173178714e-19, 1.6049416203226965e-36],
    [0.001388888888888889, -5.300543954373577e-20, -1.7386867553495878e-36],
    [0.0001984126984126984, 1.7209558293420705e-22, 1.4926912391394127e-40],
    [2.48015873015873e-05, 2.1511947866775882e-23, 1.865864048924266e-41],
    [2.7557319223985893e-06, -1.858393274046472e-22, 8.491754604881993e-39],
    [2.755731922398589e-07, 2.3767714622250297e-23, -3.263188903340883e-40],
    [2.505210838544172e-08, -1.448814070935912e-24, 2.0426735146714455e-41],
    [2.08767569878681e-09, -1.20734505911326e-25, 1.702227928892871e-42],
    [1.6059043836821613e-10, 1.2585294588752098e-26, -5.31334602762985e-43],
    [1.1470745597729725e-11, 2.0655512752830745e-28, 6.889079232466646e-45],
    [7.647163731819816e-13, 7.03872877733453e-30, -7.827539277162583e-48],
    [4.779477332387385e-14, 4.399205485834081e-31, -4.892212048226615e-49],
    [2.8114572543455206e-15, 1.6508842730861433e-31, -2.877771793074479e-50],
    [1.5619206968586225e-16, 1.1910679660273754e-32, -4.577506059629983e-49],
];

impl Triple {
    /// Returns the sum of three numbers, of which later ones are not much larger than earlier ones.
    #[inline(always)]
    fn of(hi: f64, mid: f64, lo: f64) -> Self {
        let less = Pair::sum(mid, lo);
        let more = Pair::sum(hi, less.hi);
        let rest = Pair::sum(more.lo, less.lo);
        Triple { hi: more.hi, mid: rest.hi, lo: rest.lo }
    }

    #[inline(always)]
    fn plus(self, other: Triple) -> Self {
        let hi = Pair::sum(self.hi, other.hi);
        let mid = Pair::sum(self.mid, other.mid);
        let sum = Pair::sum(mid.hi, hi.lo);
        Triple::of(hi.hi, sum.hi, (self.lo + other.lo) + (mid.lo + sum.lo))
    }

    #[inline(always)]
    fn times<L: Lanes>(self, lanes: L, other: Triple) -> Self {
        let hi = Pair::product(lanes, self.hi, other.hi);
        let one = Pair::product(lanes, self.hi, other.mid);
        let two = Pair::product(lanes, self.mid, other.hi);
        let lo = self.hi.fma(lanes, other.lo, self.mid.fma(lanes, other.mid, self.lo * other.hi));
        let mid = Pair::sum(one.hi, two.hi);
        let sum = Pair::sum(hi.lo, mid.hi);
        Triple::of(hi.hi, sum.hi, (lo + (one.lo + two.lo)) + (mid.lo + sum.lo))
    }

    /// Multiplies by a power of two.
    #[inline(always)]
    fn scaled(self, power: f64) -> Self {
        Triple { hi: self.hi * power, mid: self.mid * power, lo: self.lo * power }
    }
}

impl From<f64> for Triple {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Triple { hi: x, mid: 0.0, lo: 0.0 }
    }
}

/// Returns e^x - 1 for |x| < 0.35: the series of x / 32, squared five times.
///
/// Terms from the 13th on are so small that single numbers have enough digits, and terms from the 7th on that
/// pairs have.
#[inline(always)]
fn expm1<L: Lanes>(lanes: L, x: Triple) -> Triple {
    const SINGLE: usize = 12;
    const PAIRS: usize = 6;
    let part = x.scaled(1.0 / 32.0);
    let mut single = 0.0;
    for k in (SINGLE..FACTORIALS.len()).rev() {
        single = part.hi.fma(lanes, single, FACTORIALS[k][0]);
    }
    let mut pair = Pair::new(single, 0.0);
    for k in (PAIRS..SINGLE).rev() {
        let product = pair.times(lanes, Pair::new(part.hi, part.mid));
        let sum = Pair::ordered_sum(FACTORIALS[k][0], product.hi);
        pair = Pair::ordered_sum(sum.hi, sum.lo + (product.lo + FACTORIALS[k][1]));
    }
    let mut sum = Triple { hi: pair.hi, mid: pair.lo, lo: 0.0 };
    for k in (0..PAIRS).rev() {
        let [hi, mid, lo] = FACTORIALS[k];
        sum = part.times(lanes, sum).plus(Triple { hi, mid, lo });
    }
    let mut result = part.times(lanes, sum);
    for _ in 0..5 {
        result = result.scaled(2.0).plus(result.times(lanes, result));
    }
    result
}

/// 1.5·2^52 + 1023, as in the exponential functions.
const ROUND: f64 = 6755399441056767.0;

/// Returns base^x - `one` for -1100 < x <= 0, where the base is e, or 2 with `two`.
#[inline(always)]
fn power<L: Lanes>(lanes: L, x: f64, one: f64, two: bool) -> Triple {
    let n = (if two { x } else { x * LOG2_E.hi } + ROUND) - ROUND;
    let r = if two {
        Triple::from(x - n).times(lanes, LN2)
    } else {
        Triple::from(x).plus(Triple::from(-n).times(lanes, LN2))
    };
    // In two factors, because 2^n may be subnormal.
    let half = n.fma(lanes, 0.5, ROUND);
    let other = (n - (half - ROUND)) + ROUND;
    let (half, other) = (f64::from_bits(half.to_bits() << 52), f64::from_bits(other.to_bits() << 52));
    let scale = half * other;
    let whole = Pair::sum(scale, -one);
    Triple::of(whole.hi, whole.lo, 0.0).plus(expm1(lanes, r).scaled(half).scaled(other))
}

/// (ln(1 + s) - s) / s² for |s| < 2^-9: the series, with an error below 2^-70 of the logarithm.
const LN_1P: [f64; 6] = [-1.0 / 2.0, 1.0 / 3.0, -1.0 / 4.0, 1.0 / 5.0, -1.0 / 6.0, 1.0 / 7.0];

/// Returns the logarithm of base^`more` + base^`less`, if it is below 2^-9; `more` is from -1 to 0.
#[inline(always)]
pub(super) fn log_of_sum<L: Lanes>(lanes: L, more: f64, less: f64, two: bool) -> f64 {
    // The sum minus 1, and its logarithm by the series.
    let s = power(lanes, more, 1.0, two).plus(power(lanes, less, 0.0, two));
    let s = Triple::of(s.hi, s.mid, s.lo);
    let ln = Pair::new(s.hi, (s.hi * s.hi).fma(lanes, polynomial(lanes, s.hi, &LN_1P), s.mid)).renormalised();
    if two { ln.times(lanes, LOG2_E).value() } else { ln.value() }
}
