//! A generic function lacks the bound for the op that it calls.
use promote::{op, OpOutput, Rules, OpRule};

fn double<R: Rules + OpRule<op::Add, (T, T)>, T: Copy>(x: T) -> OpOutput<op::Add, (T, T), R> {
    R::apply(op::Add, (x, x))
}

fn main() {}
