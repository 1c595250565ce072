//! A kernel has no receiver.

use promote::kernel;

struct Scaled;

impl Scaled {
    #[kernel]
    fn twice<T>(self, x: T) -> T {
        x + x
    }
}

fn main() {}

