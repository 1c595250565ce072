//! The exponential functions: e^x = 2^n·(1 + r + tail), where x = n·ln 2 + r.

use super::pair::{Pair, polynomial, polynomial_from, select};
use crate::level::Lanes;
use crate::math::Function;
use crate::math::batch::Number;
use crate::math::registers::{Lookup, Table, Tabled};

/// 1.5·2^52 + 1023: a number below 2^51 added to it is rounded to an integer n, and the low bits are
/// n + 1023.
const ROUND: f64 = 6755399441056767.0;
const LOG2_E: f64 = 1.4426950408889634;
pub(super) const LN2: Pair = Pair { hi: 0.6931471805599453, lo: 2.3190468138462996e-17 };

/// (e^r - 1 - r - r²/2) / r³ for |r| <= ln 2 / 2: the error is below 2^-64 of e^r.
const TAIL: [f64; 10] = [
    0.16666666666666682,
    0.04166666666666609,
    0.008333333333316768,
    0.0013888888889117734,
    0.0001984126989704697,
    2.480158692425785e-05,
    2.7557234192577374e-06,
    2.7557582555879603e-07,
    2.5112272683660257e-08,
    2.082677156836416e-09,
];

/// (e^r - 1 - r) / r² for |r| <= ln 2 / 32: the error is below 2^-64 of e^r.
const SHORT_TAIL: [f64; 6] = [
    0.5000000000000001,
    0.16666666666666669,
    0.04166666666359546,
    0.008333333332992089,
    0.001388906344098826,
    0.00019841463787840103,
];

/// (e^r - 1 - r - r²/2) / r³ for |r| <= ln 2 / 32: the error is below 2^-72 of e^r.
const SHORT_THIRD: [f64; 6] = [
    0.16666666666666669,
    0.041666666666666664,
    0.008333333332992089,
    0.0013888888888547645,
    0.00019841463787840103,
    2.4801781248002453e-05,
];

/// (2^f - 1) / f for |f| <= 1 / 32: the error is below 2^-60 of 2^f.
const TWO: [f64; 7] = [
    0.6931471805599453,
    0.24022650695910086,
    0.05550410866482159,
    0.009618129106525682,
    0.0013333558145579112,
    0.0001540375624545771,
    1.5252907746886827e-05,
];

/// 2^(j / 16) in two parts.
pub(crate) const SIXTEENTHS: [[f64; 16]; 2] = [
    [
        1.0,
        1.0442737824274138,
        1.0905077326652577,
        1.1387886347566916,
        1.189207115002721,
        1.241857812073484,
        1.2968395546510096,
        1.3542555469368927,
        1.4142135623730951,
        1.4768261459394993,
        1.5422108254079407,
        1.6104903319492543,
        1.681792830507429,
        1.7562521603732995,
        1.8340080864093424,
        1.9152065613971474,
    ],
    [
        0.0,
        8.551889705537965e-17,
        -3.046782079812471e-17,
        8.912812676025408e-17,
        3.982015231465646e-17,
        4.658027591836937e-17,
        2.5382502794888315e-17,
        7.70094837980299e-17,
        -9.667293313452913e-17,
        -3.483994556892796e-17,
        7.949834809697621e-17,
        2.4707192569797888e-17,
        8.199010020581497e-17,
        2.960140695448873e-17,
        3.283107224245627e-17,
        -1.0619946056195963e-16,
    ],
];

/// 2^(-j / 16) in two parts.
const INVERSES: [[f64; 16]; 2] = [
    [
        1.0,
        0.9576032806985737,
        0.9170040432046712,
        0.8781260801866497,
        0.8408964152537145,
        0.8052451659746271,
        0.7711054127039704,
        0.7384130729697497,
        0.7071067811865476,
        0.6771277734684463,
        0.6484197773255048,
        0.620928906036742,
        0.5946035575013605,
        0.5693943173783458,
        0.5452538663326288,
        0.5221368912137069,
    ],
    [
        0.0,
        -5.3099730280979813e-17,
        1.6415536121228136e-17,
        1.4800703477244367e-17,
        4.099505010290748e-17,
        1.2353596284898944e-17,
        3.9749174048488104e-17,
        -1.741997278446398e-17,
        -4.833646656726457e-17,
        3.850474189901495e-17,
        1.2691251397444157e-17,
        2.3290137959184684e-17,
        1.991007615732823e-17,
        4.456406338012704e-17,
        -1.5233910399062356e-17,
        4.2759448527689824e-17,
    ],
];

/// An exponential as 2^n·(base + rest), with 2^(j / 16) for the base, of which the rest is below a 40th.
#[derive(Clone, Copy)]
pub(super) struct PowerOfE<N = f64> {
    pub(super) base: N,
    pub(super) rest: N,
    /// A number whose low bits are 16·(n + 1023) + j.
    shifted: N,
}

/// Returns a number whose low bits are n + 16·1023, and x - n·ln 2 / 16.
#[inline(always)]
fn sixteenth<L: Lanes, N: Number>(lanes: L, x: N) -> (N, Pair<N>) {
    /// 1.5·2^52 + 16·1023: a number below 2^51 added to it is rounded to an integer.
    const ROUND: f64 = 6755399441072112.0;
    const SIXTEENTH: Pair = Pair { hi: 0.04332169878499658, lo: 1.4494042586539372e-18 };
    let shifted = x.fma(lanes, N::of(23.083120654223414), N::of(ROUND));
    let n = shifted - N::of(ROUND);
    // Without an error, as in `Power::of_pair`.
    let near = (-n).fma(lanes, N::of(SIXTEENTH.hi), x);
    let r = (-n).fma(lanes, N::of(SIXTEENTH.lo), near);
    (shifted, Pair::new(r, (-n).fma(lanes, N::of(SIXTEENTH.lo), near - r)))
}

/// Returns a number whose low bits are n + 16·1023, and x - n / 16.
#[inline(always)]
fn binary_sixteenth<N: Number>(x: N) -> (N, N) {
    /// 1.5·2^48 + 1023: a number below 2^47 added to it is rounded to a multiple of a 16th.
    const ROUND: f64 = 422212465067007.0;
    let shifted = x + N::of(ROUND);
    (shifted, x - (shifted - N::of(ROUND)))
}

/// The exponentials of x and -x, from those of the nearest multiple of ln 2 / 16.
pub(super) struct Opposite<N> {
    /// Half the sum of both, of the multiple.
    pub(super) sum: Pair<N>,
    /// Half their difference, of the multiple.
    pub(super) difference: Pair<N>,
    /// x minus the multiple.
    pub(super) r: Pair<N>,
}

impl<N: Lookup> Opposite<N> {
    /// Returns those of x from 0 to 700, or with `FAST` false a quarter of those of x from 0 to 711.
    #[inline(always)]
    pub(super) fn of<const FAST: bool, L: Lanes>(lanes: L, x: N) -> Self {
        let (shifted, r) = sixteenth(lanes, x);
        let table = const { &Table::new([SIXTEENTHS[0], SIXTEENTHS[1], INVERSES[0], INVERSES[1]]) };
        let [up, up_lo, down, down_lo] = shifted.lookup(table);
        let less = if FAST { 1 } else { 3 };
        let power = shifted.with_bits(|bits| (bits >> 4).wrapping_sub(less) << 52);
        let inverse = shifted.with_bits(|bits| {
            let exponent = (2046 - less).wrapping_sub(bits >> 4) << 52;
            // Below the range it is negligible. The sign is above the exponent.
            if FAST || exponent >> 63 == 0 { exponent } else { 0 }
        });
        let (up, up_lo, down) = (up * power, up_lo * power, down * inverse);
        let (sum, difference) = (Pair::ordered_sum(up, down), Pair::ordered_sum(up, -down));
        Opposite {
            sum: Pair::new(sum.hi, sum.lo + down_lo.fma(lanes, inverse, up_lo)),
            difference: Pair::new(difference.hi, difference.lo + (-down_lo).fma(lanes, inverse, up_lo)),
            r,
        }
    }
}

impl<N: Lookup> PowerOfE<N> {
    /// Returns e^x for |x| < 1100.
    #[inline(always)]
    pub(super) fn of<L: Lanes>(lanes: L, x: N) -> Self {
        let (shifted, Pair { hi: r, .. }) = sixteenth(lanes, x);
        let less_one = (r * r).fma(lanes, polynomial(lanes, r, &SHORT_TAIL), r);
        PowerOfE::of_parts(lanes, shifted, less_one)
    }

    /// Returns 2^x for |x| < 1100; exact for a whole x.
    #[inline(always)]
    pub(super) fn of_two<L: Lanes>(lanes: L, x: N) -> Self {
        let (shifted, f) = binary_sixteenth(x);
        PowerOfE::of_parts(lanes, shifted, f * polynomial(lanes, f, &TWO))
    }

    /// Returns e^(`hi + lo`) for |hi| < 1100, with an error of about 2^-67.
    #[inline(always)]
    pub(super) fn of_pair<L: Lanes>(lanes: L, x: Pair<N>) -> Self {
        let (shifted, r) = sixteenth(lanes, x.hi);
        PowerOfE::precise(lanes, shifted, Pair::new(r.hi, r.lo + x.lo))
    }

    /// Returns 2^(`hi + lo`) for |hi| < 1100, with an error of about 2^-67.
    #[inline(always)]
    pub(super) fn of_two_pair<L: Lanes>(lanes: L, x: Pair<N>) -> Self {
        let (shifted, f) = binary_sixteenth(x.hi);
        PowerOfE::precise(lanes, shifted, Pair::new(f, x.lo).times(lanes, LN2.of()))
    }

    /// Returns the power of the sixteenth and of the rest `r` of the exponent, as a normalised pair.
    #[inline(always)]
    fn precise<L: Lanes>(lanes: L, shifted: N, r: Pair<N>) -> Self {
        let square = Pair::product(lanes, r.hi, r.hi);
        let half = N::of(0.5);
        let sum = Pair::ordered_sum(r.hi, half * square.hi);
        // Where `x` is large, its second part is, too, and must be multiplied by all of the power.
        let lo = square.lo.fma(lanes, half, r.lo.fma(lanes, sum.hi, sum.lo + r.lo));
        let lo = (r.hi * square.hi).fma(lanes, polynomial(lanes, r.hi, &SHORT_THIRD), lo);
        let [base, base_lo] = shifted.lookup(const { &Table::new(SIXTEENTHS) });
        let product = Pair::product(lanes, base, sum.hi);
        let power = Pair::ordered_sum(base, product.hi);
        let lo = base.fma(lanes, lo, base_lo.fma(lanes, sum.hi, power.lo + (product.lo + base_lo)));
        let power = Pair::ordered_sum(power.hi, lo);
        PowerOfE { base: power.hi, rest: power.lo, shifted }
    }

    #[inline(always)]
    fn of_parts<L: Lanes>(lanes: L, shifted: N, less_one: N) -> Self {
        let [base, lo] = shifted.lookup(const { &Table::new(SIXTEENTHS) });
        PowerOfE { base, rest: base.fma(lanes, less_one, lo), shifted }
    }

    /// Returns base + rest, rounded once.
    #[inline(always)]
    pub(super) fn mantissa(self) -> N {
        self.base + self.rest
    }

    /// Returns 2^(n + `more`), which must be a normal number.
    #[inline(always)]
    pub(super) fn power(self, more: i64) -> N {
        self.shifted.with_bits(|bits| (bits >> 4).wrapping_add_signed(more) << 52)
    }

    /// Returns `value`·2^n for a `value` near 1 or below its last place, by two powers of two.
    #[inline(always)]
    pub(super) fn scale_all(self, value: N) -> N {
        let half = self.shifted.with_bits(|bits| (bits >> 5).wrapping_add(512) << 52);
        let other =
            self.shifted.with_bits(|bits| (bits >> 4).wrapping_sub(bits >> 5).wrapping_add(511) << 52);
        value * half * other
    }
}

/// The exponential e^x as 2^n·(1 + r + tail).
#[derive(Clone, Copy)]
pub(super) struct Power<N = f64> {
    pub(super) n: N,
    pub(super) r: N,
    pub(super) tail: N,
    /// `n + ROUND`, whose low bits are the exponent field of 2^n.
    shifted: N,
}

impl<N: Number> Power<N> {
    /// Returns e^x for |x| < 1100.
    #[inline(always)]
    pub(super) fn of<L: Lanes>(lanes: L, x: N) -> Self {
        Power::of_pair(lanes, Pair::new(x, N::of(0.0)))
    }

    /// Returns e^(`hi + lo`) for |hi| < 1100.
    #[inline(always)]
    pub(super) fn of_pair<L: Lanes>(lanes: L, Pair { hi, lo }: Pair<N>) -> Self {
        let shifted = hi.fma(lanes, N::of(LOG2_E), N::of(ROUND));
        let n = shifted - N::of(ROUND);
        // Without an error: both are whole multiples of the last place of `hi` or of LN2.hi, and the
        // difference is small.
        let near = (-n).fma(lanes, N::of(LN2.hi), hi);
        let r = Pair::ordered_sum(near, (-n).fma(lanes, N::of(LN2.lo), lo));
        Power { n, r: r.hi, tail: tail(lanes, r), shifted }
    }

    /// Returns 2^x for |x| < 1100.
    #[inline(always)]
    pub(super) fn of_two<L: Lanes>(lanes: L, Pair { hi, lo }: Pair<N>) -> Self {
        let shifted = hi + N::of(ROUND);
        let n = shifted - N::of(ROUND);
        let r = Pair::new(hi - n, lo).times(lanes, LN2.of()).renormalised();
        Power { n, r: r.hi, tail: tail(lanes, r), shifted }
    }

    /// Returns 1 + r + tail as a pair.
    #[inline(always)]
    pub(super) fn mantissa(self) -> Pair<N> {
        let sum = Pair::ordered_sum(N::of(1.0), self.r);
        Pair::ordered_sum(sum.hi, sum.lo + self.tail)
    }

    /// Returns 1 + r + tail, rounded once.
    #[inline(always)]
    pub(super) fn rounded_mantissa(self) -> N {
        let sum = Pair::ordered_sum(N::of(1.0), self.r);
        sum.hi + (sum.lo + self.tail)
    }

    /// Returns 2^(n + `more`), which must be a normal number.
    #[inline(always)]
    pub(super) fn power(self, more: i64) -> N {
        self.shifted.with_bits(|bits| bits.wrapping_add_signed(more) << 52)
    }

    /// Returns (e^x - 1) / 2^`SHIFT`, if 2^(n - `SHIFT`) is normal.
    #[inline(always)]
    pub(super) fn less_one<L: Lanes, const SHIFT: i64>(self, lanes: L) -> Pair<N> {
        let scale = self.power(-SHIFT);
        let one = N::of(f64::from_bits(((1023 - SHIFT) as u64) << 52));
        // The difference is rounded if |n| is above 53.
        let whole = scale - one;
        let lost = if SHIFT < 2 { scale - (whole + one) } else { (scale - whole) - one };
        Pair::ordered_sum(whole, scale * self.r).plus(scale.fma(lanes, self.tail, lost))
    }

    /// Returns `value`·2^n, if the result is normal.
    #[inline(always)]
    pub(super) fn scale(self, value: N) -> N {
        value * self.power(0)
    }

    /// Computes [`times_power`] of 2^n.
    #[inline(always)]
    pub(super) fn scale_all<L: Lanes>(self, lanes: L, value: N) -> N {
        times_power(lanes, value, self.n)
    }
}

/// Returns `value`·2^n for |n| < 2000 and a `value` near 1, by two powers of two, the first of which does
/// not make the product subnormal.
#[inline(always)]
pub(super) fn times_power<L: Lanes, N: Number>(lanes: L, value: N, n: N) -> N {
    let half = n.fma(lanes, N::of(0.5), N::of(ROUND));
    let other = (n - (half - N::of(ROUND))) + N::of(ROUND);
    value * half.with_bits(|bits| bits << 52) * other.with_bits(|bits| bits << 52)
}

/// Returns e^(r + rest) - 1 - r, for a rest below the last place of r.
#[inline(always)]
fn tail<L: Lanes, N: Number>(lanes: L, Pair { hi: r, lo: rest }: Pair<N>) -> N {
    let half = polynomial_from(lanes, r, 0.5, &TAIL);
    r.fma(lanes, r.fma(lanes, half, rest), rest)
}

/// Clamps `x` to `least..=most`; NaN stays NaN.
#[inline(always)]
pub(super) fn clamp<N: Number>(x: N, least: f64, most: f64) -> N {
    let x = select(x.below(least), N::of(least), x);
    select(x.above(most), N::of(most), x)
}

macro_rules! exponentials {
    ($($(#[$doc:meta])* $name:ident $of:ident below $below:literal from $least:literal to $most:literal;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl Tabled for $name {
            #[inline(always)]
            fn in_domain<N: Lookup>([x]: [N; 1]) -> N::Mask {
                x.size().below($below)
            }

            #[inline(always)]
            fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, [x]: [N; 1]) -> N {
                if const { FAST } {
                    let power = PowerOfE::$of(lanes, x);
                    power.mantissa() * power.power(0)
                } else {
                    let power = PowerOfE::$of(lanes, clamp(x, $least, $most));
                    power.scale_all(power.mantissa())
                }
            }
        }

        tabled! { f64: $name }
    )*};
}

exponentials! {
    /// e^x: a table of sixteenths of a power of two, and a polynomial of the remainder.
    ///
    /// Error 0.56 in 4.2 million samples, where the result is normal. 0 and infinity beyond the range; 1 at
    /// ±0.
    Exp of below 708.0 from -746.0 to 710.0;
    /// 2^x, as [`Exp`]; exact for a whole x.
    ///
    /// Error 0.57 in 4.2 million samples, where the result is normal. 0 and infinity beyond the range; 1 at
    /// ±0.
    Exp2 of_two below 1022.0 from -1080.0 to 1030.0;
}

/// Returns (e^x - 1) / 2^`SHIFT` for -60 < x < 711.
#[inline(always)]
pub(super) fn part_of_expm1<L: Lanes, N: Number, const SHIFT: i64>(lanes: L, x: N) -> Pair<N> {
    Power::of(lanes, x).less_one::<L, SHIFT>(lanes)
}

/// e^x - 1: the terms of [`Exp`], with the sum of 2^n - 1 and 2^n·r exact; ±0 is returned
/// unchanged.
///
/// Error 0.92 in 1.5 million samples, above 0.85 only between 0.34 and 0.4. -1 and infinity at the ends.
pub(crate) struct Expm1;

impl Expm1 {
    /// Computes [`Function::fast`] for one number or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        // An eighth of it does not overflow before the result does.
        let result = N::of(8.0) * part_of_expm1::<L, N, 3>(lanes, clamp(x, -50.0, 711.0)).value();
        select(x.size().below(TINY), x, result)
    }
}

impl Function<f64> for Expm1 {
    #[inline(always)]
    fn in_fast_domain(_: f64) -> bool {
        true
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
        Expm1::each(lanes, x)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64) -> f64 {
        Expm1::each(lanes, x)
    }
}

/// Below it, an odd function whose series begins with x returns x.
pub(super) const TINY: f64 = f64::EPSILON / 4.0;

/// 1 / (1 + e^-x) = e^x / (1 + e^x): whichever has no positive exponent.
///
/// Error 0.55 in 3.9 million samples, where the result is normal. 0 and 1 at the ends; ½ at ±0.
pub(crate) struct Sigmoid;

impl Tabled for Sigmoid {
    #[inline(always)]
    fn in_domain<N: Lookup>([x]: [N; 1]) -> N::Mask {
        x.size().below(600.0)
    }

    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, [x]: [N; 1]) -> N {
        let size = if FAST { x.size() } else { clamp(x, -746.0, 746.0).size() };
        let power = PowerOfE::of(lanes, -size);
        let scale = |value: N| if FAST { value * power.power(0) } else { power.scale_all(value) };
        let mantissa = Pair::ordered_sum(power.base, power.rest);
        let scaled = Pair::new(scale(mantissa.hi), scale(mantissa.lo));
        let below = Pair::ordered_sum(N::of(1.0), scaled.hi);
        let below = Pair::new(below.hi, below.lo + scaled.lo);
        let negative = x.below(0.0);
        // Up to 600 the rest of the division is normal. In the full form it may not be, so the quotient is
        // scaled instead.
        let above = if FAST { scaled } else { mantissa };
        let above = Pair::new(select(negative, above.hi, N::of(1.0)), select(negative, above.lo, N::of(0.0)));
        let value = above.quotient(lanes, below);
        if FAST { value } else { select(negative, scale(value), value) }
    }
}

tabled! { f64: Sigmoid }
