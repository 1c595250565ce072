//! `#[derive(Promote)]`: the type that a container promotes to, its operators and their results.
//!
//! A build without kernels is faster:
//! `cargo test --no-default-features --features numpy,torch --test derive`.

#![allow(
    clippy::op_ref,
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "operators by reference are tested, and functions of fields take them"
)]

mod hygiene;
mod numbers;
mod operators;
mod promotion;
