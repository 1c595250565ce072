//! Rule sets in DataFusion itself.

mod columns;
mod common;
#[cfg(all(feature = "all-sets", feature = "ffi"))]
mod foreign;
mod frames;
#[cfg(feature = "all-sets")]
mod page;
mod pairs;
mod plans;
mod settings;
