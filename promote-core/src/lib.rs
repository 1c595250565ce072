//! The catalogue of `promote`: dtypes, ops and tables, which the macros, the run time and the command share.
//!
//! - [`DType`] and [`Format`]: the standard dtypes, their values, and which dtype holds all values of another
//!   ([`Format::holds`]).
//! - [`Op`] and [`OpInfo`]: the standard ops, with their arity, semantics and kernels.
//! - [`semantics`]: the options of an op that a rule file chooses.
//! - [`KernelOp`]: an op together with its semantics, as kernels know it.
//! - [`Number`], [`Casting`], [`Category`]: numbers without a width, casting levels, categories of operands.
//! - [`Tables`]: a rule set as data, with its encoding and its look-ups.
//!
//! Dtypes, ops and options are listed here and nowhere else. [`__dtypes!`] and [`__ops!`] pass the rows on to
//! other crates, which add Rust types, conversions and kernels.

#![no_std]
#![forbid(unsafe_code)]

mod casting;
mod dtype;
mod format;
mod kernel_op;
mod names;
mod number;
mod op;
pub mod semantics;
#[cfg(feature = "serde")]
mod serialize;
pub mod table;

pub use casting::{Casting, UnknownCasting};
pub use dtype::{CustomDType, DType, Kind, UnknownDType};
pub use format::Format;
pub use kernel_op::KernelOp;
pub use number::{Number, NumberKind, order_out_of_range};
pub use op::{
    CustomOp, Extra, ExtraKind, KernelInfo, Negation, Op, OpInfo, OpTypes, PipelinePairs, ResultForm,
    UnknownOp,
};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serialize::from_name;
pub use table::{Category, Tables};
