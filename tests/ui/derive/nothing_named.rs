#[derive(promote::Promote)]
#[promote(rules())]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {}
