//! Any type that the caller wants would be none that a rule set says.

use promote::kernel;

#[kernel]
fn twice<T>(x: T) -> impl Into<T> {
    x + x
}

fn main() {}

