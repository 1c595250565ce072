//! The reductions of `promote`, compiled for every dtype. They do not depend on rule files.
//!
//! rustc type-checks a crate on one core, so this crate is separate from `promote-kernels` to use a second
//! one. Use it through the feature `kernels` of the facade `promote`.
#![no_std]

promote_runtime::__reductions! {}
