//! The length of the hypotenuse.

use super::pair::{Pair, select};
use crate::level::Lanes;
use crate::math::Function2;
use crate::math::batch::Number;

const TWO_600: f64 = f64::from_bits((1023 + 600) << 52);
const TWO_500: f64 = f64::from_bits((1023 + 500) << 52);
const TWO_M450: f64 = f64::from_bits((1023 - 450) << 52);

/// √(x² + y²): squares, sum and root are pairs; an infinite operand gives infinity, even beside NaN.
///
/// Error 0.74 in 1.5 million samples (0.53 in 18 million where the result is normal). +0 at two zeros.
pub(crate) struct Hypot;

impl Hypot {
    /// Computes [`Function2::fast`] for one pair or a batch.
    #[inline(always)]
    pub(crate) fn each<L: Lanes, N: Number>(lanes: L, x: N, y: N) -> N {
        Hypot::of(lanes, x.size(), y.size())
    }

    #[inline(always)]
    fn of<L: Lanes, N: Number>(lanes: L, a: N, b: N) -> N {
        let swapped = a.less(b);
        let (more, less) = (select(swapped, b, a), select(swapped, a, b));
        let square = Pair::product(lanes, more, more);
        let other = Pair::product(lanes, less, less);
        let sum = Pair::ordered_sum(square.hi, other.hi);
        Pair::new(sum.hi, sum.lo + (square.lo + other.lo)).root(lanes).value()
    }
}

impl Function2<f64> for Hypot {
    #[inline(always)]
    fn in_fast_domain(x: f64, y: f64) -> bool {
        let (x, y) = (x.abs(), y.abs());
        (x <= TWO_500) & (y <= TWO_500) & ((x >= TWO_M450) | (y >= TWO_M450))
    }

    #[inline(always)]
    fn fast<L: Lanes>(lanes: L, x: f64, y: f64) -> f64 {
        Hypot::each(lanes, x, y)
    }

    #[inline(always)]
    fn general<L: Lanes>(lanes: L, x: f64, y: f64) -> f64 {
        let (x, y) = (x.abs(), y.abs());
        let more = select(x < y, y, x);
        let (large, small) = (more > TWO_500, more < TWO_M450);
        let scale = select(large, 1.0 / TWO_600, select(small, TWO_600, 1.0));
        let back = select(large, TWO_600, select(small, 1.0 / TWO_600, 1.0));
        let result = Hypot::of(lanes, x * scale, y * scale) * back;
        let result = select(more == 0.0, x + y, result);
        select((x == f64::INFINITY) | (y == f64::INFINITY), f64::INFINITY, result)
    }
}
