//! The width of `usize` depends on the machine.
use promote::{Promoted, Torch};

fn main() {
    let _: Promoted<usize, f32, Torch> = 0.0;
}
