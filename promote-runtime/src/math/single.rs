//! Functions of `f32`.

#![allow(clippy::float_cmp, reason = "special values are compared, and sums that are meant to be exact")]
#![allow(
    clippy::needless_bitwise_bool,
    reason = "`&&` and `||` are branches, which keep a loop from becoming vector code"
)]
#![allow(
    clippy::excessive_precision,
    clippy::unreadable_literal,
    reason = "coefficients are written with the digits that give the nearest number"
)]

mod area;
mod exp;
mod hyperbolic;
mod inverse;
mod log;
mod logaddexp;
mod parts;
mod pow;
mod trigonometric;
mod wide;

#[cfg(test)]
mod tests;

pub(crate) use area::{Acosh, Asinh, Atanh};
pub(crate) use exp::{Exp, Exp2, Expm1};
pub(crate) use hyperbolic::{Cosh, Sigmoid, Sinh, Tanh};
pub(crate) use inverse::{Acos, Asin, Atan, Atan2};
pub(crate) use log::{Log, Log1p, Log2, Log10};
pub(crate) use logaddexp::{Logaddexp, Logaddexp2, Softplus};
pub(crate) use pow::Pow;
pub(crate) use trigonometric::{Cos, Sin, Tan};
pub(crate) use wide::{Cbrt, Erf, Erfc, Gelu, GeluTanh, Hypot, Silu, Xlogy};
