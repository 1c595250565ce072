//! `ldexp`, which scales by a power of two with one rounding, or multiplies by a rounded power.

use half::{bf16, f16};

use super::arithmetic::{LaneArith, RoundedLane};
use super::semantics::EXPONENT_POWER;
use super::{Exp2, Ldexp, OpLane};
use crate::level::Lanes;

macro_rules! ldexp {
    ($($ty:ty)*) => {$(
        impl<const SEMANTICS: u16> OpLane<$ty> for Ldexp<SEMANTICS> {
            type Out = $ty;

            #[inline(always)]
            fn apply<L: Lanes>(lanes: L, (a, b): ($ty, $ty)) -> $ty {
                if SEMANTICS & EXPONENT_POWER != 0 {
                    a.times(<Exp2 as OpLane<$ty, ($ty,)>>::apply(lanes, (b,)))
                } else {
                    a.scale(b)
                }
            }
        }
    )*};
}

ldexp! { f32 f64 RoundedLane<f16> RoundedLane<bf16> }

/// Numbers that can be scaled by a power of two.
trait Scale {
    /// Returns the value nearest to `self` times 2 to the power of `by`, which is whole.
    fn scale(self, by: Self) -> Self;
}

impl Scale for f32 {
    /// Computes in `f64`, in which every such product is exact.
    #[inline(always)]
    fn scale(self, by: f32) -> f32 {
        // Beyond twice the range nothing changes any more.
        let by = within(by as i32, 400);
        (self as f64 * two_to(by)) as f32
    }
}

impl Scale for f64 {
    /// Multiplies by three powers, of which only the last product is rounded. When scaling up, the others are
    /// exact or infinite. When scaling down, a power is so small that a product which is subnormal before the
    /// last step is zero after it.
    #[inline(always)]
    fn scale(self, by: f64) -> f64 {
        const PART: i32 = -1022 + 53;
        let (mut left, mut product) = (within(by as i32, 2200), self);
        for _ in 0..2 {
            let down = if left < -1022 { PART } else { 0 };
            let part = if left > 1023 { 1023 } else { down };
            product *= two_to(part);
            left -= part;
        }
        product * two_to(left)
    }
}

macro_rules! rounded {
    ($($ty:ty)*) => {$(
        impl Scale for RoundedLane<$ty> {
            /// Scales in `f32`, since a result that `f32` rounds is zero in the narrower format.
            #[inline(always)]
            fn scale(self, by: Self) -> Self {
                RoundedLane::rounded(self.get().scale(by.get()))
            }
        }
    )*};
}

rounded! { f16 bf16 }

#[inline(always)]
fn within(x: i32, most: i32) -> i32 {
    let low = if x < -most { -most } else { x };
    if low > most { most } else { low }
}

/// Returns 2 to the power of `exponent`, which must be a normal number.
#[inline(always)]
fn two_to(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_number_is_rounded_once() {
        let (least, odd) = (f64::from_bits(1), 1.0 + f64::EPSILON);
        assert_eq!(least.scale(2097.0), 2.0_f64.powi(1023));
        assert_eq!(f64::MAX.scale(-2098.0), least, "a bit less than the least value");
        assert_eq!(f64::MAX.scale(-2099.0), 0.0, "a bit less than the half of it");
        assert_eq!(odd.scale(-1075.0), least, "a bit more than the half");
        assert_eq!(1.0_f64.scale(-1075.0), 0.0, "the half, to even");
        assert_eq!((-1.0_f64).scale(f64::NEG_INFINITY).to_bits(), (-0.0_f64).to_bits());
        assert_eq!((-1.0_f64).scale(9e18), f64::NEG_INFINITY);
        assert_eq!(0.0_f64.scale(5000.0), 0.0);
        assert_eq!(3.0_f32.scale(-150.0), f32::from_bits(2), "1.5 of the least to even");
        assert_eq!(f32::MAX.scale(-280.0), 0.0);
        assert_eq!(f32::from_bits(1).scale(276.0), 2.0_f32.powi(127));
        assert!(f32::NAN.scale(3.0).is_nan());
    }
}
