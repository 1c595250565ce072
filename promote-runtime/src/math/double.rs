//! Functions of `f64`, and of complex numbers of two of them ([`complex`]).
//!
//! All of them build on four functions: e^x as 2^n·(1 + r + tail) in [`exp`], the logarithm as a pair in
//! [`log`], the sine and cosine of a reduced angle in [`trigonometric`], and the arc tangent of a quotient in
//! [`arc`]. A number whose rounding error would matter is kept as a [`pair::Pair`].
//!
//! Errors are in units in the last place of the exact result (2^-1074 if that is subnormal): the greatest
//! error in the stated number of random samples, which include hard regions. Errors of angles and polynomials
//! are relative unless stated otherwise.

#![allow(
    clippy::excessive_precision,
    clippy::unreadable_literal,
    reason = "coefficients are written with the digits that give the nearest number"
)]
#![allow(clippy::approx_constant, reason = "a constant in parts is written as one")]
#![allow(
    clippy::needless_bitwise_bool,
    clippy::manual_range_contains,
    reason = "a branch would keep a loop from becoming vector code"
)]
#![allow(clippy::needless_range_loop, reason = "streams go side by side, all at one index")]
#![allow(clippy::float_cmp, reason = "special values are compared exactly")]
#![allow(clippy::inline_always, reason = "a kernel becomes vector code only where all of it is inlined")]

/// Implements functions whose one form takes every operand.
macro_rules! total {
    ($($name:ident)*) => {$(
        impl crate::math::Function<f64> for $name {
            #[inline(always)]
            fn in_fast_domain(_: f64) -> bool {
                true
            }

            #[inline(always)]
            fn fast<L: Lanes>(lanes: L, x: f64) -> f64 {
                $name::each(lanes, x)
            }

            #[inline(always)]
            fn general<L: Lanes>(lanes: L, x: f64) -> f64 {
                $name::each(lanes, x)
            }
        }
    )*};
}

mod activation;
mod arc;
mod area;
mod cancelling;
mod cbrt;
pub(crate) mod complex;
mod error;
mod exp;
mod hyperbolic;
mod hypot;
mod log;
mod logaddexp;
mod pair;
mod payne_hanek;
mod pow;
mod sqrt;
mod trigonometric;

pub(crate) use activation::{GeluTanh, Silu, Softplus};
pub(crate) use arc::{Acos, Asin, Atan, Atan2};
pub(crate) use area::{Acosh, Asinh, Atanh};
pub(crate) use cbrt::Cbrt;
pub(crate) use error::{Erf, Erfc, Gelu};
pub(crate) use exp::{Exp, Exp2, Expm1, SIXTEENTHS, Sigmoid};
pub(crate) use hyperbolic::{Cosh, Sinh, Tanh};
pub(crate) use hypot::Hypot;
pub(crate) use log::{Log, Log1p, Log2, Log10};
pub(crate) use logaddexp::{Logaddexp, Logaddexp2, OF_SUM};
pub(crate) use pow::{Pow, Xlogy};
pub(crate) use sqrt::Sqrt;
pub(crate) use trigonometric::{Cos, Sin, Tan};

#[cfg(test)]
mod tests;
