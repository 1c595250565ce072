//! Ops of three inputs: `lerp`, `addcmul` and sums of which one term is scaled.
//!
//! For reals a product is fused with the sum that it enters, as in PyTorch.

use num_complex::Complex;

use super::complex::multiply;
use super::{AddScaled, Addcmul, Lerp, OpLane, SubtractScaled};
use crate::math::Real as _;

macro_rules! reals {
    ($($ty:ident)*) => {$(
        rows_with! { $ty;
            // Starts from the nearer end, so that both ends are exact.
            Lerp [lanes, _semantics] |a, b, weight| {
                let distance = b - a;
                let from_a = weight.fma(lanes, distance, a);
                let from_b = (-distance).fma(lanes, 1.0 - weight, b);
                if weight.abs() < 0.5 { from_a } else { from_b }
            };
            Addcmul [lanes, _semantics] |a, b, c, value| (value * b).fma(lanes, c, a);
            AddScaled [lanes, _semantics] |a, b, alpha| alpha.fma(lanes, b, a);
            SubtractScaled [lanes, _semantics] |a, b, alpha| (-alpha).fma(lanes, b, a);
        }
    )*};
}

reals! { f32 f64 }

macro_rules! integers {
    ({} bool $bool:tt integer [$($ty:ident)*] float $float:tt complex $complex:tt) => {$(
        rows_with! { $ty;
            Addcmul [_lanes, _semantics] |a, b, c, value| a.wrapping_add(value.wrapping_mul(b).wrapping_mul(c));
            AddScaled [_lanes, _semantics] |a, b, alpha| a.wrapping_add(alpha.wrapping_mul(b));
            SubtractScaled [_lanes, _semantics] |a, b, alpha| a.wrapping_sub(alpha.wrapping_mul(b));
        }
    )*};
}

promote_core::__register_dtypes! { integers {} }

rows_with! { bool;
    AddScaled [_lanes, _semantics] |a, b, alpha| a | (alpha & b);
}

/// Computes `a + factor · b`, but `a + one` if `alpha` is 1: a product would make NaN of an infinite part.
macro_rules! scaled {
    ($alpha:ident, $a:ident + $factor:expr, $b:ident, $one:expr) => {{
        let (product, one, is_one) = (multiply($factor, $b), $one, ($alpha.re == 1.0) & ($alpha.im == 0.0));
        $a + Complex {
            re: if is_one { one.re } else { product.re },
            im: if is_one { one.im } else { product.im },
        }
    }};
}

macro_rules! complex {
    ($($ty:ident)*) => {$(
        rows_with! { Complex<$ty>;
            // As of reals; nothing is fused.
            Lerp [_lanes, _semantics] |a, b, weight| {
                let distance = b - a;
                let from_a = a + multiply(weight, distance);
                let from_b = b - multiply(distance, Complex { re: 1.0, im: 0.0 } - weight);
                let near = weight.re * weight.re + weight.im * weight.im < 0.25;
                Complex { re: if near { from_a.re } else { from_b.re }, im: if near { from_a.im } else { from_b.im } }
            };
            Addcmul [_lanes, _semantics] |a, b, c, value| {
                let product = multiply(multiply(value, b), c);
                Complex { re: a.re + product.re, im: a.im + product.im }
            };
            AddScaled [_lanes, _semantics] |a, b, alpha| scaled!(alpha, a + alpha, b, b);
            SubtractScaled [_lanes, _semantics] |a, b, alpha| {
                // The opposite of a real factor is real, without a sign in the other part.
                let opposite = Complex { re: -alpha.re, im: 0.0 - alpha.im };
                scaled!(alpha, a + opposite, b, -b)
            };
        }
    )*};
}

complex! { f32 f64 }
