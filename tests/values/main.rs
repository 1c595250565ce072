//! Kernels and the scalar reference compute what the real systems computed: every recorded value.
//!
//! A recording is a file of `tests/data` with cases: an op, its operands, and the elements that came out.
//! Each lane of each case is equal (bit for bit, or NaN and NaN), beside the exact result, within a tolerance
//! that its op has for a reason (`tolerance.rs`), or excused by a named exception of its system
//! (`exceptions`). Anything else fails. An exception that excuses nothing fails, too. `docs/defects.md` lists
//! what is excused.
//!
//! A new recording is one line in `systems.rs`.

#![allow(clippy::float_cmp, reason = "exact comparisons are what is asked for")]

#[path = "../common/aligned.rs"]
mod aligned;
#[path = "../common/bundled.rs"]
mod bundled;
mod complex;
mod composed;
#[path = "../common/data.rs"]
mod data;
mod defects;
mod exact;
mod exceptions;
mod lane;
mod pools;
mod recorded;
mod rows;
mod score;
mod semantics;
mod systems;
mod tolerance;
mod torch;
#[path = "../common/unit.rs"]
mod unit;
mod ways;
