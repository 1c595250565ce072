use promote::{Promote, weak};

#[derive(Promote)]
#[promote(weak(MulAssign))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {
    let mut place = Vec2 { x: 1_i32, y: 2 };
    place *= weak(0.5);
}
