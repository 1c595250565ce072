//! There is nothing to compute.

use promote::kernel;

#[kernel]
struct Twice;

fn main() {}

