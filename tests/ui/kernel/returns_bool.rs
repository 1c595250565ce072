//! A result is a number, which is rounded to the dtype that the rule set names.

use promote::{Ordered, kernel};

#[kernel]
fn above<T: Ordered>(a: T, b: T) -> bool {
    a > b
}

fn main() {}

