//! A body that compares needs the bound `Ordered`, since complex numbers have no order.

use promote::{Arithmetic, kernel};

#[kernel]
fn rectified<T: Arithmetic>(x: T) -> T {
    T::select(x > T::of(0.0), x, T::of(0.0))
}

fn main() {}

