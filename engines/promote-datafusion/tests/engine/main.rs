//! Rule sets in DataFusion itself.

mod common;
mod frames;
mod pairs;
mod plans;
mod settings;
