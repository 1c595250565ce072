//! The error points at the operator.
use promote::{mixed, Torch};

fn main() {
    let (a, b) = (1_u16, 2_i32);
    let _ = mixed! { Torch => 2 * a + b };
}
