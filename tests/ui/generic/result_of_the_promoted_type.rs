//! rustc treats `Promoted` and the result of an op as two types, unless the bound equates them.

use promote::{Compute, Promote, Promoted, Torch, op};

fn add<A: Promote<B>, B>(a: A, b: B) -> Promoted<A, B>
where
    Torch: Compute<op::Add, (A, B)>,
{
    Torch::add(a, b)
}

fn main() {}
