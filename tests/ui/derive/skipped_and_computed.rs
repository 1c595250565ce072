#[derive(promote::Promote)]
struct Sample<T> {
    value: T,
    #[promote(skip, with = largest)]
    count: usize,
}

fn main() {}
