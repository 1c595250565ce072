//! The catalogue of `promote`: what the macros, the run time and the command all have to know.
//!
//! - [`DType`] and [`Format`]: the standard dtypes, the values that they represent, and which dtype holds all
//!   values of which ([`Format::holds`]).
//! - [`Op`] and [`OpInfo`]: the standard ops, with their arity, semantics and kernels.
//! - [`semantics`]: the options of an op that a rule file chooses.
//! - [`KernelOp`]: an op together with its semantics, as kernels know it.
//! - [`Number`], [`Casting`], [`Category`]: numbers without a width, levels of casting, categories of operands.
//! - [`Tables`]: a rule set as data, its encoding and its look-up.
//!
//! Each list of the project is here and nowhere else. [`__dtypes!`] and [`__ops!`] hand the rows on to other
//! crates, which add what is theirs: Rust types, conversions, kernels.

#![no_std]
#![forbid(unsafe_code)]

mod casting;
mod dtype;
mod format;
mod kernel_op;
mod number;
mod op;
pub mod semantics;
pub mod table;

pub use casting::{Casting, UnknownCasting};
pub use dtype::{CustomDType, DType, Kind, UnknownDType};
pub use format::Format;
pub use kernel_op::KernelOp;
pub use number::{Number, NumberKind, order_beyond};
pub use op::{
    CastsFirst, CustomOp, Extra, Gives, KernelInfo, Op, OpInfo, OpTypes, Opposite, Takes, UnknownOp,
};
pub use table::{Category, Tables};
