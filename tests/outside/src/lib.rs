//! A user's crate with `promote` under another name: containers, dtypes, rules, generic code,
//! expressions and kernels of its own.

#![deny(warnings, missing_docs)]

pub mod containers;
pub mod expressions;
pub mod fixed;
pub mod generic;
pub mod kernels;
pub mod rules;
