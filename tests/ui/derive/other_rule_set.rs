use promote::{NumPy, Promote, Promoted, Torch};

#[derive(Promote)]
#[promote(rules(NumPy))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {
    let _: Promoted<Vec2<u8>, Vec2<i8>, Torch> = Vec2 { x: 1, y: 2 };
}
