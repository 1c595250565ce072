//! A vector of any element type. Vectors of different element types promote, and have operators, as their
//! elements do.
//!
//! `cargo run --example derive_vec3`

use promote::{Promote, Promoted, weak};

#[derive(Clone, Copy, Debug, Promote)]
#[promote(ops(Add, Sub, Neg, AddAssign, PartialEq), weak(Mul, Div))]
struct Vec3<T> {
    x: T,
    y: T,
    z: T,
}

fn main() {
    let pixels: Vec3<u8> = Vec3 { x: 200, y: 100, z: 50 };
    let offset: Vec3<i8> = Vec3 { x: -1, y: 100, z: 100 };

    // `u8` and `i8` promote to `i16`, so nothing overflows.
    let sum: Vec3<i16> = pixels + offset;
    assert!(sum == Vec3 { x: 199, y: 200, z: 150 });

    // A number without a width takes the element type of the vector. With a float number, an integer vector
    // becomes a float vector.
    let half: Promoted<Vec3<i16>, Vec3<f32>> = sum * weak(0.5);
    println!("{sum:?} * 0.5 = {half:?}");
    assert!(half == Vec3 { x: 99.5, y: 100.0, z: 75.0 });

    // In place the result must have the type of the left operand: `place += half` does not compile, because
    // its result is `Vec3<f32>`.
    let mut place = sum;
    place += -offset;
    assert!(place == sum - offset);
}
