#[derive(promote::Promote)]
struct Sample<T> {
    #[promote(ops(Add))]
    value: T,
}

fn main() {}
