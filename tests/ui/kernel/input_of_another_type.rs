//! All inputs have the type parameter as their type: an input of a fixed type would not be converted.

use promote::kernel;

#[kernel]
fn scaled<T>(x: T, factor: f32) -> T {
    x * f64::from(factor)
}

fn main() {}

