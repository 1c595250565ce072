//! The square root, correctly rounded, by the processor's instruction and by steps.

use crate::level::Lanes;
use crate::math::Real;
use crate::math::batch::{Batch, Number};

const TWO_1000: f64 = f64::from_bits((1023 + 1000) << 52);
const TWO_M900: f64 = f64::from_bits((1023 - 900) << 52);

/// √x, correctly rounded.
///
/// On Intel, a vector of roots takes the unit that divides as long as 40 to 50 other instructions take, which
/// the processor can do meanwhile. So there, of a batch of four one is left to that unit, and three are
/// computed by steps.
pub(crate) struct Sqrt;

impl Sqrt {
    /// Returns true if the steps round correctly: no product of them is subnormal.
    #[inline(always)]
    pub(crate) fn in_fast_domain(x: f64) -> bool {
        (x >= TWO_M900) & (x <= TWO_1000)
    }

    /// Returns the roots of four numbers in the fast domain.
    #[inline(always)]
    pub(crate) fn four<L: Lanes>(lanes: L, [a, b, c, d]: [f64; 4]) -> [f64; 4] {
        let Batch([b, c, d]) = Sqrt::steps(lanes, Batch([b, c, d]));
        [a.root(), b, c, d]
    }

    /// Returns the roots of numbers in the fast domain, correctly rounded.
    ///
    /// The root before the last step, g, is within a unit in the last place, so its residual r is exact. The
    /// inverse h of 2·√x is within 2^-50. So g + h·r is within 2^-102 of the root before it is rounded: of
    /// the half of that square of g's error, and of the error of h times that of g. A root is nearer to the
    /// middle of two numbers only for the numbers that a test lists.
    #[inline(always)]
    pub(super) fn steps<L: Lanes, N: Number>(lanes: L, x: N) -> N {
        let inverse = inverse_root(lanes, x);
        let (g, h) = (x * inverse, N::of(0.5) * inverse);
        let g = h.fma(lanes, (-g).fma(lanes, g, x), g);
        let h = h.fma(lanes, (-g).fma(lanes, inverse, N::of(1.0)), h);
        h.fma(lanes, (-g).fma(lanes, g, x), g)
    }
}

/// Returns the inverse of the square root of a normal positive number, with an error below 2^-30.
///
/// An estimate from the bits, and a Newton step with the factors that suit it, are within 2^-10.6. A step of
/// the third order follows.
#[inline(always)]
fn inverse_root<L: Lanes, N: Number>(lanes: L, x: N) -> N {
    let first = x.with_bits(|bits| 0x5fe3_ffff_2000_0000_u64.wrapping_sub(bits >> 1));
    let second = N::of(0.703952253) * first * (-x).fma(lanes, first * first, N::of(2.38924456));
    let error = (-(x * second)).fma(lanes, second, N::of(1.0));
    (second * error).fma(lanes, error.fma(lanes, N::of(0.375), N::of(0.5)), second)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::level::Scalar;

    /// Returns the odd m below 2^54 with m² = `d` modulo 2^54, lifted bit by bit.
    fn roots(d: i64) -> Vec<u64> {
        let mut found: Vec<u64> = [1].into();
        for k in 1..54 {
            let mask = (1_u128 << (k + 1)) - 1;
            let is_root = |m: u64| (u128::from(m) * u128::from(m)) & mask == d as i128 as u128 & mask;
            // A root modulo 2^k is one modulo 2^(k + 1), or is with its bit k - 1 or k changed.
            let mut next: Vec<u64> = Vec::new();
            for m in found {
                for m in [m, m ^ 1 << (k - 1), m ^ 1 << k, m ^ 3 << (k - 1)] {
                    if m & 1 == 1 && m < 1 << 54 && is_root(m) {
                        next.push(m);
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            found = next;
        }
        found
    }

    /// m, of 54 bits, is the middle of two numbers of 53 bits; x = m² + d is a number of 53 bits, whose root
    /// is as near to m as d / 2m. All such x with a small d are among those that are checked.
    #[test]
    fn roots_nearest_to_the_middle_of_two_numbers_are_rounded_correctly() {
        let mut checked = 0;
        for d in -256_i64..=256 {
            for m in roots(-d).into_iter().filter(|m| m >> 53 == 1) {
                let square = (u128::from(m) * u128::from(m)).wrapping_add_signed(i128::from(d));
                let zeros = square.trailing_zeros();
                if square >> zeros < 1 << 53 {
                    // Times a power of four, which does not change the digits of the root.
                    let x = ((square >> zeros) << (zeros % 2)) as f64;
                    assert_eq!(Sqrt::steps(Scalar, x), x.root(), "{x:e}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 50, "{checked}");
    }

    #[test]
    fn roots_are_rounded_correctly_at_random() {
        let mut state = 754_u64;
        for i in 0..2_000_000_u64 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Of every exponent in the domain; and squares of 53 bits and their neighbours.
            let x = f64::from_bits((state >> 12) | (124 + i % 1898) << 52);
            let near = (1.0 + (state >> 38) as f64 * 2.0_f64.powi(-26)).powi(2);
            let four = [x, near, near.next_up(), near.next_down()];
            for x in four {
                assert!(Sqrt::in_fast_domain(x));
                assert_eq!(Sqrt::steps(Scalar, x), x.root(), "{x:e}");
            }
            assert_eq!(Sqrt::four(Scalar, four), four.map(f64::root), "{four:?}");
        }
    }
}
