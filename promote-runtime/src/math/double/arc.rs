//! The inverse trigonometric functions.

use super::exp::clamp;
use super::log::WHOLE;
use super::pair::{Pair, polynomial, polynomial_from, select};
use crate::level::Lanes;
use crate::math::Function2;
use crate::math::batch::Number;
use crate::math::registers::{Lookup, Table, Tabled};

/// π/4; up to 4 times the first part is exact.
const QUARTER: Pair = Pair { hi: 0.7853981633974483, lo: 3.061616997868383e-17 };

/// (atan q - q) / q³ in q² for |q| <= ½: the error is below 2^-62 of atan q.
const ATAN_FIRST: f64 = -0.33333333333333315;
const ATAN: [f64; 12] = [
    0.19999999999993417,
    -0.14285714284974887,
    0.11111111069218038,
    -0.09090907687762219,
    0.07692277395677236,
    -0.06666222693958128,
    0.058778007899300794,
    -0.05229980566215597,
    0.0458933981356669,
    -0.03711644220903359,
    0.023652235112690777,
    -0.008364216146608795,
];

/// Tangents of the middles of intervals. The index is the last three bits of the exponent and the first one
/// of the fraction. The first interval is from 0 to 3/32; the last one, from 12 on, has the tangent 1 / 0.
const TANGENTS: [f64; 16] = [
    2.414213562373095,
    3.4340578300578994,
    4.807987240796891,
    6.860057095782636,
    9.604121959736899,
    1.0,
    0.0,
    0.10934861907578702,
    0.1561011871016718,
    0.2185463135071192,
    0.3113914953808537,
    0.4360695124673429,
    0.6180339887498949,
    0.8672954016950679,
    1.219803902718557,
    1.7231796783283642,
];

/// The divisors of [`TANGENTS`].
const ONES: [f64; 16] = {
    let mut ones = [1.0; 16];
    ones[(12f64.to_bits() >> 51) as usize % 16] = 0.0;
    ones
};

/// The angles of [`TANGENTS`] in two parts.
const ARCS: [[f64; 16]; 2] = [
    [
        1.1780972450961724,
        1.2874317180331434,
        1.3657326565241512,
        1.4260444908142025,
        1.4670482135772953,
        1.5707963267948966,
        0.0,
        0.10891588785267545,
        0.15485147227122809,
        0.21516330656127947,
        0.30187466669871815,
        0.41120913963568917,
        0.5535743588970453,
        0.7144496360953664,
        0.8840959433223887,
        1.0449712205207098,
    ],
    [
        2.7563998718653792e-17,
        5.0801952814698895e-17,
        -8.200088840802228e-17,
        -5.008093825679454e-18,
        -3.3864908226719837e-17,
        6.123233995736766e-17,
        0.0,
        6.141789352441601e-18,
        1.0912423778350865e-17,
        -1.162529301392705e-17,
        2.467994593191151e-17,
        6.717223915532891e-18,
        -2.4692790719227026e-17,
        -2.003188292325058e-17,
        -2.4756945095918142e-17,
        -2.0282993489313522e-17,
    ],
];

/// (atan t - t) / t³ in t² for |t| < 0.1: the error is below 2^-61 of atan t.
const SHORT_ATAN: [f64; 6] = [
    -0.3333333333333333,
    0.19999999999979295,
    -0.14285714261064178,
    0.11111100371273963,
    -0.09088791546749461,
    0.07499338097368718,
];

/// (asin t - t) / t³ in t² for |t| < 0.127: the error is below 2^-58 of asin t.
const SHORT_ASIN: [f64; 6] = [
    0.16666666666666655,
    0.07500000000050466,
    0.044642856770845514,
    0.03038204463313864,
    0.022359984404823768,
    0.018031771514772726,
];

/// For the interval of each index of [`Asin`], an angle near its middle: the cosine, the negated sine, and
/// the angle in two parts. It is chosen so that the point of the rounded sine and cosine is within 2^-62 of
/// the unit circle.
static ARC_SINES: Table<4> = Table::new([
    [
        1.0,
        0.9921134361400865,
        0.9711631059587101,
        0.9398924917016425,
        0.900163126894651,
        0.850466165843378,
        0.7937665651359597,
        0.7275596005117596,
        0.665349811764062,
        0.6031516199129874,
        0.5212410100189454,
        0.4214170502928664,
        0.33129380513717904,
        0.22745207728087383,
        0.10796262346766193,
        0.0,
    ],
    [
        0.0,
        -0.1253432480443621,
        -0.23841606830209902,
        -0.3414705024491544,
        -0.4355529186898471,
        -0.5260297527285542,
        -0.6082225251273257,
        -0.686044479391219,
        -0.7465317327384866,
        -0.7976265563509901,
        -0.853409520379536,
        -0.906866952602453,
        -0.9435276438333584,
        -0.9737892752236571,
        -0.9941549536837705,
        -1.0,
    ],
    [
        0.0,
        0.12567380022488078,
        0.24073456004728383,
        0.34848099701053525,
        0.4506524283248427,
        0.5539254700914931,
        0.6538193729042998,
        0.7560383218811243,
        0.8428340240034898,
        0.9233498456462377,
        1.0224918420132736,
        1.1357889950524918,
        1.2331218387337062,
        1.3413359501091486,
        1.4626228614476986,
        1.5707963267948966,
    ],
    [
        0.0,
        1.0850653962569101e-17,
        -3.832454842858215e-18,
        -2.4347885785258223e-17,
        -8.998523358833334e-18,
        1.623263402893372e-17,
        2.7411295295300835e-17,
        -5.0482813594367655e-17,
        -5.07231322520705e-18,
        -1.3738706392002532e-17,
        -8.819977653030837e-17,
        6.514446787729258e-17,
        -9.315053128087758e-17,
        1.0049589938650722e-16,
        -3.130501232216964e-17,
        6.123233995736766e-17,
    ],
]);

/// The table of [`Acos`], made in the same way: the negated sine, the cosine, and the angle in two parts.
static ARC_COSINES: Table<4> = Table::new([
    [
        0.0,
        -0.2341188909955842,
        -0.4363531414443735,
        -0.6020563786362609,
        -0.7365969737125235,
        -0.853852326071807,
        -0.9416581107207349,
        -0.9929444443179621,
        -0.9928383949834428,
        -0.9411636860039364,
        -0.8525358270181794,
        -0.734635230291368,
        -0.5997767435848536,
        -0.43443382984410983,
        -0.23204464037544917,
        0.0,
    ],
    [
        1.0,
        0.9722079740873337,
        0.8997754919709842,
        0.7984535784523676,
        0.6763319438837352,
        0.5205153266348307,
        0.3365709472219136,
        0.11858048110078398,
        -0.11946514741421928,
        -0.3379510558460852,
        -0.5226687896272637,
        -0.6784622896040344,
        -0.8001673936463225,
        -0.9007037512339887,
        -0.9727051376820359,
        -1.0,
    ],
    [
        0.0,
        0.23631217222117507,
        0.4515415949813237,
        0.6460740674697526,
        0.8280248825406589,
        1.023341955710735,
        1.2275233153114709,
        1.4519361725057285,
        1.6905474810840646,
        1.9155353382783225,
        2.1207746978790585,
        2.3164637710491345,
        2.498370586120041,
        2.6921830586084696,
        2.9074134813686183,
        3.141592653589793,
    ],
    [
        0.0,
        -6.8134888590278815e-18,
        2.4995701473005866e-17,
        -2.086873795055605e-17,
        -4.443987340906175e-17,
        -6.253796084839884e-17,
        -8.84130458093111e-17,
        9.487153788051737e-17,
        -7.55086345328822e-17,
        2.912957386657985e-17,
        -1.9406931785121267e-16,
        -1.5288244576283703e-16,
        -2.036153186541884e-16,
        -7.98592236126592e-17,
        -1.4615446135090076e-16,
        1.2246467991473532e-16,
    ],
]);

/// Returns `base`·π/4 + `hi + lo`, where `base` is 0 or the first term is the larger one.
#[inline(always)]
fn from_base<L: Lanes, N: Number>(lanes: L, base: N, hi: N, lo: N) -> Pair<N> {
    let sum = Pair::ordered_sum(base * N::of(QUARTER.hi), hi);
    Pair::new(sum.hi, base.fma(lanes, N::of(QUARTER.lo), sum.lo + lo))
}

/// Returns `value`, negated if `minus` is set.
#[inline(always)]
fn negated<N: Number>(minus: N::Mask, value: N) -> N {
    select(minus, -value, value)
}

/// Returns the angle of the point (x, y) from 0 to π, with a relative error of 2^-56: that of `less / more`,
/// in the octant that the two flags select.
///
/// If `less` is above half of `more`, the angle is π/4 plus that of (less - more) / (less + more), whose
/// parts are exact. So the quotient is at most ½.
#[inline(always)]
fn angle<L: Lanes, N: Number>(lanes: L, less: N, more: N, steep: N::Mask, left: N::Mask) -> Pair<N> {
    let zero = N::of(0.0);
    let near = more.less(less + less);
    let above = less - select(near, more, zero);
    let below = Pair::ordered_sum(more, select(near, less, zero));
    let q = Pair::new(above, zero).over(lanes, below);
    let square = q.hi * q.hi;
    let rest = q.lo + q.hi * square * polynomial_from(lanes, square, ATAN_FIRST, &ATAN);
    let base = select(near, N::of(1.0), zero);
    let base = select(steep, N::of(2.0) - base, base);
    let base = select(left, N::of(4.0) - base, base);
    let minus = steep ^ left;
    from_base(lanes, base, negated(minus, q.hi), negated(minus, rest))
}

const TWO_100: f64 = f64::from_bits((1023 + 100) << 52);
const TWO_480: f64 = f64::from_bits((1023 + 480) << 52);

/// The angle of a point: the arc tangent of the smaller coordinate by the larger one, with the quotient as a
/// pair.
///
/// Error 0.86 in 1.5 million samples. Special values by the table of C99, F.9.1.4.
pub(crate) struct Atan2;

impl Atan2 {
    /// Returns the angle of a point in the fast domain, with a relative error of 2^-56.
    #[inline(always)]
    pub(super) fn pair<L: Lanes>(lanes: L, y: f64, x: f64) -> Pair {
        let (height, width) = (y.abs(), x.abs());
        let steep = height > width;
        let (less, more) = (select(steep, width, height), select(steep, height, width));
        let Pair { hi, lo } = angle(lanes, less, more, steep, x.is_sign_negative());
        let minus = y.is_sign_negative();
        Pair::new(negated(minus, hi), negated(minus, lo))
    }
}

impl Function2<f64> for Atan2 {
    #[inline(always)]
    fn in_fast_domain(y: f64, x: f64) -> bool {
        let (y, x) = (y.abs(), x.abs());
        let (less, more) = (select(y > x, x, y), select(y > x, y, x));
        (more <= TWO_480) & (more >= 1.0 / TWO_480) & ((less >= 1.0 / TWO_480) | (less == 0.0))
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, y: f64, x: f64) -> f64 {
        Atan2::pair(lanes, y, x).value().copysign(y)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, y: f64, x: f64) -> f64 {
        const TWO_600: f64 = f64::from_bits((1023 + 600) << 52);
        const TWO_M60: f64 = f64::from_bits((1023 - 60) << 52);
        const TWO_300: f64 = f64::from_bits((1023 + 300) << 52);
        const TWO_900: f64 = f64::from_bits((1023 + 900) << 52);
        let (height, width) = (y.abs(), x.abs());
        let steep = height > width;
        let (less, more) = (select(steep, width, height), select(steep, height, width));
        // So that neither the rounding error of the quotient nor the inverse of the sum underflows.
        let scale = select(more > TWO_900, TWO_M60, select(more < TWO_300, TWO_600, 1.0));
        let endless = more == f64::INFINITY;
        let less = select(endless, select(less == f64::INFINITY, 1.0, 0.0), less * scale);
        let more = select(endless | (more == 0.0), 1.0, more * scale);
        let result = angle(lanes, less, more, steep, x.is_sign_negative()).value().copysign(y);
        select(y.is_nan() | x.is_nan(), f64::NAN, result)
    }
}

/// The arc tangent: that of the middle of one of sixteen intervals, and a polynomial for the rest of the
/// angle; ±0 is returned unchanged.
///
/// Error 0.84 in 20 million samples. ±π/2 at the ends.
pub(crate) struct Atan;

impl Tabled for Atan {
    #[inline(always)]
    fn in_domain<N: Lookup>([x]: [N; 1]) -> N::Mask {
        x.size().below(f64::INFINITY)
    }

    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, [x]: [N; 1]) -> N {
        let size = x.size();
        // From 2^100 on it is π/2.
        let size = if FAST { size } else { select(size.above(TWO_100), N::of(TWO_100), size) };
        // Each interval is the lower or the upper half of the numbers with one exponent.
        let [one, tangent, hi, lo] = clamp(size, 0.0625, 12.0)
            .with_bits(|bits| bits >> 51)
            .lookup(const { &Table::new([ONES, TANGENTS, ARCS[0], ARCS[1]]) });
        // The tangent of the rest of the angle: (size - tangent) / (1 + size·tangent), at the end -1 / size.
        let t = size.fma(lanes, one, -tangent) / size.fma(lanes, tangent, one);
        let square = t * t;
        let rest = (t * square).fma(lanes, polynomial(lanes, square, &SHORT_ATAN), lo);
        let sum = Pair::ordered_sum(hi, t);
        (sum.hi + (sum.lo + rest)).signed(x)
    }
}

tabled! { f64: Atan }

/// Returns the angle of a point, of which one coordinate is `exact` and the other one a `root`.
///
/// The result is the angle in the table plus a rest. The sine of the rest is `exact`·a + `root`·b with the
/// first two numbers there, and is rounded. For small angles that error would be too large, so the first
/// angle is 0, where the sine is exact.
#[inline(always)]
fn angle_of<L: Lanes, N: Lookup>(lanes: L, exact: N, root: Pair<N>, index: N, table: &Table<4>) -> N {
    let [a, b, hi, lo] = index.lookup(table);
    let product = Pair::product(lanes, root.hi, b);
    let t = exact.fma(lanes, a, product.hi);
    let lo = lo + root.lo.fma(lanes, b, product.lo);
    let square = t * t;
    let rest = (t * square).fma(lanes, polynomial(lanes, square, &SHORT_ASIN), lo);
    let sum = Pair::ordered_sum(hi, t);
    sum.hi + (sum.lo + rest)
}

/// Returns √(1 - x²), and `scale`·(1 + |x| less that root), which is nearly linear in the angle of x.
///
/// The root in it is estimated from halved bits, within 5 %, so that the look-up does not wait for the other.
#[inline(always)]
fn root_and_index<L: Lanes, N: Number>(lanes: L, x: N, scale: f64) -> (Pair<N>, N) {
    let (one, size) = (N::of(1.0), x.size());
    // 1 - x² as 2u - u². From ½ on u is exact; below it, the rounding of u costs at most a quarter of a unit
    // of the result. The difference of `twice` and its first part is always exact.
    let u = one - size;
    let twice = u + u;
    let square = (-u).fma(lanes, u, twice);
    let square = Pair::new(square, (-u).fma(lanes, u, twice - square));
    let half = scale.to_bits() - (1_f64.to_bits() >> 1);
    let roughly = square.hi.with_bits(|bits| (bits >> 1) + half);
    (square.root(lanes), size.fma(lanes, N::of(scale), N::of(scale)) - roughly)
}

/// The arc sine: the angle of the point (√(1 - x²), x); NaN beyond 1; ±0 is returned unchanged.
///
/// Error 0.83 in 96 million samples.
pub(crate) struct Asin;

impl Tabled for Asin {
    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, [x]: [N; 1]) -> N {
        let (root, along) = root_and_index(lanes, x, 7.4375);
        angle_of(lanes, x.size(), root, along + N::of(WHOLE), &ARC_SINES).signed(x)
    }
}

/// The arc cosine: the angle of the point (x, √(1 - x²)); NaN beyond 1.
///
/// Error 0.78 in 96 million samples. +0 at 1.
pub(crate) struct Acos;

impl Tabled for Acos {
    #[inline(always)]
    fn each<const FAST: bool, L: Lanes, N: Lookup>(lanes: L, [x]: [N; 1]) -> N {
        let (root, along) = root_and_index(lanes, x, 3.75);
        let index = N::of(7.5) - along + N::of(WHOLE);
        // A negative number takes 15 minus the index of its magnitude.
        let index = index.with_bits_of(x, |index, x| index ^ (x.cast_signed() >> 63).cast_unsigned());
        angle_of(lanes, x, root, index, &ARC_COSINES)
    }
}

tabled! { f64: Asin Acos }
