#[derive(promote::Promote)]
#[promote(opps(Add), ops(Add, Pow))]
struct Sample<T> {
    #[promote(with)]
    value: T,
    name: String,
}

fn main() {}
