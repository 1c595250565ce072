//! Two numbers without a width do not promote: Python computes them before an array sees them.
use promote::{weak, Torch};

fn main() {
    let _ = Torch::add(weak(1), weak(2.5));
}
