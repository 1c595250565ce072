//! An input has a type that is not a dtype.

use promote::{Torch, kernel};

#[kernel]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {
    let _ = Torch::twice('2');
}

