//! All inputs are converted to one dtype, so there is one type parameter.

use promote::{Arithmetic, kernel};

#[kernel]
fn axpy<A: Arithmetic, X: Arithmetic>(alpha: A, x: X) -> X {
    x * alpha
}

fn main() {}

