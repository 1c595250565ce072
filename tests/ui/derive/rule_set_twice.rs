#[derive(promote::Promote)]
#[promote(rules(promote::Torch, promote::Torch))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {}
