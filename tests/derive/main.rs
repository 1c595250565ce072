//! `#[derive(Promote)]`: what a container promotes to, which operators it gets, and what they give, field by field.
//!
//! Without kernels it is quickly built: `cargo test --no-default-features --features numpy,torch --test derive`.

mod hygiene;
mod numbers;
mod operators;
mod promotion;
