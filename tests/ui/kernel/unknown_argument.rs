//! A misspelt word is not passed over.

use promote::kernel;

#[kernel(likes = divide)]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}

