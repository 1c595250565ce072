//! The numbers of a kernel implement the trait of its one bound, and no others.

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
