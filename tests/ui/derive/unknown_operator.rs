#[derive(promote::Promote)]
#[promote(ops(Add, Subb, Shl))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {}
