#[derive(promote::Promote)]
#[promote(ops(AddAssign))]
struct Vec2<T> {
    x: T,
    y: T,
}

fn main() {
    let mut place = Vec2 { x: 1_i32, y: 2 };
    place += Vec2 { x: 0.5_f32, y: 0.5 };
}
