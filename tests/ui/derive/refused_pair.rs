use promote::{Promote, Promoted};

#[derive(Promote)]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {
    let _: Promoted<Vec2<u16>, Vec2<i32>> = Vec2 { x: 1, y: 2 };
}
