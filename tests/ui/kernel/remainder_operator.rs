//! Systems differ in the sign of a remainder, so `%` is not available.

use promote::{Floating, kernel};

#[kernel]
fn phase<T: Floating>(x: T, period: T) -> T {
    (x * 2.0) % period
}

fn main() {}

