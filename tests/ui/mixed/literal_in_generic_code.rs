//! `NumOps` covers ops on values, not on literals.

use promote::{NumOps, mixed};

fn half<R: NumOps<(T,)>, T>(x: T) -> R::Quotient {
    let (x,) = R::promote((x,));
    mixed! { R => x / 2 }
}

fn main() {}
