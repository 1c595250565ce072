use promote::{NumPy, Promote, Torch};

#[derive(Promote)]
#[promote(rules(Torch, NumPy), ops(Add))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {}
