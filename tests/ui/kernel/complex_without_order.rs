//! A body that compares does not compute on complex numbers.

use num_complex::Complex;
use promote::{Ordered, Torch, kernel};

#[kernel]
fn rectified<T: Ordered>(x: T) -> T {
    x.maximum(T::of(0.0))
}

fn main() {
    let _ = Torch::rectified(Complex::new(1.0_f32, 0.0));
}

