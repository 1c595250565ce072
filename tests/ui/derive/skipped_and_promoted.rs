#[derive(promote::Promote)]
struct Sample<T> {
    value: T,
    #[promote(skip)]
    peak: Option<T>,
}

fn main() {}
