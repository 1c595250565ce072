//! The dtypes come from another op or from rule files, not from both.

use promote::kernel;

#[kernel(like = divide, named)]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}

