#[derive(promote::Promote)]
struct Sample<T> {
    value: T,
    #[promote(skipped)]
    name: String,
}

fn main() {}
