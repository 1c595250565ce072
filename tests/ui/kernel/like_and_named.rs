//! Either another op decides the dtypes, or rule files do.

use promote::kernel;

#[kernel(like = divide, named)]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}

