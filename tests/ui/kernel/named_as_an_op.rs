//! `Torch::sigmoid` exists already.
use promote::{Floating, kernel};

#[kernel]
fn sigmoid<T: Floating>(x: T) -> T {
    T::of(1.0) / ((-x).exp() + 1.0)
}

fn main() {}
