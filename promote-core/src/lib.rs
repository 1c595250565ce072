//! The catalogue of `promote`: the dtypes, ops and tables that the macros, the run time and the command
//! share.
//!
//! - [`DType`] and [`Format`]: the standard dtypes, their values, and which dtype holds all values of another
//!   ([`Format::holds`]).
//! - [`Op`] and `OpInfo`: the standard ops, with their arity, semantics and kernels.
//! - `semantics`: the options of an op that a rule file chooses.
//! - `KernelOp`: an op together with its semantics, as kernels know it.
//! - [`Number`], [`Casting`], `Category`: numbers without a width, casting levels, categories of operands.
//! - `Tables`: a rule set as data, with its encoding and its look-ups.
//!
//! Dtypes, ops and options are listed here and nowhere else. [`__dtypes!`] and [`__ops!`] pass the rows on to
//! other crates, which add Rust types, conversions and kernels.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod casting;
mod dtype;
mod format;
mod kernel_op;
mod names;
mod number;
mod op;
mod semantics;
#[cfg(feature = "serde")]
mod serialize;
mod table;

pub use casting::{Casting, ParseCastingError};
pub use dtype::{CustomDType, DType, Kind, ParseDTypeError};
pub use format::Format;
pub use number::{Number, NumberKind};
pub use op::{CustomOp, Extra, ExtraKind, Op, OpTypes, ParseOpError};
pub use table::Clause;

/// Items that the crates of this project share and that emitted code uses. They may change at any time.
#[doc(hidden)]
pub mod __private {
    pub use crate::format::FloatBits;
    pub use crate::kernel_op::KernelOp;
    pub use crate::names::{BINARY_METHODS, op_of_rust_method, op_of_rust_name};
    pub use crate::number::order_out_of_range;
    pub use crate::op::{KernelInfo, OpInfo, PipelineReason, ResultForm};
    #[cfg(feature = "serde")]
    pub use crate::serialize::from_name;
    pub use crate::table::{Category, Tables};

    /// The options of an op that a rule file chooses.
    pub mod semantics {
        pub use crate::semantics::*;
    }

    /// A rule set as data.
    pub mod table {
        pub use crate::table::*;
    }
}
