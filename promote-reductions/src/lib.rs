//! The reductions of `promote`, of every dtype: no rule file says what they compute.
//!
//! A crate of its own beside `promote-kernels`: before a crate's code is made by all cores, one alone checks
//! it. Users take it through the facade `promote`, whose feature `kernels` it is.
#![no_std]

promote_runtime::__reductions! {}
