//! The reference evaluator under each bundled rule set, against what its framework computed: recorded values
//! of every op whose semantics differ, 32 lanes a case. PyTorch has a test of its own,
//! `tests/torch_reference.rs`.
//!
//! A lane is equal (bit for bit, or NaN and NaN), within a tolerance that the op has for a reason, or excused
//! by a named exception, of which none may be out of use. Anything else fails.

#![allow(clippy::float_cmp, reason = "exact comparisons are what is asked for")]

#[allow(dead_code, reason = "what PyTorch's options and kernels need beside this")]
#[path = "../../../tests/recorded/cases.rs"]
mod cases;
#[path = "../../../tests/recorded/defects.rs"]
mod defects;
mod exceptions;
mod score;
#[path = "../../../tests/recorded/tolerance.rs"]
mod tolerance;

use exceptions::{JAX, NUMPY, ONEFLOW, PADDLE, TENSORFLOW};

#[test]
fn numpy() {
    score::compare("numpy", &["numpy"], &NUMPY, "NumPy, cases");
}

#[test]
fn jax() {
    score::compare("jax", &["jax"], &JAX, "JAX, cases");
}

#[test]
fn tensorflow() {
    score::compare("tensorflow", &["tensorflow", "tensorflow-numpy"], &TENSORFLOW, "TensorFlow");
}

#[test]
fn paddle() {
    score::compare("paddle", &["paddle"], &PADDLE, "PaddlePaddle");
}

#[test]
fn oneflow() {
    score::compare("oneflow", &["oneflow"], &ONEFLOW, "OneFlow");
}
