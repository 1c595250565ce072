//! Ops have the names of array libraries, not those of Rust's numbers.

use promote::{Floating, kernel};

#[kernel]
fn clip<T: Floating>(x: T, low: T, high: T) -> T {
    x.max(low).min(high)
}

fn main() {}
