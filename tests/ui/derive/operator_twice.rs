#[derive(promote::Promote)]
#[promote(ops(Add, Mul), ops(Add))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {}
