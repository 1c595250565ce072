//! The type that comes out is the rule set's, and not the one that is wished.
use promote::{weak, Torch};

fn main() {
    let _: i32 = Torch::multiply(3_i32, weak(2.5));
}
