//! Two literals have no dtype.
use promote::{mixed, Torch};

fn main() {
    let x = 1.0_f32;
    let _ = mixed! { Torch => x + 2 * 3.5 };
}
