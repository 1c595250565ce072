//! What comes out is rounded to the dtype that the rule set says.

use promote::{Ordered, kernel};

#[kernel]
fn above<T: Ordered>(a: T, b: T) -> bool {
    a > b
}

fn main() {}

