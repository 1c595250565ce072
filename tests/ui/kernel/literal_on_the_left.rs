//! A literal is the right operand of an operator.

use promote::kernel;

#[kernel]
fn twice<T>(x: T) -> T {
    2.0 * x
}

fn main() {}

