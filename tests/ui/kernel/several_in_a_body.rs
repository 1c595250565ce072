//! All mistakes in a body are reported at once.

use promote::kernel;

#[kernel]
fn clipped_mean<T>(a: T, b: T) -> T {
    let sum = a + b;
    if sum > 255 { 255.0 } else { sum / 2.0 }
}

fn main() {}

