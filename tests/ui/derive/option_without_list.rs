#[derive(promote::Promote)]
#[promote(ops)]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {}
