//! Two numbers without a width: Python computes them before any array sees them.
use promote::{weak, Torch};

fn main() {
    let _ = Torch::add(weak(1), weak(2.5));
}
