#[derive(promote::Promote)]
#[promote(ops(PartialEq, PartialOrd))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {
    let a = Vec2 { x: 1_u16, y: 2 };
    assert!(a < Vec2 { x: 1_i64, y: 2 });
}
