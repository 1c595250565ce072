//! A width that is the machine's.
use promote::{Promoted, Torch};

fn main() {
    let _: Promoted<usize, f32, Torch> = 0.0;
}
