//! Functions of `f32`.

#![allow(dead_code, reason = "the kernels that call them are not there yet")]

mod exp;
mod hyperbolic;
mod log;
mod parts;
mod pow;

pub(crate) use exp::{Exp, Exp2, Expm1};
pub(crate) use hyperbolic::Tanh;
pub(crate) use log::{Log, Log1p, Log2, Log10};
pub(crate) use pow::Pow;
