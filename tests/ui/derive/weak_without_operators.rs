#[derive(promote::Promote)]
#[promote(ops(Neg, PartialEq), weak)]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {}
