//! Rule sets in DataFusion itself.

mod common;
mod frames;
mod page;
mod pairs;
mod plans;
mod settings;
