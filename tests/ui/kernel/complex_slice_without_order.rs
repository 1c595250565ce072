//! A body that compares does not compute on slices of complex numbers.

use num_complex::Complex;
use promote::{Ordered, Torch, kernel};

#[kernel]
fn rectified<T: Ordered>(x: T) -> T {
    x.maximum(T::of(0.0))
}

fn main() {
    let x = [Complex::new(1.0_f32, 0.0); 2];
    let mut out = x;
    let _ = Torch::rectified_into(&x, &mut out);
}

