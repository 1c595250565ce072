//! Nothing waits in a loop over lanes.

use promote::kernel;

#[kernel]
async fn twice<T>(x: T) -> T {
    x + x
}

fn main() {}

