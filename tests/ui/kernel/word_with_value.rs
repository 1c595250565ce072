//! Rule files name the kernel, and not the other way round.

use promote::kernel;

#[kernel(named = "twice")]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}
