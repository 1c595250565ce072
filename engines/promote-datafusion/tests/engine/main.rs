//! Rule sets in DataFusion itself.

mod common;
#[cfg(feature = "ffi")]
mod foreign;
mod frames;
mod page;
mod pairs;
mod plans;
mod settings;
