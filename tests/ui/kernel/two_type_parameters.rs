//! All inputs are computed in one dtype.

use promote::{Arithmetic, kernel};

#[kernel]
fn axpy<A: Arithmetic, X: Arithmetic>(alpha: A, x: X) -> X {
    x * alpha
}

fn main() {}

