#[derive(promote::Promote)]
#[promote(ops(Add, Neg))]
struct Sample<T> {
    value: T,
    #[promote(with = both)]
    peak: Option<T>,
}

fn both<Op, A, B, C>(_: Op, _: &Option<A>, _: &Option<B>) -> Option<C> {
    None
}

fn main() {}
