//! `ops(PartialEq)` emits the comparison that `derive(PartialEq)` emits too.

use promote::Promote;

#[derive(Clone, Copy, PartialEq, Promote)]
#[promote(ops(PartialEq))]
struct Pair<T> {
    x: T,
    y: T,
}

fn main() {}
