//! Only a rule set has the functions.

use promote::{OpOutput, kernel, op};

#[kernel]
fn sum<T>(a: T, b: T) -> T {
    a + b
}

fn total<R>(a: f32, b: f32) -> OpOutput<op::Add, f32, f32> {
    R::sum(a, b)
}

fn main() {}

