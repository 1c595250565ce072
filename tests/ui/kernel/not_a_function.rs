//! The attribute is for functions.

use promote::kernel;

#[kernel]
struct Twice;

fn main() {}

