//! The run-time core of `promote`: dtypes, promotion tables, conversions and kernels.
//!
//! Users take this crate through the facade `promote`; it knows nothing of rule files.
#![no_std]

#[cfg(feature = "std")]
extern crate std;

mod dtype;

pub use dtype::{CustomDType, DType, Kind, UnknownDType};
