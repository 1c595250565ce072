//! A body that divides needs the bound `Floating`.

use promote::{Arithmetic, kernel};

#[kernel]
fn mean<T: Arithmetic>(a: T, b: T) -> T {
    (a + b) / 2.0
}

fn main() {}

