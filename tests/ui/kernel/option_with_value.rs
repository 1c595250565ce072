//! A rule file names the kernel; the kernel does not name a rule file.

use promote::kernel;

#[kernel(named = "twice")]
fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}
