//! Systems differ in what a remainder is.

use promote::{Floating, kernel};

#[kernel]
fn phase<T: Floating>(x: T, period: T) -> T {
    (x * 2.0) % period
}

fn main() {}

