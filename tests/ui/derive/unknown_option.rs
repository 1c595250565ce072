#[derive(promote::Promote)]
#[promote(rule(promote::Torch))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {}
