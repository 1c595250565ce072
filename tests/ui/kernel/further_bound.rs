//! A kernel computes in numbers of ours, which have no traits but those of the one bound.

use promote::{Arithmetic, Floating, kernel};

#[kernel]
fn root<T: Floating + Default>(x: T) -> T {
    x.sqrt() + T::default()
}

#[kernel]
fn twice<T: Arithmetic + PartialOrd + 'static>(x: T) -> T {
    x + x
}

fn main() {}
