#[derive(promote::Promote)]
struct Sample<T> {
    value: T,
    #[promote(with)]
    count: usize,
}

fn main() {}
