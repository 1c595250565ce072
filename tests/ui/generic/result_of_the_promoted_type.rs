//! For rustc `Promoted` and the result of an op are two types, unless the bound says otherwise.

use promote::{Compute, Promote, Promoted, Torch, op};

fn add<A: Promote<B>, B>(a: A, b: B) -> Promoted<A, B>
where
    Torch: Compute<op::Add, (A, B)>,
{
    Torch::add(a, b)
}

fn main() {}
