#[derive(promote::Promote)]
#[promote(weak(Mul, Neg))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {}
